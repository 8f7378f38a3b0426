//! Products that are too small to change `c`, whatever value `c` has.

use super::sum::Sum;
use super::terms::{Term, terms};
use super::units::Product;
use mmasmt_core::machines::algorithms::fda::{Align, Params, SubnormalC};
use mmasmt_core::machines::algorithms::rdna::{BELOW_C, BELOW_PRODUCT, Rdna, least_of_f16};
use mmasmt_core::numbers::float::{Format, Rounding};

/// Whether the products are so small that the result is `c`: alignment to a nonzero `c` cuts all
/// their bits, and if `c` is zero, their sum is rounded to zero.
pub(super) fn leave_addend_alone(params: &Params, products: &[Term], addend: &Term) -> bool {
    let Some(top) = products
        .iter()
        .filter_map(|term| term.sum.values.top())
        .max()
    else {
        return false;
    };
    let places = i64::from(params.fraction_bits);
    let least_of_addend = match params.subnormal_c {
        SubnormalC::Own => params.c.min_exponent(),
        SubnormalC::Widened => params.c.least_exponent(),
    };
    let are_cut = params.align == Align::Trunc && !params.sticky && params.via.is_none();
    let are_cut = are_cut && top <= i64::from(least_of_addend) - places;
    let result = params.out.with_fraction(params.result_fraction);
    let all = top + i64::from(products.len().next_power_of_two().ilog2());
    let is_zero = are_rounded_to_zero(all, &result, params.rounding);
    let highest = products.iter().filter_map(|term| term.exponent).max();
    let limit = params.min_exponent.map(i64::from);
    are_cut && is_zero && addend.is_kept(limit.max(highest), params.fraction_bits)
}

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
