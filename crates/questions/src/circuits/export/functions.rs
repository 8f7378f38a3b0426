//! Models as functions in SMT-LIB: `(define-fun NAME ((a0 (_ BitVec 16)) …) (_ BitVec 32) …)`, with
//! their stages and with functions of their formats.

use super::about::about;
use super::error::ExportError;
use super::names::is_name;
use super::ports::{PortShape, Ports};
use crate::claims::scripts::{finite_of, real_of, value_of};
use crate::solver::engine::functions_in_smtlib;
use mmasmt_core::machines::algorithms::Step;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::bits::Bv;
use mmasmt_numbers::bits::circuit::{Circuit, CircuitBits, CircuitNodeId};
use mmasmt_numbers::float::Format;
use std::fmt::Write;

/// A model as a function: its name and the model.
#[derive(Clone, Debug)]
pub struct Function {
    /// The name: letters, digits and `_`, beginning with a letter.
    pub name: String,
    /// The model.
    pub model: Model,
}

/// What stands beside the functions.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExportAdditions {
    /// Functions of the stages: `NAME.1.exponent`, the exponent that the terms of the first fused
    /// sum are aligned to; `NAME.1.aligned.0`, its first aligned term; `NAME.1.sum`, their sum;
    /// `NAME.1.result`, the register that it is rounded to.
    pub stages: bool,
    /// `NAME.value.FORMAT`, the number in a register as `(_ FloatingPoint 11 53)`.
    pub values: bool,
    /// `NAME.real.FORMAT`, the number in a register as a `Real`, with `NAME.value.FORMAT`.
    pub reals: bool,
}

/// Symbols of SMT-LIB that a function cannot have as its name. Those that begin with `bv` are not
/// listed.
const TAKEN: &[&str] = &[
    "abs", "and", "as", "assert", "concat", "distinct", "div", "exists", "exit", "extract",
    "finite", "forall", "fp", "ite", "let", "match", "mod", "par", "pop", "push", "real", "reset",
    "select", "store", "to_fp", "to_int", "to_real", "value",
];

/// The definitions of all functions. The text also has `NAME.finite.FORMAT` for each of their formats,
/// which tells whether a register holds a number; NAME is that of the first function, so that texts of
/// functions with other names can stand beside it.
///
/// # Errors
/// If a name is none that all solvers take, or two functions have the same name.
pub fn functions(all: &[Function], beside: ExportAdditions) -> Result<String, ExportError> {
    let mut text = String::new();
    for (index, Function { name, .. }) in all.iter().enumerate() {
        let is_taken = TAKEN.contains(&&name[..]) || name.starts_with("bv");
        if !is_name(name) || is_taken || all[..index].iter().any(|other| other.name == *name) {
            return Err(ExportError::Name(name.clone()));
        }
    }
    let mut formats: Vec<Format> = Vec::new();
    for Function { name, model } in all {
        for line in about(model).lines() {
            // Writing to a string does not fail.
            let _ = writeln!(text, "; {line}");
        }
        text += &functions_in_smtlib(&of_model(name, model, beside.stages));
        let signature = model.signature();
        for format in signature.rows().map(|row| row.format).chain([signature.d]) {
            if !formats.contains(&format) {
                formats.push(format);
            }
        }
    }
    let first = all.first().map_or("", |function| &*function.name);
    for format in formats {
        text += &named_after(first, &of_format(format, beside));
    }
    Ok(text)
}

/// The functions of a format with names that begin with `NAME.`.
fn named_after(name: &str, text: &str) -> String {
    let defined = text.replace("(define-fun ", &format!("(define-fun {name}."));
    defined.replace("(value.", &format!("({name}.value."))
}

/// The circuit of a model, with an output for the result and, if `stages` are wanted, for each of
/// its stages.
fn of_model(name: &str, model: &Model, stages: bool) -> Circuit {
    let (signature, shape) = (model.signature(), PortShape::Scalar);
    let ports = Ports { signature, shape };
    let circuit = Circuit::record(ports.inputs(), |inputs| {
        let registers = ports.registers(inputs);
        if !stages {
            return vec![(name.to_owned(), model.result(&registers).id())];
        }
        let (d, stages) = model.evaluate(&registers);
        let mut outputs = vec![(name.to_owned(), d.id())];
        for (number, step) in (1..).zip(stages.steps()) {
            outputs.extend(of_step(&format!("{name}.{number}"), step));
        }
        outputs
    });
    circuit.simplified()
}

/// The words of a step, each with its name.
fn of_step(name: &str, step: &Step<CircuitBits>) -> Vec<(String, CircuitNodeId)> {
    match step {
        Step::Rounded { value, .. } => vec![(format!("{name}.result"), value.id())],
        Step::Fused(fused) => {
            let aligned = fused.aligned.iter().enumerate();
            let aligned =
                aligned.map(|(index, term)| (format!("{name}.aligned.{index}"), term.id()));
            let exponent = fused
                .max_exponent
                .add_const(fused.grid.exponent_offset.into());
            let mut words = vec![(format!("{name}.exponent"), exponent.id())];
            words.extend(aligned);
            words.push((format!("{name}.sum"), fused.sum.id()));
            if fused.grid.result.is_some() {
                words.push((format!("{name}.result"), fused.result.id()));
            }
            words
        }
    }
}

/// The functions of a format: `finite.FORMAT`, and `value.FORMAT` and `real.FORMAT` if they are
/// wanted.
pub fn of_format(format: Format, beside: ExportAdditions) -> String {
    let mut text = finite_of(format);
    if beside.values || beside.reals {
        text += &value_of(format);
    }
    if beside.reals {
        text += &real_of(format);
    }
    text
}
