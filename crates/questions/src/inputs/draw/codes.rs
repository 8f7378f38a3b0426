//! Every code of elements and scales of at most 8 bits, one after the other: of `a`, of `b`, of the scales of A and of B. The
//! other factor of the first product is 1, the other products are zero.

use mmasmt_core::machines::algorithms::{Inputs, Operand, OperandRow, Signature};

/// The inputs with this number; they begin again after the last code.
pub fn inputs(signature: &Signature, number: u64) -> Inputs {
    let mut inputs = Inputs::zero(signature);
    let rows = || {
        let rows = signature.rows();
        rows.filter(|row| row.operand != Operand::C)
    };
    for row in rows() {
        match row.operand {
            Operand::A | Operand::B => inputs.row_mut(row.operand)[0] = row.format.one(),
            _ => inputs.row_mut(row.operand).fill(row.format.one()),
        }
    }
    let codes = |row: &OperandRow| match row.format.width() {
        width @ ..=8 => 1 << width,
        _ => 0,
    };
    let all: u64 = rows().map(|row| codes(&row)).sum();
    let mut left = number % all.max(1);
    for row in rows() {
        let count = codes(&row);
        if left < count {
            inputs.row_mut(row.operand)[0] = left;
            break;
        }
        left -= count;
    }
    inputs
}
