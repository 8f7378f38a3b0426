//! Bit-vectors that are nodes of a graph with the ranges of their values: what a program over
//! columns of operands is made from.
//!
//! A [`Ranged`] is a node and a width. The node is an integer with a known range, the bit-vector is
//! that integer modulo `2^width`, as in the term layer. What a solver wants is left out (one form
//! for what is equal, big integers); what a machine has is kept (leading zeros, a lost bit, a
//! choice between constants). Constants stand outside the graph, and every value holds its graph:
//! there is no state of a thread.

mod conditions;
mod graph;
mod instance;
mod node;
mod range;
mod rules;
mod sums;
mod value;

pub use graph::Graph;
pub use node::{Bitwise, Literal, Node, NodeId};
pub use range::Range;
pub use value::{CAPACITY, Inputs, Ranged, Truth};
