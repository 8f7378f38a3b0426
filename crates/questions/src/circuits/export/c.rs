//! Writes a circuit in C: one pure function of fixed-width integers, without loops, memory of its
//! own, or undefined behaviour.
//!
//! A word of up to 64 bits is one `uint64_t`, a wider word several; every shift is guarded against
//! amounts of 64 or more.

use super::limbs::{LimbWord, limb_literal};
use super::statements::{Statements, words_of};
use mmasmt_numbers::bits::circuit::{Binary, Circuit, CircuitNodeId, CircuitOperation};
use std::fmt::Write;

/// The C type of a register of `width` bits.
pub(super) fn register_type(width: u32) -> &'static str {
    match width {
        0..=8 => "uint8_t",
        9..=16 => "uint16_t",
        17..=32 => "uint32_t",
        _ => "uint64_t",
    }
}

/// A parameter of the C function: an integer, or an array of integers.
#[derive(Clone, Debug)]
pub(super) struct CParameter {
    pub name: String,
    /// The width of each register.
    pub width: u32,
    /// The length of an array; `None` for a single integer.
    pub length: Option<u32>,
    /// A description of the parameter for a person.
    pub what: String,
}

/// A circuit as a C function. The circuit has one output, which is the result of the function.
pub(super) struct CFunction<'x> {
    pub name: &'x str,
    pub about: &'x str,
    /// The parameters. Their registers, in order, are the inputs of the circuit.
    pub parameters: Vec<CParameter>,
    /// A description of the result for a person.
    pub result: String,
    pub circuit: &'x Circuit,
}

