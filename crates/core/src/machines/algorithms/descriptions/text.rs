//! The text of a description: on lines for people, or on one line for a name.

use super::tree::{
    Call, CallOption, Choice, Choices, Comparison, Condition, Expression, Index, IndexOperation,
    Keyword, Parameter, Setting, Statement, StatementKind, Tree,
};
use std::fmt;

impl Tree {
    /// The text on one line.
    pub fn one_line(&self) -> String {
        let mut text = self.head();
        for statement in &self.statements {
            text += " ";
            text += &statement.one_line();
        }
        text + " }"
    }

    /// The text whose parameters have these values as defaults, with its comments.
    pub fn filled(&self, settings: &[Setting]) -> String {
        let others = (0..self.parameters.len())
            .filter(|number| self.default_beside(*number, settings) != settings[*number]);
        let mut tree = self.clone();
        for number in others.rev() {
            let parameter = &mut tree.parameters[number];
            let value = &settings[number];
            parameter.default = match value {
                Setting::Number(number) => Index::Number(*number),
                Setting::Word(word) => Index::Name(word.clone()),
            };
            if !tree.text.is_empty() {
                tree.text
                    .replace_range(parameter.default_at.clone(), &value.to_string());
            }
        }
        match tree.text.is_empty() {
            true => tree.to_string(),
            false => tree.text.trim().to_owned(),
        }
    }

    fn head(&self) -> String {
        let parameters: Vec<String> = self.parameters.iter().map(ToString::to_string).collect();
        let what = match self.is_composition {
            true => "composition",
            false => "unit",
        };
        match &parameters[..] {
            [] => format!("{what} {} {{", self.name),
            all => format!("{what} {}({}) {{", self.name, all.join(", ")),
        }
    }
}

/// Writes the parameter without its comment.
impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Parameter { name, key, .. } = self;
        f.write_str(name)?;
        if !name.eq_ignore_ascii_case(key) || name.len() == 1 && name != key {
            write!(f, " as {key}")?;
        }
        let choices: Vec<String> = self.choices.iter().map(ToString::to_string).collect();
        write!(f, " = {} in {}", self.default, choices.join("|"))?;
        match self.is_shown {
            true => f.write_str(" shown"),
            false => Ok(()),
        }
    }
}

impl fmt::Display for Choices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Choices::Range(first, last) if first == last => first.fmt(f),
            Choices::Range(first, last) => write!(f, "{first}..{last}"),
            Choices::Word(word) => f.write_str(word),
            Choices::Class(class) => f.write_str(class.word()),
        }
    }
}

impl Statement {
    fn one_line(&self) -> String {
        let all = |statements: &[Statement]| {
            let all: Vec<String> = statements.iter().map(Statement::one_line).collect();
            all.join(" ")
        };
        match &self.kind {
            StatementKind::Loop { body, .. } => format!("{} {{ {} }}", self.kind, all(body)),
            StatementKind::If {
                body, otherwise, ..
            } => {
                let otherwise = match &otherwise[..] {
                    [] => String::new(),
                    other => format!(" else {{ {} }}", all(other)),
                };
                format!("{} {{ {} }}{otherwise}", self.kind, all(body))
            }
            kind => format!("{kind};"),
        }
    }

    fn indented(&self, depth: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let space = "  ".repeat(depth);
        let (body, otherwise) = match &self.kind {
            StatementKind::Loop { body, .. } => (body, &[][..]),
            StatementKind::If {
                body, otherwise, ..
            } => (body, &otherwise[..]),
            kind => return writeln!(f, "{space}{kind}"),
        };
        writeln!(f, "{space}{} {{", self.kind)?;
        let mut body = body.iter();
        body.try_for_each(|statement| statement.indented(depth + 1, f))?;
        if !otherwise.is_empty() {
            writeln!(f, "{space}}} else {{")?;
            let mut other = otherwise.iter();
            other.try_for_each(|statement| statement.indented(depth + 1, f))?;
        }
        writeln!(f, "{space}}}")
    }
}

/// Writes the text on lines.
impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.head())?;
        self.statements
            .iter()
            .try_for_each(|statement| statement.indented(1, f))?;
        write!(f, "}}")
    }
}

