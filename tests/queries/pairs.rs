//! `distinguish` as a library: verdicts that are known, twins that come out the other way, and
//! witnesses that hold.

use crate::common::setting::by_day;
use mmasmt_core::machines::model::Model;
use mmasmt_explain::explain::first_divergence;
use mmasmt_numbers::base::limits::{Limits, Stopped};
use mmasmt_numbers::bits::term::scope;
use mmasmt_numbers::bits::{Bv, Prop};
use mmasmt_questions::claims::property::{Domain, SymbolicInputs};
use mmasmt_questions::claims::query::{
    Answer, Basis, Ended, FactSubject, Options, Question, answer, distinguish,
};
use mmasmt_questions::identify::mutants;
use mmasmt_questions::inputs::simplicity;
use std::time::Duration;

fn options() -> Options {
    Options::default()
}

fn ask(left: &str, right: &str, options: &Options) -> Answer {
    let (left, right) = (Model::parse(left).unwrap(), Model::parse(right).unwrap());
    let found = distinguish(&left, &right, options, &Limits::default()).unwrap();
    for witness in &found.witnesses {
        let results = [
            left.evaluate_big(&witness.inputs).unwrap(),
            right.evaluate_big(&witness.inputs).unwrap(),
        ];
        assert_ne!(results[0], results[1]);
        assert_eq!(results[..], witness.results);
        assert!(witness.inputs.is_finite(&left.signature()));
        assert!(first_divergence(&left, &right, &witness.inputs).is_some());
    }
    found
}

/// Each line: a claim that two models are equal, and its twin, which must be refuted.
#[test]
fn enough_carry_bits_change_nothing_and_one_fewer_does() {
    let enough = [
        (4, "exact", 4),
        (8, "exact", 5),
        (16, "exact", 6),
        (4, "normalised", 3),
        (8, "normalised", 4),
    ];
    for (k, products, carry) in enough {
        let full = format!("fda:K={k},products={products}");
        let found = ask(&full, &format!("{full},carry={carry}"), &options());
        assert_eq!(
            found.ended,
            Ended::NoMore {
                by: Basis::Construction
            },
            "{full},{carry}"
        );
        assert!(found.witnesses.is_empty());
        let found = ask(&full, &format!("{full},carry={}", carry - 1), &options());
        assert_eq!(found.ended, Ended::Enough, "{full},{carry}");
        assert_eq!(found.witnesses.len(), 1);
    }
}

#[test]
fn models_that_differ_are_told_apart() {
    let pairs = [
        ("fda:F=23", "fda:F=24"),
        ("fda:F=24,K=16", "fda:F=25,K=16"),
        ("fda:K=8,chain=2", "fda:K=16"),
        ("fda:zero=raw", "fda:zero=skip"),
        ("fda:zero=min", "fda:zero=skip"),
        ("fda:align=floor", "fda:align=trunc"),
        ("fda:products=normalised", "fda"),
        ("fda:round=rne", "fda:round=rz"),
        ("fda:frac=13", "fda"),
        ("fda:out=f16,F=20", "fda:out=f16,F=24"),
        ("fda:out=f16,c=f16,csub=f32", "fda:out=f16,c=f16"),
        ("fda:K=1,F=23,out=f16,via=f32", "fda:K=1,F=23,out=f16"),
        ("fda:negzero=minus", "fda:negzero=plus"),
        ("fda:F=63", "fda:F=64"),
        ("hmma8", "fda:K=32,F=25,in=e4m3"),
        ("hopper/HMMA.16816.F32", "ampere/HMMA.16816.F32"),
    ];
    for (left, right) in pairs {
        let found = ask(left, right, &options());
        assert_eq!(
            (found.witnesses.len(), found.ended),
            (1, Ended::Enough),
            "{left} {right}"
        );
    }
}

#[test]
fn a_sum_that_is_cut_twice_is_cut_once() {
    let base = Model::parse("fda:K=1,F=24,out=f16,round=rz").unwrap();
    let twice = mutants(&base)
        .into_iter()
        .find(|(change, _)| change == "via=f32");
    let (_, twice) = twice.unwrap();
    let found = distinguish(&base, &twice, &options(), &Limits::default()).unwrap();
    assert_eq!(found.ended, Ended::NoMore { by: Basis::Solver });
    assert!(base.with("out=f32,via=f32").is_err() && base.with("out=f64,via=f32").is_err());
}

