//! Units of known algorithms with parameters that no row has: the parameters are found, and what is confirmed is right.

use super::rows::is_right_or_refused;
use super::{Unknown, of_model};
use crate::setting::by_day;
use mmasmt_core::machines::model::{Model, architectures};
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::identify::learn::{LearnOptions, LearnVerdict, learn};
use mmasmt_questions::identify::mutants;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::time::Duration;

const CONFIRM: usize = 5_000;

/// The name that is learnt, and whether it is confirmed.
fn learnt(name: &str) -> (Option<String>, LearnVerdict) {
    let mut unit: Unknown = of_model(name);
    let options = LearnOptions {
        confirm: CONFIRM,
        ..LearnOptions::default()
    };
    let learned = learn(&mut unit, &options, &Limits::default()).unwrap();
    println!(
        "{name}: {:?} {:?} {:?}, {} questions, {} models",
        learned.verdict,
        learned.name,
        learned.unsettled,
        learned.answered.len(),
        learned.tried
    );
    (learned.name, learned.verdict)
}

#[test]
fn parameters_of_known_algorithms_are_found() {
    let units = [
        "int:a=u8,b=s8,K=4",
        "fda:K=4,F=19,in=bf16,carry=2,round=rne",
        "gfdrda:F=22,in=e4m3fnuz",
        "gdfs:in=e2m1,F=27",
    ];
    for name in by_day(units, 2) {
        let expected = Model::parse(name).unwrap().canonical();
        let (found, verdict) = learnt(name);
        assert_eq!(found.as_deref(), Some(&*expected), "{verdict:?}");
    }
}

/// The longest time for one of the drawn units; what is not confirmed by then is refused.
const LONGEST: Duration = Duration::from_secs(60);

/// A row of a drawn algorithm with one or two parameters changed.
fn drawn(rng: &mut ChaCha8Rng) -> Option<String> {
    let mut rows: BTreeMap<&'static str, Vec<Model>> = BTreeMap::new();
    for row in architectures().unwrap().iter().flat_map(|one| &one.rows) {
        let model = Model::parse(&row.full_name()).unwrap();
        let algorithm = model.algorithm().parameters().0;
        rows.entry(algorithm).or_default().push(model);
    }
    let algorithms: Vec<_> = rows.values().collect();
    let mut model = algorithms.choose(rng)?.choose(rng)?.clone();
    if model.signature().products > 32 {
        return None;
    }
    for _ in 0..rng.random_range(1..=2) {
        let all = mutants(&model);
        model = all.choose(rng)?.1.clone();
    }
    Some(model.canonical())
}

#[test]
#[ignore = "a minute for each of forty units"]
fn drawn_members_of_algorithms_are_learnt_or_refused() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let (mut count, mut confirmed) = (0, 0);
    while count < 40 {
        let Some(name) = drawn(&mut rng) else {
            continue;
        };
        count += 1;
        println!("{count}: {name}");
        let limits = Limits::default().within(LONGEST);
        confirmed += usize::from(is_right_or_refused(&name, 0, &limits) == LearnVerdict::Confirmed);
    }
    println!("{confirmed} of {count} confirmed");
    assert!(confirmed >= 10, "{confirmed}");
}
