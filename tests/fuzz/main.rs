//! Everything that is parsed, given texts and bytes that are nearly valid: a value or one clear error,
//! never a panic, in bounded memory; and what is read can be printed and read again.
//!
//! `MMASMT_FUZZ_SECONDS=120 cargo test --test fuzz -- --ignored` goes on for so long,
//! `MMASMT_FUZZ_CASES` for so many cases of each kind, `MMASMT_FUZZ_ONLY=values` with one of them.
#![allow(clippy::unwrap_used, clippy::panic, reason = "so tests fail")]

mod files;
#[path = "../common/mutate.rs"]
mod mutate;
mod text;

use mutate::Mutator;
use std::time::{Duration, Instant};

/// One case: something is mutated, parsed, and judged.
type Case = fn(&mut Mutator);

/// What is parsed, with how many cases of it weigh as much as one of the slowest.
const KINDS: [(&str, Case, u64); 17] = [
    ("values", text::value, 200),
    ("vector lines", text::line, 100),
    ("clauses", text::clauses, 60),
    ("proofs", text::proof, 40),
    ("hinted proofs", text::hinted_proof, 40),
    ("domains", text::domain, 40),
    ("indices", text::index, 30),
    ("models", text::model, 10),
    ("descriptions", text::description, 4),
    ("properties", text::property, 2),
    ("families", text::family, 1),
    ("query files", text::queries, 2),
    ("scripts", text::script, 20),
    ("model tables", text::table, 1),
    ("text files", files::text, 4),
    ("json files", files::json, 2),
    ("archives", files::archive, 2),
];

/// What every error must be: one line in lower case that can be read on a terminal.
pub fn assert_is_clear(error: &str, of: &str) {
    let shown = || of.chars().take(200).collect::<String>();
    let is_lower = !error.starts_with(|first: char| first.is_uppercase());
    let is_one_line = !error.is_empty() && !error.chars().any(char::is_control);
    assert!(is_lower && is_one_line, "`{error}` of {:?}", shown());
    let length = error.chars().count();
    assert!(length < LONGEST, "{length} characters: {error}");
}

/// The most characters of an error: one that says in which ways a bound is written has most.
const LONGEST: usize = 760;

/// Runs `cases` of a kind from `first` on; the seed of a case is its number.
fn run(case: Case, first: u64, cases: u64) {
    const BATCH: u64 = 500;
    let mut done = 0;
    while done < cases {
        let mut mutator = Mutator::new(first + done);
        for _ in 0..BATCH.min(cases - done) {
            case(&mut mutator);
        }
        done += BATCH;
    }
}

/// The most memory that this process has had, in KiB, where the system tells.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn what_is_nearly_valid_is_read_or_one_clear_error() {
    for (_, case, weight) in KINDS {
        run(case, 0, 5 * weight + 50);
    }
    assert!(peak().is_none_or(|kibibytes| kibibytes < 1 << 20));
}

#[test]
#[ignore = "as long as MMASMT_FUZZ_SECONDS says, or a minute"]
fn what_is_nearly_valid_for_a_long_time() {
    let seconds = number("MMASMT_FUZZ_SECONDS").unwrap_or(60);
    let only = std::env::var("MMASMT_FUZZ_ONLY").ok();
    let kinds: Vec<_> = KINDS
        .iter()
        .filter(|(name, ..)| only.as_deref().is_none_or(|only| only == *name))
        .collect();
    let cases = number("MMASMT_FUZZ_CASES");
    for (name, case, weight) in &kinds {
        // Few of those that take long, so that the time is kept.
        let some = 50 * weight;
        let start = Instant::now();
        let end = Duration::from_secs(seconds) / kinds.len() as u32;
        let mut done = number("MMASMT_FUZZ_FROM").unwrap_or(1 << 20);
        let first = done;
        while cases.map_or(start.elapsed() < end, |cases| done - first < cases) {
            run(*case, done, some);
            done += some;
        }
        let spent = start.elapsed().as_secs_f64();
        eprintln!("{name}: {} cases in {spent:.1} s", done - first);
    }
    let most = peak();
    eprintln!("peak memory: {most:?} KiB");
    assert!(most.is_none_or(|kibibytes| kibibytes < 1 << 20));
}
