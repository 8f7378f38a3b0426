//! Keys of specifications: their documentation, and from text to parameters and back; a file for
//! the keys of each algorithm.

pub(super) mod fda;
pub(super) mod gdfs;
pub(super) mod gps;
pub(super) mod hmma8;
pub(super) mod late;
pub(super) mod references;
pub(super) mod sfma;

use super::error::ModelError;
use super::spec::Spec;
use crate::algorithms::{Align, ZeroRule};
use crate::float::{Format, NanCode, Rounding};
use std::fmt::Display;

/// What a key means.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct KeyDoc {
    /// The key.
    pub name: &'static str,
    /// The values it takes.
    pub values: &'static str,
    /// Its value when it is not given.
    pub default: &'static str,
    /// What it does.
    pub meaning: &'static str,
}

const CHAIN: KeyDoc = KeyDoc {
    name: "chain",
    values: "1 to 4096",
    default: "1",
    meaning: "operations in sequence, each result the next c; the model takes K * chain products",
};

const A: KeyDoc = KeyDoc {
    name: "a",
    values: "format",
    default: "in",
    meaning: "format of a",
};
const B: KeyDoc = KeyDoc {
    name: "b",
    values: "format",
    default: "in",
    meaning: "format of b",
};
const ANY_NAN: KeyDoc = KeyDoc {
    name: "nan",
    values: "ones quiet any",
    default: "any",
    meaning: "code of a NaN result; any: unspecified",
};

const ROUND: &[(&str, Rounding)] = &[
    ("rz", Rounding::Rz),
    ("rne", Rounding::Rne),
    ("rd", Rounding::Rd),
    ("ru", Rounding::Ru),
    ("ra", Rounding::Ra),
];
const ALIGN: &[(&str, Align)] = &[("trunc", Align::Trunc), ("floor", Align::Floor)];
const ZERO: &[(&str, ZeroRule)] = &[
    ("skip", ZeroRule::Skip),
    ("raw", ZeroRule::Raw),
    ("min", ZeroRule::Min),
];
const NAN: &[(&str, NanCode)] = &[
    ("ones", NanCode::Ones),
    ("quiet", NanCode::Quiet),
    ("any", NanCode::Any),
];

/// A key with its value, and the value that need not be said.
pub(super) struct Text {
    pub key: &'static str,
    pub value: String,
    pub default: String,
}

impl Text {
    fn new(key: &'static str, value: impl Display, default: impl Into<String>) -> Text {
        Text {
            key,
            value: value.to_string(),
            default: default.into(),
        }
    }
}

/// `in`, or `a` and `b` where they differ.
fn factor_texts(a: &Format, b: &Format, default: &str) -> Vec<Text> {
    if a == b {
        vec![Text::new("in", a, default)]
    } else {
        vec![Text::new("a", a, default), Text::new("b", b, default)]
    }
}

fn emin_text(limit: Option<i32>) -> String {
    limit.map_or_else(|| "none".to_owned(), |limit| limit.to_string())
}

/// The keys of one specification, all of them known.
pub(super) struct Keys<'x> {
    spec: &'x Spec,
}

impl<'x> Keys<'x> {
    /// # Errors
    /// If there is a key that is not in `known`.
    pub(super) fn of(spec: &'x Spec, known: &[KeyDoc]) -> Result<Self, ModelError> {
        match spec
            .keys
            .iter()
            .find(|(key, _)| known.iter().all(|doc| doc.name != key))
        {
            None => Ok(Keys { spec }),
            Some((key, _)) => Err(ModelError::UnknownKey {
                key: key.clone(),
                algorithm: spec.algorithm.clone(),
                expected: known
                    .iter()
                    .map(|doc| doc.name)
                    .collect::<Vec<_>>()
                    .join(" "),
            }),
        }
    }

    /// The last value given to one of `names` (a key and its synonyms), with the name used.
    fn last(&self, names: &[&str]) -> Option<(&'x str, &'x str)> {
        let given = self.spec.keys.iter().rev();
        given
            .map(|(key, value)| (key.as_str(), value.as_str()))
            .find(|(key, _)| names.contains(key))
    }

    /// The value of a key as `read` understands it, or `default`.
    ///
    /// # Errors
    /// If `read` does not understand it; the message says `expected`.
    pub(super) fn get<T>(
        &self,
        names: &[&str],
        default: T,
        expected: &str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, ModelError> {
        match self.last(names) {
            None => Ok(default),
            Some((key, value)) => read(value).ok_or_else(|| bad_value(key, value, expected)),
        }
    }

    /// A whole number within `range`.
    pub(super) fn number<T>(
        &self,
        name: &str,
        default: T,
        range: std::ops::RangeInclusive<T>,
    ) -> Result<T, ModelError>
    where
        T: std::str::FromStr + PartialOrd + std::fmt::Display,
    {
        let expected = format!("a whole number from {} to {}", range.start(), range.end());
        self.get(&[name], default, &expected, |value| {
            value.parse().ok().filter(|number| range.contains(number))
        })
    }

    /// One of `choices`.
    pub(super) fn choice<T: Copy>(
        &self,
        name: &str,
        default: T,
        choices: &[(&str, T)],
    ) -> Result<T, ModelError> {
        let expected = choices
            .iter()
            .map(|(text, _)| *text)
            .collect::<Vec<_>>()
            .join(", ");
        self.get(&[name], default, &format!("one of {expected}"), |value| {
            choices
                .iter()
                .find(|(text, _)| *text == value)
                .map(|(_, choice)| *choice)
        })
    }

    /// The lower limit of the alignment exponent.
    fn emin(&self) -> Result<Option<i32>, ModelError> {
        let expected = "`none` or a whole number from -4096 to 4096";
        self.get(&["emin"], None, expected, |value| match value {
            "none" => Some(None),
            _ => {
                let number = value.parse().ok();
                number.filter(|n| (-4096..=4096).contains(n)).map(Some)
            }
        })
    }

    /// A format of those that `fits` holds for, named by the last of `names` that is given.
    fn format_where(
        &self,
        names: &[&str],
        default: Format,
        fits: fn(&Format) -> bool,
    ) -> Result<Format, ModelError> {
        let known = Format::ALL.into_iter().filter(fits);
        let known: Vec<_> = known.map(|format| format.name()).collect();
        let expected = format!("one of {}", known.join(", "));
        self.get(names, default, &expected, |name| {
            Format::named(name).filter(fits)
        })
    }

    /// A format, named by the last of `names` that is given.
    pub(super) fn format(&self, names: &[&str], default: Format) -> Result<Format, ModelError> {
        let known = Format::ALL.map(|format| format.name()).join(", ");
        self.get(
            names,
            default,
            &format!("a format: one of {known}"),
            Format::named,
        )
    }
}

pub(super) fn bad_value(key: &str, value: &str, expected: &str) -> ModelError {
    ModelError::BadValue {
        key: key.into(),
        value: value.into(),
        expected: expected.into(),
    }
}

/// The text of a choice.
pub(super) fn text_of<T: PartialEq>(choices: &[(&'static str, T)], value: &T) -> String {
    let found = choices.iter().find(|(_, choice)| choice == value);
    found.map_or_else(String::new, |(text, _)| (*text).to_owned())
}
