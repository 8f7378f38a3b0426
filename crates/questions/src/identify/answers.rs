//! The answers of models to inputs, as numbers: two numbers are equal iff the answers are equal.

use super::threads;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::work;

/// The answers of models of one signature. If one of the models leaves the code of a NaN open, all
/// NaNs count as one answer.
#[derive(Clone, Copy, Debug)]
pub struct Answers<'m> {
    /// The models.
    pub models: &'m [Model],
    any_nan: bool,
}

impl<'m> Answers<'m> {
    /// The answers of `models`.
    pub fn new(models: &'m [Model]) -> Self {
        let any_nan = models.iter().any(Model::gives_any_nan);
        Answers { models, any_nan }
    }

    /// The answer of model `of` if its result register is `result`.
    pub fn answer(&self, of: usize, result: u64) -> u64 {
        let format = self.models[of].signature().d;
        let unspecified = self.any_nan && format.is_nan(result);
        if unspecified { u64::MAX } else { result }
    }

    /// Returns one column for each of `inputs`: the answers of the models with the numbers `of`, in
    /// the order of `of`.
    pub fn columns(&self, of: &[usize], inputs: &[Inputs]) -> Vec<Vec<u64>> {
        let row = |&model: &usize| -> Vec<u64> {
            let mut simulator = self.models[model].simulator();
            let answer = |inputs| {
                work(simulator.cost());
                self.answer(model, simulator.run(inputs))
            };
            inputs.iter().map(answer).collect()
        };
        let rows = threads::map(of, of.len() * inputs.len(), row);
        let column = |input| rows.iter().map(|row| row[input]).collect();
        (0..inputs.len()).map(column).collect()
    }
}

/// A partition of the models into parts; `part` holds, for each model, the number of its part.
#[derive(Clone, Debug)]
pub struct Partition {
    pub part: Vec<u32>,
    pub parts: u32,
}

impl Partition {
    /// The partition into one part with all models.
    pub fn whole(models: usize) -> Self {
        let parts = u32::from(models > 0);
        Partition {
            part: vec![0; models],
            parts,
        }
    }

    /// Splits each part by the answers of its models in `column`.
    pub fn refine(&mut self, column: &[u64]) {
        let mut known = rustc_hash::FxHashMap::default();
        for (part, answer) in self.part.iter_mut().zip(column) {
            let next = known.len() as u32;
            *part = *known.entry((*part, *answer)).or_insert(next);
        }
        self.parts = known.len() as u32;
    }

    /// The members of each part.
    pub fn members(&self) -> Vec<Vec<usize>> {
        let mut members = vec![Vec::new(); self.parts as usize];
        for (model, part) in self.part.iter().enumerate() {
            members[*part as usize].push(model);
        }
        members
    }
}

/// The number of ordered pairs of models with equal keys, where each model also forms a pair with
/// itself: the sum of the squares of the sizes of the groups of equal keys. `keys` is sorted on
/// return.
pub(super) fn together<K: Ord>(keys: &mut [K]) -> u64 {
    keys.sort_unstable();
    let runs = keys.chunk_by(|x, y| x == y);
    runs.map(|run| (run.len() as u64).pow(2)).sum()
}
