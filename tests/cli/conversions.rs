//! Conversions and exception flags at every command: an answer, or one line that refuses them.

use super::products::run;
use crate::setting::by_day;
use mmasmt_core::machines::model::{Model, conversions};
use std::fs;

/// Commands with `@` in the place of the model, and whether they have an answer for a conversion and for flags.
const COMMANDS: [(&str, bool); 27] = [
    ("eval @ --a 3", true),
    ("explain @ --a 3", true),
    ("explain @ --a 3 --html page.html", true),
    ("gen @ --count 20 --seed 1 -o v.txt", true),
    ("gen @ --count 20 --seed 1 --kind edge", true),
    ("gen @ --count 20 --seed 1 -o v.npz", true),
    ("check @ v.txt", true),
    ("check @ v.npz", true),
    ("run model:@ v.txt", true),
    ("mutants @ --time 1s", true),
    ("models show @", true),
    ("export @ --to c -o unit.c", true),
    ("export @ --to verilog -o unit.v", true),
    ("export @ --to btor2 -o unit.btor2", true),
    ("export @ --to smt2 -o unit.smt2", true),
    ("export @ --to acl2 -o unit.lisp", true),
    ("export @ --to tape-c -o tape.c", true),
    ("export @ --to matrix-cuda -o matrix.cu", false),
    ("worst @", false),
    ("compare @", false),
    ("tolerance @ --k 4", false),
    ("matmul a.npy b.npy --on @ --out d.npy", false),
    ("atlas @ @", false),
    ("agree @ @", false),
    ("bench @", false),
    ("probe @", false),
    ("prove exact-sums @", false),
];

#[test]
fn every_command_has_an_answer_or_one_line() {
    let folder = tempfile::tempdir().unwrap();
    for model in by_day(["unit:block.unit", "f32 -> e4m3", "flags(f16 -> e5m2)"], 2) {
        let text = "unit block { a: f16[3]  sa: ue8m0 of 3  d: bf16  x = round(sum(a)) to bf16  y = round(sa[0]) to bf16  d = round(x * y) to bf16 }";
        fs::write(folder.path().join("block.unit"), text).unwrap();
        for (line, is_answered) in COMMANDS {
            let words = line.split(' ').map(|word| word.replace('@', model));
            let words: Vec<String> = words.collect();
            let line: Vec<&str> = words.iter().map(String::as_str).collect();
            let (status, out, err) = run(folder.path(), &line);
            let shown = line.join(" ");
            match is_answered {
                true => assert!(
                    matches!(status, Some(0 | 1 | 3)),
                    "{shown}: {status:?}\n{out}{err}"
                ),
                false => {
                    assert_eq!(status, Some(2), "{shown}\n{out}");
                    assert!(
                        err.starts_with("error: ") && err.trim_end().lines().count() == 1,
                        "{shown}: {err}"
                    );
                }
            }
        }
    }
}

#[test]
fn every_row_of_conversions_is_a_model_of_one_operand() {
    let mut count = 0;
    for row in conversions().unwrap().iter().flat_map(|table| &table.rows) {
        let model = Model::parse(&row.full_name()).unwrap();
        assert!(
            model.signature().is_conversion() && !model.signature().has_c(),
            "{}",
            row.full_name()
        );
        count += 1;
    }
    assert!(count > 100, "{count}");
}

/// The counts that silicon gave for all pairs of numbers.
#[test]
fn sums_of_two_fp8_numbers_overflow_as_often_as_on_silicon() {
    let folder = tempfile::tempdir().unwrap();
    for (format, expected) in [
        ("e4m3", 436),
        ("e5m2", 120),
        ("e4m3fnuz", 496),
        ("e5m2fnuz", 120),
    ] {
        let unit = format!(
            "unit:{{unit fp8sum {{ a, b: {format}[1]  d: {format}  d = round(round(sum(a, b)) to f32) to {format} }}}}"
        );
        let line = [
            "prove",
            "finite-results",
            &unit,
            "--where",
            "finite",
            "--sample",
            "all",
        ];
        let (status, out, err) = run(folder.path(), &line);
        assert_eq!(status, Some(0), "{err}");
        assert!(out.contains(&format!("fails on {expected} of ")), "{out}");
    }
}

#[test]
fn wrong_conversions_are_one_line_with_a_place() {
    let folder = tempfile::tempdir().unwrap();
    for (model, expected) in [
        ("f32 -> bf17", "did you mean `bf16`"),
        ("f32 by rz -> bf16", "at character 5"),
        ("f32 -> s8", "`overflow saturate` or `symmetric`"),
        ("f32 -> s8 overflow saturate", "such as `nan 0`"),
        ("f32 -> e2m1 nan kept", "a format with NaNs"),
        ("promote(f32 -> bf16)", "a unit that sums products"),
        (
            "flags(fda:carry=1)",
            "whose flags are defined, found a `fuse`",
        ),
        (
            "flags(f32 -> s8 overflow saturate nan 0)",
            "a rounding to integers",
        ),
        ("flags(f32 -> bf16, tiny=later)", "after or before"),
        (
            "unit:{unit u { a, b: f16[2]  d: ue8m0  d = round(sum(a * b)) to ue8m0 }}",
            "a conversion, which has no `b`",
        ),
        (
            "unit:{unit u { a: f32  c: f32  d: bf16  d = round(a) to bf16 by sr bits 8 random c }}",
            "random bits of integers",
        ),
        (
            "unit:{unit u { a: f32  sb: ue8m0 of 1  d: bf16  d = round(a) to bf16 }}",
            "scales `sa` alone",
        ),
    ] {
        let (status, out, err) = run(folder.path(), &["eval", model, "--a", "1"]);
        assert_eq!(status, Some(2), "{model}: {out}");
        assert!(
            err.contains(expected) && err.trim_end().lines().count() == 1,
            "{model}: {err}"
        );
    }
}

/// All pairs of positive bf16 numbers, and of a positive and a negative one: what tt-metal's issues 49944, 50425 and 56069
/// count on silicon.
#[test]
#[ignore = "a minute"]
fn sums_of_tenstorrent_differ_from_the_nearest_as_often_as_on_silicon() {
    let folder = tempfile::tempdir().unwrap();
    let nearest = "unit:{unit u { a, b: bf16[1]  d: bf16  d = flush(round(sum(a[0], b[0])) to bf16) sign plus }}";
    let property = format!("equal={nearest}");
    for (domain, expected) in [
        ("factors positive", 8_132_678 + 128),
        ("a positive, b negative", 5_174_580),
    ] {
        let domain = format!("factors normal, {domain}");
        let line = [
            "prove",
            &property,
            "wormhole/elwadd.bf16.bf16",
            "--where",
            &domain,
            "--sample",
            "all",
            "--time",
            "20m",
        ];
        let (status, out, err) = run(folder.path(), &line);
        assert_eq!(status, Some(0), "{err}");
        assert!(
            out.contains(&format!("fails on {expected} of 1057030144 ")),
            "{out}"
        );
    }
}
