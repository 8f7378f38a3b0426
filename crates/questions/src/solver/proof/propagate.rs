//! Unit propagation with two watched literals, over clauses that are added and deleted.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Clauses with two watched literals each, and the literals that unit propagation derives.
///
/// Variables are renumbered in the order of first use, so that memory does not depend on the
/// greatest number in a file.
pub(super) struct Propagator {
    /// Maps the number of a variable in the file to its number here, which counts from 1.
    numbers: HashMap<u32, i32>,
    /// All clauses; the first two literals of each are watched. A deleted clause is empty.
    clauses: Vec<Vec<i32>>,
    /// For each literal, by [`place`], the clauses that watch it, each with another literal of the
    /// same clause.
    watches: Vec<Vec<(usize, i32)>>,
    /// Maps sorted literals to the positions of the clauses that consist of them.
    places: HashMap<Vec<i32>, Vec<usize>>,
    /// Whether a literal is true, by [`place`].
    is_true: Vec<bool>,
    /// The true literals, in the order of assignment.
    trail: Vec<i32>,
    propagated: usize,
    contradiction: bool,
}

fn place(literal: i32) -> usize {
    2 * literal.unsigned_abs() as usize + usize::from(literal < 0)
}

impl Propagator {
    /// A propagator without clauses.
    pub fn new() -> Self {
        Propagator {
            numbers: HashMap::new(),
            clauses: Vec::new(),
            watches: vec![Vec::new(); 2],
            places: HashMap::new(),
            is_true: vec![false; 2],
            trail: Vec::new(),
            propagated: 0,
            contradiction: false,
        }
    }

    /// Renumbers a literal; a new variable gets the next number.
    fn numbered(&mut self, literal: i32) -> i32 {
        let next = self.numbers.len() as i32 + 1;
        let number = *self.numbers.entry(literal.unsigned_abs()).or_insert(next);
        if number == next {
            self.watches.extend([Vec::new(), Vec::new()]);
            self.is_true.extend([false, false]);
        }
        number * literal.signum()
    }

    /// Renumbers and sorts the literals, and removes duplicates.
    fn sorted(&mut self, clause: &[i32]) -> Vec<i32> {
        let mut clause: Vec<i32> = clause.iter().map(|&l| self.numbered(l)).collect();
        clause.sort_unstable();
        clause.dedup();
        clause
    }

    fn holds(&self, literal: i32) -> bool {
        self.is_true[place(literal)]
    }

    fn assume(&mut self, literal: i32) {
        self.is_true[place(literal)] = true;
        self.trail.push(literal);
    }

    /// Adds a clause, and propagates the literals that it makes true.
    pub fn add(&mut self, clause: &[i32]) {
        let mut clause = self.sorted(clause);
        let index = self.clauses.len();
        self.places.entry(clause.clone()).or_default().push(index);
        // Watches literals that are not false, if possible.
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

    /// Deletes a clause, unless it is the reason that a literal is true. Returns whether the clause
    /// existed.
    pub fn delete(&mut self, clause: &[i32]) -> bool {
        let clause = self.sorted(clause);
        let Entry::Occupied(mut entry) = self.places.entry(clause) else {
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

    /// Whether the clause follows: whether unit propagation of its negation gives a contradiction.
    pub fn implies(&mut self, clause: &[i32]) -> bool {
        if self.contradiction {
            return true;
        }
        let before = self.trail.len();
        let mut follows = false;
        for literal in self.sorted(clause) {
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

    /// Propagates all literals that became true; returns false if a clause has only false literals.
    fn propagate(&mut self) -> bool {
        while let Some(&literal) = self.trail.get(self.propagated) {
            self.propagated += 1;
            let mut watches = std::mem::take(&mut self.watches[place(-literal)]);
            let mut consistent = true;
            watches.retain_mut(|watch| !consistent || self.visit(-literal, watch, &mut consistent));
            self.watches[place(-literal)].append(&mut watches);
            if !consistent {
                return false;
            }
        }
        true
    }

    /// Visits a clause whose watched literal `falsified` became false. Returns whether the clause
    /// keeps this watch.
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
