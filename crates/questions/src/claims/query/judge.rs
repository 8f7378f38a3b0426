//! Tells whether inputs refute a claim. Simulators are used, since many inputs are asked about.

use crate::claims::property::{Claim, Domain, TrueSum, results_differ};
use crate::vectors::measure::{Measure, Summer};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::{Model, Simulator};
use mmasmt_numbers::float::Format;

/// How many times slower an evaluation is than on words alone, measured on `exact` and `fda`. The
/// first number is for evaluation on words and big integers, the second one for evaluation on big
/// integers alone.
const MIXED_SLOWNESS: u32 = 15;
const BIG_SLOWNESS: u32 = 50;

/// Tells whether inputs refute a claim.
pub enum InputsJudge<'x> {
    /// The claim is refuted if these two models give different results.
    Compared([&'x Model; 2], Box<[Simulator<'x>; 2]>),
    /// The claim is refuted if the first of two models is closer to the exact sum than the second.
    Closer(Box<Closer<'x>>),
    /// Any other claim, evaluated on words that may be wide.
    Claim(&'x Claim),
}

/// Two simulators, and the exact sum that their errors are measured from.
pub struct Closer<'x> {
    models: [Simulator<'x>; 2],
    formats: [Format; 2],
    summer: Summer,
}

impl<'x> InputsJudge<'x> {
    pub fn of(claim: &'x Claim) -> Self {
        if let Some(models) = claim.property.compared(&claim.model) {
            return InputsJudge::Compared(models, Box::new(models.map(Model::simulator)));
        }
        // Simulators are a hundred times as fast here as a formula on words of hundreds of bits.
        match claim.property.closer(&claim.model) {
            Some((models, TrueSum::Exact)) => InputsJudge::Closer(Box::new(Closer {
                models: models.map(Model::simulator),
                formats: models.map(|model| model.signature().d),
                summer: Summer::new(&claim.model.signature()),
            })),
            _ => InputsJudge::Claim(claim),
        }
    }

    /// Whether `inputs`, if they are among the inputs that are asked for, refute the claim.
    pub fn is_refuted(&mut self, domain: &Domain, inputs: &Inputs) -> bool {
        let in_domain = || domain.is_everything() || domain.contains(inputs);
        match self {
            InputsJudge::Compared(models, simulators) => {
                in_domain() && {
                    let results = simulators.each_mut().map(|one| one.run(inputs));
                    results_differ(*models, results)
                }
            }
            InputsJudge::Closer(closer) => in_domain() && closer.is_closer(inputs),
            InputsJudge::Claim(claim) => claim.is_refuted_by(inputs),
        }
    }

    /// How many models are evaluated for one input; 1 for a claim that does not compare two models.
    pub fn models(&self) -> u32 {
        match self {
            InputsJudge::Compared(..) | InputsJudge::Closer(_) => 2,
            InputsJudge::Claim(_) => 1,
        }
    }

    /// How many times slower an evaluation is than on machine words alone.
    pub fn slowness(&self) -> u32 {
        let (is_wide, slowness) = match self {
            InputsJudge::Compared(_, models) => {
                (models.iter().any(Simulator::is_wide), MIXED_SLOWNESS)
            }
            InputsJudge::Closer(closer) => {
                (closer.models.iter().any(Simulator::is_wide), MIXED_SLOWNESS)
            }
            InputsJudge::Claim(claim) => (claim.widest() > u128::BITS, BIG_SLOWNESS),
        };
        if is_wide { slowness } else { 1 }
    }
}

impl Closer<'_> {
    /// Whether both results are finite, and the first is closer to the exact sum than the second.
    fn is_closer(&mut self, inputs: &Inputs) -> bool {
        let results = self.models.each_mut().map(|one| one.run(inputs));
        let finite = self.formats.iter().zip(results);
        if !finite.into_iter().all(|(format, d)| format.is_finite(d)) {
            return false;
        }
        let Some(exact) = self.summer.sum(inputs) else {
            return false;
        };
        let error = |one: usize| Measure::Absolute.error(&self.formats[one], results[one], &exact);
        error(0) < error(1)
    }
}
