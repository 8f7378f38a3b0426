//! The embedded engine: gates to clauses, solved by CaDiCaL in process.

use super::gates::{Gate, Lit};
use super::limits::{Limits, Stopped};
use super::lower::Lowering;
use crate::bits::term::{Formula, with_graph};

/// An incremental search for inputs that make formulas of this thread's graph true.
pub struct Search {
    lowering: Lowering,
    solver: cadical::Solver<Watch>,
    /// The literal of every gate that has clauses; 0 for the others.
    variables: Vec<i32>,
    next_variable: i32,
    clauses: usize,
    /// An assertion was constantly false.
    contradiction: bool,
    seed: u64,
}

/// What a search is tuned for; it is complete either way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Inputs are expected to exist.
    Witness,
    /// None are expected to exist.
    Proof,
}

/// The outcome of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There are such inputs: [`Search::value`] tells them.
    Sat,
    /// There are none.
    Unsat,
    /// It is not known.
    Unknown(Stopped),
}

/// How large a search is.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Gates.
    pub gates: usize,
    /// Variables of the solver.
    pub variables: usize,
    /// Clauses of the solver.
    pub clauses: usize,
}

/// Name and version of the solver.
pub fn solver_version() -> String {
    cadical::Solver::<Watch>::new().signature().to_owned()
}

struct Watch(Limits);

impl cadical::Callbacks for Watch {
    fn terminate(&mut self) -> bool {
        self.0.stopped().is_some()
    }
}

impl Search {
    /// A search without assertions; another `seed` makes other choices, the same one the same.
    pub fn new(strategy: Strategy, seed: u64) -> Self {
        // The solver has both configurations; without them it would only be slower.
        let solver = match strategy {
            Strategy::Witness => cadical::Solver::with_config("sat").unwrap_or_default(),
            Strategy::Proof => cadical::Solver::new(),
        };
        Search {
            lowering: Lowering::default(),
            solver,
            variables: Vec::new(),
            next_variable: 1,
            clauses: 0,
            contradiction: false,
            seed,
        }
    }

    /// Demands that `formula` holds.
    pub fn assert(&mut self, formula: Formula) {
        match self.literal(formula) {
            Literal::Constant(true) => {}
            Literal::Constant(false) => self.contradiction = true,
            Literal::Variable(literal) => self.add_clause(&[literal]),
        }
    }

    /// Looks for inputs on which all assertions hold, and `assumptions` as well.
    pub fn solve(&mut self, assumptions: &[Formula], limits: &Limits) -> Verdict {
        let mut assumed = Vec::with_capacity(assumptions.len());
        for &formula in assumptions {
            match self.literal(formula) {
                Literal::Constant(true) => {}
                Literal::Constant(false) => return Verdict::Unsat,
                Literal::Variable(literal) => assumed.push(literal),
            }
        }
        if self.contradiction {
            return Verdict::Unsat;
        }
        if let Some(stopped) = limits.stopped() {
            return Verdict::Unknown(stopped);
        }
        if let Some(conflicts) = limits.conflicts() {
            // The solver knows this limit; if it did not, the deadline would still hold.
            let _known = self.solver.set_limit("conflicts", conflicts);
        }
        self.solver.set_callbacks(Some(Watch(limits.clone())));
        match self.solver.solve_with(assumed) {
            Some(true) => Verdict::Sat,
            Some(false) => Verdict::Unsat,
            None => Verdict::Unknown(limits.stopped().unwrap_or(Stopped::ConflictLimit)),
        }
    }

    /// The value of an input after [`Verdict::Sat`]; bits that do not matter are 0.
    pub fn value(&self, input: u32) -> u64 {
        let lits = self.lowering.input(input).unwrap_or_default();
        lits.iter().enumerate().fold(0, |value, (index, lit)| {
            let variable = self.variables.get(lit.index()).copied().unwrap_or(0);
            let set = variable != 0 && self.solver.value(variable.abs()) == Some(variable > 0);
            value | u64::from(set) << index
        })
    }

    /// How large the search has become.
    pub fn size(&self) -> Size {
        Size {
            gates: self.lowering.gates.count(),
            variables: self.next_variable as usize - 1,
            clauses: self.clauses,
        }
    }

    fn literal(&mut self, formula: Formula) -> Literal {
        let lit = with_graph(|graph| self.lowering.formula(graph, formula));
        if lit.index() == 0 {
            return Literal::Constant(lit == Lit::TRUE);
        }
        self.encode(lit.index());
        Literal::Variable(self.signed(lit))
    }

    fn signed(&self, lit: Lit) -> i32 {
        let variable = self.variables[lit.index()];
        if lit.is_negated() {
            -variable
        } else {
            variable
        }
    }

    fn add_clause(&mut self, clause: &[i32]) {
        self.clauses += 1;
        self.solver.add_clause(clause.iter().copied());
    }

    /// Gives the gate and all that it depends on variables and clauses.
    fn encode(&mut self, gate: usize) {
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
                let variable = self.next_variable;
                self.next_variable += 1;
                self.variables[index] = if self.flips(gate, index) {
                    -variable
                } else {
                    variable
                };
                self.encode_gate(variable, gate);
            }
        }
    }

    /// Whether the variable stands for the negated input: the solver tries "true" first, and so
    /// the seed decides what that means.
    fn flips(&self, gate: Gate, index: usize) -> bool {
        let mixed = (self.seed ^ index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        gate == Gate::Input && self.seed != 0 && mixed >> 63 == 1
    }

    fn encode_gate(&mut self, out: i32, gate: Gate) {
        match gate {
            Gate::False => self.add_clause(&[-out]),
            Gate::Input => {}
            Gate::And(a, b) => {
                let (a, b) = (self.signed(a), self.signed(b));
                self.add_clause(&[-out, a]);
                self.add_clause(&[-out, b]);
                self.add_clause(&[out, -a, -b]);
            }
            Gate::Xor(a, b) => {
                let (a, b) = (self.signed(a), self.signed(b));
                self.add_clause(&[-out, a, b]);
                self.add_clause(&[-out, -a, -b]);
                self.add_clause(&[out, -a, b]);
                self.add_clause(&[out, a, -b]);
            }
            Gate::Mux(c, t, e) => {
                let (c, t, e) = (self.signed(c), self.signed(t), self.signed(e));
                self.add_clause(&[-c, -t, out]);
                self.add_clause(&[-c, t, -out]);
                self.add_clause(&[c, -e, out]);
                self.add_clause(&[c, e, -out]);
                // Implied, but they propagate before the condition is known.
                self.add_clause(&[-t, -e, out]);
                self.add_clause(&[t, e, -out]);
            }
            Gate::Maj(a, b, c) => {
                let (a, b, c) = (self.signed(a), self.signed(b), self.signed(c));
                for (x, y) in [(a, b), (a, c), (b, c)] {
                    self.add_clause(&[-x, -y, out]);
                    self.add_clause(&[x, y, -out]);
                }
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Literal {
    Constant(bool),
    Variable(i32),
}

fn operands(gate: Gate) -> ([Lit; 3], usize) {
    const NONE: Lit = Lit::FALSE;
    match gate {
        Gate::False | Gate::Input => ([NONE; 3], 0),
        Gate::And(a, b) | Gate::Xor(a, b) => ([a, b, NONE], 2),
        Gate::Mux(a, b, c) | Gate::Maj(a, b, c) => ([a, b, c], 3),
    }
}
