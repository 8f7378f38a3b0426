//! Registers: numbers that are rounded, and operations of IEEE 754.

use super::number::ExactNumber;
use super::program::{Cut, Extent, Integers, KeptNan, Nan, Round, ZeroSign};
use crate::machines::algorithms::flushed::{FlushedResults, operation_flushed, round_flushed};
use mmasmt_numbers::bits::{Bv, HostCut, HostRounding, Prop, mux};
use mmasmt_numbers::float::{
    Arithmetic, FlushedZero, Format, NanCode, Overflow, Rounding, UnroundedNumber, convert,
    first_nan, flush, flushed_fma, host_mode, ieee_add, ieee_fma, ieee_multiply, integer, odd_sum,
    round_sticky, special_beyond, unpack,
};

/// A sum before it is cut, and how that is done.
pub(super) type CutSum<'v, B> = (&'v Cut, &'v ExactNumber<B>, Extent);

/// The values that a rounding takes.
pub(super) enum RoundingInput<'v, B: Bv> {
    /// A number, and the sum that was cut to it.
    Number(&'v ExactNumber<B>, Extent, Option<CutSum<'v, B>>),
    Register(&'v B, Format),
    Multiply([(&'v B, Format); 2]),
    Add([(&'v B, Format); 2]),
    Fma([(&'v B, Format); 3]),
}

/// The operands of a rounding beside its number.
pub(super) struct RoundingOperands<'v, B> {
    /// The registers whose NaNs come first.
    pub first: Vec<(&'v B, Format)>,
    /// The random bits of a stochastic rounding, if they are an operand.
    pub random: Option<&'v B>,
    /// The register whose NaN decides the code of the result's.
    pub kept_nan: Option<(&'v B, Format, KeptNan)>,
}

impl<B> RoundingOperands<'_, B> {
    /// Nothing.
    pub fn nothing() -> Self {
        RoundingOperands {
            first: Vec::new(),
            random: None,
            kept_nan: None,
        }
    }
}

/// The register of `format` that `of` gives.
pub(super) fn round<B: Bv>(
    step: &Round,
    of: &RoundingInput<'_, B>,
    format: &Format,
    beside: &RoundingOperands<'_, B>,
) -> B {
    let target = step.specials.of(format).with_fraction(step.fraction);
    let code = match step.nan {
        Nan::Code(code) => code,
        Nan::First(..) => NanCode::Quiet,
    };
    let operation = |operate: &dyn Fn(&Arithmetic) -> B| {
        operation_flushed(&target, step.by, code, step.tiny, operate)
    };
    let on_host = rounded_on_host(step, of, (&target, code));
    let result = on_host.unwrap_or_else(|| match of {
        RoundingInput::Number(number, extent, _) if extent.is_integer() && format.is_integer() => {
            to_integer(step, number, extent, format)
        }
        RoundingInput::Number(number, extent, _) if format.is_integer() => {
            let value = (*number, *extent, beside.random);
            rounded_to_integer(step, value, format)
        }
        RoundingInput::Number(number, extent, _) if step.overflow == Overflow::Ieee => {
            let value = (*number, *extent, beside.random);
            let flushed = number_flushed_on_host(step, value, (&target, code));
            flushed.unwrap_or_else(|| {
                operation(&|to| {
                    let step = Round {
                        by: to.rounding,
                        tiny: FlushedResults::Kept,
                        ..step.clone()
                    };
                    of_number(&step, value, None, (&to.format, code))
                })
            })
        }
        RoundingInput::Number(number, extent, uncut) => {
            let value = (*number, *extent, beside.random);
            of_number(step, value, uncut.as_ref(), (&target, code))
        }
        RoundingInput::Register(bits, from) => {
            operation(&|to| convert(from, &to.format, to.rounding, to.nan, bits))
        }
        RoundingInput::Multiply([(x, a), (y, b)]) => {
            operation(&|to| ieee_multiply(to, [a, b], x, y))
        }
        RoundingInput::Fma([(x, a), (y, b), (z, c)]) => {
            operation(&|to| ieee_fma(to, [a, b], c, x, y, z))
        }
        RoundingInput::Add([(x, a), (y, b)]) => operation(&|to| {
            if *a == to.format && *b == to.format {
                return ieee_add(a, to.rounding, to.nan, x, y);
            }
            ieee_fma(to, [a, a], b, x, &B::lit(a.width(), a.one()), y)
        }),
    });
    if let Some((bits, from, kept)) = &beside.kept_nan {
        return match kept {
            KeptNan::Payload => first_nan(format, [(from, *bits)], &result),
            KeptNan::Sign(code) => signed_nan((from, *bits), (format, *code), &result),
            KeptNan::OppositeZero => {
                let x = unpack(from, *bits);
                let zero = B::lit(format.magnitude_bits(), 0);
                mux(&x.nan, &format.assemble(&x.sign.not(), &zero), &result)
            }
        };
    }
    match step.nan {
        Nan::Code(_) => result,
        // A format without NaNs has this number in place of one.
        Nan::First(_, number) if !target.has_nan() && !format.is_integer() => {
            let is_nan = match of {
                RoundingInput::Number(of, ..) => of.special.nan.clone(),
                RoundingInput::Register(bits, from) => unpack(from, *bits).nan,
                _ => B::Bool::constant(false),
            };
            mux(&is_nan, &B::lit(format.width(), number), &result)
        }
        Nan::First(_, otherwise) => {
            let otherwise = B::lit(format.width(), otherwise);
            let result = mux(&unpack(format, &result).nan, &otherwise, &result);
            let first = beside.first.iter().map(|(bits, from)| (from, *bits));
            first_nan(format, first, &result)
        }
    }
}

/// The result of an operation that is rounded to odd, or of which results are flushed that are tiny after
/// rounding, if the instance leaves it to the processor.
fn rounded_on_host<B: Bv>(
    step: &Round,
    of: &RoundingInput<'_, B>,
    (format, nan): (&Format, NanCode),
) -> Option<B> {
    if !B::USES_HOST {
        return None;
    }
    let to = Arithmetic {
        format: *format,
        rounding: step.by,
        nan,
    };
    match (step.by, step.tiny, of) {
        (_, FlushedResults::AfterRounding, RoundingInput::Fma([(x, a), (y, b), (z, c)])) => {
            flushed_fma(&to, [(x, *a), (y, *b), (z, *c)])
        }
        (_, FlushedResults::AfterRounding, RoundingInput::Add([(x, a), (y, b)])) => {
            let one = B::lit(a.width(), a.one());
            flushed_fma(&to, [(x, *a), (&one, *a), (y, *b)])
        }
        // A product is the same with -0 added to it.
        (_, FlushedResults::AfterRounding, RoundingInput::Multiply([(x, a), (y, b)])) => {
            let zero = B::lit(format.width(), format.sign_mask());
            flushed_fma(&to, [(x, *a), (y, *b), (&zero, *format)])
        }
        (Rounding::Odd, FlushedResults::Kept, RoundingInput::Add([(x, a), (y, b)])) => {
            odd_sum(&to, [(*x, *a), (*y, *b)])
        }
        // A sum of two numbers of the format is exact where it is tiny.
        (Rounding::Odd, FlushedResults::BeforeRounding, RoundingInput::Add([(x, a), (y, b)])) => {
            let sum = odd_sum(&to, [(*x, *a), (*y, *b)])?;
            Some(flush(format, FlushedZero::SameSign, &sum))
        }
        (Rounding::Odd, FlushedResults::BeforeRounding, RoundingInput::Multiply(factors)) => {
            exact_product(&to, factors)
        }
        _ => None,
    }
}

/// The product, flushed if it is tiny, where binary32 holds all others exactly.
fn exact_product<B: Bv>(to: &Arithmetic, factors: &[(&B, Format); 2]) -> Option<B> {
    let [(x, a), (y, b)] = factors;
    let is_exact = a.fraction_bits + b.fraction_bits + 2 < f32::MANTISSA_DIGITS
        && to.format.has_layout_of(&Format::F32);
    let nearest = Arithmetic {
        rounding: Rounding::Rne,
        ..*to
    };
    let product = is_exact.then(|| ieee_multiply(&nearest, [a, b], *x, *y))?;
    Some(flush(&to.format, FlushedZero::SameSign, &product))
}

/// The NaN of a code with the sign of the register, where that is a NaN; else `result`.
fn signed_nan<B: Bv>((from, bits): (&Format, &B), (to, code): (&Format, NanCode), result: &B) -> B {
    let x = unpack(from, bits);
    let nan = |negative: u64| B::lit(to.width(), to.nan(code) | negative);
    mux(&x.nan, &mux(&x.sign, &nan(to.sign_mask()), &nan(0)), result)
}

/// A number in fixed point as an integer register.
struct IntegerRegister<B: Bv> {
    /// The number in two's complement.
    value: B,
    /// The low bits, as many as the format has.
    low: B,
    /// Whether the format has the number.
    fits: B::Bool,
}

impl<B: Bv> IntegerRegister<B> {
    fn of(integers: Integers, number: &ExactNumber<B>, extent: &Extent, format: &Format) -> Self {
        let width = (extent.width + 2).max(format.width() + 2);
        let value = match &number.complement {
            Some(value) => value.sext(width),
            None => number.significand.zext(width).neg_if(&number.special.sign),
        };
        let low = value.extract(format.width() - 1, 0);
        let fits = integer(format, &low, width).equals(&value);
        let fits = match integers {
            Integers::Wrap | Integers::Saturate => fits,
            Integers::Symmetric => {
                let least = B::lit(format.width(), format.sign_mask());
                fits.and(&low.equals(&least).and(&value.msb()).not())
            }
        };
        IntegerRegister { value, low, fits }
    }
}

/// Whether the integer format does not have the number.
pub(super) fn is_beyond<B: Bv>(
    step: &Round,
    number: &ExactNumber<B>,
    extent: &Extent,
    format: &Format,
) -> B::Bool {
    IntegerRegister::of(step.integers, number, extent, format)
        .fits
        .not()
}

/// The integer of the format that a number in fixed point gives.
fn to_integer<B: Bv>(step: &Round, number: &ExactNumber<B>, extent: &Extent, format: &Format) -> B {
    let IntegerRegister { value, low, fits } =
        IntegerRegister::of(step.integers, number, extent, format);
    let least = match step.integers {
        Integers::Wrap => return low,
        Integers::Saturate => format.sign_mask(),
        Integers::Symmetric => format.signed(format.is_signed(), format.greatest()),
    };
    let [least, greatest] = [least, format.greatest()].map(|end| B::lit(format.width(), end));
    mux(&fits, &low, &mux(&value.msb(), &least, &greatest))
}

/// A number, its form, and the random bits of its rounding.
type RoundingNumber<'v, B> = (&'v ExactNumber<B>, Extent, Option<&'v B>);

/// The integer of the format that a number of any kind is rounded to; an infinity is beyond all.
fn rounded_to_integer<B: Bv>(step: &Round, taken: RoundingNumber<'_, B>, format: &Format) -> B {
    let (number, ..) = taken;
    let width = format.width();
    let sign = &number.special.sign;
    let magnitudes = Format::integers_of(width + 1);
    let magnitude = magnitude(step, taken, sign, &magnitudes);
    let greatest = format.max_finite();
    let least = match (format.is_signed(), step.integers) {
        (false, _) => 0,
        (true, Integers::Symmetric) => greatest,
        (true, _) => format.max_finite_of(true),
    };
    let [least, greatest] = [least, greatest].map(|end| B::lit(width + 1, end));
    let end = mux(sign, &least, &greatest);
    let is_beyond = end.ult(&magnitude).or(&number.special.infinite);
    let magnitude = mux(&is_beyond, &end, &magnitude);
    let register = magnitude.extract(width - 1, 0).neg_if(sign);
    let nan = match step.nan {
        Nan::First(_, code) => code,
        Nan::Code(_) => 0,
    };
    mux(&number.special.nan, &B::lit(width, nan), &register)
}

/// Exponent field and fraction of a rounded number.
fn magnitude<B: Bv>(
    step: &Round,
    (number, extent, random): RoundingNumber<'_, B>,
    sign: &B::Bool,
    format: &Format,
) -> B {
    let room = u32::try_from(-extent.fraction).unwrap_or(0);
    let value = UnroundedNumber {
        sign,
        exponent: &number.exponent,
        exponent_offset: extent.lowest as i32,
        significand: &number.significand.widen_low(room),
        fraction_bits: extent.fraction.max(0) as u32,
        random,
    };
    let sticky = number.sticky.as_ref();
    let overflow = match format.is_integer() {
        true => Overflow::Greatest,
        false => step.overflow,
    };
    match step.tiny {
        FlushedResults::Kept => round_sticky(&value, sticky, format, step.by, overflow),
        tiny => round_flushed(&value, sticky, format, step.by, (tiny, overflow)),
    }
}

fn of_number<B: Bv>(
    step: &Round,
    taken: RoundingNumber<'_, B>,
    uncut: Option<&CutSum<'_, B>>,
    (format, code): (&Format, NanCode),
) -> B {
    let (number, ..) = taken;
    let at_once = uncut.and_then(|uncut| cut_on_host(step, uncut, format));
    let finite = at_once.unwrap_or_else(|| finite(step, taken, format));
    let beyond = match step.overflow {
        Overflow::Greatest => format.max_finite(),
        Overflow::Ieee | Overflow::Infinity | Overflow::Clamp => format.beyond_finite(),
    };
    special_beyond(
        [&number.special].into_iter(),
        format,
        (code, beyond),
        &finite,
    )
}

fn finite<B: Bv>(step: &Round, taken: RoundingNumber<'_, B>, format: &Format) -> B {
    let (number, extent, _) = taken;
    if let Some(register) = on_host(step, number, &extent, format, (None, 0)) {
        return register;
    }
    let significand = &number.significand;
    let is_zero = significand.is_zero();
    let negative = number.special.sign.clone();
    let sign = match step.zero {
        ZeroSign::Plus | ZeroSign::Shared => negative,
        ZeroSign::Total => negative.and(&is_zero.not()),
        ZeroSign::Ieee => {
            let shared = match step.by {
                Rounding::Rd => &number.signs.any,
                _ => &number.signs.all,
            };
            mux(&is_zero, shared, &negative)
        }
    };
    let magnitude = magnitude(step, taken, &sign, format);
    let nonzero = match step.tiny {
        FlushedResults::Kept => sign.and(&magnitude.is_zero().not()),
        // A result that is flushed keeps its sign; a sum of zero has none.
        _ => sign.and(&is_zero.not()),
    };
    let sign = match step.zero {
        ZeroSign::Plus => nonzero,
        ZeroSign::Shared => nonzero.or(&number.signs.zeros),
        ZeroSign::Ieee | ZeroSign::Total => sign,
    };
    format.assemble(&sign, &magnitude)
}

/// The register of a sum, flushed if it is tiny after rounding with a larger exponent range; if the instance
/// leaves such roundings to the processor. With one bit more of the exponent, the sum is the same multiple of
/// its least number as it is in the format once it is raised by the difference of the biases.
fn number_flushed_on_host<B: Bv>(
    step: &Round,
    (number, extent, _): RoundingNumber<'_, B>,
    (format, code): (&Format, NanCode),
) -> Option<B> {
    if step.tiny != FlushedResults::AfterRounding {
        return None;
    }
    let step = Round {
        tiny: FlushedResults::Kept,
        ..step.clone()
    };
    let distance = format.with_more_range().bias() - format.bias();
    let [plain, raised] =
        [0, distance].map(|raised| on_host(&step, number, &extent, format, (None, raised)));
    let (plain, raised) = (plain?, raised?);
    let magnitude = raised.extract(format.magnitude_bits() - 1, 0);
    let least = format.register(format.min_exponent() + distance, 0, false);
    let least = B::lit(format.magnitude_bits(), least);
    let none = B::lit(format.magnitude_bits(), 0);
    let zero = format.assemble(&raised.msb(), &none);
    let finite = mux(&magnitude.ult(&least), &zero, &plain);
    let beyond = format.beyond_finite();
    let specials = [&number.special].into_iter();
    Some(special_beyond(specials, format, (code, beyond), &finite))
}

/// The rounded sum, if the instance leaves roundings like this one to the processor; times 2 to the power of `raised`.
fn on_host<B: Bv>(
    step: &Round,
    number: &ExactNumber<B>,
    extent: &Extent,
    format: &Format,
    (cut, raised): (Option<HostCut>, i32),
) -> Option<B> {
    let keeps_sign_of_zero = match step.zero {
        ZeroSign::Plus => false,
        ZeroSign::Total => true,
        ZeroSign::Ieee | ZeroSign::Shared => return None,
    };
    let is_infinity = match step.overflow {
        Overflow::Infinity => true,
        Overflow::Ieee => step.by == Rounding::Rne,
        Overflow::Greatest | Overflow::Clamp => false,
    };
    let is_plain =
        B::USES_HOST && is_infinity && step.tiny == FlushedResults::Kept && number.sticky.is_none();
    let sum = number.complement.as_ref().filter(|_| is_plain)?;
    let rounding = HostRounding {
        exponent_offset: (extent.lowest - extent.fraction) as i32 + raised,
        cut,
        mode: host_mode(format, step.by)?,
        keeps_sign_of_zero,
    };
    B::rounded_on_host(sum, &number.exponent, &rounding)
}

/// The register of a sum that is cut first, if the instance leaves both to the processor at once.
fn cut_on_host<B: Bv>(
    step: &Round,
    (cut, uncut, extent): &CutSum<'_, B>,
    format: &Format,
) -> Option<B> {
    let floor = match cut.by {
        Rounding::Rz => false,
        Rounding::Rd => true,
        _ => return None,
    };
    let bits = cut.bits;
    let is_single = *format == Format::F32
        && cut.least == Some(format.min_exponent().into())
        && bits < f64::MANTISSA_DIGITS;
    let cut = is_single.then_some(HostCut { bits, floor })?;
    on_host(step, uncut, extent, format, (Some(cut), 0))
}
