//! The terms of a fused sum: exact products and the accumulator, each with the exponent that it is
//! compared and aligned by (mma-sim.txt §IV-C step 2; scale factors: end of §IV-C).

use super::Summand;
use crate::bits::{Bv, Prop, mux};
use crate::float::{Format, SpecialTerm, Unpacked, unpack, unsigned_width};

/// Whether products are brought to a leading one before they are aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Products {
    /// Exact and not normalised: a significand in `[0, 4)` (mma-sim.txt §IV-C step 2).
    Exact,
    /// Exact and normalised: a significand in `[1, 2)`, or 0 (smt-formalization.txt, its code).
    Normalised,
}

/// Which exponent a zero has when the largest one is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ZeroRule {
    /// None: zero products and a zero `c` are left out.
    Skip,
    /// That of its bit field, as for a subnormal number (mma-sim.txt §IV-C, text).
    Raw,
    /// A zero operand has -126 in every format, and takes part (MMA-Sim's code).
    Min,
}

/// Which exponent a subnormal `c` has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SubnormalC {
    /// The least of its format.
    Own,
    /// That of its leading one, as if it had been converted to f32 first.
    Widened,
}

/// The parameters of the terms of a fused sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TermRules {
    pub a: Format,
    pub b: Format,
    pub c: Format,
    /// Format of block scales, a power of two; none where there are no scales.
    pub scale: Option<Format>,
    pub products: Products,
    /// For factors and for `c`.
    pub zero: ZeroRule,
    pub zero_c: ZeroRule,
    pub subnormal_c: SubnormalC,
    /// Lower limit of the alignment exponent.
    pub min_exponent: Option<i32>,
}

/// Where the terms of a fused sum lie, found once from its parameters.
///
/// All exponents are kept less `exponent_offset`, the least exponent that a term can have, so that
/// they are unsigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TermLayout {
    pub exponent_offset: i32,
    /// Bits of every exponent.
    pub exponent_width: u32,
    /// Bits of a product's significand, and how many of them lie behind the point.
    pub product_width: u32,
    pub product_fraction: u32,
    /// What no product's significand reaches.
    pub product_limit: u64,
    /// The lower limit of the alignment exponent.
    pub exponent_limit: Option<u64>,
    /// Exponent fields of the operands.
    a: Fields,
    b: Fields,
    c: Fields,
    /// What is added to the exponent of a product, and to that of `c`, both counted from the
    /// bases of their operands.
    product_shift: i64,
    c_shift: i64,
    subnormal_c: SubnormalC,
}

/// Which exponent fields an operand can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fields {
    /// What fields are counted from: 0, or less where a zero counts as less.
    base: i64,
    /// The least field.
    least: i64,
    /// That of a zero under [`ZeroRule::Min`], less the base.
    zero_above_base: u64,
}

/// The exponent of a zero operand under [`ZeroRule::Min`].
const ZERO_EXPONENT: i64 = -126;

impl Fields {
    fn of(rule: ZeroRule, format: &Format) -> Fields {
        let zero = match rule {
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

/// No operand has an exponent above this one.
fn high(format: &Format) -> i64 {
    i64::from((1 << format.exponent_bits) - 1 - format.bias())
}

/// The rules and the layout that follows from them. The rules come by value: where they are
/// constants, the simulator's loops are made for these.
#[derive(Clone, Copy)]
pub(super) struct Terms<'x> {
    pub rules: TermRules,
    pub layout: &'x TermLayout,
}

/// The scale factors of a block: the sum of their exponent fields, and whether one is a NaN.
pub(super) struct BlockScale<B: Bv> {
    exponent: B,
    nan: B::Bool,
}

impl TermLayout {
    pub(super) fn of(rules: &TermRules) -> TermLayout {
        let TermRules { a, b, c, .. } = rules;
        let product_width = a.precision() + b.precision();
        let (product_fraction, product_limit) = match rules.products {
            Products::Exact => (a.fraction_bits + b.fraction_bits, 4),
            Products::Normalised => (product_width - 1, 2),
        };
        let (a_fields, b_fields) = (Fields::of(rules.zero, a), Fields::of(rules.zero, b));
        let c_fields = Fields::of(rules.zero_c, c);
        // Normalising lowers an exponent by up to the leading zeros that there can be.
        let (normal_down, normal_up) = match rules.products {
            Products::Exact => (0, 0),
            Products::Normalised => (i64::from(product_width), 1),
        };
        // Only formats of a smaller range have subnormal numbers that f32 has as normal ones.
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
        // Two scale factors, their fields counted from 0.
        let (scale_base, scale_high) = rules.scale.map_or((0, 0), |scale| {
            (-2 * i64::from(scale.bias()), 2 * high(&scale))
        });
        let product_low = a_fields.low(a) + b_fields.low(b) + scale_base + normal_up - normal_down;
        let limit = rules.min_exponent.map(i64::from);
        let offset = product_low
            .min(c_fields.low(c) - c_down)
            .min(limit.unwrap_or(i64::MAX));

        let product_high = high(a) + high(b) + scale_high + normal_up;
        let highest = product_high.max(high(c)).max(limit.unwrap_or(i64::MIN));
        // Room for two exponent fields and all that is added to them on the way.
        let greatest = (highest - offset + normal_down + 2) as u64;
        let exponent_width = unsigned_width(greatest)
            .max(a.exponent_bits)
            .max(b.exponent_bits)
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
            product_shift: a_fields.at_base(a) + b_fields.at_base(b) + scale_base + normal_up
                - normal_down
                - offset,
            c_shift: c_fields.at_base(c) - offset,
            subnormal_c,
        }
    }

    /// An exponent of the terms as a constant.
    pub(super) fn exponent<B: Bv>(&self, exponent: i64) -> B {
        B::lit(
            self.exponent_width,
            (exponent - i64::from(self.exponent_offset)) as u64,
        )
    }
}

impl Terms<'_> {
    /// Both scale factors of a block.
    pub(super) fn block_scale<B: Bv>(&self, format: &Format, a: &B, b: &B) -> BlockScale<B> {
        let (a, b) = (unpack(format, a), unpack(format, b));
        let width = self.layout.exponent_width;
        BlockScale {
            exponent: a.exponent.zext(width).add(&b.exponent.zext(width)),
            nan: a.nan.or(&b.nan),
        }
    }

