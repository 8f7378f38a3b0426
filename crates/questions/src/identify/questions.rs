//! A series of questions to a device within limits. Every answer is kept, and the time that is
//! spent waiting for the device is measured.

use super::error::IdentifyError;
use crate::vectors::Vector;
use crate::vectors::device::{Device, DeviceError};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_numbers::base::limits::Account;
use mmasmt_numbers::base::limits::{Limits, Stopped};
use std::time::{Duration, Instant};

/// The bytes of memory that one answer takes, in addition to those for its products.
const BYTES: u64 = 200;

/// A series of questions to a device.
pub(super) struct Questions<'x> {
    device: &'x mut dyn Device,
    pub limits: &'x Limits,
    device_time: Duration,
    /// All questions with their answers, in order.
    pub answered: Vec<Vector>,
    /// The account of the memory of all answers.
    account: Account,
    /// The limit that ended the questions.
    pub halted: Option<QuestionsHalt>,
}

/// A limit that ended the questions, and whether the device or this program was at work then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuestionsHalt {
    /// The limit.
    pub stopped: Stopped,
    /// Whether the device had an open question; otherwise this program was searching for the next
    /// question.
    pub in_device: bool,
    /// The time spent waiting for the device, over all questions.
    pub device_time: Duration,
}

/// An answered question to a device.
#[derive(Clone, Debug)]
pub struct AnsweredQuestion {
    /// The operands.
    pub inputs: Inputs,
    /// The device's answer.
    pub result: u64,
    /// The number of candidates left after this answer.
    pub left: usize,
}

/// The answers of a device to its first questions.
#[derive(Clone, Debug, Default)]
pub struct FirstAnswers {
    answered: Vec<Vector>,
    device_time: Duration,
    halted: Option<QuestionsHalt>,
}

impl FirstAnswers {
    /// Answers that are known from before.
    pub(super) fn known(answered: Vec<Vector>) -> FirstAnswers {
        FirstAnswers {
            answered,
            ..FirstAnswers::default()
        }
    }

    /// The answers to those inputs for which `is_taken` holds.
    pub(super) fn of(mut self, is_taken: impl Fn(&Inputs) -> bool) -> FirstAnswers {
        self.answered.retain(|vector| is_taken(&vector.inputs));
        self
    }
}

impl<'x> Questions<'x> {
    /// A series of questions to `device`; none has been asked so far.
    pub fn new(device: &'x mut dyn Device, limits: &'x Limits) -> Self {
        Questions::continued(device, limits, FirstAnswers::default())
    }

    /// A series of questions to `device`, which has answered those of `first`.
    pub fn continued(device: &'x mut dyn Device, limits: &'x Limits, first: FirstAnswers) -> Self {
        Questions {
            device,
            limits,
            device_time: first.device_time,
            answered: first.answered,
            account: Account::default(),
            halted: first.halted,
        }
    }

    /// The answers so far.
    pub fn into_answers(self) -> FirstAnswers {
        FirstAnswers {
            answered: self.answered,
            device_time: self.device_time,
            halted: self.halted,
        }
    }

    /// True once a limit is reached.
    pub fn is_halted(&mut self) -> bool {
        if let (None, Some(stopped)) = (self.halted, self.limits.stopped()) {
            self.halt(stopped, false);
        }
        self.halted.is_some()
    }

    /// Asks the device for the results of `inputs`; `None` once a limit is reached.
    ///
    /// # Errors
    /// If the device fails, or does not answer all questions.
    pub fn ask(&mut self, inputs: &[Inputs]) -> Result<Option<&[Vector]>, IdentifyError> {
        let held = inputs
            .iter()
            .map(|inputs| BYTES + 16 * inputs.a.len() as u64);
        let held = held.sum();
        if !self.is_halted() && !Limits::active().have_room_for(held) {
            self.halt(Stopped::MemoryLimit, false);
        }
        let Some(results) = self.results(inputs)? else {
            return Ok(None);
        };
        self.account.take(held);
        let from = self.answered.len();
        let vectors = inputs.iter().cloned().zip(results);
        self.answered
            .extend(vectors.map(|(inputs, d)| Vector { inputs, d }));
        Ok(Some(&self.answered[from..]))
    }

    /// The results of `inputs`, which are not kept; `None` once a limit is reached.
    ///
    /// # Errors
    /// If the device fails, or does not answer all questions.
    pub fn results(&mut self, inputs: &[Inputs]) -> Result<Option<Vec<u64>>, IdentifyError> {
        if self.is_halted() {
            return Ok(None);
        }
        let asked = Instant::now();
        // The device may be a model in place of a machine. It may compile a program first, which
        // must keep to the same limits.
        let results = self.limits.run(|| self.device.run(inputs));
        self.device_time += asked.elapsed();
        let results = match results {
            Ok(Ok(results)) => results,
            Err(stopped) | Ok(Err(DeviceError::Stopped { stopped, .. })) => {
                self.halt(stopped, true);
                return Ok(None);
            }
            Ok(Err(error)) => return Err(error.into()),
        };
        if results.len() != inputs.len() {
            let (expected, found) = (inputs.len(), results.len());
            return Err(IdentifyError::Count { expected, found });
        }
        Ok(Some(results))
    }

    /// Ends the series of questions.
    ///
    /// # Errors
    /// If the device gave results that were not asked for.
    pub fn finish(&mut self) -> Result<(), IdentifyError> {
        if self.halted.is_none() {
            self.device.finish()?;
        }
        Ok(())
    }

    /// Ends the questions because of a limit.
    pub fn halt(&mut self, stopped: Stopped, in_device: bool) {
        self.halted = Some(QuestionsHalt {
            stopped,
            in_device,
            device_time: self.device_time,
        });
    }
}
