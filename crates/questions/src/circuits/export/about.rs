//! The header of an exported file: the model, the version, the evidence.

use mmasmt_core::machines::model::{Model, find_architecture, find_row};
use std::fmt::Write;

/// The program and its version.
pub(super) const PROGRAM: &str = concat!("mmasmt ", env!("CARGO_PKG_VERSION"));

/// Lines about a model: its text, its algorithm with all keys, its operands, and the evidence that
/// the tables give for it.
pub(super) fn about(model: &Model) -> String {
    let mut text = format!("{model}: the model by {PROGRAM}\n");
    // Writing to a string does not fail.
    let _ = writeln!(text, "algorithm: {}", model.canonical());
    let _ = writeln!(text, "operands: {}", model.signature());
    for line in evidence(model) {
        let _ = writeln!(text, "evidence: {line}");
    }
    if model.gives_any_nan() {
        text += "the code of a NaN result is unspecified: any NaN stands for any other\n";
    }
    text
}

/// The evidence that the tables give for the model; empty unless the model is an unchanged row of a
/// table.
fn evidence(model: &Model) -> Vec<String> {
    let text = model.to_string();
    let Some((architecture, instruction)) = text.split_once('/') else {
        return Vec::new();
    };
    let row = find_architecture(architecture).and_then(|found| find_row(found, instruction));
    row.map(|row| row.evidence.clone()).unwrap_or_default()
}
