//! The ordered set of numbers that a domain admits for one operand.

use super::Domain;
use super::integers::codes_between;
use super::operands::formats;
use super::predicate::{Predicate, field};
use crate::inputs::OperandRange;
use mmasmt_core::base::limits::work;
use mmasmt_core::machines::model::Instance;
use mmasmt_core::numbers::bits::{Prop, mux};
use mmasmt_core::numbers::float::{Dyadic, Format, unpack};
use std::ops::RangeInclusive;

/// The numbers and infinities that a domain admits for one operand; -0 is below +0.
///
/// For each sign, the set is an interval of codes (exponent field and fraction); only codes with
/// `cleared` trailing zeros are admitted. If the domain [has gaps](Domain::has_gaps), some of these
/// codes are not admitted either.
#[derive(Clone, Debug)]
pub struct Numbers {
    format: Format,
    /// How many of the lowest bits are 0 in every admitted code.
    pub cleared: u32,
    /// The codes of positive sign; may be empty.
    pub positive: RangeInclusive<u64>,
    /// The codes of negative sign; may be empty.
    pub negative: RangeInclusive<u64>,
    /// The exponent of a power of two of which all admitted numbers are multiples; codes of other
    /// numbers are not admitted.
    unit: Option<i64>,
    /// An `l` such that every admitted nonzero magnitude is at least `2^l`.
    least: Option<i64>,
}

/// The successor of a number: the next greater number that the domain admits.
pub struct Next<B: Instance> {
    /// The register of the successor.
    pub register: B,
    /// Whether there is a successor.
    pub exists: B::Bool,
}

/// A range without codes.
#[expect(clippy::reversed_empty_ranges, reason = "it is meant to be empty")]
const NONE: RangeInclusive<u64> = 1..=0;

/// The work of finding the numbers of one operand, counted as the bytes of formula nodes that are
/// made in the same time. It is counted because a model may have a million operands.
const OPERAND: u64 = 1 << 10;

impl Domain {
    /// The numbers that the domain admits for the operand with the number `operand`. Operands are
    /// numbered in the order of [`Registers::each`].
    ///
    /// [`Registers::each`]: mmasmt_core::machines::algorithms::Registers::each
    pub fn numbers(&self, operand: usize, format: &Format) -> Numbers {
        work(OPERAND);
        let mut numbers = Numbers::of(format);
        for (clause, number) in self.clauses_of(operand) {
            numbers.keep(&clause.predicate, number);
        }
        numbers.without_partial_steps()
    }

    /// Whether two operands of one format have the same register in every input of the domain: they are assumed to be
    /// equal, or each has one value.
    pub fn are_same(&self, left: usize, right: usize, format: &Format) -> bool {
        let first = |operand: usize| {
            let source = self.equalities.source(operand);
            source.map_or((operand, false), |equal| (equal.first, equal.negated))
        };
        let value = |operand: usize| match &self.numbers(operand, format).range().codes[..] {
            [(negative, codes)] if codes.start() == codes.end() => {
                Some((*negative, *codes.start()))
            }
            _ => None,
        };
        first(left) == first(right)
            || value(left).is_some_and(|value_of_left| value(right) == Some(value_of_left))
    }

    /// Whether all operands that can be infinities or NaNs are assumed to be finite.
    pub fn is_finite(&self) -> bool {
        let mut formats = formats(&self.signature).into_iter().enumerate();
        formats.all(|(operand, format)| {
            let mut clauses = self.clauses_of(operand);
            let never = !format.has_infinity() && !format.has_nan();
            never || clauses.any(|(clause, number)| clause.predicate.is_finite(&format, number))
        })
    }

    /// True if the same operands are equal when the products at two places are exchanged.
    pub(in crate::claims::property) fn keeps_equalities_with(
        &self,
        left: usize,
        right: usize,
    ) -> bool {
        let count = self.signature.products as usize;
        self.equalities.are_kept_by(|operand| match operand {
            _ if operand >= 2 * count => operand,
            _ if operand % count == left => operand - left + right,
            _ if operand % count == right => operand - right + left,
            _ => operand,
        })
    }

