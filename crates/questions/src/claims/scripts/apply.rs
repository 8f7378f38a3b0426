//! An operator that is applied to operands: their sorts are checked, and the nodes are made.

use super::error::ScriptError;
use super::graph::{Id, ScriptGraph, ScriptOperation};
use super::kind::ScriptSort;
use super::read::ScriptExpression;

pub(super) type Result<T> = std::result::Result<T, ScriptError>;

/// An application: the expression, its operands, and their nodes.
pub(super) struct Apply<'g, 'x> {
    pub graph: &'g mut ScriptGraph,
    pub whole: &'x ScriptExpression,
    pub operands: &'x [ScriptExpression],
    pub ids: &'g [Id],
}

impl Apply<'_, '_> {
    pub fn kind(&self, operand: usize) -> ScriptSort {
        self.graph.kind(self.ids[operand])
    }

    pub fn wrong<T>(&self, expected: impl Into<String>) -> Result<T> {
        Err(self.whole.expected(expected))
    }

    /// Checks the sort of an operand.
    pub fn is(&self, operand: usize, kind: ScriptSort) -> Result<()> {
        match self.kind(operand) == kind {
            true => Ok(()),
            false => {
                Err(self.operands[operand].expected(format!("a value of sort {}", kind.text())))
            }
        }
    }

    /// Checks that all operands have the sort of the first of them.
    pub fn are_alike(&self, first: usize) -> Result<()> {
        (first + 1..self.ids.len()).try_for_each(|operand| self.is(operand, self.kind(first)))
    }

    /// The width of an operand that has to be a bit-vector.
    pub fn width(&self, operand: usize) -> Result<u32> {
        match self.kind(operand) {
            ScriptSort::Word(width) => Ok(width),
            _ => Err(self.operands[operand].expected("a bit-vector")),
        }
    }

    pub fn make(
        &mut self,
        name: &'static str,
        indices: &[u32],
        ids: Vec<Id>,
        kind: ScriptSort,
    ) -> Result<Id> {
        self.add(ScriptOperation::Applied(name, indices.to_vec()), ids, kind)
    }

    pub fn add(
        &mut self,
        operation: ScriptOperation,
        ids: Vec<Id>,
        kind: ScriptSort,
    ) -> Result<Id> {
        let added = self.graph.add(operation, ids, kind);
        added.map_or_else(|| Err(too_many(self.whole)), Ok)
    }

    /// `((x name y) name z)`.
    pub fn joined(&mut self, name: &'static str) -> Result<Id> {
        let (ids, kind) = (self.ids, self.kind(0));
        ids[1..].iter().try_fold(ids[0], |left, right| {
            self.make(name, &[], vec![left, *right], kind)
        })
    }

    /// The node that is true if the relation holds of every two neighbours.
    pub fn chained(&mut self, name: &'static str) -> Result<Id> {
        let pairs = self.ids.windows(2).map(|pair| pair.to_vec());
        self.all_of(name, pairs.collect())
    }

    /// The node that is true if the relation holds of all these pairs.
    pub fn all_of(&mut self, name: &'static str, pairs: Vec<Vec<Id>>) -> Result<Id> {
        let mut all: Option<Id> = None;
        for pair in pairs {
            let held = self.make(name, &[], pair, ScriptSort::Truth)?;
            all = Some(match all {
                None => held,
                Some(before) => self.make("and", &[], vec![before, held], ScriptSort::Truth)?,
            });
        }
        all.map_or_else(|| self.wrong("two operands"), Ok)
    }
}

/// The error that a script is too large.
pub(super) fn too_many(whole: &ScriptExpression) -> ScriptError {
    whole.expected("at most a million expressions after all definitions are put in")
}

/// The name as text that lives as long as the program.
pub(super) fn among(names: &[&'static str], name: &str) -> Option<&'static str> {
    names.iter().copied().find(|known| *known == name)
}
