//! The descriptions of the algorithms beside this folder: each text says once more, in another way,
//! what the algorithm computes, and tests compare both.

mod fused;
mod gaudi;
mod groups;
mod late;
mod lines;
mod processors;
mod sequences;

pub use lines::Unsaid;

use super::Description;
use crate::machines::algorithms::Operation;

impl Operation {
    /// The description of the operation.
    ///
    /// # Errors
    /// If the language has no words for a step of it.
    pub fn description(&self) -> Result<Description, Unsaid> {
        match self {
            Operation::Fda(fda) => fused::fda(fda),
            Operation::Hmma8(hmma8) => fused::hmma8(hmma8),
            Operation::Sfma(sfma) => sequences::sfma(sfma),
            Operation::Gps(gps) => sequences::gps(gps),
            Operation::Ieee(ieee) => sequences::ieee(ieee),
            Operation::Exact(exact) => groups::exact(exact),
            Operation::Gdfs(gdfs) => groups::gdfs(gdfs),
            Operation::Integer(dot) => groups::integer(dot),
            Operation::Fdrda(fdrda) => late::fdrda(fdrda),
            Operation::Gfdrda(gfdrda) => late::gfdrda(gfdrda),
            Operation::CpuDot(cpu) => processors::cpu(cpu),
            Operation::Gaudi(gaudi) => gaudi::gaudi(gaudi),
            Operation::Rdna(_) => Err(Unsaid::Step(
                "the order of infinities and NaNs of RDNA, and terms that are complemented against c",
            )),
            Operation::OzakiSlices(_) => Err(Unsaid::Step(
                "slices of significands that depend on the whole row",
            )),
            Operation::OzakiResidues(_) => Err(Unsaid::Step("residues modulo several numbers")),
            Operation::Description(description) => Ok((**description).clone()),
        }
    }
}
