//! What is learnt, put together in the end.

use super::decide::Neighbourhood;
use super::learned::{Learned, Verdict};
use super::learner::{Known, Learner};
use crate::identify::IdentifyError;
use crate::inputs::simplicity;
use crate::vectors::Vector;
use mmasmt_core::machines::algorithms::descriptions::Tree;

impl Learner<'_> {
    /// What is known in the end; `finished` says whether the steps came to their end.
    pub fn conclude(self, known: Known, finished: bool) -> Result<Learned, IdentifyError> {
        let best = known.best.as_ref();
        let model = best.and_then(|best| best.hypothesis.model());
        let text = best.map(|best| best.hypothesis.text()).unwrap_or_default();
        let text = Tree::parse(&text).map_or(text, |tree| tree.to_string());
        let (halted, confirm) = (self.session.halted(), self.options.confirm);
        let limits = self.session.limits();
        let answered = self.session.finish()?;
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
        let signature = self.signature;
        let failing = failing
            .into_iter()
            .min_by_key(|(vector, _)| simplicity(&signature, &vector.inputs));
        let verdict = match (&known.two_answers, &model, &failing) {
            (Some(_), ..) => Verdict::NotAFunction,
            _ if !finished => Verdict::Halted,
            (None, None, _) | (None, _, Some(_)) => Verdict::None,
            (None, Some(_), None) if known.confirmed >= confirm => Verdict::Confirmed,
            (None, Some(_), None) => Verdict::Unconfirmed,
        };
        let (mut decided, mut open) = (Vec::new(), Vec::new());
        let is_told = known.neighbourhood.is_some() && failing.is_none();
        if let Some(best) = best.filter(|_| is_told) {
            let all = Neighbourhood::of(&best.hypothesis, &answered, Vec::new(), limits);
            if let Some(all) = all {
                (decided, open) = all.report(&best.hypothesis);
            }
        }
        Ok(Learned {
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
            two_answers: known.two_answers,
            halted,
        })
    }
}
