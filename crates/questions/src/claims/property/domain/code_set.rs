//! The set of registers that a domain admits for one operand. All that a domain says of an operand is
//! derived from it: membership, the formula of membership, the nearest member, the next one, draws.

use super::predicate::Predicate;
use mmasmt_numbers::float::{Dyadic, Format, SignBit};
use std::hash::{Hash, Hasher};
use std::ops::RangeInclusive;
use std::sync::OnceLock;

/// A set of registers of one format, by their signs and codes (exponent field and fraction, or the
/// magnitude of an integer).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CodeSet {
    pub(super) format: Format,
    /// For the sign plus and the sign minus, ranges of codes, in ascending order and apart. NaNs have codes too.
    pub(super) ranges: [Vec<RangeInclusive<u64>>; 2],
    /// How many of the lowest bits are 0 in every code.
    pub(super) cleared: u32,
    /// The most significant bits of a number, from the first 1 to the last 1.
    pub(super) digits: u32,
    /// The exponent of a power of two of which all numbers are multiples.
    pub(super) unit: i64,
    /// The bits of the register that nothing reads and that are fixed, and their values.
    pub(super) unread: FixedBits,
    pub(super) facts: SetFacts,
}

/// Facts that were derived from a set, kept for the next question. They are no part of the set, and a copy, which may
/// become another set, begins without them.
#[derive(Debug, Default)]
pub(super) struct SetFacts {
    pub ends: OnceLock<Vec<(bool, RangeInclusive<u64>)>>,
    pub zeros: OnceLock<u32>,
    pub binades: OnceLock<Vec<u64>>,
}

impl Clone for SetFacts {
    fn clone(&self) -> SetFacts {
        SetFacts::default()
    }
}

impl PartialEq for SetFacts {
    fn eq(&self, _: &SetFacts) -> bool {
        true
    }
}

impl Eq for SetFacts {}

impl Hash for SetFacts {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// Bits of a register that have one value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct FixedBits {
    pub mask: u64,
    pub bits: u64,
}

impl CodeSet {
    /// All registers of a format.
    pub fn all(format: &Format) -> CodeSet {
        let greatest = match format.sign {
            SignBit::TwosComplement => format.max_finite(),
            _ => u64::MAX >> (64 - format.magnitude_bits()),
        };
        let negative = match format.sign {
            SignBit::TwosComplement => vec![1..=format.max_finite_of(true)],
            SignBit::Signed => vec![0..=greatest],
            SignBit::Ignored | SignBit::Absent => Vec::new(),
        };
        CodeSet {
            format: *format,
            ranges: [vec![0..=greatest], negative],
            cleared: 0,
            digits: u32::MAX,
            unit: i64::MIN,
            unread: FixedBits::default(),
            facts: SetFacts::default(),
        }
    }

    /// Keeps the registers that satisfy a predicate.
    pub fn keep(&mut self, predicate: &Predicate) {
        let format = self.format;
        let least_normal = match format.has_subnormals() {
            true => 1 << format.fraction_bits,
            false => 0,
        };
        if predicate.is_finite() {
            self.keep_finite();
        }
        match *predicate {
            Predicate::Finite => {}
            Predicate::Normal => self.keep_codes(&[least_normal..=u64::MAX]),
            Predicate::ZeroOrNormal => self.keep_codes(&[0..=0, least_normal..=u64::MAX]),
            Predicate::Subnormal if least_normal <= 1 => self.keep_codes(&[]),
            Predicate::Subnormal => self.keep_codes(&[1..=least_normal - 1]),
            Predicate::Zero => {
                self.keep_codes(&[0..=0]);
                self.keep_unread(0);
            }
            Predicate::Nonzero if !format.has_zero() => {}
            // The code of -0 is the NaN in some formats.
            Predicate::Nonzero if format.is_signed() && !format.has_negative_zero() => {
                self.keep_of_sign(false, &[1..=u64::MAX]);
            }
            Predicate::Nonzero => self.keep_codes(&[1..=u64::MAX]),
            Predicate::Positive if format.is_signed() => self.keep_of_sign(true, &[]),
            Predicate::Negative if format.is_signed() => self.keep_of_sign(false, &[]),
            Predicate::Positive | Predicate::Negative => {}
            Predicate::Exponent(low, high) => self.keep_exponents(low, high),
            Predicate::Bits(count) => {
                let kept = (count - 1).min(format.fraction_bits);
                self.cleared = self.cleared.max(format.fraction_bits - kept);
                let dropped = (1 << format.dropped_bits) - 1;
                self.keep_fixed(FixedBits {
                    mask: dropped,
                    bits: 0,
                });
            }
            Predicate::In(ref other) => self.keep_in(other),
            Predicate::Between(low, high) => {
                self.unit = self.unit.max(0);
                let [low, high] = [low, high].map(|limit| Dyadic::new(limit.into(), 0));
                self.keep_between(&low, &high);
            }
            Predicate::Is(register) => {
                let code = format.magnitude(register);
                let negative = format.is_negative(register);
                self.keep_of_sign(negative, &[code..=code]);
                self.keep_of_sign(!negative, &[]);
                self.keep_unread(register);
            }
        }
    }

    pub(super) fn keep_finite(&mut self) {
        let format = self.format;
        self.keep_of_sign(false, &[0..=format.max_finite()]);
        let is_nan = format.is_nan(format.sign_mask());
        let least = u64::from(format.is_signed() && is_nan);
        self.keep_of_sign(true, &[least..=format.max_finite_of(true)]);
    }

