//! The embedded engine: CaDiCaL, in this process, solves formulas incrementally as clauses.

use super::encode::{Encoder, GateLiteral};
use super::sat::SatSolver;
use crate::solver::proof::ClauseSink;
use mmasmt_numbers::base::limits::{Limits, Stopped, free};
use mmasmt_numbers::bits::term::{Formula, NodeId};

/// An incremental search for inputs that satisfy formulas of this thread's graph.
pub struct CadicalSearch {
    encoder: Encoder,
    solver: SatSolver,
    /// Whether a constantly false formula was asserted.
    contradiction: bool,
}

/// The configuration of the solver; the search is complete with each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Tuned for satisfiable formulas.
    Witness,
    /// Tuned for unsatisfiable formulas.
    Proof,
}

/// The outcome of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CadicalVerdict {
    /// Satisfiable; [`CadicalSearch::value`] gives the inputs.
    Sat,
    /// Unsatisfiable.
    Unsat,
    /// Undecided.
    Unknown(Stopped),
}

/// The name and version of the solver.
pub fn solver_version() -> String {
    cadical_sys::CaDiCal::signature()
}

impl CadicalSearch {
    /// A search without assertions. The same `seed` finds the same inputs.
    pub fn new(strategy: Strategy, seed: u64) -> Self {
        let config = match strategy {
            Strategy::Witness => "sat",
            Strategy::Proof => "default",
        };
        CadicalSearch {
            encoder: Encoder::new(seed),
            solver: SatSolver::new(config),
            contradiction: false,
        }
    }

    /// Makes these nodes cut points: fresh variables within the range of a node replace the node's
    /// circuit, unless the circuit is already encoded. With cut points, the verdict `Unsat` is
    /// sound, but `Sat` may be spurious.
    pub fn cut_at(&mut self, nodes: impl IntoIterator<Item = NodeId>) {
        self.encoder.cut_at(nodes);
    }

    /// Asserts `formula`.
    pub fn assert(&mut self, formula: Formula) {
        match self.encoder.literal(formula, &mut self.solver) {
            GateLiteral::Constant(true) => {}
            GateLiteral::Constant(false) => self.contradiction = true,
            GateLiteral::Variable(literal) => self.solver.add_clause(&[literal]),
        }
    }

    /// Looks for inputs that satisfy all assertions, and also `assumptions`, which hold for this
    /// call only.
    pub fn solve(&mut self, assumptions: &[Formula], limits: &Limits) -> CadicalVerdict {
        let mut assumed = Vec::with_capacity(assumptions.len());
        for &formula in assumptions {
            match self.encoder.literal(formula, &mut self.solver) {
                GateLiteral::Constant(true) => {}
                GateLiteral::Constant(false) => return CadicalVerdict::Unsat,
                GateLiteral::Variable(literal) => assumed.push(literal),
            }
        }
        if self.contradiction {
            return CadicalVerdict::Unsat;
        }
        if let Some(stopped) = limits.stopped() {
            return CadicalVerdict::Unknown(stopped);
        }
        match self.solver.solve(assumed, limits) {
            Some(true) => CadicalVerdict::Sat,
            Some(false) => CadicalVerdict::Unsat,
            None => {
                let stopped = limits.before_freeing().stopped();
                CadicalVerdict::Unknown(stopped.unwrap_or(Stopped::ConflictLimit))
            }
        }
    }

    /// The value of an input after [`CadicalVerdict::Sat`]; bits that no formula depends on are 0.
    pub fn value(&self, input: u32) -> u64 {
        let bits = self.encoder.input(input).into_iter().enumerate();
        bits.fold(0, |value, (index, literal)| {
            let set = literal != 0 && self.solver.value(literal.abs()) == Some(literal > 0);
            value | u64::from(set) << index
        })
    }
}

impl Drop for CadicalSearch {
    fn drop(&mut self) {
        free(std::mem::replace(&mut self.encoder, Encoder::new(0)));
    }
}
