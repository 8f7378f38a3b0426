//! Floating-point formats and the steps that all algorithms share: unpacking, rounding, special
//! values, exact conversion, IEEE addition.

mod add;
mod convert;
mod dyadic;
mod format;
mod round;
mod special;
mod text;
mod unpack;

pub use add::ieee_add;
pub use convert::widen;
pub use dyadic::Dyadic;
pub use format::{Format, NanCode, SpecialCodes};
pub use round::{Overflow, Rounding, Unrounded, round, signed_width, unsigned_width};
pub use special::{SpecialTerm, special_or_finite};
pub use text::{ValueError, decimal, hex_float, parse_value, show, ulp_distance};
pub use unpack::{Unpacked, unpack};