    /// Keeps the numbers of these exponents. Zero and subnormal numbers have the least exponent.
    fn keep_exponents(&mut self, low: i64, high: i64) {
        let format = self.format;
        let first = |exponent: i64| {
            let field = format.field_of(exponent);
            match format.has_zero() {
                true if field <= 1 => 0,
                _ => field.clamp(0, 1 << format.exponent_bits) as u64,
            }
        };
        let has_exponent = high >= format.min_exponent().into();
        let beyond = (format.field_of(high) + 1).clamp(0, 1 << format.exponent_bits);
        let end = format.code(beyond as u64, 0);
        let codes = format.code(first(low), 0)..=end.saturating_sub(1);
        match has_exponent && end > 0 {
            true => self.keep_codes(&[codes]),
            false => self.keep_codes(&[]),
        }
    }

    /// Keeps the numbers that another format has.
    fn keep_in(&mut self, other: &Format) {
        self.digits = self.digits.min(match other.is_complement() {
            true => u32::MAX,
            false => other.precision(),
        });
        self.unit = self.unit.max(other.least_exponent().into());
        let greatest =
            |negative| Dyadic::of(other, other.signed(false, other.max_finite_of(negative)));
        let (Some(high), Some(low)) = (greatest(false), greatest(true)) else {
            return;
        };
        let low = match other.is_signed() {
            true => low.magnitude().negated(),
            false => Dyadic::default(),
        };
        self.keep_between(&low, &high);
    }

    /// Keeps the numbers between two others. A zero of either sign counts as zero.
    fn keep_between(&mut self, low: &Dyadic, high: &Dyadic) {
        for negative in [false, true] {
            let [least, most] = match negative {
                false => [low.clone(), high.clone()],
                true => [high.negated(), low.negated()],
            };
            let first = self.first_code(|own| !own.minus(&least).is_negative());
            let beyond = self.first_code(|own| most.minus(own).is_negative());
            match beyond.checked_sub(1) {
                Some(last) => self.keep_of_sign(negative, &[first..=last]),
                None => self.keep_of_sign(negative, &[]),
            }
        }
    }

    /// The first code of a number whose magnitude is `great`, as all greater ones are; the code behind the
    /// greatest number if none is.
    pub(super) fn first_code(&self, great: impl Fn(&Dyadic) -> bool) -> u64 {
        let (mut low, mut high) = (0, self.format.max_finite_of(true) + 1);
        while low < high {
            let middle = low + (high - low) / 2;
            let value = Dyadic::of(&self.format, self.format.signed(false, middle));
            match value.is_none_or(|value| great(&value.magnitude())) {
                true => high = middle,
                false => low = middle + 1,
            }
        }
        low
    }

    fn keep_codes(&mut self, codes: &[RangeInclusive<u64>]) {
        self.keep_of_sign(false, codes);
        self.keep_of_sign(true, codes);
    }

    fn keep_of_sign(&mut self, negative: bool, codes: &[RangeInclusive<u64>]) {
        let ranges = &mut self.ranges[usize::from(negative)];
        *ranges = common(ranges, codes);
    }

    /// Keeps the registers whose bits that nothing reads are those of `register`.
    fn keep_unread(&mut self, register: u64) {
        let format = self.format;
        let sign = match format.sign {
            SignBit::Ignored => 1 << (format.width() - 1),
            _ => 0,
        };
        let mask = sign | ((1 << format.dropped_bits) - 1);
        self.keep_fixed(FixedBits {
            mask,
            bits: register & mask,
        });
    }

    fn keep_fixed(&mut self, fixed: FixedBits) {
        let both = self.unread.mask & fixed.mask;
        if (self.unread.bits ^ fixed.bits) & both != 0 {
            self.keep_codes(&[]);
        }
        self.unread.mask |= fixed.mask;
        self.unread.bits |= fixed.bits;
    }

    /// Keeps the registers that are in another set too.
    pub fn keep_common(&mut self, other: &CodeSet) {
        for negative in [false, true] {
            self.keep_of_sign(negative, &other.ranges[usize::from(negative)]);
        }
        self.cleared = self.cleared.max(other.cleared);
        self.digits = self.digits.min(other.digits);
        self.unit = self.unit.max(other.unit);
        self.keep_fixed(other.unread);
    }

    /// The subset with these codes.
    #[must_use]
    pub fn with_codes(&self, codes: RangeInclusive<u64>) -> CodeSet {
        let mut set = self.clone();
        set.keep_codes(&[codes]);
        set
    }

    /// The finite numbers among the registers.
    #[must_use]
    pub fn finite(&self) -> CodeSet {
        let mut set = self.clone();
        set.keep_finite();
        set
    }

    /// The registers of the negatives. In a format without -0, a zero and a NaN stay as they are.
    #[must_use]
    pub fn negated(&self) -> CodeSet {
        let mut set = self.clone();
        if self.format.sign_mask() == 0 {
            return set;
        }
        set.ranges.reverse();
        if !self.format.has_negative_zero() {
            for (ranges, own) in set.ranges.iter_mut().zip(&self.ranges) {
                let mut all = common(own, &[0..=0]);
                all.extend(common(ranges, &[1..=u64::MAX]));
                *ranges = all;
            }
        }
        set
    }
}

/// The codes that two lists of ranges have in common.
pub(super) fn common(
    left: &[RangeInclusive<u64>],
    right: &[RangeInclusive<u64>],
) -> Vec<RangeInclusive<u64>> {
    let both = left.iter().flat_map(|x| right.iter().map(move |y| (x, y)));
    let common = both.map(|(x, y)| *x.start().max(y.start())..=*x.end().min(y.end()));
    common.filter(|range| !range.is_empty()).collect()
}
