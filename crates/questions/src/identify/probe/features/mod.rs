//! Features of units, with a file for each, and the tests that ask for them. Papers that ask for the
//! same feature share its inputs; [`tests`] is the table of what each paper asks.

mod aligned_rounding;
mod carry;
mod extra_bits;
mod integer_groups;
mod integers;
mod mode;
mod monotonic;
mod near_one;
mod normalisation;
mod order;
mod overflow;
mod papers;
mod precision;
mod products;
mod rounding;
mod special;
mod subnormals;
mod sum_precision;
mod sum_rounding;
mod summation;
mod width;

pub use papers::tests;
