//! A program that was built without Z3: there is none to ask.

use crate::engine::error::EngineError;
use crate::engine::goal::Goal;
use crate::engine::solver::Solved;
use crate::limits::Limits;

/// Z3 in process: this program was built without it, so that there is none.
#[derive(Clone, Debug)]
pub enum Z3 {}

impl Z3 {
    /// Z3, with so many bytes of memory at most.
    ///
    /// # Errors
    /// Always.
    pub fn find(_memory: Option<u64>) -> Result<Z3, EngineError> {
        Err(EngineError::NotBuilt)
    }

    /// Name and version.
    pub fn describe(&self) -> String {
        match *self {}
    }

    /// Looks for inputs on which `goal` holds.
    ///
    /// # Errors
    /// Never: there is nobody to ask.
    pub fn solve(
        &self,
        _goal: &impl Goal,
        _seed: u64,
        _limits: &Limits,
    ) -> Result<Solved, EngineError> {
        match *self {}
    }
}
