//! Answers of a unit that hypotheses are measured by.

use crate::inputs::simplicity;
use crate::vectors::Vector;
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_core::machines::model::Model;

/// The weight of all answers of a group together.
const GROUP: u64 = 1_000_000;
/// In how many turns a group is looked at, and how much more a model may miss in the first ones than
/// what would be its share.
const TURNS: usize = 6;
const SLACK: u64 = 40_000;

/// The most answers that are added to the evidence at once.
const FAILED: usize = 48;

/// Inputs with their answers.
pub(super) fn vectors(inputs: &[Inputs], answers: &[u64]) -> Vec<Vector> {
    let pairs = inputs.iter().zip(answers);
    let vectors = pairs.map(|(inputs, d)| Vector {
        inputs: inputs.clone(),
        d: *d,
    });
    vectors.collect()
}

/// The answers that the model does not give, each with its own result.
pub(super) fn failing<'v>(
    model: &Model,
    vectors: &'v [Vector],
) -> impl Iterator<Item = (&'v Vector, u64)> {
    let mut simulator = model.simulator();
    let results = vectors.iter();
    let results = results.map(move |vector| (vector, simulator.run(&vector.inputs)));
    results.filter(|(vector, result)| !model.accepts(*result, vector.d))
}

/// The first answers that the model does not give.
pub(super) fn failed(model: &Model, vectors: &[Vector]) -> Vec<Vector> {
    let failed = failing(model, vectors).take(FAILED);
    failed.map(|(vector, _)| vector.clone()).collect()
}

/// The number of answers up to the last of those that a model does not give: they chose the next model, and confirm nothing.
pub(super) fn count_to_last(answers: &[Vector], failed: &[Vector]) -> usize {
    let at = answers
        .iter()
        .position(|vector| Some(vector) == failed.last());
    at.map_or(0, |at| at + 1)
}

/// The answers in the order in which they are shown: finite operands first, of these the simplest.
pub(super) fn simplest_first(signature: &Signature, answered: &[Vector]) -> Vec<Vector> {
    let mut answered = answered.to_vec();
    answered.sort_by_cached_key(|vector| {
        let is_finite = vector.inputs.is_finite(signature);
        (!is_finite, simplicity(signature, &vector.inputs))
    });
    answered
}

/// Groups of answers. In each group the answers have the same weight, and all groups have the same.
#[derive(Debug, Default)]
pub(super) struct Evidence {
    /// Answers that a hypothesis did not give, the last ones first: they rule out most others.
    failed: Vec<Vector>,
    groups: Vec<Vec<Vector>>,
}

/// The evidence that a hypothesis is measured by: everything, or some groups.
#[derive(Clone, Debug, Default)]
pub(super) struct EvidencePart(pub Option<Vec<usize>>);

impl Evidence {
    /// Adds a group of inputs with their answers, and returns its number.
    pub fn add_group(&mut self, vectors: Vec<Vector>) -> usize {
        self.groups.push(vectors);
        self.groups.len() - 1
    }

    /// Adds answers that a hypothesis did not give.
    pub fn add_failed(&mut self, failed: impl IntoIterator<Item = Vector>) {
        let mut failed: Vec<Vector> = failed.into_iter().collect();
        failed.append(&mut self.failed);
        self.failed = failed;
    }

    /// The number of answers.
    pub fn len(&self) -> usize {
        self.failed.len() + self.groups.iter().map(Vec::len).sum::<usize>()
    }

    /// How much of the evidence the model misses; 0 if it gives every answer. From `enough` on, the
    /// rest is not looked at; nor is it where a part of each group shows that the model misses more.
    pub fn missed(&self, part: &EvidencePart, model: &Model, enough: u64) -> u64 {
        let mut simulator = model.simulator();
        let mut missed = 0;
        let mut weigh = |vectors: &mut dyn Iterator<Item = &Vector>, weight: u64| {
            for vector in vectors {
                if missed < enough && !model.accepts(simulator.run(&vector.inputs), vector.d) {
                    missed += weight;
                }
            }
            missed
        };
        let groups: Vec<&Vec<Vector>> = match &part.0 {
            None => self.groups.iter().collect(),
            Some(some) => some.iter().map(|group| &self.groups[*group]).collect(),
        };
        let weight = |group: &Vec<Vector>| GROUP / group.len().max(1) as u64;
        let failed = match part.0 {
            None => weigh(&mut self.failed.iter(), weight(&self.failed)),
            Some(_) => 0,
        };
        let mut all = failed;
        for turn in 0..TURNS {
            for group in &groups {
                let mut some = group.iter().skip(turn).step_by(TURNS);
                all = weigh(&mut some, weight(group));
                if all >= enough {
                    return all;
                }
            }
            if enough == u64::MAX || turn + 1 == TURNS {
                continue;
            }
            let share = (enough - failed.min(enough)) / TURNS as u64 * (turn as u64 + 1);
            let most = share.saturating_add(share / 4).saturating_add(SLACK);
            if all - failed > most {
                return enough.max(all);
            }
        }
        all
    }
}
