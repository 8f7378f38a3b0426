//! Parts of f32 numbers: bounds of each part, and of the rest that all parts together leave.
//!
//! Let the rest of `a` before a part be at most `ρ |a| + κ`. The part is this rest, rounded. It
//! differs from the rest by at most u times the rest, where u is the relative error of the
//! rounding, and by λ more if it underflows; λ is one least number of the part's format, or half of
//! one if rounding is to nearest. The rest after the part is then at most `u ρ |a| + u κ + λ`, and
//! the part itself is at most the sum of the rests before and after it. Rests are exact in f32.
//! They are multiples of the last place of the least `a`: if the part's format holds that place,
//! nothing underflows. If κ is divided by the least |a|, it becomes a factor of |a| as well.

use super::bound::scaled;
use super::factors::Underflow;
use mmasmt_core::machines::sums::PartRounding;
use mmasmt_numbers::float::{Dyadic, Exponents, Format};

/// A bound of a part or rest of a number `a`: `relative |a| + absolute`.
#[derive(Clone, Debug)]
pub(super) struct Share {
    pub relative: Dyadic,
    pub absolute: Dyadic,
}

impl Share {
    /// Makes the absolute part of the bound relative, for numbers of at least 2^`lowest`.
    fn fold(&mut self, lowest: i32) {
        let absolute = self.absolute.shifted(-i64::from(lowest));
        self.relative = self.relative.plus(&absolute);
        self.absolute = scaled(0, 0);
    }
}

/// Bounds of the parts of a number.
pub(super) struct PartBounds {
    /// Bounds of the magnitudes of the parts, without the powers of two by which the parts are
    /// scaled.
    pub parts: Vec<Share>,
    /// The bound of the rest that all parts together leave.
    pub rest: Share,
    /// The exponents that each nonzero part may have in its register, which holds the scaled part.
    pub exponents: Vec<Exponents>,
    /// A power of two above the magnitude of the number itself.
    pub greatest: Dyadic,
}

/// Bounds of the parts, in `format`, of numbers with exponents in `exponents`; each rest is
/// multiplied by 2^`scale`. `None` if a part may exceed its format without becoming infinite.
pub(super) fn split(
    exponents: Exponents,
    underflow: Underflow,
    format: &Format,
    (roundings, scale): (&[PartRounding], i32),
) -> Option<PartBounds> {
    let is_in_range = exponents.highest < format.max_exponent();
    let says_so = |rounding: &PartRounding| match rounding {
        PartRounding::Rne => format.has_infinity(),
        // Masking the low bits of an f32 number never exceeds a format with the exponents of f32;
        // the carry of `Rna` beyond the greatest number gives infinity.
        PartRounding::Rz | PartRounding::Rna | PartRounding::None => {
            format.max_exponent() == Format::F32.max_exponent()
        }
        PartRounding::RneFinite => false,
    };
    if !is_in_range && !roundings.iter().all(says_so) {
        return None;
    }
    // A number beyond the format makes its first part infinite, and the result no number: the bound says
    // nothing of it.
    let highest = exponents.highest.min(format.max_exponent());
    let exponents = Exponents {
        lowest: exponents.lowest.min(highest),
        highest,
    };
    let mut rest = Share {
        relative: scaled(1, 0),
        absolute: scaled(0, 0),
    };
    let mut parts = Vec::new();
    // All rests are multiples of `2^unit`.
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
    Some(PartBounds {
        parts,
        rest,
        exponents: all_exponents,
        greatest: scaled(1, i64::from(exponents.highest) + 1),
    })
}
