//! Inputs of a domain: drawn, moved into it, and told from others.

use super::Domain;
use super::code_set::CodeSet;
use super::equalities::opposite_of;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_numbers::bits::{Bv, Concrete, W128};
use mmasmt_numbers::float::{Dyadic, Encoding, Format};
use num_traits::ToPrimitive;
use rand::{Rng, RngExt};
use std::ops::RangeInclusive;
use thiserror::Error;

/// A domain admits no register for an operand.
#[derive(Debug, Error, PartialEq, Eq)]
#[error(
    "assumption `{domain}`: expected values of {format} in it for operand {operand}, found none"
)]
pub struct EmptyDomain {
    domain: String,
    format: &'static str,
    operand: String,
}

impl Domain {
    /// Applies [`Self::fixed`] to inputs that are given as registers. Inputs that do not
    /// [fit](Inputs::fit) the signature are returned as they are.
    #[must_use]
    pub fn fixed_bits(&self, inputs: &Inputs) -> Inputs {
        if !inputs.fit(&self.signature) {
            return inputs.clone();
        }
        let mut sets = self.sets.operands();
        let moved = inputs.map(&self.signature, |_, &register| {
            sets.next().map_or(register, |set| set.moved_bits(register))
        });
        self.equalised(moved)
    }

    /// The inputs where operands that equal others have their registers, and nothing else is
    /// changed. The inputs [fit](Inputs::fit) the signature.
    #[must_use]
    pub fn equalised(&self, inputs: Inputs) -> Inputs {
        self.equalities
            .applied(&self.signature, inputs, |format, register| {
                opposite_of(format, *register)
            })
    }

    /// Whether the inputs are in the domain; false if they do not [fit](Inputs::fit) the signature
    /// of the domain.
    pub fn contains(&self, inputs: &Inputs) -> bool {
        if !inputs.fit(&self.signature) {
            return false;
        }
        let mut operands = inputs.each(&self.signature).zip(self.sets.operands());
        operands.all(|((_, register), set)| set.contains(*register))
            && (self.equalities.is_empty() || self.equalised(inputs.clone()) == *inputs)
    }

    /// Inputs in the domain, the register of each operand by `draw` until the domain admits it, or the
    /// register that the domain fixes; `None` if it admits none of `most` draws of an operand.
    pub fn drawn(&self, most: u32, mut draw: impl FnMut(usize, &Format) -> u64) -> Option<Inputs> {
        self.each_free(Inputs::zero(&self.signature), |operand, format, _| {
            let set = self.sets.get(operand);
            let drawn = draw(operand, format);
            let moved = set.moved_bits(drawn);
            // What is fixed but for its sign is what every number becomes in the domain.
            if set.contains(drawn) || set.has_one_code() && set.contains(moved) {
                return Some(moved);
            }
            (0..most)
                .map(|_| draw(operand, format))
                .find(|drawn| set.contains(*drawn))
        })
        .ok()
    }

    /// The inputs moved into the domain: operands get what the domain fixes, and those that are
    /// still outside are drawn again one by one, with exponents that the domain admits. Operands
    /// that equal others take their registers.
    ///
    /// # Errors
    /// If the domain admits no register for an operand.
    pub fn place(&self, inputs: Inputs, rng: &mut impl Rng) -> Result<Inputs, EmptyDomain> {
        if self.is_everything() {
            return Ok(inputs);
        }
        let placed = self.each_free(inputs, |operand, _, register| {
            self.sets.get(operand).placed(register, rng)
        });
        placed.map_err(|(operand, format)| EmptyDomain {
            domain: self.text.clone(),
            format: format.name(),
            operand: super::operands::name(&self.signature, operand),
        })
    }

    /// The inputs where `change` gives each operand that there is and that equals no earlier one its register;
    /// the first operand that it gives none.
    fn each_free(
        &self,
        inputs: Inputs,
        mut change: impl FnMut(usize, &Format, u64) -> Option<u64>,
    ) -> Result<Inputs, (usize, Format)> {
        let (mut index, mut failed) = (0, None);
        let changed = inputs.map(&self.signature, |format, &register| {
            let operand = index;
            index += 1;
            if self.equalities.source(operand).is_some() || *format == Format::NONE {
                return register;
            }
            change(operand, format, register).unwrap_or_else(|| {
                failed.get_or_insert((operand, *format));
                register
            })
        });
        failed.map_or_else(|| Ok(self.equalised(changed)), Err)
    }
}

