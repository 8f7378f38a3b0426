//! Floating-point formats, and the operations that algorithms share: unpacking, rounding, special
//! values, conversion, IEEE 754 addition, multiplication and fused multiply-add.

mod add;
mod aliases;
mod arithmetic;
mod convert;
mod dyadic;
mod encoding;
mod exponents;
mod format;
mod host;
mod multiply;
mod number_text;
mod parse;
mod payload;
mod round;
mod rounding;
mod show;
mod special;
mod unpack;

pub use add::ieee_add;
#[doc(hidden)]
pub use aliases::OTHER_NAMES;
pub use arithmetic::Arithmetic;
pub use convert::{FlushedZero, convert, flush, flush_after_rounding, narrow, positive, widen};
pub use dyadic::Dyadic;
pub use encoding::{Encoding, Number};
pub use exponents::Exponents;
pub use format::{Format, LeastField, NanCode, SignBit, SpecialCodes};
pub use host::{flushed_fma, host_mode, odd_sum};
pub use multiply::{ieee_fma, ieee_multiply};
pub use parse::{ValueError, parse_value, taken_for};
pub use payload::first_nan;
pub use round::{Overflow, UnroundedNumber, round, round_sticky};
pub use round::{signed_width, unsigned_width};
pub use rounding::{Rounding, Stochastic};
pub use show::{decimal, hex_float, show, ulp_distance};
pub use special::{SpecialTerm, special_beyond, special_or_finite};
pub use unpack::{UnpackedRegister, integer, unpack, unpack_flushed, with_field};
