//! Values that a solver gives are trusted only where simulators give the same results of models.

use super::evaluate::Application;
use super::script::Script;
use crate::solver::engine::EngineError;

impl Script {
    /// True if the results on words are those on big integers and those of the models' simulators.
    pub(super) fn are_simulated(
        &self,
        words: &[Application<u64>],
        integers: &[Application<u64>],
    ) -> bool {
        words.iter().zip(integers).all(|(left, right)| {
            let model = &self.models[left.model].1;
            let by_simulator = model.simulator().evaluate(&left.inputs(model));
            left.result == right.result && by_simulator == Ok(left.result)
        })
    }

    /// The error that a solver gave values that do not replay.
    pub(super) fn wrong_values(&self, solver: &str, values: &[u64]) -> EngineError {
        let constants = self.constants().zip(values);
        let shown = constants.map(|((name, _), value)| format!("{name} = {value:#x}"));
        EngineError::WrongModel {
            solver: solver.to_owned(),
            model: shown.collect::<Vec<_>>().join(", "),
        }
    }
}
