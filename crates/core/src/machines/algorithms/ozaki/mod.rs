//! Ozaki's schemes: f64 dot products from exact sums of integers, which a matrix unit computes
//! without rounding.
//!
//! Each row of operands is scaled by a power of two. An infinity or a NaN among the operands gives
//! a NaN.

mod residues;
mod row;
mod slices;

pub use residues::OzakiResidues;
pub use slices::OzakiSlices;
