//! Inputs on which two models are as far apart as a search finds, in each measure.

use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::claims::query::{Options, Question, answer, largest};
use mmasmt_questions::vectors::measure::Measure;

/// How far apart the results are: in numbers, and relative to the first.
fn distances(models: &[Model; 2], inputs: &Inputs) -> [f64; 2] {
    let [left, right] = models.each_ref().map(|model| {
        let register = model.evaluate_big(inputs).unwrap();
        f64::from(f32::from_bits(register as u32))
    });
    [(left - right).abs(), ((left - right) / left).abs()]
}

#[test]
fn each_measure_finds_what_is_farther_by_it() {
    let models = ["fda:K=4,F=20", "fda:K=4,F=24"].map(|text| Model::parse(text).unwrap());
    let question = Question::difference(&models[0], &models[1], None).unwrap();
    let limits = Limits::default();
    let found = answer(&question, &Options::default(), &limits).unwrap();
    let witness = found.witness().unwrap();
    let by = |measure| {
        let farthest = largest(&question, witness, measure, 0, &limits).unwrap();
        distances(&models, &farthest.inputs)
    };
    let [ulp, absolute, relative] = [Measure::Ulp, Measure::Absolute, Measure::Relative].map(by);
    let first = distances(&models, &witness.inputs);
    assert!(
        absolute[0] >= ulp[0].max(relative[0]).max(first[0]),
        "{absolute:?} {ulp:?}"
    );
    assert!(
        relative[1] >= absolute[1].max(first[1]),
        "{relative:?} {absolute:?}"
    );
    assert!(absolute[0] > 100.0 * first[0]);
}
