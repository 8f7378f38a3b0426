//! Domains: assumptions on the operands.
//!
//! ```text
//! DOMAIN   = CLAUSE {"," CLAUSE}
//! CLAUSE   = [OPERANDS] PREDICATE | OPERANDS "=" VALUE | OPERANDS "=" ["-"] OPERANDS
//! OPERANDS = ("a" | "b" | "c" | "sa" | "sb" | "factors" | "all") ["[" INDEX [".." [INDEX]] "]"]
//! PREDICATE = "finite" | "normal" | "zero-or-normal" | "subnormal" | "zero" | "nonzero" | "positive" | "negative"
//!           | "exp" LOW ".." HIGH | "bits" COUNT | "in" FORMAT | "from" INTEGER ".." INTEGER
//! ```
//!
//! The predicate `zero` admits +0 and -0; `= 0` admits only +0. Operands that are equal have the same
//! register: all on the left that of one operand, or each that of the operand in its place among as
//! many others. `-` inverts the sign bit.

mod code_set;
mod draw;
mod equalities;
mod formula;
mod listed;
mod members;
mod operand_sets;
mod operands;
mod parse;
mod predicate;
mod words;

pub use code_set::CodeSet;
pub use draw::EmptyDomain;
pub(super) use formula::Successor;
pub use listed::DomainInputs;
pub use parse::DomainError;
pub use predicate::Predicate;
pub use words::WORDS;

use super::values::negated;
use crate::inputs::OperandRange;
use equalities::Equalities;
use mmasmt_core::machines::algorithms::{Registers, Signature};
use mmasmt_core::machines::model::Instance;
use mmasmt_numbers::base::limits::work;
use mmasmt_numbers::bits::Prop;
use operand_sets::OperandSets;
use std::fmt;

/// The work of finding the numbers of one operand, counted as the bytes of formula nodes that are
/// made in the same time. It is counted because a model may have a million operands.
const OPERAND: u64 = 1 << 10;

/// Assumptions on the operands of a dot-add: a set of inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    text: String,
    signature: Signature,
    /// What each operand may be, and what follows from [equalities](OperandSets::spread).
    sets: OperandSets,
    equalities: Equalities,
    /// True if a clause assumes something of an operand that the models read.
    has_clauses: bool,
    /// Whether `c` is 0 by [`Self::without_c`], and by no clause.
    has_no_c: bool,
}

impl Domain {
    /// The domain of all inputs of `signature`.
    pub fn everything(signature: &Signature) -> Domain {
        Domain {
            text: String::new(),
            signature: *signature,
            sets: OperandSets::all(&operands::formats(signature)),
            equalities: Equalities::default(),
            has_clauses: false,
            has_no_c: false,
        }
    }

    /// Whether all inputs are in the domain.
    pub fn is_everything(&self) -> bool {
        !self.has_no_c && self.assumes_nothing()
    }

    /// Whether nothing is assumed of operands that the models read.
    pub fn assumes_nothing(&self) -> bool {
        !self.has_clauses && self.equalities.is_empty()
    }

    /// The registers that the domain admits for an operand. Operands are numbered in the order of
    /// [`Registers::each`].
    ///
    /// [`Registers::each`]: mmasmt_core::machines::algorithms::Registers::each
    pub fn codes(&self, operand: usize) -> &CodeSet {
        work(OPERAND);
        self.sets.get(operand)
    }

    /// The finite numbers that the domain admits for an operand.
    pub fn range(&self, operand: usize) -> &OperandRange {
        work(OPERAND);
        self.sets.range(operand)
    }

    /// Whether, for some operand, the admitted numbers have gaps that its format does not have.
    pub fn has_gaps(&self) -> bool {
        self.sets.each().iter().any(CodeSet::has_gaps)
    }

    /// Whether some input of finite numbers is in the domain.
    pub fn has_finite_inputs(&self) -> bool {
        !self.sets.each().iter().any(|set| set.finite().is_empty())
    }

    /// Whether all operands are finite numbers.
    pub fn is_finite(&self) -> bool {
        self.sets
            .each()
            .iter()
            .all(|set| set.is_part_of(&set.finite()))
    }

    /// Whether no factor is a subnormal number.
    pub fn has_no_subnormal_factors(&self) -> bool {
        let factors = 2 * self.signature.products as usize;
        self.sets
            .operands()
            .take(factors)
            .all(|set| !set.has_subnormals())
    }

    /// Whether each input is in `larger` too. If it is false, nothing is known.
    pub fn is_part_of(&self, larger: &Domain) -> bool {
        let has_equalities = larger.equalities.is_empty() || self.equalities == larger.equalities;
        let mut sets = self.sets.operands().zip(larger.sets.operands());
        self.signature == larger.signature
            && has_equalities
            && sets.all(|(own, other)| own == other || own.is_part_of(other))
    }

    /// Whether two operands have the same register in every input of the domain: they are assumed to be
    /// equal, or each has one value.
    pub fn are_same(&self, left: usize, right: usize) -> bool {
        let first = |operand: usize| {
            let source = self.equalities.source(operand);
            source.map_or((operand, false), |equal| (equal.first, equal.negated))
        };
        let value = |operand: usize| self.codes(operand).finite().only();
        first(left) == first(right)
            || value(left).is_some_and(|value_of_left| value(right) == Some(value_of_left))
    }

    /// True if two operands have the same assumptions, apart from equalities.
    pub(in crate::claims) fn treats_alike(&self, left: usize, right: usize) -> bool {
        self.sets.get(left) == self.sets.get(right)
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

    /// Sets everything in the operands that the domain fixes: values, zeros, signs, low bits of
    /// significands, and the registers of operands that equal others. Also clamps exponents. Operands that
    /// are in the domain do not change.
    pub fn fixed<B: Instance>(&self, registers: &Registers<B>) -> Registers<B> {
        let mut sets = self.sets.operands();
        let fixed = registers.map(&self.signature, |_, register| {
            sets.next()
                .map_or(register.clone(), |set| match set.is_everything() {
                    true => register.clone(),
                    false => set.moved(register),
                })
        });
        self.with_equal(fixed)
    }

    /// The operands where those that equal others have their registers, and nothing else is changed.
    pub fn with_equal<B: Instance>(&self, registers: Registers<B>) -> Registers<B> {
        self.equalities.applied(&self.signature, registers, negated)
    }

    /// Whether the operands are in the domain.
    pub fn holds<B: Instance>(&self, registers: &Registers<B>) -> B::Bool {
        let operands = registers.each(&self.signature).zip(self.sets.operands());
        // What is assumed of an operand that equals an earlier one is assumed of that one too.
        let free = operands
            .enumerate()
            .filter(|(operand, _)| self.equalities.source(*operand).is_none());
        let mut parts: Vec<_> = free
            .map(|(_, ((_, register), set))| set.holds(register))
            .collect();
        if !self.equalities.is_empty() {
            let equal = self.with_equal(registers.clone());
            let both = registers
                .each(&self.signature)
                .zip(equal.each(&self.signature));
            parts.extend(both.map(|((_, register), (_, equal))| register.equals(equal)));
        }
        B::Bool::all(parts)
    }

    /// Whether an operand equals another one, or its negative; operands are numbered as in
    /// [`codes`](Self::codes).
    pub fn is_bound(&self, operand: usize) -> bool {
        self.equalities.is_bound(operand)
    }
}

/// The text that the domain was parsed from.
impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
