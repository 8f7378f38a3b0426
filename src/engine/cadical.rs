//! The embedded engine: gates to clauses, solved by CaDiCaL in process.

use super::encode::{Encoder, Literal};
use super::sat::SatSolver;
use crate::bits::term::{Formula, NodeId};
use crate::limits::{Limits, Stopped, free};
use crate::proof::ClauseSink;

/// An incremental search for inputs that make formulas of this thread's graph true.
pub struct Search {
    encoder: Encoder,
    solver: SatSolver,
    /// An assertion was constantly false.
    contradiction: bool,
}

/// What a search is tuned for; it is complete either way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Strategy {
    /// Inputs are expected to exist.
    Witness,
    /// None are expected to exist.
    Proof,
}

/// The outcome of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There are such inputs: [`Search::value`] tells them.
    Sat,
    /// There are none.
    Unsat,
    /// It is not known.
    Unknown(Stopped),
}

/// Name and version of the solver.
pub fn solver_version() -> String {
    cadical_sys::CaDiCal::signature()
}

impl Search {
    /// A search without assertions; another `seed` makes other choices, the same one the same.
    pub fn new(strategy: Strategy, seed: u64) -> Self {
        let config = match strategy {
            Strategy::Witness => "sat",
            Strategy::Proof => "default",
        };
        Search {
            encoder: Encoder::new(seed),
            solver: SatSolver::new(config),
            contradiction: false,
        }
    }

    /// Takes these nodes, of which no formula so far speaks, for any numbers of their ranges. If
    /// nothing is found all the same there is nothing to be found; what is found may be none.
    pub fn cut_at(&mut self, nodes: impl IntoIterator<Item = NodeId>) {
        self.encoder.cut_at(nodes);
    }

    /// Demands that `formula` holds.
    pub fn assert(&mut self, formula: Formula) {
        match self.encoder.literal(formula, &mut self.solver) {
            Literal::Constant(true) => {}
            Literal::Constant(false) => self.contradiction = true,
            Literal::Variable(literal) => self.solver.add_clause(&[literal]),
        }
    }

    /// Looks for inputs on which all assertions hold, and `assumptions` as well.
    pub fn solve(&mut self, assumptions: &[Formula], limits: &Limits) -> Verdict {
        let mut assumed = Vec::with_capacity(assumptions.len());
        for &formula in assumptions {
            match self.encoder.literal(formula, &mut self.solver) {
                Literal::Constant(true) => {}
                Literal::Constant(false) => return Verdict::Unsat,
                Literal::Variable(literal) => assumed.push(literal),
            }
        }
        if self.contradiction {
            return Verdict::Unsat;
        }
        if let Some(stopped) = limits.stopped() {
            return Verdict::Unknown(stopped);
        }
        match self.solver.solve(assumed, limits) {
            Some(true) => Verdict::Sat,
            Some(false) => Verdict::Unsat,
            None => {
                let stopped = limits.before_freeing().stopped();
                Verdict::Unknown(stopped.unwrap_or(Stopped::ConflictLimit))
            }
        }
    }

    /// The value of an input after [`Verdict::Sat`]; bits that do not matter are 0.
    pub fn value(&self, input: u32) -> u64 {
        let bits = self.encoder.input(input).into_iter().enumerate();
        bits.fold(0, |value, (index, literal)| {
            let set = literal != 0 && self.solver.value(literal.abs()) == Some(literal > 0);
            value | u64::from(set) << index
        })
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        free(std::mem::replace(&mut self.encoder, Encoder::new(0)));
    }
}
