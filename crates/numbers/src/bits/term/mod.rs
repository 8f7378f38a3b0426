//! Terms: the symbolic instance of [`Bv`](super::Bv), simplified while it is built.
//!
//! A [`Term`] is a node of the graph and a width. The node denotes an *integer* with a known range;
//! the term is that integer modulo `2^width`. Extensions therefore make no node, sums are exact and
//! n-ary, and a truncation that keeps all values of the range disappears. Constants are folded by
//! [`Big`](super::Big) and enter the graph only as operands.

mod formulas;
mod graph;
mod instance;
mod linear;
mod lower_limits;
mod multiplications;
mod range;
mod rules;
mod shifts;
mod substitution;
mod symbol;
mod walk;

pub use graph::{Bitwise, Connective, Formula, Graph, Node, NodeId, scope, with_graph};
pub use lower_limits::below_limits;
pub use multiplications::{Multiplication, multiplications};
pub use range::Interval;
pub use substitution::Substitution;
pub use symbol::Term;
pub use walk::{Subterm, Visitor};
