//! The mutation score of inputs: how many changes of one parameter of a model the inputs show.

use super::classes::{ClassRelation, ModelClasses};
use super::drawn::{drawn, first_caught};
use super::options::IdentifyOptions;
use super::values::mutants;
use crate::claims::query::QueryError;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::{Limits, Stopped};
use std::time::{Duration, Instant};

/// A model with one parameter changed.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// The parameter: `KEY=VALUE`.
    pub change: String,
    /// The model after the change.
    pub model: Model,
    /// What is known about the mutant.
    pub fate: Fate,
}

/// What is known about a mutant: whether it differs from the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The mutant gives a different result on one of the given inputs; this is its number.
    Caught(usize),
    /// The mutant is proved equal to the model.
    Equal,
    /// The mutant differs from the model on these inputs, which are not among the given inputs.
    Missed(Inputs),
    /// Undecided within the limits.
    Unknown(Stopped),
}

/// The mutants of a model, each with its fate.
#[derive(Clone, Debug)]
pub struct Score {
    /// The mutants in the order in which the keys are documented.
    pub mutants: Vec<Mutant>,
}

impl Score {
    /// The number of mutants whose fate satisfies `fate`.
    pub fn count(&self, fate: impl Fn(&Fate) -> bool) -> usize {
        self.mutants
            .iter()
            .filter(|mutant| fate(&mutant.fate))
            .count()
    }

    /// The number of mutants that the inputs catch, and the number of all mutants that are not
    /// proved equal to the model.
    pub fn caught(&self) -> [usize; 2] {
        let equal = self.count(|fate| *fate == Fate::Equal);
        [
            self.count(|fate| matches!(fate, Fate::Caught(_))),
            self.mutants.len() - equal,
        ]
    }
}

/// The score of `inputs` for `base`. The mutants are all models that differ from `base` in one
/// parameter and take the same inputs. Every mutant is run on `inputs`; the mutants that no input
/// catches are compared with `base`.
///
/// # Errors
/// If inputs do not fit `base`, or an answer of the engine is not confirmed.
pub fn score(
    base: &Model,
    inputs: &[Inputs],
    options: &IdentifyOptions,
    limits: &Limits,
) -> Result<Score, QueryError> {
    let signature = base.signature();
    for inputs in inputs {
        inputs.checked(&signature)?;
    }
    let mutants = limits.run(|| mutants(base)).map_err(QueryError::Stopped)?;
    score_of(base, mutants, inputs, options, [limits; 2])
}

/// The score of `inputs` for `base`, where the mutants are given, each with its change. The limits
/// `running` hold while the inputs are run. The limits `limits` hold while the mutants that no
/// input catches are compared with `base`.
pub(super) fn score_of(
    base: &Model,
    mutants: Vec<(String, Model)>,
    inputs: &[Inputs],
    options: &IdentifyOptions,
    [running, limits]: [&Limits; 2],
) -> Result<Score, QueryError> {
    let ran = running.run(|| first_caught(base, &mutants, inputs));
    let fates = ran.map_err(QueryError::Stopped)?;
    let mut scored = Vec::with_capacity(mutants.len());
    // Inputs that show one missed mutant often show other mutants too.
    let mut shown: Vec<Inputs> = Vec::new();
    for (mutant, caught) in mutants.into_iter().zip(fates) {
        let by_shown = limits.run(|| first_caught(base, std::slice::from_ref(&mutant), &shown)[0]);
        let fate = match (caught, by_shown) {
            (Some(index), _) => Fate::Caught(index),
            (None, Ok(Some(index))) => Fate::Missed(shown[index].clone()),
            (None, Ok(None)) => compared(base, &mutant.1, options, limits)?,
            (None, Err(stopped)) => Fate::Unknown(stopped),
        };
        if let Fate::Missed(inputs) = &fate
            && !shown.contains(inputs)
        {
            shown.push(inputs.clone());
        }
        let (change, model) = mutant;
        scored.push(Mutant {
            change,
            model,
            fate,
        });
    }
    Ok(Score { mutants: scored })
}

