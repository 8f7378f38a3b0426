//! Rows of the tables, hidden: what `learn` confirms is the row on all inputs, as the solver says.

use super::{Unknown, of_model};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::claims::query::{Options, Question, answer};
use mmasmt_questions::identify::learn::{LearnOptions, LearnVerdict, learn};
use std::time::Duration;

/// Rows of an MI300X with seeds of which descriptions that were none were once confirmed.
const RUNS: [(&str, &[u64]); 4] = [
    ("cdna3/v_mfma_f32_32x32x8_f16", &[1, 4, 5]),
    ("cdna3/v_mfma_f32_32x32x8_bf16", &[0, 2]),
    ("cdna3/v_mfma_f32_32x32x4_xf32", &[0, 2]),
    ("cdna3/v_mfma_f32_16x16x16_bf16", &[0]),
];

/// What is confirmed is never wrong; a description that is not confirmed may be.
pub fn is_right_or_refused(name: &str, seed: u64, limits: &Limits) -> LearnVerdict {
    let mut unit: Unknown = of_model(name);
    let options = LearnOptions {
        seed,
        ..LearnOptions::default()
    };
    let learned = learn(&mut unit, &options, limits).unwrap();
    println!(
        "{name} {seed}: {:?} as {:?}, {} questions\n{}",
        learned.verdict,
        learned.name,
        learned.answered.len(),
        learned.text
    );
    if learned.verdict != LearnVerdict::Confirmed {
        return learned.verdict;
    }
    let row = Model::parse(name).unwrap();
    let question = Question::difference(&learned.model.unwrap(), &row, None).unwrap();
    let limits = Limits::default().within(Duration::from_secs(120));
    let found = answer(&question.with_specials(), &Options::default(), &limits).unwrap();
    let line = found
        .witness()
        .map(|one| one.inputs.to_line(&row.signature()));
    assert_eq!(line, None, "{name} {seed}: {}", learned.text);
    learned.verdict
}

#[test]
#[ignore = "minutes for each of eight runs"]
fn no_wrong_description_of_a_row_is_confirmed() {
    for (name, seeds) in RUNS {
        for seed in seeds {
            is_right_or_refused(name, *seed, &Limits::default());
        }
    }
}
