//! The search for a hypothesis that gives all answers: changes of one choice, of one choice in all
//! parts that have it, and of two choices.

use super::choices::{sum, unit};
use super::evidence::Evidence;
use super::hypothesis::{Hypothesis, model_of};
use crate::identify::threads;
use mmasmt_core::base::limits::Limits;
use rustc_hash::{FxHashMap, FxHashSet};

/// How many of the best changes of one choice are combined with all others.
const COMBINED: usize = 200;
/// How many of them may miss the same: most that do are the same function.
const ALIKE: usize = 2;

/// A search over hypotheses that are measured by some evidence.
pub(super) struct Climb<'x> {
    evidence: &'x Evidence,
    limits: &'x Limits,
    /// How much the descriptions that were measured miss, or at least miss.
    known: FxHashMap<String, u64>,
    /// The number of descriptions that were measured.
    pub tried: usize,
}

/// A hypothesis with how much it misses.
#[derive(Clone, Debug)]
pub(super) struct Measured {
    pub hypothesis: Hypothesis,
    pub missed: u64,
}

impl<'x> Climb<'x> {
    pub fn new(evidence: &'x Evidence, limits: &'x Limits) -> Self {
        Climb {
            evidence,
            limits,
            known: FxHashMap::default(),
            tried: 0,
        }
    }

    /// The hypotheses with how much each misses, the best first; those that miss `enough` or more
    /// are left out.
    pub fn measure(&mut self, hypotheses: Vec<Hypothesis>, enough: u64) -> Vec<Measured> {
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
            Some(model.map_or(u64::MAX, |model| self.evidence.missed(&model, enough)))
        });
        let mut measured = Vec::new();
        for ((hypothesis, text), missed) in open.into_iter().zip(missed) {
            let Some(missed) = missed else { continue };
            self.tried += 1;
            self.known.insert(text, missed);
            if missed < enough {
                measured.push(Measured { hypothesis, missed });
            }
        }
        measured.sort_by_key(|measured| measured.missed);
        measured
    }

    /// Improves a hypothesis until it misses nothing, or no change of one or two choices improves
    /// it, or a limit is reached.
    pub fn climb(&mut self, start: Measured) -> Measured {
        let mut best = start;
        loop {
            let before = best.missed;
            best = self.by_one(best);
            if best.missed == 0 || self.limits.stopped().is_some() {
                return best;
            }
            let searches: [fn(&mut Self, Measured) -> Measured; 3] =
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

    /// Changes one choice after another, each to its best word, until nothing improves.
    pub fn by_one(&mut self, mut best: Measured) -> Measured {
        loop {
            let before = best.missed;
            for moves in moves(&best.hypothesis) {
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
    fn together(&mut self, best: Measured) -> Measured {
        let mut found = best;
        for group in groups(found.hypothesis.space.layout.classes.len()) {
            if self.limits.stopped().is_some() {
                return found;
            }
            let all = combinations(&found.hypothesis, &group);
            let better = self.measure(all, found.missed).into_iter().next();
            found = better.unwrap_or(found);
        }
        found
    }

    /// Makes all choices of one part plain, and improves the rest again.
    fn anew(&mut self, best: Measured) -> Measured {
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
    fn by_two(&mut self, best: Measured) -> Measured {
        let all: Vec<Hypothesis> = moves(&best.hypothesis).into_iter().flatten().collect();
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
            for moves in moves(&single.hypothesis) {
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

/// All changes of one choice, choice by choice, and those of one choice in all parts that have it.
fn moves(hypothesis: &Hypothesis) -> Vec<Vec<Hypothesis>> {
    let choices = &hypothesis.space.choices;
    let mut all = Vec::new();
    for (choice, about) in choices.iter().enumerate() {
        let words = 0..about.words.len();
        let others = words.filter(|word| *word != usize::from(hypothesis.chosen[choice]));
        all.push(others.map(|word| hypothesis.with(choice, word)).collect());
        let alike =
            |at: &usize| choices[*at].about == about.about && choices[*at].words == about.words;
        let same: Vec<usize> = (0..choices.len()).filter(alike).collect();
        if same.len() > 1 && same[0] == choice {
            let everywhere = (0..about.words.len()).map(|word| {
                let mut other = hypothesis.clone();
                same.iter().for_each(|at| other.chosen[*at] = word as u16);
                other
            });
            all.push(everywhere.collect());
        }
    }
    all.push(other_roundings(hypothesis));
    all
}

/// Choices that make up for each other, such as the bits that a sum keeps and how it cuts.
fn groups(classes: usize) -> Vec<Vec<usize>> {
    let mut all = vec![vec![
        unit::FACTORS,
        unit::ADDEND,
        unit::PRODUCT_TINY,
        unit::TINY,
    ]];
    for class in 0..classes {
        let at = |choice: usize| unit::COUNT + class * sum::COUNT + choice;
        all.push(
            [sum::KEEP, sum::BY, sum::NEGATE, sum::STICKY]
                .map(at)
                .to_vec(),
        );
        all.push(vec![unit::FACTOR_ZEROS, unit::ADDEND_ZEROS, at(sum::LEAST)]);
        all.push(vec![at(sum::KEEP), at(sum::CARRY)]);
        all.push(vec![at(sum::KEEP), at(sum::OF_SUMS)]);
        all.push(vec![at(sum::KEEP), unit::PRODUCTS]);
        all.push(vec![at(sum::OUT), at(sum::FRACTION)]);
    }
    all
}

/// The hypothesis with every combination of words for some choices.
fn combinations(hypothesis: &Hypothesis, choices: &[usize]) -> Vec<Hypothesis> {
    let mut all = vec![hypothesis.clone()];
    for &choice in choices {
        let words = hypothesis.space.choices[choice].words.len();
        let with_each = |one: &Hypothesis| -> Vec<Hypothesis> {
            (0..words).map(|word| one.with(choice, word)).collect()
        };
        all = all.iter().flat_map(with_each).collect();
    }
    all
}

/// The hypothesis with one rounding wherever it rounds.
fn other_roundings(hypothesis: &Hypothesis) -> Vec<Hypothesis> {
    let choices = &hypothesis.space.choices;
    ["rne", "rz", "rd", "ru", "ra", "odd"]
        .into_iter()
        .map(|by| {
            let mut other = hypothesis.clone();
            for (choice, about) in choices.iter().enumerate() {
                let Some((before, _)) = hypothesis.word(choice).rsplit_once("by ") else {
                    continue;
                };
                let word = format!("{before}by {by}");
                if let Some(at) = about.words.iter().position(|known| *known == word) {
                    other.chosen[choice] = at as u16;
                }
            }
            other
        })
        .collect()
}
