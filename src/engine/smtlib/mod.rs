//! Formulas as SMT-LIB 2 text, for solvers outside of this program.
//!
//! A node denotes an integer with a range; in the text it is a bit-vector just wide enough for
//! that range, two's complement where it can be negative. Every node is a `define-fun`, so that
//! the text is as large as the graph and not as large as its unfolding.

mod script;
mod words;

pub use script::Script;
