//! RDNA4 and Gaudi: whether the grids of their steps cut anything.

use super::fused::{addend_term, product_term, uncut};
use super::sum::{Sum, To};
use super::units::{Product, Units};
use crate::algorithms::{Gaudi, GaudiGeneration, Generation, Rdna, ZeroRule};
use crate::float::{Format, Overflow, Rounding};

const F32: Format = Format::F32;

/// Places that RDNA4 keeps below the exponent of a product; below that of `c` there are two more.
const RDNA4_PLACES: u32 = 24;
const MORE_FOR_C: u32 = 2;

/// Places that Gaudi 2 and Gaudi 3 keep, and the least exponent that Gaudi 3 aligns to.
const GAUDI2_PLACES: u32 = 46;
const GAUDI3_PLACES: u32 = 24;
const GAUDI3_LEAST: i64 = -132;

impl Units {
    pub(super) fn rdna(&mut self, unit: &Rdna, products: &[Product], c: Sum) -> Option<Sum> {
        // RDNA3 takes a unit away from whatever has not the sign of c.
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
        let formats = [&unit.a, &unit.b];
        let mut addend = addend_term(c, &F32, ZeroRule::Raw);
        addend.exponent = addend
            .exponent
            .map(|exponent| exponent - i64::from(MORE_FOR_C));
        let places = addend.fraction;
        addend.fraction = places.map(|places| places.saturating_sub(MORE_FOR_C));
        let terms = products.iter();
        let terms = terms.map(|product| product_term(product, formats, ZeroRule::Skip, 0));
        let least = (unit.out == Format::F16)
            .then(|| i64::from(Format::F16.min_exponent()) - i64::from(MORE_FOR_C));
        let sum = uncut(terms.chain([addend]), least, RDNA4_PLACES)?.sum;
        let nearest = |format| To {
            signed_underflow: false,
            ..To::ieee(format, Rounding::Rne)
        };
        let sum = sum.with_plus_zero();
        match unit.out {
            Format::BF16 => {
                let wide = self.rounded.round(sum, &nearest(F32))?;
                self.rounded.round(wide, &To::ieee(unit.out, Rounding::Rz))
            }
            out => self.rounded.round(sum, &nearest(out)),
        }
    }

    pub(super) fn gaudi(&mut self, unit: &Gaudi, products: &[Product], c: Sum) -> Option<Sum> {
        let formats = unit.inner_formats();
        match unit.generation {
            GaudiGeneration::Gaudi2 => self.gaudi2(formats, products, c),
            GaudiGeneration::Gaudi3 => self.gaudi3(formats, products, c),
        }
    }

    fn gaudi2(&mut self, [a, b]: [Format; 2], products: &[Product], c: Sum) -> Option<Sum> {
        // What is subnormal becomes a zero of its sign: factors, c, and results.
        let is_kept = |product: &Product| {
            !product.a.values.goes_below(a.min_exponent().into())
                && !product.b.values.goes_below(b.min_exponent().into())
        };
        let least = i64::from(F32.min_exponent());
        if !products.iter().all(is_kept) || c.values.goes_below(least) {
            return None;
        }
        let terms = products.iter();
        let terms = terms.map(|product| product_term(product, [&a, &b], ZeroRule::Skip, 0));
        let sum = uncut(terms, None, GAUDI2_PLACES)?.sum;
        let wide = To {
            overflow: Overflow::Infinity,
            ..To::ieee(Format::F64, Rounding::Rz)
        };
        // c is added with rounding to odd: what that is rounded to is the exact sum, rounded once.
        let sum = self.rounded.round(sum, &wide)?.plus(c);
        let sum = Some(sum).filter(|sum| !sum.values.goes_below(least))?;
        self.rounded.round(sum, &To::ieee(F32, Rounding::Rne))
    }

    fn gaudi3(&mut self, [a, b]: [Format; 2], products: &[Product], c: Sum) -> Option<Sum> {
        // Parts of a significand are multiples of what it is a multiple of: where products are kept, their parts are.
        let terms = products.iter();
        let terms = terms.map(|product| product_term(product, [&a, &b], ZeroRule::Skip, 0));
        let terms = terms.chain([addend_term(c, &F32, ZeroRule::Skip)]);
        let sum = uncut(terms, Some(GAUDI3_LEAST), GAUDI3_PLACES)?.sum;
        let to = To {
            format: F32,
            rounding: Rounding::Rz,
            overflow: Overflow::Infinity,
            signed_underflow: false,
        };
        self.rounded.round(sum.with_plus_zero(), &to)
    }
}
