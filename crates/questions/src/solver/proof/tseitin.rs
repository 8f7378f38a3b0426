//! Tseitin encoding of netlists: a variable for each gate that the root depends on.

use super::write::{ClauseSink, Cnf};
use mmasmt_numbers::bits::blast::{Gate, Netlist, Wire};

/// The variables of the gates of a netlist.
#[derive(Clone, Debug)]
pub struct Variables(Vec<i32>);

impl Variables {
    /// The variable of the gate at a position; 0 if it has none.
    pub fn variable(&self, gate: usize) -> i32 {
        self.0[gate]
    }

    /// The literal of a wire; 0 if its gate has no variable.
    pub fn literal(&self, wire: Wire) -> i32 {
        let variable = self.variable(wire.gate());
        if wire.is_negated() {
            -variable
        } else {
            variable
        }
    }
}

/// Adds clauses that are satisfiable iff `root` is, and returns the variables of the gates.
pub fn encode(netlist: &Netlist, root: Wire, cnf: &mut Cnf) -> Variables {
    let gates = netlist.gates();
    let mut needed = vec![false; gates.len()];
    needed[root.gate()] = true;
    for (index, gate) in gates.iter().enumerate().rev() {
        if needed[index] {
            gate.operands().for_each(|wire| needed[wire.gate()] = true);
        }
    }
    let mut variables = Variables(vec![0; gates.len()]);
    let numbered = needed.iter().enumerate().filter(|(_, needed)| **needed);
    for (number, (index, _)) in (1..).zip(numbered) {
        variables.0[index] = number;
        define(&variables, number, gates[index], cnf);
    }
    cnf.add_clause(&[variables.literal(root)]);
    variables
}

/// Adds clauses which say that the variable `out` is the output of `gate`.
fn define(variables: &Variables, out: i32, gate: Gate, cnf: &mut Cnf) {
    let literal = |wire| variables.literal(wire);
    match gate {
        Gate::False => cnf.add_clause(&[-out]),
        Gate::Input { .. } => {}
        Gate::And(a, b) => {
            let (a, b) = (literal(a), literal(b));
            cnf.add_clause(&[-out, a]);
            cnf.add_clause(&[-out, b]);
            cnf.add_clause(&[out, -a, -b]);
        }
        Gate::Xor(a, b) => {
            let (a, b) = (literal(a), literal(b));
            cnf.add_clause(&[-out, a, b]);
            cnf.add_clause(&[-out, -a, -b]);
            cnf.add_clause(&[out, -a, b]);
            cnf.add_clause(&[out, a, -b]);
        }
        Gate::Mux(c, t, e) => {
            let (c, t, e) = (literal(c), literal(t), literal(e));
            cnf.add_clause(&[-out, -c, t]);
            cnf.add_clause(&[out, -c, -t]);
            cnf.add_clause(&[-out, c, e]);
            cnf.add_clause(&[out, c, -e]);
        }
    }
}
