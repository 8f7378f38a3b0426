//! How simple inputs are: what a person would count.

use crate::algorithms::Signature;
use crate::bits::{Bv, Concrete, Prop, W64, mux};
use crate::float::{Format, unpack};
use crate::vectors::Inputs;

/// What makes inputs hard to read, most important first: non-zero products, set significand bits,
/// distance of the exponents from 0, negative signs, and how far back the products stand.
pub type Simplicity = [u64; 5];

/// Bits of each count.
const WIDTH: u32 = 24;

/// The five counts of the operands, on any instance.
pub(super) fn counts<B: Bv>(signature: &Signature, a: &[B], b: &[B], c: &B) -> [B; 5] {
    let mut counts: [Vec<B>; 5] = Default::default();
    let mut add_operand = |format: &Format, bits: &B| {
        let x = unpack(format, bits);
        let below_sign = bits.extract(format.width() - 2, 0);
        let nonzero = below_sign.is_zero().not();
        let fraction = format.dropped_bits + format.fraction_bits;
        let ones = (0..fraction).map(|index| bits.bit(index));
        let hidden = x.significand.msb();
        counts[1].extend(ones.chain([hidden]).map(|bit| B::from_prop(WIDTH, &bit)));

        let exponent = x.exponent.zext(WIDTH).add_const(-i64::from(format.bias()));
        let distance = exponent.neg_if(&exponent.msb());
        counts[2].push(mux(&nonzero, &distance, &B::lit(WIDTH, 0)));
        counts[3].push(B::from_prop(WIDTH, &x.sign));
        nonzero
    };
    add_operand(&signature.c, c);
    let mut positions = Vec::new();
    let mut products = Vec::new();
    for (k, (x, y)) in (0..).zip(a.iter().zip(b)) {
        let nonzero = add_operand(&signature.a, x).and(&add_operand(&signature.b, y));
        products.push(B::from_prop(WIDTH, &nonzero));
        positions.push(mux(&nonzero, &B::lit(WIDTH, k), &B::lit(WIDTH, 0)));
    }
    counts[0] = products;
    counts[4] = positions;
    counts.map(|terms| B::sum(&terms))
}

/// The five counts of `inputs`.
pub fn simplicity(signature: &Signature, inputs: &Inputs) -> Simplicity {
    let row = |values: &[u64], format: &Format| -> Vec<W64> {
        values
            .iter()
            .map(|&bits| W64::lit(format.width(), bits))
            .collect()
    };
    let (a, b) = (row(&inputs.a, &signature.a), row(&inputs.b, &signature.b));
    let c = W64::lit(signature.c.width(), inputs.c);
    counts(signature, &a, &b, &c).map(|count| count.to_u64())
}
