//! Facts about two models under comparison: formulas that hold, and numbers that are equal.

use super::before::{ArbitraryNumbers, PrecedingSum};
use super::obligations::Ledger;
use super::register_pair::RegisterPair;
use crate::solver::engine::{CadicalSearch, CadicalVerdict, Strategy};
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::bits::term::{Formula, Substitution, Term};
use mmasmt_numbers::bits::{Bv, Prop};
use mmasmt_numbers::float::{Format, UnpackedRegister, unpack};
use rustc_hash::FxHashMap;
use std::fmt::Arguments;
use std::ops::RangeInclusive;

/// The most conflicts for the proof of a fact, and for the step after the last fact.
const EFFORT: u32 = 100_000;

/// The facts about the two models that are known so far.
pub(super) struct StageFacts {
    search: CadicalSearch,
    same: Substitution,
    assumed: Formula,
    /// All formulas that the search knows, including the assumption.
    known: Vec<Formula>,
    /// The record of proofs.
    pub(super) ledger: Ledger,
    /// The sum before the present sum, if its result is known to be the same in both models.
    pub(super) before: Option<PrecedingSum>,
    /// Numbers taken over from the sum before, and the facts known about them.
    pub(super) given: ArbitraryNumbers,
    /// Pairs of registers. The two registers of a pair are equal, or both are zeros, which may
    /// differ in sign.
    pub(super) but_for_zeros: Vec<RegisterPair>,
    /// Pairs of registers. The two registers of a pair are equal, or both are NaNs, which may
    /// differ in code.
    pub(super) but_for_nans: Vec<RegisterPair>,
    /// For each formula that was asked about, whether it always holds; the same formula may be
    /// asked about again.
    asked: FxHashMap<Formula, bool>,
    /// How many facts the solver proved, and how many follow from other facts without the solver.
    solved: usize,
    derived: usize,
    seed: u64,
    limits: Limits,
}

impl StageFacts {
    /// The facts at the start, where only the assumption is known.
    pub fn new(assumed: Formula, mut ledger: Ledger, seed: u64, limits: &Limits) -> Self {
        let mut search = CadicalSearch::new(Strategy::Proof, seed);
        search.assert(assumed);
        ledger.assume(assumed);
        StageFacts {
            search,
            same: Substitution::new(),
            assumed,
            known: vec![assumed],
            ledger,
            before: None,
            given: ArbitraryNumbers::default(),
            but_for_zeros: Vec::new(),
            but_for_nans: Vec::new(),
            asked: FxHashMap::default(),
            solved: 0,
            derived: 0,
            seed,
            limits: limits.with_conflicts(EFFORT),
        }
    }

    /// The substitution of numbers of the right model by equal numbers of the left one.
    pub fn same(&self) -> &Substitution {
        &self.same
    }

    /// Looks for inputs on which the known facts and `formula` hold.
    pub fn solve(&mut self, formula: Formula) -> CadicalVerdict {
        self.search.solve(&[formula], &self.limits)
    }

    /// The value of an input after the search returned [`Verdict::Sat`].
    pub fn value(&self, input: u32) -> u64 {
        self.search.value(input)
    }

    /// The record of all proofs.
    pub fn into_ledger(mut self) -> Ledger {
        self.ledger.kept.derived = self.derived;
        self.ledger
    }

    /// Records the last result: `whole` holds for no inputs.
    pub fn keep_last(&mut self, whole: Formula) {
        self.ledger.keep_last(&[], &self.known, whole);
    }

    /// Proves `fact`, which `name` describes, and adds it to the known facts; `None` if the proof
    /// fails.
    pub fn prove(&mut self, name: Arguments<'_>, fact: Formula) -> Option<()> {
        self.prove_from(name, &[], &[], fact)
    }

    /// Adds a fact that follows from other facts without the solver.
    pub fn know(&mut self, fact: Formula) {
        if fact.as_constant() != Some(true) {
            self.derived += 1;
        }
        self.learn(fact);
    }

    fn learn(&mut self, fact: Formula) {
        self.search.assert(fact);
        self.known.push(fact);
    }

    /// How many facts the solver proved, and how many follow from other facts without the solver.
    pub fn proved(&self) -> [usize; 2] {
        [self.solved, self.derived]
    }

    /// Proves `fact` from `facts` and the given facts alone, for any values of the numbers `from`.
    /// If that fails, proves `fact` from all known facts.
    pub fn prove_from(
        &mut self,
        name: Arguments<'_>,
        from: &[&Term],
        facts: &[Formula],
        fact: Formula,
    ) -> Option<()> {
        if fact.as_constant() == Some(true) || self.asked.get(&fact) == Some(&true) {
            return Some(());
        }
        let is_apart = !(from.is_empty() && facts.is_empty() && self.given.known.is_empty());
        let proved = is_apart && self.follows(name, from, facts, fact);
        (proved || self.follows_from_all(name, fact)).then(|| {
            self.learn(fact);
            self.asked.insert(fact, true);
        })
    }

    fn follows_from_all(&mut self, name: Arguments<'_>, fact: Formula) -> bool {
        let follows = self.solve(fact.not()) == CadicalVerdict::Unsat;
        if follows {
            self.solved += 1;
            self.ledger.keep(name, &[], &self.known, fact);
        }
        follows
    }

