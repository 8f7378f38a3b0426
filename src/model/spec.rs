//! The grammar of model specifications.
//!
//! ```text
//! MODEL = ALGORITHM [":" KEY "=" VALUE {"," KEY "=" VALUE}]
//!       | ARCH "/" INSTRUCTION ["@" VARIANT] [":" overrides]
//! ```

use crate::excerpt::excerpt;
use std::fmt;
use thiserror::Error;

/// A parsed specification, with the text that was given; what it names need not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    text: String,
    /// What it names.
    pub name: Name,
    /// Keys and values; a later one wins over an earlier one of the same key.
    pub keys: Vec<(String, String)>,
}

/// What a specification names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Name {
    /// An algorithm.
    Algorithm(String),
    /// An instruction, to be looked up in the tables.
    Instruction {
        /// Name or title of its architecture.
        architecture: String,
        /// One of its names.
        instruction: String,
        /// Another reading than that of the best evidence.
        variant: Option<String>,
    },
}

/// Text that does not follow the grammar.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("model `{}`, at character {at}: expected {expected}", excerpt(.text))]
pub struct SpecError {
    /// The whole text.
    pub text: String,
    /// Position of the offence, from 1.
    pub at: usize,
    /// What was expected there.
    pub expected: String,
}

impl Spec {
    /// Parses a specification. Names, keys and values are checked when the model is made.
    ///
    /// # Errors
    /// If the text does not follow the grammar.
    pub fn parse(text: &str) -> Result<Spec, SpecError> {
        let (name, list) = match split_name(text) {
            (name, "") => (name, None),
            (name, list) => (name, Some(&list[1..])),
        };
        if name.is_empty() {
            return Err(SpecError {
                text: text.into(),
                at: 1,
                expected: "an algorithm or ARCH/INSTRUCTION".into(),
            });
        }
        let keys = match list {
            Some(list) => parse_keys(text, name.chars().count() + 1, list)?,
            None => Vec::new(),
        };
        Ok(Spec {
            text: text.into(),
            name: Name::parse(name),
            keys,
        })
    }

    /// The specification with more keys at its end.
    ///
    /// # Errors
    /// If `changes` is not a list of keys and values.
    pub fn with(&self, changes: &str) -> Result<Spec, SpecError> {
        let mut changed = self.clone();
        changed.keys.extend(parse_keys(changes, 0, changes)?);
        if !changes.is_empty() {
            let separator = if self.text.contains(':') { "," } else { ":" };
            changed.text = format!("{}{separator}{changes}", self.text);
        }
        Ok(changed)
    }
}

impl Name {
    fn parse(text: &str) -> Name {
        let Some((architecture, instruction)) = text.split_once('/') else {
            return Name::Algorithm(text.into());
        };
        let (instruction, variant) = match instruction.split_once('@') {
            Some((instruction, variant)) => (instruction, Some(variant.into())),
            None => (instruction, None),
        };
        Name::Instruction {
            architecture: architecture.into(),
            instruction: instruction.into(),
            variant,
        }
    }
}

/// The name in a specification and the rest, which is empty or begins with a colon; PTX names have
/// double colons of their own.
pub fn split_name(text: &str) -> (&str, &str) {
    let single = |at: &usize| {
        let (before, after) = (&text[..*at], &text[at + 1..]);
        !before.ends_with(':') && !after.starts_with(':')
    };
    let colons = text.match_indices(':').map(|(at, _)| at);
    let at = colons.into_iter().find(single).unwrap_or(text.len());
    text.split_at(at)
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A list of keys and values; `start` is where it begins in `text`.
fn parse_keys(text: &str, start: usize, list: &str) -> Result<Vec<(String, String)>, SpecError> {
    if list.is_empty() && start == 0 {
        return Ok(Vec::new());
    }
    let mut at = start + 1;
    let mut keys: Vec<(String, String)> = Vec::new();
    for item in list.split(',') {
        let syntax = |expected: String| SpecError {
            text: text.into(),
            at,
            expected,
        };
        let (key, value) = item
            .split_once('=')
            .filter(|(key, value)| !key.is_empty() && !value.is_empty())
            .ok_or_else(|| syntax(format!("KEY=VALUE, found `{}`", excerpt(item))))?;
        if keys.iter().any(|(known, _)| known == key) {
            return Err(syntax(format!(
                "each key once, found `{}` again",
                excerpt(key)
            )));
        }
        keys.push((key.into(), value.into()));
        at += item.chars().count() + 1;
    }
    Ok(keys)
}
