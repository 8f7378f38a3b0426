//! Tests whether a number is an integer between limits, for integer formats and for floating-point
//! formats.

use mmasmt_core::machines::model::Instance;
use mmasmt_core::numbers::bits::Prop;
use mmasmt_core::numbers::float::{Format, integer, unpack};
use std::ops::RangeInclusive;

/// A width in bits in which every register and every limit fits in two's complement.
const WIDTH: u32 = 66;

/// Whether the integer that `register` holds lies between the limits, both included.
pub(super) fn is_between<B: Instance>(
    format: &Format,
    register: &B,
    [low, high]: [i64; 2],
) -> B::Bool {
    let x = integer(format, register, WIDTH);
    let limit = |value: i64| B::lit(64, value as u64).sext(WIDTH);
    x.slt(&limit(low)).not().and(&limit(high).slt(&x).not())
}

/// Whether a finite number of a floating-point format is an integer between the limits, both
/// included.
pub fn is_number_between<B: Instance>(
    format: &Format,
    register: &B,
    [low, high]: [i64; 2],
) -> B::Bool {
    let bits = format.magnitude_bits();
    let lit = |code: u64| B::lit(bits, code);
    let code = format.code_of(register);
    let fraction = format.fraction_bits;
    // In the code of an integer below 2^(exponent + 1), the last `last` bits are zero. If the
    // format does not reach that power, all its numbers are below it.
    let whole_from = |exponent: u32| {
        let last = fraction - exponent;
        let is_beyond = match code_of_power(format, exponent + 1) {
            Some(beyond) => lit(beyond).ule(&code),
            None => B::Bool::constant(false),
        };
        is_beyond.or(&code.extract(last - 1, 0).equals(&B::lit(last, 0)))
    };
    let mut parts: Vec<_> = (0..fraction).map(whole_from).collect();
    let is_zero = code.equals(&lit(0));
    parts.push(match code_at_most(format, 1) {
        Some(one) => is_zero.or(&lit(one).ule(&code)),
        None => is_zero,
    });
    let [positive, negative] = [false, true].map(|is_negative| {
        codes_between(format, [low, high], is_negative).map_or(B::Bool::constant(false), |codes| {
            lit(*codes.start())
                .ule(&code)
                .and(&code.ule(&lit(*codes.end())))
        })
    });
    let sign = unpack(format, register).sign;
    parts.push(sign.and(&negative).or(&sign.not().and(&positive)));
    B::Bool::all(parts)
}

/// Whether a register holds an integer between the limits, both included. Infinities and NaNs do
/// not count as integers.
pub fn is_register_between(format: &Format, register: u64, [low, high]: [i64; 2]) -> bool {
    let code = format.magnitude(register);
    let exponent = (code >> format.fraction_bits) as i64 - format.field_of(0);
    let one = 1 << format.fraction_bits;
    // The only integer that the register can hold.
    let value = match u32::try_from(exponent) {
        Ok(exponent) if exponent < i64::BITS - 1 => {
            u128::from(one | code & (one - 1)) << exponent >> format.fraction_bits
        }
        _ => 0,
    };
    let value = if format.is_negative(register) {
        -(value as i64)
    } else {
        value as i64
    };
    (low..=high).contains(&value)
        && code_of(format, value) == Some(code)
        && format.is_finite(register)
}

/// The codes of the numbers of one sign that lie between the limits, both included. A zero of
/// either sign counts as 0. `None`, or an empty range, if there are no such numbers.
pub(super) fn codes_between(
    format: &Format,
    [low, high]: [i64; 2],
    is_negative: bool,
) -> Option<RangeInclusive<u64>> {
    let [least, most] = if is_negative {
        [high.saturating_neg().max(0), low.saturating_neg()]
    } else {
        [low.max(0), high]
    };
    if most < least || is_negative && !format.is_signed() {
        return None;
    }
    let above = |value: i64| match code_of(format, value) {
        Some(exact) => Some(exact),
        None => {
            let below = code_at_most(format, value)?;
            (below < format.max_finite_of(true)).then_some(below + 1)
        }
    };
    Some(above(least)?..=code_at_most(format, most)?)
}

/// The code of the magnitude of an integer; `None` if the format does not have this number.
pub(super) fn code_of(format: &Format, value: i64) -> Option<u64> {
    let (code, is_exact) = code_at_most_and_exact(format, value)?;
    is_exact.then_some(code)
}

/// The code of a power of two; `None` if the power is no normal number of the format.
fn code_of_power(format: &Format, exponent: u32) -> Option<u64> {
    let field = u64::try_from(format.field_of(exponent.into())).ok();
    let code = field.filter(|field| *field > 0)? << format.fraction_bits;
    (code <= format.max_finite_of(true)).then_some(code)
}

/// The code of the greatest number that is at most the magnitude of an integer; `None` if the
/// integer is nonzero and below the normal numbers of the format.
fn code_at_most(format: &Format, value: i64) -> Option<u64> {
    Some(code_at_most_and_exact(format, value)?.0)
}

/// The code that [`code_at_most`] returns, and whether its number equals the integer's magnitude.
fn code_at_most_and_exact(format: &Format, value: i64) -> Option<(u64, bool)> {
    let value = value.unsigned_abs();
    let Some(exponent) = value.checked_ilog2() else {
        return Some((0, true));
    };
    let field = u64::try_from(format.field_of(exponent.into())).ok();
    let field = field.filter(|field| *field > 0)?;
    let scaled = u128::from(value) << format.fraction_bits;
    let significand = scaled >> exponent;
    let fraction = significand as u64 & ((1 << format.fraction_bits) - 1);
    let code = u128::from(field) << format.fraction_bits | u128::from(fraction);
    let greatest = format.max_finite_of(true);
    Some(match u64::try_from(code) {
        Ok(code) if code <= greatest => (code, significand << exponent == scaled),
        _ => (greatest, false),
    })
}

/// The integer clamped to the limits, as far as the limits lie in the format. The clamp tells the
/// term layer the range of the integer.
pub(super) fn clamped<B: Instance>(format: &Format, register: &B, [low, high]: [i64; 2]) -> B {
    let width = format.width();
    let negative = if format.is_signed() {
        1i128 << (width - 1)
    } else {
        0
    };
    let greatest = (1i128 << width) - 1;
    // The limits, counted from the least integer of the format.
    let [low, high] = [low, high].map(|limit| (i128::from(limit) + negative).clamp(0, greatest));
    let least = B::lit(width, negative as u64);
    let at_least = |x: B, limit: i128| B::umax(&[x, B::lit(width, limit as u64)]);
    let counted = register.add(&least);
    let at_most = at_least(counted.not(), greatest - high).not();
    at_least(at_most, low).sub(&least)
}
