//! One step of Gaudi 3 in f16, TF32 and f32: significands are split into parts of eight bits, all
//! products of two parts are cut on one grid together with `c`, and the sum is rounded toward zero.

use super::factors::{F32, NAN, inner, rules, widened};
use crate::machines::algorithms::fused::{Rounded, ZeroSign};
use crate::machines::algorithms::terms::{TermLayout, Terms};
use crate::machines::algorithms::{Align, FlushedResults, Grid, Operands, Stages, Step, Summand};
use crate::numbers::bits::{Bv, Prop};
use crate::numbers::float::{Format, Overflow, Rounding, SpecialTerm, Unpacked, unpack};

/// Fraction bits of aligned terms.
pub(super) const FRACTION_BITS: u32 = 24;
/// The least exponent that terms are aligned to.
pub(super) const MIN_EXPONENT: i32 = -132;
/// Bits of a part of a significand; the highest part has the remaining bits.
const PART: u32 = 8;

pub(super) fn step<B: Bv>(
    [a, b]: [&Format; 2],
    operands: Operands<'_, B>,
    stages: &mut Stages<B>,
) -> B {
    let rules = rules([a, b], Some(MIN_EXPONENT));
    let layout = TermLayout::of(&rules);
    let terms = Terms {
        rules,
        layout: &layout,
    };
    let mut stage = stages.begin_fused(Grid {
        exponent_offset: layout.exponent_offset,
        term: "partial product",
        term_fraction: layout.product_fraction,
        last_term: Some(("c", F32.fraction_bits)),
        fraction_bits: FRACTION_BITS,
        result: Some(F32),
        ..Grid::PRODUCTS
    });
    let factors = operands.a.iter().zip(operands.b);
    let products = factors.flat_map(|(x, y)| {
        let x = unpack(&inner(a), &widened(a, x));
        let y = unpack(&inner(b), &widened(b, y));
        let (product, exponent) = terms.product(&x, &y, None);
        let parts = partial_products(&x, &y, &product);
        parts.into_iter().map(move |part| (part, exponent.clone()))
    });
    let addend = terms.addend(&unpack(&F32, operands.c));
    stage.fill(products.chain([addend]));
    if let Some(limit) = layout.exponent_limit {
        stage.exponents.push(B::lit(layout.exponent_width, limit));
    }
    let width = layout.sum_width(operands.a.len() as u32, FRACTION_BITS);
    stage.add_up(Align::Trunc, width);
    stage.finish(&Rounded {
        format: F32,
        rounding: Rounding::Rz,
        overflow: Overflow::Infinity,
        flushed: FlushedResults::Kept,
        zero: ZeroSign::Plus,
        nan: NAN,
    });
    let result = stage.result.clone();
    stages.push(Step::Fused(stage));
    result
}

/// The products of the parts of `x` and `y`, which add up to `product`. The first of them carries
/// the infinity or NaN of `product`. The product of the lowest parts of two f32 factors is left
/// out, because it would lie below the grid.
fn partial_products<B: Bv>(
    x: &Unpacked<B>,
    y: &Unpacked<B>,
    product: &Summand<B>,
) -> Vec<Summand<B>> {
    let width = product.significand.width();
    let ordinary = SpecialTerm {
        nan: B::Bool::constant(false),
        infinite: B::Bool::constant(false),
        sign: product.special.sign.clone(),
    };
    let mut all: Vec<Summand<B>> = Vec::new();
    for (left_place, left) in parts(&x.significand) {
        for (right_place, right) in parts(&y.significand) {
            let place = left_place + right_place;
            if place == 0 && width == 2 * F32.precision() {
                continue;
            }
            let special = if all.is_empty() {
                product.special.clone()
            } else {
                ordinary.clone()
            };
            all.push(Summand {
                significand: left.mul_wide(&right).widen_low(place).zext(width),
                zero: product.zero.clone(),
                special,
            });
        }
    }
    all
}

/// The parts of a significand, the highest first, each with the place of its last bit.
fn parts<B: Bv>(significand: &B) -> Vec<(u32, B)> {
    let width = significand.width();
    let places = (0..width).step_by(PART as usize).rev();
    places
        .map(|low| (low, significand.extract((low + PART).min(width) - 1, low)))
        .collect()
}
