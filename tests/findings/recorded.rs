//! All recorded vectors that come with the repository; and what they tell of results in f16: rounded once, or by way of f32
//! (Fasi et al. §3.1.3; FINDINGS.md).

use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::Format;
use mmasmt_questions::vectors::{Recording, check_file, parse_line, recorded};

/// What README counts, in any clone.
#[test]
fn every_recorded_vector_of_the_repository_is_reproduced() {
    let mut passed = 0;
    for section in recorded().unwrap() {
        let (_, checked) = section.check(1).unwrap();
        let (card, model) = (&section.card, &section.model);
        assert_eq!(checked.failed, 0, "{card}, {model}: {:?}", checked.failures);
        assert!(checked.passed > 0, "{card}, {model}");
        passed += checked.passed;
    }
    assert_eq!(passed, 77_477);
}

/// A check that cannot fail checks nothing.
#[test]
fn recorded_vectors_refute_one_fraction_bit_less() {
    for mut section in recorded().unwrap() {
        if section.model == "hopper/wmma.m16n16k16.f32.f16.f16.f32" {
            section.model.push_str(":F=24");
            assert!(section.check(0).unwrap().1.failed > 0, "{}", section.card);
        }
    }
}

/// The results of `matlab-tensor-core`, with the row of each section.
fn sections() -> impl Iterator<Item = (Recording, Model)> {
    let all = recorded().unwrap().into_iter();
    let of_source = all.filter(|section| section.source == "matlab-tensor-core");
    of_source.map(|section| {
        let model = Model::parse(&section.model).unwrap();
        (section, model)
    })
}

/// Rows of f16 `wmma`, and those that the model with its result in f32, rounded so, and then
/// rounded to nearest in f16, does not reproduce.
fn by_way_of_f32(round: &str) -> (usize, usize) {
    let (mut rows, mut missed) = (0, 0);
    let f16 = |name: &str| name.contains("/wmma") && name.ends_with(".f16.f16.f16.f16");
    for (section, once) in sections().filter(|(section, _)| f16(&section.model)) {
        let wide = once.with(&format!("c=f16,out=f32,round={round}")).unwrap();
        let mut simulator = wide.simulator();
        for (number, line) in (1..).zip(section.lines.lines()) {
            let vector = parse_line(line, number, &once.signature()).unwrap();
            let d = f32::from_bits(simulator.evaluate(&vector.inputs).unwrap() as u32);
            rows += 1;
            missed += usize::from(u64::from(half::f16::from_f32(d).to_bits()) != vector.d);
        }
    }
    (rows, missed)
}

/// Rows with results in f16, of every instruction, and those that the model fails whose result comes by way of f32.
fn via_f32() -> (usize, usize) {
    let (mut rows, mut missed) = (0, 0);
    for (section, once) in sections().filter(|(_, model)| model.signature().d == Format::F16) {
        let twice = once.with("via=f32").unwrap();
        let checked = check_file(&twice, section.lines.as_bytes(), 0).unwrap();
        rows += checked.passed + checked.failed;
        missed += checked.failed;
    }
    (rows, missed)
}

#[test]
fn f16_results_by_way_of_f32_are_refuted_to_nearest_and_not_if_cut() {
    assert_eq!(by_way_of_f32("rne"), (5600, 1));
    assert_eq!(by_way_of_f32("rz"), (5600, 0));
    assert_eq!(via_f32(), (12000, 0));
}
