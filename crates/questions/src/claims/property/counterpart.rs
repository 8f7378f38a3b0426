//! The results that a property compares with the result of a model, for the text of a refutation.

use super::exact::correctly_rounded;
use super::trial::Trial;
use mmasmt_core::machines::algorithms::Registers;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::bits::{Big, Concrete};
use mmasmt_numbers::float::Rounding;

/// A result that a property compares with the result of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterpart {
    /// The evaluation that gives this result, in words.
    pub what: String,
    /// The register of the result.
    pub d: u64,
}

impl Counterpart {
    /// The register that the evaluation `what` gives.
    pub fn new(what: impl Into<String>, d: &Big) -> Self {
        Counterpart {
            what: what.into(),
            d: d.to_u64(),
        }
    }
}

impl Trial<'_, Big> {
    /// The result of the model for other operands, which `what` describes.
    pub(super) fn other_operands(
        &self,
        what: impl Into<String>,
        inputs: &Registers<Big>,
    ) -> Counterpart {
        Counterpart::new(what, &self.model.result(inputs))
    }

    /// The result of another model.
    pub(super) fn other_model(&self, other: &Model) -> Counterpart {
        Counterpart::new(other.to_string(), &other.result(self.inputs))
    }

    /// The exact sum in the format of the result.
    pub(super) fn exact_sum(&self, what: &str, rounding: Rounding) -> Counterpart {
        let sum = correctly_rounded(&self.signature(), rounding, self.inputs);
        Counterpart::new(what, &sum)
    }
}
