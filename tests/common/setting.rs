//! What the environment says of long tests: numbers, and how large a part of them is run.
#![allow(dead_code, reason = "each test program uses its own part")]

use std::str::FromStr;

/// A number that the environment gives, or the usual one.
pub fn setting<T: FromStr>(name: &str, usual: T) -> T {
    match std::env::var(name) {
        Ok(text) => match text.parse() {
            Ok(number) => number,
            Err(_) => panic!("{name}: expected a number, found `{text}`"),
        },
        Err(_) => usual,
    }
}

/// `MMASMT_ONE_IN=10` runs one in ten of what a long test draws or goes through, without
/// it, everything is run.
pub fn one_in() -> usize {
    setting("MMASMT_ONE_IN", 1).max(1)
}

/// True if every test goes through all that it has, as `.ci/long` sets by `MMASMT_FULL`.
pub fn is_full() -> bool {
    std::env::var_os("MMASMT_FULL").is_some()
}

/// One in `count` of these by day, the first of them among these, and all of them in a full run.
pub fn by_day<T>(items: impl IntoIterator<Item = T>, count: usize) -> impl Iterator<Item = T> {
    items.into_iter().step_by(if is_full() { 1 } else { count })
}

/// The part of so many that is run.
pub fn part_of(count: usize) -> usize {
    count.div_ceil(one_in())
}
