//! What is asked of the engines: goals that are met by inputs which settle a question.

use super::basis::{About, Basis};
use super::ladder::EASY_TURNS;
use super::lemmas::follows;
use super::reasoned::Reasoned;
use super::rounded;
use super::stagewise::compare;
use crate::algorithms::{Registers, Signature};
use crate::bits::term::Formula;
use crate::bits::{Bv, Prop};
use crate::engine::{Goal, Input, Limits, Search, Stopped, Strategy, Verdict};
use crate::model::Model;
use crate::property::{
    Claim, Domain, Property, SymbolicInputs, all_finite, differ, inputs_of, registers_of,
};
use crate::vectors::Inputs;

/// A goal that is asked of the embedded engine.
pub(super) trait Question: Goal {
    /// What is known of the goal in another way than by a search for inputs that meet it; `whole` is
    /// its formula for `inputs`.
    fn reasoned(
        &self,
        inputs: &SymbolicInputs,
        whole: Formula,
        seed: u64,
        limits: &Limits,
    ) -> Reasoned;

    /// How many turns of the search come before that.
    fn turns_before(&self) -> u32 {
        EASY_TURNS
    }

    /// What proves without any search that nothing meets it, where that is told by more than its
    /// formula.
    fn never_met(&self, seed: u64) -> Option<Basis>;
}

/// Met by inputs that settle something about a claim.
pub(super) enum ClaimGoal<'x> {
    /// Met by inputs that refute it: they are in its domain, and violate its property.
    Refuted(&'x Claim),
    /// Met by inputs that it says something about.
    About(&'x Claim),
}

impl ClaimGoal<'_> {
    fn claim(&self) -> &Claim {
        match self {
            ClaimGoal::Refuted(claim) | ClaimGoal::About(claim) => claim,
        }
    }
}

impl Goal for ClaimGoal<'_> {
    fn inputs(&self) -> Vec<Input> {
        inputs_of(&self.claim().model.signature())
    }
    fn formula<B: Bv>(&self, inputs: &[B]) -> B::Bool {
        let inputs = registers_of(&self.claim().model.signature(), inputs);
        match self {
            ClaimGoal::Refuted(claim) => claim.is_violated(&inputs),
            ClaimGoal::About(claim) => claim.is_about(&inputs),
        }
    }
}

impl Question for ClaimGoal<'_> {
    fn reasoned(
        &self,
        inputs: &SymbolicInputs,
        whole: Formula,
        seed: u64,
        limits: &Limits,
    ) -> Reasoned {
        let ClaimGoal::Refuted(claim) = *self else {
            return Reasoned::Unknown;
        };
        let Claim {
            property,
            model,
            domain,
            ..
        } = claim;
        if let Some(models) = property.compared(model) {
            let registers = domain.fixed(&inputs.registers);
            let assumed = domain.holds(&registers);
            return compare(models, (inputs, &registers), assumed, whole, seed, limits);
        }
        if let Some(by) = rounded::by_solver(claim, seed, limits) {
            return Reasoned::Never(by);
        }
        let lemmas = claim.lemmas(&inputs.registers);
        match follows(whole, &lemmas, seed, limits) {
            true => Reasoned::Never(Basis::Facts {
                about: About::Property,
                solved: lemmas.len(),
                derived: 0,
            }),
            false => Reasoned::Unknown,
        }
    }

    fn turns_before(&self) -> u32 {
        // A search never proves a bound that lemmas do.
        match self.claim().property {
            Property::Error(_) => 0,
            _ => EASY_TURNS,
        }
    }

    fn never_met(&self, seed: u64) -> Option<Basis> {
        match self {
            ClaimGoal::Refuted(claim) => rounded::by_construction(claim, seed),
            ClaimGoal::About(_) => None,
        }
    }
}

