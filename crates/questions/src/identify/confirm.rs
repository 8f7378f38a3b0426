//! The confirming sweep: inputs that a device has to answer as the last candidates do before one of
//! them is its name.

use super::changes::{Changes, changes};
use super::error::IdentifyError;
use super::options::Options;
use super::questions::Questions;
use super::threads;
use crate::claims::property::Domain;
use crate::claims::query::QueryError;
use crate::inputs::{Kinds, directed};
use crate::vectors::Vector;
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_core::machines::model::Model;
use mmasmt_core::numbers::float::Format;

/// How many inputs of all kinds confirm a candidate, if nothing else is said: about a second with a
/// device in software.
pub const CONFIRM: usize = 50_000;

/// What a confirming sweep has shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Confirmation {
    /// Inputs that the device answered as the candidates do that are left.
    pub inputs: usize,
    /// How many it was to answer. Fewer were asked if a limit was reached, or no candidate was
    /// left.
    pub of: usize,
    /// Whether infinities and NaNs were among them.
    pub specials: bool,
    /// How many changes of the parameters of the first candidate that is left these inputs show.
    pub changes: Changes,
}

/// Inputs of a sweep that are asked first. The changes that none of these shows get inputs of
/// their own.
const FIRST: usize = 4096;
/// The inputs of the first question; every further one has so many times as many, as far as it
/// goes.
const BATCH: usize = 256;
const GROWTH: usize = 4;
const LARGEST: usize = 16_384;
/// Products that inputs have which are drawn or asked at once, of large models fewer inputs: what
/// is between two looks at the limits.
const PRODUCTS: usize = 1 << 20;

/// How many inputs of a few great and a few low products are drawn at most.
const GREAT_AND_LOW: u32 = 1500;

/// Inputs of every kind.
fn kinds(signature: Signature, options: &Options) -> Kinds {
    let everything = Domain::everything(&signature);
    let range = move |operand: usize, format: &Format| everything.numbers(operand, format).range();
    let directed = directed(signature, range, options.seed, GREAT_AND_LOW);
    Kinds::new(signature, options.specials, options.seed, directed)
}

/// How many inputs are drawn or asked at once, of `most`.
fn at_once(most: usize, signature: &Signature) -> usize {
    most.min(PRODUCTS / signature.products as usize).max(1)
}

/// Asks for `count` inputs of all kinds, and for those that show changes of the first candidate's
/// parameters. Candidates that answer otherwise are dropped from `left`.
pub(super) fn confirm(
    models: &[Model],
    left: &mut Vec<usize>,
    questions: &mut Questions<'_>,
    count: usize,
    options: &Options,
) -> Result<Confirmation, IdentifyError> {
    let Some(signature) = left.first().map(|&model| models[model].signature()) else {
        return Ok(Confirmation::default());
    };
    let mut kinds = kinds(signature, options);
    let largest = at_once(LARGEST, &signature);
    let mut sweep = ConfirmingSweep {
        models,
        left,
        batch: BATCH.min(largest),
        largest,
        confirmation: Confirmation {
            of: count,
            specials: options.specials,
            ..Confirmation::default()
        },
    };
    let drawn = kinds.take(count.min(at_once(FIRST, &signature)));
    sweep.ask(&drawn, questions)?;
    // Of which candidate the changes are shown: the first may be dropped after its own.
    let mut changed = None;
    let mut rest = count - drawn.len();
    while changed != sweep.left.first().copied() && !questions.is_halted() {
        changed = sweep.left.first().copied();
        let Some(first) = changed else { break };
        let (showing, shown) = match changes(&models[first], &drawn, options, questions.limits) {
            Err(QueryError::Stopped(_)) if questions.is_halted() => break,
            found => found?,
        };
        sweep.confirmation.changes = shown;
        sweep.confirmation.of += showing.len();
        kinds.add_distinguishing(&showing);
        sweep.ask(&showing, questions)?;
        while rest > 0 && !sweep.left.is_empty() && !questions.is_halted() {
            let some = rest.min(largest);
            sweep.ask(&kinds.take(some), questions)?;
            rest -= some;
        }
    }
    Ok(sweep.confirmation)
}

struct ConfirmingSweep<'x> {
    models: &'x [Model],
    left: &'x mut Vec<usize>,
    /// How many inputs the next question has.
    batch: usize,
    largest: usize,
    confirmation: Confirmation,
}

impl ConfirmingSweep<'_> {
    /// Asks these inputs, few at first, until no candidate is left.
    fn ask(
        &mut self,
        inputs: &[Inputs],
        questions: &mut Questions<'_>,
    ) -> Result<(), IdentifyError> {
        let mut inputs = inputs;
        while !inputs.is_empty() && !self.left.is_empty() {
            let (batch, others) = inputs.split_at(inputs.len().min(self.batch));
            let Some(answered) = questions.ask(batch)? else {
                return Ok(());
            };
            keep(self.models, self.left, answered);
            if !self.left.is_empty() {
                self.confirmation.inputs += answered.len();
            }
            inputs = others;
            self.batch = (self.batch * GROWTH).min(self.largest);
        }
        Ok(())
    }
}

/// Drops the candidates that give another result than the device.
pub(super) fn keep(models: &[Model], left: &mut Vec<usize>, answered: &[Vector]) {
    let gives_all = |&model: &usize| {
        let model = &models[model];
        let mut simulator = model.simulator();
        let mut vectors = answered.iter();
        vectors.all(|vector| model.accepts(simulator.run(&vector.inputs), vector.d))
    };
    let given = threads::map(left, left.len() * answered.len(), gives_all);
    let mut given = given.into_iter();
    left.retain(|_| given.next() == Some(true));
}

/// Asks for inputs of all kinds until `count` were asked in all, of large models fewer, to see
/// which candidates are nearest to a device that is none of them.
pub(super) fn ask_in_all(
    count: usize,
    models: &[Model],
    questions: &mut Questions<'_>,
    options: &Options,
) -> Result<(), IdentifyError> {
    let Some(signature) = models.first().map(Model::signature) else {
        return Ok(());
    };
    let count = at_once(count, &signature);
    let more = count.saturating_sub(questions.answered.len());
    if more > 0 {
        let mut kinds = kinds(signature, options);
        questions.ask(&kinds.take(more))?;
    }
    Ok(())
}
