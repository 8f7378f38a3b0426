//! What publications found on real GPUs, put to the models; `FINDINGS.md` tells it in words.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "so tests fail"
)]

mod dot2;
mod fasi;
mod fttn;
mod hardware;
mod mma_sim;
mod public;
mod questions;
mod recorded;
mod sections;
mod shared_vectors;
mod smt;
mod tables;

use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::{Format, hex_float, parse_value};

fn parse(format: &Format, text: &str) -> u64 {
    parse_value(format, text).unwrap_or_else(|error| panic!("{error}"))
}

/// The result of a dot-add as a hex float, from operands as on the command line; the missing
/// products are +0.
fn eval(model: &str, a: &str, b: &str, c: &str) -> String {
    let model = Model::parse(model).unwrap_or_else(|error| panic!("{error}"));
    let signature = model.signature();
    let list = |format: &Format, texts: &str| -> Vec<u64> {
        let texts = texts.split(',').filter(|text| !text.is_empty());
        texts.map(|text| parse(format, text)).collect()
    };
    let (a, b) = (list(&signature.a, a), list(&signature.b, b));
    let inputs = Inputs::new(a, b, parse(&signature.c, c)).padded(&signature);
    let d = model.simulator().evaluate(&inputs.unwrap()).unwrap();
    hex_float(&signature.d, d)
}

/// The dot-add gives `expected`; `nan` stands for any NaN.
#[track_caller]
fn gives(model: &str, (a, b, c): (&str, &str, &str), expected: &str) {
    let format = Model::parse(model).unwrap().signature().d;
    let expected = hex_float(&format, parse(&format, expected));
    assert_eq!(eval(model, a, b, c), expected, "{model}: {a} x {b} + {c}");
}
