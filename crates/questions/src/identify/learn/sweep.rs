//! The sweep: inputs of all kinds that the unit must answer as a description does, those that tell
//! it from its neighbours, and the many that confirm it in the end.

use super::decide::Neighbourhood;
use super::evidence::{failed, vectors};
use super::hypothesis::Hypothesis;
use super::known::LearnProgress;
use super::learner::{BATCH, Learner, SETTLED};
use super::near::NearModels;
use crate::identify::IdentifyError;
use crate::vectors::Vector;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;

/// The most questions of a sweep that are asked at once.
const MOST: usize = 2000;
/// The inputs on which neighbours are compared.
const COMPARED: usize = 2500;
/// The most inputs of the confirming sweep that are asked at once.
const AT_ONCE: usize = 5000;

impl Learner<'_> {
    /// Asks inputs of all kinds, and those that tell the hypothesis from its neighbours; then the
    /// confirming sweep. Returns the answers that it does not give; `None` at the end.
    pub fn sweep(
        &mut self,
        known: &mut LearnProgress,
        hypothesis: &Hypothesis,
        batch: &mut usize,
    ) -> Result<Option<Vec<Vector>>, IdentifyError> {
        let Some(model) = hypothesis.model() else {
            return Ok(None);
        };
        loop {
            let is_told = known.neighbourhood.is_some();
            let left = self.session.left();
            if is_told && known.agreed >= SETTLED {
                let near = NearModels::of_hypothesis(hypothesis);
                return self.confirm(known, &near, &model, batch);
            }
            let count = (*batch).min(left);
            let inputs = if known.agreed >= SETTLED && !is_told {
                let mut telling = self.telling(known, hypothesis)?;
                telling.truncate(count);
                telling
            } else {
                self.draw(count)
            };
            if left == 0 || self.session.is_halted() {
                return Ok(None);
            }
            let Some(answers) = self.session.ask(&inputs)? else {
                return Ok(None);
            };
            if let Some(failed) = self.failed(&model, &inputs, &answers) {
                *batch = BATCH;
                return Ok(Some(failed));
            }
            known.agreed += inputs.len();
            *batch = (*batch * 2).min(MOST);
        }
    }

    /// Inputs that tell the hypothesis from its neighbours.
    fn telling(
        &mut self,
        known: &mut LearnProgress,
        hypothesis: &Hypothesis,
    ) -> Result<Vec<Inputs>, IdentifyError> {
        let compared = self.draw(COMPARED);
        let answered = self.session.answered();
        let limits = self.session.limits();
        known.neighbourhood = Neighbourhood::of(hypothesis, answered, compared, limits);
        if let Some(neighbourhood) = &mut known.neighbourhood {
            neighbourhood.settle(hypothesis, self.options, limits)?;
        }
        let telling = known.neighbourhood.as_ref().map(Neighbourhood::telling);
        let telling = telling.unwrap_or_default();
        self.kinds.add_distinguishing(&telling);
        Ok(telling)
    }

    /// Asks as many inputs of all kinds as confirm a description, and in the end those that tell it
    /// from its [rivals](Self::rivalled). They are no part of the questions from which it is learnt.
    pub(super) fn confirm(
        &mut self,
        known: &mut LearnProgress,
        near: &NearModels,
        model: &Model,
        batch: &mut usize,
    ) -> Result<Option<Vec<Vector>>, IdentifyError> {
        let mut at_once = BATCH;
        while known.confirmed < self.options.confirm {
            let inputs = self.draw(at_once.min(self.options.confirm - known.confirmed));
            at_once = (2 * at_once).min(AT_ONCE);
            let Some(answers) = self.session.check(&inputs)? else {
                return Ok(None);
            };
            if let Some(failed) = self.failed(model, &inputs, &answers) {
                *batch = BATCH;
                return Ok(Some(failed));
            }
            known.confirmed += inputs.len();
        }
        let failed = self.rivalled(known, near, model)?;
        if failed.is_some() {
            *batch = BATCH;
        }
        Ok(failed)
    }

    /// The first inputs with answers that the model does not give. Further inputs are drawn near
    /// them.
    pub(super) fn failed(
        &mut self,
        model: &Model,
        inputs: &[Inputs],
        answers: &[u64],
    ) -> Option<Vec<Vector>> {
        let failed = failed(model, &vectors(inputs, answers));
        let near = failed.iter().take(8).map(|vector| vector.inputs.clone());
        self.kinds.add_distinguishing(&near.collect::<Vec<_>>());
        (!failed.is_empty()).then_some(failed)
    }
}
