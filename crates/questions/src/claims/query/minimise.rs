//! Makes a witness simple: first by direct changes, then by asking the solver for simpler inputs.

use super::question::Question;
use super::replay::Replay;
use super::restriction::Restriction;
use crate::claims::property::{Domain, SymbolicInputs};
use crate::inputs::{CrossingOperand, Simplicity, counts, crossings, simplest, simplified_by};
use crate::solver::engine::{CadicalSearch, CadicalVerdict, Goal, Strategy};
use mmasmt_core::machines::algorithms::{Inputs, Registers, Signature};
use mmasmt_core::machines::model::Instance;
use mmasmt_numbers::base::limits::{Limits, Stopped};
use mmasmt_numbers::bits::term::{Formula, Term};
use mmasmt_numbers::bits::{Bv, Concrete, Prop, W64};

/// The conflicts that one attempt to find simpler inputs may take: the first limit is for an
/// attempt in an under-approximation, the second one for an attempt among all inputs.
const SMALL_EFFORT: u32 = 2000;
const EFFORT: u32 = 300;

/// The number of attempts without an answer after which a measure is left as it is.
const MISSES: u32 = 2;

/// How many measures of simplicity the solver lowers, from the first on. The last measure
/// (positions) is left to direct changes.
const SOLVED: usize = 4;

/// A witness that was made simple, and whether it is proved to be the simplest.
pub(super) struct SimpleWitness {
    pub inputs: Inputs,
    /// Whether it is proved that no witness has fewer products, and that no witness on these
    /// products is simpler, by three measures in this order: the number of significand bits, the
    /// distances of the exponents from 0, the number of negative signs.
    pub proved: bool,
}

/// Makes `inputs` simpler while they still answer the question.
pub(super) fn minimise(
    question: &Question,
    symbolic: &SymbolicInputs,
    inputs: Inputs,
    limits: &Limits,
    replay: &mut Replay<'_>,
) -> SimpleWitness {
    let mut is_witness = |inputs: &Inputs| replay.is_met(inputs);
    let domain = question.domain();
    let pairs = Pairs {
        signature: &symbolic.signature,
        domain,
        stepping: question.steps(),
    };
    let crossing = pairs.stepping;
    let crossing = crossing.map(|stepping| crossings(&symbolic.signature, stepping));
    let question = |inputs: &SymbolicInputs| question.formula(&inputs.by_number());
    let signature = symbolic.signature;
    limits.report(|report| report.step = "looking for simpler inputs".into());
    let put = |inputs| domain.equalised(inputs);
    let measure = |inputs: &Inputs| pairs.simplicity(inputs);
    let best = simplified_by(measure, &signature, inputs, put, &mut is_witness, limits);
    let best = match crossing {
        None => best,
        // Of a pair of inputs, the one that steps has no few bits, and single changes do not lead to it.
        Some(crossing) => {
            let tried = crossing.map(|inputs| domain.fixed_bits(&inputs));
            let best = simplest(measure, best, tried, &mut is_witness, limits);
            simplified_by(measure, &signature, best, put, &mut is_witness, limits)
        }
    };
    let mut state = Descent {
        symbolic,
        limits,
        pairs: &pairs,
        best,
        proved: true,
    };
    let mut lower = |state: &mut Descent<'_>, level, restriction: &Restriction, complete| {
        let lowered =
            limits.run(|| state.lower(level, restriction, complete, &question, &mut is_witness));
        state.proved &= lowered.is_ok();
    };
    // First try inputs such as a person would try: fewer products, then powers of two and short
    // fractions.
    let products = signature.products;
    for count in 1..state.measure()[0].min(3) as u32 {
        lower(
            &mut state,
            0,
            &Restriction::spread(products, count, None),
            false,
        );
    }
    for fraction in 0..2 {
        let restriction = Restriction::on_products_of(&state.best, Some(fraction));
        lower(&mut state, 1, &restriction, false);
    }
    // Then search all inputs. After the number of products, each measure is lowered on the products
    // that are left.
    lower(&mut state, 0, &Restriction::none(products), true);
    for level in 1..SOLVED {
        let restriction = Restriction::on_products_of(&state.best, None);
        lower(&mut state, level, &restriction, true);
    }
    SimpleWitness {
        inputs: state.best,
        proved: state.proved,
    }
}

