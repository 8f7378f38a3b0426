//! The answer of `learn` as JSON.

use super::reference::DifferenceReport;
use super::report::LearnReport;
use crate::cli::json::{Cost, InputsObject, VectorObject};
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_questions::identify::learn::{DecidedChoice, OpenChoice};
use schemars::JsonSchema;
use serde::Serialize;

/// `mmasmt learn`
#[derive(Serialize, JsonSchema)]
pub(in crate::cli) struct LearnAnswer<'x> {
    #[schemars(extend("enum" = ["confirmed", "not confirmed", "none", "undecided", "not a function"]))]
    verdict: &'static str,
    signature: String,
    /// The text of the unit, as `unit:FILE` takes it.
    description: Option<&'x str>,
    /// The algorithm with its parameters, if it is a known one.
    model: Option<&'x str>,
    /// The model or the machine beside it, and the parameters that differ.
    difference: Option<&'x DifferenceReport>,
    /// The order of the sums as a formula.
    order: Option<String>,
    answered: usize,
    /// How many answers the description gives.
    agrees: usize,
    /// The number of descriptions that were compared.
    tried: usize,
    confirmed: LearnConfirmed,
    /// An input with the answer of the machine, then of the description.
    failing: Option<VectorObject>,
    /// An input to which the machine gave two answers.
    two_answers: Option<VectorObject>,
    decided: Vec<DecidedObject<'x>>,
    open: Vec<OpenObject<'x>>,
    /// Models that give all answers as well, neither told apart nor proved equal.
    unsettled: &'x [String],
    /// How many of those were not asked about.
    not_asked: usize,
    /// Inputs that tell the description from those near it.
    next: Vec<InputsObject>,
    /// The limit that was reached.
    halted: Option<&'static str>,
    cost: Cost,
}

#[derive(Serialize, JsonSchema)]
struct LearnConfirmed {
    inputs: usize,
    of: usize,
    /// True if infinities and NaNs are among them.
    specials: bool,
}

/// A choice that an answer decides.
#[derive(Serialize, JsonSchema)]
struct DecidedObject<'x> {
    part: &'x str,
    about: &'x str,
    word: &'x str,
    /// The word that would give the other result.
    against: &'x str,
    /// The input with the answer of the machine, then with the other word.
    vector: VectorObject,
}

/// A choice that is left.
#[derive(Serialize, JsonSchema)]
struct OpenObject<'x> {
    part: &'x str,
    about: &'x str,
    word: &'x str,
    /// Words that are the same on all inputs that were tried.
    others: Vec<&'x str>,
    /// Words that are proved to be the same.
    equal: Vec<&'x str>,
}

impl<'x> DecidedObject<'x> {
    fn new(signature: &Signature, decided: &'x DecidedChoice) -> Self {
        let results = [decided.vector.d, decided.other];
        DecidedObject {
            part: &decided.choice.part,
            about: decided.choice.about,
            word: &decided.choice.words[decided.word],
            against: &decided.choice.words[decided.against],
            vector: VectorObject::new(signature, &decided.vector.inputs, &results),
        }
    }
}

impl<'x> OpenObject<'x> {
    fn of(open: &'x OpenChoice) -> Self {
        let words = |of: &[usize]| {
            let words = of.iter().map(|word| open.choice.words[*word].as_str());
            words.collect()
        };
        OpenObject {
            part: &open.choice.part,
            about: open.choice.about,
            word: &open.choice.words[open.word],
            others: words(&open.others),
            equal: words(&open.equal),
        }
    }
}

impl<'x> LearnAnswer<'x> {
    pub(super) fn new(report: &LearnReport<'x>, seconds: f64) -> Self {
        let (learned, signature) = (report.learned, report.signature);
        let options = report.options;
        let failing = learned.failing.as_ref();
        let two_answers = learned.two_answers.as_ref();
        let decided = learned.decided.iter();
        let next = learned.next.iter();
        LearnAnswer {
            verdict: report.verdict(),
            signature: signature.to_string(),
            description: learned.model.as_ref().map(|_| learned.text.as_str()),
            model: learned.name.as_deref(),
            difference: report.difference,
            order: (learned.order.as_ref()).map(|order| order.formula(signature.products as usize)),
            answered: learned.answered.len(),
            agrees: learned.agrees,
            tried: learned.tried,
            confirmed: LearnConfirmed {
                inputs: learned.confirmed,
                of: options.confirm,
                specials: options.specials,
            },
            failing: failing.map(|(vector, result)| {
                VectorObject::new(signature, &vector.inputs, &[vector.d, *result])
            }),
            two_answers: two_answers
                .map(|(inputs, answers)| VectorObject::new(signature, inputs, answers)),
            decided: decided
                .map(|one| DecidedObject::new(signature, one))
                .collect(),
            open: learned.open.iter().map(OpenObject::of).collect(),
            unsettled: &learned.unsettled,
            not_asked: learned.not_asked,
            next: next
                .map(|inputs| InputsObject::new(signature, inputs))
                .collect(),
            halted: (learned.halted.as_ref()).map(|halted| halted.stopped.describe()),
            cost: Cost::new(seconds, Some(options.seed)),
        }
    }
}
