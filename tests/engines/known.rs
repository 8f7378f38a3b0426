//! Solvers that are known: the options by their versions and limits.

use mmasmt_questions::solver::engine::process::SolverProgram;
use std::time::Duration;

fn arguments(known: SolverProgram, version: Option<&str>, seconds: u64) -> Vec<String> {
    known.arguments(version, 7, Some(Duration::from_secs(seconds)))
}

#[test]
fn the_newer_core_of_z3_is_asked_from_version_5_on() {
    for (version, newer) in [
        (None, false),
        (Some("4.13.0"), false),
        (Some("5.0.1"), true),
        (Some("12.1"), true),
    ] {
        let found = arguments(SolverProgram::Z3, version, 1).contains(&"sat.euf=true".to_owned());
        assert_eq!(found, newer, "{version:?}");
    }
}

#[test]
fn limits_are_two_seconds_later_than_ours_and_none_beyond_a_million() {
    for (known, limit) in [
        (SolverProgram::Z3, "-T:12"),
        (SolverProgram::Cvc5, "--tlimit=12000"),
        (SolverProgram::Bitwuzla, "12000"),
    ] {
        let last = |seconds| arguments(known, None, seconds).pop();
        assert_eq!(last(10).as_deref(), Some(limit));
        let count = |seconds| arguments(known, None, seconds).len();
        assert_eq!(count(999_997), count(10), "{known:?}");
        assert!(count(999_998) < count(10), "{known:?}");
    }
}
