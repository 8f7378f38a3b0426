//! Simulates a stuck gate on a block of inputs: only gates that the change reaches are computed again.

use super::circuit::{Fault, UnitCircuit};

/// The memory of one thread.
pub(super) struct FaultSimulation<'x> {
    circuit: &'x UnitCircuit,
    /// The values of gates that a fault changes, where `round` is that of the fault.
    changed: Vec<u64>,
    rounds: Vec<u32>,
    round: u32,
    /// The gates that are still to be computed, a bit for each.
    pending: Vec<u64>,
}

impl<'x> FaultSimulation<'x> {
    pub fn new(circuit: &'x UnitCircuit) -> Self {
        let count = circuit.netlist.gates().len();
        FaultSimulation {
            circuit,
            changed: vec![0; count],
            rounds: vec![0; count],
            round: 0,
            pending: vec![0; count.div_ceil(64)],
        }
    }

    /// The inputs of the block, among those of `mask`, whose results the fault changes; `good` has the values of all
    /// gates without it.
    pub fn shown_by(&mut self, fault: Fault, good: &[u64], mask: u64) -> u64 {
        let stuck = if fault.is_one { u64::MAX } else { 0 };
        if (good[fault.gate] ^ stuck) & mask == 0 {
            return 0;
        }
        self.round += 1;
        self.change(fault.gate, stuck);
        let mut at = fault.gate / 64;
        while at < self.pending.len() {
            let word = self.pending[at];
            if word == 0 {
                at += 1;
                continue;
            }
            let gate = at * 64 + word.trailing_zeros() as usize;
            self.pending[at] &= word - 1;
            // No gate changes an operand.
            let own = self.circuit.netlist.gates()[gate].word(
                |_, _| good[gate],
                |wire| wire.word(self.now(wire.gate(), good)),
            );
            if (own ^ good[gate]) & mask != 0 {
                self.change(gate, own);
            }
        }
        let outputs = self.circuit.outputs.iter().map(|wire| wire.gate());
        outputs.fold(0, |shown, gate| {
            shown | (self.now(gate, good) ^ good[gate]) & mask
        })
    }

    fn change(&mut self, gate: usize, value: u64) {
        self.changed[gate] = value;
        self.rounds[gate] = self.round;
        for reader in self.circuit.readers(gate) {
            self.pending[*reader as usize / 64] |= 1 << (reader % 64);
        }
    }

    /// The value of a gate with the fault.
    fn now(&self, gate: usize, good: &[u64]) -> u64 {
        match self.rounds[gate] == self.round {
            true => self.changed[gate],
            false => good[gate],
        }
    }
}
