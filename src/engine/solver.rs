//! Solvers other than the embedded one (Z3 in process, other programs), and their answers.

use super::cadical::Verdict;
use super::error::EngineError;
use super::goal::{Goal, Input};
use super::process::SmtSolver;
use super::z3::Z3;
use crate::limits::{Limits, Stopped};
use rustc_hash::FxHashMap;

/// A solver other than the embedded one.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Solver {
    /// Z3 in process.
    Z3(Z3),
    /// Another program.
    Smt(Box<SmtSolver>),
}

impl Solver {
    /// The solver `z3` or `smtlib:NAME`, with at most `memory` bytes.
    ///
    /// # Errors
    /// If there is no such solver, or it is not on this machine.
    pub fn find(name: &str, memory: Option<u64>) -> Result<Solver, EngineError> {
        if name == "z3" {
            return Z3::find(memory).map(Solver::Z3);
        }
        let name = name.strip_prefix("smtlib:").unwrap_or(name);
        let mut solver = SmtSolver::find(name)?;
        solver.memory = memory;
        Ok(Solver::from(solver))
    }

    /// Name and version.
    pub fn describe(&self) -> String {
        match self {
            Solver::Z3(solver) => solver.describe(),
            Solver::Smt(solver) => solver.describe(),
        }
    }

    /// Looks for inputs that satisfy `goal`, given to the solver without simplification.
    ///
    /// # Errors
    /// If the solver fails, or gives inputs that do not satisfy the goal.
    pub fn solve_plain(
        &self,
        goal: &impl Goal,
        seed: u64,
        limits: &Limits,
    ) -> Result<Solved, EngineError> {
        match self {
            Solver::Z3(solver) => solver.solve(goal, seed, limits),
            Solver::Smt(solver) => solver.solve_plain(goal, seed, limits),
        }
    }
}

impl From<SmtSolver> for Solver {
    fn from(solver: SmtSolver) -> Self {
        Solver::Smt(Box::new(solver))
    }
}

/// The answer of a solver.
#[derive(Clone, Debug)]
pub struct Solved {
    /// Sat was checked by evaluation; Unsat was not checked.
    pub verdict: Verdict,
    /// Inputs that satisfy the formula, by number; missing ones are 0.
    pub values: FxHashMap<u32, u64>,
}

impl Solved {
    pub(super) fn of(verdict: Verdict) -> Self {
        Solved {
            verdict,
            values: FxHashMap::default(),
        }
    }

    pub(super) fn unknown(stopped: Stopped) -> Self {
        Solved::of(Verdict::Unknown(stopped))
    }

    /// Sat with these `values` of `solver`, after a check that the formula `holds` for them.
    pub(super) fn checked(
        solver: &str,
        inputs: &[Input],
        values: FxHashMap<u32, u64>,
        holds: impl FnOnce(&dyn Fn(u32) -> u64) -> bool,
    ) -> Result<Self, EngineError> {
        let value = |input: u32| values.get(&input).copied().unwrap_or(0);
        if holds(&value) {
            let verdict = Verdict::Sat;
            return Ok(Solved { verdict, values });
        }
        let shown = inputs
            .iter()
            .map(|input| format!("{} = {:#x}", input.name, value(input.index)));
        Err(EngineError::WrongModel {
            solver: solver.to_owned(),
            model: shown.collect::<Vec<_>>().join(", "),
        })
    }
}
