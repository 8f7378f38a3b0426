//! Flushed results: results below the normal numbers of their format that become zeros of their
//! sign.

use mmasmt_numbers::bits::{Bv, Prop, mux};
use mmasmt_numbers::float::{
    Arithmetic, FlushedZero, Format, NanCode, Overflow, Rounding, SpecialCodes, UnroundedNumber,
    flush, flush_after_rounding, round_sticky, unpack,
};

/// The results that an operation flushes, which means that they become the zero of their sign. Tiny
/// results are those below the normal numbers of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FlushedResults {
    /// No results are flushed: underflow is gradual.
    Kept,
    /// Results that are tiny before they are rounded.
    BeforeRounding,
    /// Results that are tiny after they are rounded as if the exponent had no limit.
    AfterRounding,
    /// Results that are subnormal once they are rounded to the format.
    Register,
}

/// The exponent field and fraction of `value`, rounded to `format` as in [`round_sticky`]. A result
/// that is too large becomes infinity or the greatest number, a result that is flushed becomes zero.
pub(super) fn round_flushed<B: Bv>(
    value: &UnroundedNumber<'_, B>,
    sticky: Option<&B::Bool>,
    format: &Format,
    rounding: Rounding,
    (flushed, overflow): (FlushedResults, Overflow),
) -> B {
    let overflow = match overflow {
        Overflow::Greatest | Overflow::Clamp => Overflow::Greatest,
        Overflow::Infinity | Overflow::Ieee => Overflow::Infinity,
    };
    let round_to =
        |format: &Format, rounding| round_sticky(value, sticky, format, rounding, overflow);
    let normal = |field: u64| field << format.fraction_bits;
    let bits = format.code_bits();
    let least_normal = B::lit(bits, normal(1));
    let zero = B::lit(bits, 0);
    match flushed {
        FlushedResults::Kept => round_to(format, rounding),
        FlushedResults::Register => {
            let rounded = round_to(format, rounding);
            mux(&rounded.ult(&least_normal), &zero, &rounded)
        }
        FlushedResults::BeforeRounding => {
            let cut = round_to(format, Rounding::Rz);
            mux(&cut.ult(&least_normal), &zero, &round_to(format, rounding))
        }
        FlushedResults::AfterRounding => {
            // Tininess is detected in a format with a larger exponent range. Its exponent fields
            // are greater by the difference of the biases.
            let wide = format.with_more_range();
            let width = wide.code_bits();
            let distance = normal((wide.bias() - format.bias()) as u64);
            let rounded = round_to(&wide, rounding);
            let tiny = rounded.ult(&B::lit(width, distance + normal(1)));
            let own = rounded.sub(&B::lit(width, distance));
            let largest = B::lit(width, format.max_finite());
            let beyond = match overflow {
                Overflow::Greatest | Overflow::Clamp => format.max_finite(),
                Overflow::Infinity | Overflow::Ieee => format.beyond_finite(),
            };
            let own = mux(&largest.ult(&own), &B::lit(bits, beyond), &own.resize(bits));
            mux(&tiny, &zero, &own)
        }
    }
}

/// The result of an operation of IEEE 754 that gets the format and the rounding to use, with tiny
/// results flushed as `flushed` says.
pub(super) fn operation_flushed<B: Bv>(
    format: &Format,
    rounding: Rounding,
    nan: NanCode,
    flushed: FlushedResults,
    operation: impl Fn(&Arithmetic) -> B,
) -> B {
    let rounded_to = |format: Format, rounding| {
        operation(&Arithmetic {
            format,
            rounding,
            nan,
        })
    };
    let plain = || rounded_to(*format, rounding);
    match flushed {
        FlushedResults::Kept => plain(),
        FlushedResults::Register => flush(format, FlushedZero::SameSign, &plain()),
        FlushedResults::BeforeRounding => {
            let cut = rounded_to(*format, Rounding::Rz);
            let field = cut.extract(format.width() - 2, format.bits_below_field());
            let tiny = match format.specials {
                // The NaN has the field of the subnormal numbers.
                SpecialCodes::NegativeZero => field.is_zero().and(&unpack(format, &cut).nan.not()),
                _ => field.is_zero(),
            };
            let plain = plain();
            let none = B::lit(format.magnitude_bits(), 0);
            mux(&tiny, &format.assemble(&plain.msb(), &none), &plain)
        }
        FlushedResults::AfterRounding => {
            let wide = format.with_more_range();
            let unlimited = rounded_to(wide, rounding);
            let to = (rounding, nan);
            flush_after_rounding(&wide, format, to, FlushedZero::SameSign, &unlimited)
        }
    }
}
