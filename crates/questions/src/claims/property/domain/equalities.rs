//! Equalities between operands: which operands of a domain have the register of another one, or of
//! its negative.

use crate::claims::property::values::negated;
use mmasmt_core::machines::algorithms::{Registers, Signature};
use mmasmt_numbers::bits::{Bv, Concrete, W64};
use mmasmt_numbers::float::Format;

/// Which operands are assumed to equal others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Equalities {
    /// For each operand, in the order of [`Registers::each`], the first operand that it equals;
    /// empty if no operand equals another one.
    of_operand: Vec<RegisterEquality>,
    /// For each operand, whether another one equals it or its negative.
    is_bound: Vec<bool>,
}

/// The register of an operand: that of operand `first`, or that of its negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RegisterEquality {
    pub first: usize,
    pub negated: bool,
}

/// An assumption that two operands are equal, or one the negative of the other, and the index of the
/// clause that makes it.
#[derive(Clone, Copy, Debug)]
pub(super) struct EqualPair {
    pub operands: [usize; 2],
    pub negated: bool,
    pub clause: usize,
}

impl Equalities {
    /// What follows for `count` operands from `pairs`.
    ///
    /// # Errors
    /// The pair that contradicts the others: by all pairs together an operand would equal its own
    /// negative.
    pub fn of(count: usize, pairs: &[EqualPair]) -> Result<Equalities, EqualPair> {
        if pairs
            .iter()
            .all(|pair| pair.operands[0] == pair.operands[1] && !pair.negated)
        {
            return Ok(Equalities::default());
        }
        let mut of_each = vec![Vec::new(); count];
        for pair in pairs {
            let [left, right] = pair.operands;
            of_each[left].push((right, pair));
            of_each[right].push((left, pair));
        }
        let mut found: Vec<Option<RegisterEquality>> = vec![None; count];
        for first in 0..count {
            if found[first].is_some() {
                continue;
            }
            let negated = false;
            found[first] = Some(RegisterEquality { first, negated });
            let mut open = vec![(first, negated)];
            while let Some((operand, negated)) = open.pop() {
                for &(other, pair) in &of_each[operand] {
                    let negated = negated != pair.negated;
                    match found[other] {
                        None => {
                            found[other] = Some(RegisterEquality { first, negated });
                            open.push((other, negated));
                        }
                        Some(known) if known.negated != negated => return Err(*pair),
                        Some(_) => {}
                    }
                }
            }
        }
        let of_operand: Vec<RegisterEquality> = found.into_iter().flatten().collect();
        let mut sizes = vec![0usize; count];
        for equal in &of_operand {
            sizes[equal.first] += 1;
        }
        let is_bound = of_operand.iter().map(|equal| sizes[equal.first] > 1);
        Ok(Equalities {
            is_bound: is_bound.collect(),
            of_operand,
        })
    }

    /// Whether no operand equals another one.
    pub fn is_empty(&self) -> bool {
        self.of_operand.is_empty()
    }

    /// The earlier operand that gives an operand its register; `None` if the operand is free.
    pub fn source(&self, operand: usize) -> Option<RegisterEquality> {
        let equal = *self.of_operand.get(operand)?;
        (equal.first != operand).then_some(equal)
    }

    /// True if an operand equals an earlier or a later one.
    pub fn is_bound(&self, operand: usize) -> bool {
        self.is_bound.get(operand) == Some(&true)
    }

    /// Whether the same equalities hold if `moved` puts every operand into the place of another one.
    pub fn are_kept_by(&self, moved: impl Fn(usize) -> usize) -> bool {
        let mut all = self.of_operand.iter().enumerate();
        all.all(|(operand, equal)| {
            let [left, right] = [operand, equal.first].map(|place| self.of_operand[moved(place)]);
            left.first == right.first && (left.negated != right.negated) == equal.negated
        })
    }

    /// The operands where each that equals an earlier one has its register; `opposite` makes the
    /// register of the negative.
    pub fn applied<T: Clone>(
        &self,
        signature: &Signature,
        registers: Registers<T>,
        opposite: impl Fn(&Format, &T) -> T,
    ) -> Registers<T> {
        if self.is_empty() {
            return registers;
        }
        let all: Vec<T> = registers
            .each(signature)
            .map(|(_, register)| register.clone())
            .collect();
        let mut operands = 0..;
        registers.map(signature, |format, register| {
            match operands.next().and_then(|operand| self.source(operand)) {
                None => register.clone(),
                Some(RegisterEquality {
                    first,
                    negated: false,
                }) => all[first].clone(),
                Some(RegisterEquality {
                    first,
                    negated: true,
                }) => opposite(format, &all[first]),
            }
        })
    }
}

/// The register of the negative of the number in `register`.
pub(super) fn opposite_of(format: &Format, register: u64) -> u64 {
    negated(format, &W64::lit(format.width(), register)).to_u64()
}
