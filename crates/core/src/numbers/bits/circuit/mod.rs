//! Circuits: the operations of a computation over words as data, to be printed in any language,
//! simplified, or run on any other instance.
//!
//! [`Recorded`] is an instance of [`Bv`](super::Bv) that keeps every operation as one node, as the
//! model wrote it.

mod graph;
mod node;
mod record;
mod rules;
mod run;
mod simplify;

pub use graph::{Circuit, Port};
pub use node::{Binary, Node, NodeId, Operation, Sort};
pub use record::{Recorded, RecordedTruth};
pub use run::literal;
