//! Tapes: an algorithm as a list of typed operations on columns, run on a block of lanes at once.
//!
//! An algorithm runs once over the instance of `Bv` that knows the ranges of values
//! ([`ranged`](mmasmt_numbers::bits::ranged)). Its graph is lowered to a [`Tape`]: every value gets
//! 8 to 128 bits, truth values are bytes, and common patterns are one operation (a sum of aligned
//! products with signs, `x + (c ? k : l)`, the test whether a shift loses a one). A [`TapeProgram`]
//! allots columns of [`LANES`] lanes to the values, and runs operations that the compiler has
//! turned into the vector instructions of this processor.

mod columns;
mod conditions;
mod dot_products;
mod double_vectors;
mod element;
mod exact_sums;
mod features;
mod find_floats;
mod find_links;
mod float_chain;
mod floats;
mod fuse;
mod fuse_sums;
mod halves;
mod instruction;
mod kept_columns;
mod late_links;
mod late_sums;
mod link;
mod link_results;
mod link_rule;
mod link_terms;
mod long_sum;
mod lower;
mod many;
mod max_pairs;
mod maxima;
mod narrow;
mod operations;
mod pairs;
mod panel;
mod placed;
mod powers;
pub mod print;
mod program;
mod real_parts;
mod real_sums;
mod reals;
mod result_format;
mod round;
mod rounds;
mod routines;
mod run_floats;
mod run_link;
mod scan;
mod side;
mod split;
mod step;
mod strips;
mod sums;
mod transfer;
mod truths;
mod uniform;
mod vectors;
mod where_zero;
mod wide;

pub use columns::{ColumnType, LANES};
pub use element::{Element, Type};
pub use features::Features;
pub use floats::host_is_ieee;
pub use instruction::{Code, Instruction, Value};
pub use kept_columns::KeptColumns;
pub use link::LinkProgram;
pub use lower::{Purpose, Tape};
pub use panel::{LinkElements, LinkPanel};
pub use program::{ColumnIndex, TapeProgram};
pub use result_format::ResultFormat;
pub use scan::RegisterClass;
pub use side::Side;
pub use split::TapeSplit;
pub use strips::Sides;
pub use transfer::LaneCopies;
