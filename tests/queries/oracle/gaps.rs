//! Domains with gaps, of which many are empty: nothing is proved of what is not there, however it would be proved.
//!
//! Whether a domain is empty is told by every register of every operand.

use super::attack::attack;
use super::domain::{Clause, Domain, Predicate, places};
use super::draw::{MODES, PROPERTIES, SMALL, any, sentence};
use super::sentence::{Judge, Sentence};
use crate::common::exact::{bias, ones};
use crate::common::setting::{part_of, setting};
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::float::Format;
use mmasmt_questions::claims::property::{Claim, Domain as Assumed};
use mmasmt_questions::claims::query::{Answer, Basis, Ended, Options, Question, answer, prove};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::time::Duration;

/// A model of one or two products of small formats, mostly one that keeps all bits.
fn model(rng: &mut ChaCha8Rng) -> Model {
    loop {
        let [a, b, c] = [(); 3].map(|()| any(rng, &SMALL));
        let (mode, _) = any(rng, &MODES);
        let count = rng.random_range(1..=2);
        let formats = format!("K={count},a={a},b={b},c={c},round={mode}");
        let spec = match rng.random_range(0..3) {
            0 => format!("exact:{formats},out=f32"),
            1 => format!("fda:{formats},F={},out=f32", rng.random_range(1..=64)),
            _ => format!("fda:{formats},F=64,out=bf16"),
        };
        if let Ok(model) = Model::parse(&spec) {
            return model;
        }
    }
}

/// A predicate; two of them leave gaps, or nothing.
fn predicate(rng: &mut ChaCha8Rng, format: &Format) -> Predicate {
    let low = rng.random_range(1 - bias(format)..=bias(format));
    let least = rng.random_range(-4..=4);
    match rng.random_range(0..13) {
        0 => Predicate::Normal,
        1 => Predicate::ZeroOrNormal,
        2 => Predicate::Subnormal,
        3 => Predicate::Zero,
        4 => Predicate::Nonzero,
        5 => Predicate::Positive,
        6 => Predicate::Negative,
        7 => Predicate::Exponent(low, low + rng.random_range(0..3)),
        8 => Predicate::Bits(rng.random_range(1..=format.precision())),
        9 => Predicate::In(any(rng, &SMALL)),
        10 => Predicate::Is(rng.random::<u64>() & ones(format.width())),
        _ => Predicate::From(least, least + rng.random_range(0..4)),
    }
}

fn domain(rng: &mut ChaCha8Rng, signature: &Signature) -> Domain {
    let Domain { mut clauses, .. } = Domain::finite();
    for _ in 0..rng.random_range(1..=4) {
        let (row, format) = any(
            rng,
            &[
                ("a", signature.a),
                ("b", signature.b),
                ("c", signature.c),
                ("c", signature.c),
            ],
        );
        let predicate = predicate(rng, &format);
        clauses.push(Clause {
            row,
            range: None,
            predicate,
        });
    }
    Domain::of(clauses)
}

fn is_empty(signature: &Signature, domain: &Domain) -> bool {
    places(signature).into_iter().any(|(place, format)| {
        let mut registers = 0..=ones(format.width());
        !registers.any(|bits| domain.admits(place, &format, bits))
    })
}

/// How an answer was found.
fn way(answer: &Answer) -> &'static str {
    match answer.ended {
        Ended::NoMore { by } => match by {
            Basis::Construction => "construction",
            Basis::Solver => "solver",
            Basis::AllInputs { .. } => "all inputs",
            Basis::Facts { .. } => "facts",
            Basis::Magnitudes(_) => "magnitudes",
            Basis::Rounding { .. } => "rounding",
            Basis::Bound => "bound",
            Basis::Limits => "limits",
            Basis::Steps => "steps",
            Basis::Summands => "summands",
            Basis::Options => "options",
        },
        Ended::Enough => "refuted",
        Ended::Vacuous => "vacuous",
        _ => "unknown",
    }
}

