//! Rounding to binary32 of a sum times a power of two. Binary64 holds the product exactly; the
//! processor's conversion then rounds it once.

use super::columns::{ColumnStore, ColumnType, LANES, Memory, ends};
use super::step::{ColumnOperation, TapeStep};
use std::marker::PhantomData;

const FRACTION_BITS: u32 = f64::MANTISSA_DIGITS - 1;
const SIGN: u32 = 1 << 31;
/// The exponent field that the least normal number of binary32 has in binary64.
const LEAST_NORMAL_FIELD: u32 = (f64::MAX_EXP - f32::MAX_EXP) as u32 + 1;
/// The field of the greatest power of two that binary32 holds.
const GREATEST_FIELD: u32 = LEAST_NORMAL_FIELD + 2 * f32::MAX_EXP as u32 - 3;
const SINGLE_FRACTION_BITS: u32 = f32::MANTISSA_DIGITS - 1;

/// A column of integers in two's complement, as numbers of `f64`.
pub(super) trait IntegerElement: ColumnType {
    fn real(self) -> f64;
}

impl IntegerElement for u32 {
    #[inline(always)]
    fn real(self) -> f64 {
        f64::from(self as i32)
    }
}

impl IntegerElement for u64 {
    #[inline(always)]
    fn real(self) -> f64 {
        self as i64 as f64
    }
}

/// The sum of one or (with `TWO`) two columns times `2^(e + bias - 1023)`, rounded to binary32.
///
/// The first constant has the bits that are kept before and after the conversion. With `CUT`, as
/// many fraction bits as the low half of the second constant says are cut first; if its high half
/// is not zero, they are cut down. With `SUBNORMAL`, results may be subnormal: a cut drops more of
/// them, and the conversion rounds them once more, which the flags of the second shift mend.
pub(super) struct RoundSum<T, N, const TWO: bool, const CUT: bool, const SUBNORMAL: bool>(
    PhantomData<(T, N)>,
);
impl<T: IntegerElement, N: ColumnType, const TWO: bool, const CUT: bool, const SUBNORMAL: bool>
    ColumnOperation for RoundSum<T, N, TWO, CUT, SUBNORMAL>
{
    #[inline(always)]
    fn run(memory: &mut Memory, step: &TapeStep) {
        let (to, columns) = memory.open::<u32>();
        let sum = Sum::<T, N, TWO>::new(columns, step);
        let rule = Rule::new(step);
        let [least, most] = sum.fields(rule.bias);
        if LEAST_NORMAL_FIELD <= least && most <= GREATEST_FIELD {
            scaled_last::<T, N, TWO, CUT>(to, &sum, rule);
        } else if SUBNORMAL && least < LEAST_NORMAL_FIELD {
            round::<T, N, TWO, CUT, true>(to, &sum, rule);
        } else {
            round::<T, N, TWO, CUT, false>(to, &sum, rule);
        }
        memory.close::<u32>(step.to);
    }
}

/// How a sum is rounded, from the constants of a step.
#[derive(Clone, Copy)]
struct Rule {
    bias: u32,
    /// The bits that are kept before and after the conversion to binary32.
    before: u64,
    after: u32,
    /// The fraction bits that are cut first, and all ones if they are cut down.
    dropped: u64,
    floor: u64,
    /// One if a result that the conversion moved away from zero is taken back.
    taken_back: u32,
    /// One if -0 becomes +0.
    positive_zero: u32,
}

impl Rule {
    #[inline(always)]
    fn new(step: &TapeStep) -> Rule {
        let [bias, flags] = step.shifts;
        let [masks, cut] = step.constants;
        Rule {
            bias,
            before: masks as u64,
            after: (masks >> 64) as u32,
            dropped: cut as u64,
            floor: 0u64.wrapping_sub((cut >> 64) as u64),
            taken_back: flags & 1,
            positive_zero: flags >> 1 & 1,
        }
    }

