//! Searches over a part of the circuit: the nearest gates before some wires.

use super::circuit::{meaning, simple};
use super::merged::{GateReduction, Representatives};
use super::place::Premise;
use super::search::GateSearch;
use super::sweep::ProofSweep;
use mmasmt_numbers::bits::blast::{Gate, Wire};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// The wires that a gate reads in a search.
///
/// A demand is a condition on inputs that the question requires. A gate that defines a demand reads
/// its own operands: their representatives may be equal to them only because of the demand.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum GateReads {
    /// The operands themselves.
    Own,
    /// The representatives of the operands for all inputs.
    Known,
    /// The representatives of the operands in the case.
    InCase,
}

/// The gates of a search, those nearest to its wires first.
struct SearchGates {
    open: VecDeque<(usize, GateReads)>,
    seen: FxHashSet<(usize, GateReads)>,
    taken: Vec<(usize, GateReads)>,
}

impl SearchGates {
    fn push(&mut self, wire: Wire, reads: GateReads) {
        let entry = (wire.gate(), reads);
        if wire.as_constant().is_none() && self.seen.insert(entry) {
            self.open.push_back(entry);
        }
    }
}

impl ProofSweep {
    /// Adds to `search` the gates nearest before these wires and the case, at most `most` of them;
    /// returns whether no gate before them was left out.
    pub(super) fn window(
        &mut self,
        wires: &[Wire],
        most: usize,
        place: &mut Premise,
        search: &mut GateSearch,
    ) -> bool {
        let (gates, demands) = loop {
            let (gates, demands, is_changed) = self.nearest(wires, most, place);
            if !is_changed {
                break (gates, demands);
            }
        };
        for &(gate, reads) in &gates.taken {
            let kind = self.circuit.gates()[gate];
            let own = Wire::of_gate(gate);
            search.define(gate, kind, |wire| self.read(wire, reads, place));
            let stands = place.merged.of(own);
            if stands != own {
                for clause in [[own.not(), stands], [own, stands.not()]] {
                    simple(clause)
                        .iter()
                        .for_each(|clause| search.demand(clause));
                }
            }
            for clause in self.clauses.get(&gate).into_iter().flatten() {
                let now = simple(clause.iter().map(|wire| place.merged.of(*wire)));
                let is_seen = |wire: &Wire| gates.seen.contains(&(wire.gate(), GateReads::InCase));
                let now = now.filter(|now| now.iter().all(is_seen));
                now.iter().for_each(|clause| search.demand(clause));
            }
        }
        for wire in demands {
            simple([wire])
                .iter()
                .for_each(|clause| search.demand(clause));
        }
        gates.open.is_empty()
    }

    /// The wire that a gate reads in place of its operand `wire`.
    fn read(&self, wire: Wire, reads: GateReads, place: &Premise) -> Wire {
        match reads {
            GateReads::Own => wire,
            GateReads::Known => self.known.of(wire),
            GateReads::InCase => place.merged.of(wire),
        }
    }

    /// Whether a gate becomes simpler if its operands are replaced by their representatives for all
    /// inputs.
    fn is_less(&self, kind: Gate) -> bool {
        matches!(self.known.reduced(kind), GateReduction::To(_)) || is_shortened(kind, &self.known)
    }

    /// Adds to the proof the clauses of a gate in which two operands have become one, so that unit
    /// propagation finds what follows from the merged operands.
    fn write_shortened(&mut self, gate: usize, place: &mut Premise) {
        let kind = self.circuit.gates()[gate];
        if is_shortened(kind, &place.merged) && place.shortened.insert(gate) {
            for clause in meaning(Wire::of_gate(gate), kind, |wire| place.merged.of(wire)) {
                self.write_lemma(clause.into_iter().chain([place.case.not()]));
            }
        }
    }

    /// The nearest gates, the demands that read them, and whether a gate was merged by this call.
    fn nearest(
        &mut self,
        wires: &[Wire],
        most: usize,
        place: &mut Premise,
    ) -> (SearchGates, Vec<Wire>, bool) {
        let mut gates = SearchGates {
            open: VecDeque::new(),
            seen: FxHashSet::default(),
            taken: Vec::new(),
        };
        let case = self.known.of(place.case);
        let mut demands = vec![case];
        for wire in wires {
            gates.push(place.merged.of(*wire), GateReads::InCase);
        }
        gates.push(case, GateReads::Known);
        let mut is_changed = false;
        while gates.taken.len() < most
            && let Some((gate, mut reads)) = gates.open.pop_front()
        {
            let kind = self.circuit.gates()[gate];
            match reads {
                // If operands of the gate were merged since the gate was last looked at, it may
                // have another representative now.
                GateReads::InCase => {
                    is_changed |= self.by_operands(gate, place);
                    self.write_shortened(gate, place);
                }
                GateReads::Known if self.is_less(kind) => reads = GateReads::Own,
                GateReads::Known | GateReads::Own => {}
            }
            gates.taken.push((gate, reads));
            if reads != GateReads::InCase {
                gates.push(place.merged.of(Wire::of_gate(gate)), GateReads::InCase);
            }
            for operand in kind.operands() {
                gates.push(self.read(operand, reads, place), reads);
            }
            for &demand in self.demands.get(&gate).into_iter().flatten() {
                if gates.seen.insert((demand.gate(), GateReads::Own)) {
                    gates.open.push_front((demand.gate(), GateReads::Own));
                    demands.push(demand);
                }
            }
        }
        (gates, demands, is_changed)
    }
}

/// Whether a gate is a choice whose condition, perhaps negated, is also one of its alternatives.
/// Some clauses of the gate then have one literal less.
fn is_shortened(kind: Gate, merged: &Representatives) -> bool {
    match kind {
        Gate::Mux(c, t, e) => {
            let [c, t, e] = [c, t, e].map(|wire| merged.of(wire).gate());
            c == t || c == e
        }
        _ => false,
    }
}
