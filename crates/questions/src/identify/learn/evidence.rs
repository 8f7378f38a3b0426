//! Answers of a unit that hypotheses are measured by.

use crate::vectors::Vector;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;

/// The weight of all answers of a group together.
const GROUP: u64 = 1_000_000;

/// Groups of answers. In each group the answers have the same weight, and all groups have the same.
#[derive(Debug, Default)]
pub(super) struct Evidence {
    /// Answers that a hypothesis did not give, the last ones first: they rule out most others.
    failed: Vec<Vector>,
    groups: Vec<Vec<Vector>>,
}

impl Evidence {
    /// Adds a group of inputs with their answers.
    pub fn add_group(&mut self, inputs: &[Inputs], answers: &[u64]) {
        let pairs = inputs.iter().zip(answers);
        let vectors = pairs.map(|(inputs, d)| Vector {
            inputs: inputs.clone(),
            d: *d,
        });
        self.groups.push(vectors.collect());
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
    /// rest is not looked at.
    pub fn missed(&self, model: &Model, enough: u64) -> u64 {
        let mut simulator = model.simulator();
        let mut missed = 0;
        for group in std::iter::once(&self.failed).chain(&self.groups) {
            let weight = GROUP / group.len().max(1) as u64;
            for vector in group {
                if !model.accepts(simulator.run(&vector.inputs), vector.d) {
                    missed += weight;
                    if missed >= enough {
                        return missed;
                    }
                }
            }
        }
        missed
    }
}
