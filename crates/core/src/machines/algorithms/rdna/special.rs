//! Infinities and NaNs of RDNA3 and RDNA4, which have their own order of precedence.

use crate::numbers::bits::{Bv, Prop, mux};
use crate::numbers::float::{Format, NanCode, SpecialTerm, Unpacked};

/// The result register where a factor is a NaN.
fn nan_factor_of(format: &Format) -> u64 {
    match *format {
        Format::F16 => 0xfe3d,
        Format::BF16 => 0xfffd,
        _ => 0xffc0_0a3d,
    }
}

/// The result register for zero times infinity, or for infinities of both signs: the negative quiet
/// NaN.
fn invalid_of(format: &Format) -> u64 {
    format.nan(NanCode::Quiet) | format.sign_mask()
}

/// `finite`, or the special result that takes precedence over it; `finite` and `c_bits` are
/// registers of `format`. In order of precedence: a NaN factor, an invalid product, infinities of
/// both signs among the products, a NaN `c`, an infinite product against an infinite `c` of the
/// other sign, an infinity.
pub(super) fn special_or_finite<B: Bv>(
    factors: &[[Unpacked<B>; 2]],
    c: &Unpacked<B>,
    (format, c_bits): (&Format, &B),
    finite: &B,
) -> B {
    let register = |value: u64| B::lit(format.width(), value);
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
    let beyond = B::lit(format.magnitude_bits(), format.beyond_finite());
    let infinity = format.assemble(&any_down, &beyond);

    let quiet = c_bits.or(&register(format.nan(NanCode::Quiet)));
    let result = mux(&any_up.or(&any_down), &infinity, finite);
    let result = mux(
        &any_up.and(&any_down),
        &register(invalid_of(format)),
        &result,
    );
    let result = mux(&c.nan, &quiet, &result);
    let result = mux(&invalid, &register(invalid_of(format)), &result);
    mux(&nan_factor, &register(nan_factor_of(format)), &result)
}