    /// The number without the bits that are cut, in binary32; a subnormal result is rounded once
    /// more.
    #[inline(always)]
    fn rounded<const CUT: bool, const SUBNORMAL: bool>(self, number: f64) -> f32 {
        let mut bits = number.to_bits();
        if CUT {
            let mut dropped = self.dropped;
            if SUBNORMAL {
                let field = bits >> FRACTION_BITS & 0x7ff;
                let missing = u64::from(LEAST_NORMAL_FIELD).saturating_sub(field);
                dropped = (dropped + missing).min(FRACTION_BITS.into());
            }
            let below = (1 << dropped) - 1;
            let negative = ((bits as i64) >> 63) as u64;
            bits = bits.wrapping_add(below & self.floor & negative) & !below;
        }
        f64::from_bits(bits & self.before) as f32
    }
}

/// Rounds where every power of two is a normal number of binary32, and so is every result but zeros
/// and infinities: the sum is rounded first, and multiplied by the power without a further error.
#[inline(always)]
fn scaled_last<T: IntegerElement, N: ColumnType, const TWO: bool, const CUT: bool>(
    to: &mut [u32; LANES],
    sum: &Sum<'_, T, N, TWO>,
    rule: Rule,
) {
    for (lane, to) in to.iter_mut().enumerate() {
        let rounded = rule.rounded::<CUT, false>(sum.integer(lane));
        let field = sum.field(lane, rule.bias) - (LEAST_NORMAL_FIELD - 1);
        *to = (rounded * f32::from_bits(field << SINGLE_FRACTION_BITS)).to_bits();
    }
}

/// Rounds the sum times the power of two, which binary64 holds exactly.
#[inline(always)]
fn round<
    T: IntegerElement,
    N: ColumnType,
    const TWO: bool,
    const CUT: bool,
    const SUBNORMAL: bool,
>(
    to: &mut [u32; LANES],
    sum: &Sum<'_, T, N, TWO>,
    rule: Rule,
) {
    for (lane, to) in to.iter_mut().enumerate() {
        let field = u64::from(sum.field(lane, rule.bias));
        let number = sum.integer(lane) * f64::from_bits(field << FRACTION_BITS);
        let rounded = rule.rounded::<CUT, SUBNORMAL>(number);
        let mut register = rounded.to_bits();
        if SUBNORMAL && !CUT {
            let kept = f64::from_bits(number.to_bits() & rule.before).abs();
            let is_moved = f64::from(rounded.abs()) > kept && kept < f64::from(f32::MIN_POSITIVE);
            register = register.wrapping_sub(u32::from(is_moved) & rule.taken_back) & rule.after;
            register ^= (u32::from(register == SIGN) & rule.positive_zero) << 31;
        }
        *to = register;
    }
}

struct Sum<'x, T, N, const TWO: bool> {
    parts: [&'x [T; LANES]; 2],
    exponent: &'x [N; LANES],
}

impl<'x, T: IntegerElement, N: ColumnType, const TWO: bool> Sum<'x, T, N, TWO> {
    #[inline(always)]
    fn new(columns: &'x ColumnStore, step: &TapeStep) -> Self {
        let [e, x, y, _] = step.args;
        Sum {
            parts: [columns.get(x), columns.get(if TWO { y } else { x })],
            exponent: columns.get(e),
        }
    }

    /// The least and the greatest exponent field that a power of two has in a lane. A sum of
    /// integers times a power that is normal in binary32 is zero or normal.
    #[inline(always)]
    fn fields(&self, bias: u32) -> [u32; 2] {
        ends(self.exponent).map(|exponent| (exponent.number() as u32).wrapping_add(bias))
    }

    /// The exponent field of the power of two in binary64.
    #[inline(always)]
    fn field(&self, lane: usize, bias: u32) -> u32 {
        (self.exponent[lane].number() as u32).wrapping_add(bias)
    }

    #[inline(always)]
    fn integer(&self, lane: usize) -> f64 {
        let [x, y] = self.parts;
        if TWO {
            x[lane].real() + y[lane].real()
        } else {
            x[lane].real()
        }
    }
}
