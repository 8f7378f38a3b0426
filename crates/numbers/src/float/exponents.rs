//! Ranges of exponents.

use super::Format;
use crate::base::excerpt::excerpt;
use std::fmt;

/// Exponents from `lowest` to `highest`; the number 1 has the exponent 0. A subnormal number has
/// the exponent of its leading one bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exponents {
    /// The first exponent.
    pub lowest: i32,
    /// The last exponent, not below the first.
    pub highest: i32,
}

impl Exponents {
    /// The exponents of the normal numbers of the format.
    pub fn normal(format: &Format) -> Exponents {
        Exponents {
            lowest: format.min_exponent(),
            highest: format.max_exponent(),
        }
    }

    /// The exponents of all finite numbers of the format except zeros.
    pub fn finite(format: &Format) -> Exponents {
        Exponents {
            lowest: format.least_exponent(),
            highest: format.max_exponent(),
        }
    }

    /// Reads `LOWEST..HIGHEST`; the range includes both exponents.
    ///
    /// # Errors
    /// If the text has another form, or `LOWEST` is greater than `HIGHEST`.
    pub fn parse(text: &str) -> Result<Exponents, String> {
        let read = |(low, high): (&str, &str)| {
            let (lowest, highest) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
            (lowest <= highest).then_some(Exponents { lowest, highest })
        };
        text.split_once("..").and_then(read).ok_or_else(|| {
            let found = excerpt(text);
            format!("expected exponents, LOWEST..HIGHEST like -15..14, found `{found}`")
        })
    }

    /// Whether these exponents include all of `others`.
    pub fn contain(&self, others: &Exponents) -> bool {
        self.lowest <= others.lowest && others.highest <= self.highest
    }
}

impl fmt::Display for Exponents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.lowest, self.highest)
    }
}
