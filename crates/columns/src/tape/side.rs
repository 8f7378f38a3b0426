//! The sides of a product of matrices.

/// The side that an input belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The side of the left factors.
    Left,
    /// The side of the right factors.
    Right,
    /// Neither side, as for the accumulator.
    Neither,
}
