//! The constants of a link.

use super::element::Type;
use super::instruction::{Instruction, Value};

/// The exponent fields that the least and the greatest power of two of a link may have.
pub(super) const LEAST_FIELD: i64 = 1;
pub(super) const MOST_FIELD: i64 = 254;
/// The bias of binary32.
pub(super) const BIAS: i64 = 127;
/// The bits of binary64 that binary32 lacks.
const DROPPED_BITS: u32 = f64::MANTISSA_DIGITS - f32::MANTISSA_DIGITS;

/// The constants of a link. Exponents are those of the field of `c`; a number "below" an exponent is
/// how far another one is below `most`, in the place of an exponent of `f32`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LinkRule {
    /// The greatest sum of exponents that counts for no product.
    pub(super) none: u32,
    /// A greatest sum that exceeds the first number counts, as its sum with the second number.
    pub(super) counted: [u32; 2],
    /// The greatest exponent that a link may have.
    pub(super) most: u32,
    /// How far below it the least one is.
    pub(super) span: u32,
    /// The register of the power of two that aligns products: of an exponent that is 0 below, or, if
    /// `c` is added late, of an exponent of zero.
    pub(super) power: u32,
    /// The register of the power of two that aligns `c`, of an exponent that is 0 below.
    pub(super) own_power: u32,
    /// The register of the power of two that multiplies the rounded sum, likewise.
    pub(super) scale: u32,
    pub(super) end: LinkEnd,
}

/// How a link adds `c` and rounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LinkEnd {
    /// To the sum of products, which are aligned as `c` is; the sum is rounded to nearest.
    Nearest,
    /// Likewise; these bits are kept of the sum, which is cut.
    Cut(u32),
    /// To the sum of products, which are aligned without `c` and then shifted.
    Late(LateEnd),
}

/// A sum of products that is shifted right to be aligned with `c`, cut down as `c` is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LateEnd {
    /// The least exponent that products may have, in the place of an exponent of `f32`.
    pub(super) least: u32,
    /// True if products may have lesser exponents.
    pub(super) may_be_less: bool,
    /// The register of the power of two that multiplies the sum of products if it has the greatest
    /// exponent.
    pub(super) shift: u32,
    /// The register of the power of two that multiplies `c` once it is cut.
    pub(super) own_shift: u32,
    /// The low bits of the sum in binary64 that are cut before it is rounded to nearest.
    pub(super) cut: u64,
    /// The number that is added to negative numbers before, to cut them down.
    pub(super) floor: u64,
}

/// The greatest exponent in a link, and what is known of it.
pub(super) struct GreatestExponent {
    /// The instruction that makes it.
    pub(super) value: Value,
    /// The greatest sum of pairs.
    pub(super) pairs: Value,
    /// The exponent is this number plus the exponent field of `c`, if `c` is normal and has the
    /// greatest exponent.
    pub(super) offset: i64,
    /// The greatest exponent where no product counts and `c` is zero or subnormal.
    pub(super) of_small: i64,
}

/// The exponent fields of powers of two, of an exponent of zero. The first two are that much less for
/// a greater exponent, the last one more.
pub(super) struct PowerFields {
    pub(super) power: i64,
    pub(super) own_power: i64,
    pub(super) scale: i64,
    /// The least exponent that suits everything else.
    pub(super) least: i64,
}

/// How a sum of products is shifted to be aligned with `c`.
pub(super) struct LateShift {
    /// How far the sum is shifted left before, and `c` after it is cut.
    pub(super) left: [i64; 2],
    /// The low bits of the sum in binary64 that are cut, and whether they are cut down.
    pub(super) dropped: u32,
    pub(super) is_floor: bool,
}

/// The register of a power of two with this exponent field.
fn place(field: i64) -> u32 {
    (field as u32) << (f32::MANTISSA_DIGITS - 1)
}

impl PowerFields {
    /// The constants of the operation; `None` if no exponent suits it.
    pub(super) fn rule(
        &self,
        top: &GreatestExponent,
        pairs: &Instruction,
        round: &Instruction,
        shift: Option<&LateShift>,
    ) -> Option<LinkRule> {
        let least = [
            self.own_power - MOST_FIELD,
            LEAST_FIELD - self.scale,
            self.least,
        ];
        let most = [
            self.power - LEAST_FIELD,
            self.own_power - LEAST_FIELD,
            MOST_FIELD - self.scale,
            MOST_FIELD,
        ];
        let (least, most) = (least.into_iter().max()?, most.into_iter().min()?);
        let least_of_products = (self.power - MOST_FIELD).max(LEAST_FIELD);
        let least = match shift {
            Some(_) => least,
            None => least.max(least_of_products),
        };
        let [none, more, otherwise] = [0, 32, 64].map(|by| pairs.constants[1] >> by & 0xffff_ffff);
        let none = none as i64;
        // The greatest sum of two raised numbers is at most twice the greatest one of a number.
        let more = signed(more, pairs.to);
        let ends = [none + 1 + more, 2 * none + more];
        let limit = pairs.to.mask() as i64;
        let fits = ends[0] >= 0 && ends[1] <= limit;
        let more = more - top.offset;
        // A column of bytes has no room for more; one of 16 bits is limited to a field.
        let has_room = pairs.to == Type::U16 || pairs.to == Type::U8 && 2 * none + more <= limit;
        // Products that count for nothing, and small numbers, have exponents that a link gives up at.
        let is_small = (otherwise as i64).max(top.of_small) - top.offset < least;
        if !fits || !has_room || !is_small || least > most {
            return None;
        }
        let counted = match shift {
            Some(_) => none.max(least_of_products - 1 - more),
            None => none.max(-more),
        };
        Some(LinkRule {
            none: none as u32,
            counted: [counted as u32, more as u32],
            most: place(most),
            span: place(most - least),
            power: place(match shift {
                Some(_) => self.power,
                None => self.power - most,
            }),
            own_power: place(self.own_power - most),
            scale: place(self.scale + most),
            end: match shift {
                Some(shift) => LinkEnd::Late(LateEnd {
                    least: place(least_of_products),
                    may_be_less: counted > none,
                    shift: place(BIAS + shift.left[0]),
                    own_shift: place(BIAS + shift.left[1]),
                    cut: (1 << shift.dropped) - 1,
                    floor: if shift.is_floor {
                        (1 << shift.dropped) - 1
                    } else {
                        0
                    },
                }),
                None => end(round)?,
            },
        })
    }
}

/// How an instruction rounds that cuts nothing before.
fn end(round: &Instruction) -> Option<LinkEnd> {
    let is_nearest = round.shifts[1] & 1 == 0;
    let before = round.constants[0] as u64;
    let dropped = before.trailing_zeros().checked_sub(DROPPED_BITS);
    match (is_nearest, dropped) {
        (true, _) if before == u64::MAX => Some(LinkEnd::Nearest),
        (false, Some(dropped)) if dropped < f32::MANTISSA_DIGITS => {
            Some(LinkEnd::Cut(u32::MAX << dropped))
        }
        _ => None,
    }
}

/// The number that a constant of this type adds, if it is not more than half of the type's numbers.
pub(super) fn signed(constant: u128, of: Type) -> i64 {
    let half = (of.mask() >> 1) as i64;
    let constant = constant as i64;
    if constant > half {
        constant - 2 * half - 2
    } else {
        constant
    }
}
