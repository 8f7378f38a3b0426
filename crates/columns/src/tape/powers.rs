//! Powers of two that align terms to an exponent.

use super::instruction::Value;

/// A column of powers of two, `2^(exponent - top)` where `top` lies within the limits.
#[derive(Clone, Copy)]
pub(super) struct Powers {
    pub(super) value: Value,
    pub(super) exponent: i128,
    pub(super) limits: [i128; 2],
}
