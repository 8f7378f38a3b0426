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

/// The part of so many that is run.
pub fn part_of(count: usize) -> usize {
    count.div_ceil(one_in())
}
