//! Proved bounds of errors: for a model and all its operands, by the lemmas that stand in the
//! files.
//!
//! The error is the distance of the result from the exact sum. A bound is `r T + t`, where T is the
//! sum of the magnitudes of `c` and of all products. It holds for finite operands where nothing
//! overflows; it is enough that T is less than the greatest power of two of the format of the
//! result.
//!
//! | what | file |
//! | --- | --- |
//! | for which factors a bound holds | `factors` |
//! | bounds, and those of steps one after the other | `bound` |
//! | fused sums: alignment, cutting, rounding | `fused` |
//! | fused dot products with a late `c`: CDNA3 | `late` |
//! | operations of IEEE 754 in sequence and pairwise | `rounded` |
//! | chains and compositions | `composed` |
//! | parts of numbers, their sizes and what they leave | `parts` |
//! | what is known of the sums of a scheme | `sums` |
//! | schemes, followed sum by sum | `schemes` |

mod bound;
mod composed;
mod factors;
mod fused;

mod late;
mod parts;
mod rounded;
mod schemes;
mod sums;

pub use bound::ErrorBound;
pub use composed::error_bound;
pub use factors::{Factors, Underflow};