/// The code of a NaN shows on special values only; that takes the solver to prove.
#[test]
fn the_domain_decides_whether_nan_codes_differ() {
    let found = ask("fda:nan=ones", "fda:nan=quiet", &options());
    assert_eq!(found.ended, Ended::NoMore { by: Basis::Options });
    let models = ["fda:nan=ones", "fda:nan=quiet"].map(|spec| Model::parse(spec).unwrap());
    let question = Question::difference(&models[0], &models[1], None).unwrap();
    let found = answer(&question.with_specials(), &options(), &Limits::default());
    assert_eq!(found.unwrap().witnesses.len(), 1);
}

/// Above a limit of the largest exponent two units are one; what is asked is what lies below.
#[test]
fn a_lower_limit_matters_below_it_or_nowhere() {
    let found = |right: &str| ask("fda:in=bf16", right, &options());
    assert_eq!(found("fda:in=bf16,emin=-133").witnesses.len(), 1);
    for right in ["fda:in=bf16,emin=-170", "fda:in=bf16,emin=-200"] {
        let found = found(right);
        assert!(found.witnesses.is_empty(), "{right}");
        assert!(matches!(found.ended, Ended::NoMore { .. }), "{right}");
    }
}

#[test]
fn what_is_assumed_holds_of_what_is_found() {
    let models = ["fda:F=24", "fda:F=25"].map(|spec| Model::parse(spec).unwrap());
    let signature = models[0].signature();
    let asked = |text: &str| {
        let domain = Domain::parse(text, &signature).unwrap();
        let question = Question::difference(&models[0], &models[1], Some(&domain)).unwrap();
        answer(&question, &options(), &Limits::default()).unwrap()
    };
    for text in [
        "positive, c zero",
        "a[1..] zero, c = -1",
        "negative, a bits 2",
    ] {
        let found = asked(text);
        let inputs = &found.witnesses[0].inputs;
        let domain = Domain::parse(text, &signature).unwrap();
        assert!(domain.contains(inputs), "{text}: {inputs:?}");
    }
    // Products of one exponent are not cut.
    let equal = asked("a exp 0..0, b exp 0..0, c zero");
    assert!(equal.witnesses.is_empty());
    assert!(matches!(equal.ended, Ended::NoMore { .. }));
    assert_eq!(asked("c zero, c normal").ended, Ended::Vacuous);
}

#[test]
fn a_permutation_of_the_products_is_the_same_formula() {
    scope(|| {
        for spec in ["fda:K=4", "fda:K=16,F=25", "fda:K=32,in=e4m3,F=13,frac=13"] {
            let model = Model::parse(spec).unwrap();
            let inputs = SymbolicInputs::new(model.signature());
            let mut permuted = inputs.clone();
            permuted.registers.a.reverse();
            permuted.registers.b.reverse();
            permuted.registers.a.rotate_left(1);
            permuted.registers.b.rotate_left(1);
            let one = model.dot_add(&inputs.registers).unwrap().0;
            let other = model.dot_add(&permuted.registers).unwrap().0;
            assert_eq!(one.equals(&other).as_constant(), Some(true), "{spec}");
        }
        // Its twin: a chain depends on the order.
        let model = Model::parse("fda:K=2,chain=2").unwrap();
        let inputs = SymbolicInputs::new(model.signature());
        let mut permuted = inputs.clone();
        permuted.registers.a.reverse();
        permuted.registers.b.reverse();
        let results =
            [&inputs, &permuted].map(|inputs| model.dot_add(&inputs.registers).unwrap().0);
        let differ = results[0].equals(&results[1]).not();
        assert_eq!(differ.as_constant(), None);
    })
}

#[test]
fn asked_for_several_it_finds_different_ones() {
    let found = ask("fda:F=24", "fda:F=25", &options().count(5));
    let mut inputs: Vec<_> = found.witnesses.iter().map(|w| w.inputs.clone()).collect();
    assert_eq!(inputs.len(), 5);
    inputs.dedup();
    assert_eq!(inputs.len(), 5);
}

#[test]
fn the_same_seed_gives_the_same_answer() {
    let seeded = |seed| ask("fda:F=24", "fda:F=25", &options().seed(seed));
    let inputs = |found: &Answer| found.witnesses[0].inputs.clone();
    assert_eq!(inputs(&seeded(1)), inputs(&seeded(1)));
    assert_ne!(inputs(&seeded(1)), inputs(&seeded(2)));
}

/// What a person would write: one product, three powers of two.
#[test]
fn a_minimised_witness_is_simple() {
    let minimised = options().minimise(Duration::from_secs(60));
    let found = ask("fda:F=24", "fda:F=25", &minimised);
    let signature = Model::parse("fda").unwrap().signature();
    let [products, bits, ..] = simplicity(&signature, &found.witnesses[0].inputs);
    assert_eq!((products, bits), (1, 3));
    let found = ask("fda:K=8,chain=2", "fda:K=16", &minimised);
    let signature = Model::parse("fda:K=16").unwrap().signature();
    assert_eq!(simplicity(&signature, &found.witnesses[0].inputs)[0], 2);
}

