//! Claims as scripts in SMT-LIB over models: a person's own assertions over bit-vectors, in which
//! models are functions.
//!
//! A script is evaluated over any instance of the bit-vectors, as a model is: so it is a formula for
//! every engine, and a computation on the simulator.

mod answer;
mod commands;
mod error;
mod evaluate;
mod operators;
mod read;
mod script;
mod value;

pub use answer::{Found, ScriptAnswer, answer_script};
pub use error::ScriptError;
pub use evaluate::Application;
pub use script::Script;
