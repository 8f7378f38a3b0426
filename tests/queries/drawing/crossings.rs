//! Inputs at which one operand crosses a power of two.

use mmasmt_core::machines::model::Model;
use mmasmt_questions::inputs::{CrossingOperand, crossings};

#[test]
fn a_person_would_try_these() {
    let signature = Model::parse("fda:K=4,F=23").unwrap().signature();
    let lines: Vec<String> = crossings(&signature, CrossingOperand::C)
        .map(|inputs| inputs.to_line(&signature))
        .collect();
    let three = "4b7fffff 3c00,3c00,3c00,0000 3c00,3c00,3c00,0000";
    assert!(lines.iter().any(|line| line == three));
    assert!(lines.len() < 500, "{}", lines.len());
    let factors = crossings(&signature, CrossingOperand::Factor);
    // 2047 and 2^-9.
    let two = "00000000 67ff,1800,0000,0000 3c00,3c00,0000,0000";
    assert!(
        factors
            .into_iter()
            .any(|inputs| inputs.to_line(&signature) == two)
    );
}
