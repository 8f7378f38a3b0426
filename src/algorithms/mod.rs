//! The arithmetic of matrix instructions, one file or folder per algorithm, named as the papers
//! name it.
//!
//! Each is one generic function from the bit patterns of `a`, `b`, `c` to that of
//! `d = c + a[0]*b[0] + a[1]*b[1] + ...`; its parameters are host data.

mod chain;
pub mod fda;
mod hmma8;
mod stages;

pub use chain::Chain;
pub use fda::Fda;
pub use hmma8::Hmma8;
pub use stages::{Fused, Grid, Stages, Step, Summand};

use crate::bits::Bv;
use crate::float::Format;

/// What a dot-add takes and gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    /// Format of `a`.
    pub a: Format,
    /// Format of `b`.
    pub b: Format,
    /// Format of the accumulator in.
    pub c: Format,
    /// Format of the result.
    pub d: Format,
    /// Number of products.
    pub products: u32,
}

/// Operands of a dot-add: as many `a` as `b`, and a `c`, in the widths of their formats.
#[derive(Debug)]
pub struct Operands<'x, B> {
    /// Left factors.
    pub a: &'x [B],
    /// Right factors.
    pub b: &'x [B],
    /// The accumulator in.
    pub c: &'x B,
}

impl<B> Clone for Operands<'_, B> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<B> Copy for Operands<'_, B> {}

/// An algorithm with its parameters.
pub trait DotAdd {
    /// What it takes and gives.
    fn signature(&self) -> Signature;

    /// The result register; the steps on the way are added to `stages`.
    fn dot_add<B: Bv>(&self, operands: Operands<'_, B>, stages: &mut Stages<B>) -> B;
}
