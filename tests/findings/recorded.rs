//! All recorded vectors that come with the repository; and what they tell of results in f16: rounded once, or by way of f32
//! (Fasi et al. §3.1.3; FINDINGS.md).

use mmasmt_core::machines::model::Model;
use mmasmt_core::numbers::float::Format;
use mmasmt_questions::vectors::{Lines, check_file, parse_line, read_index, recorded};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

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

/// Rows of f16 `wmma`, and those that the model with its result in f32, rounded so, and then
/// rounded to nearest in f16, does not reproduce.
fn by_way_of_f32(index: &Path, round: &str) -> (usize, usize) {
    let (mut rows, mut missed) = (0, 0);
    let entries = read_index(index).unwrap();
    let f16 = |name: &str| name.starts_with("wmma") && name.ends_with(".f16.f16.f16.f16");
    for entry in entries.iter().filter(|entry| f16(&entry.instruction)) {
        let row = entry.row().unwrap().unwrap();
        let once = Model::parse(&format!("{}/{}", row.architecture, row.name)).unwrap();
        let wide = once.with(&format!("c=f16,out=f32,round={round}")).unwrap();
        let mut simulator = wide.simulator();
        let mut lines = Lines::new(BufReader::new(File::open(&entry.path).unwrap()));
        while let Some((number, line)) = lines.next_line().unwrap() {
            let vector = parse_line(line, number, &once.signature()).unwrap();
            let d = f32::from_bits(simulator.evaluate(&vector.inputs).unwrap() as u32);
            rows += 1;
            missed += usize::from(u64::from(half::f16::from_f32(d).to_bits()) != vector.d);
        }
    }
    (rows, missed)
}

/// Rows with results in f16, of every instruction, and those that the model with `via=f32` does not
/// reproduce.
fn via_f32(index: &Path) -> (usize, usize) {
    let (mut rows, mut missed) = (0, 0);
    for entry in read_index(index).unwrap() {
        let row = entry.row().unwrap().unwrap();
        let once = Model::parse(&format!("{}/{}", row.architecture, row.name)).unwrap();
        if once.signature().d != Format::F16 {
            continue;
        }
        let twice = once.with("via=f32").unwrap();
        let file = File::open(&entry.path).unwrap();
        let checked = check_file(&twice, BufReader::new(file), 0).unwrap();
        rows += checked.passed + checked.failed;
        missed += checked.failed;
    }
    (rows, missed)
}

#[test]
fn f16_results_by_way_of_f32_are_refuted_to_nearest_and_not_if_cut() {
    let index = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/hardware-vectors/index.tsv");
    if !index.exists() {
        assert!(
            std::env::var_os("CI").is_none(),
            "{} is missing",
            index.display()
        );
        eprintln!("skipped: {} is not there", index.display());
        return;
    }
    assert_eq!(by_way_of_f32(&index, "rne"), (5600, 1));
    assert_eq!(by_way_of_f32(&index, "rz"), (5600, 0));
    assert_eq!(via_f32(&index), (12000, 0));
}
