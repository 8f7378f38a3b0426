//! The embedded solver on clauses alone.

use cadical_sys::{CaDiCal, Status};

/// Clauses whose solutions are asked for.
pub struct Clauses(CaDiCal);

impl Clauses {
    pub fn new<'x>(clauses: impl IntoIterator<Item = &'x [i32]>) -> Self {
        let mut solver = CaDiCal::new();
        clauses
            .into_iter()
            .for_each(|clause| solver.clause6(clause));
        Clauses(solver)
    }

    /// Whether there is a solution in which these literals hold.
    pub fn hold_with(&mut self, assumed: impl IntoIterator<Item = i32>) -> bool {
        assumed
            .into_iter()
            .for_each(|literal| self.0.assume(literal));
        match self.0.solve() {
            Status::SATISFIABLE => true,
            Status::UNSATISFIABLE => false,
            Status::UNKNOWN => panic!("no limit was set"),
        }
    }

    /// Whether a literal holds in the last solution.
    #[allow(dead_code, reason = "not every program asks")]
    pub fn holds(&mut self, literal: i32) -> bool {
        self.0.val(literal) > 0
    }
}
