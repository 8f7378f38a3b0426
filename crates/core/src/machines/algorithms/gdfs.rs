//! GDFS, group-dot-fused-sum (Xie et al. §IV-E): the algorithm of OMMA and UTCOMMA for FP4 with
//! block scales.

use super::fused::{Rounded, ZeroSign};
use super::terms::ZERO_EXPONENT;
use super::{
    Align, BlockScales, DotAdd, FlushedResults, Grid, Operands, Signature, Stages, Step, Summand,
    ZeroRule,
};
use crate::numbers::bits::{Bv, Prop, mux};
use crate::numbers::float::{
    Format, NanCode, Overflow, Rounding, SpecialTerm, Unpacked, unpack, unsigned_width,
};

/// Dot products of groups of 16, exact and in fixed point. Each group is scaled, and all groups are
/// summed with `c` as in a fused dot-add.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gdfs {
    /// Format of the left factors: a small format without infinities and NaNs.
    pub a: Format,
    /// Format of the right factors: also a small format without infinities and NaNs.
    pub b: Format,
    /// The block scales; a block has one or more whole groups.
    pub scales: BlockScales,
    /// Number of products, a multiple of the length of a block.
    pub products: u32,
    /// Products in a group: 16.
    pub group: u32,
    /// Fraction bits that alignment keeps of groups and of `c`: F.
    pub fraction_bits: u32,
    /// Exponent of a zero group, of a zero scale factor and of a zero `c`.
    pub zero: ZeroRule,
    /// Exponent of a group whose nonzero products cancel, under [`ZeroRule::Skip`].
    pub cancelled: Cancelled,
    /// Lower limit of the alignment exponent.
    pub min_exponent: Option<i32>,
    /// Code of a NaN result.
    pub nan: NanCode,
}

/// The exponent of a group whose products add up to zero without all being zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cancelled {
    /// The exponent of a zero group: no exponent under [`ZeroRule::Skip`].
    Zero,
    /// The sum of the exponents of the group's two scale factors (MMA-Sim 2.1.1).
    Scales,
}

const OUT: Format = Format::F32;

/// How the exponents of terms are stored: as unsigned numbers of `width` bits, less `offset`. The
/// exponent of a group is the sum of the exponents of its two scale factors.
struct Exponents {
    offset: i64,
    width: u32,
}

/// A scale factor: its significand and its exponent.
struct Scale<B: Bv> {
    significand: B,
    exponent: B,
    zero: B::Bool,
    nan: B::Bool,
}

impl Gdfs {
    fn exponents(&self) -> Exponents {
        let format = &self.scales.format;
        let limit = self.min_exponent.map(i64::from);
        let low = match (format.has_zero(), self.zero) {
            (true, ZeroRule::Min) => ZERO_EXPONENT,
            _ => i64::from(format.min_exponent()),
        };
        let high = (1i64 << format.exponent_bits) - 1 - i64::from(format.bias());
        let offset = (2 * low)
            .min(OUT.min_exponent().into())
            .min(limit.unwrap_or(i64::MAX));
        let highest = (2 * high).max(128).max(limit.unwrap_or(i64::MIN));
        Exponents {
            offset,
            width: unsigned_width((highest - offset) as u64).max(9),
        }
    }

    /// The scale factor in a register. Its exponent includes the bias of the format.
    fn scale<B: Bv>(&self, exponents: &Exponents, bits: &B) -> Scale<B> {
        let format = &self.scales.format;
        let x: Unpacked<B> = unpack(format, bits);
        let field = x.exponent.zext(exponents.width);
        let exponent = match self.zero {
            ZeroRule::Min => {
                let zero = ZERO_EXPONENT + i64::from(format.bias());
                let zero = B::lit(exponents.width, 0).add_const(zero);
                mux(&x.zero, &zero, &field)
            }
            ZeroRule::Skip | ZeroRule::Raw => field,
        };
        Scale {
            significand: x.significand,
            exponent,
            zero: x.zero,
            nan: x.nan,
        }
    }

    /// The magnitude of a factor in fixed point, in units of the last place of the format's least
    /// number.
    fn fixed<B: Bv>(format: &Format, x: &Unpacked<B>) -> B {
        let width = format.precision() + (1 << format.exponent_bits) - 2;
        x.significand.zext(width).shl(&x.exponent.add_const(-1))
    }

    /// Steps 2 and 3 of Xie et al. §IV-E: the exact sum of the products of a group, in two's
    /// complement, and whether every product is zero.
    fn group_sum<B: Bv>(&self, a: &[B], b: &[B]) -> (B, B::Bool) {
        let products: Vec<(B, B::Bool)> = a
            .iter()
            .zip(b)
            .map(|(x, y)| {
                let (x, y) = (unpack(&self.a, x), unpack(&self.b, y));
                let magnitude = Self::fixed(&self.a, &x).mul_wide(&Self::fixed(&self.b, &y));
                (magnitude, x.sign.xor(&y.sign))
            })
            .collect();
        let signed = products.iter().map(|(magnitude, sign)| {
            let width = magnitude.width() + unsigned_width(self.group.into()) + 1;
            magnitude.zext(width).neg_if(sign)
        });
        let sum = B::sum(&signed.collect::<Vec<_>>());
        let empty = B::Bool::all(products.iter().map(|(magnitude, _)| magnitude.is_zero()));
        (sum, empty)
    }

