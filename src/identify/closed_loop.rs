//! The closed loop: ask a device what tells most, drop the candidates that answer otherwise, until
//! those that are left are proved to answer alike.

use super::answers::{Answers, together};
use super::candidates::Candidates;
use super::classes::{Classes, Sorted};
use super::climb::Climber;
use super::pool::Pool;
use super::separate::Options;
use crate::device::Device;
use crate::engine::Limits;
use crate::error::Error;
use crate::model::Model;
use crate::vectors::Inputs;

/// Candidates, with what is known of them, for one device after another.
pub struct ClosedLoop<'m> {
    answers: Answers<'m>,
    pool: Pool,
    relations: Classes<'m>,
    candidates: Candidates,
}

/// A question to a device.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The operands.
    pub inputs: Inputs,
    /// What the device answered.
    pub result: u64,
    /// How many candidates answer so.
    pub left: usize,
}

/// What is known of a device.
#[derive(Clone, Debug)]
pub struct Identified {
    /// The questions, in their order.
    pub asked: Vec<Asked>,
    /// The candidates that are left, by number, in classes: those of one class are proved equal.
    /// One class identifies the device; none says that it is no candidate.
    pub classes: Vec<Vec<usize>>,
    /// Pairs of classes that no input found tells apart, and no proof makes one.
    pub open: Vec<[usize; 2]>,
}

/// Candidates that are few enough to look for inputs that tell them apart at best.
const FEW: usize = 256;
/// Evaluations of models for that, half of them for inputs that are drawn, half for small changes.
const EFFORT: usize = 60_000;

impl<'m> ClosedLoop<'m> {
    /// A loop over candidates, which have one signature.
    pub fn new(models: &'m [Model], options: &Options, limits: &Limits) -> Option<Self> {
        let signature = models.first()?.signature();
        let answers = Answers::new(models);
        let mut pool = Pool::new(models.len());
        pool.grow(answers, options.specials, options.seed, limits);
        let relations = Classes::new(models, options.specials, options.seed);
        Some(ClosedLoop {
            answers,
            pool,
            relations: relations.within(options.budget),
            candidates: Candidates::new(signature, options.specials, options.seed + 1),
        })
    }

    /// Asks `device` until one class is left, or nothing tells those that are left apart.
    ///
    /// # Errors
    /// If the device fails, or an answer of the engine is not confirmed.
    pub fn identify(
        &mut self,
        device: &mut dyn Device,
        limits: &Limits,
    ) -> Result<Identified, Error> {
        let models = self.answers.models;
        let mut left: Vec<usize> = (0..models.len()).collect();
        let mut asked: Vec<Asked> = Vec::new();
        loop {
            let inputs = match self.next(&left, limits)? {
                Sorted::Differ(inputs) => inputs,
                Sorted::Classes(classes, open) => {
                    return Ok(Identified {
                        asked,
                        classes,
                        open,
                    });
                }
            };
            let results = device.run(std::slice::from_ref(&inputs))?;
            let Some(&result) = results.first() else {
                return Err(Error::Usage(
                    "expected one result from the device, found none".into(),
                ));
            };
            left.retain(|&model| {
                models[model].accepts(models[model].simulator().run(&inputs), result)
            });
            asked.push(Asked {
                inputs,
                result,
                left: left.len(),
            });
        }
    }

    /// What to ask when these candidates are left, or the classes that they are.
    fn next(&mut self, left: &[usize], limits: &Limits) -> Result<Sorted, Error> {
        let (answers, pool) = (self.answers, &self.pool);
        let measure = |column: &Vec<u64>| {
            together(&mut left.iter().map(|&model| column[model]).collect::<Vec<_>>())
        };
        let measured = pool.columns.iter().map(measure).zip(&pool.inputs);
        let best = measured.min_by_key(|(measure, _)| *measure);
        let (mut least, mut best) = match best {
            Some((measure, inputs)) => (measure, Some(inputs.clone())),
            None => (u64::MAX, None),
        };
        let count = left.len() as u64;
        if least > count && left.len() > 1 && left.len() <= FEW {
            let all: Vec<(usize, u32)> = left.iter().map(|&model| (model, 0)).collect();
            let tries = EFFORT / left.len() / 2;
            let mut climber = Climber::new(answers, &all);
            let starts: Vec<Inputs> = best.iter().cloned().collect();
            let climbed = climber.best(
                &mut self.candidates,
                &starts,
                [tries, tries].map(|tries| tries.min(5000)),
                limits,
            );
            if let Some((inputs, measure)) = climbed.filter(|(_, measure)| *measure < least) {
                self.pool.add(answers, inputs.clone());
                (least, best) = (measure, Some(inputs));
            }
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
