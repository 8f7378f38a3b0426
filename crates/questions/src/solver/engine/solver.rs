//! Solvers other than the embedded CaDiCaL: Z3 as a library in this process, and other programs.

use super::error::EngineError;
use super::goal::Goal;
use super::process::SmtSolver;
use super::smtlib::SmtlibScript;
use super::solved::SolverAnswer;
use super::z3::Z3;
use mmasmt_numbers::base::limits::Limits;

/// A solver other than CaDiCaL, the solver of the embedded engine.
#[derive(Clone, Debug)]
pub enum Solver {
    /// Z3, as a library in this process.
    Z3(Z3),
    /// A program that reads SMT-LIB.
    Smt(Box<SmtSolver>),
}

impl Solver {
    /// The solver `z3` or `smtlib:NAME`, with at most `memory` bytes of memory.
    ///
    /// # Errors
    /// If there is no solver with this name, or the solver is not on this machine.
    pub fn find(name: &str, memory: Option<u64>) -> Result<Solver, EngineError> {
        if name == "z3" {
            return Z3::find(memory).map(Solver::Z3);
        }
        let name = name.strip_prefix("smtlib:").unwrap_or(name);
        let mut solver = SmtSolver::find(name)?;
        solver.memory = memory;
        Ok(Solver::from(solver))
    }

    /// The name and version of the solver.
    pub fn describe(&self) -> String {
        match self {
            Solver::Z3(solver) => solver.describe(),
            Solver::Smt(solver) => solver.describe(),
        }
    }

    /// The same solver with the options of its alternative strategy. A solver without
    /// an alternative strategy keeps its usual options.
    pub fn other_way(&self) -> Solver {
        let mut solver = self.clone();
        if let Solver::Smt(solver) = &mut solver {
            solver.other_way = true;
        }
        solver
    }

    /// Looks for inputs that satisfy `goal`, which the solver gets without simplification.
    ///
    /// # Errors
    /// If the solver fails, or gives inputs that do not satisfy the goal.
    pub fn solve_plain(
        &self,
        goal: &impl Goal,
        seed: u64,
        limits: &Limits,
    ) -> Result<SolverAnswer, EngineError> {
        match self {
            Solver::Z3(solver) => solver.solve(goal, seed, limits),
            Solver::Smt(solver) => solver.solve_plain(goal, seed, limits),
        }
    }

    /// Looks for inputs on which the formulas of `script` hold.
    ///
    /// # Errors
    /// If the solver fails, or gives inputs that do not satisfy the formulas.
    pub fn solve_script(
        &self,
        script: &SmtlibScript,
        seed: u64,
        limits: &Limits,
    ) -> Result<SolverAnswer, EngineError> {
        match self {
            Solver::Z3(solver) => solver.solve_script(script, seed, limits),
            Solver::Smt(solver) => solver.solve(script, seed, limits),
        }
    }
}

impl From<SmtSolver> for Solver {
    fn from(solver: SmtSolver) -> Self {
        Solver::Smt(Box::new(solver))
    }
}