impl CodeSet {
    /// [`moved`](Self::moved), on a register that is a plain integer.
    pub fn moved_bits(&self, register: u64) -> u64 {
        match self.contains(register) {
            true => register,
            false => self
                .moved(&W128::lit(self.format.width(), register))
                .to_u64(),
        }
    }

    /// Whether all members have one code.
    fn has_one_code(&self) -> bool {
        let ends = self.ends();
        ends.iter()
            .all(|(_, codes)| codes.start() == codes.end() && *codes == ends[0].1)
    }

    /// The register with all that the set fixes, if that is a member; else a member that is drawn. `None` if
    /// there is none.
    fn placed(&self, register: u64, rng: &mut impl Rng) -> Option<u64> {
        if self.contains(register) {
            return Some(register);
        }
        let own = self.shaped(&W128::lit(self.format.width(), register));
        let own = own.to_u64();
        if self.contains(own) {
            return Some(own);
        }
        let ends = self.ends();
        if ends.is_empty() {
            return None;
        }
        if self.format.is_integer() {
            return Some(self.drawn_integer(ends, rng));
        }
        if self.digits > self.format.precision() && self.unit > i64::MIN {
            return self.drawn_multiple(ends, rng);
        }
        self.drawn_float(ends, rng)
    }

    /// An integer, each as likely as any other.
    fn drawn_integer(&self, ends: &[(bool, RangeInclusive<u64>)], rng: &mut impl Rng) -> u64 {
        let count = |range: &RangeInclusive<u64>| range.end() - range.start();
        let all = ends.iter().map(|(_, range)| count(range)).sum::<u64>() + ends.len() as u64 - 1;
        let mut index = rng.random_range(0..=all);
        for (negative, range) in ends {
            if index <= count(range) {
                return self.register(*negative, range.start() + index);
            }
            index -= count(range) + 1;
        }
        self.register(ends[0].0, *ends[0].1.start())
    }

    /// A multiple of the unit, of any magnitude.
    fn drawn_multiple(
        &self,
        ends: &[(bool, RangeInclusive<u64>)],
        rng: &mut impl Rng,
    ) -> Option<u64> {
        let format = &self.format;
        let multiple = |negative: bool, code: u64| {
            let value = Dyadic::of(format, format.signed(negative, code))?.shifted(-self.unit);
            (value.mantissa() << value.exponent()).to_i64()
        };
        let both = ends.iter().flat_map(|(negative, codes)| {
            [*codes.start(), *codes.end()].map(|code| multiple(*negative, code))
        });
        let both: Vec<i64> = both.collect::<Option<_>>()?;
        let range = *both.iter().min()?..=*both.iter().max()?;
        let greatest = range.start().unsigned_abs().max(range.end().unsigned_abs());
        let length = (i64::BITS - greatest.leading_zeros()).min(i64::BITS - 1);
        loop {
            let drawn = rng.random_range(range.clone());
            // The shift makes small integers as frequent as great ones: without it, nearly all would
            // have as many bits as the ends of the range.
            let short = drawn >> rng.random_range(0..=length);
            let value = if range.contains(&short) { short } else { drawn };
            let value = Dyadic::new(value.into(), self.unit);
            let beyond = self.first_code(|own| own.magnitude_exceeds(&value));
            let negative = value.is_negative();
            if let Some(code) = self.code_to(negative, beyond.saturating_sub(1)) {
                return Some(self.register(negative, code));
            }
        }
    }

    /// A number with any of the exponent fields between the ends.
    fn drawn_float(&self, ends: &[(bool, RangeInclusive<u64>)], rng: &mut impl Rng) -> Option<u64> {
        let format = &self.format;
        let field = |code: u64| code >> format.fraction_bits;
        let least = ends.iter().map(|(_, codes)| field(*codes.start())).min()?;
        let most = ends.iter().map(|(_, codes)| field(*codes.end())).max()?;
        let drawn = Encoding {
            exponent: rng.random_range(least..=most),
            fraction: rng.random::<u64>() & format.max_fraction(),
            negative: rng.random(),
            dropped: 0,
        };
        let code = format.code(drawn.exponent, drawn.fraction);
        let signs = [drawn.negative, !drawn.negative].into_iter();
        let signs = signs.filter(|negative| ends.iter().any(|(own, _)| own == negative));
        let mut members = signs.filter_map(|negative| {
            let code = self
                .code_to(negative, code)
                .or_else(|| self.code_from(negative, code))?;
            Some(self.register(negative, code))
        });
        members.next()
    }
}
