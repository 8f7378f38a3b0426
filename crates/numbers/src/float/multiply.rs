//! IEEE 754 multiplication and fused multiply-add, with separate formats for operands and result.

use super::add::{is_known_zero, plus_zero, signed_sum};
use super::host::on_host;
use super::{
    Arithmetic, Format, Overflow, SpecialTerm, UnpackedRegister, UnroundedNumber, round,
    special_or_finite, unpack, unsigned_width,
};
use crate::bits::{Bv, HostOperation, Prop, mux};

/// `a * b`, rounded once; `factors` are the formats of `a` and `b`.
pub fn ieee_multiply<B: Bv>(to: &Arithmetic, factors: [&Format; 2], a: &B, b: &B) -> B {
    let operands = [(factors[0], a), (factors[1], b)];
    if let Some(product) = on_host(to, HostOperation::Multiply, &operands) {
        return product;
    }
    let (x, y) = (unpack(factors[0], a), unpack(factors[1], b));
    let special = SpecialTerm::product(&x, &y);
    let width = factors[0].exponent_bits.max(factors[1].exponent_bits) + 1;
    let value = UnroundedNumber {
        random: None,
        sign: &special.sign,
        exponent: &x.exponent.zext(width).add(&y.exponent.zext(width)),
        exponent_offset: -factors[0].bias() - factors[1].bias(),
        significand: &x.significand.mul_wide(&y.significand),
        fraction_bits: factors[0].fraction_bits + factors[1].fraction_bits,
    };
    let magnitude = round(&value, &to.format, to.rounding, Overflow::Ieee);
    let finite = to.format.assemble(&special.sign, &magnitude);
    special_or_finite([special].iter(), &to.format, to.nan, &finite)
}

/// A normalised number in a [`WorkingFormat`]: `1.fraction * 2^(exponent + offset)`, or zero.
struct NormalNumber<B: Bv> {
    sign: B::Bool,
    exponent: B,
    significand: B,
}

impl<B: Bv> NormalNumber<B> {
    fn mux(cond: &B::Bool, then: &Self, otherwise: &Self) -> Self {
        NormalNumber {
            sign: mux(cond, &then.sign, &otherwise.sign),
            exponent: mux(cond, &then.exponent, &otherwise.exponent),
            significand: mux(cond, &then.significand, &otherwise.significand),
        }
    }
}

/// Exponent offset, exponent width and significand width of normalised operands.
struct WorkingFormat {
    offset: i32,
    exponent_width: u32,
    width: u32,
}

impl WorkingFormat {
    /// Normalises a number; the highest bit of `significand` has the exponent `exponent + base`.
    fn normalise<B: Bv>(
        &self,
        sign: &B::Bool,
        zero: &B::Bool,
        (exponent, base): (&B, i32),
        significand: &B,
    ) -> NormalNumber<B> {
        let (normal, zeros) = significand.normalise(self.exponent_width);
        let exponent = exponent
            .add_const(i64::from(base - self.offset))
            .sub(&zeros);
        NormalNumber {
            sign: sign.clone(),
            // Exponent 0 makes a zero the smaller operand.
            exponent: mux(zero, &B::lit(self.exponent_width, 0), &exponent),
            significand: normal.widen_low(self.width - significand.width()),
        }
    }
}

/// `a * b + c`, rounded once; `factors` are the formats of `a` and `b`, `addend` is that of `c`.
pub fn ieee_fma<B: Bv>(
    to: &Arithmetic,
    factors: [&Format; 2],
    addend: &Format,
    a: &B,
    b: &B,
    c: &B,
) -> B {
    let operands = [(factors[0], a), (factors[1], b), (addend, c)];
    if let Some(sum) = on_host(to, HostOperation::Fma, &operands) {
        return sum;
    }
    let are_zero = is_known_zero(factors[0], a) && is_known_zero(factors[1], b);
    if are_zero && addend.has_layout_of(&to.format) {
        return plus_zero(to, c, &a.msb().xor(&b.msb()));
    }
    let (x, y, z) = (
        unpack(factors[0], a),
        unpack(factors[1], b),
        unpack(addend, c),
    );
    let terms = [SpecialTerm::product(&x, &y), SpecialTerm::summand(&z)];
    let (large, small, working) = normalised(to, factors, addend, &x, &y, &z);

    // The significands have three extra low bits: guard, round and sticky bit.
    let distance = large.exponent.sub(&small.exponent);
    let (aligned, lost) = small.significand.lshr_sticky(&distance);
    let aligned = aligned.or(&B::from_prop(working.width, &lost));

    let (sign, significand) = signed_sum(
        to.rounding,
        [&terms[0].sign, &terms[1].sign],
        &large.sign,
        [&large.significand, &aligned],
    );
    let value = UnroundedNumber {
        random: None,
        sign: &sign,
        exponent: &large.exponent,
        exponent_offset: working.offset,
        significand: &significand,
        fraction_bits: working.width - 1,
    };
    let magnitude = round(&value, &to.format, to.rounding, Overflow::Ieee);
    let finite = to.format.assemble(&sign, &magnitude);
    special_or_finite(terms.iter(), &to.format, to.nan, &finite)
}

/// The product `x * y` and the addend `z`, normalised; the number with the larger exponent comes
/// first.
fn normalised<B: Bv>(
    to: &Arithmetic,
    factors: [&Format; 2],
    addend: &Format,
    x: &UnpackedRegister<B>,
    y: &UnpackedRegister<B>,
    z: &UnpackedRegister<B>,
) -> (NormalNumber<B>, NormalNumber<B>, WorkingFormat) {
    let product_width = factors[0].precision() + factors[1].precision();
    let longest = product_width
        .max(addend.precision())
        .max(to.format.precision() + 1);
    // A product of significands has two integer bits.
    let product_base = 1 - factors[0].bias() - factors[1].bias();
    let product_low = product_base + 2 - product_width as i32;
    let addend_low = addend.min_exponent() - addend.precision() as i32;
    let offset = product_low.min(addend_low);
    let high = |format: &Format| (1 << format.exponent_bits) - format.bias();
    let highest = (high(factors[0]) + high(factors[1]) + 1).max(high(addend));
    let working = WorkingFormat {
        offset,
        exponent_width: unsigned_width((highest - offset) as u64 + 1),
        width: longest + 3,
    };
    let field = |unpacked: &UnpackedRegister<B>| unpacked.exponent.zext(working.exponent_width);
    let product = working.normalise(
        &x.sign.xor(&y.sign),
        &x.zero.or(&y.zero),
        (&field(x).add(&field(y)), product_base),
        &x.significand.mul_wide(&y.significand),
    );
    let addend = working.normalise(
        &z.sign,
        &z.zero,
        (&field(z), -addend.bias()),
        &z.significand,
    );
    let swap = product.exponent.ult(&addend.exponent);
    let large = NormalNumber::mux(&swap, &addend, &product);
    let small = NormalNumber::mux(&swap, &product, &addend);
    (large, small, working)
}
