//! A search over some gates of a circuit, which tells all clauses that it learned.

use super::circuit::meaning;
use crate::solver::engine::{TraceEvent, Traced, Verdict};
use crate::solver::proof::ClauseSink;
use mmasmt_core::base::limits::Limits;
use mmasmt_core::numbers::bits::blast::{Gate, Wire};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// The gate of each variable, from 1 on.
type GateOfVariable = Rc<RefCell<Vec<usize>>>;

/// A step of a search, in wires.
pub(super) enum SearchStep {
    /// A clause was learned; the numbers of those that it follows from, if they are told.
    Learned {
        number: i64,
        clause: Vec<Wire>,
        from: Vec<i64>,
    },
    /// One that was learned is of no use any more.
    Forgotten(Vec<Wire>),
    /// There are no values: the numbers of the clauses that say so.
    Concluded(Vec<i64>),
}

/// A solver with variables of its own for gates.
pub(super) struct GateSearch {
    solver: Traced,
    variables: FxHashMap<usize, i32>,
    gates: GateOfVariable,
}

impl GateSearch {
    /// Nothing is known. It ends when the limits do; every step goes to `tell`, with
    /// what it follows from if `with_reasons`.
    pub fn new(
        limits: &Limits,
        with_reasons: bool,
        mut tell: impl FnMut(SearchStep) + 'static,
    ) -> Self {
        let gates = GateOfVariable::default();
        let known = Rc::clone(&gates);
        let solver = Traced::new(limits, with_reasons, move |told| {
            let gates = known.borrow();
            let wire = |literal: &i32| {
                let gate = gates[literal.unsigned_abs() as usize - 1];
                Wire::of_gate(gate).negated_if(*literal < 0)
            };
            tell(match told {
                TraceEvent::Learned {
                    number,
                    clause,
                    from,
                } => SearchStep::Learned {
                    number,
                    clause: clause.iter().map(wire).collect(),
                    from: from.to_vec(),
                },
                TraceEvent::Forgotten(clause) => {
                    SearchStep::Forgotten(clause.iter().map(wire).collect())
                }
                TraceEvent::Concluded(numbers) => SearchStep::Concluded(numbers.to_vec()),
            });
        });
        GateSearch {
            solver,
            variables: FxHashMap::default(),
            gates,
        }
    }

    fn literal(&mut self, wire: Wire) -> i32 {
        let mut gates = self.gates.borrow_mut();
        let next = gates.len() as i32 + 1;
        let variable = *self.variables.entry(wire.gate()).or_insert(next);
        if variable == next {
            gates.push(wire.gate());
        }
        if wire.is_negated() {
            -variable
        } else {
            variable
        }
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
        self.solver.add_clause(&clause);
    }

    /// Nothing but search, before there are gates.
    pub fn plain(&mut self) {
        self.solver.plain();
    }

    /// What is tried first for a wire.
    pub fn prefer(&mut self, wire: Wire) {
        if self.variables.contains_key(&wire.gate()) {
            let literal = self.literal(wire);
            self.solver.prefer(literal);
        }
    }

    /// Looks for values on which none of these wires holds: there are none if one always does.
    pub fn refute(&mut self, clause: &[Wire], conflicts: Option<u32>) -> Verdict {
        let none: Vec<i32> = clause.iter().map(|&wire| -self.literal(wire)).collect();
        self.solver.solve(&none, conflicts)
    }

    /// Whether a gate held in what refuted the last clause; none if it did not matter.
    pub fn value(&mut self, gate: usize) -> Option<bool> {
        let variable = *self.variables.get(&gate)?;
        Some(self.solver.holds(variable))
    }
}
