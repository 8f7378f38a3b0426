//! What FDRDA and GFDRDA share: products that overflow, dot products without `c`, and its late
//! addition, rounded down (mma-sim.txt §IV-F, §IV-H).

use super::align::align;
use super::terms::{TermLayout, TermRules, Terms};
use super::{
    Align, Grid, Operands, Products, Signature, Stages, Step, SubnormalC, Summand, ZeroRule,
};
use crate::bits::{Bv, Prop, mux};
use crate::float::{
    Format, NanCode, Overflow, Rounding, SpecialTerm, Unrounded, round, special_or_finite, unpack,
    unsigned_width,
};

/// How the dot product and `c` are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LateAdd {
    /// The dot product is cut to 31 fraction bits (mma-sim.txt §IV-F step 6).
    Cut31,
    /// It is cut to 32 fraction bits, and the normalised total to 31 (arXiv:2609.14845; four
    /// reported MI300 rows need it).
    Cut32Normalise31,
}

/// What becomes of a `c` far below the dot product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FarC {
    /// As any other `c`.
    Same,
    /// It is cut toward zero where its exponent is more than 25 below the largest (§IV-H step 8).
    Truncated,
}

/// Parameters of a dot product with a late addition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LateParams {
    /// Format of the left factors.
    pub a: Format,
    /// Format of the right factors.
    pub b: Format,
    /// Products in one operation.
    pub products: u32,
    /// Fraction bits kept of products, and of `c`: F.
    pub fraction_bits: u32,
    /// Cutting where this is rounded down.
    pub align: Align,
    /// How the dot product and `c` are added.
    pub late: LateAdd,
    /// Exponent of zero factors; `c` always has that of its field.
    pub zero: ZeroRule,
    /// Code of a NaN result.
    pub nan: NanCode,
}

/// A dot product with the exponent that its products were aligned to.
pub(super) struct Dot<B: Bv> {
    /// Two's complement.
    pub sum: B,
    pub exponent: B,
}

/// The unit: parameters and what follows from them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LateUnit {
    pub params: LateParams,
    rules: TermRules,
    layout: TermLayout,
    far_c: FarC,
}

/// Exponents at this and above are infinite as products (§IV-F step 2).
const OVERFLOW: i64 = 128;
/// How far below the largest exponent that of a far `c` is, at least (§IV-H step 8).
const FAR: u64 = 26;

const OUT: Format = Format::F32;

impl LateUnit {
    pub(super) fn new(params: LateParams, far_c: FarC) -> Self {
        let rules = TermRules {
            a: params.a,
            b: params.b,
            c: OUT,
            scale: None,
            products: Products::Exact,
            zero: params.zero,
            zero_c: ZeroRule::Raw,
            subnormal_c: SubnormalC::Own,
            min_exponent: None,
        };
        LateUnit {
            params,
            rules,
            layout: TermLayout::of(&rules),
            far_c,
        }
    }

