//! Changes of one or two parameters of a model, and inputs that show the changes. Inputs show a
//! change if the changed model gives another result on them.

use super::options::IdentifyOptions;
use super::score::{Fate, Mutant, score_of};
use super::values::{mutants, with_shape};
use crate::claims::query::QueryError;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use std::time::Duration;

/// The mutation coverage of a set of inputs: how many changes of a model's parameters they show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Changes {
    /// The number of changes that the inputs show.
    pub shown: usize,
    /// The number of changes proved to have no effect.
    pub equal: usize,
    /// The number of changes that are not decided in the available time.
    pub open: usize,
}

/// The time to decide all changes of one parameter that the drawn inputs do not show. The changes
/// of two parameters get as much time again.
const TIME: Duration = Duration::from_millis(500);
/// The time to decide one change.
const TIME_EACH: Duration = Duration::from_millis(100);
/// The number of changes of two parameters that are drawn.
const PAIRS: usize = 300;

/// Tries the changes of one parameter of `base`, and some changes of two parameters. Returns inputs
/// for changes that the inputs `drawn` do not show, and the numbers of changes by their outcome.
///
/// # Errors
/// If the limits are reached first, or an answer of the engine is not confirmed.
pub fn changes(
    base: &Model,
    drawn: &[Inputs],
    options: &IdentifyOptions,
    limits: &Limits,
) -> Result<(Vec<Inputs>, Changes), QueryError> {
    let seed = options.seed;
    let options = IdentifyOptions {
        budget: Some(TIME_EACH),
        ..options.clone()
    };
    let run =
        |made: &dyn Fn() -> Vec<(String, Model)>| limits.run(made).map_err(QueryError::Stopped);
    let single = run(&|| by_turns(mutants(base)))?;
    let within = [limits, &limits.within(TIME)];
    let single = score_of(base, single, drawn, &options, within)?.mutants;
    let double = run(&|| in_two(base, &single, seed))?;
    let within = [limits, &limits.within(TIME)];
    let double = score_of(base, double, drawn, &options, within)?.mutants;
    let (mut inputs, mut changes) = (Vec::new(), Changes::default());
    for mutant in single.into_iter().chain(double) {
        match mutant.fate {
            Fate::Caught(_) => changes.shown += 1,
            Fate::Equal => changes.equal += 1,
            Fate::Unknown(_) => changes.open += 1,
            Fate::Missed(shows) => {
                changes.shown += 1;
                if !inputs.contains(&shows) {
                    inputs.push(shows);
                }
            }
        }
    }
    Ok((inputs, changes))
}

/// Reorders the changes into rounds with one change of each key in every round, so that all keys
/// get a share of the time.
pub(super) fn by_turns(mutants: Vec<(String, Model)>) -> Vec<(String, Model)> {
    let mut turns: Vec<(usize, (String, Model))> = Vec::with_capacity(mutants.len());
    let mut turn = 0;
    for mutant in mutants {
        let before = turns.last().map(|(_, (change, _))| key(change));
        turn = if before == Some(key(&mutant.0)) {
            turn + 1
        } else {
            0
        };
        turns.push((turn, mutant));
    }
    turns.sort_by_key(|(turn, _)| *turn);
    turns.into_iter().map(|(_, mutant)| mutant).collect()
}

/// Draws models with two changes. In half of the draws, the first change is one that no drawn input
/// shows, since it may have an effect in combination with another change.
pub fn in_two(base: &Model, single: &[Mutant], seed: u64) -> Vec<(String, Model)> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let quiet = by_key(single, |fate| !matches!(fate, Fate::Caught(_)));
    let all = by_key(single, |_| true);
    let mut found: Vec<(String, Model)> = Vec::new();
    let mut tries = 0;
    while tries < PAIRS {
        tries += 1;
        let first = if rng.random_bool(0.5) { &quiet } else { &all };
        let [first, second] = [first, &all].map(|keys| {
            let values = keys.choose(&mut rng);
            values.and_then(|values| values.choose(&mut rng))
        });
        let (Some(first), Some(second)) = (first, second) else {
            continue;
        };
        let change = format!("{first},{second}");
        let known = key(first) == key(second) || found.iter().any(|(known, _)| *known == change);
        // Values that the other parameters do not allow, and models with another signature, are not
        // mutants.
        let mutant = with_shape(base, &change, base.signature().products).ok();
        let mutant = mutant.filter(|mutant| {
            !known
                && mutant.signature() == base.signature()
                && mutant.canonical() != base.canonical()
        });
        found.extend(mutant.map(|mutant| (change, mutant)));
    }
    found
}

/// The changes whose fate satisfies `fate`, grouped by key. Changes of the key K are left out,
/// since chain may change with K.
pub fn by_key(single: &[Mutant], fate: impl Fn(&Fate) -> bool) -> Vec<Vec<&str>> {
    let mut keys: Vec<Vec<&str>> = Vec::new();
    for mutant in single.iter().filter(|mutant| fate(&mutant.fate)) {
        let change = mutant.change.as_str();
        match keys.iter_mut().find(|values| key(values[0]) == key(change)) {
            Some(values) => values.push(change),
            None if key(change) == "K" => {}
            None => keys.push(vec![change]),
        }
    }
    keys
}

/// The key of `KEY=VALUE`.
pub fn key(change: &str) -> &str {
    change.split_once('=').map_or(change, |(key, _)| key)
}
