//! Formulas as SMT-LIB 2 text, for solvers outside of this program.
//!
//! A node denotes an integer with a range. In the text it is a bit-vector just wide enough for that
//! range, in two's complement if it can be negative. Every node becomes a `define-fun`, so that the
//! text grows with the graph, and not with the tree that the graph unfolds to. The plain script of
//! a goal, which confirms answers, is written without the graph.

mod plain;
mod script;
mod text;
mod words;

pub use plain::plain_script;
pub(super) use plain::plain_text;
pub use plain::{definitions, expression, functions, name, sort};
pub use script::SmtlibScript;
pub use text::Text;
#[doc(hidden)]
pub use words::SmtlibWord;
