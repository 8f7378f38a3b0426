//! Runs the models of RDNA3, RDNA4 and Gaudi 3 on sets of operands. They must be sets for which the
//! grids of the steps cut nothing, or for which products are too small to change `c`.

use super::rdna::{BELOW_C, BELOW_PRODUCT, Generation, Rdna, least_of_f16};
use super::rounded::To;
use super::sum::{Sum, Zero};
use super::terms::{Term, ZeroRule, addend_term, terms, uncut};
use super::tiny::{are_below_flushed, are_below_grid};
use super::units::{Product, Units};
use mmasmt_core::numbers::float::{FlushedTo, Format, Rounding};

const F32: Format = Format::F32;

impl Units {
    pub(super) fn rdna(&mut self, unit: &Rdna, products: &[Product], c: Sum) -> Option<Sum> {
        let mut starts = unit.starts().into_iter();
        starts.try_fold(c, |d, start| {
            let some = products.get(start..start + unit.step as usize)?;
            match unit.generation {
                Generation::Rdna3 => self.rdna3(unit, some, d),
                Generation::Rdna4 => self.rdna4(unit, some, d),
            }
        })
    }

    fn rdna3(&mut self, unit: &Rdna, products: &[Product], c: Sum) -> Option<Sum> {
        // Factors and c below the normal numbers of f32 become zeros of the same sign.
        let factors = [&unit.a, &unit.b];
        let product = |product: &Product| {
            if unit.a.min_exponent() == F32.min_exponent() {
                product.flushed(factors)
            } else {
                product.clone()
            }
        };
        let products: Vec<Product> = products.iter().map(product).collect();
        let products = &products[..];
        let c = self.rounded.flush(c, &F32, FlushedTo::SameSign);
        let sum = if are_below_flushed(unit, products, &c) {
            self.rounded.has_lost = true;
            c.with_plus_zero()
        } else if is_complement_undone(unit, products, &c) {
            on_grid(unit, products, c)?
        } else {
            return None;
        };
        match unit.out {
            Format::F16 => self.rdna_result(&unit.out, sum),
            out => {
                let (to, zero) = (nearest(F32), FlushedTo::Plus);
                let large = self.rounded.flush_after_rounding(sum, &to, zero)?;
                self.rdna_result(&out, large)
            }
        }
    }

    fn rdna4(&mut self, unit: &Rdna, products: &[Product], c: Sum) -> Option<Sum> {
        if are_below_grid(unit, products) && c.values.are_in(&unit.out) {
            return Some(c.with_plus_zero());
        }
        let sum = on_grid(unit, products, c)?;
        self.rdna_result(&unit.out, sum)
    }

    fn rdna_result(&mut self, out: &Format, sum: Sum) -> Option<Sum> {
        match *out {
            Format::BF16 => {
                let wide = self.rounded.round(sum, &nearest(F32))?;
                self.rounded.round(wide, &To::ieee(*out, Rounding::Rz))
            }
            out => self.rounded.round(sum, &nearest(out)),
        }
    }

    /// Gaudi 3, with these formats of factors.
    pub(super) fn gaudi3(
        &mut self,
        formats: [Format; 2],
        products: &[Product],
        c: Sum,
    ) -> Option<Sum> {
        let [a, b] = &formats.map(widened);
        // Gaudi 3 sums parts of products. If a power of two divides a significand, it divides each
        // part of the significand too: if a product is kept, so are its parts.
        let (least, places) = (Some(-132), 24);
        let terms = terms(products, [a, b]).map(|term| term.cut(least, places));
        let terms = terms.chain([addend_term(c, &F32, ZeroRule::Skip)]);
        let sum = uncut(terms, least, places)?.sum;
        self.rounded
            .round(sum.with_plus_zero(), &To::fused(F32, Rounding::Rz))
    }
}

/// The format in which Gaudi 3 has factors of this format: f16 is widened.
fn widened(format: Format) -> Format {
    match format {
        Format::F16 => Format::TF32,
        other => other,
    }
}

fn nearest(format: Format) -> To {
    To {
        signed_underflow: false,
        ..To::ieee(format, Rounding::Rne)
    }
}

/// Whether the complements of RDNA3 do not change the result. A complement subtracts one unit of
/// the grid from each product whose sign bit differs from that of `c`, zeros included. The grid is
/// 24 binades below the exponent of a product, and 26 below that of `c`.
fn is_complement_undone(unit: &Rdna, products: &[Product], c: &Sum) -> bool {
    let is_plus = !c.negative && c.zero == Zero::Plus;
    if is_plus && !products.iter().any(Product::may_be_negative) {
        return true;
    }
    let (zeros, others): (Vec<&Product>, Vec<&Product>) = products
        .iter()
        .partition(|product| product.exact().values.is_zero());
    match others[..] {
        // Both products are zeros and lose at most two units of the grid. Just below a power of
        // two, two units are half an ulp of f32, a tie; elsewhere they are less than half an ulp.
        [] => c.values.are_in(&unit.out),
        // Beside zeros that are +0, a product loses at most one unit of the grid. That is half an
        // ulp of f32 if the product's significand is below 2, and less otherwise. The product has
        // fewer bits than f32, so its last bit in f32 is 0, and a tie is rounded to it.
        [one] if is_plus && c.values.is_zero() => {
            let places = unit.a.fraction_bits + unit.b.fraction_bits + 2;
            !zeros.into_iter().any(Product::may_be_negative)
                && !one.may_be_subnormal([&unit.a, &unit.b])
                && places < F32.precision()
                && (unit.out != Format::F16 || one.exact().values.are_in(&unit.out))
        }
        _ => false,
    }
}

/// The exact sum of a step; `None` if its grid may cut bits.
fn on_grid(unit: &Rdna, products: &[Product], c: Sum) -> Option<Sum> {
    // The grid lies farther below the exponent of `c` than below that of a product. This is the
    // same as a smaller exponent of `c`.
    let lower = BELOW_C - BELOW_PRODUCT;
    let zero = match unit.generation {
        Generation::Rdna3 => ZeroRule::Skip,
        Generation::Rdna4 => ZeroRule::Raw,
    };
    let addend = addend_term(c, &F32, zero);
    let addend = Term {
        exponent: addend.exponent.map(|exponent| exponent - i64::from(lower)),
        fraction: addend.fraction.map(|places| places.saturating_sub(lower)),
        ..addend
    };
    let least = least_of_f16(&unit.out).map(|least| i64::from(least) - i64::from(lower));
    let terms = terms(products, [&unit.a, &unit.b]).chain([addend]);
    Some(uncut(terms, least, BELOW_PRODUCT)?.sum.with_plus_zero())
}
