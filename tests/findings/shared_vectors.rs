//! Recorded hardware and the peer simulator's vectors against the rows of the tables.
//!
//! The data lies beside the repository in `../shared`, so these tests are no part of `cargo test`; a step of `.ci/run` runs them.

use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::vectors::{check_file, read_index};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// What an index came to.
struct Outcome {
    passed: usize,
    files: usize,
    without_row: Vec<String>,
}

/// Checks every file of an index that has a row; the first file that fails is a failure.
///
/// Of a file in `known` as many fail as it says.
fn check_index(index: &str, variant: Option<&str>, known: &[(&str, usize, &str)]) -> Outcome {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../shared")
        .join(index);
    let mut outcome = Outcome {
        passed: 0,
        files: 0,
        without_row: Vec::new(),
    };
    for entry in read_index(&path).unwrap() {
        let Some(model) = entry.model(variant).unwrap() else {
            outcome
                .without_row
                .push(format!("{} {}", entry.arch, entry.instruction));
            continue;
        };
        let file = BufReader::new(File::open(&entry.path).unwrap());
        let checked = check_file(&model, file, 1).unwrap();
        let named = |(name, _, _): &&(&str, usize, &str)| entry.path.ends_with(name);
        let expected = known.iter().find(named).map_or(0, |(_, count, _)| *count);
        assert_eq!(
            checked.failed,
            expected,
            "{}: {:?}",
            entry.path.display(),
            checked.failures
        );
        assert!(
            checked.passed > 0,
            "{} has no vectors",
            entry.path.display()
        );
        outcome.passed += checked.passed;
        outcome.files += 1;
    }
    outcome
}

#[test]
#[ignore = "vectors beside the checkout"]
fn every_recorded_file_passes_with_its_row() {
    let outcome = check_index("hardware-vectors/index.tsv", None, &[]);
    assert_eq!(outcome.without_row, Vec::<String>::new());
    assert_eq!((outcome.files, outcome.passed), (44, 35_200));
}

#[test]
#[ignore = "vectors beside the checkout"]
fn every_reported_file_passes_with_its_row() {
    let outcome = check_index("hardware-vectors/reported/index.tsv", None, &[]);
    assert_eq!(outcome.without_row, Vec::<String>::new());
    assert_eq!((outcome.files, outcome.passed), (12, 304));
}

#[test]
#[ignore = "vectors beside the checkout"]
fn every_file_of_the_first_mma_sim_passes_with_its_variant() {
    let outcome = check_index("mma-sim-vectors/index.tsv", Some("mma-sim-1"), &[]);
    assert_eq!(outcome.without_row, Vec::<String>::new());
    assert_eq!((outcome.files, outcome.passed), (193, 65_600));
}

/// Vectors of MMA-Sim 2.1.1 that no row follows: file, how many, why.
const MISTAKES: &[(&str, usize, &str)] = &[
    ("cdna1__mfma__f32_32x32x4bf16.txt", 1, ALL_MINUS_ZERO),
    ("cdna1__mfma__f32_32x32x2bf16.txt", 2, ALL_MINUS_ZERO),
    ("cdna1__mfma__f32_16x16x2bf16.txt", 2, ALL_MINUS_ZERO),
    ("cdna1__mfma__f32_4x4x2bf16.txt", 1, ALL_MINUS_ZERO),
    (
        "cdna3__mfma__f32_16x16x32_bf8_bf8.txt",
        1,
        "c is -inf, every product is a number, and its result is a number; the other 7 rows of a -inf \
         beside numbers have -inf",
    ),
];
const ALL_MINUS_ZERO: &str =
    "every product and c are -0, and so is their IEEE 754 sum; it gives +0";

/// Vectors of the same program whose NaN is not that of an H100.
const OTHER_NANS: &[(&str, usize, &str)] = &[
    ("hopper__mma__m8n8k4.f64.f64.f64.f64.txt", 2, DEFAULT_NAN),
    ("hopper__mma__m16n8k4.f64.f64.f64.f64.txt", 3, DEFAULT_NAN),
    ("hopper__mma__m16n8k8.f64.f64.f64.f64.txt", 4, DEFAULT_NAN),
    ("hopper__mma__m16n8k16.f64.f64.f64.f64.txt", 4, DEFAULT_NAN),
];
const DEFAULT_NAN: &str =
    "the NaN is always 7ff8000000000000; DMMA gives that of b, of the sum or of a, as recorded";

