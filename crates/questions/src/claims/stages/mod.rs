//! Cut points: two models compared stage by stage.
//!
//! Two units that give the same results on all inputs are seldom one formula: a zero that counts as
//! 2^-126, a limit that no product reaches, another code for NaNs that never come. A solver that
//! sees only the results has to find out by itself which numbers in the middle of both are the
//! same, and does not. Every algorithm leaves its stages, in the order of the hardware, so these
//! name the cut points: what is proved to be one number is made one in the graph
//! ([`Substitution`](mmasmt_core::numbers::bits::term::Substitution)), which simplifies what comes
//! after it. A fact that is not proved is not used.
//!
//! Example: `fda:F=25,K=16,out=f16` with `emin=-23` or without.
//!
//! 1. The largest exponents differ by v where all products are small (`pair`, `scaled`). For each v
//!    up to 5, each
//!    term of one sum is 2^v times that of the other, asked once for all terms that are alike.
//! 2. So are the sums, by their linear form; only the rounding is left to the solver, whatever the
//!    sums are. 16 s,
//!    where a search of the whole knows nothing after 60 s.
//! 3. If the result is `c` of another sum (`before`, `unit`), the greatest 2^u that all terms are
//!    multiples of
//!    is all that the second sum needs to know of it: `hmma8:F=25,in=e4m3` with `emin=-18` takes 3
//!    s, and 86 s without.
//!
//! Why not SAT sweeping alone: `certify` sweeps the plain gates of the same pairs, without these
//! relations. Of the 22 pairs of `tests/queries/stagewise.rs` it proves 13, in 7 to 1300 s; the
//! comparison by stages proves all, in 0.8 to 19 s.
//!
//! Scales bring products anywhere: then it is found from which difference on both results are zero
//! (`far`): `fda:K=32,F=25,in=e2m1,scale=ue8m0` with `emin=-136` takes 18 s. Registers that are the
//! same but for the sign of a zero (`zeros`) or the code of a NaN (`nans`) are looked at where they
//! are one, and where they are not.

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
use crate::solver::engine::Verdict;
use facts::Facts;
use mmasmt_core::base::limits::Limits;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::{Registers, Step};
use mmasmt_core::machines::model::Model;
use mmasmt_core::numbers::bits::term::{Formula, Term};

/// What a comparison says.
pub enum Comparison {
    /// No inputs meet the question.
    Never {
        /// How many facts the solver proved.
        solved: usize,
        /// How many more follow from others by rewriting.
        derived: usize,
    },
    /// These inputs do.
    By(Inputs),
    /// It is not known.
    Unknown,
}

/// Whether inputs meet `whole`, which says that `models` differ on `registers`, made of `inputs`,
/// and that `assumed` holds; what is proved on the way goes to `ledger`.
pub fn compare(
    models: [&Model; 2],
    (inputs, registers): (&SymbolicInputs, &Registers<Term>),
    assumed: Formula,
    whole: Formula,
    seed: u64,
    limits: &Limits,
    ledger: &mut Ledger,
) -> Comparison {
    let [left, right] = models.map(|model| model.evaluate(registers).1);
    let [left, right] = [left.steps(), right.steps()];
    if left.len() != right.len() {
        return Comparison::Unknown;
    }
    let mut facts = Facts::new(assumed, std::mem::take(ledger), seed, limits);
    let mut stages = (1..).zip(left.iter().zip(right));
    let equal = stages.try_for_each(|(number, pair)| match pair {
        (Step::Fused(left), Step::Fused(right)) => {
            facts.ledger.enter(format_args!("step {number}"));
            facts.fused(left, right)
        }
        // Registers of other formats are no stage of both.
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
    // Where a stage differs the results may be the same; what is known of those before it helps.
    let _ = equal;
    let Some(whole) = facts.same().formula(whole) else {
        return Comparison::Unknown;
    };
    match facts.solve(whole) {
        Verdict::Sat => Comparison::By(inputs.read(|input| facts.value(input))),
        Verdict::Unsat => {
            facts.keep_last(whole);
            let [solved, derived] = facts.proved();
            *ledger = facts.into_ledger();
            Comparison::Never { solved, derived }
        }
        Verdict::Unknown(_) => Comparison::Unknown,
    }
}
