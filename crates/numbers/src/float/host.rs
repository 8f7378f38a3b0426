//! IEEE 754 operations that the processor computes, for the instances of `Bv` that support them.
//! The other files of this module define the results; `tests/arithmetic/host.rs` compares the
//! processor's results with them.

use super::{Arithmetic, Format, Rounding, unpack};
use crate::bits::{Bv, HostFormat, HostMode, HostOperation, Prop, mux};

/// The result of the operation on registers of these formats, rounded to nearest even in the format
/// of `to`. `None` if the instance or the processor has no such operation, or if the format of an
/// operand has numbers that the format of `to` lacks.
pub(super) fn on_host<B: Bv>(
    to: &Arithmetic,
    operation: HostOperation,
    operands: &[(&Format, &B)],
) -> Option<B> {
    if !B::USES_HOST {
        return None;
    }
    let format = host_format(&to.format).filter(|_| to.rounding == Rounding::Rne)?;
    let widened = operands
        .iter()
        .map(|&(from, bits)| widened_on_host(from, &to.format, bits));
    let widened = widened.collect::<Option<Vec<B>>>()?;
    let operands: Vec<&B> = widened.iter().collect();
    let result = B::on_host(operation, format, &operands)?;
    let infinity = B::lit(to.format.magnitude_bits(), to.format.beyond_finite());
    let magnitude = result.extract(to.format.magnitude_bits() - 1, 0);
    let nan = B::lit(to.format.width(), to.format.nan(to.nan));
    Some(mux(&infinity.ult(&magnitude), &nan, &result))
}

/// `x * y + z` in binary32, with results flushed that are tiny after rounding. `None` as in [`on_host`].
pub fn flushed_fma<B: Bv>(to: &Arithmetic, operands: [(&B, Format); 3]) -> Option<B> {
    in_binary32(to, HostOperation::FlushedFma, operands)
}

/// `x + y` in binary32, rounded to odd. `None` as in [`on_host`].
pub fn odd_sum<B: Bv>(to: &Arithmetic, operands: [(&B, Format); 2]) -> Option<B> {
    let to = Arithmetic {
        rounding: Rounding::Rne,
        ..*to
    };
    in_binary32(&to, HostOperation::OddSum, operands)
}

fn in_binary32<B: Bv, const N: usize>(
    to: &Arithmetic,
    operation: HostOperation,
    operands: [(&B, Format); N],
) -> Option<B> {
    let is_single = to.format.has_layout_of(&Format::F32);
    let operands = operands
        .each_ref()
        .map(|(register, format)| (format, *register));
    is_single
        .then(|| on_host(to, operation, &operands))
        .flatten()
}

/// The mode in which [`Bv::rounded_on_host`] rounds to the format; `None` if it does not.
pub fn host_mode(format: &Format, rounding: Rounding) -> Option<HostMode> {
    let is_f32 = (1..=Format::F32.fraction_bits).contains(&format.fraction_bits)
        && format.has_layout_of(&Format::F32.with_fraction(format.fraction_bits));
    match rounding {
        Rounding::Rz if is_f32 => Some(HostMode::TowardZero(format.fraction_bits)),
        Rounding::Rne if format.has_layout_of(&Format::F32) => Some(HostMode::Nearest),
        _ => None,
    }
}

fn host_format(format: &Format) -> Option<HostFormat> {
    if format.has_layout_of(&Format::F32) {
        Some(HostFormat::F32)
    } else if format.has_layout_of(&Format::F64) {
        Some(HostFormat::F64)
    } else {
        None
    }
}

/// The register of the format `to` with the number in `bits`; a NaN becomes some NaN. `None` if
/// `to` may lack the number.
fn widened_on_host<B: Bv>(from: &Format, to: &Format, bits: &B) -> Option<B> {
    if from.has_layout_of(to) {
        return Some(bits.clone());
    }
    let is_subset = from.exponent_bits <= to.exponent_bits
        && from.fraction_bits <= to.fraction_bits
        && from.has_subnormals()
        && (from.exponent_bits < to.exponent_bits || from.specials == to.specials);
    if !is_subset {
        return None;
    }
    let x = unpack(from, bits);
    let magnitude = from.code_of(bits);
    let shift = to.fraction_bits - from.fraction_bits;
    let shifted = magnitude.zext(to.magnitude_bits() - shift).widen_low(shift);
    if from.exponent_bits == to.exponent_bits {
        return Some(to.assemble(&x.sign, &shifted));
    }
    // In `to`, the same exponent field means another exponent. The product with a power of two
    // corrects this exactly, for subnormal numbers too.
    let power = to.register(to.bias() - from.bias(), 0, false);
    let power = B::lit(to.width(), power);
    let positive = to.assemble(&B::Bool::constant(false), &shifted);
    let number = B::on_host(
        HostOperation::Multiply,
        host_format(to)?,
        &[&positive, &power],
    )?;
    let number = number.extract(to.magnitude_bits() - 1, 0);
    let infinity = B::lit(to.magnitude_bits(), to.beyond_finite());
    let nan = B::lit(to.magnitude_bits(), to.beyond_finite() + 1);
    let magnitude = mux(&x.infinite, &infinity, &number);
    Some(to.assemble(&x.sign, &mux(&x.nan, &nan, &magnitude)))
}
