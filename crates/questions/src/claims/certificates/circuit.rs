//! The gates of a question, and further gates that the proof mentions, each defined once.

use mmasmt_numbers::bits::blast::{Gate, Netlist, Wire, cone};

/// Gates in an order in which operands come first. Gates can be added, but not changed or removed.
pub(super) struct CertificateCircuit {
    gates: Vec<Gate>,
}

impl CertificateCircuit {
    pub fn new(netlist: &Netlist) -> Self {
        CertificateCircuit {
            gates: netlist.gates().to_vec(),
        }
    }

    pub fn gates(&self) -> &[Gate] {
        &self.gates
    }

    /// The conjunction of two wires.
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

    /// The wire that says whether a number in two's complement, lowest bit first, is `constant`.
    pub fn is(&mut self, number: &[Wire], constant: i64) -> Wire {
        let bits = number.iter().enumerate();
        bits.fold(Wire::constant(true), |all, (bit, &wire)| {
            let set = constant >> bit.min(63) & 1 == 1;
            self.and(all, wire.negated_if(!set))
        })
    }

    /// The gates that `wires` depend on, operands first.
    pub fn cone(&self, wires: impl IntoIterator<Item = Wire>) -> Vec<usize> {
        cone(&self.gates, wires)
    }
}

/// The literal of a wire that is not a constant: the variable of a gate is its index.
pub(super) fn literal(wire: Wire) -> i32 {
    let variable = wire.gate() as i32;
    if wire.is_negated() {
        -variable
    } else {
        variable
    }
}

/// The clause that says that one of these wires holds, each wire once; `None` if the clause always
/// holds.
pub(super) fn simple(wires: impl IntoIterator<Item = Wire>) -> Option<Vec<Wire>> {
    let wires = wires.into_iter();
    let mut wires: Vec<Wire> = wires
        .filter(|wire| wire.as_constant() != Some(false))
        .collect();
    wires.sort_unstable();
    wires.dedup();
    let is_always =
        |wire: &Wire| wire.as_constant() == Some(true) || wires.binary_search(&wire.not()).is_ok();
    (!wires.iter().any(is_always)).then_some(wires)
}

/// The clauses that define the gate of the wire `out`. `same` returns the wire that stands in place
/// of an operand.
pub(super) fn meaning(out: Wire, gate: Gate, same: impl Fn(Wire) -> Wire) -> Vec<Vec<Wire>> {
    let no = Wire::not;
    let clauses = match gate {
        Gate::False => vec![vec![no(out)]],
        Gate::Input { .. } => Vec::new(),
        Gate::And(a, b) => {
            let [a, b] = [a, b].map(same);
            vec![vec![no(out), a], vec![no(out), b], vec![out, no(a), no(b)]]
        }
        Gate::Xor(a, b) => {
            let [a, b] = [a, b].map(same);
            vec![
                vec![no(out), a, b],
                vec![no(out), no(a), no(b)],
                vec![out, no(a), b],
                vec![out, a, no(b)],
            ]
        }
        Gate::Mux(c, t, e) => {
            let [c, t, e] = [c, t, e].map(same);
            vec![
                vec![no(out), no(c), t],
                vec![out, no(c), no(t)],
                vec![no(out), c, e],
                vec![out, c, no(e)],
            ]
        }
    };
    clauses.into_iter().filter_map(simple).collect()
}
