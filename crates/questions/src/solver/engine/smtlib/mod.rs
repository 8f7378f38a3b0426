//! Formulas as SMT-LIB 2 text, for solvers outside of this program.
//!
//! A node denotes an integer with a range; in the text it is a bit-vector just wide enough for
//! that range, two's complement where it can be negative. Every node is a `define-fun`, so that
//! the text is as large as the graph and not as large as its unfolding. The plain script of a goal
//! is written without the graph, for confirmations.

mod plain;
mod script;
mod text;
mod words;

pub use plain::plain_script;
pub(super) use plain::plain_text;
pub use plain::{definitions, name};
pub use script::Script;
pub(super) use text::Text;
