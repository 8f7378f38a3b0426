//! The result is farther from the exact sum than a bound.

use super::exact::exact;
use super::lemma::Lemma;
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
pub fn exceeds<B: Bv>(model: &Model, bound: &Bound, inputs: &Registers<B>) -> B::Bool {
    match Errors::of(model, bound, inputs) {
        Some(errors) => errors.exceed(),
        None => B::Bool::constant(false),
    }
}

/// That the last rounding stays so far below the bound that the cut terms cannot exceed it, and
/// from that that nothing does.
pub fn lemmas<B: Bv>(model: &Model, bound: &Bound, inputs: &Registers<B>) -> Vec<Lemma<B>> {
    match Errors::of(model, bound, inputs) {
        Some(errors) => errors.lemmas(),
        None => Vec::new(),
    }
}

/// What is lost on the way to a result, and how much of it is allowed: fixed-point numbers in the
/// frame of the largest exponent.
struct Errors<B: Bv> {
    /// Result less the sum that the model rounds.
    rounded: B,
    /// Exact sum less that sum.
    cut: B,
    /// As much as the terms lose if each loses almost one last place of that sum.
    most_cut: B,
    /// The bound.
    allowed: B,
    /// The result is beyond all that the terms come near.
    far: B::Bool,
    /// The result is finite.
    finite: B::Bool,
    /// The sum that the model rounds, and the exponent that belongs to it.
    sum: [B; 2],
}

impl<B: Bv> Errors<B> {
    /// What `model` loses; none if it has no fused sum.
    fn of(model: &Model, bound: &Bound, inputs: &Registers<B>) -> Option<Self> {
        let signature = model.signature();
        let mut stages = Stages::new();
        exact(&signature, Rounding::Rne).dot_add(inputs.operands(), &mut stages);
        let terms = first_fused(&stages)?;
        let (result, own) = model.evaluate(inputs);
        let format = &signature.d;
        let own = first_fused(&own);
        let kept = own.map_or(format.fraction_bits, |own| own.grid.fraction_bits);
        let x = unpack(format, &result);

        // The exponent of the last place of the result is `field + last_place`, of the frame
        // `max_exponent + offset - places`.
        let last_place = -i64::from(format.bias()) - i64::from(format.fraction_bits);
        let offset = i64::from(terms.grid.exponent_offset);
        let highest = (1i64 << terms.max_exponent.width()) - 1;
        let places =
            i64::from(terms.grid.fraction_bits.max(kept)).max(highest + offset - last_place);
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

        let (mantissa, exponent) = (bound.mantissa, bound.exponent);
        let (base, constant) = match bound.unit {
            Unit::Ulp => (shift.clone(), exponent),
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

        let sum = own.map_or(B::lit(1, 0), |own| own.sum.clone());
        let magnitude_width = (most + format.precision())
            .max(sum.width() + frame.cut)
            .max(frame.width(terms));
        // Nothing on the way is wrapped: the terms that are kept cancel only as integers.
        let width = magnitude_width + 2;
        let wide = (width + raise).max(mantissa_bits + constant + greatest as u32) + 2;
        let raised = |number: B| number.widen_low(raise).sext(wide);

        // The sum goes by its magnitude, of which alone the rounding knows.
        let negative = sum.msb();
        let magnitude = sum.neg_if(&negative).widen_low(frame.cut);
        let rounded = x.significand.zext(magnitude_width).shl(&shift).zext(width);
        let rounded = rounded
            .neg_if(&x.sign.xor(&negative))
            .sub(&magnitude.zext(width))
            .neg_if(&negative);
        let cut = frame.cut_terms(terms, &sum, width);
        Some(Errors {
            rounded: raised(rounded),
            cut: raised(cut),
            most_cut: B::lit(wide, terms.terms.len() as u64)
                .shl(&B::lit(wide, (frame.cut + raise).into())),
            allowed: B::lit(mantissa_bits, mantissa)
                .widen_low(constant)
                .zext(wide)
                .shl(&base),
            far,
            finite: x.finite(),
            sum: [sum, terms.max_exponent.clone()],
        })
    }

    /// What is lost may be as much as this, upwards and downwards.
    fn room(&self) -> [B; 2] {
        [self.cut.sub(&self.allowed), self.cut.add(&self.allowed)]
    }

    /// More is lost than is allowed.
    fn exceed(&self) -> B::Bool {
        let [least, most] = self.room();
        let outside = self.rounded.slt(&least).or(&most.slt(&self.rounded));
        self.far.or(&outside).and(&self.finite)
    }

    fn lemmas(self) -> Vec<Lemma<B>> {
        let room = self.allowed.sub(&self.most_cut);
        let outside = self.rounded.slt(&room.neg()).or(&room.slt(&self.rounded));
        let rounding = Lemma {
            holds: self.far.or(&outside).and(&self.finite).not(),
            from: self.sum.to_vec(),
        };
        let [least, most] = self.room();
        let mut from = vec![self.rounded.clone(), least, most];
        from.extend_from_slice(&self.sum);
        let both = Lemma {
            holds: self.exceed().not(),
            from,
        };
        vec![rounding, both]
    }
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
    /// Bits of the exact sum.
    fn width<B: Bv>(&self, terms: &Fused<B>) -> u32 {
        let count = terms.terms.len();
        let widths = terms.terms.iter().enumerate().map(|(index, term)| {
            let (_, fraction) = terms.grid.term(index, count);
            term.significand.width() + self.places - fraction
        });
        widths.max().unwrap_or(0) + unsigned_width(count as u64) + 1
    }

    /// The exact sum of the terms less `sum`, which has no bits below the cut.
    fn cut_terms<B: Bv>(&self, terms: &Fused<B>, sum: &B, width: u32) -> B {
        let count = terms.terms.len();
        // What is kept is taken from the sum term by term, so that it goes where it is the same.
        let mut excess = vec![sum.sext(width - self.cut)];
        let mut parts = Vec::with_capacity(count + 1);
        for (index, term) in terms.terms.iter().enumerate() {
            let (_, fraction) = terms.grid.term(index, count);
            let distance = terms.max_exponent.sub(&terms.exponents[index]);
            let placed = term.significand.widen_low(self.places - fraction);
            let aligned = placed.lshr(&distance);
            let kept = self.places - self.cut;
            let high = match kept.checked_sub(fraction) {
                // As units align that keep every bit of a significand that is not shifted.
                Some(added) => term.significand.widen_low(added).lshr(&distance),
                None => aligned.extract(aligned.width() - 1, self.cut),
            };
            let sign = &term.special.sign;
            excess.push(high.zext(width - self.cut).neg_if(sign).neg());
            if self.cut > 0 {
                let low = aligned.extract(self.cut - 1, 0);
                parts.push(low.zext(width).neg_if(sign));
            }
        }
        parts.push(B::sum(&excess).neg().widen_low(self.cut));
        B::sum(&parts)
    }
}
