//! A part of a netlist that a solver looks at: gates before two that are compared, and what is known.

use super::solver::Solver;
use crate::bits::blast::{Gate, Netlist, Wire};
use crate::engine::Limits;
use crate::proof::{ClauseSink, define};
use rustc_hash::FxHashMap;
use std::collections::BinaryHeap;

/// A wire that is known to hold, with the gates that say what it means.
pub(super) struct Known {
    pub wire: Wire,
    /// These and all gates before them up to `leaves`.
    pub gates: Vec<usize>,
    /// It is of use where one of these is; anywhere, if there are none.
    pub leaves: Vec<usize>,
}

/// What was found of two wires.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    Equal,
    /// They differ, or may, as far as the window goes.
    Different,
    /// They differ for some operands.
    Apart,
    Unknown,
}

/// Clauses of some gates, with variables of their own.
struct Window {
    solver: Solver,
    local: FxHashMap<usize, i32>,
    /// The gate of each variable, from 1 on.
    gates: Vec<usize>,
}

impl Window {
    fn variable(&mut self, gate: usize) -> i32 {
        let next = self.gates.len() as i32 + 1;
        let variable = *self.local.entry(gate).or_insert(next);
        if variable == next {
            self.gates.push(gate);
        }
        variable
    }

    fn literal(&mut self, wire: Wire) -> i32 {
        let variable = self.variable(wire.gate());
        if wire.is_negated() {
            -variable
        } else {
            variable
        }
    }

    fn define(&mut self, netlist: &Netlist, gate: usize, same: impl Fn(Wire) -> Wire) {
        let kind = netlist.gates()[gate];
        let out = self.variable(gate);
        let operands: Vec<Wire> = kind.operands().collect();
        let literals: FxHashMap<Wire, i32> = operands
            .iter()
            .map(|wire| (*wire, self.literal(same(*wire))))
            .collect();
        define(|wire| literals[&wire], out, kind, &mut self.solver);
    }
}

/// Whether two wires are the same, `same` being what stands for each wire: by the gates before them,
/// `most` at most. Gives the clauses that this rests on, as literals of wires; where they are apart one
/// list, the values of operands that show it.
pub(super) fn compare(
    netlist: &Netlist,
    wires: [Wire; 2],
    same: impl Fn(Wire) -> Wire + Copy,
    known: &[&Known],
    most: usize,
    limits: &Limits,
) -> (Found, Vec<Vec<Wire>>) {
    let mut window = Window {
        solver: Solver::default(),
        local: FxHashMap::default(),
        gates: Vec::new(),
    };
    // The constant, whatever else is in the window.
    let no = window.variable(0);
    window.solver.add_clause(&[-no]);
    let mut heap: BinaryHeap<usize> = BinaryHeap::new();
    let mut within: FxHashMap<usize, bool> = FxHashMap::default();
    let mut push = |heap: &mut BinaryHeap<usize>, gate: usize| {
        if within.insert(gate, false).is_none() {
            heap.push(gate);
        }
    };
    for wire in wires {
        push(&mut heap, wire.gate());
    }
    let mut count = 0;
    let mut taken: FxHashMap<usize, ()> = FxHashMap::default();
    while let Some(gate) = heap.pop() {
        if count >= most {
            heap.push(gate);
            break;
        }
        count += 1;
        taken.insert(gate, ());
        window.define(netlist, gate, same);
        for operand in netlist.gates()[gate].operands() {
            push(&mut heap, same(operand).gate());
        }
    }
    let is_whole = heap
        .iter()
        .all(|gate| matches!(netlist.gates()[*gate], Gate::Input { .. }));
    for known in known {
        let is_of_use = known.leaves.is_empty()
            || known
                .leaves
                .iter()
                .any(|leaf| window.local.contains_key(leaf));
        if !is_of_use {
            continue;
        }
        for &gate in &known.gates {
            if taken.insert(gate, ()).is_none() {
                window.define(netlist, gate, same);
            }
        }
        let literal = window.literal(same(known.wire));
        window.solver.add_clause(&[literal]);
    }
    let [own, other] = wires.map(|wire| window.literal(wire));
    let mut found = Found::Equal;
    for assumed in [[own, -other], [-own, other]] {
        match window.solver.solve(&assumed, limits) {
            Some(false) => {}
            Some(true) if is_whole => found = Found::Apart,
            Some(true) => found = Found::Different,
            None => found = Found::Unknown,
        }
        if found != Found::Equal {
            break;
        }
    }
    let wire = |literal: &i32| {
        let gate = window.gates[literal.unsigned_abs() as usize - 1];
        Wire::of_gate(gate).negated_if(*literal < 0)
    };
    let learned = match found {
        Found::Equal => window
            .solver
            .needed()
            .map(|clause| clause.iter().map(wire).collect())
            .collect(),
        // The operands that tell them apart.
        Found::Apart => {
            let inputs = window
                .gates
                .iter()
                .filter(|gate| matches!(netlist.gates()[**gate], Gate::Input { .. }));
            let value = |gate: &usize| {
                Wire::of_gate(*gate).negated_if(!window.solver.is_true(window.local[gate]))
            };
            vec![inputs.map(value).collect()]
        }
        _ => Vec::new(),
    };
    (found, learned)
}
