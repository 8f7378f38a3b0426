//! Products of matrices as kernels of CUDA C++, from the programs that are split by sides: what a row
//! of A or a column of B gives is computed once, into panels; a block of threads then computes a tile
//! of elements, each thread a few rows and columns of it, along the whole chain.
//!
//! | what | file |
//! | --- | --- |
//! | the operands and the programs | `operands` |
//! | which value is computed when | `plan` |
//! | values of one element, in their order | `scope` |
//! | a list, one group of operands after the other for all elements of a thread | `lists` |
//! | sums of products in floats, and greatest sums of pairs, for which GPUs have instructions | `floats`, `maxima` |
//! | what a side keeps for the elements | `panel` |
//! | the kernels of the sides, of the elements, and of elements that are not finite | `sides`, `chain`, `general` |
//! | the whole text | `text` |

mod chain;
mod floats;
mod general;
mod lists;
mod maxima;
mod operands;
mod panel;
mod plan;
mod routines;
mod scope;
mod sides;
mod text;
mod tile;

pub use operands::{OperandRegisters, ProductPrograms};
