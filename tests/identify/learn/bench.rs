//! Forty units that are drawn at random: at least 36 are learnt, and none of the others is given a
//! description that is confirmed and wrong.

use super::drawn::Drawn;
use super::{CONFIRM, Unknown, others};
use crate::setting::by_day;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::identify::learn::{LearnOptions, LearnVerdict, learn};
use mmasmt_questions::vectors::signature_of;
use std::time::Duration;

/// The seeds of the units.
const ALL: std::ops::RangeInclusive<u64> = 1..=40;
/// The fewest of them that are learnt.
const LEARNT: usize = 36;
/// Some that take a few seconds.
const SOME: [u64; 2] = [2, 11];
/// The time for one unit.
const TIME: Duration = Duration::from_secs(600);

/// True if the unit with this seed is learnt; `count` inputs that were not asked check it.
fn is_learnt(seed: u64, count: usize) -> bool {
    let drawn = Drawn::new(seed);
    let signature = signature_of(&drawn.signature()).unwrap();
    let described = drawn.describe();
    let mut unit = Unknown {
        signature,
        answer: Box::new(move |inputs| drawn.answer(&inputs.a, &inputs.b, inputs.c)),
    };
    let options = LearnOptions {
        seed,
        confirm: CONFIRM,
        ..LearnOptions::default()
    };
    let learned = learn(&mut unit, &options, &Limits::default().within(TIME)).unwrap();
    println!(
        "{seed}: {:?}, {} questions, {} descriptions; {described}\n{}",
        learned.verdict,
        learned.answered.len(),
        learned.tried,
        learned.text
    );
    assert!(learned.answered.len() <= options.questions);
    let Some(model) = learned.model else {
        return false;
    };
    let mut simulator = model.simulator();
    let mut differing = others(&signature, count)
        .filter(|inputs| !model.accepts(simulator.run(inputs), (unit.answer)(inputs)));
    let wrong = differing.next().map(|inputs| inputs.to_line(&signature));
    let is_confirmed = learned.verdict == LearnVerdict::Confirmed;
    assert!(
        wrong.is_none() || !is_confirmed,
        "{described}\n{}\nwrong on {wrong:?}",
        learned.text
    );
    is_confirmed
}

#[test]
fn some_drawn_units_are_learnt() {
    for seed in by_day(SOME, 2) {
        assert!(is_learnt(seed, 10_000), "{seed}");
    }
}

/// The units whose seeds `MMASMT_LEARN_SEEDS` names, or all.
#[test]
#[ignore = "an hour"]
fn drawn_units_are_learnt() {
    if let Ok(seeds) = std::env::var("MMASMT_LEARN_SEEDS") {
        for seed in seeds.split(',') {
            let seed = seed.parse().unwrap();
            println!("{seed} is learnt: {}", is_learnt(seed, 100_000));
        }
        return;
    }
    let learnt = ALL.filter(|seed| is_learnt(*seed, 100_000)).count();
    assert!(learnt >= LEARNT, "{learnt} of 40 are learnt");
}
