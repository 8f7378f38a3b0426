//! The embedded solver, of so many clauses that it has a thread of its own.

use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::solver::engine::SatSolver;
use mmasmt_questions::solver::proof::ClauseSink;
use std::time::Duration;

const LARGE: usize = SatSolver::LARGE;

/// The pigeonhole principle, with so many other clauses that the solver gets a thread of its
/// own.
fn holes(pigeons: i32) -> SatSolver {
    let mut clauses = SatSolver::new("default");
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
    let mut clauses = SatSolver::new("sat");
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
