//! Writes SMT-LIB: a declaration for every input, a definition for every operation.

use crate::solver::engine::{definitions, name_in_smtlib};
use mmasmt_numbers::bits::circuit::{Circuit, CircuitSort};
use std::fmt::Write;

/// The SMT-LIB text of a circuit: a definition for every output or, if `is_bad`, an assertion of
/// the output and a `(check-sat)`.
pub(super) fn script(about: &str, circuit: &Circuit, is_bad: bool) -> String {
    let mut text = String::new();
    for line in about.lines() {
        // Writing to a string does not fail.
        let _ = writeln!(text, "; {line}");
    }
    if is_bad {
        text += "(set-option :produce-models true)\n";
    }
    text += "(set-logic QF_BV)\n";
    for port in circuit.inputs() {
        let _ = writeln!(
            text,
            "(declare-const {} (_ BitVec {}))",
            port.name, port.width
        );
    }
    text += &definitions(circuit);
    for (name, id) in circuit.outputs() {
        let value = name_in_smtlib(circuit, *id);
        let _ = match (is_bad, circuit.node(*id).sort) {
            (true, _) => writeln!(text, "(assert {value})"),
            (false, CircuitSort::Truth) => writeln!(text, "(define-fun {name} () Bool {value})"),
            (false, CircuitSort::Word(width)) => {
                writeln!(text, "(define-fun {name} () (_ BitVec {width}) {value})")
            }
        };
    }
    if is_bad {
        text += "(check-sat)\n";
    }
    text
}
