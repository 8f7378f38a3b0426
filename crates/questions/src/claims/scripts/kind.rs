//! The sorts of scripts: truth values, bit-vectors, and what other solvers know beside them.

use super::error::ScriptError;
use super::read::Expression;

/// The widest word.
pub(super) const WIDEST: u32 = 1 << 14;
/// The most bits of an exponent and of a significand of FloatingPoint.
const LONGEST: [u32; 2] = [20, 256];

/// A sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// Bool.
    Truth,
    /// A bit-vector of this width.
    Word(u32),
    /// A FloatingPoint of so many bits of exponent and significand, the leading bit among them.
    Float(u32, u32),
    Real,
    RoundingMode,
}

impl Kind {
    /// The sort in SMT-LIB.
    pub fn text(self) -> String {
        match self {
            Kind::Truth => "Bool".into(),
            Kind::Word(width) => format!("(_ BitVec {width})"),
            Kind::Float(exponent, significand) => {
                format!("(_ FloatingPoint {exponent} {significand})")
            }
            Kind::Real => "Real".into(),
            Kind::RoundingMode => "RoundingMode".into(),
        }
    }

    /// The bits that name a value; `None` of sorts whose values have no such names.
    pub fn bits(self) -> Option<u32> {
        match self {
            Kind::Truth => Some(1),
            Kind::Word(width) => Some(width),
            Kind::Float(exponent, significand) => Some(exponent + significand),
            Kind::Real | Kind::RoundingMode => None,
        }
    }

    /// Whether every engine knows the sort.
    pub fn is_of_bits(self) -> bool {
        matches!(self, Kind::Truth | Kind::Word(_))
    }
}

/// The FloatingPoint of these two numbers of bits, if there is one.
pub(super) fn float(exponent: u32, significand: u32) -> Option<Kind> {
    let [longest_exponent, longest_significand] = LONGEST;
    let is_one = (2..=longest_exponent).contains(&exponent)
        && (2..=longest_significand).contains(&significand);
    is_one.then_some(Kind::Float(exponent, significand))
}

/// The sort that an expression names.
pub(super) fn kind_of(sort: &Expression) -> Result<Kind, ScriptError> {
    let wrong = || {
        sort.expected(format!(
            "Bool, (_ BitVec N), N from 1 to {WIDEST}, (_ FloatingPoint E S), Real or RoundingMode"
        ))
    };
    match sort.word() {
        Some("Bool") => return Ok(Kind::Truth),
        Some("Real") => return Ok(Kind::Real),
        Some("RoundingMode") => return Ok(Kind::RoundingMode),
        Some("Float16") => return Ok(Kind::Float(5, 11)),
        Some("Float32") => return Ok(Kind::Float(8, 24)),
        Some("Float64") => return Ok(Kind::Float(11, 53)),
        Some("Float128") => return Ok(Kind::Float(15, 113)),
        _ => {}
    }
    let words = sort.words().unwrap_or_default();
    let found = match words[..] {
        ["_", "BitVec", width] => {
            let width = width.parse().ok();
            width
                .filter(|width| (1..=WIDEST).contains(width))
                .map(Kind::Word)
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
