//! What several commands print alike.

use crate::algorithms::Signature;
use crate::error::Error;
use crate::float::{Format, decimal, hex_float};
use crate::vectors::Inputs;
use serde_json::{Value, json};
use std::io::Write;

/// The register in hexadecimal, as in vector files.
pub(super) fn bits(format: &Format, register: u64) -> String {
    format!("{register:0digits$x}", digits = format.digits())
}

/// Bits, C99 hexadecimal float and decimal.
pub(super) fn value_text(format: &Format, register: u64) -> String {
    let bits = format!("0x{}", bits(format, register));
    format!(
        "{bits:<10}  {:<16}  {}",
        hex_float(format, register),
        decimal(format, register)
    )
}

/// Bits, C99 hexadecimal float and decimal.
pub(super) fn value_json(format: &Format, register: u64) -> Value {
    json!({
        "bits": bits(format, register),
        "hex": hex_float(format, register),
        "decimal": decimal(format, register),
    })
}

/// The operands by name, those that are +0 left out.
pub(super) fn write_inputs(
    out: &mut impl Write,
    signature: &Signature,
    inputs: &Inputs,
) -> Result<(), Error> {
    let digits = inputs.a.len().saturating_sub(1).to_string().len();
    let mut left_out = 0;
    for (k, (a, b)) in inputs.a.iter().zip(&inputs.b).enumerate() {
        if (*a, *b) == (0, 0) {
            left_out += 1;
            continue;
        }
        writeln!(out, "  a[{k:>digits$}]  {}", value_text(&signature.a, *a))?;
        writeln!(out, "  b[{k:>digits$}]  {}", value_text(&signature.b, *b))?;
    }
    writeln!(
        out,
        "  c{:digits$}    {}",
        "",
        value_text(&signature.c, inputs.c)
    )?;
    if left_out > 0 {
        let plural = if left_out == 1 {
            "product is"
        } else {
            "products are"
        };
        writeln!(out, "  the other {left_out} {plural} +0 * +0")?;
    }
    Ok(())
}

/// `a`, `b` and `c` as hexadecimal strings of native bits.
pub(super) fn inputs_json(
    signature: &Signature,
    inputs: &Inputs,
) -> serde_json::Map<String, Value> {
    let row = |format: &Format, values: &[u64]| -> Value {
        values
            .iter()
            .map(|register| bits(format, *register))
            .collect()
    };
    let mut map = serde_json::Map::new();
    map.insert("a".into(), row(&signature.a, &inputs.a));
    map.insert("b".into(), row(&signature.b, &inputs.b));
    map.insert("c".into(), bits(&signature.c, inputs.c).into());
    map
}

/// One JSON object, as the only output.
pub(super) fn write_json(out: &mut impl Write, value: &Value) -> Result<(), Error> {
    let text = serde_json::to_string_pretty(value).map_err(std::io::Error::from)?;
    writeln!(out, "{text}")?;
    Ok(())
}

/// The program and its version.
pub(super) const PROGRAM: &str = concat!("mmasmt ", env!("CARGO_PKG_VERSION"));
