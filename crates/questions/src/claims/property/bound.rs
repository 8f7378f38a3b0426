//! The violation of `error=BOUND`: the result is farther from the exact sum than `BOUND`.

use super::exact::exact;
use super::lemma::Lemma;
use super::symbolic::all_finite;
use mmasmt_core::machines::algorithms::{FusedStages, Registers, Stages, Step};
use mmasmt_core::machines::model::Instance;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::bits::{Prop, mux};
use mmasmt_numbers::float::{Rounding, unpack, unsigned_width};

/// The unit of a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundUnit {
    /// The last place of the result. If the result is a zero or a subnormal number, this is the
    /// least positive number of its format.
    Ulp,
    /// `2^e`, where `e` is the largest exponent of a term. The exponent of a product is the sum of
    /// the exponents of its factors. Where factors are normal, `2^e` is at most the largest term.
    Max,
    /// The number 1: the bound is absolute.
    One,
}

/// A bound of `mantissa * 2^exponent` units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The mantissa of the bound.
    pub mantissa: u64,
    /// The exponent of the bound.
    pub exponent: i64,
    /// The unit of the bound.
    pub unit: BoundUnit,
}

/// Unsatisfiable iff every finite result for finite operands lies within `bound` of the exact sum.
pub fn exceeds<B: Instance>(model: &Model, bound: &Bound, inputs: &Registers<B>) -> B::Bool {
    Errors::of(model, bound, inputs).exceed()
}

/// Returns two lemmas. The first says that the error of the last rounding is at most the bound
/// minus the greatest possible error of alignment. The second says that the whole error is
/// therefore at most the bound.
pub fn lemmas<B: Instance>(model: &Model, bound: &Bound, inputs: &Registers<B>) -> Vec<Lemma<B>> {
    Errors::of(model, bound, inputs).lemmas()
}

/// The errors that occur on the way to a result, and the bound. All of them are fixed-point numbers
/// with the same unit, which is relative to the largest exponent.
struct Errors<B: Instance> {
    /// Result minus the sum that the model rounds.
    rounded: B,
    /// Exact sum minus the sum that the model rounds.
    cut: B,
    /// An upper bound of the error of alignment: one last place of the sum for each term.
    most_cut: B,
    /// The bound, in the unit of the errors.
    allowed: B,
    /// True if the result is so large that it exceeds the exact sum by more than the bound.
    far: B::Bool,
    /// True if the result and all operands are finite.
    finite: B::Bool,
    /// The sum that the model rounds, and the largest exponent, relative to which the sum is given.
    sum: [B; 2],
}

