//! One operation of any algorithm.

use super::{
    CpuDot, Description, DotAdd, Exact, Fda, Fdrda, Gaudi, Gdfs, Gfdrda, Gps, Hmma8, Ieee,
    IntegerDot, Operands, OzakiResidues, OzakiSlices, Rdna, Sfma, Signature, Stages, fda::Params,
};
use crate::numbers::bits::Bv;
use crate::numbers::float::NanCode;

/// An operation with its parameters. A new operation needs a file beside this one, a line in each
/// match here, and a table of its keys in `model::keys`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Fused dot-add.
    Fda(Box<Fda>),
    /// FP8 products, computed by fused dot-adds in f16.
    Hmma8(Box<Hmma8>),
    /// Fused multiply-adds in sequence.
    Sfma(Sfma),
    /// Pairwise sums of groups.
    Gps(Gps),
    /// Exact dot products of groups, with block scales.
    Gdfs(Box<Gdfs>),
    /// A fused dot product, and a later step that adds `c`.
    Fdrda(Box<Fdrda>),
    /// Two fused dot products, and later steps that add them and `c`.
    Gfdrda(Box<Gfdrda>),
    /// The exact sum, rounded once.
    Exact(Exact),
    /// IEEE 754 operations in a stated order.
    Ieee(Ieee),
    /// A dot-product instruction of a CPU.
    CpuDot(CpuDot),
    /// A dot-product instruction of RDNA.
    Rdna(Rdna),
    /// A step of the matrix engine of Gaudi.
    Gaudi(Gaudi),
    /// A dot product of integers.
    Integer(IntegerDot),
    /// Ozaki's scheme I: exact sums of products of slices.
    OzakiSlices(OzakiSlices),
    /// Ozaki's scheme II: an exact sum from its residues.
    OzakiResidues(OzakiResidues),
    /// A unit that a text describes.
    Description(Box<Description>),
}

impl Operation {
    /// The same operation, except that it takes `c` in the format of its result.
    pub fn next(&self) -> Operation {
        match self {
            Operation::Fda(fda) => {
                let params = *fda.params();
                let c = params.out;
                Operation::Fda(Box::new(Fda::new(Params { c, ..params })))
            }
            Operation::Exact(exact) => Operation::Exact(Exact {
                c: exact.out,
                ..*exact
            }),
            other => other.clone(),
        }
    }
}

impl DotAdd for Operation {
    fn signature(&self) -> Signature {
        match self {
            Operation::Fda(fda) => fda.signature(),
            Operation::Hmma8(hmma8) => hmma8.signature(),
            Operation::Sfma(sfma) => sfma.signature(),
            Operation::Gps(gps) => gps.signature(),
            Operation::Gdfs(gdfs) => gdfs.signature(),
            Operation::Fdrda(fdrda) => fdrda.signature(),
            Operation::Gfdrda(gfdrda) => gfdrda.signature(),
            Operation::Exact(exact) => exact.signature(),
            Operation::Ieee(ieee) => ieee.signature(),
            Operation::CpuDot(cpu) => cpu.signature(),
            Operation::Rdna(rdna) => rdna.signature(),
            Operation::Gaudi(gaudi) => gaudi.signature(),
            Operation::Integer(dot) => dot.signature(),
            Operation::OzakiSlices(ozaki) => ozaki.signature(),
            Operation::OzakiResidues(ozaki) => ozaki.signature(),
            Operation::Description(unit) => unit.signature(),
        }
    }

    fn nan(&self) -> NanCode {
        match self {
            Operation::Fda(fda) => fda.nan(),
            Operation::Hmma8(hmma8) => hmma8.nan(),
            Operation::Sfma(sfma) => sfma.nan(),
            Operation::Gps(gps) => gps.nan(),
            Operation::Gdfs(gdfs) => gdfs.nan(),
            Operation::Fdrda(fdrda) => fdrda.nan(),
            Operation::Gfdrda(gfdrda) => gfdrda.nan(),
            Operation::Exact(exact) => exact.nan(),
            Operation::Ieee(ieee) => ieee.nan(),
            Operation::CpuDot(cpu) => cpu.nan(),
            Operation::Rdna(rdna) => rdna.nan(),
            Operation::Gaudi(gaudi) => gaudi.nan(),
            Operation::Integer(dot) => dot.nan(),
            Operation::OzakiSlices(ozaki) => ozaki.nan(),
            Operation::OzakiResidues(ozaki) => ozaki.nan(),
            Operation::Description(unit) => unit.nan(),
        }
    }

    fn reads_c(&self) -> bool {
        match self {
            Operation::Description(unit) => unit.reads_c(),
            _ => true,
        }
    }

    #[inline]
    fn dot_add<B: Bv>(&self, operands: Operands<'_, B>, stages: &mut Stages<B>) -> B {
        match self {
            Operation::Fda(fda) => fda.dot_add(operands, stages),
            Operation::Hmma8(hmma8) => hmma8.dot_add(operands, stages),
            Operation::Sfma(sfma) => sfma.dot_add(operands, stages),
            Operation::Gps(gps) => gps.dot_add(operands, stages),
            Operation::Gdfs(gdfs) => gdfs.dot_add(operands, stages),
            Operation::Fdrda(fdrda) => fdrda.dot_add(operands, stages),
            Operation::Gfdrda(gfdrda) => gfdrda.dot_add(operands, stages),
            Operation::Exact(exact) => exact.dot_add(operands, stages),
            Operation::Ieee(ieee) => ieee.dot_add(operands, stages),
            Operation::CpuDot(cpu) => cpu.dot_add(operands, stages),
            Operation::Rdna(rdna) => rdna.dot_add(operands, stages),
            Operation::Gaudi(gaudi) => gaudi.dot_add(operands, stages),
            Operation::Integer(dot) => dot.dot_add(operands, stages),
            Operation::OzakiSlices(ozaki) => ozaki.dot_add(operands, stages),
            Operation::OzakiResidues(ozaki) => ozaki.dot_add(operands, stages),
            Operation::Description(unit) => unit.dot_add(operands, stages),
        }
    }
}
