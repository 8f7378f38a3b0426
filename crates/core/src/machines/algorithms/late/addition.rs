//! The late addition of `c` to a dot product (Xie et al. §IV-F steps 2, 3, 6 to 8; §IV-H step 8).

use super::{Dot, FarC, Infinities, LateAdd, LateUnit, OUT, dot_term};
use crate::machines::algorithms::align::align;
use crate::machines::algorithms::{Align, Grid, Stages, Step, Summand};
use crate::numbers::bits::{Bv, Cut, HostMode, HostRounding, Prop, mux};
use crate::numbers::float::{
    Overflow, Rounding, SpecialTerm, Unrounded, round, special_or_finite, unpack, unsigned_width,
};

/// A product with this exponent or a greater one is infinite (§IV-F step 2).
const OVERFLOW: i64 = 128;
/// A `c` is far if its exponent is below the largest exponent by at least this number (§IV-H step
/// 8).
const FAR: u64 = 26;

impl LateUnit {
    /// Adds the dot product and `c`: both are aligned to the larger exponent, and their sum is
    /// rounded to nearest even. Infinities and NaNs of operands, and infinities of products that
    /// overflow, replace the sum.
    pub(in crate::machines::algorithms) fn add_late<B: Bv>(
        &self,
        dot: &Dot<B>,
        products: &[(Summand<B>, B)],
        c: &B,
        stages: &mut Stages<B>,
    ) -> B {
        let kept = match self.params.late {
            LateAdd::Cut31 => 31,
            LateAdd::Cut32Normalise31 => 32,
        };
        let fraction_bits = self.params.fraction_bits.max(kept);
        let mut stage = stages.begin_fused(Grid {
            exponent_offset: self.layout.exponent_offset,
            what: "dot product and c",
            term: "dot",
            term_fraction: self.params.fraction_bits,
            last_term: Some(("c", OUT.fraction_bits)),
            fraction_bits,
            result: Some(OUT),
            ..Grid::PRODUCTS
        });
        let dot_part = (dot_term(&dot.sum), dot.exponent.clone());
        let c_part = self.terms().addend(&unpack(&OUT, c));
        stage.fill([dot_part, c_part].into_iter());
        stage.find_largest();
        let integer_bits = dot.sum.width() - self.params.fraction_bits;
        let width = integer_bits + fraction_bits + 1;
        let distance = |index: usize| stage.max_exponent.sub(&stage.exponents[index]);
        let dot_aligned = self.align_dot(&stage.terms[0], &distance(0), kept, width);
        let c_aligned = self.align_c(&stage.terms[1], &distance(1), fraction_bits, width);
        stage.aligned.clear();
        stage.aligned.extend([dot_aligned, c_aligned]);
        stage.sum = B::sum(&stage.aligned);
        let finite = self.round(&stage.sum, &stage.max_exponent, fraction_bits);

        let overflows = products
            .iter()
            .map(|(term, exponent)| self.overflow(term, exponent));
        let overflows: Vec<_> = overflows.collect();
        let nan = self.params.nan;
        let special = products.iter().map(|(term, _)| &term.special);
        let special = special.chain([&stage.terms[1].special]);
        stage.result = match self.params.infinities {
            Infinities::Together => {
                special_or_finite(special.chain(&overflows), &OUT, nan, &finite)
            }
            Infinities::OperandsFirst => {
                let finite = special_or_finite(overflows.iter(), &OUT, nan, &finite);
                special_or_finite(special, &OUT, nan, &finite)
            }
        };
        let result = stage.result.clone();
        stages.push(Step::Fused(stage));
        result
    }

    fn align_dot<B: Bv>(&self, dot: &Summand<B>, distance: &B, kept: u32, width: u32) -> B {
        let fractions = (self.params.fraction_bits, kept);
        let (sign, rule) = (&dot.special.sign, self.params.align);
        let finer = self.params.fraction_bits.saturating_sub(kept);
        align(
            rule,
            sign,
            &dot.significand,
            distance,
            fractions,
            width - finer,
        )
        .widen_low(finer)
    }

