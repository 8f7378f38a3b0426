//! Inputs that have every code of elements and scales.

use mmasmt_core::machines::model::Model;
use mmasmt_questions::inputs::codes::inputs;
use std::collections::HashSet;

#[test]
fn every_code_of_elements_and_scales_is_there_once() {
    for (text, count) in [
        ("gdfs:in=mxfp4,K=64", 16 + 16 + 256 + 256),
        ("fda:in=mxfp8,K=32", 4 * 256),
        ("fda:a=e4m3,b=e2m3,K=4", 256 + 64),
    ] {
        let signature = Model::parse(text).unwrap().signature();
        let all: Vec<_> = (0..count)
            .map(|number| inputs(&signature, number))
            .collect();
        let codes: HashSet<u64> = all.iter().map(|inputs| inputs.a[0]).collect();
        assert_eq!(codes.len(), 1 << signature.a.width(), "{text}");
        // 1 is among the codes of each operand.
        let lines: HashSet<String> = all.iter().map(|one| one.to_line(&signature)).collect();
        let rows = if signature.scales.is_some() { 4 } else { 2 };
        assert_eq!(lines.len() as u64, count - rows + 1, "{text}");
        assert_eq!(inputs(&signature, count), all[0], "{text}");
    }
}