/// Met by inputs in a domain.
pub(super) struct InDomain<'x> {
    pub signature: Signature,
    pub domain: &'x Domain,
    /// Whether operands may be infinities and NaNs, if the domain lets them.
    pub specials: bool,
}

impl Goal for InDomain<'_> {
    fn inputs(&self) -> Vec<Input> {
        inputs_of(&self.signature)
    }
    fn formula<B: Bv>(&self, inputs: &[B]) -> B::Bool {
        let fixed = self.domain.fixed(&registers_of(&self.signature, inputs));
        let holds = self.domain.holds(&fixed);
        match self.specials {
            true => holds,
            false => holds.and(&all_finite(&self.signature, &fixed)),
        }
    }
}

/// Whether a goal about operands of `signature` is met by none.
///
/// # Errors
/// If that is not known within the limits.
pub(super) fn is_never_met(
    goal: &impl Goal,
    signature: Signature,
    seed: u64,
    limits: &Limits,
) -> Result<bool, Stopped> {
    let inputs = SymbolicInputs::new(signature);
    let met = goal.formula(&inputs.by_number());
    if let Some(met) = met.as_constant() {
        return Ok(!met);
    }
    let mut search = Search::new(Strategy::Witness, seed);
    search.assert(met);
    match search.solve(&[], limits) {
        Verdict::Sat => Ok(false),
        Verdict::Unsat => Ok(true),
        Verdict::Unknown(stopped) => Err(stopped),
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
        self.holds_on(&registers_of(&self.models[0].signature(), inputs))
    }
}

impl Question for Difference<'_> {
    fn reasoned(
        &self,
        inputs: &SymbolicInputs,
        whole: Formula,
        seed: u64,
        limits: &Limits,
    ) -> Reasoned {
        let (registers, assumed) = self.assumed(&inputs.registers);
        let assumed = Formula::all(assumed);
        compare(
            self.models,
            (inputs, &registers),
            assumed,
            whole,
            seed,
            limits,
        )
    }

    fn never_met(&self, _: u64) -> Option<Basis> {
        None
    }
}

impl Difference<'_> {
    /// Whether the goal is met.
    pub fn holds_on<B: Bv>(&self, inputs: &Registers<B>) -> B::Bool {
        let [left, right] = self.models;
        let (registers, mut parts) = self.assumed(inputs);
        parts.push(differ(left, right, &registers));
        B::Bool::all(parts)
    }

    /// The operands with what the domain fixes, and what is assumed of them.
    pub fn assumed<B: Bv>(&self, inputs: &Registers<B>) -> (Registers<B>, Vec<B::Bool>) {
        let signature = self.models[0].signature();
        let mut registers = inputs.clone();
        let mut parts = Vec::new();
        if let Some(domain) = self.domain {
            registers = domain.fixed(&registers);
            parts.push(domain.holds(&registers));
        }
        if !self.specials {
            parts.push(all_finite(&signature, &registers));
        }
        let known = self.known.iter();
        parts.extend(known.map(|known| other_than(&signature, &registers, known)));
        (registers, parts)
    }
}

/// Which inputs are asked for, for a person.
pub(super) fn assumed(specials: bool, domain: Option<&Domain>) -> String {
    let inputs = if specials {
        "any inputs"
    } else {
        "finite inputs"
    };
    match domain {
        Some(domain) => format!("{inputs} where {domain}"),
        None => inputs.into(),
    }
}

/// Unsatisfiable iff the inputs are `known`; dropped bits do not make inputs different.
fn other_than<B: Bv>(signature: &Signature, registers: &Registers<B>, known: &Inputs) -> B::Bool {
    let pairs = registers.each(signature).zip(known.each(signature));
    let same = pairs.map(|((format, register), (_, bits))| {
        let kept = register.extract(register.width() - 1, format.unread_bits());
        kept.equals(&B::lit(kept.width(), format.read_bits(*bits)))
    });
    B::Bool::all(same.collect::<Vec<_>>()).not()
}
