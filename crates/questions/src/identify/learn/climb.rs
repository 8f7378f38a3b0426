//! The search for a hypothesis that gives all answers: changes of one choice, of one choice in all
//! parts that have it, and of two choices.

use super::evidence::{Evidence, EvidencePart};
use super::hypothesis::{Hypothesis, model_of};
use super::moves::{combinations, groups, moves};
use crate::identify::threads;
use mmasmt_numbers::base::limits::Limits;
use rustc_hash::{FxHashMap, FxHashSet};

/// How many of the best changes of one choice are combined with all others.
const COMBINED: usize = 12;
/// How many of them may miss the same: most that do are the same function.
const ALIKE: usize = 2;

/// A search over hypotheses that are measured by some evidence.
pub(super) struct HypothesisClimb<'x> {
    evidence: &'x Evidence,
    limits: &'x Limits,
    /// The evidence that counts.
    part: EvidencePart,
    /// The choices that may change; all, if there are none.
    open: Vec<usize>,
    /// How much the descriptions that were measured miss, or at least miss.
    known: FxHashMap<String, u64>,
    /// The number of descriptions that were measured.
    pub tried: usize,
}

/// A hypothesis with how much it misses.
#[derive(Clone, Debug)]
pub(super) struct ScoredHypothesis {
    pub hypothesis: Hypothesis,
    pub missed: u64,
}

impl<'x> HypothesisClimb<'x> {
    pub fn new(evidence: &'x Evidence, limits: &'x Limits) -> Self {
        HypothesisClimb {
            evidence,
            limits,
            part: EvidencePart::default(),
            open: Vec::new(),
            known: FxHashMap::default(),
            tried: 0,
        }
    }

    /// From now on some evidence counts, and some choices may change; all, if there are none.
    pub fn restrict(&mut self, part: EvidencePart, open: Vec<usize>) {
        (self.part, self.open) = (part, open);
        self.known.clear();
    }

    /// The hypotheses with how much each misses, the best first; those that miss `enough` or more
    /// are left out.
    pub fn measure(&mut self, hypotheses: Vec<Hypothesis>, enough: u64) -> Vec<ScoredHypothesis> {
        let mut asked = FxHashSet::default();
        let mut open: Vec<(Hypothesis, String)> = Vec::new();
        for hypothesis in hypotheses {
            let text = hypothesis.text();
            let is_known = self
                .known
                .get(&text)
                .is_some_and(|missed| *missed >= enough);
            if !is_known && asked.insert(text.clone()) {
                open.push((hypothesis, text));
            }
        }
        // A description is worth some evaluations of its own.
        let evaluations = open.len() * (self.evidence.len() / 4 + 200);
        let missed = threads::map(&open, evaluations, |(_, text)| {
            if self.limits.stopped().is_some() {
                return None;
            }
            let model = model_of(text);
            Some(model.map_or(u64::MAX, |model| {
                self.evidence.missed(&self.part, &model, enough)
            }))
        });
        let mut measured = Vec::new();
        for ((hypothesis, text), missed) in open.into_iter().zip(missed) {
            let Some(missed) = missed else { continue };
            self.tried += 1;
            self.known.insert(text, missed);
            if missed < enough {
                measured.push(ScoredHypothesis { hypothesis, missed });
            }
        }
        measured.sort_by_key(|measured| measured.missed);
        measured
    }

    /// True once a limit is reached.
    pub fn is_stopped(&self) -> bool {
        self.limits.stopped().is_some()
    }

    /// Improves a hypothesis until it misses nothing, or no change of one or two choices improves
    /// it, or a limit is reached.
    pub fn climb(&mut self, start: ScoredHypothesis) -> ScoredHypothesis {
        let mut best = start;
        loop {
            let before = best.missed;
            best = self.by_one(best);
            if best.missed == 0 || self.limits.stopped().is_some() {
                return best;
            }
            let searches: [fn(&mut Self, ScoredHypothesis) -> ScoredHypothesis; 3] =
                [Self::together, Self::by_two, Self::anew];
            for search in searches {
                if best.missed == before {
                    best = search(self, best);
                }
            }
            if best.missed == before || best.missed == 0 {
                return best;
            }
        }
    }

    /// Improves a hypothesis by changes of one choice, and of choices that make up for each other,
    /// until nothing improves.
    pub fn shallow(&mut self, mut best: ScoredHypothesis) -> ScoredHypothesis {
        loop {
            best = self.by_one(best);
            let before = best.missed;
            best = self.together(best);
            if best.missed == before || best.missed == 0 {
                return best;
            }
        }
    }

    /// Changes one choice after another, each to its best word, until nothing improves.
    pub fn by_one(&mut self, mut best: ScoredHypothesis) -> ScoredHypothesis {
        loop {
            let before = best.missed;
            for moves in moves(&best.hypothesis, &self.open) {
                if best.missed == 0 || self.limits.stopped().is_some() {
                    return best;
                }
                let found = self.measure(moves, best.missed).into_iter().next();
                best = found.unwrap_or(best);
            }
            if best.missed == before {
                return best;
            }
        }
    }

    /// Changes choices together that make up for each other.
    pub fn together(&mut self, best: ScoredHypothesis) -> ScoredHypothesis {
        let mut found = best;
        for group in groups(&found.hypothesis) {
            if self.limits.stopped().is_some() || found.missed == 0 {
                return found;
            }
            if !self.open.is_empty() && !group.iter().all(|(choice, _)| self.open.contains(choice))
            {
                continue;
            }
            let all = combinations(&found.hypothesis, &group);
            let better = self.measure(all, found.missed).into_iter().next();
            found = better.unwrap_or(found);
        }
        found
    }

    /// Makes all choices of one part plain, and improves the rest again.
    fn anew(&mut self, best: ScoredHypothesis) -> ScoredHypothesis {
        let choices = &best.hypothesis.space.choices;
        let mut parts: Vec<&str> = choices.iter().map(|choice| &choice.part[..]).collect();
        parts.dedup();
        for part in parts {
            let mut other = best.hypothesis.clone();
            for (at, choice) in choices.iter().enumerate() {
                if choice.part == part {
                    other.chosen[at] = 0;
                }
            }
            for start in self.measure(vec![other], u64::MAX) {
                let found = self.by_one(start);
                if found.missed < best.missed || self.limits.stopped().is_some() {
                    return if found.missed < best.missed {
                        found
                    } else {
                        best
                    };
                }
            }
        }
        best
    }

    /// Changes two choices at once.
    fn by_two(&mut self, best: ScoredHypothesis) -> ScoredHypothesis {
        let all: Vec<Hypothesis> = moves(&best.hypothesis, &self.open)
            .into_iter()
            .flatten()
            .collect();
        // What was known not to be better is measured again, to see how near it is.
        self.known.clear();
        let mut singles = self.measure(all, u64::MAX);
        let mut alike = (u64::MAX, 0);
        singles.retain(|single| {
            alike = match alike {
                (missed, count) if missed == single.missed => (missed, count + 1),
                _ => (single.missed, 1),
            };
            alike.1 <= ALIKE
        });
        let mut found = best;
        let before = found.missed;
        for single in singles.into_iter().take(COMBINED) {
            for moves in moves(&single.hypothesis, &self.open) {
                if found.missed == 0 || self.limits.stopped().is_some() {
                    return found;
                }
                let better = self.measure(moves, found.missed).into_iter().next();
                found = better.unwrap_or(found);
            }
            if found.missed < before {
                return found;
            }
        }
        found
    }
}