impl<B: Instance> Errors<B> {
    /// The errors of `model`.
    fn of(model: &Model, bound: &Bound, inputs: &Registers<B>) -> Self {
        let signature = model.signature();
        let exact = exact(&signature, Rounding::Rne);
        let terms = &*exact.sum(inputs.operands(), &mut Stages::new());
        let (result, own) = model.evaluate(inputs);
        let format = &signature.d;
        let own = first_fused(&own);
        let kept = own.map_or(format.precision() - 1, |own| own.grid.fraction_bits);
        let x = unpack(format, &result);

        // The unit of the result is `2^(field + last_place)`, where `field` is its exponent field.
        // The unit of the fixed-point numbers is `2^(max_exponent + offset - places)`.
        let last_place = -format.field_of(0) - i64::from(format.precision() - 1);
        let offset = i64::from(terms.grid.exponent_offset);
        let limit = u64::from(exact.product_limit()) * u64::from(signature.products) + 2;
        let integer_bits = i64::from(unsigned_width(limit));
        let (mantissa, exponent) = (bound.mantissa, bound.exponent);
        let mantissa_bits = unsigned_width(mantissa);
        // Results and absolute bounds are multiples of a power of two. If the exact sum is below
        // that power, only the sign of the sum matters: the largest exponent may then be raised, as
        // long as the sum stays below the power.
        let least = match bound.unit {
            BoundUnit::One => exponent.min(last_place + 1) - offset - integer_bits,
            BoundUnit::Ulp | BoundUnit::Max => 0,
        };
        let least = least.max(0);
        let highest = ((1i64 << terms.max_exponent.width()) - 1).max(least);
        let places =
            i64::from(terms.grid.fraction_bits.max(kept)).max(highest + offset - last_place);
        let frame = Frame {
            places: places as u32,
            cut: places as u32 - kept,
        };
        let max_exponent_field = format.field_ones() as i64;
        let greatest_shift = max_exponent_field + last_place + places - offset - least;
        let most = match bound.unit {
            // At this shift, the last place of the result exceeds any sum, and there is room for
            // the fraction bits of the bound.
            BoundUnit::Ulp => places + integer_bits + 1 + (-exponent).max(0),
            // At this shift, the result exceeds the sum plus the bound.
            BoundUnit::Max => places + integer_bits.max(i64::from(mantissa_bits) + exponent) + 1,
            BoundUnit::One => greatest_shift,
        };

        let shift_width = unsigned_width(greatest_shift.max(highest + places).max(most) as u64)
            .max(format.field_width())
            .max(terms.max_exponent.width())
            + 2;
        let largest = terms.max_exponent.zext(shift_width);
        let largest = match least {
            0 => largest,
            _ => B::umax(&[largest, B::lit(shift_width, least as u64)]),
        };
        let shift = x
            .exponent
            .zext(shift_width)
            .add_const(last_place + places - offset)
            .sub(&largest);
        let limit = B::lit(shift_width, most as u64);
        let beyond = limit.ult(&shift);
        let (shift, far) = match bound.unit {
            // Beyond the limit, the comparison with the bound does not depend on the shift.
            BoundUnit::Ulp => (mux(&beyond, &limit, &shift), B::Bool::constant(false)),
            // A result beyond the limit is farther from every sum than the bound.
            BoundUnit::Max => (shift, beyond.and(&x.zero.not())),
            BoundUnit::One => (shift, B::Bool::constant(false)),
        };

        let (base, greatest, constant) = match bound.unit {
            BoundUnit::Ulp => (shift.clone(), most, exponent),
            BoundUnit::Max => (B::lit(shift_width, 0), 0, exponent + places),
            BoundUnit::One => (
                B::lit(shift_width, highest as u64).sub(&largest),
                highest - least,
                exponent + places - offset - highest,
            ),
        };
        // Both sides of the comparison are scaled so that no shift is negative.
        let raise = constant.min(0).unsigned_abs() as u32;
        let constant = constant.max(0) as u32;

        let sum = own.map_or(B::lit(1, 0), |own| own.sum.clone());
        let magnitude_width = (most as u32 + format.precision())
            .max(sum.width() + frame.cut)
            .max(frame.width(terms));
        // In this width nothing wraps, so that kept terms cancel in the graph.
        let width = magnitude_width + 2;
        let wide = (width + raise).max(mantissa_bits + constant + greatest as u32) + 2;
        let raised = |number: B| number.widen_low(raise).sext(wide);

        // The model rounds the magnitude of the sum.
        let negative = sum.msb();
        let magnitude = sum.neg_if(&negative).widen_low(frame.cut);
        let rounded = x.significand.zext(magnitude_width).shl(&shift).zext(width);
        let rounded = rounded
            .neg_if(&x.sign.xor(&negative))
            .sub(&magnitude.zext(width))
            .neg_if(&negative);
        let cut = frame.cut_terms(terms, &sum, width);
        Errors {
            rounded: raised(rounded),
            cut: raised(cut),
            most_cut: B::lit(wide, terms.terms.len() as u64)
                .shl(&B::lit(wide, (frame.cut + raise).into())),
            allowed: B::lit(mantissa_bits, mantissa)
                .widen_low(constant)
                .zext(wide)
                .shl(&base),
            far,
            finite: x.finite().and(&all_finite(&signature, inputs)),
            sum: [sum, terms.max_exponent.clone()],
        }
    }

    /// The least and the greatest value of `rounded` for which the error is within the bound.
    fn room(&self) -> [B; 2] {
        [self.cut.sub(&self.allowed), self.cut.add(&self.allowed)]
    }

    /// True if the error exceeds the bound, while all operands and the result are finite.
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

fn first_fused<B: Instance>(stages: &Stages<B>) -> Option<&FusedStages<B>> {
    stages.steps().iter().find_map(|step| match step {
        Step::Fused(fused) => Some(&**fused),
        Step::Rounded { .. } => None,
    })
}

/// A fixed-point format with `places` fraction bits relative to the largest exponent. The model
/// does not keep the lowest `cut` of these bits.
struct Frame {
    places: u32,
    cut: u32,
}

impl Frame {
    /// The width in bits of the exact sum in this format.
    fn width<B: Instance>(&self, terms: &FusedStages<B>) -> u32 {
        let count = terms.terms.len();
        let fraction = terms.grid.term_fraction;
        let widths = terms.terms.iter();
        let widths = widths.map(|term| term.significand.width() + self.places - fraction);
        widths.max().unwrap_or(0) + unsigned_width(count as u64) + 1
    }

    /// The exact sum of the terms minus `sum`, the model's sum, which has no bits below the cut.
    fn cut_terms<B: Instance>(&self, terms: &FusedStages<B>, sum: &B, width: u32) -> B {
        let count = terms.terms.len();
        // Subtract the kept bits from the sum term by term: the graph then cancels equal terms.
        let mut excess = vec![sum.sext(width - self.cut)];
        let mut parts = Vec::with_capacity(count + 1);
        let fraction = terms.grid.term_fraction;
        for (index, term) in terms.terms.iter().enumerate() {
            let distance = terms.max_exponent.sub(&terms.exponents[index]);
            let placed = term.significand.widen_low(self.places - fraction);
            let aligned = placed.lshr(&distance);
            let kept = self.places - self.cut;
            let high = match kept.checked_sub(fraction) {
                // Use the same nodes as the models of units whose sum keeps all fraction bits
                // of a term.
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
