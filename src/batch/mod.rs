//! Batches: a model on many inputs at once, as a program over columns of operands.

mod columns;
mod compile;
mod evaluate;
mod hoisted;

pub use columns::{ColumnData, Columns};
pub use evaluate::Batch;
pub(crate) use hoisted::Hoisted;
