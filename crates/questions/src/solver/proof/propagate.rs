//! Unit propagation with two watched literals, over clauses that are added and deleted.

use super::derivations::Derivations;
use super::numbering::Numbering;
use super::read::DimacsClauses;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Clauses with two watched literals each, and the literals that unit propagation derives.
pub(super) struct Propagator {
    variables: Numbering,
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
    /// For each true literal, the clause that it follows from; `None` if it is assumed.
    reasons: Vec<Option<usize>>,
    propagated: usize,
    /// The clauses that a contradiction follows from, if there is one without assumptions.
    contradiction: Option<Vec<u32>>,
    /// If derivations are kept: those of the clauses behind the formula, in order. For each literal
    /// that is true without assumptions there is a clause of this literal alone.
    derivations: Option<Derivations>,
    /// The number of literals at the start of the trail that have such a clause.
    settled: usize,
    /// Variables that a derivation has met, and has not come to on the trail yet.
    is_met: Vec<bool>,
}

fn place(literal: i32) -> usize {
    2 * literal.unsigned_abs() as usize + usize::from(literal < 0)
}

impl Propagator {
    /// The clauses of a formula, and what follows from them. Derivations are kept if there is
    /// something to keep them in.
    pub fn of(formula: &DimacsClauses, derivations: Option<Derivations>) -> Self {
        let mut propagator = Propagator {
            variables: Numbering::default(),
            clauses: Vec::new(),
            watches: Vec::new(),
            places: HashMap::new(),
            is_true: Vec::new(),
            trail: Vec::new(),
            reasons: Vec::new(),
            propagated: 0,
            contradiction: None,
            derivations,
            settled: 0,
            is_met: Vec::new(),
        };
        let mut conflict = None;
        for clause in &formula.clauses {
            let clause = propagator.sorted(clause);
            conflict = conflict.or(propagator.attach(clause));
        }
        propagator.settle(conflict);
        propagator
    }

    /// The derivations that were kept.
    pub fn into_derivations(self) -> Derivations {
        self.derivations.unwrap_or_default()
    }

    /// Renumbers and sorts the literals, and removes duplicates.
    fn sorted(&mut self, clause: &[i32]) -> Vec<i32> {
        let mut clause: Vec<i32> = clause.iter().map(|&l| self.variables.literal(l)).collect();
        let places = 2 * self.variables.len() + 2;
        self.watches.resize_with(places, Vec::new);
        self.is_true.resize(places, false);
        self.is_met.resize(places / 2, false);
        clause.sort_unstable();
        clause.dedup();
        clause
    }

    fn holds(&self, literal: i32) -> bool {
        self.is_true[place(literal)]
    }

    fn assign(&mut self, literal: i32, reason: Option<usize>) {
        self.is_true[place(literal)] = true;
        self.trail.push(literal);
        self.reasons.push(reason);
    }

    /// Adds a sorted clause, and makes its last literal true if all others are false. Returns the
    /// number of the clause if all its literals are false.
    fn attach(&mut self, mut clause: Vec<i32>) -> Option<usize> {
        let index = self.clauses.len();
        self.places.entry(clause.clone()).or_default().push(index);
        // Watches literals that are not false, if possible.
        clause.sort_by_key(|&literal| self.holds(-literal));
        if let [first, second, ..] = clause[..] {
            self.watches[place(first)].push((index, second));
            self.watches[place(second)].push((index, first));
        }
        let is_conflict = clause.first().is_none_or(|&first| self.holds(-first));
        if let Some(&first) = clause.first()
            && !is_conflict
            && !self.holds(first)
            && clause.get(1).is_none_or(|&second| self.holds(-second))
        {
            self.assign(first, Some(index));
        }
        self.clauses.push(clause);
        is_conflict.then_some(index)
    }

    /// Propagates what is true without assumptions, unless there is a `conflict` already.
    fn settle(&mut self, conflict: Option<usize>) {
        let conflict = conflict.or_else(|| self.propagate());
        let unsettled = match self.derivations {
            Some(_) => self.settled..self.trail.len(),
            None => 0..0,
        };
        for at in unsettled {
            if let Some(reason) = self.reasons[at]
                && self.clauses[reason].len() > 1
            {
                let literal = self.trail[at];
                let antecedents = self.antecedents(reason, at);
                self.record(&[literal], &antecedents);
                self.reasons[at] = Some(self.clauses.len());
                self.clauses.push(vec![literal]);
            }
        }
        self.settled = self.trail.len();
        if self.contradiction.is_none() {
            self.contradiction = conflict.map(|conflict| self.antecedents(conflict, self.settled));
        }
    }

