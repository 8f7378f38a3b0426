//! The models near one that was learnt, by their texts.

use super::decided_parameters::values;
use super::hypothesis::{Hypothesis, model_of};
use super::moves::{compensations, moves};
use crate::identify::values::{mutants, with_shape};
use mmasmt_core::machines::model::Model;
use rustc_hash::FxHashSet;
use std::time::Duration;

/// Models near one, each as a text, and how the texts are read.
pub struct NearModels {
    pub texts: Vec<String>,
    pub model: fn(&str) -> Option<Model>,
    /// Its turns and its time for each, and its time for all.
    pub effort: (u32, Duration),
    pub time: Duration,
    /// Whether a model is confirmed only if all of them are told from it or proved equal.
    pub are_decisive: bool,
}

impl NearModels {
    /// The descriptions with one other choice, then those with choices that make up for each other. The
    /// first word of each choice comes before the second of any, so that none is left for want of time:
    /// most differences, such as the sign of a zero that seldom comes up, are found at once.
    pub fn of_hypothesis(hypothesis: &Hypothesis) -> NearModels {
        let mut known = FxHashSet::from_iter([hypothesis.text()]);
        let moves = moves(hypothesis, &[]);
        let most = moves.iter().map(Vec::len).max().unwrap_or_default();
        let turn = |turn: usize| moves.iter().filter_map(move |group| group.get(turn));
        let near = (0..most).flat_map(turn).cloned();
        let texts = near
            .chain(compensations(hypothesis))
            .map(|near| near.text())
            .filter(|text| known.insert(text.clone()));
        NearModels {
            texts: texts.collect(),
            model: model_of,
            effort: (1, Duration::from_millis(500)),
            time: Duration::from_secs(20),
            are_decisive: false,
        }
    }

    /// The models with one other parameter, then those with two that may make up for each other.
    pub fn of_parameters(model: &Model) -> NearModels {
        let single = mutants(model).into_iter();
        let mut known = FxHashSet::from_iter([model.canonical()]);
        let texts = single
            .map(|(_, other)| other.canonical())
            .chain(compensating(model))
            .filter(|text| known.insert(text.clone()));
        NearModels {
            texts: texts.collect(),
            model: |text| Model::parse(text).ok(),
            effort: (2, Duration::from_secs(10)),
            time: Duration::from_secs(60),
            are_decisive: true,
        }
    }
}

/// How far two numbers are changed together.
const FARTHEST: i64 = 32;

/// The models with two other numbers, each as far from that of the model: both greater, both less, or one of each. So the
/// bits that a sum keeps make up for the least exponent of its alignment.
fn compensating(model: &Model) -> Vec<String> {
    let signature = model.signature();
    let numbers: Vec<(String, i64)> = values(model)
        .into_iter()
        .filter(|(key, _)| !["K", "chain"].contains(&key.as_str()))
        .filter_map(|(key, value)| Some((key, value.parse().ok()?)))
        .collect();
    let mut all = Vec::new();
    for (at, (first, own)) in numbers.iter().enumerate() {
        for (second, other) in &numbers[at + 1..] {
            for far in (-FARTHEST..=FARTHEST).filter(|far| *far != 0) {
                for sign in [1, -1] {
                    let change = format!("{first}={},{second}={}", own + far, other + sign * far);
                    let changed = with_shape(model, &change, signature.products).ok();
                    let changed = changed.filter(|changed| changed.signature() == signature);
                    all.extend(changed.map(|changed| changed.canonical()));
                }
            }
        }
    }
    all
}
