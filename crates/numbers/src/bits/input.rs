//! The free inputs of a formula.

/// A free input: any bit-vector of its width.
#[derive(Clone, Debug)]
pub struct Input {
    /// The number of the input.
    pub index: u32,
    /// The width in bits, at most 64.
    pub width: u32,
    /// The name: a simple symbol of SMT-LIB, but not `n` or `p` followed by a number.
    pub name: String,
}
