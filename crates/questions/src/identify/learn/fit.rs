//! The search for a description that gives all answers: in the orders of sums that the answers show,
//! class by class; then in orders near them, and in usual ones.

use super::climb::{HypothesisClimb, ScoredHypothesis};
use super::evidence::{Evidence, failed, failing};
use super::hypothesis::{Hypothesis, Space};
use super::known::LearnProgress;
use super::layout::{Sharing, UnitLayout, grouped, merged, usual};
use super::stages::{LayoutEvidence, by_stages};
use crate::identify::probe::SummationTree;
use crate::inputs::simplicity;
use crate::vectors::Vector;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_numbers::base::limits::Limits;
use std::sync::Arc;

/// The starts of each order of sums from which a description is searched, and how many of the
/// nearest ones are searched further.
const STARTS: usize = 2;
const DEEP: usize = 2;
/// The most layouts for whose classes inputs are asked.
const SHOWN: usize = 4;

/// Sums with all that they may do, and the evidence that shows class by class what they do.
#[derive(Clone, Debug)]
pub(super) struct FitCandidate {
    pub space: Arc<Space>,
    pub stages: Option<LayoutEvidence>,
}

/// The layouts for whose classes inputs are asked: of the orders that the answers admit, or of the
/// most usual ones if they show none.
pub(super) fn shown(products: usize, found: &[SummationTree]) -> Vec<UnitLayout> {
    let mut layouts: Vec<UnitLayout> = Vec::new();
    let usual = usual(products);
    let trees = if found.is_empty() { &usual[..] } else { found };
    for sharing in [Sharing::Kinds, Sharing::Levels] {
        for tree in trees {
            let layout = UnitLayout::of(tree, products, sharing);
            if layouts.iter().all(|known| known.sums != layout.sums) && layouts.len() < SHOWN {
                layouts.push(layout);
            }
        }
    }
    layouts
}

/// Further spaces of hypotheses: the orders with one sum merged, then the usual ones.
/// `nan` is a NaN that the unit gives.
pub(super) fn others(
    signature: Signature,
    found: &[SummationTree],
    known: &[FitCandidate],
    nan: Option<u64>,
) -> Vec<FitCandidate> {
    let changed = found.iter().flat_map(merged).collect();
    let usual = usual(signature.products as usize);
    let trees = [found.to_vec(), changed, usual].concat();
    spaces(&trees, signature, known, nan)
}

/// The spaces of the trees that are not known yet.
fn spaces(
    trees: &[SummationTree],
    signature: Signature,
    known: &[FitCandidate],
    nan: Option<u64>,
) -> Vec<FitCandidate> {
    let mut layouts: Vec<UnitLayout> = Vec::new();
    for tree in trees {
        let layout = UnitLayout::of(tree, signature.products as usize, Sharing::Kinds);
        let own = known.iter().map(|known| &known.space.layout);
        if own.chain(&layouts).all(|known| known.sums != layout.sums) {
            layouts.push(layout);
        }
    }
    let candidate = |layout| FitCandidate {
        space: Space::new(layout, signature, nan),
        stages: None,
    };
    layouts.into_iter().map(candidate).collect()
}

/// Spaces of hypotheses for a unit that cannot be asked for the order of its sums.
pub(super) fn unasked(signature: Signature, nan: Option<u64>) -> Vec<FitCandidate> {
    let products = signature.products as usize;
    let trees = [usual(products), grouped(products)].concat();
    spaces(&trees, signature, &[], nan)
}

/// The candidates, those first whose sums come nearest to the evidence when all keep as many bits.
pub(super) fn ranked(
    evidence: &Evidence,
    candidates: &[FitCandidate],
    limits: &Limits,
) -> Vec<FitCandidate> {
    let mut climb = HypothesisClimb::new(evidence, limits);
    let mut all: Vec<(u64, FitCandidate)> = Vec::new();
    for candidate in candidates {
        let measured = climb.measure(candidate.space.rough(), u64::MAX);
        let missed = measured.first().map_or(u64::MAX, |best| best.missed);
        all.push((missed, candidate.clone()));
    }
    all.sort_by_key(|(missed, _)| *missed);
    all.into_iter().map(|(_, candidate)| candidate).collect()
}

