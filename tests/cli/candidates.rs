//! Candidates that a person does not spell out: rows that fit a file, rows that cannot be candidates, names of machine code.

use crate::vector_files::mmasmt;
use mmasmt_core::machines::model::{Model, architectures};
use serde_json::Value;
use std::path::Path;
use std::process::Output;

fn errors(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A file with results of a row; with or without what it says of itself.
fn file(folder: &Path, row: &str, comments: bool) {
    let arguments = ["gen", row, "--kind", "close", "--count", "400"];
    let output = mmasmt(folder, &arguments);
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text
        .lines()
        .filter(|line| comments || !line.starts_with('#'));
    let lines: Vec<_> = lines.collect();
    std::fs::write(folder.join("results.txt"), lines.join("\n") + "\n").unwrap();
}

#[test]
fn without_candidates_all_rows_that_fit_the_file_are_candidates() {
    let folder = tempfile::tempdir().unwrap();
    for (row, comments) in [
        ("hopper/HMMA.16816.F32", true),
        ("ampere/HMMA.16816.F32.BF16", false),
        ("cdna3/v_mfma_f32_32x32x8_f16", false),
    ] {
        file(folder.path(), row, comments);
        let identify = ["identify", "results.txt", "--json", "--pair-timeout", "0.2"];
        let output = mmasmt(folder.path(), &identify);
        let error = errors(&output);
        assert!(
            [Some(0), Some(3)].contains(&output.status.code()),
            "{row}: {error}"
        );
        let signature = Model::parse(row).unwrap().signature().to_string();
        assert!(
            error.contains(&format!("all rows with {signature}")),
            "{row}: {error}"
        );
        let value: Value = serde_json::from_slice(&output.stdout).unwrap();
        let left = value["candidates"].to_string();
        let own = Model::parse(row).unwrap().canonical();
        let is_left = value["candidates"].as_array().unwrap().iter().any(|class| {
            let mut names = class.as_array().unwrap().iter();
            names.any(|name| Model::parse(name.as_str().unwrap()).unwrap().canonical() == own)
        });
        assert!(is_left, "{row}: {own} in {left}");
    }
    // What is given is taken.
    file(folder.path(), "hopper/HMMA.16816.F32", true);
    let output = mmasmt(
        folder.path(),
        &["identify", "results.txt", "--model", "fda:K=16,F=25"],
    );
    assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
    assert_eq!(errors(&output), "");
}

/// A row of which nobody knows the arithmetic is no candidate, and no reason to look at none of the others.
#[test]
fn rows_without_arithmetic_are_left_out_and_said() {
    let folder = tempfile::tempdir().unwrap();
    file(folder.path(), "hopper/HMMA.16816.F32", true);
    let unknown = mmasmt_core::machines::model::unmodelled().unwrap();
    let unknown = unknown.iter().flat_map(|machine| &machine.unknown);
    for unknown in unknown.step_by(7) {
        let name = format!("{}/{}", unknown.architecture, unknown.name);
        let identify = [
            "identify",
            "results.txt",
            "--model",
            &name,
            "--model",
            "hopper/HMMA.16816.F32",
        ];
        let output = mmasmt(folder.path(), &identify);
        let error = errors(&output);
        assert_eq!(output.status.code(), Some(0), "{error}");
        let said = format!("note: left out: the arithmetic of `{name}` is not known");
        assert!(error.starts_with(&said), "{error}");
        let output = mmasmt(folder.path(), &["separate", &name, "fda:F=24", "fda:F=25"]);
        assert!(errors(&output).starts_with(&said), "{}", errors(&output));
        assert_eq!(output.status.code(), Some(0));
        let output = mmasmt(
            folder.path(),
            &["identify", "results.txt", "--model", &name],
        );
        assert_eq!(output.status.code(), Some(2), "nothing is left");
    }
}

/// What `models list` finds by a name of machine code, and is no model, says which models there are.
#[test]
fn names_of_machine_code_lead_to_rows() {
    let mut names = std::collections::BTreeSet::new();
    for machine in architectures().unwrap() {
        for row in &machine.rows {
            let words = row.note.iter().flat_map(|note| note.split([' ', ',', ';']));
            let codes = words.filter(|word| word.starts_with("UTC"));
            names.extend(codes.map(|code| (machine.name.as_str(), code)));
            let families = row.sass.iter().map(|name| name.split('.').next().unwrap());
            let families = families.filter(|family| !row.sass.iter().any(|name| name == family));
            names.extend(families.map(|family| (machine.name.as_str(), family)));
        }
    }
    assert!(names.contains(&("blackwell", "UTCHMMA")));
    assert!(names.contains(&("hopper", "HMMA")));
    for (machine, name) in names {
        for text in [
            name.to_owned(),
            name.to_lowercase(),
            format!("{machine}/{name}"),
        ] {
            let error = Model::parse(&text).err().unwrap().to_string();
            let (_, rows) = error.split_once("machine code").expect(&error);
            let (_, first) = rows.split_once("expected one of ").expect(&error);
            let first = first.split([',', ' ']).next().unwrap();
            assert!(Model::parse(first).is_ok(), "{text}: {error}");
            assert!(error.len() < 600, "{error}");
        }
    }
}