    /// Whether the assumptions on two operands are equal, apart from equalities; operands are numbered as in
    /// [`numbers`](Self::numbers).
    pub(in crate::claims) fn treats_alike(&self, left: usize, right: usize) -> bool {
        self.clauses.iter().all(|clause| {
            let numbers = &clause.numbers;
            let value = |operand: usize| match &clause.predicate {
                Predicate::Values(values) => values.get(numbers[operand]?),
                _ => None,
            };
            numbers[left].is_some() == numbers[right].is_some() && value(left) == value(right)
        })
    }
}

impl Numbers {
    /// All numbers of a format.
    fn of(format: &Format) -> Self {
        let greatest = format.max_finite() + u64::from(format.has_infinity());
        let negative = match (format.is_signed(), format.has_negative_zero()) {
            (true, _) if !format.has_fields() => 1..=greatest + 1,
            (false, _) => NONE,
            (true, false) => 1..=greatest,
            (true, true) => 0..=greatest,
        };
        Numbers {
            format: *format,
            cleared: 0,
            positive: 0..=greatest,
            negative,
            unit: None,
            least: None,
        }
    }

    fn keep(&mut self, predicate: &Predicate, number: usize) {
        let format = self.format;
        let fraction = format.precision() - 1;
        let least_normal = if format.has_subnormals() {
            1 << fraction
        } else {
            0
        };
        match *predicate {
            Predicate::Between(low, high) if format.is_integer() => self.keep_between(low, high),
            Predicate::Between(low, high) => {
                let codes = |negative| codes_between(&format, [low, high], negative);
                for (range, kept) in [
                    (&mut self.positive, codes(false)),
                    (&mut self.negative, codes(true)),
                ] {
                    *range = common(range, &kept.unwrap_or(NONE));
                }
                self.unit = Some(0);
                self.least = Some(0);
            }
            Predicate::ZeroOrNormal => {
                self.keep_codes(0..=format.max_finite_of(true));
                self.least = Some(
                    self.least
                        .unwrap_or(i64::MIN)
                        .max(format.min_exponent().into()),
                );
            }
            Predicate::Finite if format.is_integer() => {}
            Predicate::Finite => self.keep_codes(0..=format.max_finite_of(true)),
            Predicate::Normal => self.keep_codes(least_normal..=format.max_finite_of(true)),
            Predicate::Subnormal if least_normal == 0 => self.keep_codes(NONE),
            Predicate::Subnormal => self.keep_codes(1..=least_normal - 1),
            Predicate::Nonzero if format.has_zero() => self.keep_codes(1..=u64::MAX),
            Predicate::Nonzero => {}
            Predicate::Exponent(low, high) => {
                let [low, high] = [low, high].map(|exponent| field(&format, exponent));
                // Subnormal numbers have field 0 and the exponent of field 1.
                let least = if low <= 1 && format.has_zero() {
                    0
                } else {
                    low
                };
                let beyond = if high == 0 && format.has_zero() {
                    0
                } else {
                    high + 1
                };
                match beyond << fraction {
                    0 => self.keep_codes(NONE),
                    end => self
                        .keep_codes(least << fraction..=(end - 1).min(format.max_finite_of(true))),
                }
            }
            Predicate::Bits(count) => {
                let kept = (count - 1).min(fraction);
                self.cleared = self.cleared.max(fraction - kept);
            }
            Predicate::Positive if format.sign_mask() != 0 => self.negative = NONE,
            Predicate::Negative if format.sign_mask() != 0 => self.positive = NONE,
            // This keeps more than the admitted numbers: between the numbers of another format, the
            // step from code to code is not constant.
            Predicate::In(ref other) => {
                let greatest =
                    Dyadic::of(other, other.greatest()).filter(|_| !format.is_complement());
                let greatest = greatest.and_then(|greatest| greatest.register(&format));
                let greatest = greatest.map(|register| format.magnitude(register));
                self.keep_codes(0..=greatest.unwrap_or(format.max_finite_of(true)));
                if other.min_exponent() >= format.min_exponent() {
                    let dropped = format.fraction_bits.saturating_sub(other.fraction_bits);
                    self.cleared = self.cleared.max(dropped);
                }
            }
            Predicate::Positive | Predicate::Negative => {}
            Predicate::Zero => self.keep_codes(0..=0),
            Predicate::Values(ref values) => self.keep_register(values[number]),
        }
    }

