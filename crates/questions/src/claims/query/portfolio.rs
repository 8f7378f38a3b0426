//! A portfolio of searches: under-approximations first, in turns of growing effort, then all
//! inputs.
//!
//! A search of all inputs finds witnesses only by luck. The witnesses that a person would write
//! have few products, or exponents near 0: on such inputs the formula is a fraction of the size.
//! Only the search of all inputs can prove that there are no witnesses. Effort is counted in
//! conflicts, so that answers do not depend on the machine.

use super::basis::{Basis, ReasoningOutcome};
use super::enumerate::{ExhaustiveSearch, try_all};
use super::free_products::FreeProducts;
use super::options::Options;
use super::question::Question;
use super::reason::{EASY_TURNS, known_by_rounding, reason, turns_before};
use super::restriction::Restriction;
use crate::claims::property::SymbolicInputs;
use crate::claims::stages::Ledger;
use crate::solver::engine::{CadicalSearch, CadicalVerdict, Goal, Strategy};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_numbers::base::limits::{Limits, Stopped};
use mmasmt_numbers::bits::term::{Formula, below_limits};

/// The outcome of a search: inputs that satisfy a formula, a proof that there are none, or the
/// reason why neither was found.
pub(super) enum SearchOutcome {
    Inputs(Inputs),
    Nothing { by: Basis },
    Unknown(Stopped),
}

/// The most conflicts of an under-approximation in the first turn; each turn allows four times as
/// many.
const FIRST_EFFORT: u32 = 600;
/// The effort of the search of all inputs in a turn, in multiples of the effort of one
/// under-approximation: about as much as all under-approximations together.
const WHOLE: u32 = 4;
/// The same for the search in which products are any numbers.
const FREE: u32 = 16;
/// How many times as many samples are drawn after the first turn.
const MORE_SAMPLES: u32 = 16;
/// How many times as many inputs may be tried as a whole after the first turn.
const MORE_INPUTS: u64 = 8;
/// The number of turns after which the under-approximations are given up.
const TURNS: u32 = 4;
/// The width in bits of the window of exponents in under-approximations.
const WINDOW: u32 = 3;

/// Looks for inputs that answer the question. First, it checks whether the formula is constantly
/// false. Then `sample` tries samples, and then the searches run in turns. After the first turn,
/// more samples are drawn, and methods that do not search for inputs are tried ([`reason`]).
pub(super) fn portfolio(
    question: &Question,
    inputs: &SymbolicInputs,
    options: &Options,
    limits: &Limits,
    sample: impl FnMut(u32) -> Option<Inputs>,
) -> SearchOutcome {
    let found = limits.run(|| search(question, inputs, options, limits, sample));
    found.unwrap_or_else(SearchOutcome::Unknown)
}

