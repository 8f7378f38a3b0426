//! The embedded solver and its clauses.
//!
//! The solver looks at its limits now and then, and where there are many clauses it does what takes
//! seconds in between. Then it is asked on a thread of its own, and left to it where it is late: the
//! thread ends, and frees what it has, when the solver looks at its limits next.

use crate::limits::Limits;
use crate::proof::ClauseSink;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Literals that the solver goes through in some hundredths of a second.
const LARGE: usize = 1 << 20;
/// How often the limits are looked at while it searches, and how late it may be.
const LOOK: Duration = Duration::from_millis(20);
const LATE: Duration = Duration::from_millis(60);

/// The solver as it takes clauses.
pub(super) struct Clauses {
    /// None once it was left to its thread.
    solver: Option<cadical::Solver<Watch>>,
    literals: usize,
}

struct Watch(Limits);

impl cadical::Callbacks for Watch {
    fn terminate(&mut self) -> bool {
        self.0.stopped().is_some()
    }
}

impl ClauseSink for Clauses {
    fn add_clause(&mut self, clause: &[i32]) {
        self.literals += clause.len();
        if let Some(solver) = &mut self.solver {
            solver.add_clause(clause.iter().copied());
        }
    }
}

impl Clauses {
    /// None yet, with the options that the solver knows by this name; without them it is only slower.
    pub fn new(config: &str) -> Self {
        Clauses {
            solver: Some(cadical::Solver::with_config(config).unwrap_or_default()),
            literals: 0,
        }
    }

    /// Whether all clauses and `assumed` can hold; none if the limits are reached before that is known.
    pub fn solve(&mut self, assumed: Vec<i32>, limits: &Limits) -> Option<bool> {
        let mut solver = self.solver.take()?;
        if let Some(conflicts) = limits.conflicts() {
            // The solver knows this limit; if it did not, the deadline would still hold.
            let _known = solver.set_limit("conflicts", conflicts);
        }
        let limits = limits.before_freeing();
        solver.set_callbacks(Some(Watch(limits.clone())));
        if self.literals < LARGE {
            let found = solver.solve_with(assumed);
            self.solver = Some(solver);
            return found;
        }
        let (sender, receiver) = channel();
        let search = move || {
            let found = solver.solve_with(assumed);
            // If nobody waits any more the solver is dropped here.
            let _left = sender.send((solver, found));
        };
        thread::Builder::new().spawn(search).ok()?;
        let mut reached: Option<Instant> = None;
        loop {
            match receiver.recv_timeout(LOOK) {
                Ok((solver, found)) => {
                    self.solver = Some(solver);
                    return found;
                }
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) if limits.stopped().is_some() => {
                    if reached.get_or_insert_with(Instant::now).elapsed() >= LATE {
                        return None;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// The value of a variable in the answer before.
    pub fn value(&self, variable: i32) -> Option<bool> {
        self.solver.as_ref()?.value(variable)
    }
}

impl Drop for Clauses {
    /// Many clauses take as long to be freed; nobody waits for that.
    fn drop(&mut self) {
        if self.literals >= LARGE
            && let Some(solver) = self.solver.take()
        {
            let _freed_here = thread::Builder::new().spawn(move || drop(solver));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Clauses, LARGE};
    use crate::limits::Limits;
    use crate::proof::ClauseSink;
    use std::time::Duration;

    /// A search for a place for each of `pigeons` in one hole less, with more clauses than are searched here.
    fn holes(pigeons: i32) -> Clauses {
        let mut clauses = Clauses::new("default");
        let at = |pigeon: i32, hole: i32| pigeon * (pigeons - 1) + hole + 1;
        for pigeon in 0..pigeons {
            let somewhere: Vec<i32> = (0..pigeons - 1).map(|hole| at(pigeon, hole)).collect();
            clauses.add_clause(&somewhere);
            for other in 0..pigeon {
                for hole in 0..pigeons - 1 {
                    clauses.add_clause(&[-at(pigeon, hole), -at(other, hole)]);
                }
            }
        }
        let first = pigeons * pigeons;
        for variable in (first..).take(LARGE / 2) {
            clauses.add_clause(&[variable, variable + 1]);
        }
        clauses
    }

    #[test]
    fn many_clauses_have_the_same_answers() {
        let limits = Limits::default();
        assert_eq!(holes(5).solve(Vec::new(), &limits), Some(false));
        let mut clauses = Clauses::new("sat");
        for variable in 1..LARGE as i32 {
            clauses.add_clause(&[-variable, variable + 1]);
        }
        assert_eq!(clauses.solve(vec![1], &limits), Some(true));
        assert_eq!(clauses.value(LARGE as i32), Some(true));
        assert_eq!(clauses.solve(vec![1, -9], &limits), Some(false));
        assert_eq!(clauses.solve(vec![-9], &limits), Some(true));
        assert_eq!(clauses.value(1), Some(false));
    }

    #[test]
    fn many_clauses_are_left_once_the_limits_are_reached() {
        let limits = Limits::default().within(Duration::from_millis(300));
        assert_eq!(holes(13).solve(Vec::new(), &limits), None);
    }
}