    /// Keeps the integers between the limits.
    fn keep_between(&mut self, low: i64, high: i64) {
        let positive = match u64::try_from(high) {
            Ok(high) => low.max(0).unsigned_abs()..=high,
            Err(_) => NONE,
        };
        let negative = if low < 0 {
            high.min(-1).unsigned_abs()..=low.unsigned_abs()
        } else {
            NONE
        };
        for (range, kept) in [
            (&mut self.positive, positive),
            (&mut self.negative, negative),
        ] {
            *range = common(range, &kept);
        }
    }

    fn keep_codes(&mut self, codes: RangeInclusive<u64>) {
        for range in [&mut self.positive, &mut self.negative] {
            *range = common(range, &codes);
        }
    }

    fn keep_register(&mut self, register: u64) {
        if self.format.is_negative(register) {
            self.positive = NONE
        } else {
            self.negative = NONE
        }
        let code = self.format.magnitude(register);
        self.keep_codes(code..=code);
    }

    /// Narrows the ranges so that they begin and end with admitted codes.
    fn without_partial_steps(mut self) -> Self {
        let (step, rest) = (1 << self.cleared, (1 << self.cleared) - 1);
        for range in [&mut self.positive, &mut self.negative] {
            let least = range.start().next_multiple_of(step);
            *range = if least <= *range.end() {
                least..=range.end() & !rest
            } else {
                NONE
            };
        }
        self
    }

    /// The subset of the numbers that have these codes.
    pub fn with_codes(&self, codes: RangeInclusive<u64>) -> Numbers {
        let mut numbers = self.clone();
        numbers.keep_codes(codes);
        numbers.without_partial_steps()
    }

    /// The codes of the finite numbers. For each sign that has finite numbers, a pair: whether the
    /// sign is negative, and an interval of codes, whose ends are admitted.
    pub fn finite_codes(&self) -> Vec<(bool, RangeInclusive<u64>)> {
        let greatest = if !self.format.has_fields() {
            u64::MAX
        } else {
            self.format.max_finite() >> self.cleared << self.cleared
        };
        let finite = |range: &RangeInclusive<u64>| *range.start()..=greatest.min(*range.end());
        let both = [
            (false, finite(&self.positive)),
            (true, finite(&self.negative)),
        ];
        both.into_iter()
            .filter(|(_, range)| !range.is_empty())
            .collect()
    }

    /// The finite numbers as a range, from which operands are drawn.
    pub fn range(&self) -> OperandRange {
        OperandRange {
            codes: self.finite_codes(),
            cleared_bits: self.cleared,
            unit: self.unit,
            least: self.least,
        }
    }

    /// The next greater admitted number after `register`, which is an admitted number or a NaN.
    /// There is no next number after the greatest number or after a NaN.
    pub fn next<B: Instance>(&self, register: &B) -> Next<B> {
        let format = &self.format;
        let x = unpack(format, register);
        let bits = format.magnitude_bits();
        let code = format.code_of(register);
        let code_of = |code: &u64| B::lit(bits, *code);
        let step = code_of(&(1 << self.cleared));
        let signed = |negative: bool, code: &B| format.assemble(&B::Bool::constant(negative), code);
        let up = signed(false, &code.add(&step));
        let down = || signed(true, &code.sub(&step));
        let least_positive = || signed(false, &code_of(self.positive.start()));
        let before_greatest = || code.ult(&code_of(self.positive.end()));
        let is_last_negative = || code.equals(&code_of(self.negative.start()));
        let (register, exists) = match (self.positive.is_empty(), self.negative.is_empty()) {
            (true, true) => (up, B::Bool::constant(false)),
            (false, true) => (up, before_greatest()),
            (true, false) => (down(), is_last_negative().not()),
            (false, false) => {
                let rising = mux(&is_last_negative(), &least_positive(), &down());
                (mux(&x.sign, &rising, &up), x.sign.or(&before_greatest()))
            }
        };
        Next {
            register,
            exists: exists.and(&x.nan.not()),
        }
    }
}

pub(super) fn common<N: Ord + Copy>(
    x: &RangeInclusive<N>,
    y: &RangeInclusive<N>,
) -> RangeInclusive<N> {
    *x.start().max(y.start())..=*x.end().min(y.end())
}
