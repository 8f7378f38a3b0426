//! The parameters of a known algorithm that answers decide.

use super::choices::LearnChoice;
use super::evidence::{failing, simplest_first};
use super::learned::{DecidedChoice, OpenChoice};
use crate::identify::values::mutants;
use crate::vectors::Vector;
use mmasmt_core::machines::model::{Model, spelled};
use rustc_hash::FxHashSet;

/// Another value of a parameter, and the first answer that it does not give, with its result.
struct OtherValue<'v> {
    value: String,
    excluded: Option<(&'v Vector, u64)>,
    is_equal: bool,
}

/// The parameters that answers decide, each against the nearest other value, and those of which some values are left:
/// those first that are not proved equal, by the texts of their models.
pub(super) fn decided_parameters(
    model: &Model,
    answered: &[Vector],
    equal_texts: &FxHashSet<String>,
) -> (Vec<DecidedChoice>, Vec<OpenChoice>) {
    let answered = simplest_first(&model.signature(), answered);
    let mut others: Vec<(String, Vec<OtherValue<'_>>)> = Vec::new();
    for (change, other) in mutants(model) {
        let Some((key, value)) = change.split_once('=').filter(|_| !change.contains(',')) else {
            continue;
        };
        let excluded = failing(&other, &answered).next();
        let found = OtherValue {
            value: value.to_owned(),
            excluded,
            is_equal: equal_texts.contains(&other.canonical()),
        };
        match others.iter_mut().find(|(known, _)| known == key) {
            Some((_, all)) => all.push(found),
            None => others.push((key.to_owned(), vec![found])),
        }
    }
    let own = values(model);
    let (mut decided, mut open) = (Vec::new(), Vec::new());
    for (key, all) in others {
        let Some((_, own)) = own.iter().find(|(known, _)| *known == key) else {
            continue;
        };
        let words = std::iter::once(own.clone()).chain(all.iter().map(|other| other.value.clone()));
        let choice = LearnChoice {
            part: format!("parameter {key}"),
            about: "value",
            words: words.collect(),
        };
        let excluded = all.iter().enumerate().filter_map(|(at, other)| {
            let (vector, result) = other.excluded?;
            Some((distance(own, &other.value), at + 1, vector, result))
        });
        if let Some((_, against, vector, other)) = excluded.min_by_key(|(far, ..)| *far) {
            decided.push(DecidedChoice {
                choice: choice.clone(),
                word: 0,
                against,
                vector: vector.clone(),
                other,
            });
        }
        let left = (1..)
            .zip(&all)
            .filter(|(_, other)| other.excluded.is_none());
        let (equal, others): (Vec<_>, Vec<_>) = left.partition(|(_, other)| other.is_equal);
        let [others, equal] =
            [others, equal].map(|left| left.into_iter().map(|(at, _)| at).collect::<Vec<usize>>());
        if !others.is_empty() || !equal.is_empty() {
            open.push(OpenChoice {
                choice,
                word: 0,
                others,
                equal,
            });
        }
    }
    (decided, open)
}

/// The values of all keys, those of inner layers by their paths.
pub(super) fn values(model: &Model) -> Vec<(String, String)> {
    let layers = model.algorithm().layers();
    let all = layers.into_iter().flat_map(|(path, layer)| {
        let (_, own) = layer.parameters();
        let own = own.into_iter();
        own.map(move |(key, value)| (spelled(&path, key), value))
    });
    all.collect()
}

/// How far a value is from another: numbers by their difference, words alike.
fn distance(own: &str, other: &str) -> u64 {
    let numbers = own.parse::<i64>().ok().zip(other.parse::<i64>().ok());
    numbers.map_or(u64::MAX, |(own, other)| own.abs_diff(other))
}
