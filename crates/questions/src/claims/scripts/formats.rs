//! Functions of a format in SMT-LIB: whether a register holds a number, and that number as a
//! `FloatingPoint` and as a `Real`.

use crate::solver::engine::{expression, functions_in_smtlib};
use mmasmt_numbers::bits::circuit::{Circuit, Port};
use mmasmt_numbers::float::{Format, unpack, widen};

fn of_register(format: Format) -> Vec<Port> {
    vec![Port::new("x", format.width())]
}

/// `finite.FORMAT`, true of a register that holds a number.
pub fn finite_of(format: Format) -> String {
    let finite = Circuit::record(of_register(format), |inputs| {
        let finite = unpack(&format, &inputs[0]).finite();
        vec![(format!("finite.{format}"), finite.id())]
    });
    functions_in_smtlib(&finite.simplified())
}

/// `value.FORMAT`, the number in a register as `(_ FloatingPoint 11 53)`.
pub fn value_of(format: Format) -> String {
    let width = format.width();
    let value = if format.is_integer() {
        let kind = if format.is_signed() {
            "to_fp"
        } else {
            "to_fp_unsigned"
        };
        format!("((_ {kind} 11 53) RNE x)")
    } else {
        let wide = Circuit::record(of_register(format), |inputs| {
            vec![("d".into(), widen(&format, &Format::F64, &inputs[0]).id())]
        });
        let wide = wide.simplified();
        let text = expression(&wide, wide.outputs()[0].1);
        format!("((_ to_fp 11 53) {text})")
    };
    format!(
        "(define-fun value.{format} ((x (_ BitVec {width}))) (_ FloatingPoint 11 53)\n{value})\n"
    )
}

/// `real.FORMAT`, the number in a register as a Real, over `value.FORMAT`.
pub fn real_of(format: Format) -> String {
    let width = format.width();
    format!(
        "(define-fun real.{format} ((x (_ BitVec {width}))) Real\n(fp.to_real (value.{format} x)))\n"
    )
}
