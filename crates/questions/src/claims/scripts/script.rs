//! A script: declarations, definitions and assertions, with the models that its functions name.

use super::error::ScriptPlace;
use super::graph::{Id, ScriptGraph, ScriptOperation};
use super::kind::ScriptSort;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::Format;

/// A definition: its parameters with their sorts, and its value.
#[derive(Clone, Debug)]
pub(super) struct ScriptDefinition {
    pub name: String,
    /// The nodes of the parameters.
    pub parameters: Vec<Id>,
    pub root: Id,
    /// The nodes of the value that depend on parameters, operands first.
    pub open: Vec<Id>,
}

/// A claim in SMT-LIB: the question is whether any values of the declared constants make all
/// assertions true.
#[derive(Clone, Debug)]
pub struct Script {
    pub(super) graph: ScriptGraph,
    /// The declared constants.
    pub(super) constants: Vec<(String, ScriptSort)>,
    pub(super) definitions: Vec<ScriptDefinition>,
    pub(super) assertions: Vec<Id>,
    /// The models, by the names of their functions.
    pub(super) models: Vec<(String, Model)>,
    /// The formats of the models.
    pub(super) formats: Vec<Format>,
    pub(super) status: Option<bool>,
    /// For each sort but bit-vectors and Bool, the first expression of it.
    pub(super) beyond: Vec<(ScriptSort, ScriptPlace, String)>,
    /// The commands behind the first `check-sat` or `exit`, which do not count.
    pub(super) unread: usize,
}

impl Script {
    /// The answer that the script says it expects, by `(set-info :status sat)` or `unsat`: whether
    /// there are such values.
    pub fn status(&self) -> Option<bool> {
        self.status
    }

    /// How many commands stand behind the first `check-sat` or `exit`, where they do not count: assertions,
    /// declarations and whatever else would say something before it.
    pub fn unread(&self) -> usize {
        self.unread
    }

    /// The models, by the names of their functions.
    pub fn models(&self) -> &[(String, Model)] {
        &self.models
    }

    /// The names of the declared constants with the number of bits of their values: one of a truth
    /// value, and those of the register of a FloatingPoint.
    pub fn constants(&self) -> impl Iterator<Item = (&str, u32)> {
        let all = self.constants.iter();
        all.map(|(name, kind)| (name.as_str(), kind.bits().unwrap_or(0)))
    }

    /// Whether the assertions speak of bit-vectors and truth values alone, which the embedded engine
    /// can judge.
    pub fn is_of_bits(&self) -> bool {
        self.kinds().into_iter().all(ScriptSort::is_of_bits)
    }

    /// The sorts that the assertions speak of. A number that is rounded to a FloatingPoint where it
    /// stands makes no Real of it.
    pub(super) fn kinds(&self) -> Vec<ScriptSort> {
        let needed = self.graph.needed(&self.assertions);
        let is_literal =
            |id: Id| matches!(self.graph.node(id).operation, ScriptOperation::Literal(_));
        let mut kinds = Vec::new();
        for id in needed {
            let node = self.graph.node(id);
            let rounds = matches!(node.operation, ScriptOperation::Applied("to_fp", _));
            let operands = node.operands.iter();
            let operands = operands.filter(|one| !(rounds && is_literal(**one)));
            let of_operands = operands.map(|one| self.graph.kind(*one));
            for kind in of_operands.chain([node.kind].into_iter().filter(|_| !is_literal(id))) {
                if !kinds.contains(&kind) {
                    kinds.push(kind);
                }
            }
        }
        kinds
    }
}
