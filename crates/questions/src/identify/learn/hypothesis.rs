//! A hypothesis: sums, and a word for each choice. Its text is a description, and its model answers
//! inputs.

use super::choices::{LearnChoice, choices, sum, unit};
use super::layout::UnitLayout;
use super::text::TextWords;
use mmasmt_core::machines::algorithms::{Description, Signature};
use mmasmt_core::machines::model::Model;
use std::sync::Arc;

/// The sums of a unit with all choices that they leave.
#[derive(Debug)]
pub struct Space {
    pub signature: Signature,
    pub layout: UnitLayout,
    pub choices: Vec<LearnChoice>,
}

/// A hypothesis about a unit.
#[derive(Clone, Debug)]
pub struct Hypothesis {
    pub space: Arc<Space>,
    /// The number of the word of each choice.
    pub chosen: Vec<u16>,
}

impl Space {
    /// The hypotheses about a unit with these sums; `nan` is a NaN that it gives.
    pub fn new(layout: UnitLayout, signature: Signature, nan: Option<u64>) -> Arc<Space> {
        let choices = choices(&layout, &signature, nan);
        Arc::new(Space {
            signature,
            layout,
            choices,
        })
    }

    /// Hypotheses to begin with: exact sums, fused sums, and operations of IEEE 754, with products
    /// that are rounded and with products that are not.
    pub fn starts(self: &Arc<Self>) -> Vec<Hypothesis> {
        let round = "to f32 by rne";
        let own = format!("to {} by rne", self.signature.d);
        let mut all = vec![
            self.with(&[], &[]),
            self.with(&[], &[(sum::KEEP, "keep 24")]),
            self.with(&[], &[(sum::KEEP, "keep 24"), (sum::OUT, &own)]),
            self.with(&[], &[(sum::OUT, &own)]),
            self.with(&[], &[(sum::OUT, round)]),
            self.with(&[(unit::PRODUCTS, round)], &[(sum::OUT, round)]),
            self.with(&[(unit::PRODUCTS, round)], &[(sum::OUT, &own)]),
        ];
        all.dedup_by(|x, y| x.chosen == y.chosen);
        all
    }

    /// Hypotheses that show whether the order of the sums is right: all sums keep as many bits.
    pub fn rough(self: &Arc<Self>) -> Vec<Hypothesis> {
        let with = |kept: u32| {
            let keep = format!("keep {kept}");
            self.with(&[(unit::BY, "by rz")], &[(sum::KEEP, &keep)])
        };
        (10..=30).map(with).collect()
    }

    /// The plainest hypothesis with these words for choices of the unit, and for choices of every class
    /// of sums.
    fn with(self: &Arc<Self>, of_unit: &[(usize, &str)], of_sums: &[(usize, &str)]) -> Hypothesis {
        let mut hypothesis = Hypothesis {
            space: Arc::clone(self),
            chosen: vec![0; self.choices.len()],
        };
        for (choice, word) in of_unit {
            hypothesis.choose(*choice, word);
        }
        for class in 0..self.layout.classes.len() {
            let first = unit::COUNT + class * sum::COUNT;
            for (choice, word) in of_sums {
                hypothesis.choose(first + choice, word);
            }
        }
        hypothesis
    }
}

impl Hypothesis {
    /// Gives a choice this word; a word that it does not have changes nothing.
    fn choose(&mut self, choice: usize, word: &str) {
        let known = &self.space.choices[choice].words;
        if let Some(at) = known.iter().position(|known| known == word) {
            self.chosen[choice] = at as u16;
        }
    }

    /// The same hypothesis with another word for one choice.
    pub fn with(&self, choice: usize, word: usize) -> Hypothesis {
        let mut other = self.clone();
        other.chosen[choice] = word as u16;
        other
    }

    /// The word of a choice.
    pub fn word(&self, choice: usize) -> &str {
        &self.space.choices[choice].words[usize::from(self.chosen[choice])]
    }

    /// The description, on one line.
    pub fn text(&self) -> String {
        let words = TextWords {
            layout: &self.space.layout,
            signature: &self.space.signature,
            choices: &self.space.choices,
            chosen: &self.chosen,
        };
        words.text()
    }

    /// The model; `None` if the words do not go together.
    pub fn model(&self) -> Option<Model> {
        model_of(&self.text())
    }
}

/// The model that a description on one line is.
pub fn model_of(text: &str) -> Option<Model> {
    Description::parse(text).ok().map(Model::of_description)
}