    /// The exact product, its exponent the sum of the factors' exponents and of the scales'.
    #[inline(always)]
    pub(super) fn product<B: Bv>(
        &self,
        a: &Unpacked<B>,
        b: &Unpacked<B>,
        scale: Option<&BlockScale<B>>,
    ) -> (Summand<B>, B) {
        let TermLayout {
            exponent_width,
            product_width,
            ..
        } = *self.layout;
        let zero_rule = self.rules.zero;
        let zero = a.zero.or(&b.zero);
        let mut exponent = self
            .operand_exponent(a, zero_rule, &self.layout.a)
            .add(&self.operand_exponent(b, zero_rule, &self.layout.b))
            .add_const(self.layout.product_shift);
        let mut special = SpecialTerm::product(a, b);
        if let Some(scale) = scale {
            exponent = exponent.add(&scale.exponent);
            special.nan = special.nan.or(&scale.nan);
        }
        let significand = a.significand.mul_wide(&b.significand);

        let (significand, exponent) = match self.rules.products {
            Products::Exact => (significand, exponent),
            Products::Normalised => {
                let (normal, zeros) = significand.normalise(exponent_width);
                let up = exponent.add_const(i64::from(product_width));
                let normal_exponent = up.sub(&zeros);
                (normal, mux(&zero, &up.add_const(-1), &normal_exponent))
            }
        };
        self.summand(zero_rule, special, exponent, significand, zero)
    }

    /// The accumulator as a term.
    #[inline(always)]
    pub(super) fn addend<B: Bv>(&self, c: &Unpacked<B>) -> (Summand<B>, B) {
        let zero_rule = self.rules.zero_c;
        let exponent = self
            .operand_exponent(c, zero_rule, &self.layout.c)
            .add_const(self.layout.c_shift);
        let (significand, exponent) = match self.layout.subnormal_c {
            SubnormalC::Own => (c.significand.clone(), exponent),
            SubnormalC::Widened => {
                let (normal, zeros) = c.significand.normalise(self.layout.exponent_width);
                let normal_exponent = exponent.sub(&zeros);
                (normal, mux(&c.zero, &exponent, &normal_exponent))
            }
        };
        self.summand(
            zero_rule,
            SpecialTerm::summand(c),
            exponent,
            significand,
            c.zero.clone(),
        )
    }

    /// The exponent field, that of a zero by the zero rule, less `fields.base`.
    #[inline(always)]
    fn operand_exponent<B: Bv>(&self, x: &Unpacked<B>, rule: ZeroRule, fields: &Fields) -> B {
        let width = self.layout.exponent_width;
        let field = x.exponent.zext(width);
        match rule {
            ZeroRule::Skip | ZeroRule::Raw => field,
            ZeroRule::Min => {
                let above_base = field.add_const(-fields.base);
                mux(&x.zero, &B::lit(width, fields.zero_above_base), &above_base)
            }
        }
    }

    /// The term and the exponent with which it takes part in the maximum.
    #[inline(always)]
    fn summand<B: Bv>(
        &self,
        rule: ZeroRule,
        special: SpecialTerm<B>,
        exponent: B,
        significand: B,
        zero: B::Bool,
    ) -> (Summand<B>, B) {
        // The least exponent of all never is the largest one: the term is left out.
        let exponent = match rule {
            ZeroRule::Skip => mux(&zero, &B::lit(self.layout.exponent_width, 0), &exponent),
            ZeroRule::Raw | ZeroRule::Min => exponent,
        };
        (
            Summand {
                significand,
                zero,
                special,
            },
            exponent,
        )
    }
}
