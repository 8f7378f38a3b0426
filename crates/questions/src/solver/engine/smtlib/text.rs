//! A whole script: options, declarations, definitions, assertions.

use mmasmt_core::numbers::bits::Input;
use std::fmt::Write;

/// A script of the logic `QF_BV`, and the inputs that it declares.
#[derive(Clone, Debug)]
pub(in crate::solver::engine) struct Text {
    pub inputs: Vec<Input>,
    /// The text, which ends with `(check-sat)`.
    pub text: String,
}

impl Text {
    /// A script of the lines `definitions` that asserts all `roots`. The lines of `about` become
    /// comments.
    pub fn new(inputs: Vec<Input>, definitions: &str, roots: &[String], about: &str) -> Self {
        let mut text = String::with_capacity(definitions.len() + 1000);
        for line in about.lines() {
            // Writing to a string does not fail.
            let _ = writeln!(text, "; {line}");
        }
        text += "(set-option :produce-models true)\n(set-logic QF_BV)\n";
        for Input { name, width, .. } in &inputs {
            let _ = writeln!(text, "(declare-const {name} (_ BitVec {width}))");
        }
        text += definitions;
        for root in roots {
            let _ = writeln!(text, "(assert {root})");
        }
        text += "(check-sat)\n";
        Text { inputs, text }
    }
}
