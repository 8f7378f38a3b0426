//! Conversion of rows of f64 to integers below a power of two, and of integers to f64.

use crate::machines::algorithms::{Signature, Stages, Step};
use mmasmt_numbers::bits::{Bv, Prop, mux};
use mmasmt_numbers::float::{
    Format, NanCode, Overflow, Rounding, UnpackedRegister, UnroundedNumber, ieee_add, round, unpack,
};

pub(super) const F64: Format = Format::F64;

pub(super) fn signature(products: u32) -> Signature {
    Signature {
        a: F64,
        b: F64,
        c: F64,
        d: F64,
        products,
        scales: None,
    }
}

/// The least `n` with `2^n >= count`.
pub(super) fn ceil_log2(count: u32) -> u32 {
    count.max(1).next_power_of_two().trailing_zeros()
}

/// A row of f64 numbers.
pub(super) struct OzakiRow<B: Bv> {
    pub(super) numbers: Vec<UnpackedRegister<B>>,
    /// The largest exponent field of the row, but at least the field of the least normal number.
    pub(super) top: B,
    finite: B::Bool,
}

impl<B: Bv> OzakiRow<B> {
    pub(super) fn of(registers: &[B]) -> Self {
        let numbers: Vec<_> = registers.iter().map(|x| unpack(&F64, x)).collect();
        let exponents: Vec<_> = numbers.iter().map(|x| x.exponent.clone()).collect();
        OzakiRow {
            top: B::umax(&exponents),
            finite: B::Bool::all(numbers.iter().map(UnpackedRegister::finite)),
            numbers,
        }
    }

    /// The magnitude of every number, shifted into a word of `width` bits. Above the leading one of
    /// the largest number, `above` bits are free; bits below the word are cut.
    pub(super) fn placed(&self, width: u32, above: u32) -> Vec<B> {
        let place = |x: &UnpackedRegister<B>| {
            let precision = F64.precision();
            let word = x.significand.widen_low(width.saturating_sub(precision));
            let distance = self.top.sub(&x.exponent).zext(self.top.width() + 1);
            let shifted = word.lshr(&distance.add_const(above.into()));
            shifted.extract(shifted.width() - 1, shifted.width() - width)
        };
        self.numbers.iter().map(place).collect()
    }
}

/// `integer * 2^(exponent + offset)`, rounded to nearest; `integer` is signed, `exponent` unsigned.
pub(super) fn scaled<B: Bv>(integer: &B, exponent: &B, offset: i32) -> B {
    let sign = integer.msb();
    let value = UnroundedNumber {
        random: None,
        sign: &sign,
        exponent,
        exponent_offset: offset,
        significand: &integer.neg_if(&sign),
        fraction_bits: 0,
    };
    let magnitude = round(&value, &F64, Rounding::Rne, Overflow::Ieee);
    F64.assemble(&sign, &magnitude)
}

/// The result `x + c`; a NaN if a number of a row is not finite.
pub(super) fn finished<B: Bv>(
    rows: [&OzakiRow<B>; 2],
    x: &B,
    c: &B,
    nan: NanCode,
    stages: &mut Stages<B>,
) -> B {
    let sum = ieee_add(&F64, Rounding::Rne, nan, x, c);
    let finite = rows[0].finite.and(&rows[1].finite);
    let none = B::lit(F64.width(), F64.nan(nan));
    let d = mux(&finite, &sum, &none);
    note(stages, ("c added", None), &d);
    d
}

pub(super) fn note<B: Bv>(
    stages: &mut Stages<B>,
    (what, index): (&'static str, Option<usize>),
    value: &B,
) {
    stages.push(Step::Rounded {
        what,
        index,
        format: F64,
        value: value.clone(),
    });
}