/// The same program in its newest version is what the rows follow, but for NaNs of DMMA.
#[test]
#[ignore = "vectors beside the checkout"]
fn every_file_of_the_newest_mma_sim_passes_with_its_variant_and_with_the_row() {
    let row = [MISTAKES, OTHER_NANS].concat();
    for (variant, known, passed) in [
        (None, row.as_slice(), 45_140),
        (Some("mma-sim"), MISTAKES, 45_153),
    ] {
        let index = "mma-sim-2-vectors/index.tsv";
        let outcome = check_index(index, variant, known);
        assert_eq!(outcome.without_row, Vec::<String>::new());
        assert_eq!((outcome.files, outcome.passed), (316, passed));
    }
}

/// Vectors of emulators that no row follows.
const EMULATORS: &[(&str, usize, &str)] = &[
    (
        "bochs-amx-bf16.txt",
        1,
        "an exact sum of normal numbers between 2^-126 and 2^-125 becomes zero, which silicon does not do",
    ),
    (
        "bochs-tmmultf32ps.txt",
        3,
        "a signalling NaN whose payload is in the 13 bits that are cut is made quiet first, and stays a NaN",
    ),
];

/// RTX 4060, all pairs of FP8 and sequences of instructions; RDNA; Zen 4; Gaudi 2 and 3 by their vendor; what emulators of processors
/// compute.
#[test]
#[ignore = "vectors beside the checkout"]
fn every_file_of_more_vectors_passes() {
    let outcome = check_index("more-vectors/index.tsv", None, EMULATORS);
    assert_eq!(outcome.without_row, Vec::<String>::new());
    assert_eq!((outcome.files, outcome.passed), (40, 38_908));
}

#[test]
#[ignore = "vectors beside the checkout"]
fn every_file_of_tenstorrents_simulator_passes() {
    let outcome = check_index("tenstorrent-vectors/index.tsv", None, &[]);
    assert_eq!(outcome.without_row, Vec::<String>::new());
    assert_eq!((outcome.files, outcome.passed), (52, 4200));
}

#[test]
#[ignore = "vectors beside the checkout"]
fn every_file_of_a_scheme_passes_with_its_composition() {
    let outcome = check_index("scheme-vectors/index.tsv", None, &[]);
    assert_eq!(outcome.without_row, Vec::<String>::new());
    assert_eq!((outcome.files, outcome.passed), (228, 4052));
}

/// Lines `format-a format-b K a-bytes b-bytes d` that `model` gives, and all lines; `model` makes its name of
/// the formats and K.
fn whole_products(file: &str, model: impl Fn(&str, &str) -> String) -> (usize, usize) {
    let folder = "../shared/more-vectors/silicon/cublas-fp8";
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(folder)
        .join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    let (mut right, mut all) = (0, 0);
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(' ').collect();
        let [a_format, b_format, products, a, b, d] = fields[..] else {
            panic!("{line}");
        };
        let bytes = |text: &str| -> Vec<u64> {
            let digits = text.as_bytes().chunks(2);
            let digits = digits.map(|pair| std::str::from_utf8(pair).unwrap());
            digits
                .map(|pair| u64::from_str_radix(pair, 16).unwrap())
                .collect()
        };
        let name = format!("f32.{a_format}.{b_format}");
        let model = Model::parse(&model(&name, products)).unwrap();
        let inputs = Inputs::new(bytes(a), bytes(b), 0);
        let found = model.simulator().evaluate(&inputs).unwrap();
        right += usize::from(found == u64::from_str_radix(d, 16).unwrap());
        all += 1;
    }
    (right, all)
}

#[test]
#[ignore = "vectors beside the checkout"]
fn every_recorded_product_of_cublas_passes_with_its_row() {
    for (file, kind) in [
        ("rtx4060__gemm_fast.txt", "fast"),
        ("rtx4060__gemm_slow.txt", "slow"),
    ] {
        let row = |name: &str, k: &str| format!("cublas/fp8.{kind}.ada.{name}:K={k}");
        let (right, all) = whole_products(file, row);
        assert!(all > 70, "{file}: {all}");
        assert_eq!(right, all, "{file}");
    }
}

/// The two ways to accumulate are told apart by the recordings.
#[test]
#[ignore = "vectors beside the checkout"]
fn fast_accumulation_is_not_slow_accumulation() {
    let fast = |name: &str, k: &str| format!("cublas/fp8.fast.ada.{name}:K={k}");
    let (right, all) = whole_products("rtx4060__gemm_slow.txt", fast);
    assert!(right < all);
}
