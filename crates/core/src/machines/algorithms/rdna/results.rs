//! Results of a step in f16 and bf16, and `c` in these formats.

use crate::numbers::bits::Bv;
use crate::numbers::float::{Format, NanCode, Rounding, convert};

const F32: Format = Format::F32;

/// `c` as f32, which holds all numbers of f16 and bf16.
pub(super) fn widened<B: Bv>(out: &Format, c: &B) -> B {
    match *out {
        F32 => c.clone(),
        _ => convert(out, &F32, Rounding::Rz, NanCode::Quiet, c),
    }
}

/// If the result is in f16: the exponent of the least normal number of f16. In the search for a
/// step's grid, the exponent of `c` counts as at least this number. `None` for other formats.
pub fn least_of_f16(out: &Format) -> Option<i32> {
    (*out == Format::F16).then(|| out.min_exponent())
}

/// An f32 result, or its upper half if the format of the result is bf16.
pub(super) fn narrowed<B: Bv>(out: &Format, finite: &B) -> B {
    match *out {
        Format::BF16 => finite.extract(31, 16),
        _ => finite.clone(),
    }
}
