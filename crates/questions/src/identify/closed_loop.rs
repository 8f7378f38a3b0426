//! The closed loop asks a device the most informative inputs and drops the candidates that answer
//! otherwise, until the remaining candidates are proved equal. Then a sweep of other inputs
//! confirms the remaining candidates.

use super::answers::{Answers, together};
use super::classes::{Classes, Sorted};
use super::confirm::{CONFIRM, Confirmation, ask_in_all, confirm, keep};
use super::error::IdentifyError;
use super::hill_climb::Climber;
use super::nearest::{Near, nearest};
use super::options::Options;
use super::pool::Pool;
use super::questions::{Halted, Questions};
use crate::claims::query::QueryError;
use crate::inputs::SeparatingDraws;
use crate::vectors::Vector;
use crate::vectors::device::Device;
use mmasmt_core::base::limits::Limits;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;

/// The candidates and their known relations. The same loop can identify several devices, one after
/// another.
pub struct ClosedLoop<'m> {
    answers: Answers<'m>,
    pool: Pool,
    relations: Classes<'m>,
    candidates: SeparatingDraws,
    confirm: usize,
    options: Options,
    /// Whether the device is asked before the pool has inputs that separate all candidates.
    is_asked_at_once: bool,
}

/// An answered question to a device.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The operands.
    pub inputs: Inputs,
    /// The device's answer.
    pub result: u64,
    /// The number of candidates left after this answer.
    pub left: usize,
}

/// The result of identifying a device.
#[derive(Clone, Debug)]
pub struct Identified {
    /// The questions that separated candidates, in their order.
    pub asked: Vec<Asked>,
    /// All questions with their answers, including the questions of the confirming sweep.
    pub answered: Vec<Vector>,
    /// The remaining candidates, by number, in classes of models that are proved equal.
    pub classes: Vec<Vec<usize>>,
    /// Pairs of classes that are neither separated by an input nor proved equal.
    pub open: Vec<[usize; 2]>,
    /// The result of the sweep that confirms the remaining candidates.
    pub confirmation: Confirmation,
    /// The limit that ended the questions early.
    pub halted: Option<Halted>,
    /// The candidates nearest to the device, by its answers; empty unless no candidate is left.
    pub nearest: Vec<Near>,
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
/// If there are more candidates than this, it takes a minute to find inputs that separate all of
/// them, so the device is asked at once. A candidate that an answer excludes needs no separating
/// input.
const MANY: usize = 4096;
/// If there are many candidates, a question may leave at most one in this many pairs of candidates
/// unseparated; otherwise a better question is searched for.
const MUCH: u64 = 16;
/// The number of evaluations of models in one search for separating inputs. Half of them are for
/// drawn inputs, half for small changes of the best inputs.
const EFFORT: usize = 60_000;

impl<'m> ClosedLoop<'m> {
    /// A closed loop whose candidates are `models`, all of one signature; `None` if there are no
    /// models.
    pub fn new(models: &'m [Model], options: &Options, limits: &Limits) -> Option<Self> {
        let signature = models.first()?.signature();
        let answers = Answers::new(models);
        let mut pool = Pool::new(models.len());
        let is_asked_at_once = models.len() > MANY;
        if !is_asked_at_once {
            pool.grow(answers, options.specials, options.seed, limits);
        }
        let relations = Classes::new(models, options.specials, options.seed);
        Some(ClosedLoop {
            answers,
            pool,
            relations: relations.within(options.budget),
            candidates: SeparatingDraws::new(signature, options.specials, options.seed + 1),
            confirm: CONFIRM,
            options: options.clone(),
            is_asked_at_once,
        })
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
        let mut questions = Questions::new(device, limits);
        let mut left: Vec<usize> = (0..models.len()).collect();
        let mut asked: Vec<Asked> = Vec::new();
        let (classes, open) = loop {
            if questions.is_halted() {
                break (Vec::new(), Vec::new());
            }
            let inputs = match self.next(&left, limits) {
                Err(IdentifyError::Query(QueryError::Stopped(_))) if questions.is_halted() => {
                    break (Vec::new(), Vec::new());
                }
                next => match next? {
                    Sorted::Differ(inputs) => inputs,
                    Sorted::Classes(classes, open) => break (classes, open),
                },
            };
            let Some([answer]) = questions.ask(std::slice::from_ref(&inputs))? else {
                break (Vec::new(), Vec::new());
            };
            let result = answer.d;
            keep(models, &mut left, std::slice::from_ref(answer));
            asked.push(Asked {
                inputs,
                result,
                left: left.len(),
            });
        };
        let mut confirmation = Confirmation {
            of: self.confirm,
            specials: self.options.specials,
            ..Confirmation::default()
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
            nearby = nearest(models, &answered, NEAREST).map_err(QueryError::from)?;
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
    fn next(&mut self, left: &[usize], limits: &Limits) -> Result<Sorted, IdentifyError> {
        let answers = self.answers;
        let measure = |column: &Vec<u64>| {
            together(&mut left.iter().map(|&model| column[model]).collect::<Vec<_>>())
        };
        let pool = &self.pool;
        let measured = pool.columns.iter().map(measure).zip(&pool.inputs);
        let best = measured.min_by_key(|(measure, _)| *measure);
        let (mut least, mut best) = match best {
            Some((measure, inputs)) => (measure, Some(inputs.clone())),
            None => (u64::MAX, None),
        };
        let count = left.len() as u64;
        let looked_at = match left.len() {
            0 | 1 => Vec::new(),
            2..=FEW if least > count => left.to_vec(),
            // A sample takes the place of a large number of candidates.
            many if many > FEW && self.is_asked_at_once && least > count * count / MUCH => {
                left.iter().step_by(many.div_ceil(FEW)).copied().collect()
            }
            _ => Vec::new(),
        };
        if !looked_at.is_empty() {
            let all: Vec<(usize, u32)> = looked_at.iter().map(|&model| (model, 0)).collect();
            let tries = EFFORT / all.len() / 2;
            let mut climber = Climber::new(answers, &all);
            let starts: Vec<Inputs> = best.iter().cloned().collect();
            let is_all = all.len() == left.len();
            let climbed = limits.run(|| {
                let climbed = climber.best(
                    &mut self.candidates,
                    &starts,
                    [tries, tries].map(|tries| tries.min(5000)),
                    limits,
                );
                if let Some((inputs, measured)) =
                    climbed.filter(|(_, measured)| !is_all || *measured < least)
                {
                    self.pool.add(answers, inputs.clone());
                    let measured = match self.pool.columns.last() {
                        Some(column) if !is_all => measure(column),
                        _ => measured,
                    };
                    if measured < least {
                        (least, best) = (measured, Some(inputs));
                    }
                }
            });
            climbed.map_err(QueryError::Stopped)?;
        }
        if let Some(inputs) = best.filter(|_| least < count * count) {
            return Ok(Sorted::Differ(inputs));
        }
        let differ = |inputs: &Inputs| {
            let column = answers.columns(left, std::slice::from_ref(inputs));
            column
                .iter()
                .any(|column| column.iter().any(|answer| *answer != column[0]))
        };
        let sorted = self.relations.sort(left, limits, differ)?;
        if let Sorted::Differ(inputs) = &sorted {
            self.pool.add(answers, inputs.clone());
        }
        Ok(sorted)
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
