//! The gates of a question, and gates beside it that the proof speaks of: each defined once.

use crate::bits::blast::{Gate, Netlist, Wire};

/// Gates, operands before what uses them. More can be added; those that are there stay.
pub(super) struct Circuit {
    gates: Vec<Gate>,
}

impl Circuit {
    pub fn new(netlist: &Netlist) -> Self {
        Circuit {
            gates: netlist.gates().to_vec(),
        }
    }

    pub fn gates(&self) -> &[Gate] {
        &self.gates
    }

    pub fn gate(&self, wire: Wire) -> Gate {
        self.gates[wire.gate()]
    }

    /// Whether both hold.
    pub fn and(&mut self, a: Wire, b: Wire) -> Wire {
        match (a.as_constant(), b.as_constant()) {
            (Some(false), _) | (_, Some(false)) => Wire::constant(false),
            (Some(true), _) => b,
            (_, Some(true)) => a,
            _ => {
                self.gates.push(Gate::And(a, b));
                Wire::of_gate(self.gates.len() - 1)
            }
        }
    }

    /// Whether a number in two's complement, lowest bit first, is this constant.
    pub fn is(&mut self, number: &[Wire], constant: i64) -> Wire {
        let bits = number.iter().enumerate();
        bits.fold(Wire::constant(true), |all, (bit, &wire)| {
            let set = constant >> bit.min(63) & 1 == 1;
            self.and(all, wire.negated_if(!set))
        })
    }

    /// The gates that `wires` depend on, operands first, but for those that `is_left_out` says.
    pub fn cone(
        &self,
        wires: impl IntoIterator<Item = Wire>,
        is_left_out: impl Fn(usize) -> bool,
    ) -> Vec<usize> {
        let mut needed = vec![false; self.gates.len()];
        let mut open: Vec<usize> = wires.into_iter().map(Wire::gate).collect();
        while let Some(gate) = open.pop() {
            if !needed[gate] && !is_left_out(gate) {
                needed[gate] = true;
                open.extend(self.gates[gate].operands().map(Wire::gate));
            }
        }
        (1..self.gates.len()).filter(|&gate| needed[gate]).collect()
    }
}

/// The literal of a wire that is no constant: the variable of a gate is its position.
pub(super) fn literal(wire: Wire) -> i32 {
    let variable = wire.gate() as i32;
    if wire.is_negated() { -variable } else { variable }
}

/// The clause that one of these wires holds; none if that is always so.
pub(super) fn clause(wires: impl IntoIterator<Item = Wire>) -> Option<Vec<i32>> {
    let mut literals = Vec::new();
    for wire in wires {
        match wire.as_constant() {
            Some(true) => return None,
            Some(false) => {}
            None => literals.push(literal(wire)),
        }
    }
    literals.sort_unstable();
    literals.dedup();
    let is_always = literals.iter().any(|l| literals.binary_search(&-l).is_ok());
    (!is_always).then_some(literals)
}
