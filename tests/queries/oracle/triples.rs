//! Verdicts of `prove` on random claims, attacked both ways: what is proved by inputs, what is
//! refuted by the oracle, what is vacuous by looking for something that the claim is about.

use super::attack::attack;
use super::draw::{Drawn, PROPERTIES, claim};
use super::sentence::Judge;
use super::setting;
use mmasmt::engine::Limits;
use mmasmt::query::{Outcome, Prove, prove};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::time::Duration;

/// How much is done.
struct Effort {
    claims: u64,
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
    outcome: &Outcome,
    effort: &Effort,
    tally: &mut Tally,
) -> Option<String> {
    let Drawn {
        claim,
        sentence,
        domain,
    } = drawn;
    let judge = Judge::new(&claim.model, domain);
    let line = |inputs| mmasmt::vectors::Inputs::to_line(inputs, &judge.signature);
    match outcome {
        Outcome::Unknown(_) => None,
        Outcome::Refuted { inputs, .. } => {
            if !domain.contains(&judge.signature, inputs) {
                return Some(format!("refuted outside of its domain by {}", line(inputs)));
            }
            let right = judge.is_violated(sentence, inputs);
            (!right).then(|| format!("refuted by {}, which do not", line(inputs)))
        }
        Outcome::Proved { .. } => {
            let attack = attack(&judge.signature, domain, effort.seed, effort.inputs);
            tally.exhausted += usize::from(attack.complete);
            tally.inputs += attack.inputs.len();
            let mut inputs = attack.inputs.iter();
            let violation = inputs.find(|inputs| judge.is_violated(sentence, inputs));
            violation.map(|inputs| format!("proved, but for {}", line(inputs)))
        }
        Outcome::Vacuous => {
            let attack = attack(&judge.signature, domain, effort.seed, effort.inputs);
            let mut inputs = attack.inputs.iter();
            let about = inputs.find(|inputs| judge.compares(sentence, inputs));
            about.map(|inputs| format!("vacuous, but for {}", line(inputs)))
        }
        other => Some(format!(
            "an outcome that the oracle does not judge: {other:?}"
        )),
    }
}

fn verdict(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Proved { .. } => "proved",
        Outcome::Refuted { .. } => "refuted",
        Outcome::Vacuous => "vacuous",
        _ => "unknown",
    }
}

fn judge_claims(effort: &Effort) -> Tally {
    let mut tally = Tally::default();
    for number in 0..effort.claims {
        let mut rng = ChaCha8Rng::seed_from_u64(effort.seed.wrapping_add(number));
        let drawn = claim(&mut rng);
        let options = Prove::default().seed(number);
        let limits = Limits::default().within(effort.time);
        let outcome = match prove(&drawn.claim, &options, &limits) {
            Ok(settled) => settled.outcome,
            Err(error) => {
                let message = format!("{number}: {}: {error}", drawn.claim);
                tally.disagreements.push(message);
                continue;
            }
        };
        *tally.by_verdict.entry(verdict(&outcome)).or_default() += 1;
        if matches!(outcome, Outcome::Proved { .. } | Outcome::Refuted { .. }) {
            let name = drawn.claim.property_text().split('=').next().unwrap();
            *tally.decided.entry(name.into()).or_default() += 1;
        }
        if let Some(wrong) = disagreement(&drawn, &outcome, effort, &mut tally) {
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
        for name in PROPERTIES {
            assert!(
                tally.decided.contains_key(name),
                "{name}: {:?}",
                tally.decided
            );
        }
    }
}

#[test]
fn some_verdicts_are_those_of_the_oracle() {
    assert_agreement(&Effort {
        claims: 60,
        seed: 100_000,
        time: Duration::from_millis(200),
        inputs: [500, 60],
    });
}

/// `CLAIMS`, `CLAIMS_SEED`, `CLAIM_MS` and `CLAIM_INPUTS` say how many, from which seed on, for how
/// long each, and attacked with how many inputs.
#[test]
#[ignore = "minutes"]
fn verdicts_are_those_of_the_oracle() {
    let inputs = setting("CLAIM_INPUTS", 300);
    assert_agreement(&Effort {
        claims: setting("CLAIMS", 2000),
        seed: setting("CLAIMS_SEED", 1),
        time: Duration::from_millis(setting("CLAIM_MS", 200)),
        inputs: [20 * inputs, inputs],
    });
}
