//! Fused sums on sets of operands: the terms after alignment, and whether their sum fits.

use super::rounded::To;
use super::sum::Sum;
use super::terms::{Term, addend_term, exponent_of, product_term, uncut};
use super::tiny::leave_addend_alone;
use super::units::{Product, Units};
use mmasmt_core::machines::algorithms::fda::{Carry, NegativeZeros, Params};
use mmasmt_core::machines::algorithms::{
    Align, Exact, Fdrda, FlushedResults, Gdfs, Gfdrda, Hmma8, LateAdd, LateParams, Products,
    ZeroRule,
};
use mmasmt_core::numbers::float::{Format, Overflow, Rounding};
use num_bigint::BigUint;

/// The exponent of the lowest place that AMD's second cut keeps in a total: 31 places below the
/// least exponent.
/// least exponent.
const LEAST_PLACE: i64 = -126 - 31;

impl Units {
    pub(super) fn fda(&mut self, params: &Params, products: &[Product], c: Sum) -> Option<Sum> {
        if params.rounded_products.is_some() || params.results != FlushedResults::Kept {
            return None;
        }
        let up = match params.products {
            Products::Exact => 0,
            Products::Normalised => 1,
        };
        if !fits(params, products, &c) {
            return None;
        }
        let (formats, places) = ([&params.a, &params.b], params.fraction_bits);
        let limit = params.min_exponent.map(i64::from);
        let cut_at = limit.filter(|_| params.align == Align::Trunc && !params.sticky);
        let terms = products.iter();
        let terms = terms.map(|product| product_term(product, formats, params.zero, up));
        let terms: Vec<Term> = terms.map(|term| term.cut(cut_at, places)).collect();
        let addend = addend_term(c, &params.c, params.zero);
        let mut sum = if leave_addend_alone(params, &terms, &addend) {
            addend.sum.with_unknown_zero()
        } else {
            uncut(terms.into_iter().chain([addend]), limit, places)?.sum
        };
        if params.negative_zeros == NegativeZeros::Plus {
            sum = sum.with_plus_zero();
        }
        let result = params.out.with_fraction(params.result_fraction);
        let to = match params.via {
            Some(via) => To::fused(via, Rounding::Rz),
            None => To::fused(result, params.rounding),
        };
        let rounded = self.rounded.round(sum, &to)?;
        if params.via.is_none() {
            return Some(rounded);
        }
        let again = To {
            format: result,
            rounding: params.rounding,
            overflow: Overflow::Infinity,
            signed_underflow: true,
        };
        self.rounded.round(rounded, &again)
    }

    pub(super) fn exact(&mut self, exact: &Exact, products: &[Product], c: Sum) -> Option<Sum> {
        let sum = products
            .iter()
            .fold(c, |sum, product| sum.plus(product.exact()));
        let to = To::ieee(exact.out, exact.rounding);
        self.rounded.round(ieee_zero(sum, exact.rounding), &to)
    }

    pub(super) fn gdfs(&mut self, gdfs: &Gdfs, products: &[Product], c: Sum) -> Option<Sum> {
        let groups = products.chunks(gdfs.group as usize).map(|group| {
            let sum = group
                .iter()
                .fold(Sum::nothing(), |sum, p| sum.plus(p.exact()));
            let scales = group.first()?.scales.as_ref()?;
            let exponents = scales.iter();
            let exponents = exponents.map(|(scale, format)| exponent_of(scale, format, gdfs.zero));
            let takes_part = gdfs.zero != ZeroRule::Skip || !sum.values.is_zero();
            Some(Term {
                sum,
                exponent: takes_part.then(|| exponents.sum()),
                fraction: None,
            })
        });
        let mut terms = groups.collect::<Option<Vec<_>>>()?;
        terms.push(addend_term(c, &Format::F32, gdfs.zero));
        let limit = gdfs.min_exponent.map(i64::from);
        let sum = uncut(terms, limit, gdfs.fraction_bits)?.sum;
        self.rounded
            .round(sum.with_plus_zero(), &To::fused(Format::F32, Rounding::Rz))
    }

