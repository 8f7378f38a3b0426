//! Matrices: products of whole ones as a unit computes them, and files of them.
//!
//! | what | file |
//! | --- | --- |
//! | registers row by row | `matrix` |
//! | what is multiplied, and whether it fits a model | `product` |
//! | `D = A B + C`, each element a chain of dot-adds | `gemm` |
//! | some rows and columns of it | `tile` |
//! | arrays of NumPy | `array` |
//! | how far a product is from the exact one, or from another | `difference` |

mod array;
mod difference;
mod gemm;
mod matrix;
mod product;
mod tile;

pub use array::{ArrayError, read_array, write_array};
pub use difference::{Difference, difference, distance_from_exact, distance_from_numbers};
pub use gemm::gemm;
pub use matrix::Matrix;
pub use product::{GemmError, Product};
