//! A whole script: options, declarations, definitions, assertions.

use mmasmt_numbers::bits::Input;
use std::fmt::Write;

/// A script, and the inputs that it declares.
#[derive(Clone, Debug)]
pub struct Text {
    /// The inputs.
    pub inputs: Vec<Input>,
    /// The text, which ends with `(check-sat)`.
    pub text: String,
    /// Whether it is of bit-vectors alone.
    pub is_of_bits: bool,
}

impl Text {
    /// A script over bit-vectors of the lines `definitions` that asserts all `roots`. The lines of
    /// `about` become comments.
    pub(in crate::solver::engine) fn new(
        inputs: Vec<Input>,
        definitions: &str,
        roots: &[String],
        about: &str,
    ) -> Self {
        Text::of_logic("QF_BV", inputs, definitions, roots, about)
    }

    /// The same in another logic.
    pub fn of_logic(
        logic: &str,
        inputs: Vec<Input>,
        definitions: &str,
        roots: &[String],
        about: &str,
    ) -> Self {
        let mut text = String::with_capacity(definitions.len() + 1000);
        for line in about.lines() {
            // Writing to a string does not fail.
            let _ = writeln!(text, "; {line}");
        }
        text += "(set-option :produce-models true)\n";
        let _ = writeln!(text, "(set-logic {logic})");
        for Input { name, width, .. } in &inputs {
            let _ = writeln!(text, "(declare-const {name} (_ BitVec {width}))");
        }
        text += definitions;
        for root in roots {
            let _ = writeln!(text, "(assert {root})");
        }
        text += "(check-sat)\n";
        Text {
            inputs,
            text,
            is_of_bits: logic == "QF_BV",
        }
    }
}
