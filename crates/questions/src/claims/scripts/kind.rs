//! The sorts of scripts: truth values, bit-vectors, and what other solvers know beside them.

use super::error::ScriptError;
use super::read::ScriptExpression;

/// The widest word.
pub(super) const WIDEST: u32 = 1 << 14;
/// The most bits of an exponent and of a significand of FloatingPoint.
const LONGEST: [u32; 2] = [20, 256];

/// A sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ScriptSort {
    /// Bool.
    Truth,
    /// A bit-vector of this width.
    Word(u32),
    /// A FloatingPoint of so many bits of exponent and significand, the leading bit among them.
    Float(u32, u32),
    Real,
    RoundingMode,
}

impl ScriptSort {
    /// The sort in SMT-LIB.
    pub fn text(self) -> String {
        match self {
            ScriptSort::Truth => "Bool".into(),
            ScriptSort::Word(width) => format!("(_ BitVec {width})"),
            ScriptSort::Float(exponent, significand) => {
                format!("(_ FloatingPoint {exponent} {significand})")
            }
            ScriptSort::Real => "Real".into(),
            ScriptSort::RoundingMode => "RoundingMode".into(),
        }
    }

    /// The bits that name a value; `None` of sorts whose values have no such names.
    pub fn bits(self) -> Option<u32> {
        match self {
            ScriptSort::Truth => Some(1),
            ScriptSort::Word(width) => Some(width),
            ScriptSort::Float(exponent, significand) => Some(exponent + significand),
            ScriptSort::Real | ScriptSort::RoundingMode => None,
        }
    }

    /// Whether every engine knows the sort.
    pub fn is_of_bits(self) -> bool {
        matches!(self, ScriptSort::Truth | ScriptSort::Word(_))
    }
}

/// The FloatingPoint of these two numbers of bits, if there is one.
pub(super) fn float(exponent: u32, significand: u32) -> Option<ScriptSort> {
    let [longest_exponent, longest_significand] = LONGEST;
    let is_one = (2..=longest_exponent).contains(&exponent)
        && (2..=longest_significand).contains(&significand);
    is_one.then_some(ScriptSort::Float(exponent, significand))
}

/// The sort that an expression names.
pub(super) fn kind_of(sort: &ScriptExpression) -> Result<ScriptSort, ScriptError> {
    let wrong = || {
        sort.expected(format!(
            "Bool, (_ BitVec N), N from 1 to {WIDEST}, (_ FloatingPoint E S), Real or RoundingMode"
        ))
    };
    match sort.word() {
        Some("Bool") => return Ok(ScriptSort::Truth),
        Some("Real") => return Ok(ScriptSort::Real),
        Some("RoundingMode") => return Ok(ScriptSort::RoundingMode),
        Some("Float16") => return Ok(ScriptSort::Float(5, 11)),
        Some("Float32") => return Ok(ScriptSort::Float(8, 24)),
        Some("Float64") => return Ok(ScriptSort::Float(11, 53)),
        Some("Float128") => return Ok(ScriptSort::Float(15, 113)),
        _ => {}
    }
    let words = sort.words().unwrap_or_default();
    let found = match words[..] {
        ["_", "BitVec", width] => {
            let width = width.parse().ok();
            width
                .filter(|width| (1..=WIDEST).contains(width))
                .map(ScriptSort::Word)
        }
        ["_", "FloatingPoint", exponent, significand] => {
            let [exponent, significand] = [exponent, significand].map(|text| text.parse().ok());
            exponent
                .zip(significand)
                .and_then(|(exponent, significand)| float(exponent, significand))
        }
        _ => None,
    };
    found.ok_or_else(wrong)
}
