//! A search over some gates of a circuit, which tells all clauses that it learned.

use super::circuit::meaning;
use crate::bits::blast::{Gate, Wire};
use crate::limits::Limits;
use cadical_sys::{CaDiCal, ProofTracer, Status, Terminator};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// What was learned, in its order.
#[derive(Default)]
struct Learned {
    clauses: Vec<Vec<i32>>,
    /// A clause was learned that does not follow, but is possible.
    is_lost: bool,
}

impl ProofTracer for Learned {
    fn add_derived_clause(&mut self, _: i64, _: bool, witness: i32, clause: &[i32], _: &[i64]) {
        self.is_lost |= witness != 0;
        self.clauses.push(clause.to_vec());
    }
    fn add_assumption_clause(&mut self, _: i64, clause: &[i32], _: &[i64]) {
        self.clauses.push(clause.to_vec());
    }
    // What is given is known, and more clauses are never wrong.
    fn delete_clause(&mut self, _: i64, _: bool, _: &[i32]) {}
    fn add_original_clause(&mut self, _: i64, _: bool, _: &[i32], _: bool) {}
    fn weaken_minus(&mut self, _: i64, _: &[i32]) {}
    fn strengthen(&mut self, _: i64) {}
    fn finalize_clause(&mut self, _: i64, _: &[i32]) {}
    fn add_assumption(&mut self, _: i32) {}
    fn add_constraint(&mut self, _: &[i32]) {}
    fn reset_assumptions(&mut self) {}
    fn conclude_sat(&mut self, _: i32, _: &[i32]) {}
    fn conclude_unsat(&mut self, _: i32, _: &[i64]) {}
    fn conclude_unknown(&mut self, _: &[i32]) {}
}

struct Watch(Limits);

impl Terminator for Watch {
    fn terminated(&mut self) -> bool {
        self.0.stopped().is_some()
    }
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// It follows.
    Lemma,
    /// It does not.
    Refuted,
    Unknown,
}

/// A solver with variables of its own for gates.
pub(super) struct Search {
    solver: CaDiCal,
    learned: Rc<RefCell<Learned>>,
    variables: FxHashMap<usize, i32>,
    /// The gate of each variable, from 1 on.
    gates: Vec<usize>,
}

impl Search {
    /// Nothing is known. It ends when the limits do.
    pub fn new(limits: &Limits) -> Self {
        let mut solver = CaDiCal::new();
        let learned: Rc<RefCell<Learned>> = Rc::default();
        solver.connect_proof_tracer1(Rc::clone(&learned), false, false);
        solver.connect_terminator(Watch(limits.clone()));
        Search {
            solver,
            learned,
            variables: FxHashMap::default(),
            gates: Vec::new(),
        }
    }

    fn literal(&mut self, wire: Wire) -> i32 {
        let next = self.gates.len() as i32 + 1;
        let variable = *self.variables.entry(wire.gate()).or_insert(next);
        if variable == next {
            self.gates.push(wire.gate());
        }
        if wire.is_negated() { -variable } else { variable }
    }

    /// Says what a gate is, `same` standing for its operands.
    pub fn define(&mut self, gate: usize, kind: Gate, same: impl Fn(Wire) -> Wire) {
        for clause in meaning(Wire::of_gate(gate), kind, same) {
            self.demand(&clause);
        }
    }

    /// Demands that one of these wires holds.
    pub fn demand(&mut self, clause: &[Wire]) {
        let clause: Vec<i32> = clause.iter().map(|&wire| self.literal(wire)).collect();
        self.solver.clause6(&clause);
    }

    /// What is tried first for a wire.
    pub fn prefer(&mut self, wire: Wire) {
        if self.variables.contains_key(&wire.gate()) {
            let literal = self.literal(wire);
            self.solver.phase(literal);
        }
    }

    /// Whether one of these wires holds, always.
    pub fn follows(&mut self, clause: &[Wire], conflicts: u32) -> Found {
        for &wire in clause {
            let literal = self.literal(wire);
            self.solver.assume(-literal);
        }
        let _known = self.solver.limit("conflicts", i32::try_from(conflicts).unwrap_or(-1));
        match self.solver.solve() {
            Status::UNSATISFIABLE if self.learned.borrow().is_lost => Found::Unknown,
            Status::UNSATISFIABLE => Found::Lemma,
            Status::SATISFIABLE => Found::Refuted,
            _ => Found::Unknown,
        }
    }

    /// Whether a gate held in what refuted the last clause; none if it did not matter.
    pub fn value(&mut self, gate: usize) -> Option<bool> {
        let variable = *self.variables.get(&gate)?;
        Some(self.solver.val(variable) > 0)
    }

    /// All clauses that were learned, as wires, in their order.
    pub fn learned(&mut self) -> Vec<Vec<Wire>> {
        // What the last answer rests on is told at its end.
        self.solver.conclude();
        let wire = |literal: &i32| {
            let gate = self.gates[literal.unsigned_abs() as usize - 1];
            Wire::of_gate(gate).negated_if(*literal < 0)
        };
        let learned = self.learned.borrow();
        let clauses = learned.clauses.iter();
        clauses.map(|clause| clause.iter().map(wire).collect()).collect()
    }
}
