//! Learning from recorded answers: nothing can be asked, so a description is learnt from some of them,
//! and the others must confirm it.

use super::conclude::AllAnswers;
use super::decide::Neighbourhood;
use super::evidence::{Evidence, count_to_last, failed};
use super::fit::{FitCandidate, fit, ranked, unasked};
use super::hypothesis::Hypothesis;
use super::known::LearnProgress;
use super::learned::{LearnOptions, LearnResult};
use super::learner::has_descriptions;
use super::recorded_parameters::recorded_by_parameters;
use crate::identify::every_kind::kinds;
use crate::identify::{IdentifyError, IdentifyOptions, QuestionsHalt};
use crate::inputs::FewTerms;
use crate::vectors::Vector;
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_numbers::base::limits::Limits;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rustc_hash::FxHashMap;
use std::time::Duration;

/// The most answers that are the evidence at first; at most half of all.
const FIRST: usize = 1000;
/// The answers of one group of evidence.
const GROUP: usize = 150;
/// The inputs that may tell the description from its neighbours.
const COMPARED: usize = 2500;

/// Learns the description of a unit from recorded answers. The vectors are taken in an order that is
/// drawn by the seed. Those that come after the last change of the description confirm it.
///
/// # Errors
/// If an answer of the solver is not confirmed.
pub fn learn_recorded(
    signature: Signature,
    vectors: &[Vector],
    options: &LearnOptions,
    limits: &Limits,
) -> Result<LearnResult, IdentifyError> {
    let mut known = LearnProgress::default();
    let answered = in_order(&mut known, signature, vectors, options);
    let finished = known.two_answers.is_some()
        || recorded_by_parameters(&mut known, &signature, &answered, options, limits)?
        || match has_descriptions(&signature) {
            true => steps(&mut known, signature, &answered, limits),
            false => limits.stopped().is_none(),
        };
    if let Some(best) = known.best.as_ref().filter(|best| best.missed == 0) {
        let hypothesis = best.hypothesis.clone();
        let inputs = inputs(signature, options);
        known.neighbourhood = Neighbourhood::of(&hypothesis, &answered, inputs, limits);
        if let Some(neighbourhood) = &mut known.neighbourhood {
            neighbourhood.settle(&hypothesis, options, limits)?;
            known.next = neighbourhood.telling();
        }
    }
    let answers = AllAnswers {
        signature,
        answered,
        confirm: options.confirm,
        halted: limits.stopped().map(|stopped| QuestionsHalt {
            stopped,
            in_device: false,
            device_time: Duration::ZERO,
        }),
        limits,
    };
    Ok(answers.conclude(known, finished))
}

/// The vectors, each once, in an order that is drawn. Two answers to the same inputs are kept in
/// `known`.
fn in_order(
    known: &mut LearnProgress,
    signature: Signature,
    vectors: &[Vector],
    options: &LearnOptions,
) -> Vec<Vector> {
    let mut answers = FxHashMap::default();
    let mut all = Vec::new();
    for vector in vectors {
        if !options.specials && !vector.inputs.is_finite(&signature) {
            continue;
        }
        match answers.insert(&vector.inputs, vector.d) {
            None => all.push(vector.clone()),
            Some(first) if first != vector.d => {
                let two = || (vector.inputs.clone(), [first, vector.d]);
                known.two_answers.get_or_insert_with(two);
            }
            Some(_) => {}
        }
    }
    all.shuffle(&mut rand_chacha::ChaCha8Rng::seed_from_u64(options.seed));
    all
}

/// Learns and confirms; whether that came to its end.
fn steps(
    known: &mut LearnProgress,
    signature: Signature,
    answered: &[Vector],
    limits: &Limits,
) -> bool {
    let nan = answered.iter().map(|vector| vector.d);
    let nan = nan.clone().find(|d| signature.d.is_nan(*d));
    let candidates = unasked(signature, nan);
    let mut used = FIRST.min(answered.len().div_ceil(2));
    let mut evidence = evidence(&answered[..used]);
    let candidates = ranked(&evidence, &candidates, limits);
    loop {
        let Some(hypothesis) = fitted(known, &mut evidence, &candidates, &answered[..used], limits)
        else {
            return limits.stopped().is_none();
        };
        let Some(model) = hypothesis.model() else {
            return true;
        };
        let rest = &answered[used..];
        let failed = failed(&model, rest);
        if failed.is_empty() {
            known.confirmed = rest.len();
            return true;
        }
        used += count_to_last(rest, &failed);
        evidence.add_failed(failed);
    }
}

/// A hypothesis that gives the answers: one near the last one, or else any.
fn fitted(
    known: &mut LearnProgress,
    evidence: &mut Evidence,
    candidates: &[FitCandidate],
    answered: &[Vector],
    limits: &Limits,
) -> Option<Hypothesis> {
    if known.best.is_some()
        && let Some(near) = fit(evidence, known, &[], answered, limits)
    {
        return Some(near);
    }
    fit(evidence, known, candidates, answered, limits)
}

/// The evidence of answers: groups whose inputs have as many terms that are not zero.
fn evidence(answered: &[Vector]) -> Evidence {
    let mut by_terms: [Vec<Vector>; 4] = Default::default();
    for vector in answered {
        let terms = terms(&vector.inputs).saturating_sub(1);
        by_terms[terms.min(3)].push(vector.clone());
    }
    let mut evidence = Evidence::default();
    for vectors in by_terms {
        for group in vectors.chunks(GROUP) {
            evidence.add_group(group.to_vec());
        }
    }
    evidence
}

/// The number of products and accumulators whose registers are not 0.
fn terms(inputs: &Inputs) -> usize {
    let pairs = inputs.a.iter().zip(&inputs.b);
    let products = pairs.filter(|(a, b)| **a != 0 && **b != 0).count();
    products + usize::from(inputs.c != 0)
}

/// Inputs of all kinds.
fn inputs(signature: Signature, options: &LearnOptions) -> Vec<Inputs> {
    let drawn = IdentifyOptions::default()
        .specials(options.specials)
        .seed(options.seed);
    let mut kinds = kinds(signature, &drawn);
    let mut few = FewTerms::new(signature, options.seed);
    let draw = |at| match at % 2 {
        0 => few.draw(1 + at / 2 % 4),
        _ => kinds.draw(),
    };
    (0..COMPARED).map(draw).collect()
}
