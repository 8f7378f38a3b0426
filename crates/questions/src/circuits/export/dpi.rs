//! Writes DPI-C: a SystemVerilog package that imports the function, and a C wrapper that converts
//! the packed vectors of SystemVerilog.

use super::c::{CFunction, CParameter, register_type};
use std::fmt::Write;

/// The text of the package; it imports `NAME_dpi`, with a packed vector for every parameter.
pub(super) fn package(function: &CFunction<'_>) -> String {
    let name = function.name;
    let mut text = String::new();
    for line in function.about.lines() {
        // Writing to a string does not fail.
        let _ = writeln!(text, "// {line}");
    }
    let inputs = function.parameters.iter().map(|parameter| {
        let bits = bits(parameter);
        format!("        input bit [{}:0] {}", bits - 1, parameter.name)
    });
    let result = function.result_width() - 1;
    let result = format!("        output bit [{result}:0] {}", function.result_name());
    let all: Vec<_> = inputs.chain([result]).collect();
    let _ = write!(
        text,
        "package {name}_pkg;\n    import \"DPI-C\" function void {name}_dpi(\n{}\n    );\nendpackage\n",
        all.join(",\n")
    );
    text
}

/// The total width of a parameter in bits.
fn bits(parameter: &CParameter) -> u32 {
    parameter.width * parameter.length.unwrap_or(1)
}

/// The text of `NAME_dpi` in C; its vectors are rows of 32-bit words, the lowest bits first.
pub(super) fn shim(function: &CFunction<'_>) -> String {
    let name = function.name;
    let parameters = function.parameters.iter();
    let mut declared: Vec<String> = parameters
        .map(|parameter| format!("const svBitVecVal *{}", parameter.name))
        .collect();
    let out = function.result_name();
    declared.push(format!("svBitVecVal *{out}"));
    let mut text = format!(
        "\n#include \"svdpi.h\"\n\n#ifdef __cplusplus\nextern \"C\"\n#endif\nvoid {name}_dpi({});\n\nvoid {name}_dpi({})\n{{\n",
        declared.join(", "),
        declared.join(", ")
    );
    let mut arguments = Vec::new();
    for parameter in &function.parameters {
        let kind = register_type(parameter.width);
        let register = |index: u32| {
            let value = selected(&parameter.name, index * parameter.width, parameter.width);
            format!("({kind})({value})")
        };
        arguments.push(match parameter.length {
            None => register(0),
            Some(length) => {
                let row = format!("row_{}", parameter.name);
                let all: Vec<_> = (0..length).map(register).collect();
                let _ = writeln!(
                    text,
                    "    const {kind} {row}[{length}] = {{\n        {}\n    }};",
                    all.join(",\n        ")
                );
                row
            }
        });
    }
    let _ = writeln!(
        text,
        "    const uint64_t result = {name}({});",
        arguments.join(", ")
    );
    for word in 0..function.result_width().div_ceil(32) {
        let _ = writeln!(
            text,
            "    {out}[{word}] = (svBitVecVal)(result >> {});",
            32 * word
        );
    }
    text + "}\n"
}

/// A C expression for the `width` bits (at most 64) that start at bit `low` of the row `name` of
/// 32-bit words.
fn selected(name: &str, low: u32, width: u32) -> String {
    let words = (low / 32)..=((low + width - 1) / 32);
    let parts = words.map(|word| {
        let value = format!("(uint64_t){name}[{word}]");
        let at = i64::from(32 * word) - i64::from(low);
        match at {
            0 => value,
            1.. => format!("({value} << {at})"),
            _ => format!("({value} >> {})", -at),
        }
    });
    let parts: Vec<_> = parts.collect();
    let mask = match width {
        64 => String::new(),
        _ => format!(" & UINT64_C(0x{:x})", (1_u64 << width) - 1),
    };
    match (parts.len(), mask.is_empty()) {
        (_, true) | (1, _) => format!("{}{mask}", parts.join(" | ")),
        _ => format!("({}){mask}", parts.join(" | ")),
    }
}
