//! What is known of domains that contain each other: a proof on one is a proof on each of its parts, and
//! inputs that refute something refute it on each domain that has them.

use super::known::{AgreementReason, DomainVerdict, Verdict};
use crate::claims::property::Domain;
use crate::claims::query::Question;

/// Proofs and witnesses of one claim, or of the agreement of two models.
#[derive(Default)]
pub(super) struct Lattice {
    /// The domains with a proof, each with its name.
    proved: Vec<(Domain, String)>,
    /// The inputs that were found, each with the results on them.
    refuted: Vec<Verdict>,
}

impl Lattice {
    /// The verdict on the question that follows from what is known; `None` if nothing follows.
    pub fn verdict(&self, question: &Question) -> Option<Verdict> {
        self.refutation(question).or_else(|| {
            let mut proved = self.proved.iter();
            let larger = proved.find(|(larger, _)| question.domain().is_part_of(larger))?;
            Some(Verdict::Agree(AgreementReason::Inside(larger.1.clone())))
        })
    }

    /// Known inputs that answer the question.
    fn refutation(&self, question: &Question) -> Option<Verdict> {
        let is_met = |verdict: &&Verdict| match verdict {
            Verdict::Differ(found) => question.is_answered_by(&found.0),
            _ => false,
        };
        self.refuted.iter().find(is_met).cloned()
    }

    /// Keeps the verdict on a question.
    pub fn keep(&mut self, question: &Question, known: &DomainVerdict) {
        match &known.verdict {
            Verdict::Agree(_) => {
                let domain = question.domain().clone();
                self.proved.push((domain, known.name.clone()));
            }
            Verdict::Differ(_) => self.refuted.push(known.verdict.clone()),
            Verdict::Unknown(_) | Verdict::NotAsked | Verdict::Nothing => {}
        }
    }

    /// The verdict in the light of everything that is known: inputs count more than a proof.
    pub fn settle(&self, question: &Question, known: &mut DomainVerdict) {
        let settled = match &known.verdict {
            Verdict::Differ(_) | Verdict::Nothing => None,
            Verdict::Agree(_) => self.refutation(question),
            Verdict::Unknown(_) | Verdict::NotAsked => self.verdict(question),
        };
        if let Some(verdict) = settled {
            known.verdict = verdict;
        }
    }
}
