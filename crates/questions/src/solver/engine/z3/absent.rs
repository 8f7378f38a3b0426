//! The stand-in for Z3 in a program that is built without it.

use crate::solver::engine::error::EngineError;
use crate::solver::engine::goal::Goal;
use crate::solver::engine::smtlib::SmtlibScript;
use crate::solver::engine::solved::SolverAnswer;
use mmasmt_numbers::base::limits::Limits;

/// Z3 in process; an uninhabited type, as this program was built without Z3.
#[derive(Clone, Debug)]
pub enum Z3 {}

impl Z3 {
    /// Z3, with at most `_memory` bytes of memory.
    ///
    /// # Errors
    /// Always.
    pub fn find(_memory: Option<u64>) -> Result<Z3, EngineError> {
        Err(EngineError::NotBuilt)
    }

    /// The name and version of Z3.
    pub fn describe(&self) -> String {
        match *self {}
    }

    /// Looks for inputs that satisfy `goal`.
    ///
    /// # Errors
    /// Never: there is no value of this type.
    pub fn solve(
        &self,
        _goal: &impl Goal,
        _seed: u64,
        _limits: &Limits,
    ) -> Result<SolverAnswer, EngineError> {
        match *self {}
    }

    /// Looks for inputs on which the formulas of `script` hold.
    ///
    /// # Errors
    /// Never: there is no value of this type.
    pub fn solve_script(
        &self,
        _script: &SmtlibScript,
        _seed: u64,
        _limits: &Limits,
    ) -> Result<SolverAnswer, EngineError> {
        match *self {}
    }
}
