//! `learn` from recorded answers: units whose answers are in a file are learnt from some of them, and
//! the others judge.

use super::{LATE, NEIGHBOURS, Unknown, machines, of_model, others, unit};
use crate::evidence::vectors_of;
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::identify::learn::{LearnOptions, LearnResult, LearnVerdict, learn_recorded};
use mmasmt_questions::inputs::{Draw, Kind};
use mmasmt_questions::vectors::{Vector, signature_of};
use std::time::Duration;

fn recorded(unit: &mut Unknown, count: usize) -> Vec<Vector> {
    let signature = unit.signature;
    others(&signature, count)
        .map(|inputs| Vector {
            d: (unit.answer)(&inputs),
            inputs,
        })
        .collect()
}

fn learnt(signature: Signature, vectors: &[Vector], confirm: usize) -> LearnResult {
    let options = LearnOptions {
        confirm,
        ..LearnOptions::default()
    };
    learn_recorded(signature, vectors, &options, &Limits::default()).unwrap()
}

/// It is learnt from three quarters of 4,000 answers at most, and gives 4,990 of 5,000 others.
fn is_learnt_from_answers(mut unit: Unknown) {
    let vectors = recorded(&mut unit, 4000);
    let learned = learnt(unit.signature, &vectors, 1000);
    assert_eq!(learned.verdict, LearnVerdict::Confirmed, "{}", learned.text);
    assert!((1000..=3700).contains(&learned.confirmed));
    let model = learned.model.unwrap();
    let mut simulator = model.simulator();
    let all = others(&unit.signature, 9000).skip(4000);
    let agrees = all
        .filter(|inputs| model.accepts(simulator.run(inputs), (unit.answer)(inputs)))
        .count();
    assert!(agrees >= 4990, "{agrees} of 5000\n{}", learned.text);
}

#[test]
fn a_unit_is_learnt_from_its_recorded_answers() {
    is_learnt_from_answers(of_model("fda:K=2,F=25,zero=raw"));
}

#[test]
#[ignore = "minutes"]
fn units_of_several_steps_are_learnt_from_their_recorded_answers() {
    is_learnt_from_answers(of_model("x86/vdpbf16ps"));
    is_learnt_from_answers(unit(LATE, machines::late));
    is_learnt_from_answers(unit(NEIGHBOURS, machines::neighbours));
}

fn of_a_v100() -> (Signature, Vec<Vector>) {
    let signature = signature_of("4 products f16 x f16, c f32, result f32").unwrap();
    let vectors = vectors_of("V100", "wmma.m16n16k16.f32.f16.f16.f32", &signature);
    (signature, vectors)
}

/// Three bits above the greatest term are enough for five terms, as Valpey et al. [arXiv:2502.15999]
/// §4.3 prove of Volta: the solver shows that a fourth changes nothing, and never that one is enough.
#[test]
#[ignore = "a minute"]
fn what_no_input_decides_is_settled_by_the_solver() {
    let (signature, vectors) = of_a_v100();
    let options = LearnOptions {
        confirm: 400,
        settle: Some(Duration::from_secs(60)),
        ..LearnOptions::default()
    };
    let learned = learn_recorded(signature, &vectors, &options, &Limits::default()).unwrap();
    let mut carries = learned.open.iter();
    let carry = carries
        .find(|open| open.choice.part == "parameter carry")
        .unwrap();
    let equal: Vec<&str> = carry
        .equal
        .iter()
        .map(|word| &carry.choice.words[*word][..])
        .collect();
    assert!(equal.contains(&"4"), "{equal:?}");
    assert!(!equal.contains(&"1"), "{equal:?}");
    assert!(!equal.contains(&"2"), "{equal:?}");
}

/// The answers of a V100: the order of its sums, the bits that they keep and the rounding are those
/// that the literature has (one sum, 23 bits, towards zero).
#[test]
fn a_v100_is_learnt_from_its_recorded_answers() {
    let (signature, vectors) = of_a_v100();
    let learned = learnt(signature, &vectors, 400);
    assert_eq!(learned.verdict, LearnVerdict::Confirmed);
    let found = learned.model.unwrap();
    let known = Model::parse("fda:K=4,F=23").unwrap();
    let (mut found, mut known) = (found.simulator(), known.simulator());
    // No recorded answer shows subnormal numbers, so they stay open.
    let one = 0x3c00;
    let inputs = |a: [u64; 4], b: [u64; 4], c: u64| Inputs::new(a.to_vec(), b.to_vec(), c);
    for shift in 0..30u64 {
        let small = (127 - shift) << 23;
        for sign in [0, 1 << 31] {
            let inputs = inputs([one, one, one | 0x8000, 0x3c01], [one; 4], small | sign | 1);
            assert_eq!(found.run(&inputs), known.run(&inputs), "{shift}");
        }
    }
    assert!(!learned.open.is_empty() && !learned.next.is_empty());
}

#[test]
fn two_answers_to_the_same_inputs_are_told() {
    let mut unit = of_model("fda:K=2");
    let mut vectors = recorded(&mut unit, 500);
    let mut other = vectors[17].clone();
    other.d ^= 1;
    vectors.push(other);
    let learned = learnt(unit.signature, &vectors, 100);
    assert_eq!(learned.verdict, LearnVerdict::NotAFunction);
    assert_eq!(learned.two_answers.unwrap().0, vectors[17].inputs);
}

/// Three of 600 answers are wrong: nothing gives all answers, and nothing is confirmed.
#[test]
fn a_file_with_wrong_answers_confirms_nothing() {
    let mut unit = of_model("fda:K=1");
    let mut vectors = recorded(&mut unit, 600);
    for at in [40, 300, 500] {
        vectors[at].d ^= 1;
    }
    let learned = learnt(unit.signature, &vectors, 100);
    assert_eq!(learned.verdict, LearnVerdict::None);
    assert!(learned.failing.is_some());
}

#[test]
fn few_vectors_confirm_nothing() {
    let mut unit = of_model("fda:K=1");
    let vectors = recorded(&mut unit, 300);
    assert_eq!(
        learnt(unit.signature, &vectors, 100_000).verdict,
        LearnVerdict::Unconfirmed
    );
    let none = learnt(unit.signature, &[], 1);
    assert_ne!(none.verdict, LearnVerdict::Confirmed);
}

/// Integers and block scales have no descriptions word by word: their parameters are learnt.
#[test]
fn parameters_of_integers_and_block_scales_are_learnt_from_recorded_answers() {
    for name in ["int:a=u8,b=s8,overflow=saturate", "gdfs:F=20"] {
        let mut unit = of_model(name);
        let kinds = match unit.signature.is_integer() {
            true => [Kind::Random, Kind::Edge],
            false => [Kind::Close, Kind::Cancel],
        };
        let mut draws = kinds.map(|kind| Draw::new(unit.signature, kind, 7));
        let vectors = (0..4000).map(|at| {
            let inputs = draws[at % 2].draw();
            let d = (unit.answer)(&inputs);
            Vector { inputs, d }
        });
        let vectors: Vec<Vector> = vectors.collect();
        let learned = learnt(unit.signature, &vectors, 1000);
        assert_eq!(learned.verdict, LearnVerdict::Confirmed, "{name}");
        let expected = Model::parse(name).unwrap().canonical();
        assert_eq!(learned.name, Some(expected));
    }
}
