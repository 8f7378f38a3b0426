//! IEEE 754 operations of the processor on columns of registers, and a test that the processor
//! follows IEEE 754.
//!
//! Rust's operations on `f32` and `f64` follow IEEE 754 with rounding to nearest even, unless the
//! modes of the processor were changed (by a library that sets "flush to zero", or by a caller that
//! rounds upwards). [`host_is_ieee`] tests these modes.

use super::columns::{ColumnType, LANES, Memory};
use super::step::{ColumnOperation, TapeStep};
use std::hint::black_box;
use std::marker::PhantomData;

/// A register of `f32` or `f64`, the formats in which the processor computes.
pub(super) trait FloatRegister: ColumnType {
    fn sum(self, other: Self) -> Self;
    fn product(self, other: Self) -> Self;
    fn fma(self, factor: Self, addend: Self) -> Self;
}

macro_rules! float_register {
    ($register:ident, $float:ident) => {
        impl FloatRegister for $register {
            #[inline(always)]
            fn sum(self, other: Self) -> Self {
                ($float::from_bits(self) + $float::from_bits(other)).to_bits()
            }
            #[inline(always)]
            fn product(self, other: Self) -> Self {
                ($float::from_bits(self) * $float::from_bits(other)).to_bits()
            }
            #[inline(always)]
            fn fma(self, factor: Self, addend: Self) -> Self {
                let [x, y, z] = [self, factor, addend].map($float::from_bits);
                x.mul_add(y, z).to_bits()
            }
        }
    };
}
float_register!(u32, f32);
float_register!(u64, f64);

/// `x + y`.
pub(super) struct AddFloats<T>(PhantomData<T>);
impl<T: FloatRegister> ColumnOperation for AddFloats<T> {
    #[inline(always)]
    fn run(memory: &mut Memory, step: &TapeStep) {
        let (to, columns) = memory.open::<T>();
        let [x, y, ..] = step.args.map(|number| columns.get::<T>(number));
        for lane in 0..LANES {
            to[lane] = x[lane].sum(y[lane]);
        }
        memory.close::<T>(step.to);
    }
}

/// `x * y`.
pub(super) struct MultiplyFloats<T>(PhantomData<T>);
impl<T: FloatRegister> ColumnOperation for MultiplyFloats<T> {
    #[inline(always)]
    fn run(memory: &mut Memory, step: &TapeStep) {
        let (to, columns) = memory.open::<T>();
        let [x, y, ..] = step.args.map(|number| columns.get::<T>(number));
        for lane in 0..LANES {
            to[lane] = x[lane].product(y[lane]);
        }
        memory.close::<T>(step.to);
    }
}

/// `x * y + z`, rounded once. This operation is used only with features that have an instruction
/// for it: without such an instruction, each lane would need a function call.
pub(super) struct FusedMultiplyAdd<T>(PhantomData<T>);
impl<T: FloatRegister> ColumnOperation for FusedMultiplyAdd<T> {
    #[inline(always)]
    fn run(memory: &mut Memory, step: &TapeStep) {
        let (to, columns) = memory.open::<T>();
        let [x, y, z, _] = step.args.map(|number| columns.get::<T>(number));
        for lane in 0..LANES {
            to[lane] = x[lane].fma(y[lane], z[lane]);
        }
        memory.close::<T>(step.to);
    }
}

/// The bits of a number of `f32` without its sign, and the registers of the least normal number and of infinity.
const MAGNITUDE: u32 = u32::MAX >> 1;
const LEAST_NORMAL: u32 = 1 << (f32::MANTISSA_DIGITS - 1);
const INFINITY: u32 = f32::INFINITY.to_bits();
/// The least power of two above all numbers of `f32`.
const BEYOND: f64 = 2.0 * (1u128 << 127) as f64;

/// `x * y + z` in `f32`, rounded once; results that are tiny after rounding with unlimited exponents become
/// zeros of their sign.
pub(super) struct FlushedFusedMultiplyAdd;
impl ColumnOperation for FlushedFusedMultiplyAdd {
    #[inline(always)]
    fn run(memory: &mut Memory, step: &TapeStep) {
        let (to, columns) = memory.open::<u32>();
        let [x, y, z, _] = step.args.map(|number| columns.get::<u32>(number));
        let mut is_open = false;
        for lane in 0..LANES {
            let sum = x[lane].fma(y[lane], z[lane]);
            let magnitude = sum & MAGNITUDE;
            is_open |= magnitude == LEAST_NORMAL;
            to[lane] = if magnitude < LEAST_NORMAL {
                sum & !MAGNITUDE
            } else {
                sum
            };
        }
        if is_open {
            for lane in 0..LANES {
                if to[lane] & MAGNITUDE == LEAST_NORMAL && is_tiny([x[lane], y[lane], z[lane]]) {
                    to[lane] &= !MAGNITUDE;
                }
            }
        }
        memory.close::<u32>(step.to);
    }
}

