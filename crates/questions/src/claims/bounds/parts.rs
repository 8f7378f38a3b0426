//! Parts of f32 numbers: how large each is, and what all of them leave.
//!
//! What is left of `a` before a part is at most `ρ |a| + κ`. The part is off by u of that at most,
//! the relative error of its rounding, and by λ where it underflows: then by one least number of
//! its format at most, half of one to nearest. So after the part `u ρ |a| + u κ + λ` is left, and
//! the part itself is at most what was left before it and after it. Rests are exact in f32. They
//! are multiples of what the last place of the least `a` is worth: where the format holds that,
//! nothing underflows. Relative to the least `a`, κ is a share of it as well.

use super::bound::scaled;
use super::factors::Underflow;
use mmasmt_core::machines::schemes::PartRounding;
use mmasmt_core::numbers::float::{Dyadic, Exponents, Format};

/// `relative |a| + absolute`.
#[derive(Clone, Debug)]
pub(super) struct Share {
    pub relative: Dyadic,
    pub absolute: Dyadic,
}

impl Share {
    /// The same for numbers of at least 2^`lowest`.
    fn fold(&mut self, lowest: i32) {
        let absolute = self.absolute.shifted(-i64::from(lowest));
        self.relative = self.relative.plus(&absolute);
        self.absolute = scaled(0, 0);
    }
}

/// Bounds of the parts of a number.
pub(super) struct Split {
    /// Magnitudes of the parts, without the powers of two that they are scaled by.
    pub parts: Vec<Share>,
    /// What all parts leave.
    pub rest: Share,
    /// Exponents of each part as the unit has it, zeros apart.
    pub exponents: Vec<Exponents>,
    /// The greatest magnitude of the number itself.
    pub greatest: Dyadic,
}

/// Numbers with exponents in `exponents` in parts of `format`, each rest times 2^`scale`; none
/// where a part may be beyond what its format holds without becoming infinite.
pub(super) fn split(
    exponents: Exponents,
    underflow: Underflow,
    format: &Format,
    (roundings, scale): (&[PartRounding], i32),
) -> Option<Split> {
    let is_in_range = exponents.highest < format.max_exponent();
    let says_so = |rounding: &PartRounding| match rounding {
        PartRounding::Rne => format.has_infinity(),
        // A mask does not reach beyond its format.
        PartRounding::Rz | PartRounding::Rna | PartRounding::None => {
            format.max_exponent() == Format::F32.max_exponent()
        }
        PartRounding::RneFinite => false,
    };
    if !is_in_range && !roundings.iter().all(says_so) {
        return None;
    }
    let mut rest = Share {
        relative: scaled(1, 0),
        absolute: scaled(0, 0),
    };
    let mut parts = Vec::new();
    // What all rests are multiples of.
    let unit = exponents.lowest - Format::F32.fraction_bits as i32;
    let unit = unit.max(Format::F32.least_exponent());
    let mut all_exponents = Vec::new();
    for (index, rounding) in roundings.iter().enumerate() {
        let half = match rounding {
            PartRounding::Rne | PartRounding::RneFinite | PartRounding::Rna => 1,
            PartRounding::Rz | PartRounding::None => 0,
        };
        let scale = scale * index as i32;
        let own = scaled(1, -i64::from(format.fraction_bits) - half);
        let is_exact = unit + scale >= format.least_exponent();
        let underflow = if is_exact {
            scaled(0, 0)
        } else {
            scaled(1, i64::from(format.least_exponent() - scale) - half)
        };
        let left = Share {
            relative: rest.relative.times(&own),
            absolute: rest.absolute.times(&own).plus(&underflow),
        };
        parts.push(Share {
            relative: rest.relative.plus(&left.relative),
            absolute: rest.absolute.plus(&left.absolute),
        });
        rest = left;
        let lowest = match index {
            0 => exponents.lowest,
            _ => unit + scale,
        };
        all_exponents.push(Exponents {
            lowest: lowest.max(format.least_exponent()),
            highest: (exponents.highest + 1).min(format.max_exponent()),
        });
    }
    if underflow == Underflow::Relative {
        let shares = parts.iter_mut().chain([&mut rest]);
        shares.for_each(|share| share.fold(exponents.lowest));
    }
    Some(Split {
        parts,
        rest,
        exponents: all_exponents,
        greatest: scaled(1, i64::from(exponents.highest) + 1),
    })
}
