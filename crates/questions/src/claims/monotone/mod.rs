//! Models that never fall: results that rise with `c`, or with each product, by their steps. Chains and
//! compositions have the steps of their units. No formula is needed, so any number of products will do.
//!
//! A step *rises* if its value never falls where one operand rises to the next number, be it `c` or,
//! for a positive other factor, a factor. These steps rise if the values that they take do: exact sums,
//! exact products and products with a scale, which is not negative; a rounding in a direction that
//! does not depend on the operands, also where it flushes small results or overflows; a register whose
//! subnormal numbers become zero; a number that is infinite from some power of two on; a number with
//! fewer significant bits; a negative register that becomes +0. Infinities stay in order; a NaN ends a result, and
//! says nothing.
//!
//! *Fused sums.* The terms of a fused sum are cut at a place that depends on the greatest exponent, so
//! that a term that rises may lose bits of the others. Let one term, with at most as many fraction
//! bits as are kept of it, rise; the others stay.
//!
//! - If the greatest exponent stays, each term is cut at the place where it was: the sum rises.
//! - Otherwise it is that of the term, before or after. Let e be its lesser exponent. Where the greater
//!   one is e + 1, each other term changes by at most the difference of both places, which for k bits
//!   kept is 2^(e-k); a zero has no exponent, and where the term was a zero, or its exponent changes
//!   further, this holds with the greater exponent in place of e. So the sum rises if the term rises by
//!   at least the sum of what all others may lose: its *step*.
//!
//! A number of f fraction bits has a step of at least 2^-f, relative to 2^e: it is a multiple of its
//! last place, a product of a factor's last place times the other factor. What is left of the step is
//! the step of the sum. One f16 product among K has 20 fraction bits, so that 2^(F-20) others may be
//! cut: V100's 4 of 8, H100's 16 of 32. For `c` in f32 these are 2^(F-23): none of both is monotone in `c`.
//!
//! | what | file |
//! | --- | --- |
//! | values of the walk, and their steps | `value` |
//! | a rule for each step of a description | `walk` |
//! | fused sums | `fused` |
//! | what is known of each step, as facts of a certificate | `facts` |
//! | results that depend on their summands alone | `summands` |

mod facts;
mod fused;
mod summands;
mod value;
mod walk;

pub(super) use facts::facts;
pub(super) use summands::facts as facts_of_summands;
pub use summands::is_of_summands;
pub use value::MovingOperands;
#[doc(hidden)]
pub use value::{MonotoneValue, RisingValue};
#[doc(hidden)]
pub use walk::MonotoneWalk;
pub use walk::never_falls;
