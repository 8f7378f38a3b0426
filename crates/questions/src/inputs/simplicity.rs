//! The simplicity of inputs: counts of what makes them hard to read.

use mmasmt_core::machines::algorithms::{Inputs, Registers, Signature};
use mmasmt_core::machines::model::Instance;
use mmasmt_numbers::bits::{Concrete, Prop, W64, mux};
use mmasmt_numbers::float::{Format, unpack};

/// Measures of how hard inputs are to read, most important first: the numbers of non-zero products
/// and of set significand bits, the distances of the exponents from 0, the number of negative
/// signs, and the indices of the non-zero products.
pub type Simplicity = [u64; 5];

/// The width of each count in bits.
const WIDTH: u32 = 24;

/// The five counts of [`Simplicity`], computed on the operands in any instance of bit-vectors.
pub fn counts<B: Instance>(signature: &Signature, registers: &Registers<B>) -> [B; 5] {
    let mut counts: [Vec<B>; 5] = Default::default();
    let mut add_operand = |format: &Format, bits: &B| {
        let x = unpack(format, bits);
        if !format.has_fields() {
            let magnitude = match format.is_integer() {
                true => x.significand.clone(),
                false => format.code_of(bits),
            };
            let width = magnitude.width();
            let ones = (0..width).map(|index| B::from_prop(WIDTH, &magnitude.bit(index)));
            counts[1].extend(ones);
            // Counts the leading one and all bits below it.
            let reaches = (0..width).map(|low| {
                let rest = magnitude.extract(width - 1, low);
                B::from_prop(WIDTH, &rest.is_zero().not())
            });
            counts[2].extend(reaches);
            counts[3].push(B::from_prop(WIDTH, &x.sign));
            return x.zero.not();
        }
        let below_sign = bits.extract(format.width_below_sign() - 1, 0);
        let nonzero = if format.has_zero() {
            below_sign.is_zero().not()
        } else {
            B::Bool::constant(true)
        };
        let fraction = format.bits_below_field();
        let ones = (0..fraction).map(|index| bits.bit(index));
        let hidden = x.significand.msb();
        counts[1].extend(ones.chain([hidden]).map(|bit| B::from_prop(WIDTH, &bit)));

        let exponent = x.exponent.zext(WIDTH).add_const(-format.field_of(0));
        let distance = exponent.neg_if(&exponent.msb());
        counts[2].push(mux(&nonzero, &distance, &B::lit(WIDTH, 0)));
        counts[3].push(B::from_prop(WIDTH, &x.sign));
        nonzero
    };
    add_operand(&signature.c, &registers.c);
    if let Some(scales) = signature.scales {
        for scale in registers.a_scales.iter().chain(&registers.b_scales) {
            add_operand(&scales.format, scale);
        }
    }
    let mut positions = Vec::new();
    let mut products = Vec::new();
    if signature.is_conversion() {
        for x in &registers.a {
            let nonzero = add_operand(&signature.a, x);
            products.push(B::from_prop(WIDTH, &nonzero));
            positions.push(B::lit(WIDTH, 0));
        }
    }
    for (k, (x, y)) in (0..).zip(registers.a.iter().zip(&registers.b)) {
        let nonzero = add_operand(&signature.a, x).and(&add_operand(&signature.b, y));
        products.push(B::from_prop(WIDTH, &nonzero));
        positions.push(mux(&nonzero, &B::lit(WIDTH, k), &B::lit(WIDTH, 0)));
    }
    counts[0] = products;
    counts[4] = positions;
    counts.map(|terms| B::sum(&terms))
}

/// The five counts of [`Simplicity`] for `inputs`.
pub fn simplicity(signature: &Signature, inputs: &Inputs) -> Simplicity {
    counts(signature, &inputs.lifted::<W64>(signature)).map(|count| count.to_u64())
}
