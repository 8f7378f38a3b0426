//! RDNA4 and Gaudi: whether the grids of their steps cut anything.

use super::fused::{Term, addend_term, product_term, uncut};
use super::sum::{Sum, To};
use super::units::{Product, Units};
use crate::algorithms::rdna::{BELOW_C, BELOW_PRODUCT, least_of_f16};
use crate::algorithms::{Gaudi, GaudiGeneration, Generation, Rdna, ZeroRule};
use crate::float::{Format, Overflow, Rounding};

const F32: Format = Format::F32;

impl Units {
    pub(super) fn rdna(&mut self, unit: &Rdna, products: &[Product], c: Sum) -> Option<Sum> {
        // The complement of RDNA3 takes a unit away from each product whose sign is not that of c.
        if unit.generation == Generation::Rdna3 {
            return None;
        }
        let mut starts = unit.starts().into_iter();
        starts.try_fold(c, |d, start| {
            let some = products.get(start..start + unit.step as usize)?;
            self.rdna4(unit, some, d)
        })
    }

    fn rdna4(&mut self, unit: &Rdna, products: &[Product], c: Sum) -> Option<Sum> {
        // The grid lies lower below the exponent of c than below that of a product: as if the exponent of c were less.
        let lower = BELOW_C - BELOW_PRODUCT;
        let addend = addend_term(c, &F32, ZeroRule::Raw);
        let addend = Term {
            exponent: addend.exponent.map(|exponent| exponent - i64::from(lower)),
            fraction: addend.fraction.map(|places| places.saturating_sub(lower)),
            ..addend
        };
        let least = least_of_f16(&unit.out).map(|least| i64::from(least) - i64::from(lower));
        let terms = terms(products, [&unit.a, &unit.b]).chain([addend]);
        let sum = uncut(terms, least, BELOW_PRODUCT)?.sum.with_plus_zero();
        let nearest = |format| To {
            signed_underflow: false,
            ..To::ieee(format, Rounding::Rne)
        };
        match unit.out {
            Format::BF16 => {
                let wide = self.rounded.round(sum, &nearest(F32))?;
                self.rounded.round(wide, &To::ieee(unit.out, Rounding::Rz))
            }
            out => self.rounded.round(sum, &nearest(out)),
        }
    }

    pub(super) fn gaudi(&mut self, unit: &Gaudi, products: &[Product], c: Sum) -> Option<Sum> {
        match unit.generation {
            GaudiGeneration::Gaudi2 => self.gaudi2(unit, products, c),
            GaudiGeneration::Gaudi3 => self.gaudi3(unit, products, c),
        }
    }

    fn gaudi2(&mut self, unit: &Gaudi, products: &[Product], c: Sum) -> Option<Sum> {
        let [a, b] = &unit.inner_formats();
        // What is subnormal becomes a zero of its sign: factors, c, and results.
        let least = i64::from(F32.min_exponent());
        let mut all = products.iter();
        if all.any(|product| product.may_be_subnormal([a, b])) || c.values.goes_below(least) {
            return None;
        }
        let sum = uncut(terms(products, [a, b]), None, unit.fraction_bits())?.sum;
        let wide = To {
            overflow: Overflow::Infinity,
            ..To::ieee(Format::F64, Rounding::Rz)
        };
        // c is added with rounding to odd: what that is rounded to is the exact sum, rounded once.
        let sum = self.rounded.round(sum, &wide)?.plus(c);
        let sum = Some(sum).filter(|sum| !sum.values.goes_below(least))?;
        self.rounded.round(sum, &To::ieee(F32, Rounding::Rne))
    }

    fn gaudi3(&mut self, unit: &Gaudi, products: &[Product], c: Sum) -> Option<Sum> {
        let [a, b] = &unit.inner_formats();
        // Parts of a significand are multiples of what it is a multiple of: where products are kept, their parts are.
        let terms = terms(products, [a, b]).chain([addend_term(c, &F32, ZeroRule::Skip)]);
        let least = unit.min_exponent().map(i64::from);
        let sum = uncut(terms, least, unit.fraction_bits())?.sum;
        self.rounded
            .round(sum.with_plus_zero(), &To::fused(F32, Rounding::Rz))
    }
}

/// The products as terms, zeros left out.
fn terms<'x>(products: &'x [Product], formats: [&'x Format; 2]) -> impl Iterator<Item = Term> + 'x {
    let products = products.iter();
    products.map(move |product| product_term(product, formats, ZeroRule::Skip, 0))
}
