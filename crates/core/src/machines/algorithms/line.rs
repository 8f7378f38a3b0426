//! Operands as a line of a vector file.

use super::operands::Inputs;
use super::signature::Signature;
use mmasmt_numbers::float::Format;

impl Inputs {
    /// The inputs as a line of a vector file: `c a0,a1,… b0,b1,…`, and `sa0,… sb0,…` where there
    /// are scales.
    pub fn to_line(&self, signature: &Signature) -> String {
        let mut line = String::new();
        push_operands(&mut line, signature, self);
        line
    }
}

/// Appends the operands to `text`, in the form of a line of a vector file.
pub fn push_operands(text: &mut String, signature: &Signature, inputs: &Inputs) {
    for (number, row) in signature.rows_in_line().enumerate() {
        for (index, register) in inputs.row(row.operand).iter().enumerate() {
            match (number, index) {
                (0, 0) => {}
                (_, 0) => text.push(' '),
                _ => text.push(','),
            }
            push_register(text, &row.format, *register);
        }
    }
}

/// Appends the register to `text` with all of its hexadecimal digits.
pub fn push_register(text: &mut String, format: &Format, register: u64) {
    let digits = (0..format.digits()).rev();
    text.extend(digits.map(|digit| {
        let value = (register >> (4 * digit) & 0xf) as usize;
        char::from(b"0123456789abcdef"[value])
    }));
}
