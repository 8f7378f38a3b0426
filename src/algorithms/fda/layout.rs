//! Widths and offsets of a fused dot-add, found once from its parameters.

use super::params::{Carry, Params, Products, SubnormalC, ZeroRule};
use crate::algorithms::Grid;
use crate::float::{Format, unsigned_width};

/// Where the numbers of a fused dot-add lie.
///
/// All exponents are kept less `grid.exponent_offset`, the least exponent that a term can have, so
/// that they are unsigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub grid: Grid,
    /// Bits of every exponent.
    pub exponent_width: u32,
    /// Bits of a product's significand.
    pub product_width: u32,
    /// Bits of the exact sum, its sign included.
    pub sum_width: u32,
    /// Bits of the sum as the unit keeps it, where that is less.
    pub wrapped_width: Option<u32>,
    /// Exponent fields of the operands.
    pub a: Fields,
    pub b: Fields,
    pub c: Fields,
    /// What is added to the exponent of a product, and to that of `c`, both counted from the
    /// bases of their operands.
    pub product_shift: i64,
    pub c_shift: i64,
    /// Which exponent a subnormal `c` has.
    pub subnormal_c: SubnormalC,
    /// The lower limit of the alignment exponent.
    pub exponent_limit: Option<u64>,
}

/// Which exponent fields an operand can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fields {
    /// What fields are counted from: 0, or less where a zero counts as less.
    pub base: i64,
    /// The least field.
    least: i64,
    /// That of a zero under [`ZeroRule::Min`], less the base.
    pub zero_above_base: u64,
}

impl Fields {
    fn of(params: &Params, format: &Format) -> Fields {
        let zero = match params.zero {
            ZeroRule::Skip | ZeroRule::Raw => 1,
            ZeroRule::Min => ZERO_EXPONENT + i64::from(format.bias()),
        };
        let base = zero.min(0);
        Fields {
            base,
            least: zero.min(1),
            zero_above_base: (zero - base) as u64,
        }
    }

    /// The least exponent.
    fn low(&self, format: &Format) -> i64 {
        self.least - i64::from(format.bias())
    }

    /// The exponent that a field at the base would mean.
    fn at_base(&self, format: &Format) -> i64 {
        self.base - i64::from(format.bias())
    }
}

/// The exponent of a zero operand under [`ZeroRule::Min`].
const ZERO_EXPONENT: i64 = -126;

impl Layout {
    pub(super) fn of(params: &Params) -> Layout {
        let Params {
            a,
            b,
            c,
            fraction_bits,
            ..
        } = params;
        let product_width = a.precision() + b.precision();
        let (product_fraction, product_limit) = match params.products {
            Products::Exact => (a.fraction_bits + b.fraction_bits, 4),
            Products::Normalised => (product_width - 1, 2),
        };

        let fields = |format: &Format| Fields::of(params, format);
        let (a_low, b_low, c_low) = (fields(a).low(a), fields(b).low(b), fields(c).low(c));
        // Normalising lowers an exponent by up to the leading zeros that there can be.
        let (normal_down, normal_up) = match params.products {
            Products::Exact => (0, 0),
            Products::Normalised => (i64::from(product_width), 1),
        };
        // Only formats of a smaller range have subnormal numbers that f32 has as normal ones.
        let widens = c.min_exponent() > Format::F32.min_exponent();
        let subnormal_c = if widens {
            params.subnormal_c
        } else {
            SubnormalC::Own
        };
        let c_down = match subnormal_c {
            SubnormalC::Own => 0,
            SubnormalC::Widened => i64::from(c.fraction_bits),
        };
        let product_low = a_low + b_low + normal_up - normal_down;
        let limit = params.min_exponent.map(i64::from);
        let offset = product_low
            .min(c_low - c_down)
            .min(limit.unwrap_or(i64::MAX));

        let product_high = high(a) + high(b) + normal_up;
        let highest = product_high.max(high(c)).max(limit.unwrap_or(i64::MIN));
        // Room for two exponent fields and all that is added to them on the way.
        let greatest = (highest - offset + normal_down + 2) as u64;
        let exponent_width = unsigned_width(greatest)
            .max(a.exponent_bits)
            .max(b.exponent_bits)
            .max(c.exponent_bits);

        // All products below `product_limit`, and c below 2.
        let integer_limit = u64::from(params.products_per_sum) * product_limit + 2;
        let sum_width = unsigned_width(integer_limit - 1) + fraction_bits + 1;
        let wrapped_width = match params.carry {
            Carry::Full => None,
            Carry::Bits(n) => Some(2 + n + fraction_bits).filter(|&width| width < sum_width),
        };

        Layout {
            grid: Grid {
                exponent_offset: offset as i32,
                product_fraction,
                c_fraction: c.fraction_bits,
                fraction_bits: *fraction_bits,
                result: params.out.with_fraction(params.result_fraction),
            },
            exponent_width,
            product_width,
            sum_width,
            wrapped_width,
            a: fields(a),
            b: fields(b),
            c: fields(c),
            product_shift: fields(a).at_base(a) + fields(b).at_base(b) + normal_up
                - normal_down
                - offset,
            c_shift: fields(c).at_base(c) - offset,
            subnormal_c,
            exponent_limit: limit.map(|limit| (limit - offset) as u64),
        }
    }
}

/// No operand has an exponent above this one.
fn high(format: &Format) -> i64 {
    i64::from((1 << format.exponent_bits) - 1 - format.bias())
}
