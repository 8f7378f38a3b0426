//! The terms of a fused sum: exact products and the accumulator, each with the exponent that it is
//! compared and aligned by (Xie et al. §IV-C step 2; scale factors: end of §IV-C).

mod layout;
mod rules;

pub(super) use layout::{TermLayout, ZERO_EXPONENT, highest_exponent};
pub(super) use rules::TermRules;
pub use rules::{Products, SubnormalC, ZeroRule};

use super::{Operands, Summand};
use crate::numbers::bits::{Bv, Prop, mux};
use crate::numbers::float::{Format, SpecialTerm, Unpacked, unpack};
use layout::ExponentFields;

/// The rules of terms, and the layout derived from these rules. The rules are passed by value:
/// where they are constants, the compiler specialises the simulator's loops for them.
#[derive(Clone, Copy)]
pub(super) struct Terms<'x> {
    pub rules: TermRules,
    pub layout: &'x TermLayout,
}

/// The two scale factors of a block: the sum of their exponent fields, and whether one is a NaN.
pub(super) struct BlockScale<B: Bv> {
    exponent: B,
    nan: B::Bool,
}

impl Terms<'_> {
    /// Combines the two scale factors of a block.
    pub(super) fn block_scale<B: Bv>(&self, format: &Format, a: &B, b: &B) -> BlockScale<B> {
        let (a, b) = (unpack(format, a), unpack(format, b));
        let width = self.layout.exponent_width;
        BlockScale {
            exponent: a.exponent.zext(width).add(&b.exponent.zext(width)),
            nan: a.nan.or(&b.nan),
        }
    }

    /// The exact product of two factors as a term, and its exponent, which is the sum of the
    /// exponents of the factors and of the scales.
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
                // A NaN may have the significand 0, which has no leading one.
                let empty = zero.or(&special.nan);
                (normal, mux(&empty, &up.add_const(-1), &normal_exponent))
            }
        };
        self.summand(zero_rule, special, exponent, significand, zero)
    }

    /// The products of all pairs of factors, which have no scales.
    #[inline(always)]
    pub(super) fn products<B: Bv>(
        &self,
        operands: Operands<'_, B>,
    ) -> impl Iterator<Item = (Summand<B>, B)> {
        let TermRules { a, b, .. } = self.rules;
        let factors = operands.a.iter().zip(operands.b);
        factors.map(move |(x, y)| self.product(&unpack(&a, x), &unpack(&b, y), None))
    }

    /// The terms of products that were rounded to a format; `products` are the registers of the
    /// rounded products.
    pub(super) fn rounded_products<B: Bv>(
        &self,
        products: &[B],
    ) -> impl Iterator<Item = (Summand<B>, B)> {
        let rounded = self.layout.rounded.iter();
        rounded.flat_map(move |rounded| {
            let products = products.iter();
            products.map(move |product| self.rounded_product(rounded, product))
        })
    }

    fn rounded_product<B: Bv>(
        &self,
        (format, fields): &(Format, ExponentFields),
        product: &B,
    ) -> (Summand<B>, B) {
        let x = unpack(format, product);
        let rule = self.rules.zero;
        let exponent = self.operand_exponent(&x, rule, fields);
        let exponent = exponent.add_const(self.layout.product_shift);
        let special = SpecialTerm::summand(&x);
        self.summand(rule, special, exponent, x.significand, x.zero)
    }

    /// The accumulator `c` as a term, and its exponent.
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
                (normal, mux(&c.zero.or(&c.nan), &exponent, &normal_exponent))
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

    /// The exponent field of `x` minus `fields.base`. If `x` is zero, `rule` says which field it
    /// has.
    #[inline(always)]
    fn operand_exponent<B: Bv>(
        &self,
        x: &Unpacked<B>,
        rule: ZeroRule,
        fields: &ExponentFields,
    ) -> B {
        let width = self.layout.exponent_width;
        let field = x.exponent.zext(width);
        match rule {
            ZeroRule::Skip | ZeroRule::Raw => field,
            // In a format with the exponent range of f32, the field of a zero means -126 already.
            ZeroRule::Min if (fields.base, fields.zero_above_base) == (0, 1) => field,
            ZeroRule::Min => {
                let above_base = field.add_const(-fields.base);
                mux(&x.zero, &B::lit(width, fields.zero_above_base), &above_base)
            }
        }
    }

    /// The term made of these parts, and the exponent that the term has in the search for the
    /// largest exponent. If the term is zero, `rule` says which exponent that is.
    #[inline(always)]
    fn summand<B: Bv>(
        &self,
        rule: ZeroRule,
        special: SpecialTerm<B>,
        exponent: B,
        significand: B,
        zero: B::Bool,
    ) -> (Summand<B>, B) {
        // No term has an exponent below 0, so a zero with the exponent 0 does not change the
        // largest exponent.
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
