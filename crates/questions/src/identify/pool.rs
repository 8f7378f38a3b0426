//! A pool of inputs that separate models. The inputs are drawn and improved by hill climbing, until
//! no further inputs are found that split a part.

use super::answers::{Answers, Partition};
use super::domain_draws::InputSource;
use super::hill_climb::Climber;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_numbers::base::limits::Limits;

/// Inputs with the answers of all models, and the partition by all of these answers.
pub(super) struct Pool {
    pub inputs: Vec<Inputs>,
    /// For each of the inputs, the answers of all models.
    pub columns: Vec<Vec<u64>>,
    pub partition: Partition,
}

/// The most models on which one search measures inputs.
const JUDGED: usize = 256;
/// The number of evaluations of models to find one input: half for draws, half for small changes.
const EFFORT: usize = 600_000;

impl Pool {
    /// An empty pool: all models are in one part.
    pub fn new(models: usize) -> Self {
        Pool {
            inputs: Vec::new(),
            columns: Vec::new(),
            partition: Partition::whole(models),
        }
    }

    /// Adds `inputs` to the pool; returns whether they split a part.
    pub fn add(&mut self, answers: Answers<'_>, inputs: Inputs) -> bool {
        let all: Vec<usize> = (0..answers.models.len()).collect();
        let before = self.partition.parts;
        let column = answers
            .columns(&all, std::slice::from_ref(&inputs))
            .remove(0);
        self.partition.refine(&column);
        self.columns.push(column);
        self.inputs.push(inputs);
        self.partition.parts > before
    }

    /// Adds inputs until no more are found that split a part.
    pub fn grow(
        &mut self,
        answers: Answers<'_>,
        candidates: &mut impl InputSource,
        limits: &Limits,
    ) {
        limits.report(|report| report.step = "looking for inputs that tell them apart".into());
        // For each model, whether a search has found no inputs that split its part.
        let mut settled = vec![false; answers.models.len()];
        while limits.stopped().is_none() {
            let judged = judged(&self.partition, &settled);
            if judged.is_empty() {
                return;
            }
            let mut climber = Climber::new(answers, &judged);
            let tries = (EFFORT / judged.len()).clamp(400, 20_000) / 2;
            let found = limits.run(|| {
                let best = climber.best(candidates, &[], [tries, tries], limits);
                match best {
                    Some((inputs, _)) => {
                        self.add(answers, inputs);
                    }
                    None => judged.iter().for_each(|(model, _)| settled[*model] = true),
                }
            });
            if found.is_err() {
                return;
            }
        }
    }
}

/// The models on which inputs are measured, each with its part: the members of parts that have
/// several members and are not settled, the largest parts first. If there is no room for a whole
/// part, a sample of its members is taken.
fn judged(partition: &Partition, settled: &[bool]) -> Vec<(usize, u32)> {
    let mut open: Vec<Vec<usize>> = partition.members();
    open.retain(|members| members.len() > 1 && !members.iter().any(|model| settled[*model]));
    open.sort_by_key(|members| std::cmp::Reverse(members.len()));
    let mut judged = Vec::new();
    for members in open {
        let room = JUDGED - judged.len();
        if room < 2 {
            break;
        }
        let stride = members.len().div_ceil(room);
        let chosen = members.iter().step_by(stride);
        judged.extend(chosen.map(|model| (*model, partition.part[*model])));
    }
    judged
}
