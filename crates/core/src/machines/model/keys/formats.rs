//! The formats that a key takes.

use super::values::Values;
use crate::numbers::float::Format;

/// The formats that a key takes.
#[derive(Clone, Copy)]
pub(super) enum Formats {
    Any,
    /// Any format, and fixed-point elements of blocks.
    Factors,
    Of(&'static [Format]),
}

impl Formats {
    fn all(self) -> Vec<Format> {
        match self {
            Formats::Any => Format::ALL.to_vec(),
            Formats::Factors => [&Format::ALL[..], &Format::ELEMENTS].concat(),
            Formats::Of(formats) => formats.to_vec(),
        }
    }

    pub(super) fn values(self) -> Values {
        let names: Vec<_> = self.all().iter().map(Format::name).collect();
        let values = Values::words(&names);
        match self {
            Formats::Any | Formats::Factors => {
                let expected = format!("a format: {}", values.expected);
                Values { expected, ..values }.said("format")
            }
            Formats::Of(_) => values,
        }
    }

    pub(super) fn named(self, name: &str) -> Option<Format> {
        let known = Format::known_as(name)?;
        self.all().into_iter().find(|format| *format == known)
    }
}
