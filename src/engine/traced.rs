//! A solver that keeps the clauses that it learns: each follows by unit propagation from the clauses
//! that it was given and those learned before.

use super::limits::Limits;
use crate::proof::ClauseSink;

/// A solver of few clauses, whose answers can be proved to others.
pub struct Traced(cadical::Solver<Trace>);

/// What the solver tells while it searches.
struct Trace {
    learned: Vec<Vec<i32>>,
    limits: Limits,
}

impl cadical::Callbacks for Trace {
    fn terminate(&mut self) -> bool {
        self.limits.stopped().is_some()
    }
    fn max_length(&self) -> i32 {
        i32::MAX
    }
    fn learn(&mut self, clause: &[i32]) {
        self.learned.push(clause.to_vec());
    }
}

impl ClauseSink for Traced {
    fn add_clause(&mut self, clause: &[i32]) {
        self.0.add_clause(clause.iter().copied());
    }
}

impl Default for Traced {
    /// No clauses. Nothing is done between searches that would not be told.
    fn default() -> Self {
        Traced(cadical::Solver::with_config("plain").unwrap_or_default())
    }
}

impl Traced {
    /// Whether the clauses have a solution in which `assumed` holds; none if that is not known within
    /// the limits.
    pub fn solve(&mut self, assumed: &[i32], limits: &Limits) -> Option<bool> {
        let learned = self.take();
        if let Some(conflicts) = limits.conflicts() {
            let _known = self.0.set_limit("conflicts", conflicts);
        }
        self.0.set_callbacks(Some(Trace {
            learned,
            limits: limits.clone(),
        }));
        self.0.solve_with(assumed.iter().copied())
    }

    /// The clauses that were learned since they were last taken, in order.
    pub fn take(&mut self) -> Vec<Vec<i32>> {
        let trace = self.0.get_callbacks();
        trace.map_or_else(Vec::new, |trace| std::mem::take(&mut trace.learned))
    }
}
