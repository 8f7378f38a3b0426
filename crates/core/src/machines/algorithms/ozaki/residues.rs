//! Ozaki's scheme II with int8 residues, as in GEMMul8 (arXiv 2504.08009). Rows are scaled and cut
//! to integers, their products are taken modulo coprime numbers, and the exact sum is reconstructed
//! from its residues.
//!
//! This model differs from the library in two points. The scale of a row follows from a bound that
//! holds for any row of this length; the library uses the sum of squares of the row. The sum is
//! reconstructed exactly and rounded once; the library reconstructs it in one or two f64.

use super::row::{F64, OzakiRow, ceil_log2, finished, note, scaled, signature};
use crate::machines::algorithms::{DotAdd, Operands, Signature, Stages};
use mmasmt_numbers::bits::{Bv, Prop, mux};
use mmasmt_numbers::float::NanCode;
use num_bigint::BigUint;
use num_traits::ToPrimitive;

/// The moduli, pairwise coprime; a model takes the first ones.
const MODULI: [u64; 20] = [
    256, 255, 253, 251, 247, 241, 239, 233, 229, 227, 223, 217, 211, 199, 197, 193, 191, 181, 179,
    173,
];

/// Ozaki's scheme II. Integers `a'` and `b'` below `2^t` replace the operands. The number `t` is so
/// small that `2 * sum |a' b'|` is less than the product of the moduli.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OzakiResidues {
    /// Number of products.
    pub products: u32,
    /// Number of moduli.
    pub moduli: u32,
    /// Code of a NaN result.
    pub nan: NanCode,
}

impl OzakiResidues {
    /// The greatest number of moduli.
    pub const MOST_MODULI: u32 = MODULI.len() as u32;

    fn moduli(&self) -> &'static [u64] {
        &MODULI[..self.moduli as usize]
    }

    fn product(&self) -> BigUint {
        self.moduli().iter().product()
    }

    /// The number `t` of bits of an integer; 0 if the moduli are too few for so many products.
    pub fn bits(&self) -> u32 {
        let room = self.product().bits() as u32 - 1;
        room.saturating_sub(1 + ceil_log2(self.products)) / 2
    }

    /// The number in `0..p` that is congruent to the sum of products modulo `p`.
    fn residue<B: Bv>(&self, p: u64, rows: [&[Integer<B>]; 2]) -> B {
        let width = 2 * RESIDUE_WIDTH + ceil_log2(self.products);
        let products = rows[0].iter().zip(rows[1]).map(|(x, y)| {
            let [x, y] = [x, y].map(|integer| integer.residue(p).zext(width));
            x.mul(&y)
        });
        reduced(&B::sum(&products.collect::<Vec<_>>()), &p.into())
    }
}

/// The number of bits that hold any modulus, and any number below twice a modulus.
const RESIDUE_WIDTH: u32 = 9;

/// An integer as sign and magnitude.
struct Integer<B: Bv> {
    negative: B::Bool,
    magnitude: B,
}

impl<B: Bv> Integer<B> {
    /// The residue of the integer modulo `p`, in `0..p`.
    fn residue(&self, p: u64) -> B {
        let positive = reduced(&self.magnitude, &p.into());
        let complement = B::lit(RESIDUE_WIDTH, p).sub(&positive);
        let is_complement = self.negative.and(&positive.is_zero().not());
        mux(&is_complement, &complement, &positive)
    }
}

/// A constant of `width` bits; `width` may be more than 64.
fn constant<B: Bv>(width: u32, value: &BigUint) -> B {
    let mut digits = value.iter_u64_digits();
    let mut all = B::lit(64, digits.next().unwrap_or(0));
    for digit in digits {
        all = B::lit(64, digit).concat(&all);
    }
    all.resize(width)
}

/// The remainder of `value` divided by `p`, with as many bits as `p`, and at least
/// [`RESIDUE_WIDTH`].
fn reduced<B: Bv>(value: &B, p: &BigUint) -> B {
    let result = (p.bits() as u32).max(RESIDUE_WIDTH);
    let width = value.width().max(result);
    let mut rest = value.zext(width);
    for shift in (0..=u64::from(width) - p.bits()).rev() {
        let multiple = constant::<B>(width, &(p << shift));
        rest = mux(&multiple.ule(&rest), &rest.sub(&multiple), &rest);
    }
    rest.resize(result)
}

/// The inverse of `x` modulo `p`.
fn inverse(x: &BigUint, p: u64) -> u64 {
    let x = (x % p).to_u64().unwrap_or(0);
    (1..p).find(|y| x * y % p == 1).unwrap_or(0)
}

impl DotAdd for OzakiResidues {
    fn signature(&self) -> Signature {
        signature(self.products)
    }

    fn nan(&self) -> NanCode {
        self.nan
    }

    fn dot_add<B: Bv>(&self, operands: Operands<'_, B>, stages: &mut Stages<B>) -> B {
        let rows = [OzakiRow::of(operands.a), OzakiRow::of(operands.b)];
        let bits = self.bits();
        let [a, b] = [&rows[0], &rows[1]].map(|row| {
            let words = row.placed(bits, 0).into_iter().zip(&row.numbers);
            let integers = words.map(|(magnitude, x)| Integer {
                negative: x.sign.clone(),
                magnitude,
            });
            integers.collect::<Vec<_>>()
        });

        // The Chinese remainder theorem: modulo the product P of the moduli, the integer is the sum
        // of residue * q * P / p over the moduli p, where q is the inverse of P / p modulo p.
        let whole = self.product();
        let width = whole.bits() as u32 + RESIDUE_WIDTH + ceil_log2(self.moduli);
        let terms = self.moduli().iter().map(|&p| {
            let others = &whole / p;
            let weight = &others * inverse(&others, p);
            let residue = self.residue(p, [&a, &b]);
            residue.zext(width).mul(&constant(width, &weight))
        });
        let sum = reduced(&B::sum(&terms.collect::<Vec<_>>()), &whole);
        let width = sum.width() + 1;
        let (sum, modulus) = (sum.zext(width), constant::<B>(width, &whole));
        let half = constant::<B>(width, &(&whole >> 1));
        let integer = mux(&half.ult(&sum), &sum.sub(&modulus), &sum);

        let exponents = rows[0].top.width() + 1;
        let exponent = rows[0]
            .top
            .zext(exponents)
            .add(&rows[1].top.zext(exponents));
        let offset = -2 * F64.bias() - 2 * (bits as i32 - 1);
        let x = scaled(&integer, &exponent, offset);
        note(stages, ("sum of products", None), &x);
        finished([&rows[0], &rows[1]], &x, operands.c, self.nan, stages)
    }
}
