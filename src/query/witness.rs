//! Witnesses: inputs with what two models make of them, believed only after a replay.

use crate::bits::{Big, Concrete};
use crate::model::Model;
use crate::property::results_differ;
use crate::vectors::Inputs;
use thiserror::Error;

/// Inputs on which two models give different results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The operands.
    pub inputs: Inputs,
    /// The result registers of the two models.
    pub results: [u64; 2],
}

/// An answer of the engine that the simulators do not confirm: a defect of this program.
#[derive(Debug, Error)]
#[error("the engine's answer does not survive its replay, please report this: {what} on `{line}`")]
pub struct ReplayError {
    what: String,
    line: String,
}

impl Witness {
    /// Runs both models on `inputs`, each on its word and on the `BigUint` instance.
    ///
    /// # Errors
    /// If two instances of one model disagree, or the models agree.
    pub fn replay(models: [&Model; 2], inputs: Inputs) -> Result<Witness, ReplayError> {
        let error = |what: String| {
            let line = inputs.to_line(&models[0].signature());
            ReplayError { what, line }
        };
        let mut results = [0; 2];
        for (model, result) in models.iter().zip(&mut results) {
            if let Err(misfit) = inputs.checked(&model.signature()) {
                return Err(error(format!("`{model}`: {misfit}")));
            }
            let (word, big) = (
                model.simulator().run(&inputs),
                model.lifted::<Big>(&inputs).0.to_u64(),
            );
            if word != big {
                return Err(error(format!("`{model}` gives {word:x} and {big:x}")));
            }
            *result = word;
        }
        if !results_differ(models, results) {
            return Err(error(format!("both models give {:x}", results[0])));
        }
        Ok(Witness { inputs, results })
    }
}
