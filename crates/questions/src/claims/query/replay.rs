//! Replay: checks on simulators whether inputs answer a question.

use super::answer::{QueryError, Witness};
use super::judge::InputsJudge;
use super::question::Question;
use crate::inputs::simplified;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::bits::{Big, Concrete};

/// Checks for many inputs whether they answer a question, on words where these are wide enough.
pub struct Replay<'x> {
    question: &'x Question,
    claims: Vec<InputsJudge<'x>>,
}

impl<'x> Replay<'x> {
    pub fn of(question: &'x Question) -> Self {
        let claims = question.claims().iter().map(InputsJudge::of).collect();
        Replay { question, claims }
    }

    /// Whether `inputs` are among those asked for and refute every claim.
    pub fn is_met(&mut self, inputs: &Inputs) -> bool {
        self.question.admits(inputs)
            && self
                .claims
                .iter_mut()
                .all(|judge| judge.is_refuted(self.question.domain(), inputs))
    }

    /// How many models are evaluated for one input. A claim that compares no models counts as one
    /// model.
    pub fn models(&self) -> u32 {
        let models = self.claims.iter().map(InputsJudge::models);
        models.sum::<u32>().max(1)
    }

    /// How many times slower the evaluation is than on machine words alone.
    pub fn slowness(&self) -> u32 {
        let slowness = self.claims.iter().map(InputsJudge::slowness);
        slowness.max().unwrap_or(1)
    }

    /// The witness with these inputs and the values that the domain fixes, if words and big
    /// integers both confirm that the inputs answer the question.
    ///
    /// # Errors
    /// If words or big integers do not confirm this.
    pub fn confirmed(&mut self, inputs: &Inputs) -> Result<Witness, QueryError> {
        let inputs = self.question.domain().fixed_bits(inputs);
        let error = |what: String| {
            let line = inputs.to_line(&self.question.signature());
            QueryError::Replay { what, line }
        };
        if let Err(misfit) = inputs.checked(&self.question.signature()) {
            return Err(error(format!("`{}`: {misfit}", self.question)));
        }
        let mut results = Vec::new();
        for claim in self.question.claims() {
            let compared = claim.property.compared(&claim.model);
            let models = match &compared {
                Some(models) => &models[..],
                None => &[&claim.model],
            };
            for model in models {
                let word = model.simulator().run(&inputs);
                let big = model.lifted::<Big>(&inputs).0.to_u64();
                if word != big {
                    return Err(error(format!("`{model}` gives {word:x} and {big:x}")));
                }
                results.push(word);
            }
            if compared.is_none() && !claim.is_refuted_on_big(&inputs) {
                return Err(error(format!("`{claim}`")));
            }
        }
        if self.is_met(&inputs) {
            Ok(Witness {
                inputs,
                results,
                simplest: None,
            })
        } else {
            Err(error(format!("`{}`", self.question)))
        }
    }
}

impl Question {
    /// Whether the inputs are among those asked for and refute every claim, on words.
    pub fn is_answered_by(&self, inputs: &Inputs) -> bool {
        Replay::of(self).is_met(inputs)
    }

    /// A witness that direct changes of these inputs lead to, which answer the question: no solver is
    /// asked.
    ///
    /// # Errors
    /// If words or big integers do not confirm that the inputs answer the question.
    pub fn made_simple(&self, inputs: &Inputs, limits: &Limits) -> Result<Witness, QueryError> {
        let mut replay = Replay::of(self);
        let inputs = replay.confirmed(inputs)?.inputs;
        let put = |inputs| self.domain().equalised(inputs);
        let mut is_met = |inputs: &Inputs| replay.is_met(inputs);
        let simple = simplified(&self.signature(), inputs, put, &mut is_met, limits);
        replay.confirmed(&simple)
    }

    /// The witness with these inputs and the values that the domain fixes, if words and big
    /// integers both confirm that the inputs answer this question.
    ///
    /// # Errors
    /// If words or big integers do not confirm this.
    pub fn replay(&self, inputs: &Inputs) -> Result<Witness, QueryError> {
        Replay::of(self).confirmed(inputs)
    }
}