    /// `c`, cut to F fraction bits and placed on the grid of the dot product.
    fn align_c<B: Bv>(&self, c: &Summand<B>, distance: &B, fraction_bits: u32, width: u32) -> B {
        let kept = self.params.fraction_bits;
        let finer = fraction_bits - kept;
        let fractions = (OUT.fraction_bits, kept);
        let cut = |rule| {
            let sign = &c.special.sign;
            align(
                rule,
                sign,
                &c.significand,
                distance,
                fractions,
                width - finer,
            )
        };
        let far = B::lit(distance.width(), FAR - 1).ult(distance);
        let cut = match (self.far_c, self.params.align) {
            (FarC::Truncated, Align::Floor) => mux(&far, &cut(Align::Trunc), &cut(Align::Floor)),
            (_, rule) => cut(rule),
        };
        cut.widen_low(finer)
    }

    /// The infinity that replaces a product of at least 2^128; no special value for other products.
    fn overflow<B: Bv>(&self, product: &Summand<B>, exponent: &B) -> SpecialTerm<B> {
        let least: B = self.layout.exponent(OVERFLOW);
        // A significand of 2 or more adds one to the product's exponent.
        let high = product.significand.msb();
        let beyond = least.ule(exponent);
        let next = self.layout.exponent::<B>(OVERFLOW - 1).equals(exponent);
        let infinite = beyond.or(&next.and(&high)).and(&product.zero.not());
        SpecialTerm {
            nan: B::Bool::constant(false),
            infinite,
            sign: product.special.sign.clone(),
        }
    }

    fn round<B: Bv>(&self, sum: &B, exponent: &B, fraction_bits: u32) -> B {
        let rounding = HostRounding {
            exponent_offset: self.layout.exponent_offset - fraction_bits as i32,
            cut: match self.params.late {
                LateAdd::Cut31 => None,
                LateAdd::Cut32Normalise31 => Some(Cut {
                    bits: 32,
                    floor: self.params.align == Align::Floor,
                }),
            },
            mode: HostMode::Nearest,
            keeps_sign_of_zero: true,
        };
        if let Some(register) = B::rounded_on_host(sum, exponent, &rounding) {
            return register;
        }
        let sign = sum.msb();
        let magnitude = sum.neg_if(&sign);
        let exponent_offset = self.layout.exponent_offset;
        let value = match self.params.late {
            LateAdd::Cut31 => Unrounded {
                sign: &sign,
                exponent,
                exponent_offset,
                significand: &magnitude,
                fraction_bits,
            },
            LateAdd::Cut32Normalise31 => {
                let width = magnitude.width();
                let exponent_width = exponent.width().max(unsigned_width(width.into())) + 1;
                let (_, zeros) = magnitude.normalise(exponent_width);
                // A total below the normal numbers keeps the least exponent, and is not normalised
                // further.
                let integer_bits = (width - fraction_bits) as i32;
                let top = exponent_offset + integer_bits - 1;
                let exponent = exponent.zext(exponent_width);
                let room = exponent.add_const(i64::from(top - OUT.min_exponent()));
                let shift = mux(&zeros.ult(&room), &zeros, &room);
                let normal = magnitude.shl(&shift);
                let kept = normal.extract(width - 1, width - 32);
                let lost = normal.extract(width - 33, 0).is_zero().not();
                let up = match self.params.align {
                    Align::Trunc | Align::Sticky => B::Bool::constant(false),
                    Align::Floor => lost.and(&sign),
                };
                let cut = kept.zext(33).add(&B::from_prop(33, &up));
                let value = Unrounded {
                    sign: &sign,
                    // The stored exponent has an offset that keeps it from becoming negative.
                    exponent: &exponent.add_const(width.into()).sub(&shift),
                    exponent_offset: top - width as i32,
                    significand: &cut,
                    fraction_bits: 31,
                };
                return self.rounded(&value);
            }
        };
        self.rounded(&value)
    }

    fn rounded<B: Bv>(&self, value: &Unrounded<'_, B>) -> B {
        let magnitude = round(value, &OUT, Rounding::Rne, Overflow::Infinity);
        OUT.assemble(value.sign, &magnitude)
    }
}
