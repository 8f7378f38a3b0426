//! The comparison by stages, checked against a search of the whole formula and the simulators.

use crate::common::setting::by_day;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::bits::term::scope;
use mmasmt_questions::claims::Ledger;
use mmasmt_questions::claims::property::{SymbolicInputs, results_differ};
use mmasmt_questions::claims::query::{
    Options, Question, ReasoningOutcome, Replay, reason, sampled,
};
use mmasmt_questions::solver::engine::{CadicalSearch, CadicalVerdict, Goal, Strategy};

/// True if the comparison proves that `base` and `base` with the keys `change` are equal models, or
/// refutes this; `None` if it does neither. Asserts that a search of the whole formula does not
/// contradict a proof, and that the models differ on inputs that are found.
fn compared(base: &str, change: &str) -> Option<bool> {
    scope(|| compared_here(base, change))
}

fn compared_here(base: &str, change: &str) -> Option<bool> {
    let models = [base, &format!("{base},{change}")].map(|text| Model::parse(text).unwrap());
    let models = [&models[0], &models[1]];
    let signature = models[0].signature();
    let question = Question::difference(models[0], models[1], None).unwrap();
    let inputs = SymbolicInputs::new(signature);
    let whole = question.formula(&inputs.by_number());
    let limits = Limits::default();
    let mut simulators = models.map(Model::simulator);
    let mut differ = |inputs: &_| {
        let [left, right] = &mut simulators;
        results_differ(models, [left.run(inputs), right.run(inputs)])
    };
    match reason(
        &question,
        &inputs,
        whole,
        0,
        &limits,
        &mut Ledger::default(),
    ) {
        ReasoningOutcome::Unknown => None,
        ReasoningOutcome::By(inputs) => {
            assert!(
                inputs.is_finite(&signature) && differ(&inputs),
                "{base},{change}"
            );
            Some(false)
        }
        ReasoningOutcome::Never(_) => {
            let mut search = CadicalSearch::new(Strategy::Proof, 1);
            search.assert(whole);
            let verdict = search.solve(&[], &limits.with_conflicts(20_000));
            assert_ne!(verdict, CadicalVerdict::Sat, "{base},{change}");
            let options = Options::default().seed(1);
            let mut replay = Replay::of(&question);
            let sample = sampled(&question, &options, 2, &limits, &mut replay);
            assert_eq!(sample, None, "{base},{change}");
            Some(true)
        }
    }
}

/// Asserts that the comparison is right about changes of these models, and that it proves at least
/// `least` of them equal and refutes at least `least`.
fn is_true_of(bases: &[&str], least: usize) {
    let changes = [
        "zero=skip",
        "zero=raw",
        "zero=min",
        "emin=-130",
        "emin=-24",
        "emin=-20",
        "emin=-13",
        "emin=-9",
        "csub=f32",
        "nan=ones",
        "negzero=minus",
        "align=floor",
        "round=rne",
    ];
    let mut count = [0; 2];
    for base in bases {
        for change in changes {
            if Model::parse(&format!("{base},{change}")).is_err() {
                continue;
            }
            if let Some(equal) = compared(base, change) {
                count[usize::from(equal)] += 1;
            }
        }
    }
    let [different, equal] = count;
    assert!(
        different >= least && equal >= least,
        "{different} and {equal}"
    );
}

const ONE_SUM: [&str; 5] = [
    "fda:K=2,in=e4m3,F=9",
    "fda:K=2,in=e5m2,F=6,out=f16",
    "fda:K=2,F=8,in=e4m3,emin=-6,zero=raw",
    "fda:K=2,in=e4m3,F=13,out=f16",
    "fda:K=1,in=e5m2,F=16,out=f16",
];

const SEVERAL_SUMS: [&str; 4] = [
    "fda:K=1,chain=2,in=e4m3,F=5,out=f16",
    "fdrda:K=2,F=6",
    "hmma8:K=4,in=e4m3,F=7",
    "gfdrda:K=2,in=e4m3fnuz,F=7",
];

#[test]
fn what_is_said_of_a_sum_is_true() {
    is_true_of(&ONE_SUM[..1], 5);
}

#[test]
#[ignore = "half a minute"]
fn what_is_said_of_one_sum_is_true() {
    is_true_of(&ONE_SUM, 10);
}

#[test]
fn what_is_said_of_two_sums_is_true() {
    is_true_of(&SEVERAL_SUMS[..1], 4);
}

#[test]
#[ignore = "half a minute"]
fn what_is_said_of_several_sums_is_true() {
    is_true_of(&SEVERAL_SUMS, 10);
}

/// Asserts that the comparison gives this verdict on each model and its change.
fn says<B: AsRef<str>>(cases: &[(B, &str, Option<bool>)]) {
    for (base, change, is_equal) in by_day(cases, 2) {
        let base = base.as_ref();
        assert_eq!(compared(base, change), *is_equal, "{base},{change}");
    }
}

#[test]
fn zeros_of_either_sign_are_followed_to_where_they_are_added() {
    says(&[
        // A `c` of -0 is flushed to +0: adding a zero of either sign leaves it +0.
        ("gps:G=1,in=e4m3", "products=fma", Some(true)),
        ("gps:G=2,in=e5m2", "products=fma", Some(true)),
        ("gps:K=2,G=1,in=e4m3", "products=fma", Some(true)),
        // A `c` of -0 and products of -0 have the sum -0.
        (
            "gps:G=1,in=e4m3,subnormals=keep",
            "products=fma",
            Some(false),
        ),
        (
            "gps:G=2,in=e4m3,subnormals=keep",
            "products=fma",
            Some(false),
        ),
        // The sum after the first group may be below the normal numbers, and become -0.
        ("gps:K=2,G=1,in=bf16", "products=fma", Some(false)),
    ]);
}

#[test]
fn nans_of_either_code_are_followed_to_where_they_are_added() {
    says(&[
        ("gps:K=4,G=2,in=bf16", "nan=ones", Some(true)),
        ("gps:G=4,in=bf16", "nan=ones", Some(true)),
        (
            "gps:K=2,G=1,in=bf16",
            "nan=ones,subnormals=keep",
            Some(false),
        ),
    ]);
}

#[test]
#[ignore = "half a minute"]
fn sums_far_below_the_least_number_are_zero_in_both() {
    // Beside a product of 2^-149 there may be a product of 2^-155. Nine fraction bits keep the bit
    // of the smaller product only if the largest exponent is below -145.
    let cases = [
        ("F=9", "emin=-149", Some(true)),
        ("F=9", "emin=-146", Some(true)),
        ("F=9", "emin=-145", Some(false)),
        ("F=40", "emin=-140", Some(true)),
        ("F=9,align=floor", "emin=-147", Some(true)),
        ("F=9,carry=0", "emin=-146", Some(false)),
    ];
    let block = "fda:K=2,in=e2m1,scale=ue8m0,block=2";
    says(&cases.map(|(widths, change, is_equal)| (format!("{block},{widths}"), change, is_equal)));
}
