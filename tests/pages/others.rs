//! Pages of feature tests and of errors of schemes: they hold what the commands say, and every vector on them is one.

use crate::markup::{assert_alone, assert_well_formed, rows, text};
use mmasmt_core::machines::model::Model;
use mmasmt_questions::vectors::parse_inputs;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// The JSON of a command, and the page that it writes.
pub fn both(folder: &Path, arguments: &[&str]) -> (Value, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_mmasmt"))
        .args(arguments)
        .args(["--json", "--html", "page.html"])
        .current_dir(folder)
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    let value = serde_json::from_slice(&output.stdout);
    let page = std::fs::read_to_string(folder.join("page.html"));
    (value.unwrap_or_else(|_| panic!("{error}")), page.unwrap())
}

#[test]
fn a_page_of_feature_tests_holds_every_answer_and_its_vectors() {
    let folder = tempfile::tempdir().unwrap();
    for name in [
        "V100/HMMA.884.F32.F32",
        "gps:K=4,in=bf16",
        "fda:K=8,in=e4m3,F=13",
    ] {
        let (value, page) = both(folder.path(), &["probe", name]);
        assert_well_formed(&page);
        assert_alone(&page);
        let shown = text(&page);
        for test in value["tests"].as_array().unwrap() {
            let what = test["test"].as_str().unwrap();
            assert!(shown.contains(what), "{name}: {what}");
            let sentence = test["shows"].as_str().unwrap();
            assert!(shown.contains(sentence), "{name}: {sentence}");
        }
        let model = Model::parse(name).unwrap();
        let signature = model.signature();
        let mut vectors = 0;
        for block in page.split("<pre class=\"scroll\">").skip(1) {
            for line in block.split("</pre>").next().unwrap().lines() {
                let (operands, d) = line.rsplit_once(' ').unwrap();
                let inputs = parse_inputs(operands, 1, &signature).unwrap();
                let d = u64::from_str_radix(d, 16).unwrap();
                assert_eq!(
                    model.simulator().evaluate(&inputs).unwrap(),
                    d,
                    "{name}: {line}"
                );
                vectors += 1;
            }
        }
        assert!(vectors > 50, "{name}: {vectors} vectors");
        let leaves = page.matches(">#").count();
        assert!(
            leaves >= signature.products as usize,
            "{name}: {leaves} products in the tree"
        );
    }
}

#[test]
fn a_machine_s_answers_are_not_taken_apart_by_a_model() {
    let folder = tempfile::tempdir().unwrap();
    let runner = format!(
        "{} eval fda:K=1,F=20 --vectors -",
        env!("CARGO_BIN_EXE_mmasmt")
    );
    let (_, page) = both(
        folder.path(),
        &[
            "probe",
            "fda:K=1,F=24",
            "--runner",
            &runner,
            "--tests",
            "fttn",
        ],
    );
    assert_well_formed(&page);
    assert!(text(&page).contains("Answered by a machine"));
    assert!(!page.contains("class=\"operands\""));
}

#[test]
fn a_page_of_errors_holds_the_figures_and_the_worst_operands() {
    let folder = tempfile::tempdir().unwrap();
    let (value, page) = both(
        folder.path(),
        &[
            "compare",
            "_",
            "promote:every=1",
            "--on",
            "fda:K=4,F=9,in=e4m3",
            "--lengths",
            "8,256",
            "--exponents",
            "-3..3",
            "--samples",
            "50",
        ],
    );
    assert_well_formed(&page);
    assert_alone(&page);
    let told = rows(&page);
    let found = value["rows"].as_array().unwrap();
    assert_eq!(found.len(), 4);
    let lines: Vec<_> = page.split("a line: <code>").skip(1).collect();
    assert_eq!(lines.len(), found.len());
    for (row, line) in found.iter().zip(lines) {
        let figures = ["median", "p99.9", "worst", "bound"];
        let figures = figures.map(|name| row[name].as_f64().map(|x| format!("{x:.2e}")));
        let is_told = told.iter().any(|cells| {
            let cells: Vec<_> = cells.iter().skip(1).map(|cell| text(cell)).collect();
            let pairs = figures.iter().zip(&cells);
            cells.len() == 4
                && pairs.clone().all(|(figure, cell)| match figure.as_deref() {
                    Some("0.00e0") => cell.ends_with('0'),
                    Some(figure) => cell.ends_with(figure),
                    None => cell.ends_with("not known"),
                })
        });
        assert!(is_told, "{figures:?}");
        let witness = &row["witnesses"][0];
        let operands = line.split("</code>").next().unwrap();
        let c = operands.split(' ').next().unwrap();
        assert_eq!(witness["c"], c);
        let a: Vec<_> = operands.split(' ').nth(1).unwrap().split(',').collect();
        assert_eq!(witness["a"], serde_json::json!(a));
    }
}

#[test]
fn a_page_of_tolerances_holds_every_share() {
    let folder = tempfile::tempdir().unwrap();
    let line = "tolerance fda:K=4 --k 8 --range 2 --samples 50 --atol 1e-6 --wrong fda:K=4,F=22";
    let arguments: Vec<&str> = line.split(' ').collect();
    let (value, page) = both(folder.path(), &arguments);
    assert_well_formed(&page);
    assert_alone(&page);
    let shown = rows(&page);
    let kernels = [&value["right"]].into_iter();
    let kernels: Vec<_> = kernels.chain(value["wrong"].as_array().unwrap()).collect();
    assert_eq!(shown.len(), kernels.len());
    for (row, kernel) in shown.iter().zip(kernels) {
        assert!(text(row[0]).ends_with(kernel["kernel"].as_str().unwrap()));
        let columns = ["proved", "atol", "yours", "largest_random", "bits"];
        assert_eq!(row.len(), columns.len() + 1);
        for (cell, column) in row[1..].iter().zip(columns) {
            let share = 100.0 * kernel[column]["share"].as_f64().unwrap();
            let told = text(cell);
            let told = told.split('>').next_back().unwrap();
            let number: f64 = told.split(' ').next().unwrap().parse().unwrap();
            assert!((number - share).abs() < 0.06, "{told} for {share}");
        }
    }
    let told = text(&page);
    for line in value["paste"].as_array().unwrap() {
        assert!(told.contains(line.as_str().unwrap()), "{line}");
    }
    assert_eq!(page.matches("<svg").count(), 1);
}
