//! Claims as scripts in SMT-LIB over models: a person's own assertions, in which models are functions.
//!
//! A script becomes a graph of expressions whose sorts are checked. One over bit-vectors is evaluated
//! over any instance of them, as a model is: so it is a formula for every engine, and a computation
//! on the simulator. One with `FloatingPoint` or `Real` is written as text for solvers that know
//! these; the values that they give are replayed on the models' simulators.

mod answer;
mod apply;
mod commands;
mod divide;
mod elaborate;
mod error;
mod evaluate;
mod fixed;
mod floats;
mod formats;
mod found;
mod graph;
mod kind;
mod operators;
mod others;
mod read;
mod reals;
mod replay;
mod script;
mod text;
mod theory;

pub use answer::{ScriptAnswer, answer_script};
pub use error::ScriptError;
pub use evaluate::Application;
pub use formats::{finite_of, real_of, value_of};
pub use found::ScriptFinding;
pub use others::able_solvers;
pub use script::Script;
