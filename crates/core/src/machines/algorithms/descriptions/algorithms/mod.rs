//! The descriptions of the algorithms with keys of their own, from their parameters.

mod fused;
mod gaudi;
mod groups;
mod late;
mod lines;
mod processors;
mod sequences;

use super::{Description, DescriptionError};
use crate::machines::algorithms::{Operation, Parameters};

impl Operation {
    /// The algorithm with these parameters.
    ///
    /// # Errors
    /// If the description is too large.
    pub fn of(parameters: Parameters) -> Result<Operation, DescriptionError> {
        let description = match &parameters {
            Parameters::Fda(params) => fused::fda(params),
            Parameters::Hmma8(hmma8) => fused::hmma8(hmma8),
            Parameters::Sfma(sfma) => sequences::sfma(sfma),
            Parameters::Gps(gps) => sequences::gps(gps),
            Parameters::Ieee(ieee) => sequences::ieee(ieee),
            Parameters::Exact(exact) => groups::exact(exact),
            Parameters::Gdfs(gdfs) => groups::gdfs(gdfs),
            Parameters::Integer(dot) => groups::integer(dot),
            Parameters::Fdrda(params) => late::fdrda(params),
            Parameters::Gfdrda(params) => late::gfdrda(params),
            Parameters::CpuDot(cpu) => processors::cpu(cpu),
            Parameters::Gaudi(gaudi) => gaudi::gaudi(gaudi),
            Parameters::Rdna(rdna) => return Ok(Operation::Rdna(*rdna)),
            Parameters::OzakiSlices(ozaki) => return Ok(Operation::OzakiSlices(*ozaki)),
            Parameters::OzakiResidues(ozaki) => return Ok(Operation::OzakiResidues(*ozaki)),
        }?;
        Ok(Operation::Description(Box::new(Description {
            parameters: Some(parameters),
            ..description
        })))
    }
}
