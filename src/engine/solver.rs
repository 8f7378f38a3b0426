//! Solvers beside the embedded one, asked alike: Z3 in process, and other programs.

use super::cadical::Verdict;
use super::error::EngineError;
use super::goal::{Goal, Input};
use super::process::SmtSolver;
use super::z3::Z3;
use crate::limits::{Limits, Stopped};
use rustc_hash::FxHashMap;

/// A solver that is not the embedded one.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Solver {
    /// Z3 in process.
    Z3(Z3),
    /// Another program.
    Smt(Box<SmtSolver>),
}

impl Solver {
    /// The solver that `name` names: `z3`, or `smtlib:NAME`; it may use so many bytes of memory.
    ///
    /// # Errors
    /// If there is no such solver, or not on this machine.
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

    /// Looks for inputs on which `goal` holds, asked without any simplification of ours.
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

/// What a solver found out.
#[derive(Clone, Debug)]
pub struct Solved {
    /// "There are inputs" was checked by evaluation; "there are none" is that solver's word.
    pub verdict: Verdict,
    /// Inputs on which the formula holds, by number; those that do not matter are missing.
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

    /// "There are inputs": these `values` of `solver`, if the formula `holds` for them by our own
    /// arithmetic; inputs without one are 0.
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
