//! Verdicts of `prove` on random claims, attacked both ways: what is proved by inputs, what is
//! refuted by the oracle, what is vacuous by looking for something that the claim is about.

use super::attack::attack;
use super::draw::{
    Drawn, OF_SCALED, PROPERTIES, claim, claim_of_equal, claim_of_other_roundings, claim_of_scaled,
};
use super::sentence::Judge;
use crate::common::setting::{part_of, setting};
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::claims::query::{Answer, Ended, Options, prove};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::time::Duration;

/// How much is done.
struct Effort {
    claims: u64,
    /// Where they are drawn from, and the properties that are among them.
    draw: fn(&mut ChaCha8Rng) -> Drawn,
    properties: &'static [&'static str],
    seed: u64,
    /// The longest that a claim is asked for.
    time: Duration,
    /// Inputs that a proved claim is attacked with: all of them up to the first, else the second.
    inputs: [usize; 2],
}

/// What became of some claims.
#[derive(Default)]
struct Tally {
    by_verdict: BTreeMap<&'static str, usize>,
    /// Proved claims that all inputs of their domains were tried on.
    exhausted: usize,
    /// Inputs that proved claims were attacked with.
    inputs: usize,
    decided: BTreeMap<String, usize>,
    disagreements: Vec<String>,
}

/// What is wrong with a verdict.
fn disagreement(
    drawn: &Drawn,
    answer: &Answer,
    effort: &Effort,
    tally: &mut Tally,
) -> Option<String> {
    let Drawn {
        claim,
        sentence,
        domain,
    } = drawn;
    let judge = Judge::new(&claim.model, domain);
    let line =
        |inputs| mmasmt_core::machines::algorithms::Inputs::to_line(inputs, &judge.signature);
    match answer.ended {
        Ended::Unknown(_) => None,
        Ended::Enough => {
            let inputs = &answer.witnesses[0].inputs;
            if !domain.contains(&judge.signature, inputs) {
                return Some(format!("refuted outside of its domain by {}", line(inputs)));
            }
            let right = judge.is_violated(sentence, inputs);
            (!right).then(|| format!("refuted by {}, which do not", line(inputs)))
        }
        Ended::NoMore { .. } => {
            let attack = attack(&judge.signature, domain, effort.seed, effort.inputs);
            tally.exhausted += usize::from(attack.complete);
            tally.inputs += attack.inputs.len();
            let mut inputs = attack.inputs.iter();
            let violation = inputs.find(|inputs| judge.is_violated(sentence, inputs));
            violation.map(|inputs| format!("proved, but for {}", line(inputs)))
        }
        Ended::Vacuous => {
            let attack = attack(&judge.signature, domain, effort.seed, effort.inputs);
            let mut inputs = attack.inputs.iter();
            let about = inputs.find(|inputs| judge.compares(sentence, inputs));
            about.map(|inputs| format!("vacuous, but for {}", line(inputs)))
        }
    }
}

fn verdict(outcome: Ended) -> &'static str {
    match outcome {
        Ended::NoMore { .. } => "proved",
        Ended::Enough => "refuted",
        Ended::Vacuous => "vacuous",
        _ => "unknown",
    }
}

fn judge_claims(effort: &Effort) -> Tally {
    let mut tally = Tally::default();
    for number in 0..effort.claims {
        let mut rng = ChaCha8Rng::seed_from_u64(effort.seed.wrapping_add(number));
        let drawn = (effort.draw)(&mut rng);
        let options = Options::default().seed(number);
        let limits = Limits::default().within(effort.time);
        let answer = match prove(&drawn.claim, &options, &limits) {
            Ok(answer) => answer,
            Err(error) => {
                let message = format!("{number}: {}: {error}", drawn.claim);
                tally.disagreements.push(message);
                continue;
            }
        };
        *tally.by_verdict.entry(verdict(answer.ended)).or_default() += 1;
        if matches!(answer.ended, Ended::NoMore { .. } | Ended::Enough) {
            let name = drawn.claim.property_text().split('=').next().unwrap();
            *tally.decided.entry(name.into()).or_default() += 1;
        }
        if let Some(wrong) = disagreement(&drawn, &answer, effort, &mut tally) {
            let message = format!("{number}: {}: {wrong}", drawn.claim);
            println!("{message}");
            tally.disagreements.push(message);
        }
    }
    println!(
        "{:?}, {} proved on all inputs, {} inputs; decided {:?}",
        tally.by_verdict, tally.exhausted, tally.inputs, tally.decided
    );
    tally
}

