//! The free inputs of a formula.

/// A free input: any bit-vector of its width.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its number.
    pub index: u32,
    /// Bits, at most 64.
    pub width: u32,
    /// A simple symbol of SMT-LIB other than `n` or `p` before a number.
    pub name: String,
}
