//! Division of words as SMT-LIB defines it, for a zero divisor too, by subtraction bit by bit.

use mmasmt_numbers::base::limits::work;
use mmasmt_numbers::bits::{Bv, Prop, mux};

/// The quotient and the remainder of unsigned words. By zero, all bits of the quotient are one, and
/// the remainder is `x`: the divisor is then never too large, and nothing is subtracted.
pub(super) fn unsigned<B: Bv>(x: &B, y: &B) -> (B, B) {
    let width = x.width();
    let divisor = y.zext(width + 1);
    let mut rest = x.extract(width - 1, width - 1).zext(width + 1);
    let mut quotient: Option<B> = None;
    for index in (0..width).rev() {
        work(u64::from(width));
        if index < width - 1 {
            // The rest is below the divisor, or has only bits of `x` above this one.
            rest = rest.extract(width - 1, 0).concat(&x.extract(index, index));
        }
        let fits = rest.ult(&divisor).not();
        rest = mux(&fits, &rest.sub(&divisor), &rest);
        let bit = B::from_prop(1, &fits);
        quotient = Some(quotient.map_or(bit.clone(), |high| high.concat(&bit)));
    }
    let quotient = quotient.unwrap_or_else(|| x.clone());
    (quotient, rest.extract(width - 1, 0))
}

/// The results of a division of signed words.
pub(super) struct SignedDivision<B> {
    /// The quotient, rounded toward zero.
    pub quotient: B,
    /// The remainder with the sign of the dividend.
    pub remainder: B,
    /// The remainder with the sign of the divisor.
    pub modulus: B,
}

pub(super) fn signed<B: Bv>(x: &B, y: &B) -> SignedDivision<B> {
    let (sign, of_divisor) = (x.msb(), y.msb());
    let (quotient, rest) = unsigned(&x.neg_if(&sign), &y.neg_if(&of_divisor));
    let remainder = rest.neg_if(&sign);
    let differ = sign.xor(&of_divisor);
    let moved = remainder.add(y);
    let is_moved = differ.and(&rest.is_zero().not());
    SignedDivision {
        quotient: quotient.neg_if(&differ),
        modulus: mux(&is_moved, &moved, &remainder),
        remainder,
    }
}
