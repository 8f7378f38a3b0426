//! Moves drawn inputs into a domain.

use super::numbers::common;
use super::predicate::{Clause, Predicate, greatest_exponent};
use super::{Domain, integers};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::numbers::bits::{Bv, Concrete, W128};
use mmasmt_core::numbers::float::{Encoding, Format};
use rand::{Rng, RngExt};
use std::ops::RangeInclusive;
use thiserror::Error;

/// No register that the domain admits was found for an operand.
#[derive(Debug, Error, PartialEq, Eq)]
#[error(
    "assumption `{domain}`: expected values of {format} in it for operand {operand}, found none in {tries} tries: \
     it is empty or too narrow to be drawn from (`mmasmt prove` tells which)"
)]
pub struct TooNarrow {
    domain: String,
    format: &'static str,
    operand: String,
    tries: u32,
}

/// How many registers are drawn for an operand before the search is given up.
const TRIES: u32 = 1000;

impl Domain {
    /// The inputs moved into the domain: operands are [fixed](Self::fixed), and operands that are
    /// still outside are drawn again one by one, with exponents that the domain admits. Operands
    /// that equal others take their registers.
    ///
    /// # Errors
    /// If no admitted register is found for an operand.
    pub fn place(&self, inputs: Inputs, rng: &mut impl Rng) -> Result<Inputs, TooNarrow> {
        if self.is_everything() {
            return Ok(inputs);
        }
        let mut index = 0;
        let mut failed = None;
        let placed = inputs.map(&self.signature, |format, &register| {
            let operand = index;
            index += 1;
            if self.equalities.source(operand).is_some() || *format == Format::NONE {
                return register;
            }
            self.placed(operand, format, register, rng)
                .unwrap_or_else(|| {
                    failed.get_or_insert((operand, *format));
                    register
                })
        });
        match failed {
            None => Ok(self.equalised(placed)),
            Some((operand, format)) => Err(TooNarrow {
                domain: self.text.clone(),
                format: format.name(),
                operand: super::operands::name(&self.signature, operand),
                tries: TRIES,
            }),
        }
    }

    /// Fixes the register, and returns it if the domain then admits it for the operand. Otherwise,
    /// returns an admitted register that is drawn; `None` if none is found.
    fn placed(
        &self,
        operand: usize,
        format: &Format,
        register: u64,
        rng: &mut impl Rng,
    ) -> Option<u64> {
        let clauses = || self.clauses_of(operand);
        let fixed = |register: u64| {
            let word = W128::lit(format.width(), register);
            let word = clauses().fold(word, |word, (clause, number)| {
                clause.predicate.fix(format, number, &word)
            });
            word.to_u64()
        };
        let admitted = |register: u64| {
            let register = fixed(register);
            self.admits(operand, register).then_some(register)
        };
        if let Some(register) = admitted(register) {
            return Some(register);
        }
        let fields = clauses()
            .map(|(clause, _)| clause.predicate.fields(format))
            .reduce(|x, y| common(&x, &y))
            .filter(|fields| !fields.is_empty())?;
        if format.is_integer() {
            return self.drawn_integer(operand, format, rng).and_then(admitted);
        }
        let whole = clauses().filter_map(|(clause, _)| match &clause.predicate {
            Predicate::Between(low, high) => Some(*low..=*high),
            _ => None,
        });
        let whole = whole.reduce(|x, y| common(&x, &y));
        if whole.as_ref().is_some_and(RangeInclusive::is_empty) {
            return None;
        }
        (0..TRIES).find_map(|_| {
            if let Some(range) = &whole {
                return admitted(whole_number(format, range.clone(), rng)?);
            }
            let drawn = Encoding {
                exponent: rng.random_range(fields.clone()),
                fraction: rng.random::<u64>() & format.max_fraction(),
                negative: rng.random(),
                dropped: 0,
            };
            admitted(drawn.register(format))
        })
    }

    /// An integer drawn from those that the domain admits for an operand, each as likely as any
    /// other.
    fn drawn_integer(&self, operand: usize, format: &Format, rng: &mut impl Rng) -> Option<u64> {
        let ranges = self.numbers(operand, format).finite_codes();
        let count = |range: &RangeInclusive<u64>| range.end() - range.start() + 1;
        let all = ranges.iter().map(|(_, range)| count(range)).sum::<u64>();
        let mut index = rng.random_range(0..(all > 0).then_some(all)?);
        for (negative, range) in &ranges {
            match index.checked_sub(count(range)) {
                None => return Some(format.signed(*negative, range.start() + index)),
                Some(rest) => index = rest,
            }
        }
        None
    }

    /// The clauses that apply to an operand, each with the position that [`Clause::numbers`] has
    /// for this operand.
    pub(super) fn clauses_of(&self, operand: usize) -> impl Iterator<Item = (&Clause, usize)> {
        let clauses = self.clauses.iter();
        clauses.filter_map(move |clause| Some((clause, clause.numbers[operand]?)))
    }
}

/// Draws an integer of any magnitude from the range; `None` if the format does not have that
/// integer.
fn whole_number(format: &Format, range: RangeInclusive<i64>, rng: &mut impl Rng) -> Option<u64> {
    let drawn = rng.random_range(range.clone());
    // The shift below makes small integers as frequent as great ones: without it, nearly all would
    // have as many bits as the ends of the range.
    let greatest = range.start().unsigned_abs().max(range.end().unsigned_abs());
    let length = i64::BITS - greatest.leading_zeros();
    let short = drawn >> rng.random_range(0..=length.min(i64::BITS - 1));
    let value = if range.contains(&short) { short } else { drawn };
    let is_number = match value {
        0 => format.has_zero(),
        _ => value > 0 || format.is_signed(),
    };
    let code = integers::code_of(format, value).filter(|_| is_number)?;
    Some(format.signed(value < 0, code))
}

impl Predicate {
    /// A range of exponent fields outside of which the predicate is false.
    pub fn fields(&self, format: &Format) -> RangeInclusive<u64> {
        let greatest = format.field_ones();
        match *self {
            Predicate::Normal if format.has_subnormals() => 1..=greatest,
            Predicate::Subnormal | Predicate::Zero => 0..=0,
            Predicate::Exponent(low, high) => {
                let field =
                    |exponent: i64| (format.field_of(exponent)).clamp(0, greatest as i64) as u64;
                // Subnormal numbers have field 0 and the least exponent.
                if low <= i64::from(format.min_exponent()) {
                    0..=field(high)
                } else {
                    field(low)..=field(high)
                }
            }
            Predicate::Between(low, high) if !format.is_integer() => {
                let most = format.field_of(greatest_exponent([low, high]));
                0..=most.clamp(0, greatest as i64) as u64
            }
            _ => 0..=greatest,
        }
    }
}