    /// Proves `fact` from the given facts alone or, if there are none, from all known facts. This
    /// is useful where a failure costs little.
    pub fn prove_given(&mut self, name: Arguments<'_>, fact: Formula) -> Option<()> {
        if self.given.known.is_empty() {
            return self.prove(name, fact);
        }
        self.follows(name, &[], &[], fact).then(|| self.learn(fact))
    }

    /// Whether a formula holds for all inputs; each formula is asked about only once.
    pub fn always(&mut self, name: Arguments<'_>, formula: Formula) -> bool {
        if let Some(&holds) = self.asked.get(&formula) {
            return holds;
        }
        let holds = self.follows(name, &[], &[], formula);
        self.asked.insert(formula, holds);
        holds
    }

    /// The least of `numbers` for which `prove` succeeds. If `prove` succeeds for one number, it
    /// must succeed for all greater ones.
    pub fn least(
        &mut self,
        numbers: RangeInclusive<i64>,
        mut prove: impl FnMut(&mut Self, i64) -> Option<()>,
    ) -> Option<i64> {
        let (mut unproved, mut proved) = numbers.into_inner();
        if prove(self, unproved).is_some() {
            return Some(unproved);
        }
        prove(self, proved)?;
        while unproved + 1 < proved {
            let middle = unproved + (proved - unproved) / 2;
            match prove(self, middle) {
                Some(()) => proved = middle,
                None => unproved = middle,
            }
        }
        Some(proved)
    }

    /// Whether `fact` follows from `facts` and the given facts, for any values of the numbers
    /// `from`.
    pub fn follows(
        &mut self,
        name: Arguments<'_>,
        from: &[&Term],
        facts: &[Formula],
        fact: Formula,
    ) -> bool {
        if fact.as_constant() == Some(true) {
            return true;
        }
        let mut search = CadicalSearch::new(Strategy::Proof, self.seed);
        let from = from.iter().copied().chain(&self.given.numbers);
        let free: Vec<_> = from.map(Term::atom).collect();
        search.cut_at(free.iter().copied());
        let mut premises = facts.to_vec();
        premises.extend(&self.given.known);
        premises.push(self.assumed);
        for &formula in premises.iter().chain([&fact.not()]) {
            search.assert(formula);
        }
        let follows = search.solve(&[], &self.limits) == CadicalVerdict::Unsat;
        if follows {
            self.solved += 1;
            self.ledger.keep(name, &free, &premises, fact);
        }
        follows
    }

    /// Replaces `right`, a number of the right model that was proved equal to `left`, by `left`
    /// from now on.
    pub fn merge(&mut self, left: &Term, right: &Term) {
        self.same.put(right, left);
    }

    /// From now on, replaces `right`, a register of the right model that was proved equal to
    /// `left`, by `left`, and everything that is read from `right` by what is read from `left`.
    pub fn merge_registers(&mut self, format: &Format, left: &Term, right: &Term) {
        put_register(&mut self.same, format, right, left);
        self.know_number(format, left);
    }

    /// Replaces the magnitude of `right` by the equal magnitude of `left` from now on; their signs
    /// may differ.
    pub fn merge_magnitudes(&mut self, format: &Format, left: &Term, right: &Term) {
        put_magnitude(&mut self.same, format, right, left);
        self.know_number(format, left);
    }

    /// Tries to prove that the register is no NaN, which is useful where the codes of NaNs differ.
    fn know_number(&mut self, format: &Format, register: &Term) {
        let name = format_args!("the result is no NaN");
        let _ = self.prove(name, unpack(format, register).nan.not());
    }
}

/// Substitutes `by` for `register`, and what is read from `by` for everything read from `register`.
pub(super) fn put_register(to: &mut Substitution, format: &Format, register: &Term, by: &Term) {
    to.put(register, by);
    let [old, new] = [register, by].map(|register| unpack(format, register).sign);
    to.put_formula(old, new);
    put_magnitude(to, format, register, by);
}

/// Substitutes the magnitude of `by` for the magnitude of `register`.
pub(super) fn put_magnitude(to: &mut Substitution, format: &Format, register: &Term, by: &Term) {
    // A term made of a field of a register contains that field, not the register: each field is
    // substituted.
    let [old, new] = [register, by].map(|register| fields(format, register));
    for (old, new) in old.iter().zip(&new) {
        to.put(old, new);
    }
    let [old, new] = [register, by].map(|register| unpack(format, register));
    to.put(&old.exponent, &new.exponent);
    to.put(&old.significand, &new.significand);
    let parts = |x: &UnpackedRegister<Term>| [x.zero, x.infinite, x.nan];
    for (old, new) in parts(&old).into_iter().zip(parts(&new)) {
        to.put_formula(old, new);
    }
}

/// The fraction and the exponent field of a register, as far as the format has them. In two's
/// complement they are no bits of the register.
pub(super) fn fields(format: &Format, register: &Term) -> Vec<Term> {
    if format.is_complement() {
        return Vec::new();
    }
    let fraction = format.bits_below_field();
    let magnitude = format.width_below_sign();
    let bounds = [(format.unread_bits(), fraction), (fraction, magnitude)];
    let fields = bounds.into_iter().filter(|(low, above)| low < above);
    fields
        .map(|(low, above)| register.extract(above - 1, low))
        .collect()
}
