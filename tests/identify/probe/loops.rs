//! From the inputs of the tests to a file with results, and from there to the answers.

use super::{answers, model};
use mmasmt_questions::identify::probe::{ProbePlan, TestAnswer, recorded, tests};
use mmasmt_questions::vectors::{Vector, parse_line};

/// The lines of a file with the results of a machine, here of a model.
fn lines(text: &str) -> Vec<String> {
    let model = model(text);
    let signature = model.signature();
    let inputs = ProbePlan::new(&signature, tests()).inputs();
    let mut simulator = model.simulator();
    let line = |inputs: &mmasmt_core::machines::algorithms::Inputs, d: u64| {
        let digits = signature.d.digits();
        format!("{} {d:0digits$x}", inputs.to_line(&signature))
    };
    let lines = inputs
        .iter()
        .map(|inputs| line(inputs, simulator.evaluate(inputs).unwrap()));
    lines.collect()
}

fn read(text: &str, lines: &[String]) -> Vec<TestAnswer> {
    let signature = model(text).signature();
    let vectors = lines
        .iter()
        .map(|line| parse_line(line, 1, &signature).unwrap());
    let results = recorded(&signature, vectors).unwrap();
    let answers = ProbePlan::new(&signature, tests())
        .read(&results)
        .0
        .into_iter();
    answers.map(|outcome| outcome.answer).collect()
}

#[test]
fn a_file_of_results_answers_as_the_machine_does() {
    for text in [
        "volta/HMMA.884.F32.F32",
        "rtx-blackwell/mma.m16n8k32.f32.e4m3.e4m3.f32",
        "sfma:fmt=f64",
    ] {
        let direct = answers(text, &[]).0.into_iter();
        let direct: Vec<TestAnswer> = direct.map(|outcome| outcome.answer).collect();
        assert_eq!(read(text, &lines(text)), direct, "{text}");
    }
}

#[test]
fn tests_whose_inputs_are_not_in_the_file_are_named() {
    let text = "fda";
    let mut lines = lines(text);
    let all = read(text, &lines);
    lines.truncate(lines.len() / 2);
    let half = read(text, &lines);
    let mut missing = 0;
    for (half, all) in half.iter().zip(&all) {
        match half {
            TestAnswer::Missing(count) => {
                assert!(*count > 0);
                missing += 1;
            }
            answer => assert_eq!(answer, all),
        }
    }
    assert!(missing > 3 && missing < all.len(), "{missing}");
    assert!(read(text, &[]).iter().all(|answer| matches!(
        answer,
        TestAnswer::Missing(_) | TestAnswer::NotApplicable(_)
    )));
}

#[test]
fn two_results_for_one_input_are_an_error() {
    let signature = model("fda").signature();
    let vector = |d| Vector {
        inputs: mmasmt_core::machines::algorithms::Inputs::zero(&signature),
        d,
    };
    assert!(recorded(&signature, [vector(0), vector(0)]).is_ok());
    let error = recorded(&signature, [vector(0), vector(1)]).err().unwrap();
    assert!(error.to_string().contains("one result"), "{error}");
}

/// Each input once, and none that is not finite but those of the tests for that.
#[test]
fn inputs_are_not_repeated() {
    let signature = model("hopper/HMMA.16816.F32").signature();
    let inputs = ProbePlan::new(&signature, tests()).inputs();
    let unique: std::collections::HashSet<_> = inputs.iter().collect();
    assert_eq!(unique.len(), inputs.len());
    let special = inputs.iter().filter(|inputs| !inputs.is_finite(&signature));
    // Two for the codes of NaNs, four for infinite sums.
    assert_eq!(special.count(), 6);
}