/// What is wrong with an answer about a domain.
fn fault(judge: &Judge<'_>, sentence: &Sentence, answer: &Answer) -> Option<&'static str> {
    let is_empty = is_empty(&judge.signature, judge.domain);
    match answer.ended {
        Ended::Unknown(_) => None,
        Ended::Vacuous if is_empty => None,
        Ended::Vacuous => {
            let attack = attack(&judge.signature, judge.domain, 1, [5000, 50]);
            let mut inputs = attack.inputs.iter();
            let is_about = inputs.any(|inputs| judge.compares(sentence, inputs));
            is_about.then_some("vacuous, and inputs are there")
        }
        _ if is_empty => Some("an answer, and nothing is there"),
        Ended::Enough => {
            let inputs = &answer.witnesses[0].inputs;
            let is_right = judge.domain.contains(&judge.signature, inputs)
                && judge.is_violated(sentence, inputs);
            (!is_right).then_some("inputs that refute nothing")
        }
        _ => {
            let attack = attack(&judge.signature, judge.domain, 1, [300, 20]);
            let mut inputs = attack.inputs.iter();
            let is_violated = inputs.any(|inputs| judge.is_violated(sentence, inputs));
            is_violated.then_some("proved, but not for all inputs")
        }
    }
}

/// One claim, or whether two models are equal.
fn ask(rng: &mut ChaCha8Rng, options: &Options, limits: &Limits) -> (Answer, Option<String>) {
    loop {
        let model = model(rng);
        let domain = domain(rng, &model.signature());
        let property = any(rng, &PROPERTIES);
        let Some((text, sentence)) = sentence(rng, property, &model) else {
            continue;
        };
        let judge = Judge::new(&model, &domain);
        let assumed = domain.to_string();
        let (answer, asked) = match &sentence {
            Sentence::Equal(other) if rng.random() => {
                let assumed = Assumed::parse(&assumed, &judge.signature).unwrap();
                let question = Question::difference(&model, other, Some(&assumed)).unwrap();
                let asked = format!("distinguish {model} {other} where {domain}");
                (answer(&question, options, limits).unwrap(), asked)
            }
            _ => {
                let Ok(claim) = Claim::new(&text, &model, &assumed) else {
                    continue;
                };
                (prove(&claim, options, limits).unwrap(), claim.to_string())
            }
        };
        let fault = fault(&judge, &sentence, &answer);
        return (answer, fault.map(|fault| format!("{asked}: {fault}")));
    }
}

/// Each claim has so long; what has no answer then is not judged.
fn assert_nothing_is_said_of_nothing(claims: u64, seed: u64, time: Duration) {
    let mut ways: BTreeMap<&str, u64> = BTreeMap::new();
    let mut faults = Vec::new();
    for number in 0..claims {
        let mut rng = ChaCha8Rng::seed_from_u64(seed + number);
        let options = Options::default().seed(number).turns(1).minimise(None);
        let limits = Limits::default().within(time);
        let (answer, fault) = ask(&mut rng, &options, &limits);
        *ways.entry(way(&answer)).or_default() += 1;
        faults.extend(fault.map(|fault| format!("{number}: {fault}")));
    }
    assert!(
        faults.is_empty(),
        "{} of {claims}:\n{}",
        faults.len(),
        faults.join("\n")
    );
    println!("{ways:?}");
    // Not by luck: many are empty, and of many that are not something is proved, in each way.
    let mut least = vec![("vacuous", 10), ("magnitudes", 20)];
    if claims > 1000 {
        let others = [("refuted", 20), ("solver", 1000), ("construction", 100)];
        least.extend(others.into_iter().chain([("rounding", 200)]));
    }
    for (way, least) in least {
        let count = ways.get(way).copied().unwrap_or(0);
        assert!(count >= claims / least, "{ways:?}");
    }
}

#[test]
fn nothing_is_proved_of_some_domains_that_are_empty() {
    assert_nothing_is_said_of_nothing(300, 1, Duration::from_millis(30));
}

/// `GAPS` and `GAPS_SEED` say how many, and from which seed on.
#[test]
#[ignore = "minutes"]
fn nothing_is_proved_of_domains_that_are_empty() {
    let claims = setting("GAPS", part_of(5000) as u64);
    assert_nothing_is_said_of_nothing(
        claims,
        setting("GAPS_SEED", 10_000),
        Duration::from_millis(200),
    );
}
