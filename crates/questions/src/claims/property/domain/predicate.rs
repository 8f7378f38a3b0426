//! Predicates on one operand: whether registers satisfy them, and what they fix.

use super::integers;
use mmasmt_core::machines::model::Instance;
use mmasmt_core::numbers::bits::{Prop, mux};
use mmasmt_core::numbers::float::{Dyadic, Format, NanCode, Rounding, convert, unpack};

/// A predicate on some operands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Clause {
    /// For each operand, in the order of [`Registers::each`], its position among the operands that
    /// the predicate applies to.
    pub numbers: Vec<Option<usize>>,
    pub predicate: Predicate,
}

impl Clause {
    /// The clause that assumes `predicate` of the chosen operands.
    pub fn new(chosen: &[bool], predicate: Predicate) -> Self {
        let mut counter = 0..;
        let number = |chosen: &bool| chosen.then(|| counter.next()).flatten();
        let numbers = chosen.iter().map(number).collect();
        Clause { numbers, predicate }
    }
}

/// An assumption on an operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Predicate {
    /// No infinity, no NaN.
    Finite,
    /// A normal number.
    Normal,
    /// A normal number, or zero of either sign.
    ZeroOrNormal,
    /// A subnormal number other than zero.
    Subnormal,
    /// +0 or -0; +0 alone in a format without -0.
    Zero,
    /// Neither +0 nor -0.
    Nonzero,
    /// The sign bit is 0.
    Positive,
    /// The sign bit is 1.
    Negative,
    /// The exponent lies between these two exponents, both included. Zero and subnormal numbers
    /// have the least exponent of their format.
    Exponent(i64, i64),
    /// Only this many bits of the significand, counted from the leading one, may be 1.
    Bits(u32),
    /// A finite number that this other format also represents.
    In(Format),
    /// An integer between these two limits, both included.
    Between(i64, i64),
    /// The operands have these registers, one for each chosen operand.
    Values(Vec<u64>),
}

impl Predicate {
    /// True if only finite numbers satisfy the predicate.
    pub fn is_finite(&self, format: &Format, number: usize) -> bool {
        match self {
            Predicate::Finite
            | Predicate::Normal
            | Predicate::ZeroOrNormal
            | Predicate::Subnormal
            | Predicate::Zero
            | Predicate::In(_)
            | Predicate::Between(..)
            | Predicate::Exponent(..) => true,
            Predicate::Values(values) => format.is_finite(values[number]),
            Predicate::Nonzero | Predicate::Positive | Predicate::Negative | Predicate::Bits(_) => {
                false
            }
        }
    }

    pub fn fix<B: Instance>(&self, format: &Format, number: usize, register: &B) -> B {
        let width = format.width();
        let with_sign = |negative: bool| match format.sign_mask() {
            0 => register.clone(),
            _ => B::from_prop(1, &B::Bool::constant(negative))
                .concat(&register.extract(width - 2, 0)),
        };
        match self {
            Predicate::Zero if format.has_negative_zero() => register
                .extract(width - 1, width - 1)
                .concat(&B::lit(width - 1, 0)),
            Predicate::Zero => B::lit(width, 0),
            Predicate::Values(values) => B::lit(width, values[number]),
            Predicate::Positive => with_sign(false),
            Predicate::Negative => with_sign(true),
            Predicate::Bits(count) => {
                let low = format.bits_below_field();
                let kept = (count - 1).min(format.precision() - 1);
                let cleared = low - kept;
                match cleared {
                    0 => register.clone(),
                    _ if cleared == width => B::lit(width, 0),
                    _ => register.extract(width - 1, cleared).widen_low(cleared),
                }
            }
            Predicate::In(other) => truncated(format, other, register),
            _ => register.clone(),
        }
    }

    /// The register as [`Domain::fixed`] changes it for this predicate.
    pub fn bring<B: Instance>(&self, format: &Format, number: usize, register: &B) -> B {
        match self {
            Predicate::Exponent(low, high) => {
                let [low, high] = [low, high].map(|exponent| field(format, *exponent));
                // Subnormal numbers have field 0 and the exponent of field 1.
                clamped(format, register, if low <= 1 { 0 } else { low }, high)
            }
            Predicate::Between(low, high) if format.is_integer() => {
                integers::clamped(format, register, [*low, *high])
            }
            Predicate::Between(low, high) => {
                let most = greatest_exponent([*low, *high]);
                clamped(format, register, 0, field(format, most))
            }
            Predicate::Normal if format.has_infinity() => {
                clamped(format, register, 1, format.field_ones() - 1)
            }
            _ => self.fix(format, number, register),
        }
    }

