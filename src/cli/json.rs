//! Parts common to the JSON of all commands: vectors, values, costs, and the frame around an
//! answer.

use super::output::{PROGRAM, bits};
use crate::cli::error::Error;
use mmasmt_core::machines::algorithms::{Inputs, Operand, Signature};
use mmasmt_core::numbers::float::{Format, decimal, hex_float};
use mmasmt_questions::solver::engine::solver_version;
use mmasmt_questions::vectors::write::SCHEMA;
use serde_json::{Map, Value, json};
use std::io::{self, Write};

/// Writes one JSON object as the only output, with the number of its schema and the version of the
/// program.
pub(super) fn write_json(out: &mut dyn Write, value: &Value) -> Result<(), Error> {
    let object = joined(json!({ "schema": SCHEMA }), value.clone());
    let object = joined(object, json!({ "version": PROGRAM }));
    let text = serde_json::to_string_pretty(&object).map_err(io::Error::from)?;
    writeln!(out, "{text}")?;
    Ok(())
}

/// `object` with the keys of `more` behind its own.
pub(super) fn joined(mut object: Value, more: Value) -> Value {
    if let (Value::Object(object), Value::Object(more)) = (&mut object, more) {
        object.extend(more);
    }
    object
}

/// A register as JSON: bits, C99 hexadecimal float and decimal.
pub(super) fn value_json(format: &Format, register: u64) -> Value {
    json!({
        "bits": bits(format, register),
        "hex": hex_float(format, register),
        "decimal": decimal(format, register),
    })
}

/// Operands and results as a JSON object: `line`, a line as in vector files; then each row of
/// operands; and `d`, which has a result for each model. Registers are hexadecimal strings of
/// native bits.
pub(super) fn vector_json(signature: &Signature, inputs: &Inputs, results: &[u64]) -> Value {
    let texts = inputs.map(signature, |format, register| bits(format, *register));
    let mut map = Map::new();
    map.insert("line".into(), inputs.to_line(signature).into());
    for row in signature.rows() {
        let value = match row.operand {
            Operand::C => texts.c.clone().into(),
            operand => texts.row(operand).into(),
        };
        map.insert(row.operand.name().into(), value);
    }
    if !results.is_empty() {
        let results = results.iter().map(|d| bits(&signature.d, *d));
        map.insert("d".into(), results.collect());
    }
    map.into()
}

/// The cost of an answer as JSON: the seconds that it took, the seed of random choices, and the
/// engines that answered. The seed or the engines are null if the answer did not use them.
pub(super) fn cost_json(seconds: f64, seed: Option<u64>, engine: Option<&str>) -> Value {
    json!({ "seconds": seconds, "seed": seed, "engine": engine })
}

/// The cost of an answer in which the solver inside this program had a part.
pub(super) fn own_cost(seconds: f64, seed: u64) -> Value {
    cost_json(seconds, Some(seed), Some(&solver_version()))
}