/// Finds a few inputs that catch every mutant of `base` that is neither proved equal nor undecided,
/// and their score.
///
/// # Errors
/// If an answer of the engine is not confirmed.
pub fn catch(
    base: &Model,
    options: &IdentifyOptions,
    limits: &Limits,
) -> Result<(Vec<Inputs>, Score), QueryError> {
    limits.report(|report| report.question = format!("mutants of {base}"));
    let mutants = limits.run(|| mutants(base)).map_err(QueryError::Stopped)?;
    let mut fates: Vec<Option<Fate>> = vec![None; mutants.len()];
    // As long as there is time, drawn inputs catch mutants. Then comparisons decide the remaining
    // mutants. A limit that ends the draws also ends the comparisons.
    let mut inputs = Vec::new();
    for (number, drawn) in drawn(base, &mutants, options, limits)
        .into_iter()
        .enumerate()
    {
        for index in caught_by(base, &mutants, &fates, &drawn, limits) {
            fates[index] = Some(Fate::Caught(number));
        }
        inputs.push(drawn);
    }
    let mut budgets = Budgets::of(options.budget);
    for index in 0..mutants.len() {
        let settled = Some([mutants.len() - open(&fates).len(), mutants.len()]);
        limits.report(|report| report.settled = settled);
        if fates[index].is_some() {
            continue;
        }
        let start = Instant::now();
        let options = IdentifyOptions {
            budget: budgets.next(open(&fates[index..]).len()),
            ..options.clone()
        };
        let fate = compared(base, &mutants[index].1, &options, limits)?;
        budgets.spend(start.elapsed());
        match fate {
            Fate::Missed(witness) => {
                fates[index] = Some(Fate::Caught(inputs.len()));
                let others = caught_by(base, &mutants, &fates, &witness, limits);
                others
                    .into_iter()
                    .for_each(|other| fates[other] = Some(Fate::Caught(inputs.len())));
                inputs.push(witness);
            }
            fate => fates[index] = Some(fate),
        }
    }
    let unknown = Fate::Unknown(Stopped::GaveUp);
    let mutants = mutants.into_iter().zip(fates);
    let mutants = mutants.map(|((change, model), fate)| Mutant {
        change,
        model,
        fate: fate.unwrap_or_else(|| unknown.clone()),
    });
    let mutants = mutants.collect();
    Ok((inputs, Score { mutants }))
}

/// How many times the time for one comparison all comparisons take at most.
const COMPARISONS: u32 = 12;
/// The least time for a comparison: enough for proofs that need no search.
const LEAST: Duration = Duration::from_millis(50);

/// The time for comparisons, one after another. Time that one leaves is there for the others.
struct Budgets {
    /// The time for one comparison; `None` for no limit.
    each: Option<Duration>,
    left: Duration,
}

impl Budgets {
    fn of(each: Option<Duration>) -> Budgets {
        Budgets {
            each,
            left: each.map_or(Duration::ZERO, |each| each.saturating_mul(COMPARISONS)),
        }
    }

    /// The time for the next comparison, if `open` are left with it.
    fn next(&self, open: usize) -> Option<Duration> {
        let open = u32::try_from(open).unwrap_or(u32::MAX).max(1);
        let share = (self.left / open).max(LEAST);
        self.each.map(|each| each.min(share))
    }

    fn spend(&mut self, time: Duration) {
        self.left = self.left.saturating_sub(time);
    }
}

/// The numbers of the mutants that are not decided yet, including those that a comparison left
/// undecided.
pub fn open(fates: &[Option<Fate>]) -> Vec<usize> {
    let is_open = |index: &usize| matches!(fates[*index], None | Some(Fate::Unknown(_)));
    (0..fates.len()).filter(is_open).collect()
}

/// The numbers of the open mutants that `inputs` catch; none if a limit was reached.
fn caught_by(
    base: &Model,
    mutants: &[(String, Model)],
    fates: &[Option<Fate>],
    inputs: &Inputs,
    limits: &Limits,
) -> Vec<usize> {
    let open = open(fates);
    let left: Vec<(String, Model)> = open.iter().map(|&index| mutants[index].clone()).collect();
    let caught = limits.run(|| first_caught(base, &left, std::slice::from_ref(inputs)));
    let caught = caught.unwrap_or_default().into_iter().zip(open);
    caught
        .filter_map(|(caught, index)| caught.map(|_| index))
        .collect()
}

fn compared(
    base: &Model,
    mutant: &Model,
    options: &IdentifyOptions,
    limits: &Limits,
) -> Result<Fate, QueryError> {
    let pair = [base.clone(), mutant.clone()];
    let mut classes =
        ModelClasses::new(&pair, options.specials, options.seed).within(options.budget);
    Ok(match classes.relation(0, 1, limits)? {
        ClassRelation::Equal => Fate::Equal,
        ClassRelation::Differ(inputs) => Fate::Missed(inputs),
        ClassRelation::Unknown(stopped) => Fate::Unknown(stopped),
    })
}