    fn terms(&self) -> Terms<'_> {
        Terms {
            rules: self.rules,
            layout: &self.layout,
        }
    }

    pub(super) fn signature(&self) -> Signature {
        Signature {
            a: self.params.a,
            b: self.params.b,
            c: OUT,
            d: OUT,
            products: self.params.products,
            scales: None,
        }
    }

    /// The products with the exponents that they are aligned by.
    pub(super) fn products<B: Bv>(&self, operands: Operands<'_, B>) -> Vec<(Summand<B>, B)> {
        let LateParams { a, b, .. } = &self.params;
        let terms = self.terms();
        let factors = operands.a.iter().zip(operands.b);
        factors
            .map(|(x, y)| terms.product(&unpack(a, x), &unpack(b, y), None))
            .collect()
    }

    /// Products aligned to their largest exponent, cut and summed exactly.
    pub(super) fn dot<'p, B: Bv + 'p>(
        &self,
        products: impl Iterator<Item = &'p (Summand<B>, B)>,
        grid: Grid,
        stages: &mut Stages<B>,
    ) -> Dot<B> {
        let kept = self.params.fraction_bits;
        let grid = Grid {
            term_fraction: self.layout.product_fraction,
            ..grid
        };
        let count = self.params.products as usize;
        let width = unsigned_width(count as u64 * self.layout.product_limit - 1) + kept + 1;
        self.sum(Align::Trunc, products.cloned(), grid, width, stages)
    }

    /// Two dot products aligned to the larger exponent, rounded down, and added.
    pub(super) fn both<B: Bv>(&self, dots: &[Dot<B>; 2], stages: &mut Stages<B>) -> Dot<B> {
        let grid = Grid {
            what: "both dot products",
            term: "dot",
            term_fraction: self.params.fraction_bits,
            ..Grid::PRODUCTS
        };
        let width = dots[0].sum.width().max(dots[1].sum.width()) + 1;
        let terms = dots
            .iter()
            .map(|dot| (dot_term(&dot.sum), dot.exponent.clone()));
        self.sum(self.params.align, terms, grid, width, stages)
    }

    /// Terms aligned to their largest exponent, cut to F fraction bits, and summed exactly.
    fn sum<B: Bv>(
        &self,
        rule: Align,
        terms: impl Iterator<Item = (Summand<B>, B)>,
        grid: Grid,
        width: u32,
        stages: &mut Stages<B>,
    ) -> Dot<B> {
        let kept = self.params.fraction_bits;
        let mut stage = stages.begin_fused(Grid {
            exponent_offset: self.layout.exponent_offset,
            fraction_bits: kept,
            ..grid
        });
        stage.fill(terms);
        let largest = B::umax(&stage.exponents);
        let fractions = (grid.term_fraction, kept);
        let pairs = stage.terms.iter().zip(&stage.exponents);
        stage.aligned.extend(pairs.map(|(term, exponent)| {
            let (sign, distance) = (&term.special.sign, largest.sub(exponent));
            align(rule, sign, &term.significand, &distance, fractions, width)
        }));
        stage.sum = B::sum(&stage.aligned);
        stage.max_exponent = largest;
        let dot = Dot {
            sum: stage.sum.clone(),
            exponent: stage.max_exponent.clone(),
        };
        stages.push(Step::Fused(stage));
        dot
    }

    /// The dot product and `c` aligned to the larger exponent, added, and rounded to nearest even;
    /// infinities and NaNs of operands, then those of products that overflow, come first.
    pub(super) fn add_late<B: Bv>(
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
        let largest = B::umax(&stage.exponents);
        let integer_bits = dot.sum.width() - self.params.fraction_bits;
        let width = integer_bits + fraction_bits + 1;
        let distance = |index: usize| largest.sub(&stage.exponents[index]);
        let dot_aligned = self.align_dot(&stage.terms[0], &distance(0), kept, width);
        let c_aligned = self.align_c(&stage.terms[1], &distance(1), fraction_bits, width);
        stage.aligned.extend([dot_aligned, c_aligned]);
        stage.sum = B::sum(&stage.aligned);
        let finite = self.round(&stage.sum, &largest, fraction_bits);
        stage.max_exponent = largest;

        let overflows = products
            .iter()
            .map(|(term, exponent)| self.overflow(term, exponent));
        let overflows: Vec<_> = overflows.collect();
        let nan = self.params.nan;
        let finite = special_or_finite(overflows.iter(), &OUT, nan, &finite);
        let special = products.iter().map(|(term, _)| &term.special);
        let special = special.chain([&stage.terms[1].special]);
        stage.result = special_or_finite(special, &OUT, nan, &finite);
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

    /// `c` cut to F fraction bits, on the grid of the dot product.
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

    /// A product of at least 2^128 is an infinity.
    fn overflow<B: Bv>(&self, product: &Summand<B>, exponent: &B) -> SpecialTerm<B> {
        let least: B = self.layout.exponent(OVERFLOW);
        // A significand of 2 or more counts as one more.
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
                // A subnormal total keeps the least exponent.
                let integer_bits = (width - fraction_bits) as i32;
                let top = exponent_offset + integer_bits - 1;
                let exponent = exponent.zext(exponent_width);
                let room = exponent.add_const(i64::from(top - OUT.min_exponent()));
                let shift = mux(&zeros.ult(&room), &zeros, &room);
                let normal = magnitude.shl(&shift);
                let kept = normal.extract(width - 1, width - 32);
                let lost = normal.extract(width - 33, 0).is_zero().not();
                let up = match self.params.align {
                    Align::Trunc => B::Bool::constant(false),
                    Align::Floor => lost.and(&sign),
                };
                let cut = kept.zext(33).add(&B::from_prop(33, &up));
                let value = Unrounded {
                    sign: &sign,
                    // Counted from an exponent that it cannot go below.
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

/// A dot product as a term: sign and magnitude.
fn dot_term<B: Bv>(sum: &B) -> Summand<B> {
    let sign = sum.msb();
    let no = B::Bool::constant(false);
    Summand {
        significand: sum.neg_if(&sign),
        zero: sum.is_zero(),
        special: SpecialTerm {
            nan: no.clone(),
            infinite: no,
            sign,
        },
    }
}
