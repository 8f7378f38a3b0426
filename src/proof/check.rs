//! A forward checker of DRAT proofs: every lemma must follow by unit propagation (RUP).
//!
//! Lemmas that only keep satisfiability (RAT) are rejected: CaDiCaL writes none. A deletion of a
//! clause that implies a literal is ignored, as drat-trim does; more clauses are never wrong, as
//! all of them follow from the formula.

use super::read::{Clauses, ReadError, Step};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use thiserror::Error;

/// What was checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Lemmas that follow.
    pub lemmas: usize,
    /// Clauses that were deleted.
    pub deletions: usize,
}

/// Why a proof is none.
#[derive(Debug, Error)]
pub enum Rejected {
    /// A lemma does not follow.
    #[error("line {line}: `{lemma}` does not follow from what is before it by unit propagation")]
    Lemma {
        /// Its line in the proof.
        line: usize,
        /// Its literals.
        lemma: String,
    },
    /// A clause is deleted that is not there.
    #[error("line {line}: it deletes `{clause}`, which is not there")]
    Deletion {
        /// Its line in the proof.
        line: usize,
        /// Its literals.
        clause: String,
    },
    /// The empty clause is not reached.
    #[error("it ends before it has derived the empty clause")]
    Unfinished,
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
}

/// Whether the steps derive a contradiction from the clauses.
///
/// # Errors
/// If they do not.
pub fn check(
    formula: &Clauses,
    steps: impl IntoIterator<Item = Result<(usize, Step), ReadError>>,
) -> Result<Checked, Rejected> {
    let mut known = Known::new(formula.variables);
    for clause in &formula.clauses {
        known.add(clause);
    }
    let mut checked = Checked::default();
    for step in steps {
        match step? {
            (line, Step::Add(lemma)) => {
                if !known.implies(&lemma) {
                    let lemma = text(&lemma);
                    return Err(Rejected::Lemma { line, lemma });
                }
                checked.lemmas += 1;
                if lemma.is_empty() {
                    return Ok(checked);
                }
                known.add(&lemma);
            }
            (line, Step::Delete(clause)) => {
                if !known.delete(&clause) {
                    let clause = text(&clause);
                    return Err(Rejected::Deletion { line, clause });
                }
                checked.deletions += 1;
            }
        }
    }
    Err(Rejected::Unfinished)
}

fn text(clause: &[i32]) -> String {
    let literals: Vec<_> = clause.iter().map(ToString::to_string).collect();
    literals.join(" ")
}

/// Clauses with two watched literals each, and the literals that they imply by themselves.
struct Known {
    /// The watched literals are the first two. A deleted clause is empty.
    clauses: Vec<Vec<i32>>,
    /// The clauses that watch a literal, each with another literal of it; by place of the literal.
    watches: Vec<Vec<(usize, i32)>>,
    /// Which clauses have these literals, sorted.
    places: HashMap<Vec<i32>, Vec<usize>>,
    /// Whether a literal is true; by place.
    is_true: Vec<bool>,
    /// True literals, in the order in which they became so.
    trail: Vec<i32>,
    propagated: usize,
    contradiction: bool,
}

fn place(literal: i32) -> usize {
    2 * literal.unsigned_abs() as usize + usize::from(literal < 0)
}

fn sorted(clause: &[i32]) -> Vec<i32> {
    let mut clause = clause.to_vec();
    clause.sort_unstable();
    clause.dedup();
    clause
}

impl Known {
    fn new(variables: u32) -> Self {
        let places = 2 * variables as usize + 2;
        Known {
            clauses: Vec::new(),
            watches: vec![Vec::new(); places],
            places: HashMap::new(),
            is_true: vec![false; places],
            trail: Vec::new(),
            propagated: 0,
            contradiction: false,
        }
    }

    fn holds(&self, literal: i32) -> bool {
        self.is_true[place(literal)]
    }

    fn assume(&mut self, literal: i32) {
        self.is_true[place(literal)] = true;
        self.trail.push(literal);
    }

    /// Adds a clause for good, with what it implies.
    fn add(&mut self, clause: &[i32]) {
        let mut clause = sorted(clause);
        let index = self.clauses.len();
        self.places.entry(clause.clone()).or_default().push(index);
        // Literals that are not false come first, to be watched.
        clause.sort_by_key(|&literal| self.holds(-literal));
        match clause[..] {
            [] => self.contradiction = true,
            [only] if self.holds(-only) => self.contradiction = true,
            [only] if !self.holds(only) => self.assume(only),
            [_] => {}
            [first, second, ..] => {
                self.watches[place(first)].push((index, second));
                self.watches[place(second)].push((index, first));
                if self.holds(-first) {
                    self.contradiction = true;
                } else if self.holds(-second) && !self.holds(first) {
                    self.assume(first);
                }
            }
        }
        self.clauses.push(clause);
        self.contradiction |= !self.propagate();
    }

    /// Removes a clause, unless it implies a literal; whether it was there.
    fn delete(&mut self, clause: &[i32]) -> bool {
        let Entry::Occupied(mut entry) = self.places.entry(sorted(clause)) else {
            return false;
        };
        let Some(&index) = entry.get().last() else {
            return false;
        };
        let clause = &self.clauses[index];
        let is_reason = clause.iter().any(|&l| self.is_true[place(l)])
            && clause.iter().filter(|&&l| !self.is_true[place(-l)]).count() == 1;
        if !is_reason {
            entry.get_mut().pop();
            self.clauses[index] = Vec::new();
        }
        true
    }

    /// Whether the clause follows: its negation leads to a contradiction.
    fn implies(&mut self, clause: &[i32]) -> bool {
        if self.contradiction {
            return true;
        }
        let before = self.trail.len();
        let mut follows = false;
        for &literal in clause {
            follows |= self.holds(literal);
            if !self.holds(-literal) {
                self.assume(-literal);
            }
        }
        follows = follows || !self.propagate();
        for literal in self.trail.drain(before..) {
            self.is_true[place(literal)] = false;
        }
        self.propagated = before;
        follows
    }

    /// Makes true what the clauses imply; false where one of them has only false literals.
    fn propagate(&mut self) -> bool {
        while let Some(&literal) = self.trail.get(self.propagated) {
            self.propagated += 1;
            let mut watches = std::mem::take(&mut self.watches[place(-literal)]);
            let mut consistent = true;
            watches.retain_mut(|watch| {
                let keeps = !consistent || self.visit(-literal, watch, &mut consistent);
                keeps
            });
            self.watches[place(-literal)].append(&mut watches);
            if !consistent {
                return false;
            }
        }
        true
    }

    /// Looks at a clause of which the watched literal `falsified` has become false. Whether the
    /// clause goes on watching it.
    fn visit(&mut self, falsified: i32, watch: &mut (usize, i32), consistent: &mut bool) -> bool {
        let &mut (index, other) = watch;
        if self.is_true[place(other)] {
            return true;
        }
        let clause = &mut self.clauses[index];
        if clause.is_empty() {
            return false;
        }
        if clause[0] == falsified {
            clause.swap(0, 1);
        }
        let first = clause[0];
        if self.is_true[place(first)] {
            watch.1 = first;
            return true;
        }
        let is_free = |literal: &i32| !self.is_true[place(-*literal)];
        if let Some(free) = clause[2..].iter().position(is_free) {
            clause.swap(1, free + 2);
            self.watches[place(clause[1])].push((index, first));
            return false;
        }
        if self.is_true[place(-first)] {
            *consistent = false;
        } else {
            self.assume(first);
        }
        true
    }
}
