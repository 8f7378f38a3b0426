//! The formats that a key of a composition takes.

use super::values::Values;
use crate::machines::algorithms::descriptions::Class;
use mmasmt_numbers::float::Format;

/// The formats that a key takes.
#[derive(Clone, Copy)]
pub(super) enum KeyFormats {
    Any,
    /// Any format, and fixed-point elements of blocks.
    Factors,
}

impl KeyFormats {
    fn all(self) -> Vec<Format> {
        match self {
            KeyFormats::Any => Class::Formats.formats(),
            KeyFormats::Factors => Class::Factors.formats(),
        }
    }

    pub(super) fn values(self) -> Values {
        let names: Vec<_> = self.all().iter().map(Format::name).collect();
        let values = Values::words(&names);
        let expected = format!("a format: {}", values.expected);
        Values { expected, ..values }.said("format")
    }

    pub(super) fn named(self, name: &str) -> Option<Format> {
        let known = Format::known_as(name)?;
        self.all().into_iter().find(|format| *format == known)
    }
}
