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

mod classes;
mod equalities;
mod inhabited;
mod integers;
mod listed;
mod numbers;
mod operands;
mod parse;
mod part;
mod place;
mod predicate;
mod registers;
mod words;

pub use classes::{Class, Classes, OperandAssumptions};
pub use integers::{is_number_between, is_register_between};
pub use listed::Listed;
pub(super) use numbers::Next;
pub use numbers::Numbers;
pub use parse::DomainError;
pub use place::TooNarrow;
pub use words::WORDS;

use super::values::negated;
use equalities::Equalities;
use mmasmt_core::machines::algorithms::{Registers, Signature};
use mmasmt_core::machines::model::Instance;
use mmasmt_core::numbers::bits::Prop;
use predicate::Clause;
pub use predicate::Predicate;
use std::fmt;

/// Assumptions on the operands of a dot-add: a set of inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    text: String,
    signature: Signature,
    /// The clauses with a predicate, and those that [follow](Equalities::spread) from them.
    clauses: Vec<Clause>,
    equalities: Equalities,
    classes: Classes,
    /// Whether the last clause is that of [`Self::without_c`], which nobody wrote.
    has_no_c: bool,
}

impl Domain {
    /// The domain of all inputs of `signature`.
    pub fn everything(signature: &Signature) -> Domain {
        Domain {
            text: String::new(),
            signature: *signature,
            clauses: Vec::new(),
            equalities: Equalities::default(),
            classes: Classes::default(),
            has_no_c: false,
        }
    }

    /// Whether all inputs are in the domain.
    pub fn is_everything(&self) -> bool {
        !self.has_no_c && self.assumes_nothing()
    }

    /// Whether nothing is assumed of operands that the models read.
    pub fn assumes_nothing(&self) -> bool {
        self.clauses.len() == usize::from(self.has_no_c) && self.equalities.is_empty()
    }

    /// Whether, for some operand, the admitted numbers have gaps that its format does not have: the
    /// domain admits only numbers of another format, only integers, or no subnormal numbers.
    pub fn has_gaps(&self) -> bool {
        self.clauses.iter().any(|clause| match clause.predicate {
            Predicate::In(_) | Predicate::ZeroOrNormal => true,
            Predicate::Between(..) => !self.signature.is_integer(),
            _ => false,
        })
    }

    /// Sets everything in the operands that the domain fixes: values, zeros, signs, low bits of
    /// significands, and the registers of operands that equal others. Also clamps exponents, and
    /// truncates numbers to the format of an `in` clause. Operands that are in the domain do not
    /// change.
    pub fn fixed<B: Instance>(&self, registers: &Registers<B>) -> Registers<B> {
        let mut fixed = registers.clone();
        for clause in &self.clauses {
            let mut numbers = clause.numbers.iter();
            fixed = fixed.map(&self.signature, |format, register| match numbers.next() {
                Some(Some(number)) => clause.predicate.bring(format, *number, register),
                _ => register.clone(),
            });
        }
        self.with_equal(fixed)
    }

    /// The operands where those that equal others have their registers, and nothing else is changed.
    pub fn with_equal<B: Instance>(&self, registers: Registers<B>) -> Registers<B> {
        self.equalities.applied(&self.signature, registers, negated)
    }

    /// Whether the operands are in the domain.
    pub fn holds<B: Instance>(&self, registers: &Registers<B>) -> B::Bool {
        let of_clause = |clause: &Clause| {
            let operands = registers
                .each(&self.signature)
                .zip(&clause.numbers)
                .enumerate();
            let holds = operands.filter_map(|(operand, ((format, register), number))| {
                // What is assumed of an operand that equals an earlier one is assumed of that one too.
                let is_free = self.equalities.source(operand).is_none();
                let number = number.filter(|_| is_free)?;
                Some(clause.predicate.holds(&format, number, register))
            });
            B::Bool::all(holds.collect::<Vec<_>>())
        };
        let mut parts: Vec<_> = self.clauses.iter().map(of_clause).collect();
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
    /// [`numbers`](Self::numbers).
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
