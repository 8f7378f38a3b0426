//! NaN results that keep the sign and the payload of an operand, as processors and DMMA return
//! them.

use super::{Format, NanCode, SpecialCodes, unpack};
use crate::bits::{Bv, mux};

/// The first NaN among `operands` as a quiet NaN of the format `to`, or `result` if no operand is a
/// NaN. Where `to` has no room for a payload, its high bits stay.
pub fn first_nan<'x, B: Bv + 'x>(
    to: &Format,
    operands: impl IntoIterator<Item = (&'x Format, &'x B)>,
    result: &B,
) -> B {
    let mut operands: Vec<_> = operands.into_iter().collect();
    operands.reverse();
    operands
        .iter()
        .fold(result.clone(), |later, &(from, bits)| {
            mux(&unpack(from, bits).nan, &quieted(from, to, bits), &later)
        })
}

/// The NaN `bits` as a quiet NaN of the format `to`, with the same sign, and its payload in the
/// high bits of the fraction.
fn quieted<B: Bv>(from: &Format, to: &Format, bits: &B) -> B {
    // The NaN of these formats has no payload, or the result has no room for one beside its only NaN.
    if from.fraction_bits == 0 || to.specials != SpecialCodes::Ieee {
        let sign = unpack(from, bits).sign;
        let code = to.nan(NanCode::Quiet);
        let nan = |negative| B::lit(to.width(), code | if negative { to.sign_mask() } else { 0 });
        return mux(&sign, &nan(true), &nan(false));
    }
    let low = from.dropped_bits;
    let payload = bits.extract(low + from.fraction_bits - 1, low);
    let payload = match to.fraction_bits.checked_sub(from.fraction_bits) {
        Some(room) => payload.widen_low(room),
        None => payload.extract(
            from.fraction_bits - 1,
            from.fraction_bits - to.fraction_bits,
        ),
    };
    let quiet = to.nan(NanCode::Quiet) >> to.dropped_bits;
    let quiet = B::lit(to.magnitude_bits(), quiet);
    let sign = unpack(from, bits).sign;
    to.assemble(&sign, &quiet.or(&payload.zext(to.magnitude_bits())))
}
