//! One step of RDNA4. Products are cut in pairs, then the pairs and `c` are cut on one grid; every
//! cut rounds down. The sum is rounded once to nearest even, with gradual underflow.

use super::results::{least_of_f16, narrowed, widened};
use super::special::special_or_finite;
use crate::numbers::bits::{Bv, Prop, mux};
use crate::numbers::float::{Format, Overflow, Rounding, Unpacked, Unrounded, round, unpack};

const F32: Format = Format::F32;

/// The distance of the grid below the nominal exponent of a product, which is the sum of the
/// exponents of its factors.
pub const BELOW_PRODUCT: u32 = 24;
/// The distance of the grid below the exponent of `c`.
pub const BELOW_C: u32 = 26;
/// The width of every exponent of a grid.
const EXPONENT_WIDTH: u32 = 10;
/// The offset that is subtracted from every exponent of a grid.
const OFFSET: i64 = -400;
/// The width of sums: four products below 2^26 units, `c` below 2^27 units, and a sign.
const SUM_WIDTH: u32 = 32;

/// A number in units of its own grid, in two's complement.
struct OnGrid<B: Bv> {
    units: B,
    grid: B,
}

impl<B: Bv> OnGrid<B> {
    /// The number in units of another grid, rounded down; the other grid must not be finer.
    fn floor(&self, grid: &B) -> B {
        self.units.ashr(&grid.sub(&self.grid))
    }
}

pub(super) fn step<B: Bv>(
    formats: [&Format; 2],
    out: &Format,
    a: &[B],
    b: &[B],
    c_register: &B,
) -> B {
    let factors: Vec<[Unpacked<B>; 2]> = a
        .iter()
        .zip(b)
        .map(|(a, b)| [unpack(formats[0], a), unpack(formats[1], b)])
        .collect();
    let c = unpack(&F32, &widened(out, c_register));

    let product_fraction = formats[0].fraction_bits + formats[1].fraction_bits;
    let bases = i64::from(-formats[0].bias() - formats[1].bias()) - OFFSET;
    let none = B::lit(EXPONENT_WIDTH, 0);
    let products: Vec<OnGrid<B>> = factors
        .iter()
        .map(|[a, b]| {
            let field = |x: &Unpacked<B>| x.exponent.zext(EXPONENT_WIDTH);
            let nominal = field(a).add(&field(b)).add_const(bases);
            let grid = nominal.add_const(-i64::from(BELOW_PRODUCT));
            let magnitude = a.significand.mul_wide(&b.significand);
            let units = magnitude.widen_low(BELOW_PRODUCT - product_fraction);
            OnGrid {
                units: units.zext(SUM_WIDTH).neg_if(&a.sign.xor(&b.sign)),
                // A zero has no grid of its own: it gets the least exponent of all.
                grid: mux(&a.zero.or(&b.zero), &none, &grid),
            }
        })
        .collect();
    let pairs: Vec<OnGrid<B>> = products
        .chunks(2)
        .map(|pair| {
            let grids: Vec<B> = pair.iter().map(|product| product.grid.clone()).collect();
            let grid = B::umax(&grids);
            let cut: Vec<B> = pair.iter().map(|product| product.floor(&grid)).collect();
            OnGrid {
                units: B::sum(&cut),
                grid,
            }
        })
        .collect();
    let c_exponent = c.exponent.zext(EXPONENT_WIDTH);
    let c_bases = i64::from(-F32.bias()) - i64::from(BELOW_C) - OFFSET;
    let c_magnitude = c.significand.widen_low(BELOW_C - F32.fraction_bits);
    let addend = OnGrid {
        units: c_magnitude.zext(SUM_WIDTH).neg_if(&c.sign),
        grid: c_exponent.add_const(c_bases),
    };
    // The grid that `c` has in the search for the common grid.
    let c_grid = match least_of_f16(out) {
        None => addend.grid.clone(),
        Some(least) => {
            let least = i64::from(least) - i64::from(BELOW_C) - OFFSET;
            B::umax(&[addend.grid.clone(), B::lit(EXPONENT_WIDTH, least as u64)])
        }
    };

    let grids = pairs.iter().map(|term| term.grid.clone());
    let grid = B::umax(&grids.chain([c_grid]).collect::<Vec<_>>());
    // If the grid lies above the least normal number, a `c` without bits on the grid becomes 0;
    // rounding a negative `c` down would leave -1.
    let least = B::lit(
        EXPONENT_WIDTH,
        (i64::from(least_of_f16(out).unwrap_or(F32.min_exponent())) - OFFSET) as u64,
    );
    let vanishes = c_magnitude.lshr(&grid.sub(&addend.grid)).is_zero();
    let vanishes = vanishes.and(&least.ult(&grid));
    let c_units = mux(&vanishes, &B::lit(SUM_WIDTH, 0), &addend.floor(&grid));
    let cut = pairs.iter().map(|pair| pair.floor(&grid));
    let total = B::sum(&cut.chain([c_units]).collect::<Vec<_>>());

    let sign = total.msb();
    let magnitude = total.neg_if(&sign);
    let value = Unrounded {
        sign: &sign,
        exponent: &grid,
        exponent_offset: OFFSET as i32,
        significand: &magnitude,
        fraction_bits: 0,
    };
    let format = match *out {
        Format::F16 => out,
        _ => &F32,
    };
    let rounded = round(&value, format, Rounding::Rne, Overflow::Ieee);
    let sign = sign.and(&rounded.is_zero().not());
    let finite = narrowed(out, &format.assemble(&sign, &rounded));
    special_or_finite(&factors, &c, (out, c_register), &finite)
}
