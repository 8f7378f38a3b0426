//! The findings of the analysis, in words and as JSON.

use super::set::Multiples;
use mmasmt_numbers::float::Rounding;
use serde_json::{Value, json};

/// The range and common unit of the terms, and the conclusion from them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The exponents `u` and `m`: all terms are multiples of `2^u` and below `2^m` in magnitude;
    /// `None` if all terms are zero.
    pub terms: Option<(i64, i64)>,
    /// The conclusion from these exponents.
    pub conclusion: ExactnessConclusion,
}

/// A conclusion from multiples and magnitudes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExactnessConclusion {
    /// The result is the exact sum.
    Exact,
    /// The sum is exact until it is rounded, once, in this mode.
    Rounded(Rounding),
    /// Two models round the same exact sums in the same way.
    Alike,
    /// Two models round the same exact sums in the same way, and values that are too small become
    /// zeros in both models.
    LostAlike,
    /// Two models give the same results in each of this number of cases, which together cover all
    /// exponents of the only product.
    AlikeInCases(u32),
    /// Two models of integers have the same exact sums, and saturate or wrap in the same way.
    SaturatedAlike,
}

impl ExactnessConclusion {
    pub(super) fn of(rounding: Option<Rounding>) -> Self {
        rounding.map_or(ExactnessConclusion::Exact, ExactnessConclusion::Rounded)
    }

    fn describe(self) -> String {
        match self {
            ExactnessConclusion::Exact => "nothing is cut, and the result is exact".into(),
            ExactnessConclusion::Rounded(rounding) => format!(
                "nothing is cut, and the exact sum is rounded once, {}",
                rounding.describe()
            ),
            ExactnessConclusion::Alike => "nothing is cut, and what is rounded is rounded alike".into(),
            ExactnessConclusion::LostAlike => {
                "what is too small becomes zero alike, and what is rounded is rounded alike".into()
            }
            ExactnessConclusion::AlikeInCases(cases) => {
                format!("both give the same in each of {cases} cases of the product's exponents")
            }
            ExactnessConclusion::SaturatedAlike => "nothing is cut, and what is beyond the integers of the result saturates or wraps alike".into(),
        }
    }
}

impl Finding {
    pub(super) fn of(terms: &Multiples, conclusion: ExactnessConclusion) -> Self {
        Finding {
            terms: terms.unit().zip(terms.top()),
            conclusion,
        }
    }

    /// The finding in one line that follows the word "proved".
    pub fn describe(self) -> String {
        let conclusion = self.conclusion.describe();
        match self.terms {
            Some((unit, top)) => format!(
                "by magnitudes: all terms are multiples of 2^{unit} below 2^{top}: {conclusion}"
            ),
            None => format!("by magnitudes: all terms are zero: {conclusion}"),
        }
    }

    /// The finding as a JSON object with the key `by`, the exponents of the terms, and the
    /// conclusion.
    pub fn as_json(self) -> Value {
        let (conclusion, rounding) = match self.conclusion {
            ExactnessConclusion::Exact => ("exact", None),
            ExactnessConclusion::Rounded(rounding) => ("rounded", Some(rounding)),
            ExactnessConclusion::Alike
            | ExactnessConclusion::LostAlike
            | ExactnessConclusion::AlikeInCases(_)
            | ExactnessConclusion::SaturatedAlike => ("alike", None),
        };
        json!({
            "by": "magnitudes",
            "multiples_of_2_to": self.terms.map(|(unit, _)| unit),
            "below_2_to": self.terms.map(|(_, top)| top),
            "conclusion": conclusion,
            "rounding": rounding,
        })
    }
}
