//! A search over some gates of a circuit. It reports every clause that it learns.

use super::circuit::meaning;
use crate::solver::engine::{CadicalVerdict, IncrementalSearch, TraceEvent};
use crate::solver::proof::ClauseSink;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::bits::blast::{Gate, Wire};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// The gate of each variable; the first variable is 1.
type GateOfVariable = Rc<RefCell<Vec<usize>>>;

/// A step of a search, with wires in place of literals.
pub(super) enum SearchStep {
    /// A clause was learned. `from` has the numbers of the clauses that it follows from, if they
    /// are recorded.
    Learned {
        number: i64,
        clause: Vec<Wire>,
        from: Vec<i64>,
    },
    /// The search has dropped a learned clause.
    Forgotten(Vec<Wire>),
    /// There is no assignment. The numbers are those of the clauses that prove this.
    Concluded(Vec<i64>),
}

/// A SAT solver with a variable for each gate that the search uses.
pub(super) struct GateSearch {
    solver: IncrementalSearch,
    variables: FxHashMap<usize, i32>,
    gates: GateOfVariable,
}

impl GateSearch {
    /// A search without any clauses, which ends when a limit is reached. It passes every step to
    /// `tell`, with the clauses that a learned clause follows from if `with_reasons`.
    pub fn new(
        limits: &Limits,
        with_reasons: bool,
        mut tell: impl FnMut(SearchStep) + 'static,
    ) -> Self {
        let gates = GateOfVariable::default();
        let known = Rc::clone(&gates);
        let solver = IncrementalSearch::new(limits, with_reasons, move |told| {
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

    /// Adds the clauses that define a gate. `same` returns the wire that stands in place of an
    /// operand.
    pub fn define(&mut self, gate: usize, kind: Gate, same: impl Fn(Wire) -> Wire) {
        for clause in meaning(Wire::of_gate(gate), kind, same) {
            self.demand(&clause);
        }
    }

    /// Adds the clause that says that one of these wires holds.
    pub fn demand(&mut self, clause: &[Wire]) {
        let clause: Vec<i32> = clause.iter().map(|&wire| self.literal(wire)).collect();
        self.solver.add_clause(&clause);
    }

    /// Configures the solver to search without preprocessing; called before gates are added.
    pub fn plain(&mut self) {
        self.solver.plain();
    }

    /// Makes the solver try first an assignment in which `wire` holds.
    pub fn prefer(&mut self, wire: Wire) {
        if self.variables.contains_key(&wire.gate()) {
            let literal = self.literal(wire);
            self.solver.prefer(literal);
        }
    }

    /// Searches for an assignment that falsifies the clause. If there is none, the clause always
    /// holds.
    pub fn refute(&mut self, clause: &[Wire], conflicts: Option<u32>) -> CadicalVerdict {
        let none: Vec<i32> = clause.iter().map(|&wire| -self.literal(wire)).collect();
        self.solver.solve(&none, conflicts)
    }

    /// The value of a gate in the assignment that refuted the last clause; `None` if the search has
    /// no variable for the gate.
    pub fn value(&mut self, gate: usize) -> Option<bool> {
        let variable = *self.variables.get(&gate)?;
        Some(self.solver.holds(variable))
    }
}
