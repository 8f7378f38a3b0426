//! A ladder of searches: small worlds first, in turns of growing effort, then the whole one.
//!
//! A search of the whole world meets witnesses by luck; those that a person would write live in
//! small worlds, where the formula is a fraction of the size. Only the whole world can prove that
//! there is nothing. Effort is counted in conflicts, so that answers do not depend on the machine.

use super::basis::Basis;
use super::reasoned::Reasoned;
use super::restriction::Restriction;
use crate::bits::term::{Formula, below_limits};
use crate::engine::{Limits, Search, Stopped, Strategy, Verdict};
use crate::property::SymbolicInputs;
use crate::vectors::Inputs;

/// Inputs that a formula holds for, or that there are none, or why it is not known.
pub(super) enum Climbed {
    Found(Inputs),
    Nothing { by: Basis },
    Unknown(Stopped),
}

/// Conflicts of the first turn of a small world; each turn has four times as many.
const FIRST_EFFORT: u32 = 600;
/// How much more effort the whole world gets in a turn: as much as the small ones together.
const WHOLE: u32 = 4;
/// Turns before what is hard to find is looked for in another way.
pub(super) const EASY_TURNS: u32 = 1;
/// How many times the samples are drawn then.
const MORE_SAMPLES: u32 = 16;
/// Turns after which the small worlds are given up.
const TURNS: u32 = 4;
/// Bits of the exponent window of small worlds.
const WINDOW: u32 = 3;

/// Looks for inputs for which the formula that `question` makes of them holds: whether it is
/// constantly false, then by `sample`, then by search, where that is not easy by so many times the
/// samples, and after so many turns by `reasoned`.
pub(super) fn climb(
    inputs: &SymbolicInputs,
    seed: u64,
    limits: &Limits,
    question: impl Fn(&SymbolicInputs) -> Formula,
    sample: impl FnMut(u32) -> Option<Inputs>,
    (turns, reasoned): (u32, impl FnOnce(Formula, &Limits) -> Reasoned),
) -> Climbed {
    let climbed =
        limits.run(|| climb_within(inputs, seed, limits, question, sample, (turns, reasoned)));
    climbed.unwrap_or_else(Climbed::Unknown)
}

fn climb_within(
    inputs: &SymbolicInputs,
    seed: u64,
    limits: &Limits,
    question: impl Fn(&SymbolicInputs) -> Formula,
    mut sample: impl FnMut(u32) -> Option<Inputs>,
    (turns, reasoned): (u32, impl FnOnce(Formula, &Limits) -> Reasoned),
) -> Climbed {
    let products = inputs.signature.products;
    let step = |step: &str| limits.report(|report| report.step = step.into());
    step("building the formula");
    let question = |inputs: &SymbolicInputs| below_limits(question(inputs));
    let whole = question(inputs);
    if whole.as_constant() == Some(false) {
        return Climbed::Nothing {
            by: Basis::Construction,
        };
    }
    if let Some(stopped) = limits.stopped() {
        return Climbed::Unknown(stopped);
    }
    step("trying samples");
    if let Some(found) = sample(1) {
        return Climbed::Found(found);
    }
    let nothing = Climbed::Nothing { by: Basis::Solver };
    let mut rungs: Vec<Rung> = small_worlds(products)
        .into_iter()
        .map(|(world, strategy)| Rung::new(world, strategy, seed))
        .collect();
    let mut last = Rung::new(Restriction::none(products), Strategy::Proof, seed);
    last.formula = Some(whole);
    let mut hard = Some(reasoned);
    for turn in 0.. {
        if turn == EASY_TURNS {
            // Some differences are one input in ten thousand, and out of a solver's reach.
            step("trying more samples");
            if let Some(found) = sample(MORE_SAMPLES) {
                return Climbed::Found(found);
            }
        }
        if let Some(reasoned) = hard.take_if(|_| turn == turns) {
            step("comparing stage by stage, or by lemmas");
            match reasoned(whole, limits) {
                Reasoned::By(inputs) => return Climbed::Found(inputs),
                Reasoned::Never(by) => return Climbed::Nothing { by },
                Reasoned::Unknown => {}
            }
        }
        let effort = FIRST_EFFORT << (2 * turn.min(10));
        let worlds = rungs.len();
        for (number, rung) in (1..).zip(&mut rungs) {
            step(&format!(
                "searching, turn {}, small world {number} of {worlds}",
                turn + 1
            ));
            match rung.solve(inputs, &question, &limits.with_conflicts(effort)) {
                Verdict::Sat => return Climbed::Found(rung.read(inputs)),
                Verdict::Unsat => rung.exhausted = true,
                Verdict::Unknown(Stopped::ConflictLimit) => {}
                Verdict::Unknown(stopped) => return Climbed::Unknown(stopped),
            }
        }
        rungs.retain(|rung| !rung.exhausted && turn + 1 < TURNS);
        let whole_limits = if rungs.is_empty() && hard.is_none() {
            limits.clone()
        } else {
            limits.with_conflicts(effort.saturating_mul(WHOLE))
        };
        step(&format!("searching, turn {}, all inputs", turn + 1));
        match last.solve(inputs, &question, &whole_limits) {
            Verdict::Sat => return Climbed::Found(last.read(inputs)),
            Verdict::Unsat => return nothing,
            Verdict::Unknown(Stopped::ConflictLimit) => {}
            Verdict::Unknown(stopped) => return Climbed::Unknown(stopped),
        }
    }
    Climbed::Unknown(Stopped::ConflictLimit)
}

/// Small worlds, each with what its search is tuned for; by measurement.
fn small_worlds(products: u32) -> Vec<(Restriction, Strategy)> {
    let few = || [1, 2].into_iter().filter(|count| *count < products);
    let spread = |count, window| Restriction::spread(products, count, window);
    let mut worlds = Vec::new();
    worlds.extend(few().map(|count| (spread(count, Some(WINDOW)), Strategy::Witness)));
    worlds.push((spread(products, Some(0)), Strategy::Witness));
    worlds.push((spread(products, Some(WINDOW)), Strategy::Witness));
    worlds.extend(few().map(|count| (spread(count, None), Strategy::Proof)));
    worlds
}

struct Rung {
    world: Restriction,
    /// The formula on that world, if it is there.
    formula: Option<Formula>,
    search: Search,
    begun: bool,
    exhausted: bool,
}

impl Rung {
    fn new(world: Restriction, strategy: Strategy, seed: u64) -> Self {
        Rung {
            world,
            formula: None,
            search: Search::new(strategy, seed),
            begun: false,
            exhausted: false,
        }
    }

    fn solve(
        &mut self,
        inputs: &SymbolicInputs,
        question: &impl Fn(&SymbolicInputs) -> Formula,
        limits: &Limits,
    ) -> Verdict {
        if let Some(stopped) = limits.stopped() {
            return Verdict::Unknown(stopped);
        }
        if !self.begun {
            let formula = self.formula;
            let formula = formula.unwrap_or_else(|| question(&self.world.apply(inputs)));
            self.search.assert(formula);
            self.begun = true;
        }
        self.search.solve(&[], limits)
    }

    fn read(&self, inputs: &SymbolicInputs) -> Inputs {
        let free = inputs.read(|input| self.search.value(input));
        self.world.decode(&inputs.signature, &free)
    }
}
