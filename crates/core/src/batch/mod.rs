//! Batches: evaluation of a model on many inputs at once, by a program over columns of operands.

mod arrays;
mod calculator;
mod column_data;
mod columns;
mod compile;
mod evaluate;
mod exact_sum;
mod hoisted;
mod kept;
mod matrix_tapes;
mod prepared;
mod rest;
mod splitter;

pub use arrays::{operand_array, result_array};
pub use calculator::Calculator;
pub use column_data::ColumnData;
pub use columns::Columns;
pub use compile::tape_of_any_operands;
pub use evaluate::Batch;
pub use hoisted::{SidePrograms, side_of};
pub use kept::{ProgramCache, ProgramLoan};
pub use matrix_tapes::MatrixTapes;
pub use prepared::PreparedSide;
pub use splitter::Splitter;
