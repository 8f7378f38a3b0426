//! What is known of two models while they are compared: formulas that hold, and numbers that are
//! the same.

use crate::bits::term::{Formula, Replacement, Term};
use crate::bits::{Bv, Prop};
use crate::engine::{Limits, Search, Strategy, Verdict};
use crate::float::{Format, Unpacked, unpack};

/// Conflicts that a fact may cost, and what comes after the last one.
const EFFORT: u32 = 100_000;

/// What is known so far.
pub(super) struct Facts {
    search: Search,
    same: Replacement,
    seed: u64,
    limits: Limits,
}

impl Facts {
    /// Nothing is known but what is assumed.
    pub fn new(assumed: Formula, seed: u64, limits: &Limits) -> Self {
        let mut search = Search::new(Strategy::Proof, seed);
        search.assert(assumed);
        Facts {
            search,
            same: Replacement::new(),
            seed,
            limits: limits.with_conflicts(EFFORT),
        }
    }

    /// Numbers of the right model that are known to be those of the left one.
    pub fn same(&self) -> &Replacement {
        &self.same
    }

    /// Looks for inputs on which `formula` holds.
    pub fn solve(&mut self, formula: Formula) -> Verdict {
        self.search.solve(&[formula], &self.limits)
    }

    /// The value of an input after [`Verdict::Sat`].
    pub fn value(&self, input: u32) -> u64 {
        self.search.value(input)
    }

    /// Proves that `fact` holds, and knows it then; none if that is not proved.
    pub fn prove(&mut self, fact: Formula) -> Option<()> {
        if fact.as_constant() == Some(true) {
            return Some(());
        }
        let proved = self.solve(fact.not()) == Verdict::Unsat;
        proved.then(|| self.search.assert(fact))
    }

    /// Takes a fact that follows from others.
    pub fn know(&mut self, fact: Formula) {
        self.search.assert(fact);
    }

    /// Proves it from these facts alone, whatever the numbers `from` are; if that cannot be done,
    /// from all that is known.
    pub fn prove_from(&mut self, from: &[&Term], facts: &[Formula], fact: Formula) -> Option<()> {
        if fact.as_constant() == Some(true) {
            return Some(());
        }
        let mut search = Search::new(Strategy::Proof, self.seed);
        search.free(from.iter().map(|term| term.atom()));
        for &fact in facts {
            search.assert(fact);
        }
        if search.solve(&[fact.not()], &self.limits) != Verdict::Unsat {
            return self.prove(fact);
        }
        self.search.assert(fact);
        Some(())
    }

    /// `right`, a number of the right model that was proved to be `left`, is `left` from now on.
    pub fn merge(&mut self, left: &Term, right: &Term) {
        self.same.put(right, left);
    }

    /// The same for registers of a format.
    pub fn merge_registers(&mut self, format: &Format, left: &Term, right: &Term) {
        self.merge(left, right);
        // What is made of a field of the right one has it alone, and not the register.
        let fraction = format.dropped_bits + format.fraction_bits;
        let magnitude = format.dropped_bits + format.magnitude_bits();
        for (low, above) in [(format.dropped_bits, fraction), (fraction, magnitude)] {
            if low < above {
                let [left, right] = [left, right].map(|register| register.extract(above - 1, low));
                self.merge(&left, &right);
            }
        }
        let [left, right] = [left, right].map(|register| unpack(format, register));
        self.merge(&left.exponent, &right.exponent);
        self.merge(&left.significand, &right.significand);
        let parts = |x: &Unpacked<Term>| [x.sign, x.zero, x.infinite, x.nan];
        for (left, right) in parts(&left).into_iter().zip(parts(&right)) {
            self.same.put_formula(right, left);
        }
        // Of use where the codes of NaNs differ; there may be NaNs.
        let _ = self.prove(left.nan.not());
    }

    /// Registers of a format that a stage gives: proves that they are the same.
    pub fn register(&mut self, format: &Format, left: &Term, right: &Term) -> Option<()> {
        let now = self.same.term(right)?;
        self.prove(left.equals(&now))?;
        self.merge_registers(format, left, right);
        Some(())
    }
}
