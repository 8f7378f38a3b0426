//! Keys of specifications: their documentation, and reading typed values from them.

use super::error::ModelError;
use super::spec::Spec;
use crate::float::Format;

/// What a key means.
#[derive(Clone, Copy, Debug)]
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
