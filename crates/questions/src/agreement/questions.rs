//! One question about a pair at one length: known inputs are tried first, then methods without a
//! solver, then a search.

use super::domains::DomainPlace;
use super::known::{AgreementReason, Verdict};
use super::units::are_alike;
use crate::claims::property::Domain;
use crate::claims::query::{Attempt, Ended, Options, QueryError, Question, answer};
use crate::inputs::minus_zeros;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::{Limits, Stopped};
use std::time::Duration;

/// The number of additional turns of searches in domains of one product, which have short formulas
/// and little else to search in.
const MORE_TURNS: u32 = 2;

/// The effort of searches.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The number of turns of searches, for models with at most `solved` products.
    pub turns: u32,
    /// The most products of a model for which a solver is asked. For longer models, inputs are
    /// drawn and multiples and magnitudes are analysed, but no solver is asked. In domains of one
    /// product, the solver is also asked at the shortest length of a pair, whatever that length is.
    pub solved: u32,
    /// The seed of samples and of the solver's choices.
    pub seed: u64,
}

/// The two models of a pair at one length, with all that is needed to ask about them.
pub(super) struct PairQuestions<'x> {
    pub(super) models: &'x [Model; 2],
    pub(super) effort: Effort,
    pub(super) limits: &'x Limits,
    /// Whether this is the shortest length at which the pair is asked about.
    pub(super) is_shortest: bool,
    /// Whether a unit is so slow that families of domains are settled without drawn inputs or not at
    /// all.
    pub(super) is_slow: bool,
    /// Inputs on which the two models differed in some domain, at this length or at a shorter one.
    pub(super) witnesses: Vec<Inputs>,
}

impl PairQuestions<'_> {
    /// The verdict on a domain that needs no search; `Unknown` if there is none.
    pub(super) fn known(&self, assume: &str) -> Result<Verdict, QueryError> {
        let [left, right] = self.models;
        let Ok(domain) = Domain::parse(assume, &left.signature()) else {
            return Ok(Verdict::Unknown(Stopped::GaveUp));
        };
        if let Some(found) = self.differ_on_known(&domain) {
            return Ok(found);
        }
        let question = Question::difference(left, right, Some(&domain))?;
        let known = question.known_lossless_or_refuted(self.effort.seed, self.limits);
        Ok(match known {
            None => Verdict::Unknown(Stopped::ConflictLimit),
            Some(Ok(by)) => Verdict::Agree(AgreementReason::Proved(by)),
            Some(Err(inputs)) => self
                .differ_on([&inputs].into_iter(), &domain)
                .unwrap_or(Verdict::Unknown(Stopped::GaveUp)),
        })
    }

    /// The first known input in the domain with this text on which the two models differ, with the two
    /// results.
    pub(super) fn differ_on_witnesses(&self, assume: &str) -> Option<Verdict> {
        let domain = Domain::parse(assume, &self.models[0].signature()).ok()?;
        self.differ_on_known(&domain)
    }

    /// The first known input in the domain on which the two models differ, with the two results.
    fn differ_on_known(&self, domain: &Domain) -> Option<Verdict> {
        self.differ_on(self.witnesses.iter(), domain)
    }

    /// The first of `inputs` that lies in the domain and on which the two models differ, with the
    /// two results.
    fn differ_on<'i>(
        &self,
        inputs: impl Iterator<Item = &'i Inputs>,
        domain: &Domain,
    ) -> Option<Verdict> {
        let mut simulators = self.models.each_ref().map(Model::simulator);
        let mut inside = inputs.filter(|inputs| domain.contains(inputs));
        inside.find_map(|inputs| {
            let results = simulators.each_mut().map(|model| model.run(inputs));
            let found = || Verdict::Differ(Box::new((inputs.clone(), results.to_vec())));
            (results[0] != results[1]).then(found)
        })
    }

    /// The number of turns of a search in `place`, a domain without a parameter.
    pub(super) fn turns(&self, place: &DomainPlace) -> u32 {
        let is_short = self.models[0].signature().products <= self.effort.solved;
        // Models that are alike have the same formula, so that a question about them is cheap at
        // any length.
        match self.effort.turns {
            0 => 0,
            turns if place.one_product && (is_short || self.is_shortest) => turns + MORE_TURNS,
            turns if is_short || are_alike(self.models) => turns,
            _ => 0,
        }
    }

    /// The verdict on a domain after a search of `turns` turns.
    pub(super) fn searched(&mut self, assume: &str, turns: u32) -> Result<Verdict, QueryError> {
        let [left, right] = self.models;
        let signature = left.signature();
        let Ok(domain) = Domain::parse(assume, &signature) else {
            return Ok(Verdict::Unknown(Stopped::GaveUp));
        };
        if let Some(found) = self.differ_on_known(&domain) {
            return Ok(found);
        }
        let question = Question::difference(left, right, Some(&domain))?;
        let options = self.options(turns, assume.is_empty());
        let verdict = match Verdict::of(answer(&question, &options, self.limits)?) {
            Verdict::Unknown(stopped) => {
                let minus = [minus_zeros(&signature)];
                let found = self.differ_on(minus.iter(), &domain);
                found.unwrap_or(Verdict::Unknown(stopped))
            }
            Verdict::Nothing => Verdict::Unknown(Stopped::GaveUp),
            verdict => verdict,
        };
        if let Verdict::Differ(found) = &verdict {
            self.witnesses.push(found.0.clone());
        }
        Ok(verdict)
    }

    fn options(&self, turns: u32, is_simple: bool) -> Options {
        let options = Options::default()
            .seed(self.effort.seed)
            .turns(turns)
            .attempt(Attempt::Bulk);
        // People look at the inputs that are found in the domain without assumptions, so search for
        // simple ones. The number of turns limits that search; a time does not.
        if is_simple && turns > 0 {
            options.minimise(Duration::MAX)
        } else {
            options
        }
    }

    /// Proves the two models equal on all inputs of the domain, infinities and NaNs included;
    /// `false` if no proof is found.
    pub(super) fn is_equal_on_all(
        &self,
        domain: Option<&Domain>,
        turns: u32,
    ) -> Result<bool, QueryError> {
        let [left, right] = self.models;
        let finite = Question::difference(left, right, domain)?;
        let known = finite.known_lossless_or_refuted(self.effort.seed, self.limits);
        let question = match known {
            Some(Ok(_)) => finite.with_a_special(),
            Some(Err(_)) => return Ok(false),
            None => finite.with_specials(),
        };
        let answer = answer(&question, &self.options(turns, false), self.limits)?;
        let has_none = matches!(answer.ended, Ended::NoMore { .. } | Ended::Vacuous);
        Ok(has_none && answer.witnesses.is_empty())
    }
}
