//! The models near one that was learnt, by their texts.

use super::hypothesis::{Hypothesis, model_of};
use super::moves::{compensations, moves};
use crate::identify::values::mutants;
use mmasmt_core::machines::model::Model;
use rustc_hash::FxHashSet;
use std::time::Duration;

/// Models near one, each as a text, and how the texts are read.
pub struct NearModels {
    pub texts: Vec<String>,
    pub model: fn(&str) -> Option<Model>,
    /// How many of them the solver is asked about.
    pub asked: usize,
    /// Its turns and its time for each, and its time for all.
    pub effort: (u32, Duration),
    pub time: Duration,
    /// Whether a model is confirmed only if all of them are told from it or proved equal.
    pub are_decisive: bool,
}

impl NearModels {
    /// The descriptions with one other choice, then those with choices that make up for each other.
    pub fn of_hypothesis(hypothesis: &Hypothesis) -> NearModels {
        let mut known = FxHashSet::from_iter([hypothesis.text()]);
        let near = moves(hypothesis, &[]).into_iter().flatten();
        let texts = near
            .chain(compensations(hypothesis))
            .map(|near| near.text())
            .filter(|text| known.insert(text.clone()));
        NearModels {
            texts: texts.collect(),
            model: model_of,
            asked: 8,
            effort: (1, Duration::from_secs(2)),
            time: Duration::from_secs(16),
            are_decisive: false,
        }
    }

    /// The models with one other parameter.
    pub fn of_parameters(model: &Model) -> NearModels {
        let texts = mutants(model).into_iter();
        NearModels {
            texts: texts.map(|(_, other)| other.canonical()).collect(),
            model: |text| Model::parse(text).ok(),
            asked: usize::MAX,
            effort: (2, Duration::from_secs(10)),
            time: Duration::from_secs(60),
            are_decisive: true,
        }
    }
}
