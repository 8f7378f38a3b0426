//! One step of RDNA3. The magnitudes of two products and `c` are cut on one grid, and added
//! relative to the sign of `c`: a term of the other sign is complemented without an increment.

use super::results::{least_of_f16, narrowed, widened};
use super::special::special_or_finite;
use crate::numbers::bits::{Bv, Prop, mux};
use crate::numbers::float::{
    FlushedTo, Format, NanCode, Overflow, Rounding, Unpacked, Unrounded, flush,
    flush_after_rounding, round, unpack,
};

const F32: Format = Format::F32;

/// The distance of the grid below the nominal exponent of a product, which is the sum of the
/// exponents of its factors.
const BELOW_NOMINAL: i64 = 24;
/// The distance of the grid below the leading bit of any term.
const BELOW_LEADING: u32 = 26;
/// The width of every exponent; products go down to 2^-252.
const EXPONENT_WIDTH: u32 = 10;
/// The offset that is subtracted from every exponent.
const OFFSET: i64 = -400;

/// A term: its magnitude, the exponent of the magnitude's last place, and the exponent of its
/// leading bit. Exponents are stored less `OFFSET`.
struct Term<B: Bv> {
    magnitude: B,
    unit: B,
    leading: B,
    zero: B::Bool,
    sign: B::Bool,
}

/// The term of a magnitude whose highest bit, set or not, has the exponent `top`.
fn term<B: Bv>(magnitude: &B, top: &B, zero: B::Bool, sign: B::Bool) -> Term<B> {
    let (_, zeros) = magnitude.normalise(EXPONENT_WIDTH);
    Term {
        unit: top.add_const(1 - i64::from(magnitude.width())),
        // A zero gets the least exponent of all, so that it is never the maximum.
        leading: mux(&zero, &B::lit(EXPONENT_WIDTH, 0), &top.sub(&zeros)),
        magnitude: magnitude.clone(),
        zero,
        sign,
    }
}

pub(super) fn step<B: Bv>(
    formats: [&Format; 2],
    out: &Format,
    a: &[B],
    b: &[B],
    c_register: &B,
) -> B {
    let factor = |format: &Format, bits: &B| -> Unpacked<B> {
        // Subnormal factors are flushed in bf16, but not in f16.
        if format.min_exponent() == F32.min_exponent() {
            unpack(format, &flush(format, FlushedTo::SameSign, bits))
        } else {
            unpack(format, bits)
        }
    };
    let factors: Vec<[Unpacked<B>; 2]> = a
        .iter()
        .zip(b)
        .map(|(a, b)| [factor(formats[0], a), factor(formats[1], b)])
        .collect();
    let c_bits = flush(&F32, FlushedTo::SameSign, &widened(out, c_register));
    let c = unpack(&F32, &c_bits);

    let bases = i64::from(-formats[0].bias() - formats[1].bias()) - OFFSET;
    let mut nominal = Vec::new();
    let products: Vec<Term<B>> = factors
        .iter()
        .map(|[a, b]| {
            let field = |x: &Unpacked<B>| x.exponent.zext(EXPONENT_WIDTH);
            let exponent = field(a).add(&field(b)).add_const(bases);
            let zero = a.zero.or(&b.zero);
            nominal.push(mux(&zero, &B::lit(EXPONENT_WIDTH, 0), &exponent));
            let magnitude = a.significand.mul_wide(&b.significand);
            term(
                &magnitude,
                &exponent.add_const(1),
                zero,
                a.sign.xor(&b.sign),
            )
        })
        .collect();
    let c_top = c.exponent.zext(EXPONENT_WIDTH);
    let c_top = c_top.add_const(i64::from(-F32.bias()) - OFFSET);
    let mut addend = term(&c.significand, &c_top, c.zero.clone(), c.sign.clone());
    if let Some(least) = least_of_f16(out) {
        let least = B::lit(EXPONENT_WIDTH, (i64::from(least) - OFFSET) as u64);
        addend.leading = B::umax(&[addend.leading, least]);
    }

    // The exponent of the grid is stored plus 26 (`BELOW_LEADING`) and less `OFFSET`, so that it is
    // not negative.
    let leading: Vec<B> = products
        .iter()
        .chain([&addend])
        .map(|term| term.leading.clone())
        .collect();
    let up = i64::from(BELOW_LEADING) - BELOW_NOMINAL;
    let nominal = nominal.iter().map(|exponent| exponent.add_const(up));
    let all: Vec<B> = leading.into_iter().chain(nominal).collect();
    let grid = B::umax(&all);

    // The magnitudes are cut to multiples of the grid; each is below 2^27.
    let width = BELOW_LEADING + 5;
    let cut = |term: &Term<B>| {
        let above_grid = term.magnitude.widen_low(BELOW_LEADING);
        let units = above_grid.lshr(&grid.sub(&term.unit));
        let kept = units.extract(BELOW_LEADING, 0).zext(width);
        mux(&term.zero, &B::lit(width, 0), &kept)
    };
    let framed = products.iter().map(|product| {
        let units = cut(product);
        mux(&product.sign.xor(&c.sign), &units.not(), &units)
    });
    let sum: Vec<B> = framed.chain([cut(&addend)]).collect();
    let total = B::sum(&sum);
    let against = total.msb();
    let magnitude = total.neg_if(&against);
    let all_zero = products.iter().map(|product| product.zero.clone());
    let all_zero = B::Bool::all(all_zero.chain([c.zero.clone()]));
    let nothing = all_zero.or(&magnitude.is_zero());
    let sign = c.sign.xor(&against);

    let value = Unrounded {
        sign: &sign,
        exponent: &grid,
        exponent_offset: OFFSET as i32 - BELOW_LEADING as i32,
        significand: &magnitude,
        fraction_bits: 0,
    };
    let rounded_to = |format: &Format| round(&value, format, Rounding::Rne, Overflow::Ieee);
    let result = match *out {
        Format::F16 => {
            let magnitude = rounded_to(out);
            out.assemble(&sign.and(&magnitude.is_zero().not()), &magnitude)
        }
        _ => {
            let wide = F32.with_more_range();
            let unlimited = wide.assemble(&sign, &rounded_to(&wide));
            let nearest = (Rounding::Rne, NanCode::Quiet);
            let flushed = flush_after_rounding(&wide, &F32, nearest, FlushedTo::Plus, &unlimited);
            narrowed(out, &flushed)
        }
    };
    let finite = mux(&nothing, &B::lit(out.width(), 0), &result);
    // A NaN `c` keeps its bits, so the register of `c` is passed; an infinity needs only its sign.
    special_or_finite(&factors, &c, (out, c_register), &finite)
}
