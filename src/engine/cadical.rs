//! The embedded engine: gates to clauses, solved by CaDiCaL in process.

use super::encode::{Encoder, Literal};
use crate::bits::term::{Formula, NodeId};
use crate::limits::{Limits, Stopped};
use crate::proof::ClauseSink;
use cadical_sys::{CaDiCal, Status, Terminator};

/// An incremental search for inputs that make formulas of this thread's graph true.
pub struct Search {
    encoder: Encoder,
    clauses: Clauses,
    /// An assertion was constantly false.
    contradiction: bool,
    /// Whether each variable holds in what was found last, from variable 1 on.
    model: Vec<bool>,
}

/// The solver as it takes clauses.
struct Clauses(CaDiCal);

impl ClauseSink for Clauses {
    fn add_clause(&mut self, clause: &[i32]) {
        self.0.clause6(clause);
    }
}

/// What a search is tuned for; it is complete either way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    CaDiCal::signature()
}

struct Watch(Limits);

impl Terminator for Watch {
    fn terminated(&mut self) -> bool {
        self.0.stopped_before_freeing().is_some()
    }
}

impl Search {
    /// A search without assertions; another `seed` makes other choices, the same one the same.
    pub fn new(strategy: Strategy, seed: u64) -> Self {
        let mut solver = CaDiCal::new();
        if strategy == Strategy::Witness {
            // The solver has this configuration; without it it would only be slower.
            let _known = solver.configure("sat");
        }
        Search {
            encoder: Encoder::new(seed),
            clauses: Clauses(solver),
            contradiction: false,
            model: Vec::new(),
        }
    }

    /// Takes these nodes, of which no formula so far speaks, for any numbers of their ranges. If
    /// nothing is found all the same there is nothing to be found; what is found may be none.
    pub fn free(&mut self, nodes: impl IntoIterator<Item = NodeId>) {
        self.encoder.free(nodes);
    }

    /// Demands that `formula` holds.
    pub fn assert(&mut self, formula: Formula) {
        match self.encoder.literal(formula, &mut self.clauses) {
            Literal::Constant(true) => {}
            Literal::Constant(false) => self.contradiction = true,
            Literal::Variable(literal) => self.clauses.add_clause(&[literal]),
        }
    }

    /// Looks for inputs on which all assertions hold, and `assumptions` as well.
    pub fn solve(&mut self, assumptions: &[Formula], limits: &Limits) -> Verdict {
        let mut assumed = Vec::with_capacity(assumptions.len());
        for &formula in assumptions {
            match self.encoder.literal(formula, &mut self.clauses) {
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
        let solver = &mut self.clauses.0;
        if let Some(conflicts) = limits.conflicts() {
            // The solver knows this limit; if it did not, the deadline would still hold.
            let _known = solver.limit("conflicts", conflicts);
        }
        solver.connect_terminator(Watch(limits.clone()));
        for literal in assumed {
            solver.assume(literal);
        }
        match solver.solve() {
            Status::SATISFIABLE => {
                let variables = 1..=solver.vars();
                self.model = variables.map(|variable| solver.val(variable) > 0).collect();
                Verdict::Sat
            }
            Status::UNSATISFIABLE => Verdict::Unsat,
            _ => {
                let stopped = limits.stopped_before_freeing();
                Verdict::Unknown(stopped.unwrap_or(Stopped::ConflictLimit))
            }
        }
    }

    /// The value of an input after [`Verdict::Sat`]; bits that do not matter are 0.
    pub fn value(&self, input: u32) -> u64 {
        let bits = self.encoder.input(input).into_iter().enumerate();
        bits.fold(0, |value, (index, literal)| {
            let is_true = |variable: i32| self.model.get(variable as usize - 1) == Some(&true);
            let set = literal != 0 && is_true(literal.abs()) == (literal > 0);
            value | u64::from(set) << index
        })
    }
}
