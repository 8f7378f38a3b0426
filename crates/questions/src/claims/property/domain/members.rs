//! The members of a set of registers: membership, their order, and properties that all of them share.

use super::code_set::{CodeSet, common};
use crate::inputs::OperandRange;
use std::ops::RangeInclusive;

/// A set of at most so many registers is compared with another one register by register.
const FEW: usize = 1 << 10;

impl CodeSet {
    /// Whether the register is in the set.
    pub fn contains(&self, register: u64) -> bool {
        let code = self.format.magnitude(register);
        let ranges = &self.ranges[usize::from(self.format.is_negative(register))];
        register & self.unread.mask == self.unread.bits
            && ranges.iter().any(|range| range.contains(&code))
            && self
                .low_zeros(code)
                .is_some_and(|zeros| code & ones(zeros) == 0)
    }

    /// How many of the lowest bits of a number with this code have to be 0; `None` if it is below the unit.
    pub(super) fn low_zeros(&self, code: u64) -> Option<u32> {
        Some(
            self.cleared
                .max(self.below_digits(code))
                .max(self.below_unit(code)?),
        )
    }

    /// How many of the lowest bits are below the digits that a number with this code may have.
    pub(super) fn below_digits(&self, code: u64) -> u32 {
        self.number(code)
            .map_or(0, |(length, _)| length.saturating_sub(self.digits))
    }

    /// How many of the lowest bits of a number with this code are below the unit; `None` if all are.
    pub(super) fn below_unit(&self, code: u64) -> Option<u32> {
        let Some((length, exponent)) = self.number(code) else {
            return Some(0);
        };
        let below = self.unit.saturating_sub(exponent).max(0);
        u32::try_from(below).ok().filter(|below| *below < length)
    }

    /// The length of the significand of a number, and the exponent of its last place; `None` for zero,
    /// infinities and NaNs.
    fn number(&self, code: u64) -> Option<(u32, i64)> {
        let number = self.format.number(self.format.signed(false, code))?;
        Some((number.mantissa.checked_ilog2()? + 1, number.exponent))
    }

    /// The set's least code that is at least `code`.
    pub fn code_from(&self, negative: bool, code: u64) -> Option<u64> {
        let mut code = code;
        loop {
            let mut ranges = self.ranges[usize::from(negative)].iter();
            let range = ranges.find(|range| *range.end() >= code)?;
            let within = code.max(*range.start());
            let next = match self.low_zeros(within) {
                Some(zeros) => within.checked_add(ones(zeros))? & !ones(zeros),
                None => self.code_of_unit()?,
            };
            if next == code {
                return Some(code);
            }
            code = next;
        }
    }

    /// The set's greatest code that is at most `code`.
    pub fn code_to(&self, negative: bool, code: u64) -> Option<u64> {
        let mut code = code;
        loop {
            let mut ranges = self.ranges[usize::from(negative)].iter().rev();
            let range = ranges.find(|range| *range.start() <= code)?;
            let within = code.min(*range.end());
            let next = match self.low_zeros(within) {
                Some(zeros) => within & !ones(zeros),
                None if self.format.has_zero() => 0,
                None => return None,
            };
            if next == code {
                return Some(code);
            }
            code = next;
        }
    }

    /// The code of the least number that is a multiple of the unit.
    fn code_of_unit(&self) -> Option<u64> {
        let format = &self.format;
        let code = match self.unit - i64::from(format.least_exponent()) {
            places if format.has_subnormals() && places <= format.fraction_bits.into() => {
                1 << places.max(0)
            }
            _ => {
                let field = format.field_of(self.unit).max(0).unsigned_abs();
                format.code(field.min(format.field_ones() + 1), 0)
            }
        };
        (code <= format.max_finite_of(true)).then_some(code)
    }

    /// True if the set has no register.
    pub fn is_empty(&self) -> bool {
        [false, true]
            .iter()
            .all(|negative| self.code_from(*negative, 0).is_none())
    }

    /// Whether all registers are in the set.
    pub fn is_everything(&self) -> bool {
        *self == CodeSet::all(&self.format)
    }

    /// For each sign that has registers, whether it is negative, and the least and the greatest code.
    pub fn ends(&self) -> &[(bool, RangeInclusive<u64>)] {
        let ends = |negative| {
            let first = self.code_from(negative, 0)?;
            Some((negative, first..=self.code_to(negative, u64::MAX)?))
        };
        let known = &self.facts.ends;
        known.get_or_init(|| [false, true].into_iter().filter_map(ends).collect())
    }

    /// The register if the set has one alone; bits that nothing reads are not counted.
    pub fn only(&self) -> Option<u64> {
        match self.ends() {
            [(negative, codes)] if codes.start() == codes.end() => {
                Some(self.register(*negative, *codes.start()))
            }
            _ => None,
        }
    }

    /// The register of a code, with the bits that the set fixes.
    pub(super) fn register(&self, negative: bool, code: u64) -> u64 {
        self.format.signed(negative, code) | self.unread.bits
    }

    /// The registers in ascending order of codes, plus first; bits that nothing reads are not counted.
    pub fn iter(&self) -> impl Iterator<Item = u64> {
        [false, true].into_iter().flat_map(move |negative| {
            let first = self.code_from(negative, 0);
            let codes =
                std::iter::successors(first, move |code| self.code_from(negative, code + 1));
            codes.map(move |code| self.register(negative, code))
        })
    }

