//! Tseitin encoding of gates as clauses.

use super::gates::{GateKind, Lit};
use super::lower::GateLowering;
use crate::solver::proof::ClauseSink;
use mmasmt_numbers::base::limits::Account;
use mmasmt_numbers::bits::term::{Formula, NodeId, with_graph};

/// The memory in bytes of one gate's clauses in a solver: about five clauses, each with two
/// watches.
const CLAUSES_BYTES: u64 = 400;

/// Encodes formulas of this thread's graph as clauses over variables.
pub struct Encoder {
    /// Counts the memory of the clauses.
    account: Account,
    lowering: GateLowering,
    /// The literal of each gate; 0 if the gate is not encoded.
    variables: Vec<i32>,
    next_variable: i32,
    seed: u64,
}

/// The encoding of a formula.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum GateLiteral {
    /// The formula is constant.
    Constant(bool),
    /// The formula is equivalent to this literal.
    Variable(i32),
}

impl Encoder {
    /// An empty encoding. `seed` chooses the inputs whose variables are negated; 0 negates none.
    pub fn new(seed: u64) -> Self {
        Encoder {
            account: Account::default(),
            lowering: GateLowering::default(),
            variables: Vec::new(),
            next_variable: 1,
            seed,
        }
    }

    /// Makes these nodes [cut points](super::CadicalSearch::cut_at).
    pub fn cut_at(&mut self, nodes: impl IntoIterator<Item = NodeId>) {
        self.lowering.cut_at(nodes);
    }

    /// The literal of a formula. The clauses that define it are added to `sink`, unless an earlier
    /// call has added them.
    pub fn literal(&mut self, formula: Formula, sink: &mut impl ClauseSink) -> GateLiteral {
        let lit = with_graph(|graph| self.lowering.formula(graph, formula));
        for within in self.lowering.take_ranges() {
            if within.index() != 0 {
                self.encode(within.index(), sink);
                sink.add_clause(&[self.signed(within)]);
            }
        }
        if lit.index() == 0 {
            return GateLiteral::Constant(lit == Lit::TRUE);
        }
        self.encode(lit.index(), sink);
        GateLiteral::Variable(self.signed(lit))
    }

    /// The literals of an input, lowest bit first; 0 for bits that no encoded formula depends on.
    pub fn input(&self, index: u32) -> Vec<i32> {
        let lits = self.lowering.input(index).unwrap_or_default();
        let literal = |lit: &Lit| self.variables.get(lit.index()).copied().unwrap_or(0);
        lits.iter().map(literal).collect()
    }

    fn signed(&self, lit: Lit) -> i32 {
        let variable = self.variables[lit.index()];
        if lit.is_negated() {
            -variable
        } else {
            variable
        }
    }

    /// Encodes the gate and all gates that it depends on.
    fn encode(&mut self, gate: usize, sink: &mut impl ClauseSink) {
        self.variables.resize(self.lowering.gates.count(), 0);
        let mut stack = vec![gate];
        while let Some(&index) = stack.last() {
            if self.variables[index] != 0 {
                stack.pop();
                continue;
            }
            let gate = self.lowering.gates.gate(index);
            let (operands, count) = operands(gate);
            let ready = stack.len();
            let missing = operands[..count].iter().map(|lit| lit.index());
            stack.extend(missing.filter(|&operand| self.variables[operand] == 0));
            if stack.len() == ready {
                stack.pop();
                // `take`, which charges memory, may unwind, so it is called before the gate counts
                // as encoded.
                self.account.take(CLAUSES_BYTES);
                let variable = self.next_variable;
                self.next_variable += 1;
                self.variables[index] = if self.flips(gate, index) {
                    -variable
                } else {
                    variable
                };
                self.encode_gate(variable, gate, sink);
            }
        }
    }

    /// Whether `seed` negates this input's variable. The solver tries "true" first, so a negation
    /// changes the order of its search.
    fn flips(&self, gate: GateKind, index: usize) -> bool {
        let mixed = (self.seed ^ index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        gate == GateKind::Input && self.seed != 0 && mixed >> 63 == 1
    }

    fn encode_gate(&self, out: i32, gate: GateKind, sink: &mut impl ClauseSink) {
        match gate {
            GateKind::False => sink.add_clause(&[-out]),
            GateKind::Input => {}
            GateKind::And(a, b) => {
                let (a, b) = (self.signed(a), self.signed(b));
                sink.add_clause(&[-out, a]);
                sink.add_clause(&[-out, b]);
                sink.add_clause(&[out, -a, -b]);
            }
            GateKind::Xor(a, b) => {
                let (a, b) = (self.signed(a), self.signed(b));
                sink.add_clause(&[-out, a, b]);
                sink.add_clause(&[-out, -a, -b]);
                sink.add_clause(&[out, -a, b]);
                sink.add_clause(&[out, a, -b]);
            }
            GateKind::Mux(c, t, e) => {
                let (c, t, e) = (self.signed(c), self.signed(t), self.signed(e));
                sink.add_clause(&[-c, -t, out]);
                sink.add_clause(&[-c, t, -out]);
                sink.add_clause(&[c, -e, out]);
                sink.add_clause(&[c, e, -out]);
                // These clauses are redundant, but they propagate even before the condition is
                // assigned.
                sink.add_clause(&[-t, -e, out]);
                sink.add_clause(&[t, e, -out]);
            }
            GateKind::Maj(a, b, c) => {
                let (a, b, c) = (self.signed(a), self.signed(b), self.signed(c));
                for (x, y) in [(a, b), (a, c), (b, c)] {
                    sink.add_clause(&[-x, -y, out]);
                    sink.add_clause(&[x, y, -out]);
                }
            }
        }
    }
}

fn operands(gate: GateKind) -> ([Lit; 3], usize) {
    const NONE: Lit = Lit::FALSE;
    match gate {
        GateKind::False | GateKind::Input => ([NONE; 3], 0),
        GateKind::And(a, b) | GateKind::Xor(a, b) => ([a, b, NONE], 2),
        GateKind::Mux(a, b, c) | GateKind::Maj(a, b, c) => ([a, b, c], 3),
    }
}
