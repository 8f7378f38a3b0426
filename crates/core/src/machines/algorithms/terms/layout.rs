//! The layout of the terms of a fused sum: offsets and widths, which are computed once from the
//! rules.

use super::rules::{Products, SubnormalC, TermRules, ZeroRule};
use crate::numbers::bits::Bv;
use crate::numbers::float::{Format, unsigned_width};

/// The layout of the terms of a fused sum, which is computed once from the parameters of the sum.
///
/// Every exponent is stored minus `exponent_offset`, the least exponent that a term can have, so
/// that it is unsigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::machines::algorithms) struct TermLayout {
    pub exponent_offset: i32,
    /// The width of every exponent in bits.
    pub exponent_width: u32,
    /// The width of a product's significand, and how many of its bits are fraction bits.
    pub product_width: u32,
    pub product_fraction: u32,
    /// The exclusive upper limit of a product's significand.
    pub product_limit: u64,
    /// The lower limit of the alignment exponent, minus `exponent_offset`; `None` if there is none,
    /// or if it changes nothing.
    pub exponent_limit: Option<u64>,
    /// The exponent fields that `a`, `b` and `c` can have.
    pub(super) a: ExponentFields,
    pub(super) b: ExponentFields,
    pub(super) c: ExponentFields,
    /// The format that products are rounded to before they are summed, and its exponent fields;
    /// `None` if products are exact.
    pub(super) rounded: Option<(Format, ExponentFields)>,
    /// The constants that are added to the exponent of a product and to the exponent of `c`. The
    /// addition turns exponents counted from the bases of the operands into exponents counted from
    /// `exponent_offset`.
    pub(super) product_shift: i64,
    pub(super) c_shift: i64,
    pub(super) subnormal_c: SubnormalC,
}

/// The exponent fields that an operand can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ExponentFields {
    /// The base that exponent fields are counted from: 0, or, if the field that stands for a zero
    /// operand is negative, that field.
    pub(super) base: i64,
    /// The least field that an operand can have.
    least: i64,
    /// The field that stands for a zero operand under [`ZeroRule::Min`], minus `base`.
    pub(super) zero_above_base: u64,
}

/// The exponent of a zero operand under [`ZeroRule::Min`].
pub(in crate::machines::algorithms) const ZERO_EXPONENT: i64 = -126;

impl ExponentFields {
    fn of(rule: ZeroRule, format: &Format) -> ExponentFields {
        let zero = match rule {
            ZeroRule::Skip | ZeroRule::Raw => 1,
            ZeroRule::Min => ZERO_EXPONENT + i64::from(format.bias()),
        };
        let base = zero.min(0);
        ExponentFields {
            base,
            least: zero.min(1),
            zero_above_base: (zero - base) as u64,
        }
    }

    /// The least exponent that an operand can have.
    fn low(&self, format: &Format) -> i64 {
        self.least - i64::from(format.bias())
    }

    /// The exponent that a field equal to `base` means.
    fn at_base(&self, format: &Format) -> i64 {
        self.base - i64::from(format.bias())
    }
}

/// An upper bound of the exponents of all numbers of the format.
pub(in crate::machines::algorithms) fn highest_exponent(format: &Format) -> i64 {
    i64::from((1 << format.exponent_bits) - 1 - format.bias())
}

