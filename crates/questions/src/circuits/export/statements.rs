//! Definitions of 64-bit words in C, one on each line; definitions that are not used are left out.

use std::collections::BTreeSet;
use std::fmt::Write;

/// A 64-bit word: a name, or a literal.
pub(super) type Limb = String;

/// The definitions that were made so far.
#[derive(Default)]
pub(super) struct Statements {
    bodies: Vec<String>,
}

/// The word 0.
pub(super) const ZERO: &str = "UINT64_C(0)";

impl Statements {
    /// Defines a name for the value of an expression.
    pub fn define(&mut self, body: String) -> Limb {
        self.bodies.push(body);
        format!("t{}", self.bodies.len() - 1)
    }

    /// The definitions that `results` need, in the order in which they were made.
    pub fn text(&self, results: &[Limb]) -> String {
        let mut needed: BTreeSet<usize> = results.iter().flat_map(|limb| names(limb)).collect();
        let mut lines = Vec::new();
        while let Some(index) = needed.pop_last() {
            let body = &self.bodies[index];
            needed.extend(names(body));
            lines.push(index);
        }
        let mut text = String::new();
        for index in lines.into_iter().rev() {
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

/// Whether the name occurs in the text as a whole word.
pub(super) fn uses(text: &str, name: &str) -> bool {
    words(text).any(|word| word == name)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
}

/// The numbers of the definitions whose names occur in an expression.
fn names(body: &str) -> impl Iterator<Item = usize> {
    words(body).filter_map(|word| word.strip_prefix('t')?.parse().ok())
}
