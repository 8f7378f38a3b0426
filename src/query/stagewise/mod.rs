//! Two models compared stage by stage: numbers in the middle of both are proved equal, and then are
//! one number, so that what comes after them is simpler. A solver that sees only the results has to
//! find these numbers by itself, and does not.

mod before;
mod facts;
mod far;
mod fused;
mod nans;
mod pair;
mod register;
mod scaled;
mod sum;
#[cfg(test)]
mod tests;
mod twin;
mod unit;
mod zeros;

use super::basis::Reasoned;
use super::obligations::Ledger;
use crate::algorithms::{Registers, Step};
use crate::bits::term::{Formula, Term};
use crate::engine::{Limits, Verdict};
use crate::model::Model;
use crate::property::SymbolicInputs;
use facts::Facts;

/// Whether inputs meet `whole`, which says that `models` differ on `registers`, made of `inputs`,
/// and that `assumed` holds; what is proved on the way goes to `ledger`.
pub(super) fn compare(
    models: [&Model; 2],
    (inputs, registers): (&SymbolicInputs, &Registers<Term>),
    assumed: Formula,
    whole: Formula,
    seed: u64,
    limits: &Limits,
    ledger: &mut Ledger,
) -> Reasoned {
    let [left, right] = models.map(|model| model.evaluate(registers).1);
    let [left, right] = [left.steps(), right.steps()];
    if left.len() != right.len() {
        return Reasoned::Unknown;
    }
    let mut facts = Facts::new(assumed, std::mem::take(ledger), seed, limits);
    let mut stages = (1..).zip(left.iter().zip(right));
    let equal = stages.try_for_each(|(number, pair)| match pair {
        (Step::Fused(left), Step::Fused(right)) => {
            facts.ledger.enter(format_args!("step {number}"));
            facts.fused(left, right)
        }
        (Step::Rounded { format, value, .. }, Step::Rounded { value: other, .. }) => {
            facts.ledger.enter(format_args!("step {number}"));
            facts.register(format, value, other)
        }
        _ => None,
    });
    // Where a stage differs the results may be the same; what is known of those before it helps.
    let _ = equal;
    let Some(whole) = facts.same().formula(whole) else {
        return Reasoned::Unknown;
    };
    match facts.solve(whole) {
        Verdict::Sat => Reasoned::By(inputs.read(|input| facts.value(input))),
        Verdict::Unsat => {
            facts.keep_last(whole);
            let basis = facts.basis();
            *ledger = facts.into_ledger();
            Reasoned::Never(basis)
        }
        Verdict::Unknown(_) => Reasoned::Unknown,
    }
}