    pub fn holds<B: Instance>(&self, format: &Format, number: usize, register: &B) -> B::Bool {
        let x = unpack(format, register);
        let below_least = || x.significand.msb().not();
        match self {
            Predicate::Finite => x.finite(),
            Predicate::Normal => x.finite().and(&x.significand.msb()),
            Predicate::ZeroOrNormal => x.finite().and(&x.significand.msb().or(&x.zero)),
            Predicate::Subnormal => x.finite().and(&below_least()).and(&x.zero.not()),
            Predicate::Nonzero => x.zero.not(),
            Predicate::Exponent(low, high) => {
                let width = format.field_width() + 1;
                let bound = |exponent: i64| B::lit(width, field(format, exponent));
                let field = x.exponent.zext(width);
                let in_range = bound(*low).ule(&field).and(&field.ule(&bound(*high)));
                in_range.and(&x.finite())
            }
            Predicate::Between(low, high) if format.is_integer() => {
                integers::is_between(format, register, [*low, *high])
            }
            Predicate::Between(low, high) => {
                let is_between = integers::is_number_between(format, register, [*low, *high]);
                x.finite().and(&is_between)
            }
            Predicate::In(_) => {
                let same = self.fix(format, number, register).equals(register);
                same.and(&x.finite())
            }
            Predicate::Zero
            | Predicate::Values(_)
            | Predicate::Positive
            | Predicate::Negative
            | Predicate::Bits(_) => self.fix(format, number, register).equals(register),
        }
    }
}

/// The greatest exponent of a number between the limits; 0 if zero is the only number.
pub(super) fn greatest_exponent(limits: [i64; 2]) -> i64 {
    let most = limits.map(i64::unsigned_abs).into_iter().fold(1, u64::max);
    i64::from(most.ilog2())
}

/// The exponent field of `exponent`, clamped to the values of a field that is one bit wider.
pub(super) fn field(format: &Format, exponent: i64) -> u64 {
    let beyond = 2 * format.field_ones() as i64 + 1;
    (format.field_of(exponent)).clamp(0, beyond) as u64
}

/// The number, of `format`, truncated to a number that `other` has too; its sign stays.
fn truncated<B: Instance>(format: &Format, other: &Format, register: &B) -> B {
    if format.is_complement() {
        return truncated_complement(format, other, register);
    }
    let width = format.width_below_sign();
    let positive = register.extract(width - 1, 0).zext(format.width());
    let (rz, nan) = (Rounding::Rz, NanCode::Quiet);
    let cut = convert(format, other, rz, nan, &positive);
    let cut = convert(other, format, rz, nan, &cut);
    match format.width() {
        all if all == width => cut,
        all => register
            .extract(all - 1, width)
            .concat(&cut.extract(width - 1, 0)),
    }
}

/// The same for a number in two's complement. The least number stays if `other` has it, else it
/// becomes zero.
fn truncated_complement<B: Instance>(format: &Format, other: &Format, register: &B) -> B {
    let (rz, nan) = (Rounding::Rz, NanCode::Quiet);
    let cut = convert(format, other, rz, nan, register);
    let cut = convert(other, format, rz, nan, &cut);
    let least = format.signed(true, format.max_finite_of(true));
    let is_had = Dyadic::of(format, least).is_some_and(|value| value.register(other).is_some());
    let kept = B::lit(format.width(), if is_had { least } else { 0 });
    mux(
        &register.equals(&B::lit(format.width(), least)),
        &kept,
        &cut,
    )
}

/// The register with its exponent field clamped to `low..=high`. The clamp keeps formulas narrow. The
/// field of a number in two's complement is no part of the register, which stays.
fn clamped<B: Instance>(format: &Format, register: &B, low: u64, high: u64) -> B {
    if format.is_complement() {
        return register.clone();
    }
    let (width, bits) = (format.width(), format.field_width());
    let below = format.bits_below_field();
    let top = (1 << bits) - 1;
    let at_least = |field: B, limit: u64| B::umax(&[field, B::lit(bits, limit.min(top))]);
    let field = register.extract(below + bits - 1, below);
    let at_most = at_least(field.not(), top - high.min(top)).not();
    let mut whole = at_least(at_most, low);
    if below > 0 {
        whole = whole.concat(&register.extract(below - 1, 0));
    }
    if below + bits < width {
        whole = register.extract(width - 1, below + bits).concat(&whole);
    }
    whole
}