/// How simple inputs are, or pairs of inputs of which a claim compares one with the next.
struct Pairs<'x> {
    signature: &'x Signature,
    domain: &'x Domain,
    stepping: Option<CrossingOperand>,
}

impl Pairs<'_> {
    /// The counts of the inputs; bits of significands are those of both inputs where `c` steps.
    fn counts<B: Instance>(&self, registers: &Registers<B>) -> [B; 5] {
        let mut all = counts(self.signature, registers);
        if self.stepping == Some(CrossingOperand::C) {
            let numbers = self.domain.codes(2 * registers.a.len());
            let next = Registers {
                c: numbers.next(&registers.c).register,
                ..registers.clone()
            };
            let [_, bits, ..] = counts(self.signature, &next);
            all[1] = all[1].add(&bits);
        }
        all
    }

    fn simplicity(&self, inputs: &Inputs) -> Simplicity {
        let registers = inputs.lifted::<W64>(self.signature);
        self.counts(&registers).map(|count| count.to_u64())
    }
}

/// The state of the descent to a simple witness.
struct Descent<'x> {
    symbolic: &'x SymbolicInputs,
    limits: &'x Limits,
    pairs: &'x Pairs<'x>,
    best: Inputs,
    /// Whether every `complete` search so far found an answer.
    proved: bool,
}

impl Descent<'_> {
    fn measure(&self) -> Simplicity {
        self.pairs.simplicity(&self.best)
    }

    /// Lowers one measure within `restriction` as far as the effort allows, without raising the
    /// more important measures. If a `complete` search has no answer, the result is not proved to
    /// be minimal.
    fn lower(
        &mut self,
        level: usize,
        restriction: &Restriction,
        complete: bool,
        question: &impl Fn(&SymbolicInputs) -> Formula,
        is_witness: &mut impl FnMut(&Inputs) -> bool,
    ) {
        let signature = self.symbolic.signature;
        let mut current = self.measure();
        let mut at_least = lower_bound(level, &current);
        if at_least >= current[level] {
            return;
        }
        if self.limits.stopped().is_some() {
            self.proved = false;
            return;
        }
        let inner = restriction.apply(self.symbolic);
        let domain = self.pairs.domain;
        let measures = self
            .pairs
            .counts(&domain.with_equal(inner.registers.clone()));
        let limits = self
            .limits
            .with_conflicts(if complete { EFFORT } else { SMALL_EFFORT });
        let mut search = CadicalSearch::new(Strategy::Proof, 0);
        search.assert(question(&inner));
        let mut misses = 0;
        while at_least < current[level] {
            let aim = u64::midpoint(at_least, current[level] - 1);
            let mut bounds: Vec<Formula> = (0..level)
                .map(|upper| at_most(&measures[upper], current[upper]))
                .collect();
            bounds.push(at_most(&measures[level], aim));
            match search.solve(&bounds, &limits) {
                CadicalVerdict::Sat => {
                    let free = self.symbolic.read(|input| search.value(input));
                    let found = domain.fixed_bits(&restriction.decode(&signature, &free));
                    let put = |inputs| domain.equalised(inputs);
                    let measure = |inputs: &Inputs| self.pairs.simplicity(inputs);
                    self.best =
                        simplified_by(measure, &signature, found, put, is_witness, self.limits);
                    current = self.measure();
                }
                CadicalVerdict::Unsat => at_least = aim + 1,
                CadicalVerdict::Unknown(stopped) => {
                    self.proved &= !complete;
                    at_least = aim + 1;
                    misses += 1;
                    if stopped != Stopped::ConflictLimit || misses == MISSES {
                        return;
                    }
                }
            }
        }
    }
}

/// A lower bound of the measure at this level: each factor of a product has a significand bit.
fn lower_bound(level: usize, measure: &Simplicity) -> u64 {
    if level == 1 { 2 * measure[0] } else { 0 }
}

fn at_most(measure: &Term, bound: u64) -> Formula {
    Term::lit(measure.width(), bound).ult(measure).not()
}
