//! The search among the algorithms of the tables: parameters of the nearest ones are changed, one or two at a time, until
//! a model gives all answers. It is then refuted as a description is: by drawn inputs, by inputs that show any other
//! parameter, and by other models that give all answers.

use super::evidence::{failing, vectors};
use super::known::LearnProgress;
use super::learned::LearnOptions;
use super::learner::{BATCH, Learner, SETTLED};
use super::named::named;
use super::near::NearModels;
use crate::claims::query::QueryError;
use crate::identify::changes::changes;
use crate::identify::threads;
use crate::identify::values::mutants;
use crate::identify::{IdentifyError, IdentifyOptions};
use crate::vectors::Vector;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use rustc_hash::FxHashSet;

/// The inputs of all kinds by which algorithms are measured at first.
pub(super) const FIRST: usize = 300;
/// The nearest models whose parameters are changed, and how many of them may be of one algorithm.
const STARTS: usize = 6;
const OF_ONE: usize = 2;
/// The most changes in a row.
const CHANGES: usize = 12;
/// How many of the best changes are combined with all others, where the model misses at most one in `NEAR` answers.
const COMBINED: usize = 8;
const NEAR: usize = 4;
/// The inputs of all kinds that a model must give, before those that show its parameters are asked.
const COMPARED: usize = 2500;

/// A model with the number of answers that it does not give.
struct MeasuredModel {
    missed: usize,
    model: Model,
}

impl Learner<'_> {
    /// Searches a model of a known algorithm that gives every answer, and tries to refute it. Returns whether there is
    /// one, which is then in `known`; otherwise the nearest is.
    pub(super) fn by_parameters(
        &mut self,
        known: &mut LearnProgress,
    ) -> Result<bool, IdentifyError> {
        let inputs = self.draw(FIRST.min(self.session.left() / 4));
        let Some(answers) = self.session.ask(&inputs)? else {
            return Ok(false);
        };
        let limits = self.session.limits();
        let mut evidence = vectors(&inputs, &answers);
        let mut starts = starts(&self.signature, self.options, limits);
        loop {
            let Some(model) = found(known, &starts, &evidence, limits) else {
                return Ok(false);
            };
            let Some(failed) = self.refuted(known, &model)? else {
                return Ok(true);
            };
            known.two_answers = self.another_answer(&failed)?;
            if known.two_answers.is_some() {
                return Ok(true);
            }
            evidence.splice(0..0, failed);
            starts.insert(0, model);
        }
    }

    /// Answers that the model does not give; `None` if it gives all, or a limit is reached.
    fn refuted(
        &mut self,
        known: &mut LearnProgress,
        model: &Model,
    ) -> Result<Option<Vec<Vector>>, IdentifyError> {
        (known.agreed, known.confirmed) = (0, 0);
        let drawn = self.draw(COMPARED.min(self.session.left() / 2));
        let mut batch = BATCH;
        let mut rest = &drawn[..];
        while !rest.is_empty() {
            let (inputs, others) = rest.split_at(batch.min(rest.len()));
            (rest, batch) = (others, 2 * batch);
            let Some(answers) = self.session.ask(inputs)? else {
                return Ok(None);
            };
            if let Some(failed) = self.failed(model, inputs, &answers) {
                return Ok(Some(failed));
            }
            known.agreed += inputs.len();
        }
        if known.agreed < SETTLED {
            return Ok(None);
        }
        let options = IdentifyOptions::default()
            .specials(self.options.specials)
            .seed(self.options.seed);
        let showing = match changes(model, &drawn, &options, self.session.limits()) {
            Err(QueryError::Stopped(_)) => return Ok(None),
            found => found?.0,
        };
        if let Some(failed) = self.judged(model, &showing)? {
            return Ok(Some(failed));
        }
        let near = NearModels::of_parameters(model);
        self.confirm(known, &near, model, &mut batch)
    }
}

/// The models with which a search begins: the one that is named, then rows and algorithms with these operands.
pub(super) fn starts(signature: &Signature, options: &LearnOptions, limits: &Limits) -> Vec<Model> {
    let near = options.near.iter().cloned();
    let rows = named(signature, limits);
    near.chain(rows.into_iter().map(|(_, model)| model))
        .collect()
}

