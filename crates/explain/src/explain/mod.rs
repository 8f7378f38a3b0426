//! An evaluation step by step, as data, and the first difference between two evaluations.

mod divergence;
#[cfg(feature = "page")]
pub mod page;
mod rounding;
mod sum;

pub use divergence::{Divergence, DivergenceStage, first_divergence};
#[cfg(feature = "page")]
pub use rounding::binary;
pub use rounding::{ExplainedRounding, RoundingDirection};
pub use sum::{ExplainedSum, ExplainedTerm};

use mmasmt_core::machines::algorithms::{Inputs, Misfit, Stages, Step};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::bits::{Big, Concrete};
use mmasmt_numbers::float::Format;

/// An evaluation in steps.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The steps of the unit, in order.
    pub steps: Vec<Explained>,
    /// The result register.
    pub d: u64,
}

/// One step of an evaluation.
#[derive(Clone, Debug)]
pub enum Explained {
    /// A fused sum: one alignment, one rounding.
    Sum(ExplainedSum),
    /// A value that was rounded to a format.
    Rounded {
        /// The name of the value, such as `product[3]`.
        what: String,
        /// The format of the value.
        format: Format,
        /// The register of the rounded value.
        register: u64,
    },
}

/// The evaluation of `model` on `inputs`, in steps.
///
/// # Errors
/// If the inputs do not fit the signature of the model.
pub fn explain(model: &Model, inputs: &Inputs) -> Result<Explanation, Misfit> {
    let (d, stages) = model.stages::<Big>(inputs)?;
    Ok(Explanation {
        steps: steps(&stages),
        d: d.to_u64(),
    })
}

fn steps(stages: &Stages<Big>) -> Vec<Explained> {
    let step = |step: &Step<Big>| match step {
        Step::Fused(fused) => Explained::Sum(sum::sum(fused)),
        Step::Rounded {
            what,
            index,
            format,
            value,
        } => Explained::Rounded {
            what: sum::label((what, *index)),
            format: *format,
            register: value.to_u64(),
        },
    };
    stages.steps().iter().map(step).collect()
}