impl CFunction<'_> {
    /// The source of the function; it includes the header file `header`.
    pub fn source(&self, header: &str) -> String {
        let high = format!("{}_high", self.name);
        let mut statements = Statements::default();
        let words = self.words(&mut statements, &high);
        let (_, result) = &self.circuit.outputs()[0];
        let result = words[result.index()].limbs[0].clone();
        let body = statements.text(std::slice::from_ref(&result));
        let used = words_of(&body);
        let mut text = comment(self.about);
        let _ = write!(text, "\n#include \"{header}\"\n\n");
        if used.contains(&*high) {
            text += &upper_half(&high);
        }
        let _ = writeln!(text, "{}\n{{", self.prototype());
        for CParameter { name, .. } in &self.parameters {
            if !used.contains(&**name) {
                let _ = writeln!(text, "    (void){name};");
            }
        }
        let kind = register_type(self.result_width());
        let _ = write!(text, "{body}    return ({kind}){result};\n}}\n");
        text
    }

    /// The text of the header file.
    pub fn header(&self) -> String {
        let guard = format!("{}_H", self.name.to_ascii_uppercase());
        let mut text = comment(self.about);
        let _ = write!(
            text,
            "\n#ifndef {guard}\n#define {guard}\n\n#include <stdint.h>\n\n\
             #ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n"
        );
        text += "/*\n * Registers are native bits, in the low bits of their types.\n";
        let mut last = "";
        for CParameter { what, .. } in &self.parameters {
            if what != last {
                let _ = writeln!(text, " * {what}");
            }
            last = what;
        }
        let _ = writeln!(text, " * result: {}\n */", self.result);
        let _ = write!(
            text,
            "{};\n\n#ifdef __cplusplus\n}}\n#endif\n\n#endif\n",
            self.prototype()
        );
        text
    }

    /// The width of the result in bits.
    pub fn result_width(&self) -> u32 {
        self.circuit.output_port(0).width
    }

    /// The name of the result of the circuit.
    pub fn result_name(&self) -> &str {
        &self.circuit.outputs()[0].0
    }

    fn prototype(&self) -> String {
        let kind = register_type(self.result_width());
        let parameters = self.parameters.iter().map(|parameter| {
            let CParameter { name, width, .. } = parameter;
            let kind = register_type(*width);
            match parameter.length {
                Some(length) => format!("const {kind} {name}[{length}]"),
                None => format!("{kind} {name}"),
            }
        });
        let parameters: Vec<_> = parameters.collect();
        let lines: Vec<_> = parameters.chunks(8).map(|line| line.join(", ")).collect();
        format!("{kind} {}({})", self.name, lines.join(",\n    "))
    }

    /// The C expression of the register of each input, in the order of the inputs.
    fn registers(&self) -> Vec<String> {
        let registers = self.parameters.iter().flat_map(|parameter| {
            let name = &parameter.name;
            match parameter.length {
                Some(length) => (0..length).map(|k| format!("{name}[{k}]")).collect(),
                None => vec![name.clone()],
            }
        });
        registers.collect()
    }

    fn words(&self, statements: &mut Statements, high: &str) -> Vec<LimbWord> {
        let registers = self.registers();
        let mut words: Vec<LimbWord> = Vec::new();
        for (_, node) in self.circuit.nodes() {
            let width = node.sort.width();
            let word = |id: &CircuitNodeId| words[id.index()].clone();
            let of_limb = |limb| LimbWord {
                limbs: vec![limb],
                width: 1,
            };
            let made = match &node.operation {
                CircuitOperation::Const(value) => LimbWord::constant(width, value),
                CircuitOperation::Input(index) => {
                    let register = &registers[*index as usize];
                    // Ignore the bits of the C type above the width of the register.
                    let mask = match width {
                        8 | 16 | 32 | 64 => String::new(),
                        _ => format!(" & {}", limb_literal((1 << width) - 1)),
                    };
                    let limb = statements.define(format!("(uint64_t){register}{mask}"));
                    LimbWord {
                        limbs: vec![limb],
                        width,
                    }
                }
                CircuitOperation::Not(x) => statements.complement(&word(x)),
                CircuitOperation::Mux(c, x, y) => {
                    let condition = word(c).limbs[0].clone();
                    statements.choose(&condition, &word(x), &word(y))
                }
                CircuitOperation::Extract(x, low) => statements.extract(&word(x), *low, width),
                CircuitOperation::Extend(x, false) => statements.extend(&word(x), width),
                CircuitOperation::Extend(x, true) => statements.extend_signed(&word(x), width),
                CircuitOperation::Binary(binary, x, y) => {
                    let (x, y) = (word(x), word(y));
                    match binary {
                        Binary::Add => statements.add(&x, &y),
                        Binary::Sub => statements.subtract(&x, &y),
                        Binary::Mul => statements.multiply(&x, &y, high),
                        Binary::And => statements.bitwise(&x, &y, "&"),
                        Binary::Or => statements.bitwise(&x, &y, "|"),
                        Binary::Xor => statements.bitwise(&x, &y, "^"),
                        Binary::Shl => statements.shift_left(&x, &y),
                        Binary::Lshr => statements.shift_right(&x, &y),
                        Binary::Ashr => statements.shift_right_signed(&x, &y),
                        Binary::Concat => statements.concat(&x, &y),
                        Binary::Equals => of_limb(statements.equal(&x, &y)),
                        Binary::Less => of_limb(statements.less(&x, &y)),
                        Binary::SignedLess => of_limb(statements.less_signed(&x, &y)),
                    }
                }
            };
            words.push(made);
        }
        words
    }
}

/// The lines of `about` as a C comment.
pub(super) fn comment(about: &str) -> String {
    let mut text = String::from("/*\n");
    for line in about.lines() {
        let _ = writeln!(text, " * {}", line.replace("*/", "* /"));
    }
    text + " */\n"
}

/// A C function that returns the upper half of a product of two 64-bit words, from products of
/// their halves.
fn upper_half(name: &str) -> String {
    format!(
        "static uint64_t {name}(uint64_t x, uint64_t y)\n\
         {{\n    \
         const uint64_t mask = UINT64_C(0xffffffff);\n    \
         const uint64_t low = (x & mask) * (y & mask);\n    \
         const uint64_t left = (x >> 32) * (y & mask) + (low >> 32);\n    \
         const uint64_t right = (x & mask) * (y >> 32) + (left & mask);\n    \
         return (x >> 32) * (y >> 32) + (left >> 32) + (right >> 32);\n\
         }}\n\n"
    )
}