/// Searches a model that gives all of the evidence, and keeps the nearest one in `known`.
pub(super) fn found(
    known: &mut LearnProgress,
    starts: &[Model],
    evidence: &[Vector],
    limits: &Limits,
) -> Option<Model> {
    let mut search = ParameterSearch {
        evidence,
        limits,
        tried: 0,
    };
    let nearest = search.nearest(starts);
    known.tried += search.tried;
    let nearest = nearest?;
    known.model = Some(nearest.model.clone());
    (known.agreed, known.confirmed) = (0, 0);
    (nearest.missed == 0 && limits.stopped().is_none()).then_some(nearest.model)
}

/// A search over models that are measured by some answers.
struct ParameterSearch<'x> {
    evidence: &'x [Vector],
    limits: &'x Limits,
    /// The number of models that were measured.
    tried: usize,
}

impl ParameterSearch<'_> {
    /// The model that misses least, from the nearest of these.
    fn nearest(&mut self, starts: &[Model]) -> Option<MeasuredModel> {
        let all = self.measured(starts.to_vec(), usize::MAX);
        let mut names: Vec<String> = Vec::new();
        let mut best: Option<MeasuredModel> = None;
        let is_new = |start: &MeasuredModel| {
            let name = start.model.algorithm().parameters().0.to_string();
            let count = names.iter().filter(|known| **known == name).count();
            names.push(name);
            count < OF_ONE
        };
        let starts: Vec<MeasuredModel> = all.into_iter().filter(is_new).take(STARTS).collect();
        for start in starts {
            let end = self.climbed(start);
            if best.as_ref().is_none_or(|best| end.missed < best.missed) {
                self.tell(&end);
                best = Some(end);
            }
            if best.as_ref().is_some_and(|best| best.missed == 0) {
                return best;
            }
        }
        let mut best = best?;
        while best.missed > 0 && best.missed * NEAR <= self.evidence.len() {
            let Some(other) = self.two_changes(&best) else {
                break;
            };
            best = self.climbed(other);
            self.tell(&best);
        }
        Some(best)
    }

    /// The model after changes of one parameter, each of which misses less than before.
    fn climbed(&mut self, mut best: MeasuredModel) -> MeasuredModel {
        for _ in 0..CHANGES {
            if best.missed == 0 || self.limits.stopped().is_some() {
                break;
            }
            let near = changed(&best.model);
            let Some(next) = self
                .measured(near, best.missed - 1)
                .into_iter()
                .next()
                .filter(|next| next.missed < best.missed)
            else {
                break;
            };
            best = next;
        }
        best
    }

    /// A model with two changes that misses less.
    fn two_changes(&mut self, best: &MeasuredModel) -> Option<MeasuredModel> {
        let single = self.measured(changed(&best.model), usize::MAX);
        let mut known = FxHashSet::default();
        for first in single.into_iter().take(COMBINED) {
            if self.limits.stopped().is_some() {
                return None;
            }
            let second = changed(&first.model).into_iter();
            let second = second.filter(|model| known.insert(model.canonical()));
            let near = self.measured(second.collect(), best.missed - 1);
            let found = near.into_iter().next();
            if let Some(found) = found.filter(|found| found.missed < best.missed) {
                return Some(found);
            }
        }
        None
    }

    /// The models with what they miss: those first that miss least, and of these the plainest. Counting ends beyond `most`.
    fn measured(&mut self, models: Vec<Model>, most: usize) -> Vec<MeasuredModel> {
        self.tried += models.len();
        let count = models.len() * self.evidence.len();
        let missed = threads::map(&models, count, |model| {
            if self.limits.stopped().is_some() {
                return usize::MAX;
            }
            let failing = failing(model, self.evidence);
            failing.take(most.saturating_add(1)).count()
        });
        let pairs = missed.into_iter().zip(models);
        let measured = pairs.filter(|(missed, _)| *missed != usize::MAX);
        let mut all: Vec<MeasuredModel> = measured
            .map(|(missed, model)| MeasuredModel { missed, model })
            .collect();
        all.sort_by_cached_key(|measured| (measured.missed, measured.model.canonical().len()));
        all
    }

    /// Reports the nearest model.
    fn tell(&self, nearest: &MeasuredModel) {
        let (all, tried) = (self.evidence.len(), self.tried);
        let given = all - nearest.missed.min(all);
        let model = nearest.model.canonical();
        Limits::active().report(|report| {
            report.step =
                format!("{model} gives {given} of {all} answers, the most of {tried} models");
        });
    }
}

/// The models that differ in one parameter.
fn changed(model: &Model) -> Vec<Model> {
    mutants(model).into_iter().map(|(_, other)| other).collect()
}
