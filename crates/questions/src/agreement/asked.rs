//! The domains on which two models agree, and those on which any claim about all operands holds: all
//! finite operands first, then smaller ones.

use super::domains::{ASKED_BITS, ASKED_EXPONENT, ASKED_PLACES, Family};
use super::halves::Halves;
use super::known::{DomainVerdict, Verdict, known};
use super::lattice::Lattice;
use crate::claims::property::{Claim, Domain};
use crate::claims::query::{Options, QueryError, Question, answer};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use std::cell::RefCell;
use std::time::Duration;

/// The most questions that one search of exponents by halving asks.
const STEPS: usize = (ASKED_EXPONENT + 1).ilog2() as usize + 1;

/// The time for the question about one domain if the limits set no time.
const TIME_OF_ONE: Duration = Duration::from_secs(1);

/// The verdicts on two models, one for each domain. If the models agree on the first domain, which
/// has all finite operands, no other domain is asked about. Inputs that are found in one domain are a
/// difference on each domain that has them. The time of the limits is shared equally by all questions that
/// may be left, and what is left of it by those that are open in the end.
///
/// # Errors
/// If the models do not take the same operands, or an engine fails.
pub fn agree(
    models: &[Model; 2],
    options: &Options,
    limits: &Limits,
) -> Result<Vec<DomainVerdict>, QueryError> {
    let [left, right] = models;
    in_turn(options, limits, |assume| {
        let Ok(domain) = Domain::parse(assume, &left.signature()) else {
            return Ok(None);
        };
        Question::difference(left, right, Some(&domain)).map(Some)
    })
}

/// The verdicts on a claim where `assume` holds, one for each domain inside of that:
/// [`Verdict::Agree`] where the claim holds; there are none if `assume` is no domain of the model. A claim about all operands that holds on a domain holds
/// on each part of it. The first domain is `assume`; if the claim holds there, no other is asked
/// about.
///
/// # Errors
/// If an engine fails.
pub fn holds(
    property: &str,
    model: &Model,
    assume: &str,
    options: &Options,
    limits: &Limits,
) -> Result<Vec<DomainVerdict>, QueryError> {
    let inside = |part: &str| {
        let parts = [assume, part].into_iter().filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join(", ")
    };
    let mut all = in_turn(options, limits, |part| {
        let claim = Claim::new(property, model, &inside(part));
        Ok(claim.ok().map(|claim| Question::refuting(&claim)))
    })?;
    if let Some(first) = all.first_mut() {
        first.name = format!("where {assume}");
    }
    for known in &mut all {
        known.assume = inside(&known.assume);
    }
    Ok(all)
}

/// Asks about one domain after the other. `question` has the question about the domain with a text;
/// `None` if the operands have no such domain.
fn in_turn(
    options: &Options,
    limits: &Limits,
    question: impl Fn(&str) -> Result<Option<Question>, QueryError>,
) -> Result<Vec<DomainVerdict>, QueryError> {
    let lattice = RefCell::new(Lattice::default());
    let ask = |name: String, assume: String, questions: usize| -> Result<_, QueryError> {
        let Some(question) = question(&assume)? else {
            return Ok(None);
        };
        let of_one = match limits.time_left() {
            Some(_) => limits.share(u32::try_from(questions).unwrap_or(u32::MAX)),
            None => limits.within(TIME_OF_ONE),
        };
        let follows = lattice.borrow().verdict(&question);
        let verdict: Verdict = match (follows, limits.stopped()) {
            (Some(verdict), _) => verdict,
            (None, Some(_)) => Verdict::NotAsked,
            (None, None) => Verdict::of(answer(&question, options, &of_one)?),
        };
        let known = known(name, assume, verdict);
        lattice.borrow_mut().keep(&question, &known);
        Ok(Some(known))
    };
    let mut all = Vec::new();
    for (place, (name, assume)) in ASKED_PLACES.into_iter().enumerate() {
        let questions = ASKED_PLACES.len() - place + ASKED_BITS.len() * STEPS;
        all.extend(ask(name.into(), assume.into(), questions)?);
        if let [everything] = &all[..]
            && everything.verdict.agrees()
        {
            return Ok(all);
        }
    }
    for (place, bits) in ASKED_BITS.into_iter().enumerate() {
        let mut questions = (ASKED_BITS.len() - place) * STEPS;
        let mut halves = Halves::new([0, ASKED_EXPONENT]);
        halves.narrow([true, false], |n| {
            let assume = format!("all bits {bits}, all exp 0..{n}");
            let known = ask(Family::Bits(bits).name(n), assume, questions);
            questions = (questions - 1).max(1);
            known
        })?;
        all.extend(halves.found());
    }
    // Of a domain that was asked about early, inputs of a later one may decide.
    let settle = |all: &mut Vec<DomainVerdict>| -> Result<(), QueryError> {
        for known in all {
            if let Some(question) = question(&known.assume)? {
                lattice.borrow().settle(&question, known);
            }
        }
        Ok(())
    };
    settle(&mut all)?;
    // The time that early answers left belongs to what is open.
    if limits.time_left().is_some() {
        let open: Vec<usize> = (0..all.len())
            .filter(|place| all[*place].is_open())
            .collect();
        for (done, place) in open.iter().enumerate() {
            let DomainVerdict { name, assume, .. } = all[*place].clone();
            if limits.stopped().is_none()
                && let Some(known) = ask(name, assume, open.len() - done)?
            {
                all[*place] = known;
            }
        }
        settle(&mut all)?;
    }
    Ok(all)
}
