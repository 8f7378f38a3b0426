//! Infinities and NaNs of RDNA3 and RDNA4, whose order of precedence is their own.

use crate::bits::{Bv, Prop, mux};
use crate::float::{Format, NanCode, SpecialTerm, Unpacked};

const F32: Format = Format::F32;

/// The result of a NaN among the factors.
const NAN_FACTOR: u64 = 0xffc0_0a3d;
/// The result of zero times infinity, or of infinities of both signs.
const INVALID: u64 = 0xffc0_0000;

/// `finite`, or what comes before it: a NaN factor, an invalid product, infinities of both signs among the products, a
/// NaN `c`, infinities against that of `c`, an infinity.
pub(super) fn special_or_finite<B: Bv>(
    factors: &[[Unpacked<B>; 2]],
    c: &Unpacked<B>,
    c_bits: &B,
    finite: &B,
) -> B {
    let register = |value: u64| B::lit(F32.width(), value);
    let nan_factor = factors.iter().map(|[a, b]| a.nan.or(&b.nan));
    let nan_factor = B::Bool::any(nan_factor);
    let terms: Vec<_> = factors
        .iter()
        .map(|[a, b]| SpecialTerm::product(a, b))
        .collect();
    let invalid = B::Bool::any(terms.iter().map(|term| term.nan.clone()));
    let infinite = |negative: bool| {
        let of_sign = terms.iter().map(move |term| {
            let sign = if negative {
                term.sign.clone()
            } else {
                term.sign.not()
            };
            term.infinite.and(&sign)
        });
        B::Bool::any(of_sign)
    };
    let (up, down) = (infinite(false), infinite(true));
    let (c_up, c_down) = (c.infinite.and(&c.sign.not()), c.infinite.and(&c.sign));
    let invalid = invalid.or(&up.and(&down));
    let (any_up, any_down) = (up.or(&c_up), down.or(&c_down));
    let beyond = B::lit(F32.magnitude_bits(), F32.beyond_finite());
    let infinity = F32.assemble(&any_down, &beyond);

    let quiet = c_bits.or(&register(F32.nan(NanCode::Quiet)));
    let result = mux(&any_up.or(&any_down), &infinity, finite);
    let result = mux(&any_up.and(&any_down), &register(INVALID), &result);
    let result = mux(&c.nan, &quiet, &result);
    let result = mux(&invalid, &register(INVALID), &result);
    mux(&nan_factor, &register(NAN_FACTOR), &result)
}
