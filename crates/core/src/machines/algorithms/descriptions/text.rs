//! The text of a description: on lines for people, or on one line for a name.

use super::tree::{
    Call, Choice, Choices, Expression, Given, Index, IndexOperation, Keyword, Setting, Statement,
    StatementKind, Tree,
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

    fn head(&self) -> String {
        let parameters: Vec<String> = self
            .parameters
            .iter()
            .map(|one| {
                let choices = match &one.choices {
                    Choices::Range(first, last) => format!("{first}..{last}"),
                    Choices::Words(words) => words.join("|"),
                };
                format!("{} = {} in {choices}", one.name, one.default)
            })
            .collect();
        match &parameters[..] {
            [] => format!("unit {} {{", self.name),
            all => format!("unit {}({}) {{", self.name, all.join(", ")),
        }
    }
}

impl Statement {
    fn one_line(&self) -> String {
        match &self.kind {
            StatementKind::Loop { body, .. } => {
                let body: Vec<String> = body.iter().map(Statement::one_line).collect();
                format!("{} {{ {} }}", self.kind, body.join(" "))
            }
            kind => format!("{kind};"),
        }
    }

    fn indented(&self, depth: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let space = "  ".repeat(depth);
        let StatementKind::Loop { body, .. } = &self.kind else {
            return writeln!(f, "{space}{}", self.kind);
        };
        writeln!(f, "{space}{} {{", self.kind)?;
        body.iter()
            .try_for_each(|statement| statement.indented(depth + 1, f))?;
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

/// Writes a declaration, an assignment, or the head of a loop.
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
        for Given {
            keyword, choice, ..
        } in &self.options
        {
            write!(f, " {}", keyword.word())?;
            match choice {
                Choice::Given => {}
                Choice::Value(Index::Number(code)) if *keyword == Keyword::Nan => {
                    write!(f, " {code:#x}")?;
                }
                Choice::Value(value) => write!(f, " {value}")?,
                Choice::First(registers, otherwise) => {
                    write!(f, " first({}) else ", list(registers))?;
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