fn search(
    question: &Question,
    inputs: &SymbolicInputs,
    options: &Options,
    limits: &Limits,
    mut sample: impl FnMut(u32) -> Option<Inputs>,
) -> SearchOutcome {
    let (seed, turns) = (options.seed, options.turns.unwrap_or(u32::MAX));
    if let Some(by) = known_by_rounding(question, seed) {
        return SearchOutcome::Nothing { by };
    }
    if question.is_about_one_algorithm() {
        let by = Basis::Construction;
        return SearchOutcome::Nothing { by };
    }
    if turns == 0 {
        return sample(1).map_or(
            SearchOutcome::Unknown(Stopped::ConflictLimit),
            SearchOutcome::Inputs,
        );
    }
    let products = inputs.signature.products;
    let step = |step: &str| limits.report(|report| report.step = step.into());
    step("building the formula");
    let formula = |inputs: &SymbolicInputs| below_limits(question.formula(&inputs.by_number()));
    let whole = formula(inputs);
    if whole.as_constant() == Some(false) {
        return SearchOutcome::Nothing {
            by: Basis::Construction,
        };
    }
    if let Some(stopped) = limits.stopped() {
        return SearchOutcome::Unknown(stopped);
    }
    step("trying samples");
    if let Some(found) = sample(1) {
        return SearchOutcome::Inputs(found);
    }
    let all_inputs = |times: u64| {
        let tried = options.all_inputs.then(|| {
            step("trying all inputs, if there are few");
            try_all(question, times, limits)
        });
        tried.flatten().map(|tried| match tried {
            ExhaustiveSearch::By(found) => SearchOutcome::Inputs(found),
            ExhaustiveSearch::Nothing(inputs) => {
                let by = Basis::AllInputs { inputs };
                SearchOutcome::Nothing { by }
            }
        })
    };
    if let Some(searched) = all_inputs(1) {
        return searched;
    }
    let nothing = SearchOutcome::Nothing { by: Basis::Solver };
    let mut attempts: Vec<Attempt> = under_approximations(products)
        .into_iter()
        .map(|(restriction, strategy)| Attempt::new(restriction, strategy, seed))
        .collect();
    let mut last = Attempt::new(Restriction::none(products), Strategy::Proof, seed);
    last.formula = Some(whole);
    let mut free = None;
    let mut free_search = |effort: u32, turn: u32| {
        let free = free.get_or_insert_with(|| FreeProducts::of(whole, seed));
        let free = free.as_mut()?;
        step(&format!(
            "searching, turn {}, products as any numbers",
            turn + 1
        ));
        match free.solve(&limits.with_conflicts(effort)) {
            CadicalVerdict::Sat => Some(SearchOutcome::Inputs(free.read(inputs))),
            CadicalVerdict::Unsat => Some(SearchOutcome::Nothing { by: Basis::Solver }),
            CadicalVerdict::Unknown(Stopped::ConflictLimit) => None,
            CadicalVerdict::Unknown(stopped) => Some(SearchOutcome::Unknown(stopped)),
        }
    };
    // Samples and stages settle most comparisons of two models, and lemmas what is said of errors.
    let is_last_resort = question.compares_models() || turns_before(question) == 0;
    let mut is_reasoned = false;
    for turn in 0..turns {
        let effort = FIRST_EFFORT << (2 * turn.min(10));
        if !is_last_resort && let Some(searched) = free_search(effort.saturating_mul(FREE), turn) {
            return searched;
        }
        if turn == EASY_TURNS
            && let Some(searched) = all_inputs(MORE_INPUTS)
        {
            return searched;
        }
        if turn == EASY_TURNS {
            // Some differences show in one input of ten thousand, and no solver finds them in time.
            step("trying more samples");
            if let Some(found) = sample(MORE_SAMPLES) {
                return SearchOutcome::Inputs(found);
            }
        }
        if turn == turns_before(question).min(turns - 1) {
            is_reasoned = true;
            step("comparing stage by stage, or by lemmas");
            match reason(
                question,
                inputs,
                whole,
                seed,
                limits,
                &mut Ledger::default(),
            ) {
                ReasoningOutcome::By(inputs) => return SearchOutcome::Inputs(inputs),
                ReasoningOutcome::Never(by) => return SearchOutcome::Nothing { by },
                ReasoningOutcome::Unknown => {}
            }
        }
        let count = attempts.len();
        for (number, attempt) in (1..).zip(&mut attempts) {
            step(&format!(
                "searching, turn {}, few inputs {number} of {count}",
                turn + 1
            ));
            match attempt.solve(inputs, &formula, &limits.with_conflicts(effort)) {
                CadicalVerdict::Sat => return SearchOutcome::Inputs(attempt.read(inputs)),
                CadicalVerdict::Unsat => attempt.exhausted = true,
                CadicalVerdict::Unknown(Stopped::ConflictLimit) => {}
                CadicalVerdict::Unknown(stopped) => return SearchOutcome::Unknown(stopped),
            }
        }
        attempts.retain(|attempt| !attempt.exhausted && turn + 1 < TURNS);
        let effort = effort.saturating_mul(WHOLE);
        if is_last_resort && let Some(searched) = free_search(effort, turn) {
            return searched;
        }
        let whole_limits = if attempts.is_empty() && is_reasoned {
            limits.clone()
        } else {
            limits.with_conflicts(effort)
        };
        step(&format!("searching, turn {}, all inputs", turn + 1));
        match last.solve(inputs, &formula, &whole_limits) {
            CadicalVerdict::Sat => return SearchOutcome::Inputs(last.read(inputs)),
            CadicalVerdict::Unsat => return nothing,
            CadicalVerdict::Unknown(Stopped::ConflictLimit) => {}
            CadicalVerdict::Unknown(stopped) => return SearchOutcome::Unknown(stopped),
        }
    }
    SearchOutcome::Unknown(Stopped::ConflictLimit)
}

/// The under-approximations, which were chosen by measurement, each with the strategy of its
/// search.
fn under_approximations(products: u32) -> Vec<(Restriction, Strategy)> {
    let few = || [1, 2].into_iter().filter(|count| *count < products);
    let spread = |count, window| Restriction::spread(products, count, window);
    let mut all = Vec::new();
    all.extend(few().map(|count| (spread(count, Some(WINDOW)), Strategy::Witness)));
    all.push((spread(products, Some(0)), Strategy::Witness));
    all.push((spread(products, Some(WINDOW)), Strategy::Witness));
    all.extend(few().map(|count| (spread(count, None), Strategy::Proof)));
    all
}

struct Attempt {
    restriction: Restriction,
    /// The formula on the restricted inputs, once it is built.
    formula: Option<Formula>,
    search: CadicalSearch,
    begun: bool,
    exhausted: bool,
}

impl Attempt {
    fn new(restriction: Restriction, strategy: Strategy, seed: u64) -> Self {
        Attempt {
            restriction,
            formula: None,
            search: CadicalSearch::new(strategy, seed),
            begun: false,
            exhausted: false,
        }
    }

    fn solve(
        &mut self,
        inputs: &SymbolicInputs,
        formula: &impl Fn(&SymbolicInputs) -> Formula,
        limits: &Limits,
    ) -> CadicalVerdict {
        if let Some(stopped) = limits.stopped() {
            return CadicalVerdict::Unknown(stopped);
        }
        if !self.begun {
            let whole = self.formula;
            let whole = whole.unwrap_or_else(|| formula(&self.restriction.apply(inputs)));
            self.search.assert(whole);
            self.begun = true;
        }
        self.search.solve(&[], limits)
    }

    fn read(&self, inputs: &SymbolicInputs) -> Inputs {
        let free = inputs.read(|input| self.search.value(input));
        self.restriction.decode(&inputs.signature, &free)
    }
}
