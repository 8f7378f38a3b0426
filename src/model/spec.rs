//! The grammar of model specifications.
//!
//! ```text
//! MODEL = ALGORITHM [":" KEY "=" VALUE {"," KEY "=" VALUE}]
//!       | ARCH "/" INSTRUCTION ["@" VARIANT] [":" overrides]
//! ```

use super::chips::{Row, find_architecture, find_row, is_specification};
use super::error::ModelError;
use crate::excerpt::excerpt;
use std::fmt;

/// A parsed specification: an algorithm and its keys, with the text that was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    text: String,
    /// Name of the algorithm.
    pub algorithm: String,
    /// Keys and values; a later one wins over an earlier one of the same key.
    pub keys: Vec<(String, String)>,
}

impl Spec {
    /// Parses a specification; instructions are looked up in the tables.
    ///
    /// # Errors
    /// If the text does not follow the grammar, or an instruction is not known. Algorithm and
    /// keys are checked when the model is made.
    pub fn parse(text: &str) -> Result<Spec, ModelError> {
        let (name, list) = match split_name(text) {
            (name, "") => (name, None),
            (name, list) => (name, Some(&list[1..])),
        };
        if name.is_empty() {
            let expected = "an algorithm or ARCH/INSTRUCTION".into();
            return Err(ModelError::Syntax {
                text: text.into(),
                at: 1,
                expected,
            });
        }
        let mut spec = match name.split_once('/') {
            Some((architecture, instruction)) => Spec::from_row(architecture, instruction)?,
            None => Spec {
                text: String::new(),
                algorithm: name.into(),
                keys: Vec::new(),
            },
        };
        if let Some(list) = list {
            spec.keys
                .extend(parse_keys(text, name.chars().count() + 1, list)?);
        }
        Ok(Spec {
            text: text.into(),
            ..spec
        })
    }

    fn from_row(architecture: &str, instruction: &str) -> Result<Spec, ModelError> {
        let (instruction, variant) = match instruction.split_once('@') {
            Some((instruction, variant)) => (instruction, Some(variant)),
            None => (instruction, None),
        };
        let row = find_row(find_architecture(architecture)?, instruction)?;
        row.spec(variant)
    }

    /// The specification with more keys at its end.
    ///
    /// # Errors
    /// If `changes` is not a list of keys and values.
    pub fn with(&self, changes: &str) -> Result<Spec, ModelError> {
        let added = parse_keys(changes, 0, changes)?;
        let separator = if self.text.contains(':') { "," } else { ":" };
        let text = if changes.is_empty() {
            self.text.clone()
        } else {
            format!("{}{separator}{changes}", self.text)
        };
        let keys = self.keys.iter().cloned().chain(added).collect();
        Ok(Spec {
            text,
            algorithm: self.algorithm.clone(),
            keys,
        })
    }
}

impl Row {
    /// The specification of the row, or of one of its variants.
    ///
    /// # Errors
    /// If there is no such variant.
    pub fn spec(&self, variant: Option<&str>) -> Result<Spec, ModelError> {
        let spec = Spec::parse(&self.model)?;
        let Some(name) = variant else { return Ok(spec) };
        match self.variants.get(name) {
            Some(whole) if is_specification(whole) => Spec::parse(whole),
            Some(changes) => spec.with(changes),
            None => Err(ModelError::UnknownVariant {
                found: name.into(),
                row: format!("{}/{}", self.architecture, self.name),
                expected: match self.variants.len() {
                    0 => "none, the row has one reading only".into(),
                    _ => self.variants.keys().cloned().collect::<Vec<_>>().join(", "),
                },
            }),
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
fn parse_keys(text: &str, start: usize, list: &str) -> Result<Vec<(String, String)>, ModelError> {
    if list.is_empty() && start == 0 {
        return Ok(Vec::new());
    }
    let mut at = start + 1;
    let mut keys: Vec<(String, String)> = Vec::new();
    for item in list.split(',') {
        let syntax = |expected: String| ModelError::Syntax {
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
