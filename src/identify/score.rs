//! The mutation score of inputs: which changes of one parameter of a model they would show.

use super::candidates::Candidates;
use super::classes::{Classes, Relation};
use super::separate::Options;
use super::threads;
use super::values::mutants;
use crate::engine::{Limits, Stopped};
use crate::model::Model;
use crate::property::results_differ;
use crate::query::QueryError;
use crate::vectors::Inputs;
use rustc_hash::FxHashMap;

/// A change of one parameter.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// The parameter: `KEY=VALUE`.
    pub change: String,
    /// The model with it.
    pub model: Model,
    /// Whether the inputs show it.
    pub fate: Fate,
}

/// What becomes of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The input of this number gives another result.
    Caught(usize),
    /// Proved: there is nothing to catch.
    Equal,
    /// It differs from the model on these inputs, which are not among the given.
    Missed(Inputs),
    /// Neither was found within the limits.
    Unknown(Stopped),
}

/// The mutants of a model, each with its fate.
#[derive(Clone, Debug)]
pub struct Score {
    /// In the order of the documentation of the keys.
    pub mutants: Vec<Mutant>,
}

impl Score {
    /// How many of the mutants have a fate.
    pub fn count(&self, fate: impl Fn(&Fate) -> bool) -> usize {
        self.mutants
            .iter()
            .filter(|mutant| fate(&mutant.fate))
            .count()
    }

    /// Mutants that the inputs catch, and those that there are to catch: all that are not proved
    /// equal.
    pub fn caught(&self) -> [usize; 2] {
        let equal = self.count(|fate| *fate == Fate::Equal);
        [
            self.count(|fate| matches!(fate, Fate::Caught(_))),
            self.mutants.len() - equal,
        ]
    }
}

/// The score of `inputs` for `base`: all models that differ from it in one parameter and take the
/// same inputs are run; what none of the inputs catches is compared.
///
/// # Errors
/// If an answer of the engine is not confirmed.
pub fn score(
    base: &Model,
    inputs: &[Inputs],
    options: &Options,
    limits: &Limits,
) -> Result<Score, QueryError> {
    score_of(base, mutants(base), inputs, options, limits)
}

/// The score of `inputs` for `base` on these models, each with what is changed.
pub(super) fn score_of(
    base: &Model,
    mutants: Vec<(String, Model)>,
    inputs: &[Inputs],
    options: &Options,
    limits: &Limits,
) -> Result<Score, QueryError> {
    let fates = first_caught(base, &mutants, inputs);
    let mut scored = Vec::with_capacity(mutants.len());
    // Inputs that showed a mutant show others.
    let mut shown: Vec<Inputs> = Vec::new();
    for (mutant, caught) in mutants.into_iter().zip(fates) {
        let by_shown = |mutant| first_caught(base, std::slice::from_ref(mutant), &shown)[0];
        let fate = match (caught, by_shown(&mutant)) {
            (Some(index), _) => Fate::Caught(index),
            (None, Some(index)) => Fate::Missed(shown[index].clone()),
            (None, None) => compared(base, &mutant.1, options, limits)?,
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

/// Few inputs that catch every mutant of `base` that is not proved equal or unknown, with their
/// score.
///
/// # Errors
/// If an answer of the engine is not confirmed.
pub fn catch(
    base: &Model,
    options: &Options,
    limits: &Limits,
) -> Result<(Vec<Inputs>, Score), QueryError> {
    let mut inputs: Vec<Inputs> = Vec::new();
    let mut left: Vec<(String, Model)> = mutants(base);
    let mut candidates = Candidates::new(base.signature(), options.specials, options.seed);
    let draws: Vec<Inputs> = (0..DRAWS).map(|_| candidates.draw()).collect();
    while !left.is_empty() && limits.stopped().is_none() {
        let evaluations = left.len() * draws.len();
        let caught = threads::map(&draws, evaluations, |inputs| {
            let fates = first_caught(base, &left, std::slice::from_ref(inputs));
            fates.iter().flatten().count()
        });
        let best = (0..draws.len()).max_by_key(|&index| (caught[index], std::cmp::Reverse(index)));
        let Some(best) = best.filter(|&index| caught[index] > 0) else {
            break;
        };
        inputs.push(draws[best].clone());
        let fates = first_caught(base, &left, &inputs[inputs.len() - 1..]);
        let mut fates = fates.into_iter();
        left.retain(|_| fates.next().flatten().is_none());
    }
    // What draws do not catch, a comparison does.
    let mut known = FxHashMap::default();
    while !left.is_empty() {
        let (change, mutant) = left.swap_remove(0);
        let fate = compared(base, &mutant, options, limits)?;
        if let Fate::Missed(witness) = fate {
            let mut fates = first_caught(base, &left, std::slice::from_ref(&witness)).into_iter();
            left.retain(|_| fates.next().flatten().is_none());
            inputs.push(witness);
        } else {
            known.insert(change, fate);
        }
    }
    let mutants = mutants(base);
    let fates = first_caught(base, &mutants, &inputs);
    let settled = |((change, model), caught): ((String, Model), Option<usize>)| {
        let unknown = Fate::Unknown(Stopped::GaveUp);
        let known = known.remove(&change).unwrap_or(unknown);
        let fate = caught.map_or(known, Fate::Caught);
        Mutant {
            change,
            model,
            fate,
        }
    };
    let mutants = mutants.into_iter().zip(fates).map(settled).collect();
    Ok((inputs, Score { mutants }))
}

/// Inputs that are drawn at first.
const DRAWS: usize = 2000;

/// The first of the inputs on which each mutant differs from `base`.
fn first_caught(
    base: &Model,
    mutants: &[(String, Model)],
    inputs: &[Inputs],
) -> Vec<Option<usize>> {
    let mut simulator = base.simulator();
    let own: Vec<u64> = inputs.iter().map(|inputs| simulator.run(inputs)).collect();
    threads::map(
        mutants,
        mutants.len() * inputs.len().min(100),
        |(_, mutant)| {
            let mut simulator = mutant.simulator();
            let differs = |(inputs, own): (&Inputs, &u64)| {
                results_differ([base, mutant], [*own, simulator.run(inputs)])
            };
            inputs.iter().zip(&own).position(differs)
        },
    )
}

fn compared(
    base: &Model,
    mutant: &Model,
    options: &Options,
    limits: &Limits,
) -> Result<Fate, QueryError> {
    let pair = [base.clone(), mutant.clone()];
    let mut classes = Classes::new(&pair, options.specials, options.seed).within(options.budget);
    Ok(match classes.relation(0, 1, limits)? {
        Relation::Equal => Fate::Equal,
        Relation::Differ(inputs) => Fate::Missed(inputs),
        Relation::Unknown(stopped) => Fate::Unknown(stopped),
    })
}
