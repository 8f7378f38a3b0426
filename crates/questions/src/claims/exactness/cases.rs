//! Proves two models equal in cases, one for each range of exponents of the only nonzero product.
//!
//! Over all exponents at once, the only product may underflow, overflow or do neither, and the
//! analysis decides little. With each factor in a single binade, the analysis decides nearly
//! everything. A range of binades is tried as a whole and halved if the analysis fails: most of the
//! ranges for which it succeeds are large.

use super::operand::OperandValues;
use super::operands::DomainOperands;
use crate::claims::property::{CodeSet, Domain};
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_numbers::float::Format;
use std::ops::RangeInclusive;

/// The most cases that are tried.
const MOST: u32 = 1 << 14;

/// The only product that may be nonzero, and the numbers that its factors may be.
pub(super) struct Cases<'x> {
    operands: &'x DomainOperands,
    product: usize,
    /// The numbers that each factor of the product may be, with the format of the factor.
    factors: [(Format, &'x CodeSet); 2],
}

impl<'x> Cases<'x> {
    /// The cases of the only nonzero product; `None` if several products or none may be nonzero,
    /// and for integers.
    pub fn of(
        operands: &'x DomainOperands,
        signature: &Signature,
        domain: &'x Domain,
    ) -> Option<Cases<'x>> {
        let products = operands.products.iter().enumerate();
        let mut others = products.filter(|(_, product)| !product.exact().values.is_zero());
        let (product, _) = others.next()?;
        let is_only = others.next().is_none() && !signature.is_integer();
        let numbers = |operand: usize, format| (format, domain.codes(operand));
        let count = signature.products as usize;
        is_only.then(|| Cases {
            operands,
            product,
            factors: [
                numbers(product, signature.a),
                numbers(count + product, signature.b),
            ],
        })
    }

    /// The number of cases, if `holds` is true in every case. `None` if it is false in a case that
    /// cannot be halved, or if there are too many cases.
    pub fn all(&self, holds: impl Fn(&DomainOperands) -> bool) -> Option<u32> {
        let all = [0, 1].map(|factor| 0..=last_binade(&self.factors[factor].0));
        let mut open = vec![all];
        let (mut asked, mut held) = (0, 0);
        while let Some(case) = open.pop() {
            let Some(operands) = self.operands_in(&case) else {
                continue;
            };
            asked += 1;
            if holds(&operands) {
                held += 1;
                continue;
            }
            if asked >= MOST {
                return None;
            }
            open.extend(halves(case)?);
        }
        Some(held)
    }

    /// The operands with the factors of the product in these binades; `None` if a factor has no
    /// number there.
    fn operands_in(&self, case: &[RangeInclusive<u32>; 2]) -> Option<DomainOperands> {
        let factor = |(format, numbers): &(Format, &CodeSet), binades: &RangeInclusive<u32>| {
            let codes =
                least_code(format, *binades.start())..=least_code(format, binades.end() + 1) - 1;
            OperandValues::of(format, &numbers.with_codes(codes).range())
        };
        let [a, b] = &self.factors;
        let (a, b) = (factor(a, &case[0])?, factor(b, &case[1])?);
        let mut operands = self.operands.clone();
        let product = operands.products.get_mut(self.product)?;
        (product.a, product.b) = (a, b);
        Some(operands)
    }
}

/// The two halves of a case, split along its longer range; `None` if both factors lie in one
/// binade.
pub fn halves([a, b]: [RangeInclusive<u32>; 2]) -> Option<[[RangeInclusive<u32>; 2]; 2]> {
    let length = |range: &RangeInclusive<u32>| range.end() - range.start();
    let split = |range: &RangeInclusive<u32>| {
        let middle = range.start() + length(range) / 2;
        [*range.start()..=middle, middle + 1..=*range.end()]
    };
    match length(&a).max(length(&b)) {
        0 => None,
        most if length(&a) == most => Some(split(&a).map(|half| [half, b.clone()])),
        _ => Some(split(&b).map(|half| [a.clone(), half])),
    }
}

/// The least code of a binade. Binade 0 is zero; the binades of the subnormal numbers follow.
pub fn least_code(format: &Format, binade: u32) -> u64 {
    let subnormal = if format.has_subnormals() {
        format.fraction_bits
    } else {
        0
    };
    match binade {
        0 => 0,
        binade if binade <= subnormal => 1 << (binade - 1),
        binade => u64::from(binade - subnormal) << format.fraction_bits,
    }
}

/// The binade of the greatest number.
pub fn last_binade(format: &Format) -> u32 {
    let mut binades = 0..;
    let beyond =
        |binade: &u32| least_code(format, *binade) > format.max_finite_of(format.is_complement());
    binades.find(beyond).map_or(0, |binade| binade - 1)
}
