//! A small search by learned clauses that tells which of them its answer needs, in their order: each
//! follows by unit propagation from the clauses given and those before it.
//!
//! It is for windows of some thousand clauses. The embedded solver strengthens clauses without telling.

use crate::engine::Limits;
use crate::proof::ClauseSink;
use std::collections::BinaryHeap;

/// Conflicts after which a search begins anew, times the turn.
const RESTART: u32 = 100;

type Reason = Option<usize>;

/// Clauses, and what follows from them.
#[derive(Default)]
pub(super) struct Solver {
    clauses: Vec<Vec<i32>>,
    /// Clauses from this one on were learned.
    given: Option<usize>,
    /// What a learned clause was derived from.
    sources: Vec<Vec<usize>>,
    watches: Vec<Vec<usize>>,
    /// By variable: 0 if it has no value.
    values: Vec<i8>,
    phases: Vec<bool>,
    levels: Vec<u32>,
    reasons: Vec<Reason>,
    activity: Vec<f64>,
    /// Variables by activity; those that have a value, or another activity now, are passed over.
    order: BinaryHeap<(u64, usize)>,
    bump: f64,
    trail: Vec<i32>,
    starts: Vec<usize>,
    propagated: usize,
    /// Clauses that are false whatever is assumed.
    broken: Option<usize>,
    /// Learned clauses that the answers so far need.
    needed: Vec<bool>,
}

fn var(literal: i32) -> usize {
    literal.unsigned_abs() as usize
}

fn place(literal: i32) -> usize {
    2 * var(literal) + usize::from(literal < 0)
}

impl ClauseSink for Solver {
    fn add_clause(&mut self, clause: &[i32]) {
        let mut clause = clause.to_vec();
        clause.sort_unstable();
        clause.dedup();
        if clause
            .iter()
            .any(|literal| clause.binary_search(&-literal).is_ok())
        {
            return;
        }
        self.attach(clause, Vec::new());
    }
}

impl Solver {
    fn grow(&mut self, variable: usize) {
        if self.values.len() <= variable {
            self.values.resize(variable + 1, 0);
            self.phases.resize(variable + 1, false);
            self.levels.resize(variable + 1, 0);
            self.reasons.resize(variable + 1, None);
            self.activity.resize(variable + 1, 0.0);
            self.watches.resize(2 * variable + 2, Vec::new());
        }
    }

    fn value(&self, literal: i32) -> i8 {
        let value = self.values[var(literal)];
        if literal < 0 { -value } else { value }
    }

    /// The value of a variable once a solution is found.
    pub fn is_true(&self, variable: i32) -> bool {
        self.phases.get(var(variable)) == Some(&true)
    }

    fn level(&self) -> u32 {
        self.starts.len() as u32
    }

    /// Adds a clause; the first two literals are watched.
    fn attach(&mut self, clause: Vec<i32>, sources: Vec<usize>) -> usize {
        let index = self.clauses.len();
        for &literal in &clause {
            self.grow(var(literal));
        }
        match clause[..] {
            [] => self.broken = self.broken.or(Some(index)),
            [only] => match self.value(only) {
                0 => self.assign(only, Some(index)),
                -1 if self.levels[var(only)] == 0 => self.broken = self.broken.or(Some(index)),
                _ => {}
            },
            [first, second, ..] => {
                self.watches[place(first)].push(index);
                self.watches[place(second)].push(index);
            }
        }
        self.clauses.push(clause);
        self.sources.push(sources);
        self.needed.push(false);
        index
    }

    fn assign(&mut self, literal: i32, reason: Reason) {
        let variable = var(literal);
        self.values[variable] = if literal < 0 { -1 } else { 1 };
        self.levels[variable] = self.level();
        self.reasons[variable] = reason;
        self.trail.push(literal);
    }