    /// Keeps the derivation of a clause, if derivations are kept.
    fn record(&mut self, clause: &[i32], antecedents: &[u32]) {
        if let Some(derivations) = &mut self.derivations {
            let names = clause.iter().map(|&literal| self.variables.name(literal));
            derivations.push(names, antecedents);
        }
    }

    /// The clauses that become unit, in this order, until the clause `last` does or has only false
    /// literals, and then this clause; of the trail, only the literals before `end` are true.
    /// Empty if derivations are not kept.
    fn antecedents(&mut self, last: usize, end: usize) -> Vec<u32> {
        if self.derivations.is_none() {
            return Vec::new();
        }
        let mut found = vec![last as u32];
        let mut open = 0;
        let meet = |is_met: &mut Vec<bool>, clause: &[i32], but: i32| {
            let others = clause.iter().filter(|literal| **literal != but);
            let variables = others.map(|literal| literal.unsigned_abs() as usize);
            variables
                .filter(|v| !std::mem::replace(&mut is_met[*v], true))
                .count()
        };
        let own = self.trail.get(end).copied().unwrap_or(0);
        open += meet(&mut self.is_met, &self.clauses[last], own);
        for at in (0..end).rev() {
            if open == 0 {
                break;
            }
            let literal = self.trail[at];
            if !std::mem::take(&mut self.is_met[literal.unsigned_abs() as usize]) {
                continue;
            }
            open -= 1;
            if let Some(reason) = self.reasons[at] {
                found.push(reason as u32);
                open += meet(&mut self.is_met, &self.clauses[reason], literal);
            }
        }
        found.reverse();
        found
    }

    /// Adds a lemma if it follows by unit propagation, and returns whether it does.
    pub fn derive(&mut self, lemma: &[i32]) -> bool {
        let clause = self.sorted(lemma);
        let Some(antecedents) = self.implied(&clause) else {
            return false;
        };
        self.record(&clause, &antecedents);
        let conflict = self.attach(clause);
        self.settle(conflict);
        true
    }

    /// The clauses that a sorted clause follows from, if it does: if unit propagation of its
    /// negation gives a contradiction.
    fn implied(&mut self, clause: &[i32]) -> Option<Vec<u32>> {
        if let Some(contradiction) = &self.contradiction {
            return Some(contradiction.clone());
        }
        if let Some(&literal) = clause.iter().find(|&&literal| self.holds(literal)) {
            if self.derivations.is_none() {
                return Some(Vec::new());
            }
            let at = self.trail.iter().position(|&known| known == literal)?;
            return Some(
                self.reasons[at]
                    .iter()
                    .map(|&reason| reason as u32)
                    .collect(),
            );
        }
        let before = self.trail.len();
        for &literal in clause {
            if !self.holds(-literal) {
                self.assign(-literal, None);
            }
        }
        let is_always = clause.iter().any(|&literal| self.holds(literal));
        let mut found = if is_always {
            Some(Vec::new())
        } else {
            let conflict = self.propagate();
            conflict.map(|conflict| self.antecedents(conflict, self.trail.len()))
        };
        // What is assumed needs no clause that says it.
        if let Some(found) = &mut found {
            found.retain(|&index| match self.clauses[index as usize][..] {
                [only] => clause.binary_search(&-only).is_err(),
                _ => true,
            });
        }
        for literal in self.trail.drain(before..) {
            self.is_true[place(literal)] = false;
        }
        self.reasons.truncate(before);
        self.propagated = before;
        found
    }

    /// Propagates all literals that became true; returns a clause that has only false literals, if
    /// there is one.
    fn propagate(&mut self) -> Option<usize> {
        while let Some(&literal) = self.trail.get(self.propagated) {
            self.propagated += 1;
            let mut watches = std::mem::take(&mut self.watches[place(-literal)]);
            let mut conflict = None;
            watches.retain_mut(|watch| {
                conflict.is_some() || self.visit(-literal, watch, &mut conflict)
            });
            self.watches[place(-literal)].append(&mut watches);
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// Visits a clause whose watched literal `falsified` became false. Returns whether the clause
    /// keeps this watch.
    fn visit(
        &mut self,
        falsified: i32,
        watch: &mut (usize, i32),
        conflict: &mut Option<usize>,
    ) -> bool {
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
            *conflict = Some(index);
        } else {
            self.assign(first, Some(index));
        }
        true
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
}
