//! What an engine finds of the constants of a script.

use super::evaluate::Application;
use mmasmt_numbers::base::limits::Stopped;

/// What was found of the declared constants.
#[derive(Clone, Debug)]
pub enum ScriptFinding {
    /// Values in the order of their declarations, and what the models give for them.
    Values {
        /// The values; 1 is true.
        values: Vec<u64>,
        /// The applications of models, in the order of evaluation.
        applications: Vec<Application<u64>>,
    },
    /// No values make all assertions true.
    Nothing,
    /// Neither values nor a proof within the limits.
    Unknown(Stopped),
}
