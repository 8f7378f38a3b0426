//! What is learnt, put together in the end.

use super::decide::Neighbourhood;
use super::known::LearnProgress;
use super::learned::{LearnVerdict, Learned};
use super::learner::Learner;
use crate::identify::{IdentifyError, QuestionsHalt};
use crate::inputs::simplicity;
use crate::vectors::Vector;
use mmasmt_core::base::limits::Limits;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::algorithms::descriptions::Tree;

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
    pub fn conclude(self, known: LearnProgress, finished: bool) -> Result<Learned, IdentifyError> {
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
    pub fn conclude(self, known: LearnProgress, finished: bool) -> Learned {
        let best = known.best.as_ref();
        let model = best.and_then(|best| best.hypothesis.model());
        let text = best.map(|best| best.hypothesis.text()).unwrap_or_default();
        let text = Tree::parse(&text).map_or(text, |tree| tree.to_string());
        let AllAnswers {
            signature,
            answered,
            confirm,
            halted,
            limits,
        } = self;
        let mut agrees = 0;
        let mut failing: Vec<(Vector, u64)> = Vec::new();
        if let Some(model) = &model {
            let mut simulator = model.simulator();
            for vector in &answered {
                let result = simulator.run(&vector.inputs);
                match model.accepts(result, vector.d) {
                    true => agrees += 1,
                    false => failing.push((vector.clone(), result)),
                }
            }
        }
        let failing = failing
            .into_iter()
            .min_by_key(|(vector, _)| simplicity(&signature, &vector.inputs));
        let verdict = match (&known.two_answers, &model, &failing) {
            (Some(_), ..) => LearnVerdict::NotAFunction,
            _ if !finished => LearnVerdict::Halted,
            (None, None, _) | (None, _, Some(_)) => LearnVerdict::None,
            (None, Some(_), None) if known.confirmed >= confirm => LearnVerdict::Confirmed,
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
        Learned {
            verdict,
            model,
            text,
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