    /// Fraction bits of the sum of a group.
    fn sum_fraction(&self) -> u32 {
        -(self.a.least_exponent() + self.b.least_exponent()) as u32
    }

    /// Step 4: the sum of a group times the significands of both scale factors, as a term, and the
    /// exponent of this term.
    fn scaled<B: Bv>(
        &self,
        exponents: &Exponents,
        (sum, empty): (&B, &B::Bool),
        [a, b]: [&Scale<B>; 2],
    ) -> (Summand<B>, B) {
        let sign = sum.msb();
        let magnitude = sum.neg_if(&sign);
        let significand = magnitude.mul_wide(&a.significand).mul_wide(&b.significand);
        let zero_scale = a.zero.or(&b.zero);
        let zero = sum.is_zero().or(&zero_scale);
        let left_out = match self.cancelled {
            Cancelled::Zero => zero.clone(),
            Cancelled::Scales => empty.or(&zero_scale),
        };
        let base = -2 * i64::from(self.scales.format.bias()) - exponents.offset;
        let exponent = a.exponent.add(&b.exponent).add_const(base);
        let summand = Summand {
            significand,
            zero,
            special: SpecialTerm {
                nan: a.nan.or(&b.nan),
                infinite: B::Bool::constant(false),
                sign,
            },
        };
        (summand, self.taking_part(exponents, &left_out, exponent))
    }

    /// The exponent that a term has in the search for the largest exponent: 0 if the term is left
    /// out.
    fn taking_part<B: Bv>(&self, exponents: &Exponents, left_out: &B::Bool, exponent: B) -> B {
        match self.zero {
            ZeroRule::Skip => mux(left_out, &B::lit(exponents.width, 0), &exponent),
            ZeroRule::Raw | ZeroRule::Min => exponent,
        }
    }

    /// All terms with their exponents: the scaled groups in order, then `c`.
    fn terms<B: Bv>(
        &self,
        operands: Operands<'_, B>,
        exponents: &Exponents,
    ) -> Vec<(Summand<B>, B)> {
        let scales = |row: &[B]| -> Vec<Scale<B>> {
            row.iter().map(|bits| self.scale(exponents, bits)).collect()
        };
        let (a_scales, b_scales) = (scales(operands.a_scales), scales(operands.b_scales));
        let group = self.group as usize;
        let groups = operands.a.chunks(group).zip(operands.b.chunks(group));
        let mut terms: Vec<_> = groups
            .enumerate()
            .map(|(number, (a, b))| {
                let block = number * group / self.scales.block as usize;
                let (sum, empty) = self.group_sum(a, b);
                let scales = [&a_scales[block], &b_scales[block]];
                self.scaled(exponents, (&sum, &empty), scales)
            })
            .collect();
        let c = unpack(&OUT, operands.c);
        let base = -i64::from(OUT.bias()) - exponents.offset;
        let exponent = c.exponent.zext(exponents.width).add_const(base);
        let addend = Summand {
            significand: c.significand.clone(),
            zero: c.zero.clone(),
            special: SpecialTerm::summand(&c),
        };
        let exponent = self.taking_part(exponents, &c.zero, exponent);
        terms.push((addend, exponent));
        terms
    }
}

impl DotAdd for Gdfs {
    fn signature(&self) -> Signature {
        Signature {
            a: self.a,
            b: self.b,
            c: OUT,
            d: OUT,
            products: self.products,
            scales: Some(self.scales),
        }
    }

    fn nan(&self) -> NanCode {
        self.nan
    }

    fn dot_add<B: Bv>(&self, operands: Operands<'_, B>, stages: &mut Stages<B>) -> B {
        let counted = self.exponents();
        let scale_fraction = 2 * self.scales.format.fraction_bits;
        let group_fraction = self.sum_fraction() + scale_fraction;
        let mut stage = stages.begin_fused(Grid {
            exponent_offset: counted.offset as i32,
            term: "group",
            term_fraction: group_fraction,
            last_term: Some(("c", OUT.fraction_bits)),
            fraction_bits: self.fraction_bits,
            result: Some(OUT),
            ..Grid::PRODUCTS
        });
        stage.fill(self.terms(operands, &counted).into_iter());

        // Step 5: alignment to the largest exponent.
        let limit = self
            .min_exponent
            .map(|limit| i64::from(limit) - counted.offset);
        let limit = limit.map(|limit| B::lit(counted.width, limit as u64));
        stage.exponents.extend(limit);
        let integer_bits = stage.terms[0].significand.width() - group_fraction;
        let sum_bits = integer_bits + unsigned_width(stage.terms.len() as u64) + 1;
        stage.add_up(Align::Trunc, self.fraction_bits + sum_bits);

        // Steps 6 and 7: the sum is rounded, and the special values that step 1 noted replace it.
        stage.finish(&Rounded {
            format: OUT,
            rounding: Rounding::Rz,
            overflow: Overflow::Infinity,
            flushed: FlushedResults::Kept,
            zero: ZeroSign::Plus,
            nan: self.nan,
        });
        let result = stage.result.clone();
        stages.push(Step::Fused(stage));
        result
    }
}
