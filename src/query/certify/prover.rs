//! One search for all lemmas of a proof. Every clause that it learns goes into the proof.

use super::circuit::{Circuit, clause, literal};
use crate::bits::blast::{Gate, Wire};
use crate::limits::Limits;
use cadical_sys::{CaDiCal, ProofTracer, Status, Terminator};
use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

/// Steps of a DRAT proof as they are written. The first error is kept until the end.
pub(super) struct Script<W> {
    out: W,
    lemmas: usize,
    error: Option<io::Error>,
}

impl<W: Write> Script<W> {
    fn write(&mut self, kind: &str, clause: &[i32]) {
        if self.error.is_none() {
            self.error = self.try_write(kind, clause).err();
        }
    }

    fn try_write(&mut self, kind: &str, clause: &[i32]) -> io::Result<()> {
        self.out.write_all(kind.as_bytes())?;
        for literal in clause {
            write!(self.out, "{literal} ")?;
        }
        self.out.write_all(b"0\n")
    }

    fn add(&mut self, clause: &[i32]) {
        self.lemmas += 1;
        self.write("", clause);
    }
}

impl<W: Write> ProofTracer for Script<W> {
    fn add_derived_clause(&mut self, _: i64, _: bool, _: i32, clause: &[i32], _: &[i64]) {
        self.add(clause);
    }
    fn add_assumption_clause(&mut self, _: i64, clause: &[i32], _: &[i64]) {
        self.add(clause);
    }
    fn delete_clause(&mut self, _: i64, _: bool, clause: &[i32]) {
        self.write("d ", clause);
    }
    // What is given is written where it is given, and the rest adds and removes nothing.
    fn add_original_clause(&mut self, _: i64, _: bool, _: &[i32], _: bool) {}
    fn weaken_minus(&mut self, _: i64, _: &[i32]) {}
    fn strengthen(&mut self, _: i64) {}
    fn finalize_clause(&mut self, _: i64, _: &[i32]) {}
    fn add_assumption(&mut self, _: i32) {}
    fn add_constraint(&mut self, _: &[i32]) {}
    fn reset_assumptions(&mut self) {}
    fn conclude_sat(&mut self, _: i32, _: &[i32]) {}
    fn conclude_unsat(&mut self, _: i32, _: &[i64]) {}
    fn conclude_unknown(&mut self, _: &[i32]) {}
}

struct Watch(Limits);

impl Terminator for Watch {
    fn terminated(&mut self) -> bool {
        self.0.stopped().is_some()
    }
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// It follows, and is a clause of the proof now.
    Lemma,
    /// It does not; [`Prover::value`] tells why.
    Refuted,
    Unknown,
}

/// The search, and the gates that it knows.
pub(super) struct Prover<W: Write + 'static> {
    solver: CaDiCal,
    script: Rc<RefCell<Script<W>>>,
    is_loaded: Vec<bool>,
    limits: Limits,
    pub asked: [usize; 3],
    pub spent: [std::time::Duration; 4],
}

impl<W: Write + 'static> Prover<W> {
    pub fn new(out: W, limits: &Limits) -> Self {
        let mut solver = CaDiCal::new();
        // Nothing but learned clauses: each of them follows by unit propagation.
        let _known = solver.configure("plain");
        let script = Rc::new(RefCell::new(Script {
            out,
            lemmas: 0,
            error: None,
        }));
        solver.connect_proof_tracer1(Rc::clone(&script), false, false);
        solver.connect_terminator(Watch(limits.clone()));
        Prover {
            solver,
            script,
            is_loaded: Vec::new(),
            limits: limits.clone(),
            asked: [0; 3],
            spent: Default::default(),
        }
    }

    /// Gives the search the gates that these wires depend on, as what stands for each wire says.
    pub fn load(&mut self, circuit: &Circuit, wires: &[Wire], same: impl Fn(Wire) -> Wire) {
        self.is_loaded.resize(circuit.gates().len(), false);
        let mut open: Vec<usize> = wires.iter().map(|wire| same(*wire).gate()).collect();
        while let Some(gate) = open.pop() {
            if gate == 0 || std::mem::replace(&mut self.is_loaded[gate], true) {
                continue;
            }
            let kind = circuit.gates()[gate];
            let is_as_given = kind.operands().all(|wire| same(wire) == wire);
            for clause in meaning(Wire::of_gate(gate), kind, &same) {
                match is_as_given {
                    true => self.solver.clause6(&clause),
                    false => self.lemma(&clause),
                }
            }
            open.extend(kind.operands().map(|wire| same(wire).gate()));
        }
    }

    /// Adds a clause that follows by unit propagation.
    pub fn lemma(&mut self, clause: &[i32]) {
        self.script.borrow_mut().add(clause);
        self.solver.clause6(clause);
    }

    /// Adds a clause to the proof alone, for as long as those after it are added.
    pub fn passing(&mut self, clause: &[i32], then: impl FnOnce(&mut Self)) {
        self.script.borrow_mut().add(clause);
        then(self);
        self.script.borrow_mut().write("d ", clause);
    }

    /// Tries to prove that one of these wires holds.
    pub fn prove(&mut self, wires: &[Wire], conflicts: u32) -> Found {
        let Some(clause) = clause(wires.iter().copied()) else {
            return Found::Lemma;
        };
        if self.limits.stopped().is_some() {
            return Found::Unknown;
        }
        for literal in &clause {
            self.solver.assume(-literal);
        }
        let _known = self.solver.limit("conflicts", conflicts as i32);
        let start = std::time::Instant::now();
        let status = self.solver.solve();
        let spent = start.elapsed();
        let found = match status {
            Status::UNSATISFIABLE => Found::Lemma,
            Status::SATISFIABLE => Found::Refuted,
            _ => Found::Unknown,
        };
        self.asked[found as usize] += 1;
        self.spent[found as usize] += spent;
        if found == Found::Lemma {
            self.lemma(&clause);
        }
        found
    }

    /// Whether a wire held in what was found last; none if it did not matter.
    pub fn value(&mut self, wire: Wire) -> Option<bool> {
        let is_known = self.is_loaded.get(wire.gate()).copied().unwrap_or(false);
        is_known.then(|| self.solver.val(literal(wire)) > 0)
    }

    /// What is tried first for a wire.
    pub fn prefer(&mut self, wire: Wire, value: bool) {
        if self.is_loaded.get(wire.gate()).copied().unwrap_or(false) {
            self.solver.phase(literal(wire.negated_if(!value)));
        }
    }

    /// How many clauses were added, once all is written.
    pub fn finish(self) -> io::Result<usize> {
        let Prover { solver, script, .. } = self;
        drop(solver);
        let mut script = script.borrow_mut();
        if let Some(error) = script.error.take() {
            return Err(error);
        }
        script.out.flush()?;
        Ok(script.lemmas)
    }
}

/// The clauses that say what a gate is, `same` standing for its operands.
pub(super) fn meaning(out: Wire, gate: Gate, same: impl Fn(Wire) -> Wire) -> Vec<Vec<i32>> {
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
    clauses.into_iter().filter_map(clause).collect()
}
