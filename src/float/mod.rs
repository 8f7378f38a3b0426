//! Floating-point formats and the steps that all algorithms share: unpacking, rounding, special
//! values, exact conversion, IEEE addition.

mod add;
mod convert;
mod dyadic;
mod format;
mod parse;
mod round;
mod show;
mod special;
mod unpack;

pub use add::ieee_add;
pub use convert::widen;
pub use dyadic::Dyadic;
pub use format::{Format, NanCode, SpecialCodes};
pub use parse::{ValueError, parse_value};
pub use round::{Overflow, Rounding, Unrounded, round, signed_width, unsigned_width};
pub use show::{decimal, hex_float, show, ulp_distance};
pub use special::{SpecialTerm, special_or_finite};
pub use unpack::{Unpacked, unpack};
