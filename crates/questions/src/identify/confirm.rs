//! The confirming sweep: inputs that a device must answer like the last candidates before it is
//! identified as one of them.

use super::changes::{Changes, changes};
use super::error::IdentifyError;
use super::every_kind::kinds;
use super::options::IdentifyOptions;
use super::questions::Questions;
use super::threads;
use crate::claims::query::QueryError;
use crate::inputs::Interface;
use crate::vectors::Vector;
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::work;
use serde::Serialize;

/// The default number of inputs of all kinds that confirm a candidate; these take about a second
/// with a device in software.
pub const CONFIRM: usize = 50_000;

/// The result of a confirming sweep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "confirmed")
)]
pub struct ConfirmationSweep {
    /// The number of inputs on which the device agreed with the remaining candidates.
    pub inputs: usize,
    /// The number of inputs that were planned. Fewer were asked if a limit was reached, or no
    /// candidate was left.
    pub of: usize,
    /// True if the inputs included infinities and NaNs.
    pub specials: bool,
    /// The numbers of changes of the first remaining candidate's parameters that these inputs show,
    /// that have no effect, and that are undecided.
    pub changes: Changes,
}

/// The number of inputs that a sweep asks first. For changes of parameters that these inputs do not
/// show, further inputs are made.
const FIRST: usize = 4096;
/// The number of inputs of the first question; each further question has `GROWTH` times as many, up
/// to `LARGEST`.
const BATCH: usize = 256;
const GROWTH: usize = 4;
const LARGEST: usize = 16_384;
/// The most products, in all, of the inputs that are drawn or asked at once, so that large models
/// get fewer inputs at once. The limits are checked between one such group of inputs and the next.
const PRODUCTS: usize = 1 << 20;

/// The number of inputs that are drawn or asked at once; it is at most `most`.
fn at_once(most: usize, signature: &Signature) -> usize {
    most.min(PRODUCTS / signature.products as usize).max(1)
}

/// Asks the device `count` inputs of all kinds, and inputs that show changes of the first
/// candidate's parameters. Drops from `left` the candidates that answer otherwise.
pub(super) fn confirm(
    models: &[Model],
    left: &mut Vec<usize>,
    questions: &mut Questions<'_>,
    count: usize,
    options: &IdentifyOptions,
) -> Result<ConfirmationSweep, IdentifyError> {
    let Some(interface) = Interface::of(left.iter().map(|&model| &models[model])) else {
        return Ok(ConfirmationSweep::default());
    };
    let signature = interface.signature;
    let mut kinds = kinds(interface, options);
    let largest = at_once(LARGEST, &signature);
    let mut sweep = ConfirmingSweep {
        models,
        left,
        batch: BATCH.min(largest),
        largest,
        confirmation: ConfirmationSweep {
            of: count,
            specials: options.specials,
            ..ConfirmationSweep::default()
        },
    };
    let drawn = kinds.take(count.min(at_once(FIRST, &signature)));
    sweep.ask(&drawn, questions)?;
    // The candidate whose changes the inputs show. If these inputs exclude it, the next candidate
    // takes its place.
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
    /// The number of inputs of the next question.
    batch: usize,
    largest: usize,
    confirmation: ConfirmationSweep,
}

impl ConfirmingSweep<'_> {
    /// Asks `inputs` in growing batches, until all of them are asked or no candidate is left.
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

/// Drops from `left` the candidates whose results differ from the device's results.
pub(super) fn keep(models: &[Model], left: &mut Vec<usize>, answered: &[Vector]) {
    let gives_all = |&model: &usize| {
        let model = &models[model];
        let mut simulator = model.simulator();
        let mut vectors = answered.iter();
        vectors.all(|vector| {
            work(simulator.cost());
            model.accepts(simulator.run(&vector.inputs), vector.d)
        })
    };
    let given = threads::map(left, left.len() * answered.len(), gives_all);
    let mut given = given.into_iter();
    left.retain(|_| given.next() == Some(true));
}

/// Asks further inputs of all kinds, until the device was asked `count` inputs in all (fewer for
/// large models). The answers show which candidates are nearest to a device that is none of the
/// candidates.
pub(super) fn ask_in_all(
    count: usize,
    models: &[Model],
    questions: &mut Questions<'_>,
    options: &IdentifyOptions,
) -> Result<(), IdentifyError> {
    let Some(interface) = Interface::of(models) else {
        return Ok(());
    };
    let count = at_once(count, &interface.signature);
    let more = count.saturating_sub(questions.answered.len());
    if more > 0 {
        let mut kinds = kinds(interface, options);
        questions.ask(&kinds.take(more))?;
    }
    Ok(())
}
