//! What is asked of the engines: goals that are met by inputs which settle a question.

use crate::algorithms::{Registers, Signature};
use crate::bits::{Bv, Prop};
use crate::engine::{Goal, Input, Lemma};
use crate::model::Model;
use crate::property::{Claim, Domain, all_finite, differ, inputs_of, registers_of};
use crate::vectors::Inputs;

/// Met by inputs that refute a claim: they are in its domain, and violate its property.
pub(super) struct Violation<'x>(pub &'x Claim);

impl Goal for Violation<'_> {
    fn inputs(&self) -> Vec<Input> {
        inputs_of(&self.0.model.signature())
    }
    fn formula<B: Bv>(&self, inputs: &[B]) -> B::Bool {
        let signature = self.0.model.signature();
        self.0.is_violated(&registers_of(&signature, inputs))
    }
    fn lemmas<B: Bv>(&self, inputs: &[B]) -> Vec<Lemma<B>> {
        let signature = self.0.model.signature();
        self.0.lemmas(&registers_of(&signature, inputs))
    }
}

/// Met by inputs in the domain of a claim.
pub(super) struct InDomain<'x>(pub &'x Claim);

impl Goal for InDomain<'_> {
    fn inputs(&self) -> Vec<Input> {
        inputs_of(&self.0.model.signature())
    }
    fn formula<B: Bv>(&self, inputs: &[B]) -> B::Bool {
        let signature = self.0.model.signature();
        let fixed = self.0.domain.fixed(&registers_of(&signature, inputs));
        self.0.domain.holds(&fixed)
    }
}

/// Met by inputs on which two models of one signature differ.
pub(super) struct Difference<'x> {
    pub models: [&'x Model; 2],
    /// What is assumed of the operands.
    pub domain: Option<&'x Domain>,
    /// Whether operands may be infinities and NaNs.
    pub specials: bool,
    /// Inputs that are not asked for, as they are known to differ.
    pub known: &'x [Inputs],
}

impl Goal for Difference<'_> {
    fn inputs(&self) -> Vec<Input> {
        inputs_of(&self.models[0].signature())
    }
    fn formula<B: Bv>(&self, inputs: &[B]) -> B::Bool {
        let [left, right] = self.models;
        let signature = left.signature();
        let mut registers = registers_of(&signature, inputs);
        let mut parts = Vec::new();
        if let Some(domain) = self.domain {
            registers = domain.fixed(&registers);
            parts.push(domain.holds(&registers));
        }
        parts.push(differ(left, right, &registers));
        if !self.specials {
            parts.push(all_finite(&signature, &registers));
        }
        let known = self.known.iter();
        parts.extend(known.map(|known| other_than(&signature, &registers, known)));
        B::Bool::all(parts)
    }
}

/// Unsatisfiable iff the inputs are `known`; dropped bits do not make inputs different.
fn other_than<B: Bv>(signature: &Signature, registers: &Registers<B>, known: &Inputs) -> B::Bool {
    let pairs = registers.each(signature).zip(known.each(signature));
    let same = pairs.map(|((format, register), (_, bits))| {
        let kept = register.extract(register.width() - 1, format.dropped_bits);
        kept.equals(&B::lit(kept.width(), bits >> format.dropped_bits))
    });
    B::Bool::all(same.collect::<Vec<_>>()).not()
}
