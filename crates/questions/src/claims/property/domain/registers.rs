//! Evaluates domains on registers, which are plain integers, and not on bit-vector words. Samples
//! and witnesses need many such evaluations.

use super::classes::{Class, OperandAssumptions};
use super::equalities::opposite_of;
use super::predicate::Predicate;
use super::{Domain, integers};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::numbers::bits::{Bv, Concrete, W128};
use mmasmt_core::numbers::float::Format;

/// How many numbers tell whether a domain fixes an operand.
const FEW: u32 = 16;

impl Domain {
    /// Applies [`Self::fixed`] to inputs that are given as registers. Inputs that do not
    /// [fit](Inputs::fit) the signature are returned as they are.
    #[must_use]
    pub fn fixed_bits(&self, inputs: &Inputs) -> Inputs {
        if !inputs.fit(&self.signature) {
            return inputs.clone();
        }
        let mut index = 0;
        let brought = inputs.map(&self.signature, |format, &register| {
            let operand = index;
            index += 1;
            match *format == Format::NONE {
                true => register,
                false => self.brought(operand, register),
            }
        });
        self.equalised(brought)
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

    /// Inputs in the domain, the register of each operand by `draw` until the domain admits it, or the
    /// register that the domain fixes; `None` if it admits none of `most` draws of an operand.
    pub fn drawn(&self, most: u32, mut draw: impl FnMut(usize, &Format) -> u64) -> Option<Inputs> {
        let (mut index, mut is_rare) = (0, false);
        let inputs = Inputs::zero(&self.signature).map(&self.signature, |format, _| {
            let operand = index;
            index += 1;
            if self.equalities.source(operand).is_some() || *format == Format::NONE {
                return 0;
            }
            let found = self.drawn_operand(operand, most, || draw(operand, format));
            is_rare |= found.is_none();
            found.unwrap_or(0)
        });
        (!is_rare).then(|| self.equalised(inputs))
    }

    fn drawn_operand(
        &self,
        operand: usize,
        most: u32,
        mut draw: impl FnMut() -> u64,
    ) -> Option<u64> {
        let drawn = draw();
        if self.admits(operand, drawn) {
            return Some(drawn);
        }
        // A value, or a zero of either sign, is what every number becomes in the domain.
        let brought = self.brought(operand, drawn);
        let mut all = (0..FEW).map(|_| self.brought(operand, draw()));
        let first = all.find(|other| *other != brought);
        if all.all(|other| other == brought || Some(other) == first)
            && self.admits(operand, brought)
        {
            return Some(brought);
        }
        (0..most)
            .map(|_| draw())
            .find(|drawn| self.admits(operand, *drawn))
    }

    /// Whether the inputs are in the domain; false if they do not [fit](Inputs::fit) the signature
    /// of the domain.
    pub fn contains(&self, inputs: &Inputs) -> bool {
        if !inputs.fit(&self.signature) {
            return false;
        }
        let mut operands = inputs.each(&self.signature).enumerate();
        operands.all(|(operand, (_, register))| self.admits(operand, *register))
            && (self.equalities.is_empty() || self.equalised(inputs.clone()) == *inputs)
    }

    /// The class of all operands that have the same assumptions as `operand`.
    fn class(&self, operand: usize) -> &Class {
        self.classes.of(operand, || {
            let rows = self.signature.rows();
            let formats = rows.flat_map(|row| std::iter::repeat_n(row.format, row.length));
            formats
                .enumerate()
                .map(|(operand, format)| self.said(operand, format))
                .collect()
        })
    }

    fn said(&self, operand: usize, format: Format) -> OperandAssumptions {
        let is_on = |clause: &usize| self.clauses[*clause].numbers[operand].is_some();
        let clauses: Vec<usize> = (0..self.clauses.len()).filter(is_on).collect();
        let has_values =
            |clause: &usize| matches!(self.clauses[*clause].predicate, Predicate::Values(_));
        OperandAssumptions {
            format,
            by_register: !clauses.iter().any(has_values),
            clauses,
        }
    }

    /// Whether a register satisfies all clauses on an operand.
    pub(in crate::claims) fn admits(&self, operand: usize, register: u64) -> bool {
        let class = self.class(operand);
        class.is_free()
            || class.admits(register, || {
                let mut clauses = self.clauses_of(operand);
                clauses.all(|(clause, number)| {
                    clause.predicate.admits(class.format(), number, register)
                })
            })
    }

    /// The register of an operand after [`Domain::fixed`] changed it.
    pub(in crate::claims) fn brought(&self, operand: usize, register: u64) -> u64 {
        let class = self.class(operand);
        if class.is_free() {
            return register;
        }
        class.brings(register, || {
            let word = W128::lit(class.format().width(), register);
            let brought = self
                .clauses_of(operand)
                .fold(word, |word, (clause, number)| {
                    clause.predicate.bring(class.format(), number, &word)
                });
            brought.to_u64()
        })
    }
}

impl Predicate {
    /// Whether a register satisfies the predicate, as [`Self::holds`](Predicate::holds) says, but
    /// computed with integers where these are faster than words.
    pub(super) fn admits(&self, format: &Format, number: usize, register: u64) -> bool {
        match self {
            Predicate::Between(low, high) if !format.is_integer() => {
                integers::is_register_between(format, register, [*low, *high])
            }
            _ => self.holds(format, number, &W128::lit(format.width(), register)),
        }
    }
}
