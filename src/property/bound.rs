//! The result is farther from the exact sum than a bound.

use super::exact::exact;
use crate::algorithms::{DotAdd, Fused, Registers, Stages, Step};
use crate::bits::{Bv, Prop};
use crate::float::{Rounding, unpack, unsigned_width};
use crate::model::Model;

/// What a bound is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// The last place of the result.
    Ulp,
    /// The power of two of the largest exponent among the terms, that of a product being the sum
    /// of its factors' exponents: at most the largest term, where factors are normal.
    Max,
    /// 1.
    One,
}

/// `mantissa * 2^exponent` units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// Its mantissa.
    pub mantissa: u64,
    /// Its exponent.
    pub exponent: i64,
    /// What it is counted in.
    pub unit: Unit,
}

/// Unsatisfiable iff every finite result lies within `bound` of the exact sum.
///
/// Both are compared in the frame of the largest exponent, as fixed-point numbers. The exact terms
/// are halved at the place where the model cuts its own, so that what it keeps cancels.
pub fn exceeds<B: Bv>(model: &Model, bound: &Bound, inputs: &Registers<B>) -> B::Bool {
    let signature = model.signature();
    let mut stages = Stages::new();
    exact(&signature, Rounding::Rne).dot_add(inputs.operands(), &mut stages);
    let Some(terms) = first_fused(&stages) else {
        return B::Bool::constant(false);
    };
    let (result, stages) = model.evaluate(inputs);
    let format = &signature.d;
    let kept = first_fused(&stages).map_or(format.fraction_bits, |own| own.grid.fraction_bits);
    let x = unpack(format, &result);

    // The exponent of the last place of the result is `field + last_place`, of the frame
    // `max_exponent + offset - places`.
    let last_place = -i64::from(format.bias()) - i64::from(format.fraction_bits);
    let offset = i64::from(terms.grid.exponent_offset);
    let highest = (1i64 << terms.max_exponent.width()) - 1;
    let places = i64::from(terms.grid.fraction_bits.max(kept)).max(highest + offset - last_place);
    let frame = Frame {
        places: places as u32,
        cut: places as u32 - kept,
    };
    let integer_bits = unsigned_width(4 * u64::from(signature.products) + 2);
    let most = frame.places + integer_bits + 1;

    let shift_width = unsigned_width((highest + places) as u64)
        .max(format.exponent_bits)
        .max(terms.max_exponent.width())
        + 2;
    let above = |base: &B, constant: i64| {
        let max_exponent = terms.max_exponent.zext(shift_width);
        base.zext(shift_width)
            .add_const(constant)
            .sub(&max_exponent)
    };
    let shift = above(&x.exponent, last_place + places - offset);
    let limit = B::lit(shift_width, u64::from(most));
    // What no sum of the terms comes near is beyond any bound.
    let far = limit.ult(&shift).and(&x.zero.not());

    let width = most + format.precision() + 2;
    let magnitude = x.significand.zext(width).shl(&shift);
    let exact = frame.sum(terms, width);
    let error = magnitude.neg_if(&x.sign).sub(&exact);
    let error = error.neg_if(&error.msb());

    let (mantissa, exponent) = (bound.mantissa, bound.exponent);
    let (base, constant) = match bound.unit {
        Unit::Ulp => (shift, exponent),
        Unit::Max => (B::lit(shift_width, 0), exponent + places),
        Unit::One => (
            above(&B::lit(shift_width, 0), 0).add_const(highest),
            exponent + places - offset - highest,
        ),
    };
    // Both sides are raised by what keeps the shift from being negative.
    let raise = constant.min(0).unsigned_abs() as u32;
    let constant = constant.max(0) as u32;
    let greatest = (1u64 << shift_width.min(20)).min(u64::from(most) + highest as u64);
    let mantissa_bits = unsigned_width(mantissa);
    let wide = (width + raise).max(mantissa_bits + constant + greatest as u32) + 1;
    let allowed = B::lit(mantissa_bits, mantissa)
        .widen_low(constant)
        .zext(wide)
        .shl(&base);
    let exceeds = allowed.ult(&error.widen_low(raise).zext(wide));
    far.or(&exceeds).and(&x.finite())
}

fn first_fused<B: Bv>(stages: &Stages<B>) -> Option<&Fused<B>> {
    stages.steps().iter().find_map(|step| match step {
        Step::Fused(fused) => Some(&**fused),
        Step::Rounded { .. } => None,
    })
}

/// Fixed-point numbers with `places` behind the point of the largest exponent, the lowest `cut` of
/// which the model does not keep.
struct Frame {
    places: u32,
    cut: u32,
}

impl Frame {
    /// The exact sum of the terms.
    fn sum<B: Bv>(&self, terms: &Fused<B>, width: u32) -> B {
        let count = terms.terms.len();
        let mut parts = Vec::with_capacity(2 * count);
        for (index, term) in terms.terms.iter().enumerate() {
            let (_, fraction) = terms.grid.term(index, count);
            let distance = terms.max_exponent.sub(&terms.exponents[index]);
            let placed = term.significand.widen_low(self.places - fraction);
            let aligned = placed.lshr(&distance);
            let sign = &term.special.sign;
            let high = aligned.extract(aligned.width() - 1, self.cut);
            let high = high.zext(width - self.cut).neg_if(sign);
            parts.push(high.widen_low(self.cut));
            if self.cut > 0 {
                let low = aligned.extract(self.cut - 1, 0);
                parts.push(low.zext(width).neg_if(sign));
            }
        }
        B::sum(&parts)
    }
}