/// Writes a statement; of a loop and an `if` their heads.
impl fmt::Display for StatementKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StatementKind::Declare {
                names,
                format,
                length,
                block,
            } => {
                write!(f, "{}: {format}", names.join(", "))?;
                let mut length = length.iter();
                length.try_for_each(|length| write!(f, "[{length}]"))?;
                let mut block = block.iter();
                block.try_for_each(|block| write!(f, " of {block}"))
            }
            StatementKind::Assign {
                name,
                element: None,
                value,
            } => write!(f, "{name} = {value}"),
            StatementKind::Assign {
                name,
                element: Some(element),
                value,
            } => write!(f, "{name}[{element}] = {value}"),
            StatementKind::Loop {
                counter,
                from,
                to,
                step,
                ..
            } => {
                write!(f, "for {counter} in {from}..{to}")?;
                step.as_ref()
                    .map_or(Ok(()), |step| write!(f, " step {step}"))
            }
            StatementKind::If { condition, .. } => write!(f, "if {condition}"),
            StatementKind::Let { name, value } => write!(f, "let {name} = {value}"),
            StatementKind::Need { condition, .. } => write!(f, "need {condition}"),
            StatementKind::Pairwise { name, row, value } => {
                write!(f, "pairwise {name} of {row} = {value}")
            }
        }
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expression::Name(_, name) => f.write_str(name),
            Expression::Element(of, index) => write!(f, "{of}[{index}]"),
            Expression::Slice { of, from, to, step } => {
                let text = |index: &Option<Index>| {
                    index.as_ref().map(ToString::to_string).unwrap_or_default()
                };
                write!(f, "{of}[{}..{}", text(from), text(to))?;
                step.as_ref()
                    .map_or(Ok(()), |step| write!(f, " step {step}"))?;
                f.write_str("]")
            }
            Expression::Product(factors) => write!(f, "{} * {}", factors[0], factors[1]),
            Expression::Call(call) => call.fmt(f),
        }
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({})", self.function.word(), list(&self.arguments))?;
        for CallOption {
            keyword, choice, ..
        } in &self.options
        {
            write!(f, " {}", keyword.word())?;
            match choice {
                Choice::Given => {}
                Choice::If(condition) => write!(f, " if {condition}")?,
                Choice::Value(Index::Number(code)) if *keyword == Keyword::Nan => {
                    write!(f, " {code:#x}")?;
                }
                Choice::Value(value) => write!(f, " {value}")?,
                Choice::First {
                    rule,
                    registers,
                    otherwise,
                } => {
                    write!(f, " {rule}({}) else ", list(registers))?;
                    match otherwise {
                        Index::Number(register) => write!(f, "{register:#x}")?,
                        other => other.fmt(f)?,
                    }
                }
            }
        }
        Ok(())
    }
}

fn list(expressions: &[Expression]) -> String {
    let all: Vec<String> = expressions.iter().map(ToString::to_string).collect();
    all.join(", ")
}

/// Writes the number, with parentheses around an operation within another.
impl fmt::Display for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = |index: &Index| match index {
            Index::Operation(..) => format!("({index})"),
            plain => plain.to_string(),
        };
        match self {
            Index::Number(number) => number.fmt(f),
            Index::Name(name) => f.write_str(name),
            Index::Operation(operation, sides) => {
                let sign = match operation {
                    IndexOperation::Plus => "+",
                    IndexOperation::Minus => "-",
                    IndexOperation::Times => "*",
                    IndexOperation::Over => "/",
                    IndexOperation::Modulo => "%",
                };
                write!(f, "{} {sign} {}", inner(&sides[0]), inner(&sides[1]))
            }
            Index::Of(what, of) => write!(f, "{}({of})", what.word()),
            Index::If(choice) => {
                let (then, condition, otherwise) = &**choice;
                write!(f, "{then} if {condition} else {otherwise}")
            }
        }
    }
}

/// Writes the condition; `or` stands within no `and`, as in the grammar.
impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Compare(comparison, sides) => {
                let sign = match comparison {
                    Comparison::Is => "=",
                    Comparison::IsNot => "!=",
                    Comparison::Less => "<",
                    Comparison::AtMost => "<=",
                    Comparison::Greater => ">",
                    Comparison::AtLeast => ">=",
                };
                write!(f, "{} {sign} {}", sides[0], sides[1])
            }
            Condition::And(both) => write!(f, "{} and {}", both[0], both[1]),
            Condition::Or(both) => write!(f, "{} or {}", both[0], both[1]),
        }
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Setting::Number(number) => number.fmt(f),
            Setting::Word(word) => f.write_str(word),
        }
    }
}
