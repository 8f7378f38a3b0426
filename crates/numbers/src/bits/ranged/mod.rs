//! Bit-vectors that are nodes of a graph with the ranges of their values. Programs over columns of
//! operands are made from them.
//!
//! A [`RangedBits`] is a node and a width. The node is an integer with a known range, and the
//! bit-vector is that integer modulo `2^width`, as in the term layer. Unlike the term layer, the
//! graph has no features for solvers (one form for equal values, big integers); it has operations
//! of machines instead (leading zeros, a lost bit, a choice between constants). Constants stand
//! outside the graph, and every value refers to its graph: no state belongs to a thread.

mod conditions;
mod graph;
mod instance;
mod node;
mod range;
mod rules;
mod sums;
mod value;

pub use graph::RangedGraph;
pub use node::{RangedLiteral, RangedNode, RangedNodeId};
pub use range::SignedRange;
pub use sums::LinearForm;
pub use value::{CAPACITY, RangedBits, RangedInputs, Truth};
