//! Proved bounds of errors, for a model and all its operands. The lemmas stand at the heads of the
//! files.
//!
//! The error is the distance of the result from the exact sum. A bound is `r T + t`, where T is the
//! sum of the magnitudes of `c` and of all products. It holds for finite operands if nothing
//! overflows; for that, it is enough that T is less than the greatest power of two of the formats of
//! its roundings.
//!
//! | what | file |
//! | --- | --- |
//! | the factors for which a bound holds | `factors` |
//! | a bound, and bounds of steps in sequence or in a tree | `bound` |
//! | units, chains and compositions: a rule for each step | `units` |
//! | operations of IEEE 754 outside of units | `rounded` |
//! | whole models | `composed` |
//! | compositions of a unit whose bound alone is known | `runs` |
//! | elements and scales of one format on a unit of another | `adapted` |
//! | parts of numbers: their sizes, and the rest that they leave | `parts` |
//! | bounds of the sums of a scheme | `sums` |
//! | bounds of schemes, computed sum by sum | `schemes` |
//! | Ozaki's schemes on integers | `ozaki` |
//! | the last rounding: a number of last places | `last_rounding` |
//! | sums for which no overflow goes unseen | `overflow` |
//! | the factors of a domain | `on_domain` |
//! | the part that grows with block scales | `of_scales` |
//! | the greatest error on a domain, in each unit | `greatest` |
//! | results that are finite, as nothing on the way overflows | `finite` |

mod adapted;
mod bound;
mod composed;
mod factors;
mod finite;
mod greatest;
mod last_rounding;
mod of_scales;
mod on_domain;
mod overflow;
mod ozaki;
mod parts;
mod rounded;
mod runs;
mod schemes;
mod sums;
mod units;

pub use bound::ErrorBound;
#[doc(hidden)]
pub use bound::scaled;
pub use composed::error_bound;
#[doc(hidden)]
pub use composed::of_composition;
pub use factors::{Factors, Underflow};
pub(super) use factors::{has_numbers_of, has_zero};
pub use finite::gives_finite_results;
pub use greatest::{ErrorUnit, bound_within, error_within, greatest_error};
pub use of_scales::{ScaleBound, greatest_scale};
pub use on_domain::factors_within;
pub use overflow::magnitude_limit;
#[doc(hidden)]
pub use units::{
    Amount, BoundedSum, BoundsValue, BoundsWalk, FactorDistance, Linear, OperandNumber, Peak,
    SignificandPart, of_steps,
};
pub(super) use units::{facts, has_room};
