//! The exact sum, rounded once: a reference to compare with, and in a chain over groups the 16-bit
//! MFMA of CDNA1 (reported MI100 rows, arXiv:2609.14845 §4).

use super::{DotAdd, Operands, Signature, Stages, Step};
use crate::bits::{Bv, Prop, mux};
use crate::float::{
    Format, NanCode, Overflow, Rounding, SpecialTerm, Unpacked, Unrounded, round,
    special_or_finite, unpack, unsigned_width,
};

/// One correct rounding of `c + a[0]*b[0] + …`, summed in a register as wide as all of the formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exact {
    /// Format of the left factors.
    pub a: Format,
    /// Format of the right factors.
    pub b: Format,
    /// Format of the accumulator in.
    pub c: Format,
    /// Format of the result.
    pub out: Format,
    /// Number of products.
    pub products: u32,
    /// Rounding of the result.
    pub rounding: Rounding,
    /// Code of a NaN result.
    pub nan: NanCode,
}

/// The exponent of the last place of the least number.
fn least_unit(format: &Format) -> i32 {
    format.min_exponent() - format.fraction_bits as i32
}

impl Exact {
    /// The exponent of the last place of the sum.
    fn unit(&self) -> i32 {
        let product = least_unit(&self.a) + least_unit(&self.b);
        product.min(least_unit(&self.c))
    }

    /// Bits of the sum, its sign included.
    fn width(&self) -> u32 {
        let high = |format: &Format| (1 << format.exponent_bits) - format.bias();
        let highest = (high(&self.a) + high(&self.b)).max(high(&self.c));
        (highest - self.unit()) as u32 + unsigned_width(u64::from(self.products) + 1) + 1
    }

    /// The number `significand * 2^(exponent + base)` in units of the sum, with its sign.
    fn term<B: Bv>(&self, sign: &B::Bool, significand: &B, exponent: &B, base: i32) -> B {
        let above_unit = (base - self.unit()) as u32;
        let placed = significand.widen_low(above_unit).zext(self.width());
        placed.shl(exponent).neg_if(sign)
    }

    fn product<B: Bv>(&self, x: &Unpacked<B>, y: &Unpacked<B>) -> B {
        let width = self.a.exponent_bits.max(self.b.exponent_bits) + 1;
        // Fields are at least 1, and the least numbers have that.
        let fields = x.exponent.zext(width).add(&y.exponent.zext(width));
        let base = least_unit(&self.a) + least_unit(&self.b);
        self.term(
            &x.sign.xor(&y.sign),
            &x.significand.mul_wide(&y.significand),
            &fields.add_const(-2),
            base,
        )
    }
}

impl DotAdd for Exact {
    fn signature(&self) -> Signature {
        Signature {
            a: self.a,
            b: self.b,
            c: self.c,
            d: self.out,
            products: self.products,
            scales: None,
        }
    }

    fn nan(&self) -> NanCode {
        self.nan
    }

    fn dot_add<B: Bv>(&self, operands: Operands<'_, B>, stages: &mut Stages<B>) -> B {
        let mut terms = Vec::with_capacity(operands.a.len() + 1);
        let mut special = Vec::with_capacity(operands.a.len() + 1);
        for (a, b) in operands.a.iter().zip(operands.b) {
            let (x, y) = (unpack(&self.a, a), unpack(&self.b, b));
            terms.push(self.product(&x, &y));
            special.push(SpecialTerm::product(&x, &y));
        }
        let z = unpack(&self.c, operands.c);
        let exponent = z.exponent.add_const(-1);
        terms.push(self.term(&z.sign, &z.significand, &exponent, least_unit(&self.c)));
        special.push(SpecialTerm::summand(&z));

        let sum = B::sum(&terms);
        let negative = sum.msb();
        let significand = sum.neg_if(&negative);
        // As IEEE 754 §6.3 has it for two summands: an exact zero has the sign that all of them
        // share, else it is positive, but negative in rounding down.
        let negative_terms = special.iter().map(|term| term.sign.clone());
        let zero_sign = match self.rounding {
            Rounding::Rd => B::Bool::any(negative_terms),
            _ => B::Bool::all(negative_terms),
        };
        let sign = mux(&significand.is_zero(), &zero_sign, &negative);
        let value = Unrounded {
            sign: &sign,
            exponent: &B::lit(1, 0),
            exponent_offset: self.unit(),
            significand: &significand,
            fraction_bits: 0,
        };
        let magnitude = round(&value, &self.out, self.rounding, Overflow::Ieee);
        let finite = self.out.assemble(&sign, &magnitude);
        let result = special_or_finite(special.iter(), &self.out, self.nan, &finite);
        stages.push(Step::Rounded {
            what: "exact sum, rounded",
            index: None,
            format: self.out,
            value: result.clone(),
        });
        result
    }
}
