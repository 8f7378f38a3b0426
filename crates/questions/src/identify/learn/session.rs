//! The questions of one session of learning: their number is limited, and no answer is asked for
//! twice without need.

use crate::identify::IdentifyError;
use crate::identify::questions::{Questions, QuestionsHalt};
use crate::vectors::Vector;
use crate::vectors::device::Device;
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_numbers::base::limits::Limits;

/// Questions to a device, of which there may be at most so many.
pub struct Session<'x> {
    questions: Questions<'x>,
    pub signature: Signature,
    most: usize,
}

impl<'x> Session<'x> {
    /// A session in which no question has been asked; there may be at most `most` questions.
    pub fn new(device: &'x mut dyn Device, most: usize, limits: &'x Limits) -> Self {
        let signature = device.signature();
        Session {
            questions: Questions::new(device, limits),
            signature,
            most,
        }
    }

    /// The limits of the session.
    pub fn limits(&self) -> &'x Limits {
        self.questions.limits
    }

    /// The number of questions that may still be asked.
    pub fn left(&self) -> usize {
        self.most.saturating_sub(self.questions.answered.len())
    }

    /// All questions with their answers, in order.
    pub fn answered(&self) -> &[Vector] {
        &self.questions.answered
    }

    /// Whether a limit of time or memory is reached, or Ctrl-C was pressed.
    pub fn is_halted(&mut self) -> bool {
        self.questions.is_halted()
    }

    /// The limit that ended the session.
    pub fn halted(&self) -> Option<QuestionsHalt> {
        self.questions.halted
    }

    /// The answers to `inputs`; `None` if a limit is reached, or there are not that many questions
    /// left.
    ///
    /// # Errors
    /// If the device fails.
    pub fn ask(&mut self, inputs: &[Inputs]) -> Result<Option<Vec<u64>>, IdentifyError> {
        if inputs.len() > self.left() {
            return Ok(None);
        }
        if inputs.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let answered = self.questions.ask(inputs)?;
        Ok(answered.map(|vectors| vectors.iter().map(|vector| vector.d).collect()))
    }

    /// The answers to `inputs`, which are not kept, and do not count among the questions; `None` if a
    /// limit is reached.
    ///
    /// # Errors
    /// If the device fails.
    pub fn check(&mut self, inputs: &[Inputs]) -> Result<Option<Vec<u64>>, IdentifyError> {
        self.questions.results(inputs)
    }

    /// Ends the session, and returns all questions with their answers.
    ///
    /// # Errors
    /// If the device gave results that were not asked for.
    pub fn finish(mut self) -> Result<Vec<Vector>, IdentifyError> {
        self.questions.finish()?;
        Ok(self.questions.answered)
    }
}
