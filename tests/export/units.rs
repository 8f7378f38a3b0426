//! Units whose texts go through every step and option, in every language that a tool here reads.

use crate::common::step_texts::step_models;
use crate::compiled::exported;
use crate::designs::{btor2, design};
use crate::models::{compare, drawn, packed};
use crate::rows::module;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::circuits::export::{ExportFormat, PortShape, Subject};
use mmasmt_questions::solver::engine::SmtSolver;
use std::fmt::Write as _;
use std::process::Command;

#[test]
fn units_in_c() {
    let models = step_models();
    let part: Vec<Model> = models.into_iter().step_by(3).collect();
    assert!(part.len() > 24);
    compare("units", &part, 60, &["-O0", "-fsanitize=undefined"]);
}

#[test]
#[ignore = "takes minutes: the long tests run it"]
fn all_units_in_c() {
    compare("all-units", &step_models(), 2_000, &["-O1"]);
}

/// What is written is a circuit whose sorts fit, and gives the same when it is read.
#[test]
fn units_in_btor2() {
    for model in step_models() {
        let text = btor2(&Subject::Model(model.clone()), PortShape::Scalar);
        let read = design(&text, &model, "").unwrap_or_else(|error| panic!("{model}: {error}"));
        let (mut left, mut right) = (model.simulator(), read.simulator());
        for inputs in drawn(&model.signature(), 40) {
            let expected = left.evaluate(&inputs).unwrap();
            let line = inputs.to_line(&model.signature());
            assert_eq!(
                right.evaluate(&inputs).unwrap(),
                expected,
                "{model}: {line}"
            );
        }
    }
}

/// Functions of two exported files stand in one script; a solver says that they give what the
/// simulators give.
#[test]
fn units_in_smtlib() {
    let Ok(_) = SmtSolver::find("z3") else {
        println!("skipped: no z3 on PATH");
        return;
    };
    for pair in step_models().chunks_exact(2).step_by(4) {
        let mut script = String::new();
        for (model, name) in pair.iter().zip(["f", "g"]) {
            let subject = Subject::Model(model.clone());
            script += &exported(&subject, ExportFormat::Smtlib, PortShape::Scalar, name)[0].text;
            let signature = model.signature();
            let mut simulator = model.simulator();
            for inputs in drawn(&signature, 6) {
                let registers = inputs.each(&signature);
                let arguments: Vec<String> = registers
                    .map(|(format, bits)| format!("(_ bv{bits} {})", format.width()))
                    .collect();
                let expected = simulator.evaluate(&inputs).unwrap();
                writeln!(
                    script,
                    "(assert (= ({name} {}) (_ bv{expected} {})))",
                    arguments.join(" "),
                    signature.d.width()
                )
                .unwrap();
            }
        }
        script += "(check-sat)\n";
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("units.smt2");
        std::fs::write(&path, &script).unwrap();
        let output = Command::new("z3").arg(&path).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(said.trim(), "sat", "{} and {}", pair[0], pair[1]);
    }
}

#[test]
#[ignore = "needs iverilog"]
fn units_in_verilog() {
    for model in step_models() {
        let signature = model.signature();
        let mut simulator = model.simulator();
        let inputs = drawn(&signature, 50);
        let rows: Vec<_> = inputs.iter().map(|one| packed(&signature, one)).collect();
        for (inputs, found) in inputs.iter().zip(module(&model).iverilog(&rows)) {
            let expected = simulator.evaluate(inputs).unwrap();
            assert_eq!(
                found,
                [expected.into()],
                "{model}: {}",
                inputs.to_line(&signature)
            );
        }
    }
}
