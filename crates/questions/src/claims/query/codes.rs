//! The registers of an operand at which rules decide: the ends of its domain, powers of two and their neighbours,
//! ties, zeros of both signs.

use crate::claims::property::Domain;
use mmasmt_numbers::float::{Dyadic, Format};
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// A domain of at most this many codes of an operand is taken whole.
const FEW: u64 = 64;
/// If a range has at most this many exponents, each is taken; else its ends, the critical ones, and some drawn ones.
const EXPONENTS: u64 = 12;
/// One drawn register in so many is an infinity or a NaN, if these are asked for.
const SPECIAL: u32 = 8;

/// Registers of one operand that the domain admits.
pub(super) struct OperandCodes {
    pub format: Format,
    /// The numbers, each with the exponent of its leading bit.
    numbers: Vec<(Option<i64>, u64)>,
    /// Infinities and NaNs.
    specials: Vec<u64>,
    /// The register of an operand that does not matter: a zero, if the domain has one.
    pub plain: u64,
}

/// The registers of an operand that are drawn; `None` if the domain admits none of them.
pub(super) fn codes_of(
    domain: &Domain,
    operand: usize,
    format: &Format,
    critical: &[i64],
    specials: bool,
    rng: &mut impl Rng,
) -> Option<OperandCodes> {
    let (set, range) = (domain.codes(operand), domain.range(operand));
    let mut found = BTreeSet::new();
    for (negative, codes) in &range.codes {
        let codes = notable(format, codes, range.cleared_bits, critical, rng);
        found.extend(codes.into_iter().map(|code| format.signed(*negative, code)));
    }
    // A NaN that the domain fixes is in no range.
    let fixed = set.moved_bits(0);
    found.insert(fixed);
    let numbers: Vec<(Option<i64>, u64)> = found
        .into_iter()
        .filter(|register| format.is_finite(*register) && set.contains(*register))
        .map(|register| {
            let value = Dyadic::of(format, register);
            (value.and_then(|value| value.leading_exponent()), register)
        })
        .collect();
    let special = match specials {
        true => special_codes(format, fixed),
        false => Vec::new(),
    };
    let mut specials = special;
    specials.retain(|register| set.contains(*register));
    let first = numbers.first().map(|(_, register)| *register);
    let plain = match set.contains(0) && format.has_zero() {
        true => 0,
        false => first.or(specials.first().copied())?,
    };
    Some(OperandCodes {
        format: *format,
        numbers,
        specials,
        plain,
    })
}

/// Infinities, NaNs with the first and the last bit of the fraction set, and the `fixed` register if it is such a code.
fn special_codes(format: &Format, fixed: u64) -> Vec<u64> {
    let width = format.width();
    let all = match width {
        0..=6 => (0..1 << width).collect(),
        _ => {
            let field = format.code(format.field_ones(), 0);
            let fractions = [0, 1, format.max_fraction(), format.max_fraction() / 2 + 1];
            let codes = fractions.map(|fraction| field | fraction);
            let both = codes.map(|code| [false, true].map(|minus| format.signed(minus, code)));
            let minus_zero = format.signed(true, 0);
            both.into_iter().flatten().chain([minus_zero]).collect()
        }
    };
    let mut all: Vec<u64> = all;
    all.push(fixed);
    all.retain(|register| !format.is_finite(*register));
    all
}

/// Codes of a range that are likely to tell.
fn notable(
    format: &Format,
    codes: &RangeInclusive<u64>,
    cleared: u32,
    critical: &[i64],
    rng: &mut impl Rng,
) -> BTreeSet<u64> {
    let (first, last) = (*codes.start(), *codes.end());
    let step = 1u64 << cleared;
    if last.saturating_sub(first) / step < FEW {
        return codes.clone().step_by(step as usize).collect();
    }
    let mut found = BTreeSet::from([first, first + step, last, last - step]);
    found.insert(rng.random_range(codes.clone()));
    if !format.has_fields() || format.is_integer() {
        let powers = (0..u64::BITS).map(|bit| 1u64 << bit);
        found.extend(powers.flat_map(|power| [power - 1, power, power.saturating_add(1)]));
        (0..4).for_each(|_| _ = found.insert(rng.random_range(codes.clone())));
    } else {
        let field = |code: u64| code >> format.fraction_bits;
        let (low, high) = (field(first), field(last));
        let mut fields = BTreeSet::from([low, high]);
        if high - low <= EXPONENTS {
            fields.extend(low..=high);
        } else {
            fields.extend([low + 1, low + 2, high - 1, high - 2]);
            let halves = critical
                .iter()
                .flat_map(|exponent| [*exponent, exponent / 2]);
            let of = halves.map(|exponent| format.field_of(exponent).max(0) as u64);
            fields.extend(of.flat_map(|field| [field.saturating_sub(1), field, field + 1]));
            fields.extend((0..4).map(|_| rng.random_range(low..=high)));
        }
        let ones = format.max_fraction();
        let drawn = rng.random::<u64>() & ones;
        let half = ones / 2 + 1;
        let fractions = [
            0,
            1,
            half,
            half | 1,
            ones,
            ones - u64::from(ones > 0),
            drawn,
        ];
        for field in fields {
            found.extend(fractions.map(|fraction| format.code(field, fraction)));
        }
    }
    let kept = |code: u64| code >> cleared << cleared;
    let found = found.into_iter().map(kept);
    found.filter(|code| codes.contains(code)).collect()
}

impl OperandCodes {
    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = u64> {
        let numbers = self.numbers.iter().map(|(_, register)| *register);
        numbers.chain(self.specials.iter().copied())
    }

    pub fn drawn(&self, rng: &mut impl Rng) -> u64 {
        let number = self.numbers.choose(rng).map(|(_, register)| *register);
        let special = self.specials.choose(rng).copied();
        match (number, special) {
            (Some(_), Some(special)) if rng.random_range(0..SPECIAL) == 0 => special,
            (Some(number), _) => number,
            (None, special) => special.unwrap_or(self.plain),
        }
    }

    /// A number whose leading bit has this exponent, or one beside it.
    pub fn near(&self, exponent: i64, rng: &mut impl Rng) -> Option<u64> {
        let near = |(own, _): &&(Option<i64>, u64)| own.is_some_and(|own| own == exponent);
        let all: Vec<_> = self.numbers.iter().filter(near).collect();
        if let Some((_, register)) = all.choose(rng) {
            return Some(*register);
        }
        let nearest = self
            .numbers
            .iter()
            .filter_map(|(own, register)| Some(((own.as_ref()? - exponent).abs(), *register)));
        nearest.min().map(|(_, register)| register)
    }
}
