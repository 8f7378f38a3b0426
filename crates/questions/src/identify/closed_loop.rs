//! The closed loop asks a device and drops the candidates that answer otherwise. The first questions
//! are drawn, so that the device is asked at once, however many candidates there are. Then come the
//! inputs that separate the remaining candidates best, until these are proved equal, and a sweep of
//! other inputs that confirms them.

use super::answers::Answers;
use super::classes::{ModelClasses, SortOutcome};
use super::confirm::{CONFIRM, ConfirmationSweep, ask_in_all, confirm};
use super::error::IdentifyError;
use super::first_questions::{ask_drawn, drop_others};
use super::hill_climb::Climber;
use super::nearest::{CandidateAgreement, nearest};
use super::options::IdentifyOptions;
use super::questions::{AnsweredQuestion, FirstAnswers, Questions, QuestionsHalt};
use crate::claims::query::QueryError;
use crate::inputs::{Interface, SeparatingDraws};
use crate::vectors::Vector;
use crate::vectors::device::Device;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;

/// The candidates and their known relations. The same loop can identify several devices, one after
/// another.
pub struct ClosedLoop<'m> {
    answers: Answers<'m>,
    /// Inputs that separated some candidates.
    separating: Vec<Inputs>,
    relations: ModelClasses<'m>,
    candidates: SeparatingDraws,
    confirm: usize,
    options: IdentifyOptions,
    /// The answers of the next device to its first questions.
    first: Option<FirstAnswers>,
}

/// The result of identifying a device.
#[derive(Clone, Debug)]
pub struct Identified {
    /// The questions that separated candidates, in their order.
    pub asked: Vec<AnsweredQuestion>,
    /// All questions with their answers, including the questions of the confirming sweep.
    pub answered: Vec<Vector>,
    /// The remaining candidates, by number, in classes of models that are proved equal.
    pub classes: Vec<Vec<usize>>,
    /// Pairs of classes that are neither separated by an input nor proved equal.
    pub open: Vec<[usize; 2]>,
    /// The result of the sweep that confirms the remaining candidates.
    pub confirmation: ConfirmationSweep,
    /// The limit that ended the questions early.
    pub halted: Option<QuestionsHalt>,
    /// The candidates nearest to the device, by its answers; empty unless no candidate is left.
    pub nearest: Vec<CandidateAgreement>,
}

/// The outcome for a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identification {
    /// One class of candidates is left, and the whole sweep confirmed it.
    Identified,
    /// No candidate answers as the device does.
    None,
    /// Several classes are left, which are neither separated nor proved equal.
    Open,
    /// A limit was reached: the remaining candidates agree with all answers so far.
    Halted,
}

impl Identified {
    /// The outcome that the answers show.
    pub fn verdict(&self) -> Identification {
        match (self.classes.len(), self.halted) {
            (0, _) => Identification::None,
            (_, Some(_)) => Identification::Halted,
            (1, None) => Identification::Identified,
            (_, None) => Identification::Open,
        }
    }
}

/// If no candidate is left: the number of nearest candidates reported (`NEAREST`), and the number
/// of inputs asked to rank the candidates (`RANKED`).
const NEAREST: usize = 5;
const RANKED: usize = 512;
/// The most candidates on which one search for separating inputs measures inputs. If there are more
/// candidates, it takes a sample of them.
const FEW: usize = 256;
/// The number of evaluations of models in one search for separating inputs. Half of them are for
/// drawn inputs, half for small changes of the best inputs.
const EFFORT: usize = 60_000;
/// The number of products that take as long to evaluate as the rest of a model.
const CHEAP: usize = 32;
/// The most inputs that are kept because they separated candidates.
const KEPT: usize = 64;

impl<'m> ClosedLoop<'m> {
    /// A closed loop whose candidates are `models`, all of one signature; `None` if there are no
    /// models.
    pub fn new(models: &'m [Model], options: &IdentifyOptions) -> Option<Self> {
        let interface = Interface::of(models)?;
        let relations = ModelClasses::new(models, options.specials, options.seed);
        Some(ClosedLoop {
            answers: Answers::new(models),
            separating: Vec::new(),
            relations: relations.within(options.budget),
            candidates: SeparatingDraws::new(interface, options.specials, options.seed + 1),
            confirm: CONFIRM,
            options: options.clone(),
            first: None,
        })
    }

    /// The same loop, for a device that has answered its first questions already. Answers to inputs
    /// that no candidate takes are left out.
    #[must_use]
    pub fn after(self, first: FirstAnswers) -> Self {
        let interface = Interface::of(self.answers.models);
        let is_taken = |inputs: &Inputs| interface.is_none_or(|all| all.takes(inputs));
        ClosedLoop {
            first: Some(first.of(is_taken)),
            ..self
        }
    }

    /// The same loop, but it confirms the last candidates with `inputs` inputs of all kinds (at
    /// least one).
    #[must_use]
    pub fn confirming(self, inputs: usize) -> Self {
        let confirm = inputs.max(1);
        ClosedLoop { confirm, ..self }
    }