fn assert_agreement(effort: &Effort) {
    let tally = judge_claims(effort);
    let wrong = &tally.disagreements;
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    let count = |verdict| tally.by_verdict.get(verdict).copied().unwrap_or(0) as u64;
    // Not by luck: much is decided, both ways, and of every property.
    assert!(
        count("proved") * 10 > effort.claims,
        "{:?}",
        tally.by_verdict
    );
    assert!(
        count("refuted") * 10 > effort.claims,
        "{:?}",
        tally.by_verdict
    );
    if effort.claims >= 1000 {
        for name in effort.properties {
            assert!(
                tally.decided.contains_key(*name),
                "{name}: {:?}",
                tally.decided
            );
        }
    }
}

/// Claims that are drawn in one way.
struct Kind {
    draw: fn(&mut ChaCha8Rng) -> Drawn,
    properties: &'static [&'static str],
    /// How many in the gate, and how many in a long run, which `setting` changes.
    claims: [u64; 2],
    setting: &'static str,
    seeds: [u64; 2],
    time: Duration,
    /// The most inputs of a domain of which all are tried, in the gate.
    all: usize,
}

const ANY: Kind = Kind {
    draw: claim,
    properties: &PROPERTIES,
    claims: [60, 2000],
    setting: "CLAIMS",
    seeds: [100_000, 1],
    time: Duration::from_millis(200),
    all: 500,
};

/// The exact sum is one of products with their scales. Proofs take longer than elsewhere, and other
/// tests run beside them.
const SCALED: Kind = Kind {
    draw: claim_of_scaled,
    properties: &OF_SCALED,
    claims: [40, 150],
    setting: "SCALED_CLAIMS",
    seeds: [200, 1000],
    time: Duration::from_millis(800),
    ..ANY
};

const EQUAL: Kind = Kind {
    draw: claim_of_equal,
    claims: [60, 1000],
    setting: "EQUAL_CLAIMS",
    seeds: [300_000, 400_000],
    all: 2000,
    ..ANY
};

const OTHER_ROUNDINGS: Kind = Kind {
    draw: claim_of_other_roundings,
    claims: [60, 1000],
    setting: "ROUNDED_CLAIMS",
    seeds: [500_000, 600_000],
    ..ANY
};

fn some_agree(kind: &Kind) {
    assert_agreement(&Effort {
        claims: kind.claims[0],
        draw: kind.draw,
        properties: kind.properties,
        seed: kind.seeds[0],
        time: kind.time,
        inputs: [kind.all, 60],
    });
}

/// `CLAIMS` or the setting of the kind, `CLAIMS_SEED`, `CLAIM_TIMES` and `CLAIM_INPUTS` say how
/// many, from which seed on, how many times as long each, and attacked with how many inputs.
fn many_agree(kind: &Kind) {
    let inputs = setting("CLAIM_INPUTS", 300);
    assert_agreement(&Effort {
        claims: setting(kind.setting, part_of(kind.claims[1] as usize) as u64),
        draw: kind.draw,
        properties: kind.properties,
        seed: setting("CLAIMS_SEED", kind.seeds[1]),
        time: kind.time * setting("CLAIM_TIMES", 1),
        inputs: [20 * inputs, inputs],
    });
}

#[test]
fn some_verdicts_are_those_of_the_oracle() {
    some_agree(&ANY);
}

#[test]
fn some_verdicts_on_block_scales_are_those_of_the_oracle() {
    some_agree(&SCALED);
}

#[test]
fn some_verdicts_on_equal_operands_are_those_of_the_oracle() {
    some_agree(&EQUAL);
}

#[test]
fn some_verdicts_on_other_roundings_are_those_of_the_oracle() {
    some_agree(&OTHER_ROUNDINGS);
}

#[test]
#[ignore = "minutes"]
fn verdicts_are_those_of_the_oracle() {
    many_agree(&ANY);
}

#[test]
#[ignore = "minutes"]
fn verdicts_on_block_scales_are_those_of_the_oracle() {
    many_agree(&SCALED);
}

#[test]
#[ignore = "minutes"]
fn verdicts_on_equal_operands_are_those_of_the_oracle() {
    many_agree(&EQUAL);
}

#[test]
#[ignore = "minutes"]
fn verdicts_on_other_roundings_are_those_of_the_oracle() {
    many_agree(&OTHER_ROUNDINGS);
}
