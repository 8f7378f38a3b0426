//! A search that reports every clause that it learns or deletes: the steps of a DRAT proof.

use crate::solver::engine::CadicalVerdict;
use crate::solver::proof::{ClauseSink, Cnf, DratWriter};
use cadical_sys::{CaDiCal, ProofTracer, Status, Terminator};
use mmasmt_numbers::base::limits::{Limits, Stopped};
use rustc_hash::FxHashSet;
use std::cell::{Cell, RefCell};
use std::io::{self, Write};
use std::rc::Rc;

/// A reported step of a proof.
pub enum TraceEvent<'x> {
    /// A clause was learned: it follows by unit propagation from the clauses before it. `from` has
    /// the numbers of the learned and given clauses in this derivation.
    Learned {
        number: i64,
        clause: &'x [i32],
        from: &'x [i64],
    },
    /// A learned clause was deleted.
    Forgotten(&'x [i32]),
    /// The clauses are unsatisfiable; the numbers are those of the clauses that this conclusion
    /// rests on.
    Concluded(&'x [i64]),
}

struct Tracer<F> {
    tell: F,
    /// The numbers of the clauses that were learned and not deleted.
    learned: FxHashSet<i64>,
    /// Whether a RAT clause was learned, which preserves satisfiability but is not implied.
    is_rat: Rc<Cell<bool>>,
}

impl<F: FnMut(TraceEvent<'_>)> ProofTracer for Tracer<F> {
    fn add_derived_clause(
        &mut self,
        number: i64,
        _: bool,
        witness: i32,
        clause: &[i32],
        from: &[i64],
    ) {
        self.is_rat.set(self.is_rat.get() || witness != 0);
        self.add_assumption_clause(number, clause, from);
    }
    fn add_assumption_clause(&mut self, number: i64, clause: &[i32], from: &[i64]) {
        self.learned.insert(number);
        (self.tell)(TraceEvent::Learned {
            number,
            clause,
            from,
        });
    }
    fn delete_clause(&mut self, id: i64, _: bool, clause: &[i32]) {
        if self.learned.remove(&id) {
            (self.tell)(TraceEvent::Forgotten(clause));
        }
    }
    fn conclude_unsat(&mut self, _: i32, numbers: &[i64]) {
        (self.tell)(TraceEvent::Concluded(numbers));
    }
    // These events are not reported: the caller knows the given clauses, and the other events
    // change no clause.
    fn add_original_clause(&mut self, _: i64, _: bool, _: &[i32], _: bool) {}
    fn weaken_minus(&mut self, _: i64, _: &[i32]) {}
    fn strengthen(&mut self, _: i64) {}
    fn finalize_clause(&mut self, _: i64, _: &[i32]) {}
    fn add_assumption(&mut self, _: i32) {}
    fn add_constraint(&mut self, _: &[i32]) {}
    fn reset_assumptions(&mut self) {}
    fn conclude_sat(&mut self, _: i32, _: &[i32]) {}
    fn conclude_unknown(&mut self, _: &[i32]) {}
}

struct Watch(Limits);

impl Terminator for Watch {
    fn terminated(&mut self) -> bool {
        self.0.stopped().is_some()
    }
}

/// An incremental search over given clauses.
pub struct IncrementalSearch {
    solver: CaDiCal,
    is_rat: Rc<Cell<bool>>,
    limits: Limits,
}

impl ClauseSink for IncrementalSearch {
    fn add_clause(&mut self, clause: &[i32]) {
        self.solver.clause6(clause);
    }
}

impl IncrementalSearch {
    /// A search without clauses. It reports every step to `tell`. If `with_reasons` holds, it also
    /// reports the numbers of the clauses that the step follows from.
    pub fn new(
        limits: &Limits,
        with_reasons: bool,
        tell: impl FnMut(TraceEvent<'_>) + 'static,
    ) -> Self {
        let mut solver = CaDiCal::new();
        let is_rat: Rc<Cell<bool>> = Rc::default();
        let tracer = Tracer {
            tell,
            learned: FxHashSet::default(),
            is_rat: Rc::clone(&is_rat),
        };
        solver.connect_proof_tracer1(tracer, with_reasons, false);
        solver.connect_terminator(Watch(limits.clone()));
        IncrementalSearch {
            solver,
            is_rat,
            limits: limits.clone(),
        }
    }

    /// Turns preprocessing off, so that easy instances take fewer steps. This must be called before
    /// clauses are added.
    pub fn plain(&mut self) {
        let _known = self.solver.configure("plain");
    }

    /// Makes the search try first that this literal is true.
    pub fn prefer(&mut self, literal: i32) {
        self.solver.phase(literal);
    }

    /// Looks for an assignment that satisfies all clauses and the literals `assumed`, within
    /// `conflicts` conflicts.
    pub fn solve(&mut self, assumed: &[i32], conflicts: Option<u32>) -> CadicalVerdict {
        if let Some(stopped) = self.limits.stopped() {
            return CadicalVerdict::Unknown(stopped);
        }
        for &literal in assumed {
            self.solver.assume(literal);
        }
        if let Some(conflicts) = conflicts {
            // CaDiCaL knows this limit; if it did not, the deadline would still stop the search.
            let conflicts = i32::try_from(conflicts).unwrap_or(i32::MAX);
            let _known = self.solver.limit("conflicts", conflicts);
        }
        match self.solver.solve() {
            Status::SATISFIABLE => CadicalVerdict::Sat,
            Status::UNSATISFIABLE if self.is_rat.get() => CadicalVerdict::Unknown(Stopped::GaveUp),
            Status::UNSATISFIABLE => {
                // This call reports the clauses that the answer rests on.
                self.solver.conclude();
                CadicalVerdict::Unsat
            }
            _ => CadicalVerdict::Unknown(self.limits.stopped().unwrap_or(Stopped::ConflictLimit)),
        }
    }

    /// Whether a literal holds, after [`CadicalVerdict::Sat`].
    pub fn holds(&mut self, literal: i32) -> bool {
        self.solver.val(literal) > 0
    }
}

/// Looks for values that satisfy all clauses of `cnf`. If there are none, `out` receives a DRAT
/// proof as text. Returns the verdict and the number of lemmas in the proof.
///
/// # Errors
/// If the proof cannot be written.
pub fn refute(
    cnf: &Cnf,
    out: impl Write + 'static,
    limits: &Limits,
) -> io::Result<(CadicalVerdict, usize)> {
    let script = Rc::new(RefCell::new(DratWriter::new(Box::new(out))));
    let told = Rc::clone(&script);
    let mut search = IncrementalSearch::new(limits, false, move |step| match step {
        TraceEvent::Learned { clause, .. } => told.borrow_mut().add(clause),
        TraceEvent::Forgotten(clause) => told.borrow_mut().delete(clause),
        TraceEvent::Concluded(_) => {}
    });
    cnf.iter().for_each(|clause| search.add_clause(clause));
    let verdict = search.solve(&[], None);
    drop(search);
    let lemmas = script.borrow_mut().finish()?;
    Ok((verdict, lemmas))
}