#[test]
fn a_time_limit_gives_unknown_and_never_a_verdict() {
    let left = Model::parse("fda:K=64,F=25,emin=-133,in=bf16").unwrap();
    let right = Model::parse("fda:K=64,F=25,in=bf16").unwrap();
    let limits = Limits::default().within(Duration::ZERO);
    let found = distinguish(&left, &right, &options(), &limits).unwrap();
    assert_eq!(found.ended, Ended::Unknown(Stopped::TimeLimit));
    assert!(found.witnesses.is_empty());
}

#[test]
fn models_of_different_shapes_are_an_error() {
    let (left, right) = (
        Model::parse("fda").unwrap(),
        Model::parse("fda:K=8").unwrap(),
    );
    let error = distinguish(&left, &right, &options(), &Limits::default()).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("the models do not take the same inputs")
    );
}

/// Every algorithm is a formula too: pairs of one shape are told apart, or proved equal.
#[test]
fn every_algorithm_can_be_distinguished() {
    let different = [
        (
            "cdna3/v_mfma_f32_32x32x8_f16",
            "cdna3/v_mfma_f32_32x32x8_f16:align=trunc",
        ),
        (
            "cdna2/v_mfma_f32_32x32x8f16",
            "cdna3/v_mfma_f32_32x32x8_f16",
        ),
        ("hopper/HMMA.16816.F32", "ampere/HMMA.16816.F32"),
        ("gdfs:F=35", "gdfs:F=34"),
        (
            "gdfs:scale=ue4m3,block=16",
            "gdfs:scale=ue4m3,block=16,zero=min",
        ),
        ("fdrda", "fdrda:late=paper"),
        ("gfdrda", "gfdrda:F=23"),
        ("gps:K=8,G=4", "gps:K=8,G=2"),
        ("fda:K=32,scale=ue8m0", "fda:K=32,scale=ue8m0,F=23"),
        ("exact:K=8", "ieee:K=8,order=fma"),
        ("sfma:fmt=f32,K=2", "ieee:in=f32,K=2"),
    ];
    for (left, right) in by_day(different, 3) {
        let found = ask(left, right, &options());
        assert_eq!(found.witnesses.len(), 1, "{left} and {right}");
    }
    let equal = [
        ("sfma:fmt=f32,K=2", "ieee:in=f32,K=2,order=fma"),
        ("sfma", "sfma:nan=quiet"),
        ("sfma:K=2,fmt=f32", "sfma:K=2,fmt=f32,nan=ones"),
        // Which NaN is carried along makes no difference where one model gives any.
        ("sfma:K=8", "sfma:chain=2,nan=dmma"),
        ("sfma:K=8", "promote(sfma:nan=dmma):K=8"),
    ];
    for (left, right) in equal {
        let found = ask(left, right, &options());
        let proved = Ended::NoMore {
            by: Basis::Construction,
        };
        assert_eq!(found.ended, proved, "{left} and {right}");
    }
    // A link of the chain flushes a -0 that the other has: no f16 products make one.
    let found = ask("gps:K=8,G=4", "gps:K=4,G=4,chain=2", &options());
    let by_facts = matches!(
        found.ended,
        Ended::NoMore {
            by: Basis::Facts {
                about: FactSubject::Stages,
                ..
            }
        }
    );
    assert!(by_facts, "{:?}", found.ended);
    // Of one group, zeros of either sign are lost in its sum with c, which is +0 where it is zero.
    let found = ask("gps:G=4", "gps:G=4,products=fma", &options());
    let by_magnitudes = matches!(
        found.ended,
        Ended::NoMore {
            by: Basis::Magnitudes(_)
        }
    );
    assert!(by_magnitudes, "{:?}", found.ended);
}

/// Equal, but out of the solver's reach in a second: said so, not guessed.
#[test]
fn two_forms_of_one_fused_multiply_add_are_unknown_within_a_limit() {
    let left = Model::parse("exact:in=f32,K=1").unwrap();
    let right = Model::parse("sfma:fmt=f32,K=1").unwrap();
    let limits = Limits::default().within(Duration::from_secs(1));
    let found = distinguish(&left, &right, &options(), &limits).unwrap();
    assert_eq!(found.ended, Ended::Unknown(Stopped::TimeLimit));
    assert!(found.witnesses.is_empty());
}
