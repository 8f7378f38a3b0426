//! Units that read no `c`: every command that prints or writes inputs for them gives `c = 0`, and `check` takes its files.

use super::products::run;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::vectors::parse_line;
use serde_json::Value;
use std::path::Path;

const UNITS: [[&str; 2]; 2] = [
    [
        "unit:{unit u { a, b: e5m2[2]; d: f32; d = round(fuse(a * b) keep 9 by rz) to f32 by rne }}",
        "unit:{unit u { a, b: e5m2[2]; d: f32; d = round(fuse(a * b) keep 10 by rz) to f32 by rne }}",
    ],
    [
        "unit:{unit u { a: u8[2]; b: s8[2]; d: s16; d = round(sum(a * b)) to s16 overflow saturate }}",
        "unit:{unit u { a: u8[2]; b: s8[2]; d: s16; d = round(sum(a * b)) to s16 overflow wrap }}",
    ],
];

/// The program's JSON, and how many inputs it has: lines as files have them. Each has `c = 0`.
fn asked(folder: &Path, args: &[&str]) -> (Value, usize) {
    let (status, out, err) = run(folder, &[args, &["--json", "--seed", "1"]].concat());
    assert!(matches!(status, Some(0 | 1 | 3)), "{args:?}: {out}{err}");
    let value: Value = serde_json::from_str(&out).unwrap();
    let mut lines = Vec::new();
    collect(&value, &mut lines);
    for line in &lines {
        let c = line.split(' ').next().unwrap();
        assert!(c.bytes().all(|digit| digit == b'0'), "{args:?}: {line}");
    }
    (value, lines.len())
}

/// The texts of all keys `line` and `inputs`.
fn collect(value: &Value, lines: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                match (key.as_str(), value) {
                    ("line", Value::String(line)) => lines.push(line.clone()),
                    ("c", Value::String(c)) => lines.push(c.clone()),
                    _ => collect(value, lines),
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| collect(value, lines)),
        _ => {}
    }
}

fn is_taken(folder: &Path, unit: &str, file: &str) {
    let (status, out, err) = run(folder, &["check", unit, file]);
    assert_eq!(status, Some(0), "{file}: {out}{err}");
    assert!(out.contains(" passed, 0 failed"), "{file}: {out}");
}

/// Inputs without results are read as files of the unit are.
fn has_no_c(folder: &Path, unit: &str, file: &str) {
    let signature = Model::parse(unit).unwrap().signature();
    let text = std::fs::read_to_string(folder.join(file)).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    for line in lines {
        let with_result = format!("{line} {}", "0".repeat(signature.d.digits()));
        let inputs =
            parse_line(&with_result, 1, &signature).or_else(|_| parse_line(line, 1, &signature));
        assert_eq!(inputs.unwrap().inputs.c, 0, "{file}: {line}");
    }
}

#[test]
fn inputs_for_a_unit_without_c_have_none() {
    for [unit, other] in UNITS {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        for args in [
            &["distinguish", unit, other, "--count", "3"][..],
            &["distinguish", unit, other, "--no-minimize"],
            &["distinguish", unit, other, "--largest"],
            &["prove", &format!("equal={other}"), unit],
            &["separate", unit, other, "--out", "separate.txt"],
            &[
                "mutants",
                unit,
                "--pair-timeout",
                "100ms",
                "--out",
                "mutants.txt",
            ],
        ] {
            let (value, count) = asked(folder, args);
            assert!(count > 0, "{args:?}: {value}");
        }
        has_no_c(folder, unit, "separate.txt");
        has_no_c(folder, unit, "mutants.txt");
        let record = ["--record", "record.txt", "--confirm", "500"];
        let candidates = ["--model", unit, "--model", other];
        let loops = ["identify", &format!("model:{unit}")];
        asked(folder, &[&loops[..], &candidates, &record].concat());
        is_taken(folder, unit, "record.txt");
        for kind in ["random", "edge", "discriminating"] {
            let (status, _, err) = run(
                folder,
                &[
                    "gen", unit, other, "--kind", kind, "--count", "50", "--out", "gen.txt",
                ],
            );
            assert_eq!(status, Some(0), "{kind}: {err}");
            is_taken(folder, unit, "gen.txt");
        }
    }
}

/// Claims about the exact sum leave out a `c` that is not read, and ask of none.
#[test]
fn claims_on_a_unit_without_c_are_about_products() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let [unit, _] = UNITS[0];
    for args in [
        &["prove", "exact-sums", unit][..],
        &["prove", "error=1ulp", unit],
        &["distinguish", unit, UNITS[0][1], "--ordinary"],
        &["worst", unit, "--time", "1s"],
    ] {
        let (value, count) = asked(folder, args);
        assert!(count > 0, "{args:?}: {value}");
    }
    // One product alone is exact: it was refuted by a `c` that the unit does not read.
    let one = "a[1] = 0, b[1] = 0";
    let (value, _) = asked(folder, &["prove", "exact-sums", unit, "--where", one]);
    assert_eq!(value["verdict"], "proved", "{value}");
    // An assumption that no `c` fulfils is about nothing.
    let (value, _) = asked(folder, &["prove", "exact-sums", unit, "--where", "c = 1"]);
    assert_eq!(value["verdict"], "vacuous", "{value}");
    let (_, out, _) = run(folder, &["probe", unit, "--inputs"]);
    std::fs::write(folder.join("probe.txt"), out).unwrap();
    has_no_c(folder, unit, "probe.txt");
}