    /// True if every register is in `larger`. False says the opposite of a small set alone, and nothing of others.
    pub fn is_part_of(&self, larger: &CodeSet) -> bool {
        let few: Vec<u64> = self.iter().take(FEW + 1).collect();
        let fixes = self.unread.mask & larger.unread.mask == larger.unread.mask;
        if few.len() <= FEW {
            return few.is_empty()
                || fixes && few.into_iter().all(|register| larger.contains(register));
        }
        let mut ends = self.ends().iter();
        let of_ranges = ends.all(|(negative, ends)| {
            let negative = *negative;
            let own = common(
                &self.ranges[usize::from(negative)],
                std::slice::from_ref(ends),
            );
            common(&own, &larger.ranges[usize::from(negative)]) == own
        });
        let format = &self.format;
        of_ranges
            && fixes
            && self.unread.bits & larger.unread.mask == larger.unread.bits
            && self.cleared >= larger.cleared
            && (self.digits <= larger.digits || larger.digits > format.fraction_bits)
            && (self.unit >= larger.unit || larger.unit <= format.least_exponent().into())
    }

    /// The finite numbers as a range, from which operands are drawn and over which is proved.
    pub fn range(&self) -> OperandRange {
        let finite = self.finite();
        let format = &self.format;
        let codes = finite.ends().to_vec();
        let cleared_bits = finite.common_zeros();
        let least = [false, true]
            .into_iter()
            .filter_map(|negative| finite.code_from(negative, 1))
            .min();
        let exponent = |code: u64| {
            let (length, exponent) = self.number(code)?;
            Some(exponent + i64::from(length) - 1)
        };
        let is_gap = |code: &u64| {
            format.has_zero()
                && codes.iter().any(|(_, codes)| *codes.start() == 0)
                && *code > 1 << cleared_bits
        };
        let shown = i64::from(format.least_exponent()) + i64::from(cleared_bits);
        OperandRange {
            unit: Some(finite.unit).filter(|unit| *unit > shown),
            least: least.filter(is_gap).and_then(exponent),
            codes,
            cleared_bits,
        }
    }

    /// The ranges of codes, if all registers of these are in the set.
    pub(super) fn whole_ranges(&self) -> Option<Vec<(bool, RangeInclusive<u64>)>> {
        let all = [false, true].into_iter().flat_map(|negative| {
            let ranges = self.ranges[usize::from(negative)].iter();
            ranges.map(move |range| (negative, range.clone()))
        });
        let is_whole = self.cleared == 0 && !self.has_limits() && self.unread.bits == 0;
        is_whole.then(|| all.collect())
    }

    /// Whether the format has numbers of more digits, or no multiples of the unit.
    pub(super) fn has_limits(&self) -> bool {
        self.digits <= self.format.fraction_bits || self.unit > self.format.least_exponent().into()
    }

    /// Whether there are subnormal numbers other than zero.
    pub(super) fn has_subnormals(&self) -> bool {
        let format = &self.format;
        let is_subnormal = |code: u64| format.has_subnormals() && code < 1 << format.fraction_bits;
        let least = |negative| self.code_from(negative, 1);
        [false, true]
            .into_iter()
            .filter_map(least)
            .any(is_subnormal)
    }

    /// How many of the lowest bits are 0 in every number.
    pub(super) fn common_zeros(&self) -> u32 {
        if !self.has_limits() {
            return self.cleared;
        }
        *self.facts.zeros.get_or_init(|| {
            let binades = self.binades().iter();
            let zeros = binades.filter_map(|code| self.low_zeros(*code)).min();
            zeros.unwrap_or(self.cleared)
        })
    }

    /// How many of the lowest bits are 0 in every code, if the codes step evenly; `None` if they do not.
    pub(super) fn step_bits(&self) -> Option<u32> {
        let zeros = self.common_zeros();
        let is_even = |code: &u64| self.low_zeros(*code) == Some(zeros);
        let is_whole = |negative: bool| {
            let ranges = &self.ranges[usize::from(negative)];
            let first = self.code_from(negative, 0);
            let second = self.code_from(negative, first.unwrap_or(0) + 1);
            let follows = |(first, second)| second - first == 1 << zeros;
            ranges.len() <= 1 && first.zip(second).is_none_or(follows)
        };
        let holds = is_whole(false)
            && is_whole(true)
            && (!self.has_limits() || self.binades().iter().all(is_even));
        holds.then_some(zeros)
    }

    /// The least codes of the binades, and of the lengths of subnormal numbers, that have numbers of the set.
    pub(super) fn binades(&self) -> &[u64] {
        self.facts.binades.get_or_init(|| self.find_binades())
    }

    fn find_binades(&self) -> Vec<u64> {
        let format = &self.format;
        let subnormal = match format.has_subnormals() {
            true => format.fraction_bits,
            false => 0,
        };
        let lengths = (0..subnormal).map(|length| 1u64 << length);
        let first = u64::from(format.has_subnormals());
        let fields = (first..=format.field_ones()).map(|field| format.code(field, 0));
        let starts: Vec<u64> = lengths.chain(fields).collect();
        let ends = starts.iter().skip(1).copied().chain([u64::MAX]);
        let both = starts.iter().copied().zip(ends);
        let has = |(start, end): &(u64, u64)| {
            [false, true].iter().any(|negative| {
                self.code_from(*negative, *start)
                    .is_some_and(|code| code < *end)
            })
        };
        both.filter(has).map(|(start, _)| start).collect()
    }
}

/// So many lowest bits.
pub(super) fn ones(count: u32) -> u64 {
    !u64::MAX.unbounded_shl(count)
}
