//! Cut points: two models compared stage by stage.
//!
//! Two units that give the same results on all inputs seldom have the same formula: a zero counts
//! as 2^-126, a limit is reached by no product, NaNs that never occur have another code. A solver
//! that sees only the results has to find out by itself which intermediate numbers of the two
//! models are equal, and fails. Every algorithm records its stages in the order of the hardware,
//! and the stages name the cut points: numbers that are proved equal become one number in the graph
//! ([`Substitution`](mmasmt_numbers::bits::term::Substitution)), which simplifies all later
//! numbers. A fact that is not proved is not used.
//!
//! Example: `fda:F=25,K=16,out=f16`, with and without `emin=-23`.
//!
//! 1. The largest exponents of the two sums differ by v where all products are small (`pair`,
//!    `scaled`). For each v up to 5, each term of one sum is 2^v times the same term of the other
//!    sum. The solver is asked for this once for all terms that are alike.
//! 2. The sums themselves then differ by the factor 2^v, by their linear form; only the rounding is
//!    left to the solver, for arbitrary sums. This takes 16 s, where a search of the whole formula
//!    has no answer after 60 s.
//! 3. If the result is `c` of a second sum (`before`, `unit`), the second sum needs one fact about
//!    this result: the greatest 2^u of which all terms of the first sum are multiples. With this
//!    fact, `hmma8:F=25,in=e4m3` with `emin=-18` takes 3 s; without it, 86 s.
//!
//! SAT sweeping alone proves less: `certify` sweeps the plain gates of two models, without facts
//! such as these. Of the 22 pairs of models in `tests/queries/stagewise.rs` it proves 13, in 7 to
//! 1300 s; the comparison by stages proves all, in 0.8 to 19 s.
//!
//! With block scales, products may have any exponent. The comparison then finds the least
//! difference of exponents from which on both results are zero (`far`):
//! `fda:K=32,F=25,in=e2m1,scale=ue8m0` with `emin=-136` takes 18 s. Registers that are the same but
//! for the sign of a zero (`zeros`) or the code of a NaN (`nans`) are compared in two cases: where
//! they are a zero or a NaN, and where they are not.

mod before;
mod facts;
mod far;
mod fused;
mod nans;
mod obligations;
mod pair;
mod register;
mod register_pair;
mod scaled;
mod sum;
mod unit;
mod zeros;

pub use obligations::Ledger;
pub use obligations::{Obligation, Obligations};

use crate::claims::property::SymbolicInputs;
use crate::solver::engine::CadicalVerdict;
use facts::StageFacts;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::{Registers, Step};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::bits::term::{Formula, Term};

/// The outcome of a comparison of two models.
pub enum StageComparison {
    /// No inputs meet the question.
    Never {
        /// How many facts the solver proved.
        solved: usize,
        /// How many more facts follow from other facts by rewriting.
        derived: usize,
    },
    /// These inputs meet the question.
    By(Inputs),
    /// It is not known whether any inputs meet the question.
    Unknown,
}

/// Whether any inputs meet `whole`, which says that `models` differ on `registers` and that
/// `assumed` holds. The registers are made of `inputs`. Proofs on the way are recorded in `ledger`.
pub fn compare(
    models: [&Model; 2],
    (inputs, registers): (&SymbolicInputs, &Registers<Term>),
    assumed: Formula,
    whole: Formula,
    seed: u64,
    limits: &Limits,
    ledger: &mut Ledger,
) -> StageComparison {
    let [left, right] = models.map(|model| model.evaluate(registers).1);
    let [left, right] = [left.steps(), right.steps()];
    if left.len() != right.len() {
        return StageComparison::Unknown;
    }
    let mut facts = StageFacts::new(assumed, std::mem::take(ledger), seed, limits);
    let mut stages = (1..).zip(left.iter().zip(right));
    let equal = stages.try_for_each(|(number, pair)| match pair {
        (Step::Fused(left), Step::Fused(right)) => {
            facts.ledger.enter(format_args!("step {number}"));
            facts.fused(left, right)
        }
        // Registers of different formats are no common stage of the two models.
        (
            Step::Rounded { format, value, .. },
            Step::Rounded {
                format: same,
                value: other,
                ..
            },
        ) if format == same => {
            facts.ledger.enter(format_args!("step {number}"));
            facts.register(format, value, other)
        }
        _ => None,
    });
    // The results may be the same even where a stage differs; facts about earlier stages help.
    let _ = equal;
    let Some(whole) = facts.same().formula(whole) else {
        return StageComparison::Unknown;
    };
    match facts.solve(whole) {
        CadicalVerdict::Sat => StageComparison::By(inputs.read(|input| facts.value(input))),
        CadicalVerdict::Unsat => {
            facts.keep_last(whole);
            let [solved, derived] = facts.proved();
            *ledger = facts.into_ledger();
            StageComparison::Never { solved, derived }
        }
        CadicalVerdict::Unknown(_) => StageComparison::Unknown,
    }
}