    pub(super) fn hmma8(&mut self, hmma8: &Hmma8, products: &[Product], c: Sum) -> Option<Sum> {
        let half = hmma8.half().params();
        let mut d = Sum::nothing();
        for second in [false, true] {
            let part = products.iter().enumerate();
            let part = part.filter(|(k, _)| (k % 4 >= 2) == second);
            let part: Vec<_> = part
                .map(|(_, product)| product.widened(&Format::F16))
                .collect();
            d = self.fda(half, &part, d)?;
        }
        self.add(half.out, Rounding::Rne, d, c)
    }

    pub(super) fn fdrda(&mut self, unit: &Fdrda, products: &[Product], c: Sum) -> Option<Sum> {
        let params = unit.params();
        let dot = late_dot(params, products.iter())?;
        self.late(params, products, dot, c)
    }

    pub(super) fn gfdrda(&mut self, unit: &Gfdrda, products: &[Product], c: Sum) -> Option<Sum> {
        let params = unit.params();
        let dots = [0, 1].map(|first| late_dot(params, products.iter().skip(first).step_by(2)));
        let dots = dots.into_iter().collect::<Option<Vec<_>>>()?;
        let dot = uncut(dots, None, params.fraction_bits)?;
        self.late(params, products, dot, c)
    }

    /// The sum of `c` and a dot product, rounded; `None` if bits may be cut or a product may
    /// overflow.
    fn late(
        &mut self,
        params: &LateParams,
        products: &[Product],
        dot: Term,
        c: Sum,
    ) -> Option<Sum> {
        let (a, b) = (&params.a, &params.b);
        // A product of 2^128 or more becomes an infinity.
        let greatest = products.iter().map(|product| {
            exponent_of(&product.a, a, params.zero) + exponent_of(&product.b, b, params.zero)
        });
        if greatest.max().is_some_and(|exponent| exponent > 126) {
            return None;
        }
        let c = addend_term(c, &Format::F32, ZeroRule::Raw);
        let kept = match params.late {
            LateAdd::Cut31 => 31,
            LateAdd::Cut32Normalise31 => 32,
        };
        let is_kept =
            dot.is_kept(c.exponent, kept) && c.is_kept(dot.exponent, params.fraction_bits);
        if !is_kept {
            return None;
        }
        let sum = dot.sum.plus(c.sum).with_plus_zero();
        if params.late == LateAdd::Cut32Normalise31 && !sum.values.has_bits(32, LEAST_PLACE) {
            return None;
        }
        let to = To {
            format: Format::F32,
            rounding: Rounding::Rne,
            overflow: Overflow::Infinity,
            signed_underflow: true,
        };
        self.rounded.round(sum, &to)
    }
}

/// The sum with the sign that IEEE 754 gives to an exact zero. If rounding is down, that sign may
/// differ from the sign that all terms share; it then counts as unknown.
pub(super) fn ieee_zero(sum: Sum, rounding: Rounding) -> Sum {
    match rounding {
        Rounding::Rd => sum.with_unknown_zero(),
        _ => sum,
    }
}

fn late_dot<'x>(params: &LateParams, products: impl Iterator<Item = &'x Product>) -> Option<Term> {
    let formats = [&params.a, &params.b];
    let terms = products.map(|product| product_term(product, formats, params.zero, 0));
    uncut(terms, None, params.fraction_bits)
}

/// Whether the sum of the aligned terms stays within the integer bits of the unit, whatever the
/// largest exponent is.
fn fits(params: &Params, products: &[Product], c: &Sum) -> bool {
    let Carry::Bits(bits) = params.carry else {
        return true;
    };
    // Count in units of the last place of a product's significand. The significand of `c` is below
    // 2.
    let places = params.a.fraction_bits + params.b.fraction_bits;
    let two = BigUint::from(2u32) << places;
    let mut most = if c.values.is_zero() {
        BigUint::ZERO
    } else {
        two.clone()
    };
    for product in products {
        most += match params.products {
            _ if product.exact().values.is_zero() => BigUint::ZERO,
            Products::Exact => &product.a.significand * &product.b.significand,
            Products::Normalised => two.clone(),
        };
    }
    most < BigUint::from(1u32) << (1 + bits + places)
}
