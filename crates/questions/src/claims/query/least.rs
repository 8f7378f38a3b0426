//! The least value of a key for which a claim holds: a proof at this value, and a witness that
//! refutes the claim at the value below.

use super::answer::{Answer, Ended, QueryError};
use super::ask::answer;
use super::options::{Engine, Options};
use super::question::Question;
use crate::claims::property::Claim;
use mmasmt_numbers::base::limits::{Limits, Stopped};
use std::collections::BTreeMap;

/// The greatest number of values on which the exactness analysis is tried before any question is
/// asked.
const MOST_SCANNED: usize = 256;

/// The outcomes of a claim for the values of a key. A position is the index of a value among all
/// values of the key, in increasing order.
#[derive(Clone, Debug, Default)]
pub struct LeastValue {
    /// The answers, each by the position of its value.
    pub asked: BTreeMap<usize, Answer>,
    /// The least position at which the claim is proved.
    pub proved: Option<usize>,
    /// The greatest position at which the claim is refuted; if the claim is proved anywhere, the
    /// greatest such position below `proved`.
    pub refuted: Option<usize>,
    /// Why the search ended early; `None` if it asked every question that it needed.
    pub cut_short: Option<Stopped>,
}

impl LeastValue {
    /// Whether the least value is found: the claim is proved at this value, and refuted at the next
    /// value below, if there is one.
    pub fn is_found(&self) -> bool {
        match (self.proved, self.refuted) {
            (Some(proved), Some(refuted)) => refuted + 1 == proved,
            (Some(proved), None) => proved == 0,
            (None, _) => false,
        }
    }

    /// The same outcomes with those of further values, which stand below the value at `proved` and
    /// above the one before.
    #[must_use]
    pub fn with_between(self, more: LeastValue, count: usize) -> LeastValue {
        let Some(from) = self.proved else { return self };
        let moved = |at: usize| if at < from { at } else { at + count };
        let mut asked: BTreeMap<usize, Answer> = self
            .asked
            .into_iter()
            .map(|(at, answer)| (moved(at), answer))
            .collect();
        asked.extend(
            more.asked
                .into_iter()
                .map(|(at, answer)| (from + at, answer)),
        );
        let shifted = |at: Option<usize>| at.map(|at| from + at);
        LeastValue {
            asked,
            proved: shifted(more.proved).or(Some(from + count)),
            refuted: shifted(more.refuted).or(self.refuted),
            cut_short: more.cut_short.or(self.cut_short),
        }
    }

    /// If a question has no answer, why the first such question has none. Otherwise, why the search
    /// ended early; `None` if it did not.
    pub fn stopped(&self) -> Option<Stopped> {
        let mut ends = self.asked.values().map(|answer| answer.ended);
        let unknown = ends.find_map(|ended| match ended {
            Ended::Unknown(stopped) => Some(stopped),
            _ => None,
        });
        unknown.or(self.cut_short)
    }
}

/// Looks for the first of `claims` that holds; there is one claim for each value of a key, in
/// order. The search halves the range, as if a claim that holds at one value held at all greater
/// values. It asks about all lower values only if `all_below` is set. `limits` are the limits of
/// the whole search: each question takes at most half of the time that is left, so that a hard
/// question does not take all of it.
///
/// # Errors
/// If [`answer`] fails, or if the domain of a claim that is asked about is empty.
pub fn least(
    claims: &[Claim],
    all_below: bool,
    options: &Options,
    limits: &Limits,
) -> Result<LeastValue, QueryError> {
    let mut search = LeastQuestions {
        claims,
        options,
        limits,
        asked: BTreeMap::new(),
        cut_short: None,
    };
    let count = claims.len();
    // A guess that costs little: the first value for which the exactness analysis proves the claim.
    let is_own = !matches!(options.engine, Engine::Other(_));
    let is_lossless = |claim: &Claim| Question::refuting(claim).nothing_is_lost().is_some();
    let guess = if is_own && count <= MOST_SCANNED {
        let scan = || claims.iter().position(is_lossless);
        limits.share(2).run(scan).unwrap_or(None)
    } else {
        None
    };
    let mut open = 0..count;
    if let Some(guess) = guess
        && search.is_proved(guess)?
    {
        open.end = guess;
        if guess > 0 && !search.is_proved(guess - 1)? {
            // No value is left between the two values that were asked about.
            open = guess..guess;
        }
    }
    // No claim below `start` is known to hold; all claims from `end` on are taken to hold.
    while !open.is_empty() {
        let middle = open.start + (open.end - open.start) / 2;
        if search.is_proved(middle)? {
            open.end = middle
        } else {
            open.start = middle + 1
        }
    }
    let proved = (open.end < count).then_some(open.end);
    if all_below {
        for below in 0..open.end {
            search.is_proved(below)?;
        }
    }
    // If the value below the least proved one has no answer, look for the greatest refuted value.
    let mut below = 0..open.end;
    if below.end > 0 && !search.is_refuted(below.end - 1)? {
        below.end -= 1;
        while !below.is_empty() {
            let middle = below.start + (below.end - below.start) / 2;
            if search.is_refuted(middle)? {
                below.start = middle + 1
            } else {
                below.end = middle
            }
        }
    }
    let LeastQuestions {
        asked, cut_short, ..
    } = search;
    let has = |wanted: fn(&Answer) -> bool| {
        let asked = asked.iter();
        asked
            .filter(move |(_, answer)| wanted(answer))
            .map(|(at, _)| *at)
    };
    let proved = has(|answer| answer.proved().is_some()).min().or(proved);
    let refuted = has(|answer| answer.witness().is_some())
        .filter(|at| proved.is_none_or(|proved| *at < proved))
        .max();
    Ok(LeastValue {
        proved,
        refuted,
        asked,
        cut_short,
    })
}

/// The error for a claim that is about no inputs, with its reason.
fn nothing_asked(claim: &Claim) -> QueryError {
    let Some(reason) = claim.property.nothing_compared(&claim.model) else {
        let inputs = format!("inputs where {}", claim.domain);
        return QueryError::Vacuous { inputs };
    };
    let claim = claim.to_string();
    QueryError::NothingCompared { claim, reason }
}

/// The questions asked so far, and their answers.
struct LeastQuestions<'x> {
    claims: &'x [Claim],
    options: &'x Options,
    limits: &'x Limits,
    asked: BTreeMap<usize, Answer>,
    cut_short: Option<Stopped>,
}

impl LeastQuestions<'_> {
    /// The answer for the value at a position; `None` if no time is left to ask.
    fn answer(&mut self, at: usize) -> Result<Option<&Answer>, QueryError> {
        if !self.asked.contains_key(&at) {
            if let Some(stopped) = self.limits.stopped() {
                self.cut_short = Some(stopped);
                return Ok(None);
            }
            let question = Question::refuting(&self.claims[at]);
            let answer = answer(&question, self.options, &self.limits.share(2))?;
            if answer.ended == Ended::Vacuous {
                return Err(nothing_asked(&self.claims[at]));
            }
            self.asked.insert(at, answer);
        }
        Ok(self.asked.get(&at))
    }

    fn is_proved(&mut self, at: usize) -> Result<bool, QueryError> {
        let answer = self.answer(at)?;
        Ok(answer.is_some_and(|answer| answer.proved().is_some()))
    }

    fn is_refuted(&mut self, at: usize) -> Result<bool, QueryError> {
        let answer = self.answer(at)?;
        Ok(answer.is_some_and(|answer| answer.witness().is_some()))
    }
}
