//! Bounds of fused dot products to which `c` is added late (CDNA3).
//!
//! Products are aligned among themselves, with e_p their largest exponent, and cut as in a [fused
//! sum](super::fused). With two groups, the products of each group are cut in this way, and then
//! the sums of the two groups are cut to F bits. The sum and `c` are aligned to e, the larger one
//! of e_p and the exponent of `c`. If e is e_p, then `c` loses less than 2^(e_p-F). Otherwise the
//! sum loses less than 2^(e-31), and `c` loses nothing, because F is at least 23. The loss by F
//! bits is therefore relative to the products alone. The total may be cut to 31 bits, and is
//! rounded to nearest.

use super::bound::{ErrorBound, scaled};
use super::factors::{Factors, low_products};
use super::rounded;
use mmasmt_core::machines::algorithms::{LateAdd, LateParams};
use mmasmt_core::numbers::float::{Format, Rounding};

const OUT: Format = Format::F32;
/// The number of fraction bits that the total keeps. Aligned to `c`, the dot product keeps at least
/// as many.
const KEPT: i64 = 31;

pub(super) fn of_late(params: &LateParams, groups: u32, factors: Factors) -> ErrorBound {
    let LateParams {
        a,
        b,
        products,
        fraction_bits,
        ..
    } = params;
    let cut = -i64::from(*fraction_bits);
    let is_kept = *fraction_bits >= a.fraction_bits + b.fraction_bits;
    let products = u64::from(*products);
    let cut_products = if is_kept {
        products - u64::from(groups).min(products)
    } else {
        products
    };
    // The sums of all groups but the one with the largest exponent lose bits, and so does `c`. Even
    // if `c` sets the largest exponent, `c` loses bits if F is less than the number of fraction
    // bits of f32.
    let sums = u64::from(groups) - 1 + 1;
    let c_alone = if *fraction_bits >= OUT.fraction_bits {
        scaled(0, 0)
    } else {
        scaled(1, cut)
    };
    // If `c` is zero or subnormal, its exponent is that of the least normal number.
    let low = low_products([a, b], params.zero, factors);
    let floor = low.exponent.unwrap_or(i64::MIN);
    let floor = floor.max(OUT.min_exponent().into());
    // The loss of products with subnormal factors, and of a sum whose exponent such a product sets.
    let last = cut.max(-KEPT);
    let of_low = match low.excess {
        None => scaled(0, 0),
        Some(excess) => scaled(products + sums + 1, excess + last),
    };
    let total = match params.late {
        LateAdd::Cut31 => ErrorBound::none(),
        LateAdd::Cut32Normalise31 => {
            ErrorBound::of_rounding(Rounding::Rd, KEPT as u32, OUT.min_exponent().into())
        }
    };
    let aligned = ErrorBound {
        of_all: scaled(1, -KEPT).plus(&c_alone),
        of_products: scaled(cut_products + sums, cut).plus(&of_low),
        absolute: scaled(products + sums + 1, floor + last),
    };
    aligned
        .then(&total)
        .then(&rounded::of_format(Rounding::Rne, &OUT))
}
