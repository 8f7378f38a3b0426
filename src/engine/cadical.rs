//! The embedded engine: gates to clauses, solved by CaDiCaL in process.

use super::gates::{Gate, Lit};
use super::limits::{Limits, Stopped};
use super::lower::Lowering;
use crate::bits::term::{Formula, with_graph};

/// An incremental search for inputs that make formulas of this thread's graph true.
pub struct Search {
    lowering: Lowering,
    solver: cadical::Solver<Watch>,
    /// The variable of every gate that has clauses; 0 for the others.
    variables: Vec<i32>,
    next_variable: i32,
    clauses: usize,
    /// An assertion was constantly false.
    contradiction: bool,
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

struct Watch(Limits);

impl cadical::Callbacks for Watch {
    fn terminate(&mut self) -> bool {
        self.0.stopped().is_some()
    }
}

impl Search {
    /// A search without assertions; `seed` steers the solver's choices.
    pub fn new(seed: u32) -> Self {
        let mut solver = match std::env::var("CFG") { Ok(c) => cadical::Solver::with_config(&c).unwrap_or_default(), _ => cadical::Solver::new() };
        // Options that the solver does not have would be an error of the build, found by tests.
        let seeded = solver.set_limit("preprocessing", 0).is_ok();
        debug_assert!(seeded, "solver refuses its limits");
        let _ = seed;
        Search {
            lowering: Lowering::default(),
            solver,
            variables: Vec::new(),
            next_variable: 1,
            clauses: 0,
            contradiction: false,
        }
    }

    /// Name and version of the solver.
    pub fn signature(&self) -> String {
        self.solver.signature().to_owned()
    }

    /// Demands that `formula` holds.
    pub fn assert(&mut self, formula: Formula) {
        match self.literal(formula) {
            Literal::Constant(true) => {}
            Literal::Constant(false) => self.contradiction = true,
            Literal::Variable(literal) => self.add_clause(&[literal]),
        }
    }

    /// Demands that one of `formulas` holds.
    pub fn assert_any(&mut self, formulas: &[Formula]) {
        let literals: Vec<_> = formulas.iter().map(|&formula| self.literal(formula)).collect();
        if literals.contains(&Literal::Constant(true)) {
            return;
        }
        let clause: Vec<_> = literals
            .iter()
            .filter_map(|literal| match literal {
                Literal::Variable(literal) => Some(*literal),
                Literal::Constant(_) => None,
            })
            .collect();
        if clause.is_empty() {
            self.contradiction = true;
        } else {
            self.add_clause(&clause);
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
        self.solver.set_callbacks(Some(Watch(limits.clone())));
        match self.solver.solve_with(assumed) {
            Some(true) => Verdict::Sat,
            Some(false) => Verdict::Unsat,
            None => Verdict::Unknown(limits.stopped().unwrap_or(Stopped::TimeLimit)),
        }
    }

    /// The value of an input after [`Verdict::Sat`]; bits that do not matter are 0.
    pub fn value(&self, input: u32) -> u64 {
        let lits = self.lowering.input(input).unwrap_or_default();
        lits.iter().enumerate().fold(0, |value, (index, lit)| {
            let variable = self.variables.get(lit.index()).copied().unwrap_or(0);
            let set = variable != 0 && self.solver.value(variable) == Some(true);
            value | u64::from(set) << index
        })
    }

    /// How large the search has become.
    pub fn size(&self) -> Size {
        Size {
            gates: self.lowering.gates.len(),
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
        if lit.is_negated() { -variable } else { variable }
    }

    fn add_clause(&mut self, clause: &[i32]) {
        self.clauses += 1;
        self.solver.add_clause(clause.iter().copied());
    }

    /// Gives the gate and all that it depends on variables and clauses.
    fn encode(&mut self, gate: usize) {
        self.variables.resize(self.lowering.gates.len(), 0);
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
                self.variables[index] = self.next_variable;
                self.next_variable += 1;
                self.encode_gate(self.variables[index], gate);
            }
        }
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
