//! The parameters of each algorithm, from which its description is made.

mod cpu;
pub mod fda;
mod gaudi;
mod gdfs;
mod gps;
mod hmma8;
mod ieee;
mod integer;
mod late;
mod sfma;

pub use cpu::{CpuDot, DotOrder, FlushedOperands, NanRule};
pub use fda::{Products, SubnormalC, ZeroRule};
pub use gaudi::{Gaudi, GaudiGeneration};
pub use gdfs::{Cancelled, Gdfs};
pub use gps::{Gps, ProductForm, Subnormals};
pub use hmma8::Hmma8;
pub use ieee::{Ieee, Order};
pub use integer::{IntegerDot, Pairing, SumOverflow};
pub use late::{Infinities, LateAdd, LateParams};
pub use sfma::{FmaNan, Sfma};

use super::{Exact, OzakiResidues, OzakiSlices, Rdna};

/// The parameters of an algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameters {
    /// Fused dot-add.
    Fda(fda::Params),
    /// FP8 products, computed by fused dot-adds in f16.
    Hmma8(Hmma8),
    /// Fused multiply-adds in sequence.
    Sfma(Sfma),
    /// Pairwise sums of groups.
    Gps(Gps),
    /// Exact dot products of groups, with block scales.
    Gdfs(Gdfs),
    /// A fused dot product, and a later step that adds `c`.
    Fdrda(LateParams),
    /// Two fused dot products, and later steps that add them and `c`.
    Gfdrda(LateParams),
    /// The exact sum, rounded once.
    Exact(Exact),
    /// IEEE 754 operations in a stated order.
    Ieee(Ieee),
    /// A dot-product instruction of a CPU.
    CpuDot(CpuDot),
    /// A step of the matrix engine of Gaudi.
    Gaudi(Gaudi),
    /// A dot product of integers.
    Integer(IntegerDot),
    /// A dot-product instruction of RDNA.
    Rdna(Rdna),
    /// Ozaki's scheme I: exact sums of products of slices.
    OzakiSlices(OzakiSlices),
    /// Ozaki's scheme II: an exact sum from its residues.
    OzakiResidues(OzakiResidues),
}

impl Parameters {
    /// The parameters of an operation that takes `c` in the format of its result.
    pub(super) fn next(self) -> Parameters {
        match self {
            Parameters::Fda(params) => Parameters::Fda(fda::Params {
                c: params.out,
                ..params
            }),
            Parameters::Exact(exact) => Parameters::Exact(Exact {
                c: exact.out,
                ..exact
            }),
            other => other,
        }
    }
}
