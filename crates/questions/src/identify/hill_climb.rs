//! Hill climbing: finds inputs that separate as many of the given models as possible.

use super::answers::{Answers, together};
use super::domain_draws::InputSource;
use crate::inputs::Climb;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Simulator;
use mmasmt_numbers::base::limits::{Limits, work};
use std::cmp::Reverse;

/// Models with a partition. Inputs are measured by the number of pairs of models that stay together
/// in one part after the inputs have split the partition.
pub struct Climber<'m> {
    answers: Answers<'m>,
    models: Vec<usize>,
    parts: Vec<u32>,
    simulators: Vec<Simulator<'m>>,
    keys: Vec<(u32, u64)>,
}

impl<'m> Climber<'m> {
    /// A climber over `models`; each item is the number of a model and the number of its part.
    pub fn new(answers: Answers<'m>, models: &[(usize, u32)]) -> Self {
        let simulator = |(model, _): &(usize, u32)| answers.models[*model].simulator();
        Climber {
            answers,
            models: models.iter().map(|(model, _)| *model).collect(),
            parts: models.iter().map(|(_, part)| *part).collect(),
            simulators: models.iter().map(simulator).collect(),
            keys: Vec::with_capacity(models.len()),
        }
    }

    /// The least possible measure, which inputs reach if they put every model alone in a part.
    pub fn least(&self) -> u64 {
        self.models.len() as u64
    }

    /// The measure of the current partition, without further inputs.
    pub fn now(&self) -> u64 {
        together(&mut self.parts.clone())
    }

    /// The measure of the partition after it is split by `inputs`; smaller is better.
    pub fn measure(&mut self, inputs: &Inputs) -> u64 {
        self.keys.clear();
        let models = self.models.iter().zip(&mut self.simulators);
        for ((&model, simulator), &part) in models.zip(&self.parts) {
            work(simulator.cost());
            let answer = self.answers.answer(model, simulator.run(inputs));
            self.keys.push((part, answer));
        }
        together(&mut self.keys)
    }

    /// Takes the best inputs among `starts` and `draws` drawn candidates, and improves them by
    /// `steps` small changes. Returns the improved inputs and their measure; `None` if no start and
    /// no draw splits a part.
    pub fn best(
        &mut self,
        candidates: &mut impl InputSource,
        starts: &[Inputs],
        [draws, steps]: [usize; 2],
        limits: &Limits,
    ) -> Option<(Inputs, u64)> {
        let (least, now) = (Reverse(self.least()), Reverse(self.now()));
        let mut climb = Climb {
            score: |inputs: &Inputs, _: &Reverse<u64>| Some(Reverse(self.measure(inputs))),
            highest: Some(least),
            limits,
        };
        let drawn = (0..draws).filter_map(|_| candidates.draw());
        let best = climb.best(starts.iter().cloned().chain(drawn), now)?;
        let near = |inputs: &Inputs| candidates.near(inputs);
        let (inputs, Reverse(measured)) = climb.climb(best, steps, near);
        Some((inputs, measured))
    }
}
