//! The values of parameters: those that are given, the defaults of the others, and whether they can be combined.

use super::error::DescriptionError;
use super::evaluate::{evaluate, holds};
use super::tree::{
    Choices, Class, Condition, Index, Parameter, Setting, Statement, StatementKind, Tree,
};
use mmasmt_numbers::float::{Format, Rounding};

/// A parameter whose value cannot be combined with those of others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterConflict {
    /// The number of the parameter.
    pub parameter: usize,
    /// The value that is expected of it; names of other parameters stand for their values.
    pub expected: String,
}

impl Tree {
    /// The values of all parameters, of which some are given; the others have their defaults.
    ///
    /// # Errors
    /// If defaults depend on one another.
    pub fn settings(&self, given: &[Option<Setting>]) -> Result<Vec<Setting>, DescriptionError> {
        (0..self.parameters.len())
            .map(|number| self.value(number, given, &mut Vec::new()))
            .collect()
    }

    /// The values of all parameters where none is given.
    ///
    /// # Errors
    /// Those of [`settings`](Self::settings).
    pub fn defaults(&self) -> Result<Vec<Setting>, DescriptionError> {
        self.settings(&vec![None; self.parameters.len()])
    }

    /// The default of a parameter beside these values of the others; its own value if the default is none.
    pub fn default_beside(&self, number: usize, settings: &[Setting]) -> Setting {
        let default = &self.parameters[number].default;
        let mut names = |name: &str| Ok(self.setting_of(name, settings).cloned());
        evaluate(default, &mut names).unwrap_or_else(|_| settings[number].clone())
    }

    /// The value of the parameter with this name.
    fn setting_of<'x>(&self, name: &str, settings: &'x [Setting]) -> Option<&'x Setting> {
        let mut all = self.parameters.iter().zip(settings);
        all.find(|(one, _)| one.name == name)
            .map(|(_, setting)| setting)
    }

    fn value(
        &self,
        number: usize,
        given: &[Option<Setting>],
        open: &mut Vec<usize>,
    ) -> Result<Setting, DescriptionError> {
        if let Some(Some(setting)) = given.get(number) {
            return Ok(setting.clone());
        }
        let parameter = &self.parameters[number];
        let wrong = |expected: String| DescriptionError {
            at: parameter.place,
            expected,
        };
        if open.contains(&number) {
            let name = &parameter.name;
            return Err(wrong(format!(
                "a default of `{name}` that does not depend on itself"
            )));
        }
        open.push(number);
        let mut inner = None;
        let mut names = |name: &str| {
            let known = self.parameters.iter().position(|one| one.name == name);
            let value = known.map(|number| self.value(number, given, open));
            value.transpose().map_err(|error| {
                let expected = error.expected.clone();
                inner = Some(error);
                expected
            })
        };
        let value = evaluate(&parameter.default, &mut names);
        open.pop();
        value.map_err(|expected| inner.unwrap_or_else(|| wrong(expected)))
    }

    /// The first `need` that these values do not meet.
    pub fn unmet(&self, settings: &[Setting]) -> Option<ParameterConflict> {
        self.needs().find_map(|(condition, expected)| {
            let mut names = |name: &str| Ok(self.setting_of(name, settings).cloned());
            let is_met = holds(condition, &mut names).unwrap_or(true);
            let parameter = self.blamed(condition)?;
            (!is_met).then(|| ParameterConflict {
                parameter,
                expected: expected.into(),
            })
        })
    }

    /// The conditions that values of parameters have to meet, each with the value that is expected of the parameter
    /// that it names first.
    pub fn needs(&self) -> impl Iterator<Item = (&Condition, &str)> {
        self.statements
            .iter()
            .filter_map(|statement| match &statement.kind {
                StatementKind::Need {
                    condition,
                    expected,
                } => Some((condition, &**expected)),
                _ => None,
            })
    }

    /// The number of the parameter that a condition names first.
    pub fn blamed(&self, condition: &Condition) -> Option<usize> {
        let mut names = Vec::new();
        condition.each_name(&mut |name| names.push(name));
        names
            .iter()
            .find_map(|name| self.parameters.iter().position(|one| one.name == **name))
    }

    /// The parameters that only stand for the defaults of others, each with these others: no statement names them.
    pub fn shorthands(&self) -> Vec<(usize, Vec<usize>)> {
        let mut named: Vec<&str> = Vec::new();
        each_name(&self.statements, &mut |name| named.push(name));
        let all = self.parameters.iter().enumerate();
        let all = all.filter(|(_, one)| !named.contains(&&*one.name));
        all.map(|(number, one)| (number, self.followers(&one.name)))
            .filter(|(_, followers)| !followers.is_empty())
            .collect()
    }

    /// The parameters whose default is the parameter with this name alone.
    fn followers(&self, name: &str) -> Vec<usize> {
        let is_follower =
            |one: &Parameter| matches!(&one.default, Index::Name(default) if default == name);
        let all = self.parameters.iter().enumerate();
        all.filter(|(_, one)| is_follower(one))
            .map(|(number, _)| number)
            .collect()
    }

    /// Whether the number of products follows from the parameter with this name.
    pub fn counts_products(&self, name: &str) -> bool {
        self.declared("a").is_some_and(|declared| match declared {
            StatementKind::Declare { length, .. } => names_it(length.as_ref(), name),
            _ => false,
        })
    }

    /// Whether the number of factors that share a scale follows from the parameter with this name.
    pub fn counts_factors(&self, name: &str) -> bool {
        self.declared("sa").is_some_and(|declared| match declared {
            StatementKind::Declare { block, .. } => names_it(block.as_ref(), name),
            _ => false,
        })
    }

    /// The number of the parameter that holds the format of `c`.
    pub fn format_of_c(&self) -> Option<usize> {
        match self.declared("c")? {
            StatementKind::Declare { format, .. } => {
                self.parameters.iter().position(|one| one.name == *format)
            }
            _ => None,
        }
    }

    /// The declaration of an operand.
    fn declared(&self, operand: &str) -> Option<&StatementKind> {
        fn within<'t>(statements: &'t [Statement], operand: &str) -> Option<&'t StatementKind> {
            statements
                .iter()
                .find_map(|statement| match &statement.kind {
                    kind @ StatementKind::Declare { names, .. } => {
                        names.iter().any(|name| name == operand).then_some(kind)
                    }
                    StatementKind::If {
                        body, otherwise, ..
                    } => within(body, operand).or_else(|| within(otherwise, operand)),
                    _ => None,
                })
        }
        within(&self.statements, operand)
    }
}

