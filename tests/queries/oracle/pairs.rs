//! Verdicts of `distinguish` on random pairs of models, attacked: what is equal by all inputs or a
//! million of them, what is different by evaluating both.

use super::attack::attack;
use super::domain::Domain;
use super::draw::model;
use crate::common::setting::{part_of, setting};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::claims::query::{Ended, Options, distinguish};
use mmasmt_questions::inputs::Sampler;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::Duration;

/// Changes of one parameter; a model has some of them.
const CHANGES: [&str; 44] = [
    "round=rz",
    "round=rne",
    "round=rd",
    "round=ru",
    "round=ra",
    "F=4",
    "F=8",
    "F=23",
    "F=24",
    "F=25",
    "F=30",
    "F=40",
    "F=60",
    "align=trunc",
    "align=floor",
    "zero=skip",
    "zero=raw",
    "zero=min",
    "products=exact",
    "products=normalised",
    "carry=0",
    "carry=1",
    "carry=2",
    "carry=3",
    "carry=4",
    "carry=5",
    "carry=full",
    "emin=-133",
    "emin=-20",
    "emin=-300",
    "csub=own",
    "csub=f32",
    "negzero=plus",
    "negzero=minus",
    "nan=ones",
    "nan=quiet",
    "nan=any",
    "late=amd",
    "order=seq",
    "order=fma",
    "order=pairwise",
    "frac=5",
    "subnormals=keep",
    "subnormals=flush",
];

/// Two models of one signature that are not written alike.
fn pair(rng: &mut ChaCha8Rng) -> [Model; 2] {
    loop {
        let left = model(rng);
        let mut right = left.clone();
        for _ in 0..rng.random_range(1..=2) {
            let change = *CHANGES.choose(rng).unwrap();
            right = right.with(change).unwrap_or(right);
        }
        if left.canonical() != right.canonical() && left.signature() == right.signature() {
            return [left, right];
        }
    }
}

/// Any register that one gives and the other does not.
fn differ([left, right]: &[Model; 2], inputs: impl Iterator<Item = Inputs>) -> Option<Inputs> {
    let (mut first, mut second) = (left.simulator(), right.simulator());
    let mut inputs = inputs.filter(|inputs| {
        let results = [
            first.evaluate(inputs).unwrap(),
            second.evaluate(inputs).unwrap(),
        ];
        !left.accepts(results[0], results[1]) && !right.accepts(results[0], results[1])
    });
    inputs.next()
}

/// Inputs of all kinds, finite ones.
fn many(models: &[Model; 2], seed: u64, count: usize) -> impl Iterator<Item = Inputs> {
    let signature = models[0].signature();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut sampler = Sampler::new(signature, seed);
    let inputs = (0..count).map(move |index| match index % 8 {
        0..4 => sampler.sample(),
        4 => sampler.rare(),
        5 => crate::common::inputs::draw(&mut rng, &signature),
        _ => Inputs::zero(&signature).map(&signature, |format, _| {
            rng.random::<u64>() >> (64 - format.width())
        }),
    });
    inputs.filter(move |inputs| inputs.is_finite(&signature))
}

/// What `distinguish` says of some pairs, and how many inputs are tried on those that it says are equal.
fn assert_right(pairs: u64, seed: u64, time: Duration, inputs: usize) {
    let (mut equal, mut different, mut unknown, mut exhausted) = (0, 0, 0, 0);
    let mut wrong = Vec::new();
    for number in 0..pairs {
        let mut rng = ChaCha8Rng::seed_from_u64(seed.wrapping_add(number));
        let models = pair(&mut rng);
        let limits = Limits::default().within(time);
        let options = Options::default().seed(number);
        let [left, right] = &models;
        let named = format!("{number}: {left} and {right}");
        let found = match distinguish(left, right, &options, &limits) {
            Ok(found) => found,
            Err(error) => {
                wrong.push(format!("{named}: {error}"));
                continue;
            }
        };
        match (found.ended, &found.witnesses[..]) {
            (Ended::NoMore { .. }, []) => {
                equal += 1;
                let signature = left.signature();
                let finite = Domain::finite();
                let all = attack(&signature, &finite, number, [inputs, 0]);
                exhausted += usize::from(all.complete);
                let other = match all.complete {
                    true => differ(&models, all.inputs.into_iter()),
                    false => differ(&models, many(&models, number, inputs)),
                };
                if let Some(inputs) = other {
                    let line = inputs.to_line(&signature);
                    wrong.push(format!("{named}: equal, but for {line}"));
                }
            }
            (Ended::Unknown(_), _) => unknown += 1,
            (_, witnesses) => {
                different += 1;
                for witness in witnesses {
                    let inputs = witness.inputs.clone();
                    let finite = inputs.is_finite(&left.signature());
                    if !finite || differ(&models, [inputs].into_iter()).is_none() {
                        let line = witness.inputs.to_line(&left.signature());
                        wrong.push(format!("{named}: not different on {line}"));
                    }
                }
            }
        }
    }
    println!(
        "{equal} equal, of them {exhausted} on all inputs, {different} different, {unknown} unknown"
    );
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(
        equal * 20 > pairs && different * 4 > pairs,
        "{equal} equal, {different} different"
    );
}

#[test]
fn some_equal_models_are_equal() {
    assert_right(40, 7, Duration::from_millis(300), 2000);
}

/// `PAIRS`, `PAIRS_SEED`, `PAIR_MS` and `PAIR_INPUTS` say how many, from which seed on, for how long
/// each, and attacked with how many inputs.
#[test]
#[ignore = "minutes"]
fn equal_models_are_equal() {
    assert_right(
        setting("PAIRS", part_of(1000) as u64),
        setting("PAIRS_SEED", 1),
        Duration::from_millis(setting("PAIR_MS", 300)),
        setting("PAIR_INPUTS", 20_000),
    );
}
