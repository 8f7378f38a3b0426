//! The arithmetic of matrix instructions. Each algorithm has a file or folder, with the name that
//! the papers give it.
//!
//! Each algorithm is one generic function from the bit patterns of `a`, `b`, `c` to the bit pattern
//! of `d = c + a[0]*b[0] + a[1]*b[1] + ...`. The parameters of an algorithm are plain values, not
//! bit-vectors.

mod align;
mod chain;
mod checked;
mod core;
mod cpu;
pub mod descriptions;
mod design;
mod exact;
pub mod fda;
mod fdrda;
mod flushed;
mod fused;
mod gaudi;
mod gdfs;
mod gfdrda;
mod gps;
mod hmma8;
mod ieee;
mod integer;
mod late;
pub mod line;
mod operands;
mod operation;
mod ozaki;
mod pairwise;
pub mod rdna;
mod rows;
mod sfma;
mod signature;
mod sparsity;
mod stages;
mod terms;
mod unit;

pub use self::core::{Core, What};
pub use align::Align;
pub use chain::Chain;
pub use checked::{CheckedInputs, Misfit};
pub use checked::{check_bit_vectors, too_wide};
pub use cpu::{CpuDot, DotOrder, FlushedOperands, NanRule};
pub use descriptions::Description;
pub use design::Design;
pub use exact::Exact;
pub use fda::Fda;
pub use fdrda::Fdrda;
pub use flushed::FlushedResults;
pub use gaudi::{Gaudi, GaudiGeneration};
pub use gdfs::{Cancelled, Gdfs};
pub use gfdrda::Gfdrda;
pub use gps::{Gps, ProductForm, Subnormals};
pub use hmma8::Hmma8;
pub use ieee::{Ieee, Order};
pub use integer::{IntegerDot, Pairing, SumOverflow};
pub use late::{Infinities, LateAdd, LateParams};
pub use operands::{Inputs, Operands, Registers};
pub use operation::Operation;
pub use ozaki::{OzakiResidues, OzakiSlices};
pub use rdna::{Generation, Rdna, StepOrder};
pub use rows::{Operand, OperandRow};
pub use sfma::{FmaNan, Sfma};
pub use signature::{BlockScales, Signature};
pub use sparsity::{CODE_BITS, FIRST, Metadata, Sparsity, Unsuitable};
pub use stages::{Conversion, Fused, Grid, Stages, Step, Summand};
pub use terms::{Products, SubnormalC, ZeroRule};
pub use unit::Unit;

use crate::numbers::bits::Bv;
use crate::numbers::float::NanCode;

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

    /// The result register; the intermediate steps are added to `stages`.
    fn dot_add<B: Bv>(&self, operands: Operands<'_, B>, stages: &mut Stages<B>) -> B;
}
