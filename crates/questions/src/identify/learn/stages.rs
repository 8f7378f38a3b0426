//! The search for a hypothesis class by class: first what single summands show, then the sum that
//! gives the result, then the sums below it, each by the inputs that show it apart from the others.

use super::choices::{sum, unit};
use super::climb::{HypothesisClimb, ScoredHypothesis};
use super::evidence::EvidencePart;
use super::hypothesis::{Hypothesis, Space};
use std::sync::Arc;

/// The evidence of a layout: groups that show single summands, and for each class, the outermost
/// first, its number and the group that shows it.
#[derive(Clone, Debug)]
pub(super) struct LayoutEvidence {
    pub single: Vec<usize>,
    pub classes: Vec<(usize, usize)>,
}

/// The hypotheses that are kept from one stage to the next.
const KEPT: usize = 3;
/// How many of them are improved by changes of several choices, if they miss more than so much.
const IMPROVED: usize = 2;
const FEW: u64 = 50_000;

/// The hypotheses that miss least after all stages, measured by all of the evidence.
pub(super) fn by_stages(
    climb: &mut HypothesisClimb<'_>,
    space: &Arc<Space>,
    stages: &LayoutEvidence,
) -> Vec<ScoredHypothesis> {
    let mut kept = space.starts();
    let of_unit: Vec<usize> = (0..unit::COUNT).collect();
    let of_class =
        |class: usize| (0..sum::COUNT).map(move |choice| unit::COUNT + class * sum::COUNT + choice);
    let mut groups = stages.single.clone();
    for (number, (class, group)) in stages.classes.iter().enumerate() {
        groups.push(*group);
        let is_outermost = number == 0;
        let mut open: Vec<usize> = of_class(*class).collect();
        if is_outermost {
            open.extend(&of_unit);
        }
        climb.restrict(EvidencePart(Some(groups.clone())), open);
        kept = stage(climb, kept);
        if climb.is_stopped() {
            break;
        }
    }
    climb.restrict(EvidencePart::default(), Vec::new());
    let measured = climb.measure(kept.clone(), u64::MAX);
    match measured.is_empty() {
        // A limit ends the search with what there is.
        true => kept
            .into_iter()
            .map(|hypothesis| ScoredHypothesis {
                hypothesis,
                missed: u64::MAX,
            })
            .collect(),
        false => measured,
    }
}

/// Improves hypotheses by what a stage has, and keeps the best ones.
fn stage(climb: &mut HypothesisClimb<'_>, starts: Vec<Hypothesis>) -> Vec<Hypothesis> {
    let mut found: Vec<ScoredHypothesis> = Vec::new();
    for start in climb.measure(starts.clone(), u64::MAX) {
        let best = climb.by_one(start);
        let is_known = |known: &ScoredHypothesis| known.hypothesis.chosen == best.hypothesis.chosen;
        if !found.iter().any(is_known) {
            found.push(best);
        }
        if climb.is_stopped() {
            break;
        }
    }
    found.sort_by_key(|found| found.missed);
    for best in found.iter_mut().take(IMPROVED) {
        if best.missed > FEW && !climb.is_stopped() {
            let together = climb.together(best.clone());
            *best = match together.missed < best.missed {
                true => climb.by_one(together),
                false => together,
            };
        }
    }
    found.sort_by_key(|found| found.missed);
    let Some(least) = found.first().map(|found| found.missed) else {
        return starts;
    };
    let near = found.into_iter().filter(|found| found.missed / 3 <= least);
    near.take(KEPT).map(|found| found.hypothesis).collect()
}