/// A hypothesis that gives the evidence and all of `answered`; `None` if none is found, or a limit is
/// reached. The nearest one is kept in `known`. The answers that earlier hypotheses gave are no part
/// of the evidence: those that a new one does not give are added to it.
pub(super) fn fit(
    evidence: &mut Evidence,
    known: &mut LearnProgress,
    candidates: &[FitCandidate],
    answered: &[Vector],
    limits: &Limits,
) -> Option<Hypothesis> {
    loop {
        let told = NearestNotice {
            answered,
            least: u64::MAX,
        };
        let (best, tried) = fitting(evidence, known.best.take(), candidates, told, limits);
        known.tried += tried;
        let best = best?;
        let is_fit = best.missed == 0 && limits.stopped().is_none();
        let hypothesis = best.hypothesis.clone();
        known.best = Some(best);
        if !is_fit {
            return None;
        }
        let failed = failed(&hypothesis.model()?, answered);
        if failed.is_empty() {
            return Some(hypothesis);
        }
        evidence.add_failed(failed);
    }
}

/// The hypothesis that misses least of the evidence, from the one so far, then in each space; and
/// the number of descriptions that were compared. It ends early with one that misses nothing.
fn fitting(
    evidence: &Evidence,
    from: Option<ScoredHypothesis>,
    candidates: &[FitCandidate],
    mut told: NearestNotice<'_>,
    limits: &Limits,
) -> (Option<ScoredHypothesis>, usize) {
    let mut climb = HypothesisClimb::new(evidence, limits);
    let mut all: Vec<ScoredHypothesis> = Vec::new();
    if let Some(from) = from {
        let again = climb.measure(vec![from.hypothesis], u64::MAX);
        for start in again {
            let found = climb.shallow(start);
            all.push(found);
        }
    }
    let is_over = |all: &[ScoredHypothesis]| {
        limits.stopped().is_some() || all.last().is_some_and(|found| found.missed == 0)
    };
    for candidate in candidates {
        if is_over(&all) {
            return (nearest(all), climb.tried);
        }
        told.tell(&all, climb.tried);
        match &candidate.stages {
            Some(stages) => {
                for start in by_stages(&mut climb, &candidate.space, stages) {
                    let found = climb.shallow(start);
                    all.push(found);
                    told.tell(&all, climb.tried);
                    if is_over(&all) {
                        break;
                    }
                }
            }
            None => {
                let measured = climb.measure(candidate.space.starts(), u64::MAX);
                for start in measured.into_iter().take(STARTS) {
                    let found = climb.by_one(start);
                    all.push(found);
                    if is_over(&all) {
                        break;
                    }
                }
            }
        }
    }
    if is_over(&all) {
        return (nearest(all), climb.tried);
    }
    all.sort_by_key(|found| found.missed);
    for near in all.clone().into_iter().take(DEEP) {
        let found = climb.climb(near);
        all.push(found);
        if is_over(&all) {
            break;
        }
    }
    (nearest(all), climb.tried)
}

/// What is said of the nearest description while others are searched.
struct NearestNotice<'x> {
    answered: &'x [Vector],
    /// What the last one misses of which something was said.
    least: u64,
}

impl NearestNotice<'_> {
    /// Reports how many answers the nearest description gives, and the simplest that it does not.
    fn tell(&mut self, all: &[ScoredHypothesis], tried: usize) {
        let nearest = all.iter().min_by_key(|found| found.missed);
        let Some(nearest) = nearest.filter(|nearest| nearest.missed < self.least) else {
            return;
        };
        let Some(model) = nearest.hypothesis.model() else {
            return;
        };
        self.least = nearest.missed;
        let signature = model.signature();
        let failing: Vec<(&Vector, u64)> = failing(&model, self.answered).collect();
        let (given, count) = (self.answered.len() - failing.len(), self.answered.len());
        let simplest = failing
            .into_iter()
            .min_by_key(|(vector, _)| simplicity(&signature, &vector.inputs));
        let wrong = simplest.map_or(String::new(), |(vector, result)| {
            let (own, digits) = (vector.d, signature.d.digits());
            let line = vector.inputs.to_line(&signature);
            format!(", and {result:0digits$x} instead of {own:0digits$x} for {line}")
        });
        Limits::active().report(|report| {
            report.step = format!(
                "the nearest of {tried} descriptions gives {given} of {count} answers{wrong}"
            );
        });
    }
}

fn nearest(all: Vec<ScoredHypothesis>) -> Option<ScoredHypothesis> {
    all.into_iter().min_by_key(|found| found.missed)
}
