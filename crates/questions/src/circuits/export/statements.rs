//! Definitions of 64-bit words in C, one on each line; definitions that are not used are left out.

use mmasmt_numbers::base::limits::{Account, work};
use rustc_hash::FxHashSet;
use std::fmt::Write;

/// A 64-bit word: a name, or a literal.
pub(super) type Limb = String;

/// The definitions that were made so far.
#[derive(Default)]
pub(super) struct Statements {
    bodies: Vec<String>,
    account: Account,
}

/// Estimated bytes of a definition besides its text.
const STATEMENT_BYTES: u64 = 64;

/// The word 0.
pub(super) const ZERO: &str = "UINT64_C(0)";

impl Statements {
    /// Defines a name for the value of an expression.
    pub fn define(&mut self, body: String) -> Limb {
        self.account.take(STATEMENT_BYTES + body.len() as u64);
        self.bodies.push(body);
        format!("t{}", self.bodies.len() - 1)
    }

    /// The definitions that `results` need, in the order in which they were made.
    pub fn text(&self, results: &[Limb]) -> String {
        let mut needed = vec![false; self.bodies.len()];
        let named = results.iter().flat_map(|limb| names(limb));
        named.for_each(|index| needed[index] = true);
        for index in (0..self.bodies.len()).rev() {
            // A definition takes earlier ones alone.
            if needed[index] {
                let body = &self.bodies[index];
                work(body.len() as u64);
                names(body).for_each(|index| needed[index] = true);
            }
        }
        let mut text = String::new();
        for index in (0..self.bodies.len()).filter(|index| needed[*index]) {
            // Writing to a string does not fail.
            let _ = writeln!(
                text,
                "    const uint64_t t{index} = {};",
                self.bodies[index]
            );
        }
        text
    }
}

/// All words of the text.
pub(super) fn words_of(text: &str) -> FxHashSet<&str> {
    words(text).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
}

/// The numbers of the definitions whose names occur in an expression.
fn names(body: &str) -> impl Iterator<Item = usize> {
    words(body).filter_map(|word| word.strip_prefix('t')?.parse().ok())
}
