//! Circuits: a circuit is a computation over words, stored as data: the list of its operations. It
//! can be printed in any language, simplified, or run on any instance of [`Bv`](super::Bv).
//!
//! [`CircuitBits`] is the instance of [`Bv`](super::Bv) that records a circuit. Every operation
//! becomes one node, as the model wrote it.

mod graph;
mod node;
mod record;
mod rules;
mod run;
mod simplify;

pub use graph::{Circuit, Port};
pub use node::{Binary, CircuitNode, CircuitNodeId, CircuitOperation, CircuitSort};
pub use record::{CircuitBits, RecordedTruth};
pub use run::literal;
