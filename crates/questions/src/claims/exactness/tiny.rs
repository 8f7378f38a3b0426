//! Products that are too small to change `c`, whatever value `c` has.

use super::rdna::{BELOW_C, BELOW_PRODUCT, Rdna, least_of_f16};
use super::sum::Sum;
use super::terms::{Term, terms};
use super::units::Product;
use mmasmt_core::numbers::float::{Format, Rounding};

/// Whether a number below `2^top` is rounded to zero.
pub(super) fn are_rounded_to_zero(top: i64, format: &Format, rounding: Rounding) -> bool {
    match rounding {
        Rounding::Rz => top <= format.least_exponent().into(),
        Rounding::Rne => top < format.least_exponent().into(),
        _ => false,
    }
}

/// Whether the products of RDNA4 are too small to change `c`, whatever value `c` has. The sum of
/// two products, rounded down to the grid of `c`, is zero or minus one unit of the grid, and a
/// dot-add has at most two sums of two products. Just below a power of two, two units are half an
/// ulp of f32, a tie; elsewhere they are less than half an ulp.
pub(super) fn are_below_grid(unit: &Rdna, products: &[Product]) -> bool {
    let least = least_of_f16(&unit.out).unwrap_or(Format::F32.min_exponent());
    let grid = i64::from(least) - i64::from(BELOW_C);
    let is_below = |term: Term| {
        let exponent = term
            .exponent
            .map(|exponent| exponent - i64::from(BELOW_PRODUCT));
        let top = term.sum.values.top();
        exponent.is_none_or(|exponent| exponent <= grid) && top.is_none_or(|top| top < grid)
    };
    products.len() <= 4 && terms(products, [&unit.a, &unit.b]).all(is_below)
}

/// Whether the products of RDNA3 are too small to change `c`, which is no subnormal number of f32.
/// If `c` is nonzero, each product is cut to zero or, by the complement, to minus one unit of the
/// grid. Just below a power of two, two units are half an ulp of f32, a tie; elsewhere they are
/// less than half an ulp. If `c` is zero, the products are flushed.
pub(super) fn are_below_flushed(unit: &Rdna, products: &[Product], c: &Sum) -> bool {
    if unit.out == Format::F16 || !c.values.are_in(&unit.out) {
        return false;
    }
    let grid = i64::from(Format::F32.min_exponent()) - i64::from(BELOW_C);
    let formats = [&unit.a, &unit.b];
    terms(products, formats).all(|term| {
        let top = term.sum.values.top();
        let exponent = term
            .exponent
            .map(|exponent| exponent - i64::from(BELOW_PRODUCT));
        top.is_none_or(|top| top <= grid) && exponent.is_none_or(|exponent| exponent <= grid)
    })
}
