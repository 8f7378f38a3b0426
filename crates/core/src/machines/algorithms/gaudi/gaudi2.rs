//! One step of Gaudi 2. Products are cut on a grid 46 bits below their largest exponent, and summed
//! exactly. `c` is added to that sum, and the total is rounded once to nearest even.

use super::factors::{F32, NAN, inner, rules, widened};
use crate::machines::algorithms::fused::{Rounded, ZeroSign};
use crate::machines::algorithms::terms::{TermLayout, Terms};
use crate::machines::algorithms::{Align, FlushedResults, Grid, Operands, Stages, Step};
use crate::numbers::bits::Bv;
use crate::numbers::float::{
    FlushedTo, Format, Overflow, Rounding, convert, flush, ieee_add, unpack,
};

/// Fraction bits of aligned products.
pub(super) const FRACTION_BITS: u32 = 46;
/// A format that holds every sum of products. The sum with `c`, rounded to odd in this format,
/// keeps everything that the later rounding to f32 needs.
const WIDE: Format = Format::F64;

pub(super) fn step<B: Bv>(
    [a, b]: [&Format; 2],
    operands: Operands<'_, B>,
    stages: &mut Stages<B>,
) -> B {
    let rules = rules([a, b], None);
    let layout = TermLayout::of(&rules);
    let terms = Terms {
        rules,
        layout: &layout,
    };
    let factor = |format: &Format, bits: &B| {
        let inner = inner(format);
        let bits = flush(&inner, FlushedTo::SameSign, &widened(format, bits));
        unpack(&inner, &bits)
    };

    let mut sum = stages.begin_fused(Grid {
        exponent_offset: layout.exponent_offset,
        what: "products",
        term_fraction: layout.product_fraction,
        fraction_bits: FRACTION_BITS,
        result: Some(WIDE),
        ..Grid::PRODUCTS
    });
    let factors = operands.a.iter().zip(operands.b);
    sum.fill(factors.map(|(x, y)| terms.product(&factor(a, x), &factor(b, y), None)));
    sum.add_up(
        Align::Trunc,
        layout.sum_width(operands.a.len() as u32, FRACTION_BITS),
    );
    sum.finish(&Rounded {
        format: WIDE,
        rounding: Rounding::Rz,
        overflow: Overflow::Infinity,
        flushed: FlushedResults::Kept,
        zero: ZeroSign::SharedByZeros,
        nan: NAN,
    });
    let products = sum.result.clone();
    stages.push(Step::Fused(sum));

    let c = flush(&F32, FlushedTo::SameSign, operands.c);
    let c = convert(&F32, &WIDE, Rounding::Rz, NAN, &c);
    let with_c = ieee_add(&WIDE, Rounding::Odd, NAN, &products, &c);
    push(stages, "c added, rounded to odd", WIDE, &with_c);
    let rounded = convert(&WIDE, &F32, Rounding::Rne, NAN, &with_c);
    let result = flush(&F32, FlushedTo::SameSign, &rounded);
    push(stages, "rounded, subnormal numbers flushed", F32, &result);
    result
}

fn push<B: Bv>(stages: &mut Stages<B>, what: &'static str, format: Format, value: &B) {
    stages.push(Step::Rounded {
        what,
        index: None,
        format,
        value: value.clone(),
    });
}
