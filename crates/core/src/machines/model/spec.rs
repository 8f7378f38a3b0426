//! The grammar of model specifications.
//!
//! ```text
//! MODEL = ALGORITHM [":" KEY "=" VALUE {"," KEY "=" VALUE}]
//!       | FORMAT "->" FORMAT [OPTIONS] {"->" FORMAT [OPTIONS]}
//!       | ARCH "/" INSTRUCTION ["@" VARIANT] [":" overrides]
//!       | "unit:" (FILE | "{" DESCRIPTION "}") [":" KEY "=" VALUE {"," KEY "=" VALUE}]
//!       | COMPOSITION "(" MODEL {"," (KEY "=" VALUE | VALUE)} ")" [":" overrides]
//!       | "compose:" (FILE | "{" DESCRIPTION "}") "(" MODEL {"," KEY "=" VALUE} ")" [":" overrides]
//! ```
//!
//! In parentheses, a `KEY=VALUE` behind a model with a list of keys belongs to that model, unless a
//! space stands before it: `promote(fda:K=32,F=13, every=4)`.
//!
//! An override behind the parentheses whose key the composition itself does not have belongs to a
//! model inside. The key is given with the names that lead to that model, or without them if only
//! one model inside has such a key: `epilogue(splitk(fda)):splitk.fda.F=20` (`layers`).

use super::conversion::{SpellingError, described};
use mmasmt_numbers::base::excerpt::excerpt;
use std::fmt;
use thiserror::Error;

/// The beginning of the name of a description.
pub(in crate::machines::model) const UNIT: &str = "unit:";

/// The beginning of the name of a composition that a text describes.
pub(in crate::machines::model) const COMPOSE: &str = "compose:";

/// The greatest depth of nested compositions.
const DEEPEST: u32 = 8;

/// A parsed specification and its text; the model that it names need not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    text: String,
    /// The name in the specification.
    pub name: Name,
    /// Keys and values; a later value takes precedence over an earlier value of the same key.
    pub keys: Vec<(String, String)>,
}

/// The name in a specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Name {
    /// An algorithm.
    Algorithm(String),
    /// A composition of another model. A value without a key stands among the keys of the
    /// specification with an empty key.
    Composition {
        /// The name of the composition.
        name: String,
        /// The specification of its unit.
        unit: Box<Spec>,
    },
    /// An instruction, to be looked up in the tables.
    Instruction {
        /// Name or title of the architecture.
        architecture: String,
        /// One of the names of the instruction.
        instruction: String,
        /// The name of a variant: a reading of the evidence other than the best one.
        variant: Option<String>,
    },
}

/// Text that does not follow the grammar.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("model `{}`, at character {at}: expected {expected}", excerpt(.text))]
pub struct SpecError {
    /// The whole text.
    pub text: String,
    /// Position of the error, from 1.
    pub at: usize,
    /// The text that was expected there.
    pub expected: String,
}

impl Spec {
    /// Parses a specification. Names, keys and values are checked when the model is made.
    ///
    /// # Errors
    /// If the text does not follow the grammar.
    pub fn parse(text: &str) -> Result<Spec, SpecError> {
        Spec::nested(text, 0)
    }

    /// A specification without keys: a bare name.
    pub(super) fn named(text: &str) -> Spec {
        Spec {
            text: text.into(),
            name: Name::Algorithm(text.into()),
            keys: Vec::new(),
        }
    }

    /// Whether the specification gives the number of products, by `K` or by `repeat`.
    pub(super) fn says_products(&self) -> bool {
        self.keys
            .iter()
            .any(|(key, _)| key.eq_ignore_ascii_case("K") || key == "repeat")
    }

    fn nested(text: &str, depth: u32) -> Result<Spec, SpecError> {
        if let Some(unit) = described(text) {
            let wrong = |SpellingError { at, expected }| SpecError {
                text: text.into(),
                at,
                expected,
            };
            return Ok(Spec {
                text: text.into(),
                name: Name::Algorithm(format!("{UNIT}{}", unit.map_err(wrong)?)),
                keys: Vec::new(),
            });
        }
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
        let (name, mut inside) = match unit_of(name) {
            _ if name.starts_with(UNIT) => (Name::parse(name), Vec::new()),
            None => (Name::parse(name), Vec::new()),
            Some((composition, rest)) => composed(text, composition.trim(), rest, depth)?,
        };
        // Keys behind the parentheses take precedence over keys inside them.
        inside.retain(|(key, _)| key.is_empty() || keys.iter().all(|(other, _)| other != key));
        inside.extend(keys);
        Ok(Spec {
            text: text.into(),
            name,
            keys: inside,
        })
    }

    /// The specification with the keys `changes` added at its end.
    ///
    /// # Errors
    /// If `changes` is not a list of keys and values.
    pub fn with(&self, changes: &str) -> Result<Spec, SpecError> {
        let mut changed = self.clone();
        changed.keys.extend(parse_keys(changes, 0, changes)?);
        if !changes.is_empty() {
            changed.text = with_keys(&self.text, changes);
        }
        Ok(changed)
    }
}

