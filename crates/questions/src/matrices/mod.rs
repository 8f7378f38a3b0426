//! Matrices: products as a unit computes them, and files of matrices.
//!
//! | what | file |
//! | --- | --- |
//! | registers row by row | `matrix` |
//! | the operands of a product, and whether they fit a model | `product` |
//! | what is kept of a matrix B for several products | `packed` |
//! | `D = A B + C`, each element a sum along k | `gemm` |
//! | sums along k of some rows and columns, and compositions around them | `summation` |
//! | these rows and columns, and their operands | `tile` |
//! | one dot-add of every element: by programs and links, or without them | `worker`, `rows` |
//! | several matrices with batch dimensions, and their products | `stack` |
//! | arrays of NumPy | `array` |
//! | an array of an archive | `archive` |
//! | errors of arrays in files | `array_error` |
//! | products on other processors, after a test | `device` |
//! | the operands of each element of a product | `elements` |
//! | how far a product is from the exact one, or from another | `difference` |

mod archive;
mod array;
mod array_error;
pub mod device;
mod difference;
mod elements;
mod gemm;
mod kept_rows;
mod matrix;
mod packed;
mod product;
mod rows;
mod stack;
mod summation;
mod tile;
mod worker;

pub use array::{read_array, read_numbers, read_shape, write_archive, write_array};
pub use array_error::ArrayError;
pub use difference::{
    LargestDifference, MatrixDifference, difference, distance_from_exact, distance_from_numbers,
};
pub use elements::ElementOperands;
pub use gemm::{SMALL, gemm, gemms};
#[doc(hidden)]
pub use gemm::{pays, worker};
pub use matrix::Matrix;
pub use packed::PackedMatrix;
pub use product::{GemmError, MatrixProduct};
#[doc(hidden)]
pub use rows::RowWorker;
pub use stack::{BatchError, ProductStack, Stack};
#[doc(hidden)]
pub use worker::Worker;