impl TermLayout {
    pub(in crate::machines::algorithms) fn of(rules: &TermRules) -> TermLayout {
        let TermRules { a, b, c, .. } = rules;
        let product_width = a.precision() + b.precision();
        let (product_width, product_fraction, product_limit) = match (rules.rounded, rules.products)
        {
            (Some(format), _) => (format.precision(), format.fraction_bits, 2),
            (None, Products::Exact) => (product_width, a.fraction_bits + b.fraction_bits, 4),
            (None, Products::Normalised) => (product_width, product_width - 1, 2),
        };
        let (a_fields, b_fields) = (
            ExponentFields::of(rules.zero, a),
            ExponentFields::of(rules.zero, b),
        );
        let c_fields = ExponentFields::of(rules.zero_c, c);
        // Normalisation lowers an exponent by at most the number of possible leading zeros.
        let (normal_down, normal_up) = match rules.products {
            Products::Exact => (0, 0),
            Products::Normalised => (i64::from(product_width), 1),
        };
        // Only a format whose least exponent is above that of f32 has subnormal numbers that are
        // normal in f32.
        let widens = c.min_exponent() > Format::F32.min_exponent();
        let subnormal_c = if widens {
            rules.subnormal_c
        } else {
            SubnormalC::Own
        };
        let c_down = match subnormal_c {
            SubnormalC::Own => 0,
            SubnormalC::Widened => i64::from(c.fraction_bits),
        };
        // There are two scale factors, and their fields are counted from 0.
        let (scale_base, scale_high) = rules.scale.map_or((0, 0), |scale| {
            (-2 * i64::from(scale.bias()), 2 * highest_exponent(&scale))
        });
        let rounded = rules.rounded;
        let rounded = rounded.map(|format| (format, ExponentFields::of(rules.zero, &format)));
        let product_low = match &rounded {
            Some((format, fields)) => fields.low(format),
            None => a_fields.low(a) + b_fields.low(b) + scale_base + normal_up - normal_down,
        };
        let offset = product_low.min(c_fields.low(c) - c_down);
        // The largest exponent is never below `offset`, so a limit that is not above `offset`
        // changes nothing.
        let limit = rules.min_exponent.map(i64::from);
        let limit = limit.filter(|limit| *limit > offset);

        let product_high = match &rounded {
            Some((format, _)) => highest_exponent(format),
            None => highest_exponent(a) + highest_exponent(b) + scale_high + normal_up,
        };
        let product_base = match &rounded {
            Some((format, fields)) => fields.at_base(format),
            None => {
                a_fields.at_base(a) + b_fields.at_base(b) + scale_base + normal_up - normal_down
            }
        };
        let highest = product_high
            .max(highest_exponent(c))
            .max(limit.unwrap_or(i64::MIN));
        // The width has room for two exponent fields and all numbers that are added to them.
        let greatest = (highest - offset + normal_down + 2) as u64;
        let exponent_width = unsigned_width(greatest)
            .max(a.exponent_bits)
            .max(b.exponent_bits)
            .max(rounded.map_or(0, |(format, _)| format.exponent_bits))
            .max(c.exponent_bits);
        TermLayout {
            exponent_offset: offset as i32,
            exponent_width,
            product_width,
            product_fraction,
            product_limit,
            exponent_limit: limit.map(|limit| (limit - offset) as u64),
            a: a_fields,
            b: b_fields,
            c: c_fields,
            rounded,
            product_shift: product_base - offset,
            c_shift: c_fields.at_base(c) - offset,
            subnormal_c,
        }
    }

    /// The width of the exact sum of `products` products and of `c`, including its sign.
    pub(in crate::machines::algorithms) fn sum_width(
        &self,
        products: u32,
        fraction_bits: u32,
    ) -> u32 {
        // All products are below their limit, and c is below 2.
        self.width_below(u64::from(products) * self.product_limit + 2, fraction_bits)
    }

    /// The width of a sum whose magnitude is below `limit`, including its sign.
    pub(in crate::machines::algorithms) fn width_below(
        &self,
        limit: u64,
        fraction_bits: u32,
    ) -> u32 {
        unsigned_width(limit - 1) + fraction_bits + 1
    }

    /// The constant `exponent` as terms store it: minus `exponent_offset`.
    pub(in crate::machines::algorithms) fn exponent<B: Bv>(&self, exponent: i64) -> B {
        B::lit(
            self.exponent_width,
            (exponent - i64::from(self.exponent_offset)) as u64,
        )
    }
}