/// The text of a specification with the keys `changes`; earlier keys with the same names are left
/// out.
fn with_keys(text: &str, changes: &str) -> String {
    let name_of = |key: &str| key.split('=').next().unwrap_or_default().trim().to_owned();
    let changed: Vec<String> = changes.split(',').map(name_of).collect();
    let (name, keys) = split_name(text);
    let keys = keys.trim_start_matches(':').split(',');
    let kept = keys.filter(|key| !key.is_empty() && !changed.contains(&name_of(key)));
    let all: Vec<&str> = kept.chain([changes]).collect();
    format!("{name}:{}", all.join(","))
}

impl Name {
    fn parse(text: &str) -> Name {
        if text.starts_with(UNIT) {
            return Name::Algorithm(text.into());
        }
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

/// Splits a specification into its name and the rest, which is empty or begins with a colon. A
/// double colon does not split: it is part of a PTX name.
pub fn split_name(text: &str) -> (&str, &str) {
    let single = |at: &usize| {
        let (before, after) = (&text[..*at], &text[at + 1..]);
        !before.ends_with(':') && !after.starts_with(':')
    };
    let prefixes = [UNIT, COMPOSE].into_iter();
    let skipped = prefixes
        .filter(|prefix| text.starts_with(prefix))
        .map(str::len);
    let skipped = skipped.max().unwrap_or(0);
    let mut colons = outside(text, ':').filter(|at| *at >= skipped);
    let at = colons.find(single).unwrap_or(text.len());
    text.split_at(at)
}

/// The name of a composition, and what stands behind the parenthesis in which its unit is. The text of a composition may
/// have parentheses in its braces.
fn unit_of(name: &str) -> Option<(&str, &str)> {
    let text = name
        .strip_prefix(COMPOSE)
        .filter(|text| text.starts_with('{'));
    let Some(text) = text else {
        return name.split_once('(');
    };
    let mut depth = 0i64;
    let end = text.find(|letter| {
        depth += i64::from(letter == '{') - i64::from(letter == '}');
        depth == 0
    })?;
    let (composition, rest) = name.split_at(COMPOSE.len() + end + 1);
    Some((composition, rest.trim_start().strip_prefix('(')?))
}

/// The positions of `sign` in `text` outside of parentheses and braces.
fn outside(text: &str, sign: char) -> impl Iterator<Item = usize> {
    let mut depth = 0i64;
    text.char_indices().filter_map(move |(at, letter)| {
        depth += i64::from(matches!(letter, '(' | '{')) - i64::from(matches!(letter, ')' | '}'));
        (letter == sign && depth <= 0).then_some(at)
    })
}

/// The pieces of `text` between commas outside of parentheses.
fn pieces(text: &str) -> Vec<&str> {
    let mut start = 0;
    let mut all = Vec::new();
    for at in outside(text, ',') {
        all.push(&text[start..at]);
        start = at + 1;
    }
    all.push(&text[start..]);
    all
}

/// Parses a composition whose text behind the opening parenthesis is `rest`. Returns its name with
/// its unit, and the keys inside the parentheses.
fn composed(
    text: &str,
    name: &str,
    rest: &str,
    depth: u32,
) -> Result<(Name, Vec<(String, String)>), SpecError> {
    let wrong = |at: usize, expected: String| SpecError {
        text: text.into(),
        at,
        expected,
    };
    let start = text.find('(').map_or(0, |at| text[..at].chars().count()) + 2;
    if depth >= DEEPEST {
        return Err(wrong(
            start,
            format!("at most {DEEPEST} compositions of each other"),
        ));
    }
    let end = start + rest.chars().count();
    let inner = rest.strip_suffix(')').filter(|_| !name.is_empty());
    let inner =
        inner.ok_or_else(|| wrong(end, "NAME(MODEL, ...), each `(` with its `)`".into()))?;
    let arguments = pieces(inner);
    let mut unit = arguments[0].to_owned();
    let mut keys: Vec<(String, String)> = Vec::new();
    let mut at = start + arguments[0].chars().count() + 1;
    for argument in &arguments[1..] {
        let of_unit = argument.contains('=')
            && !argument.starts_with(char::is_whitespace)
            && !split_name(&unit).1.is_empty()
            && keys.is_empty();
        if of_unit {
            unit = format!("{unit},{argument}");
        } else {
            let key = match argument.trim().split_once('=') {
                _ if argument.trim().is_empty() => {
                    return Err(wrong(at, "KEY=VALUE or a value, found nothing".into()));
                }
                Some((key, value)) => (key.trim().to_owned(), value.trim().to_owned()),
                None => (String::new(), argument.trim().to_owned()),
            };
            if !key.0.is_empty() && keys.iter().any(|(known, _)| *known == key.0) {
                let found = excerpt(&key.0).to_string();
                return Err(wrong(at, format!("each key once, found `{found}` again")));
            }
            keys.push(key);
        }
        at += argument.chars().count() + 1;
    }
    let unit = Spec::nested(unit.trim(), depth + 1)?;
    let name = name.to_owned();
    let unit = Box::new(unit);
    Ok((Name::Composition { name, unit }, keys))
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Parses a list of keys and values; `start` is the position in `text` where the list begins.
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
