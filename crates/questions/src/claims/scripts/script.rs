//! A script: declarations, definitions and assertions, with the models that its functions name.

use super::read::Expression;
use mmasmt_core::machines::model::Model;
use mmasmt_core::numbers::bits::circuit::Sort;

/// A definition: its parameters with their sorts, and its value.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    pub name: String,
    pub parameters: Vec<(String, Sort)>,
    pub sort: Sort,
    pub body: Expression,
}

/// A claim in SMT-LIB: the question is whether any values of the declared constants make all
/// assertions true.
#[derive(Clone, Debug)]
pub struct Script {
    /// The declared constants.
    pub(super) constants: Vec<(String, Sort)>,
    pub(super) definitions: Vec<Definition>,
    pub(super) assertions: Vec<Expression>,
    /// The models, by the names of their functions.
    pub(super) models: Vec<(String, Model)>,
    pub(super) status: Option<bool>,
}

impl Script {
    /// The answer that the script says it expects, by `(set-info :status sat)` or `unsat`: whether
    /// there are such values.
    pub fn status(&self) -> Option<bool> {
        self.status
    }

    /// The models, by the names of their functions.
    pub fn models(&self) -> &[(String, Model)] {
        &self.models
    }

    /// The names of the declared constants with their widths; a truth value has one bit.
    pub fn constants(&self) -> impl Iterator<Item = (&str, u32)> {
        self.constants.iter().map(|(name, sort)| match sort {
            Sort::Truth => (name.as_str(), 1),
            Sort::Word(width) => (name.as_str(), *width),
        })
    }
}
