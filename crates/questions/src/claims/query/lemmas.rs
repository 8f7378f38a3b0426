//! Proofs by lemmas: each lemma is proved from a part of the formula, and later proofs may use it.

use crate::claims::property::Lemma;
use crate::claims::stages::Ledger;
use crate::solver::engine::{CadicalSearch, CadicalVerdict, Strategy};
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::bits::Prop;
use mmasmt_numbers::bits::term::{Formula, NodeId, Term};

/// The most conflicts that the proof of one lemma may take.
const EFFORT: u32 = 200_000;

/// Whether all `lemmas` are proved, and imply that `whole` holds for no inputs. The proofs are
/// recorded in `ledger`.
pub fn follows(
    whole: Formula,
    lemmas: &[Lemma<Term>],
    seed: u64,
    limits: &Limits,
    ledger: &mut Ledger,
) -> bool {
    let Some(last) = lemmas.last() else {
        return false;
    };
    let mut known = Vec::new();
    let limits = limits.with_conflicts(EFFORT);
    for (number, Lemma { holds, from }) in (1..).zip(lemmas) {
        let free: Vec<_> = from.iter().map(Term::node).collect();
        if !contradicts(&free, &known, holds.not(), seed, &limits) {
            return false;
        }
        ledger.keep(format_args!("lemma {number}"), &free, &known, *holds);
        known.push(*holds);
    }
    let free: Vec<_> = last.from.iter().map(Term::node).collect();
    let follows = contradicts(&free, &known, whole, seed, &limits);
    if follows {
        ledger.keep_last(&free, &known, whole);
    }
    follows
}

/// Whether `formula` contradicts the `known` formulas, for any values of the nodes `free`.
fn contradicts(
    free: &[NodeId],
    known: &[Formula],
    formula: Formula,
    seed: u64,
    limits: &Limits,
) -> bool {
    let mut search = CadicalSearch::new(Strategy::Proof, seed);
    search.cut_at(free.iter().copied());
    for &formula in known.iter().chain([&formula]) {
        search.assert(formula);
    }
    search.solve(&[], limits) == CadicalVerdict::Unsat
}