    /// Asks `device` until one class of candidates is left, or nothing separates the remaining
    /// candidates. Then asks the inputs of the confirming sweep; these include infinities and NaNs
    /// if the options allow them as operands.
    ///
    /// # Errors
    /// If the device fails, or an answer of the engine is not confirmed.
    pub fn identify(
        &mut self,
        device: &mut dyn Device,
        limits: &Limits,
    ) -> Result<Identified, IdentifyError> {
        let models = self.answers.models;
        let mut questions =
            Questions::continued(device, limits, self.first.take().unwrap_or_default());
        let mut left: Vec<usize> = (0..models.len()).collect();
        let mut asked = ask_drawn(models, &mut left, &mut questions, &self.options)?;
        let (classes, open) = loop {
            if questions.is_halted() {
                break (Vec::new(), Vec::new());
            }
            let inputs = match self.next(&left, limits) {
                Err(IdentifyError::Query(QueryError::Stopped(_))) if questions.is_halted() => {
                    break (Vec::new(), Vec::new());
                }
                next => match next? {
                    SortOutcome::Differ(inputs) => inputs,
                    SortOutcome::Classes(classes, open) => break (classes, open),
                },
            };
            let Some([answer]) = questions.ask(std::slice::from_ref(&inputs))? else {
                break (Vec::new(), Vec::new());
            };
            let result = answer.d;
            let answer = answer.clone();
            if !drop_others(models, &mut left, &answer, &mut questions) {
                break (Vec::new(), Vec::new());
            }
            asked.push(AnsweredQuestion {
                inputs,
                result,
                left: left.len(),
            });
        };
        let mut confirmation = ConfirmationSweep {
            of: self.confirm,
            specials: self.options.specials,
            ..ConfirmationSweep::default()
        };
        if !questions.is_halted() {
            let count = self.confirm;
            confirmation = confirm(models, &mut left, &mut questions, count, &self.options)?;
        }
        let (classes, open) = of_those_left(classes, open, &left);
        let mut nearby = Vec::new();
        if left.is_empty() {
            ask_in_all(RANKED, models, &mut questions, &self.options)?;
            let answered: Vec<&Vector> = questions.answered.iter().collect();
            let ranked = limits.run(|| nearest(models, &answered, NEAREST));
            if let Ok(ranked) = ranked {
                nearby = ranked.map_err(QueryError::from)?;
            }
        }
        questions.finish()?;
        Ok(Identified {
            asked,
            classes,
            open,
            confirmation,
            halted: questions.halted,
            nearest: nearby,
            answered: questions.answered,
        })
    }

    /// Returns the next question: inputs that separate the candidates `left`. If no inputs separate
    /// them, returns the classes that these candidates form.
    fn next(&mut self, left: &[usize], limits: &Limits) -> Result<SortOutcome, IdentifyError> {
        let answers = self.answers;
        if left.len() > 1 {
            // A sample takes the place of a large number of candidates.
            let stride = left.len().div_ceil(FEW);
            let looked_at: Vec<(usize, u32)> = left
                .iter()
                .step_by(stride)
                .map(|&model| (model, 0))
                .collect();
            let products = answers.models[left[0]].signature().products as usize;
            let tries = EFFORT / looked_at.len() / 2 / (1 + products / CHEAP);
            let tries = tries.clamp(1, 5000);
            let climbed = limits.run(|| {
                let mut climber = Climber::new(answers, &looked_at);
                climber.best(&mut self.candidates, &self.separating, [tries; 2], limits)
            });
            if let Some((inputs, _)) = climbed.map_err(QueryError::Stopped)? {
                self.keep_separating(&inputs);
                return Ok(SortOutcome::Differ(inputs));
            }
        }
        let differ = |inputs: &Inputs| {
            let column = answers.columns(left, std::slice::from_ref(inputs));
            column
                .iter()
                .any(|column| column.iter().any(|answer| *answer != column[0]))
        };
        let sorted = self.relations.sort(left, limits, differ)?;
        if let SortOutcome::Differ(inputs) = &sorted {
            let inputs = inputs.clone();
            self.keep_separating(&inputs);
        }
        Ok(sorted)
    }

    fn keep_separating(&mut self, inputs: &Inputs) {
        if self.separating.len() < KEPT && !self.separating.contains(inputs) {
            self.separating.push(inputs.clone());
        }
    }
}

/// The classes and the open pairs of classes, restricted to the candidates `left`. If there are no
/// classes because a limit stopped the comparison, each candidate is a class of its own.
fn of_those_left(
    classes: Vec<Vec<usize>>,
    open: Vec<[usize; 2]>,
    left: &[usize],
) -> (Vec<Vec<usize>>, Vec<[usize; 2]>) {
    if classes.is_empty() {
        return (left.iter().map(|&model| vec![model]).collect(), Vec::new());
    }
    let mut number = vec![None; classes.len()];
    let mut kept = Vec::new();
    for (index, mut class) in classes.into_iter().enumerate() {
        class.retain(|model| left.contains(model));
        if !class.is_empty() {
            number[index] = Some(kept.len());
            kept.push(class);
        }
    }
    let both = |[x, y]: [usize; 2]| Some([number[x]?, number[y]?]);
    (kept, open.into_iter().filter_map(both).collect())
}
