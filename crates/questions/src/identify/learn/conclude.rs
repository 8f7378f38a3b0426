//! What is learnt, put together in the end.

use super::decide::Neighbourhood;
use super::decided_parameters::decided_parameters;
use super::evidence::failing;
use super::known::LearnProgress;
use super::learned::{LearnResult, LearnVerdict};
use super::learner::Learner;
use crate::circuits::export::unit_text;
use crate::identify::{IdentifyError, QuestionsHalt};
use crate::inputs::simplicity;
use crate::vectors::Vector;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::algorithms::descriptions::Tree;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;

/// The answers from which a unit was learnt.
pub(super) struct AllAnswers<'x> {
    pub signature: Signature,
    /// All questions with their answers, in order.
    pub answered: Vec<Vector>,
    /// The inputs that must confirm a description.
    pub confirm: usize,
    /// The limit that ended the questions.
    pub halted: Option<QuestionsHalt>,
    pub limits: &'x Limits,
}

impl Learner<'_> {
    /// What is known in the end; `finished` says whether the steps came to their end.
    pub fn conclude(
        self,
        known: LearnProgress,
        finished: bool,
    ) -> Result<LearnResult, IdentifyError> {
        let answers = AllAnswers {
            signature: self.signature,
            confirm: self.options.confirm,
            halted: self.session.halted(),
            limits: self.session.limits(),
            answered: self.session.finish()?,
        };
        Ok(answers.conclude(known, finished))
    }
}

impl AllAnswers<'_> {
    /// What is known in the end; `finished` says whether the steps came to their end.
    pub fn conclude(self, known: LearnProgress, finished: bool) -> LearnResult {
        let AllAnswers {
            signature,
            answered,
            confirm,
            halted,
            limits,
        } = self;
        let best = known.best.as_ref();
        let described = best.and_then(|best| {
            let text = best.hypothesis.text();
            let model = best.hypothesis.model()?;
            let text = Tree::parse(&text).map_or(text, |tree| tree.to_string());
            Some(GivenAnswers::of(model, text, None, &answered))
        });
        let of_algorithm = known.model.clone().map(|model| {
            let name = model.canonical();
            let text = unit_text(&model).unwrap_or_else(|_| name.clone());
            GivenAnswers::of(model, text, Some(name), &answered)
        });
        let nearest = [described, of_algorithm].into_iter().flatten();
        // Of two that miss as much, the description comes first.
        let nearest = nearest.min_by_key(|given| given.failing.len());
        let (model, text, name, failing) = match nearest {
            None => (None, String::new(), None, Vec::new()),
            Some(given) => (Some(given.model), given.text, given.name, given.failing),
        };
        let agrees = match &model {
            None => 0,
            Some(_) => answered.len() - failing.len(),
        };
        let failing = failing
            .into_iter()
            .min_by_key(|(vector, _)| simplicity(&signature, &vector.inputs));
        let verdict = match (&known.two_answers, &model, &failing) {
            (Some(_), ..) => LearnVerdict::NotAFunction,
            _ if !finished => LearnVerdict::Halted,
            (None, None, _) | (None, _, Some(_)) => LearnVerdict::None,
            (None, Some(_), None) if known.confirmed >= confirm && !known.is_contested => {
                LearnVerdict::Confirmed
            }
            (None, Some(_), None) => LearnVerdict::Unconfirmed,
        };
        let (mut decided, mut open) = (Vec::new(), Vec::new());
        let is_told = known.neighbourhood.is_some() && failing.is_none();
        let equal = known.neighbourhood.as_ref().map(Neighbourhood::equal);
        let equal = equal.unwrap_or_default();
        if let Some(best) = best.filter(|_| is_told) {
            let all = Neighbourhood::of(&best.hypothesis, &answered, Vec::new(), limits);
            if let Some(all) = all {
                (decided, open) = all.report(&best.hypothesis, &equal);
            }
        }
        if let (Some(model), Some(_), None) = (&model, &name, &failing) {
            (decided, open) = decided_parameters(model, &answered, &known.equal_texts);
        }
        LearnResult {
            verdict,
            model,
            text,
            name,
            order: known.order,
            tried: known.tried,
            confirmed: known.confirmed,
            answered,
            agrees,
            failing,
            decided,
            open,
            unsettled: known.unsettled,
            not_asked: known.not_asked,
            two_answers: known.two_answers,
            next: known.next,
            halted,
        }
    }
}

/// A model with the answers that it does not give, each with its own result.
struct GivenAnswers {
    model: Model,
    text: String,
    /// The name, of a model of a known algorithm.
    name: Option<String>,
    failing: Vec<(Vector, u64)>,
}

impl GivenAnswers {
    fn of(model: Model, text: String, name: Option<String>, answered: &[Vector]) -> GivenAnswers {
        let failing = failing(&model, answered).map(|(vector, result)| (vector.clone(), result));
        let failing = failing.collect();
        GivenAnswers {
            model,
            text,
            name,
            failing,
        }
    }
}
