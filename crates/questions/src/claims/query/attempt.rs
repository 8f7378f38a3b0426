//! An attempt to refute a claim that a rule proves. No proof that no solver gave stands without it: inputs at which
//! rules decide are run on the simulators first, and what they refute is the answer.

use super::basis::Basis;
use super::critical::CriticalDraw;
use super::question::Question;
use super::replay::Replay;
use crate::inputs::{AimedDraw, Sampler};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// How much is tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Attempt {
    /// One question of a person: some 20 ms.
    #[default]
    Question,
    /// One of thousands of questions: a thousand inputs at most.
    Bulk,
}

/// The most inputs of an attempt.
const MOST: u32 = 10_000;
const MOST_IN_BULK: u32 = 1000;
/// The most products that all inputs of an attempt have together; drawing one takes some 50 ns, running it 10 ns.
const PRODUCTS: u32 = 320_000;
/// The cost of an input beside its products, in products.
const BESIDE: u32 = 8;
/// The greatest number of operands of an input; more would take longer to draw than the attempt may.
const MOST_PRODUCTS: u32 = 1 << 15;
/// One input in so many is drawn where steps cut, and not by the domain.
const AIMED: u32 = 8;

/// Inputs that answer the question; `None` if none of those tried do.
pub(super) fn refutation(
    question: &Question,
    attempt: Attempt,
    seed: u64,
    limits: &Limits,
) -> Option<Inputs> {
    let signature = question.signature();
    if signature.products > MOST_PRODUCTS {
        return None;
    }
    let mut replay = Replay::of(question);
    let models = models_of(question);
    let claims = question.claims().iter();
    let evaluations = claims.map(|claim| claim.property.evaluations(&claim.model));
    let evaluations: u32 = evaluations.sum();
    let cost = (signature.products + BESIDE).saturating_mul(evaluations + 4);
    let most = match attempt {
        Attempt::Question => MOST,
        Attempt::Bulk => MOST_IN_BULK,
    };
    let tries = (PRODUCTS / cost / replay.slowness()).clamp(64, most);
    let is_on = || limits.stopped().is_none();
    let critical = CriticalDraw::of(&models, question.domain(), question.admits_specials(), seed);
    if let Some(mut critical) = critical {
        if let Some(mut all) = critical.all(tries as usize)
            && let Some(found) = all.find(|inputs| replay.is_met(inputs))
        {
            return Some(found);
        }
        let mut drawn = (0..tries).take_while(|_| is_on()).map(|_| critical.draw());
        if let Some(found) = drawn.find(|inputs| replay.is_met(inputs)) {
            return Some(found);
        }
    }
    let domain = question.domain();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut sampler = Sampler::new(signature, seed);
    let mut aimed: Vec<AimedDraw> = models
        .iter()
        .map(|model| AimedDraw::new(model, seed))
        .collect();
    let others = (0..tries / AIMED).flat_map(|_| {
        let aimed = aimed.iter_mut().map(AimedDraw::draw);
        let drawn: Vec<Inputs> = aimed.chain([sampler.sample(), sampler.rare()]).collect();
        drawn
    });
    others
        .take_while(|_| is_on())
        .filter_map(|inputs| domain.place(inputs, &mut rng).ok())
        .find(|inputs| replay.is_met(inputs))
}

impl Question {
    /// Inputs at which rules decide that answer the question, on words and on big integers; `None` if none of those
    /// tried do.
    pub fn attempt(&self, attempt: Attempt, seed: u64, limits: &Limits) -> Option<Inputs> {
        let found = refutation(self, attempt, seed, limits)?;
        self.replay(&found).is_ok().then_some(found)
    }

    /// The proof of [`known_lossless`](Self::known_lossless), or the first of a thousand inputs that refutes it.
    pub fn known_lossless_or_refuted(
        &self,
        seed: u64,
        limits: &Limits,
    ) -> Option<Result<Basis, Inputs>> {
        let by = self.known_lossless()?;
        Some(match refutation(self, Attempt::Bulk, seed, limits) {
            Some(inputs) => {
                report_wrong_rule(self, by, &inputs);
                Err(inputs)
            }
            None => Ok(by),
        })
    }
}

/// The models whose steps and formats inputs are aimed at.
fn models_of(question: &Question) -> Vec<&Model> {
    let claims = question.claims().iter();
    let each = claims.flat_map(|claim| {
        let compared = claim.property.compared(&claim.model);
        let closer = claim.property.closer(&claim.model);
        let both = compared.or(closer.map(|(models, _)| models));
        both.unwrap_or([&claim.model, &claim.model])
    });
    let mut models: Vec<&Model> = each.collect();
    models.dedup_by_key(|model| std::ptr::from_ref::<Model>(model));
    models
}

/// Says that a rule was wrong: a fault of this program, whatever the answer is.
pub fn report_wrong_rule(question: &Question, by: Basis, inputs: &Inputs) {
    let line = inputs.to_line(&question.signature());
    log::error!(
        target: WRONG_RULE,
        "a rule was wrong, please report this: `{question}` was proved {}, and `{line}` refutes it",
        by.describe()
    );
}

/// The target of log lines that say that a rule was wrong.
pub const WRONG_RULE: &str = "mmasmt::wrong_rule";