    fn propagate(&mut self) -> Option<usize> {
        while let Some(&literal) = self.trail.get(self.propagated) {
            self.propagated += 1;
            let falsified = -literal;
            let mut watching = std::mem::take(&mut self.watches[place(falsified)]);
            let mut conflict = None;
            let mut kept = 0;
            for at in 0..watching.len() {
                let index = watching[at];
                watching[kept] = index;
                kept += 1;
                if conflict.is_some() {
                    continue;
                }
                if self.clauses[index][0] == falsified {
                    self.clauses[index].swap(0, 1);
                }
                let first = self.clauses[index][0];
                if self.value(first) == 1 {
                    continue;
                }
                let mut rest = self.clauses[index][2..].iter();
                if let Some(free) = rest.position(|literal| self.value(*literal) != -1) {
                    self.clauses[index].swap(1, free + 2);
                    let watched = self.clauses[index][1];
                    self.watches[place(watched)].push(index);
                    kept -= 1;
                } else if self.value(first) == -1 {
                    conflict = Some(index);
                } else {
                    self.assign(first, Some(index));
                }
            }
            watching.truncate(kept);
            self.watches[place(falsified)].append(&mut watching);
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    fn backtrack(&mut self, level: u32) {
        let Some(&start) = self.starts.get(level as usize) else {
            return;
        };
        for literal in self.trail.drain(start..) {
            self.values[var(literal)] = 0;
            self.phases[var(literal)] = literal > 0;
            let activity = self.activity[var(literal)].to_bits();
            self.order.push((activity, var(literal)));
        }
        self.starts.truncate(level as usize);
        self.propagated = start;
    }

    /// The clause that a conflict teaches, its first literal that of the highest level, the second of
    /// the next one; and what it is derived from.
    fn analyse(&mut self, conflict: usize) -> (Vec<i32>, Vec<usize>) {
        let mut seen = vec![false; self.values.len()];
        let mut sources = Vec::new();
        let mut learned = vec![0];
        let mut open = 0;
        let mut index = conflict;
        let mut at = self.trail.len();
        loop {
            sources.push(index);
            for literal in self.clauses[index].clone() {
                let variable = var(literal);
                if seen[variable] || self.value(literal) != -1 {
                    continue;
                }
                seen[variable] = true;
                if self.levels[variable] == 0 {
                    self.root_sources(variable, &mut seen, &mut sources);
                    continue;
                }
                self.activity[variable] += self.bump;
                if self.levels[variable] == self.level() {
                    open += 1;
                } else {
                    learned.push(literal);
                }
            }
            let literal = loop {
                at -= 1;
                let literal = self.trail[at];
                if seen[var(literal)] && self.levels[var(literal)] == self.level() {
                    break literal;
                }
            };
            open -= 1;
            match self.reasons[var(literal)] {
                Some(reason) if open > 0 => index = reason,
                _ => {
                    learned[0] = -literal;
                    break;
                }
            }
        }
        self.bump *= 1.05;
        if self.bump > 1e100 {
            self.activity
                .iter_mut()
                .for_each(|activity| *activity *= 1e-100);
            self.bump *= 1e-100;
        }
        let highest = (1..learned.len()).max_by_key(|at| self.levels[var(learned[*at])]);
        if let Some(highest) = highest {
            learned.swap(1, highest);
        }
        (learned, sources)
    }

    /// The clauses that the value of a variable follows from where nothing is assumed.
    fn root_sources(&self, variable: usize, seen: &mut [bool], sources: &mut Vec<usize>) {
        let mut open = vec![variable];
        while let Some(variable) = open.pop() {
            let Some(reason) = self.reasons[variable] else {
                continue;
            };
            sources.push(reason);
            for &literal in &self.clauses[reason] {
                if !std::mem::replace(&mut seen[var(literal)], true) {
                    open.push(var(literal));
                }
            }
        }
    }

    /// Marks what an answer needs.
    fn need(&mut self, mut open: Vec<usize>) {
        while let Some(index) = open.pop() {
            if !std::mem::replace(&mut self.needed[index], true) {
                open.extend(self.sources[index].iter().copied());
            }
        }
    }

    /// The clauses behind the values of these literals, all of which are false.
    fn behind(&self, literals: &[i32]) -> Vec<usize> {
        let mut seen = vec![false; self.values.len()];
        let mut sources = Vec::new();
        for &literal in literals {
            if !std::mem::replace(&mut seen[var(literal)], true) {
                self.root_sources(var(literal), &mut seen, &mut sources);
            }
        }
        sources
    }

    /// Whether there is a solution in which `assumed` holds; none if that is not known within the
    /// limits.
    pub fn solve(&mut self, assumed: &[i32], limits: &Limits) -> Option<bool> {
        self.given.get_or_insert(self.clauses.len());
        if self.bump == 0.0 {
            self.bump = 1.0;
        }
        for &literal in assumed {
            self.grow(var(literal));
        }
        self.backtrack(0);
        self.order = (1..self.values.len())
            .map(|variable| (self.activity[variable].to_bits(), variable))
            .collect();
        let most = limits.conflicts().unwrap_or(i32::MAX).unsigned_abs();
        let mut conflicts = 0;
        let mut turn = 1;
        let mut until_restart = RESTART;
        loop {
            if let Some(index) = self.broken {
                let literals = self.clauses[index].clone();
                let mut sources = self.behind(&literals);
                sources.push(index);
                self.need(sources);
                return Some(false);
            }
            if let Some(conflict) = self.propagate() {
                if self.level() == 0 {
                    self.broken = Some(conflict);
                    continue;
                }
                conflicts += 1;
                if conflicts > most || (conflicts % 64 == 0 && limits.stopped().is_some()) {
                    return None;
                }
                let (learned, sources) = self.analyse(conflict);
                let back = learned
                    .get(1)
                    .map_or(0, |literal| self.levels[var(*literal)]);
                self.backtrack(back);
                let first = learned[0];
                let is_unit = learned.len() == 1;
                let index = self.attach(learned, sources);
                if !is_unit {
                    self.assign(first, Some(index));
                }
                continue;
            }
            if conflicts >= until_restart {
                turn += 1;
                until_restart = conflicts + RESTART * turn;
                self.backtrack(0);
                continue;
            }
            if let Some(&next) = assumed.get(self.level() as usize) {
                if self.value(next) == -1 {
                    let sources = self.behind(&[next]);
                    self.need(sources);
                    return Some(false);
                }
                self.starts.push(self.trail.len());
                if self.value(next) == 0 {
                    self.assign(next, None);
                }
                continue;
            }
            let next = loop {
                match self.order.pop() {
                    Some((_, variable)) if self.values[variable] != 0 => {}
                    next => break next,
                }
            };
            let Some((_, next)) = next else {
                for literal in self.trail.clone() {
                    self.phases[var(literal)] = literal > 0;
                }
                return Some(true);
            };
            self.starts.push(self.trail.len());
            let next_literal = next as i32;
            let literal = if self.phases[next] {
                next_literal
            } else {
                -next_literal
            };
            self.assign(literal, None);
        }
    }

    /// The learned clauses that the answers need, in order.
    pub fn needed(&self) -> impl Iterator<Item = &[i32]> {
        let given = self.given.unwrap_or(self.clauses.len());
        let learned = self.clauses.iter().zip(&self.needed).skip(given);
        learned
            .filter(|(_, needed)| **needed)
            .map(|(clause, _)| &clause[..])
    }
}