/// `x + y` in `f32`, rounded to odd.
pub(super) struct OddSum;
impl ColumnOperation for OddSum {
    #[inline(always)]
    fn run(memory: &mut Memory, step: &TapeStep) {
        let (to, columns) = memory.open::<u32>();
        let [x, y, ..] = step.args.map(|number| columns.get::<u32>(number));
        let mut is_open = false;
        for lane in 0..LANES {
            to[lane] = odd_sum([x[lane], y[lane]].map(f32::from_bits));
            is_open |= to[lane] & MAGNITUDE == INFINITY;
        }
        if is_open {
            for lane in 0..LANES {
                let [x, y] = [x[lane], y[lane]].map(f32::from_bits);
                // Sums of such numbers are exact in `f64`.
                let is_cut = (f64::from(x) + f64::from(y)).abs() < BEYOND;
                if to[lane] & MAGNITUDE == INFINITY && is_cut {
                    to[lane] -= 1;
                }
            }
        }
        memory.close::<u32>(step.to);
    }
}

/// The register of a sum that is rounded to odd, or of an infinity where it is rounded to one.
#[inline(always)]
fn odd_sum([x, y]: [f32; 2]) -> u32 {
    let sum = x + y;
    let part = sum - x;
    // What rounding has left; a NaN beside infinities.
    let rest = (x - (sum - part)) + (y - part);
    let register = sum.to_bits();
    let is_cut = rest.abs() > 0.0;
    let is_away = (register ^ rest.to_bits()) >> 31;
    let odd = register.wrapping_add(1).wrapping_sub(2 * is_away);
    if is_cut && register & 1 == 0 {
        odd
    } else {
        register
    }
}

/// Whether `x * y + z` is tiny after rounding with unlimited exponents, where it rounds to a least normal
/// number: whether it is nearer to zero than the number halfway between that and the one below it.
#[inline(always)]
fn is_tiny(registers: [u32; 3]) -> bool {
    /// Beside a greater `z`, a product has no bit that would put the sum below the least normal number.
    /// Up to it, `f64` holds the difference of `z` and the number in the middle, and a fused operation has
    /// the right sign.
    const MOST: f64 = 1.0 / (1u128 << 98) as f64;
    const LEAST: f64 = f32::MIN_POSITIVE as f64;
    let [x, y, z] = registers.map(|register| f64::from(f32::from_bits(register)));
    let middle = LEAST - LEAST * (f64::EPSILON * (1u64 << 27) as f64);
    let is_negative = x.mul_add(y, z) < 0.0;
    let [x, z] = [x, z].map(|number| if is_negative { -number } else { number });
    z.abs() <= MOST && x.mul_add(y, z - middle) < 0.0
}

/// Whether the processor now rounds to nearest even, and flushes neither subnormal operands nor
/// subnormal results. The test computes sums and products whose results differ in every other mode.
pub fn host_is_ieee() -> bool {
    const HALF_ULP: f32 = 1.0 / (1 << 24) as f32;
    let [one, half, least] = [1.0, HALF_ULP, f32::MIN_POSITIVE].map(black_box);
    let odd = black_box(1.0 + 2.0 * HALF_ULP);
    let subnormal = black_box(f32::from_bits(1));
    let [one_64, half_64, least_64] = [1.0, f64::EPSILON / 2.0, f64::MIN_POSITIVE].map(black_box);
    // In a tie, rounding upwards or away from zero would give a larger number, and rounding
    // downwards or towards zero a smaller one.
    let to_even = one + half == 1.0 && -one - half == -1.0 && odd + half == 1.0 + 4.0 * HALF_ULP;
    let to_even_64 = one_64 + half_64 == 1.0 && -one_64 - half_64 == -1.0;
    // The bits of the results are compared, because a comparison of numbers may itself take
    // subnormal operands for zero.
    let results = (least * black_box(0.5)).to_bits() == 1 << 22;
    let operands = (subnormal * black_box(2f32.powi(24))).to_bits() == 2f32.powi(-125).to_bits();
    let results_64 = (least_64 * black_box(0.5)).to_bits() == 1 << 51;
    to_even && to_even_64 && results && operands && results_64
}
