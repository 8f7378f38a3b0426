//! One operation of any algorithm.

use super::descriptions::Flags;
use super::{Description, DotAdd, Exact, Operands, OzakiResidues, OzakiSlices, Signature, Stages};
use mmasmt_numbers::bits::Bv;
use mmasmt_numbers::float::NanCode;

/// An operation with its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// A unit that a text describes.
    Description(Box<Description>),
    /// Ozaki's scheme I: exact sums of products of slices.
    OzakiSlices(OzakiSlices),
    /// Ozaki's scheme II: an exact sum from its residues.
    OzakiResidues(OzakiResidues),
    /// The exact sum, rounded once, that claims compare results with.
    Exact(Exact),
    /// The exception flags that a unit raises.
    Flags(Box<Flags>),
}

impl Operation {
    /// The same operation, except that it takes `c` in the format of its result.
    pub fn next(&self) -> Operation {
        match self {
            Operation::Description(unit) => Operation::Description(Box::new(unit.next())),
            other => other.clone(),
        }
    }

    /// The description of the operation; `None` if the language has no words for a step of it.
    pub fn description(&self) -> Option<&Description> {
        match self {
            Operation::Description(unit) => Some(unit),
            _ => None,
        }
    }
}

impl DotAdd for Operation {
    fn signature(&self) -> Signature {
        match self {
            Operation::Description(unit) => unit.signature(),
            Operation::OzakiSlices(ozaki) => ozaki.signature(),
            Operation::OzakiResidues(ozaki) => ozaki.signature(),
            Operation::Exact(exact) => exact.signature(),
            Operation::Flags(flags) => flags.signature(),
        }
    }

    fn nan(&self) -> NanCode {
        match self {
            Operation::Description(unit) => unit.nan(),
            Operation::OzakiSlices(ozaki) => ozaki.nan(),
            Operation::OzakiResidues(ozaki) => ozaki.nan(),
            Operation::Exact(exact) => exact.nan(),
            Operation::Flags(flags) => flags.nan(),
        }
    }

    fn reads_c(&self) -> bool {
        match self {
            Operation::Description(unit) => unit.reads_c(),
            Operation::Flags(flags) => flags.reads_c(),
            _ => true,
        }
    }

    fn multiplies(&self) -> bool {
        match self {
            Operation::Description(unit) => unit.multiplies(),
            _ => true,
        }
    }

    #[inline]
    fn dot_add<B: Bv>(&self, operands: Operands<'_, B>, stages: &mut Stages<B>) -> B {
        match self {
            Operation::Description(unit) => unit.dot_add(operands, stages),
            Operation::OzakiSlices(ozaki) => ozaki.dot_add(operands, stages),
            Operation::OzakiResidues(ozaki) => ozaki.dot_add(operands, stages),
            Operation::Exact(exact) => exact.dot_add(operands, stages),
            Operation::Flags(flags) => flags.dot_add(operands, stages),
        }
    }
}
