//! The arithmetic of matrix instructions: the bit pattern of `d = c + a[0]*b[0] + a[1]*b[1] + ...` from those of `a`, `b`
//! and `c`.
//!
//! An algorithm is a description: a text, whose steps are generic functions over bit-vectors. Ozaki's schemes, which depend
//! on whole rows, are such functions themselves.

mod chain;
mod checked;
mod core;
pub mod descriptions;
mod design;
mod flushed;
pub mod line;
mod operands;
mod operation;
mod ozaki;
mod rows;
mod signature;
mod sparsity;
mod stages;
mod unit;

pub use self::core::{Core, ValueLabel};
pub use chain::Chain;
pub use checked::{CheckedInputs, Misfit};
pub use checked::{check_bit_vectors, too_wide};
pub use descriptions::{Alignment, Description, Exact, SumOverflow};
pub use design::Design;
pub use flushed::FlushedResults;
pub use operands::{Inputs, Operands, Registers};
pub use operation::Operation;
pub use ozaki::{OzakiResidues, OzakiSlices};
pub use rows::{Operand, OperandRow};
pub use signature::{BlockScales, Signature};
pub use sparsity::{CODE_BITS, FIRST, Metadata, Sparsity, SparsityError};
pub use stages::{Conversion, FusedStages, Grid, Stages, Step, Summand};
pub use unit::Unit;

use mmasmt_numbers::bits::Bv;
use mmasmt_numbers::float::NanCode;

/// An algorithm with its parameters.
pub trait DotAdd {
    /// The formats and numbers of the operands, and the format of the result.
    fn signature(&self) -> Signature;

    /// The code of a NaN result.
    fn nan(&self) -> NanCode;

    /// Whether the result depends on `c`. If it does not, each run of the operation starts a new
    /// sum.
    fn reads_c(&self) -> bool {
        true
    }

    /// True if the result is a sum of products. A conversion multiplies nothing, nor does a sum of `a` and `b`.
    fn multiplies(&self) -> bool {
        true
    }

    /// The result register; the intermediate steps are added to `stages`.
    fn dot_add<B: Bv>(&self, operands: Operands<'_, B>, stages: &mut Stages<B>) -> B;
}