fn names_it(index: Option<&Index>, name: &str) -> bool {
    let mut is_named = false;
    if let Some(index) = index {
        index.each_name(&mut |found| is_named |= found == name);
    }
    is_named
}

/// Calls `visit` with each name of a number, a word or a format in the statements.
fn each_name<'t>(statements: &'t [Statement], visit: &mut impl FnMut(&'t str)) {
    for statement in statements {
        statement
            .kind
            .each_index(&mut |index| index.each_name(visit));
        match &statement.kind {
            StatementKind::Declare { format, .. } => visit(format),
            StatementKind::Loop { body, .. } => each_name(body, visit),
            StatementKind::If {
                body, otherwise, ..
            } => {
                each_name(body, visit);
                each_name(otherwise, visit);
            }
            _ => {}
        }
    }
}

impl Parameter {
    /// The value that a text stands for; `None` if the parameter does not have it.
    pub fn read(&self, text: &str) -> Option<Setting> {
        self.choices.iter().find_map(|choices| choices.read(text))
    }

    /// Whether the parameter can have this value.
    pub fn admits(&self, setting: &Setting) -> bool {
        self.read(&setting.to_string()).as_ref() == Some(setting)
    }
}

impl Choices {
    fn read(&self, text: &str) -> Option<Setting> {
        match self {
            Choices::Range(first, last) => {
                let number = text.parse().ok();
                let number = number.filter(|number| (first..=last).contains(&number));
                number.map(Setting::Number)
            }
            Choices::Word(word) => {
                let format = || Format::known_as(text).map(|format| format.name());
                let is_word = word.eq_ignore_ascii_case(text) || format() == Some(word);
                is_word.then(|| Setting::Word(word.clone()))
            }
            Choices::Class(class) => class.read(text).map(Setting::Word),
        }
    }
}

impl Class {
    /// The formats of a class of them.
    pub fn formats(self) -> Vec<Format> {
        match self {
            Class::Formats => Format::ALL.to_vec(),
            Class::Factors => [&Format::ALL[..], &Format::ELEMENTS].concat(),
            Class::WithInfinities => {
                let all = Format::ALL.into_iter();
                all.filter(|format| format.has_infinity()).collect()
            }
            Class::Roundings | Class::Modes => Vec::new(),
        }
    }

    fn read(self, text: &str) -> Option<String> {
        match self {
            Class::Roundings => {
                let rounding: Rounding = text.parse().ok()?;
                (rounding != Rounding::Odd).then(|| rounding.to_string())
            }
            Class::Modes => {
                let mut all = Rounding::NAMES.iter();
                all.find(|(name, _)| *name == text)
                    .map(|(name, _)| (*name).into())
            }
            formats => {
                let format = Format::known_as(text)?;
                let is_one = formats.formats().contains(&format);
                is_one.then(|| format.name().into())
            }
        }
    }
}
