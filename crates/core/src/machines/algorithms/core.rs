//! The ordinary arithmetic of a processor beside its matrix unit: IEEE 754 operations in one
//! format, and conversions. Each operation is recorded as a step of the evaluation.

use super::{Stages, Step};
use mmasmt_numbers::bits::{Bv, Prop, mux};
use mmasmt_numbers::float::{
    Arithmetic, Format, NanCode, Rounding, convert, ieee_add, ieee_fma, ieee_multiply, positive,
    unpack,
};

/// A description of a value in words, and its index among several values with this description.
pub type ValueLabel = (&'static str, Option<usize>);

/// Operations in `format`, which record their results in `stages`.
pub struct Core<'s, B: Bv> {
    /// The format of all operands and results for which no other format is stated.
    pub format: Format,
    /// Code of a NaN result.
    pub nan: NanCode,
    /// The record of the results.
    pub stages: &'s mut Stages<B>,
}

impl<B: Bv> Core<'_, B> {
    fn to(&self, rounding: Rounding) -> Arithmetic {
        Arithmetic {
            format: self.format,
            rounding,
            nan: self.nan,
        }
    }

    /// Records a value as a step of the evaluation.
    pub fn note(&mut self, (what, index): ValueLabel, format: Format, value: &B) {
        self.stages.push(Step::Rounded {
            what,
            index,
            format,
            value: value.clone(),
        });
    }

    fn noted(&mut self, what: ValueLabel, value: B) -> B {
        self.note(what, self.format, &value);
        value
    }

    /// `x + y`.
    pub fn add(&mut self, what: ValueLabel, rounding: Rounding, x: &B, y: &B) -> B {
        let sum = ieee_add(&self.format, rounding, self.nan, x, y);
        self.noted(what, sum)
    }

    /// `x - y`, rounded to nearest.
    pub fn subtract(&mut self, what: ValueLabel, x: &B, y: &B) -> B {
        let negated = self.negate(y);
        self.add(what, Rounding::Rne, x, &negated)
    }

    /// `x * y`.
    pub fn multiply(&mut self, what: ValueLabel, rounding: Rounding, x: &B, y: &B) -> B {
        let factors = [&self.format, &self.format];
        let product = ieee_multiply(&self.to(rounding), factors, x, y);
        self.noted(what, product)
    }

    /// `x * y + z`, rounded once.
    pub fn fma(&mut self, what: ValueLabel, rounding: Rounding, [x, y, z]: [&B; 3]) -> B {
        let factors = [&self.format, &self.format];
        let sum = ieee_fma(&self.to(rounding), factors, &self.format, x, y, z);
        self.noted(what, sum)
    }

    /// `x` times 2 to the power of `exponent`, rounded to nearest.
    pub fn scale(&mut self, what: ValueLabel, x: &B, exponent: i32) -> B {
        let power = self.format.register(exponent, 0, false);
        let power = B::lit(self.format.width(), power);
        self.multiply(what, Rounding::Rne, x, &power)
    }

    /// `x` in the format `to`.
    pub fn convert(&mut self, what: ValueLabel, to: Format, rounding: Rounding, x: &B) -> B {
        let converted = convert(&self.format, &to, rounding, self.nan, x);
        self.note(what, to, &converted);
        converted
    }

    /// `x` in the format `to`, rounded to nearest even. A magnitude beyond the greatest number of
    /// `to`, or an infinity, becomes that number with the sign of `x`.
    pub fn saturate(&mut self, what: ValueLabel, to: Format, x: &B) -> B {
        let stored = saturated(&self.format, &to, self.nan, x);
        self.note(what, to, &stored);
        stored
    }

    /// `x`, or +0 where `x` is negative; a NaN stays.
    pub fn relu(&mut self, what: ValueLabel, x: &B) -> B {
        let value = positive(&self.format, x);
        self.noted(what, value)
    }

    /// Converts `x` from the format `from` to this core's format, which holds all values of `from`.
    pub fn extend(&self, from: Format, x: &B) -> B {
        convert(&from, &self.format, Rounding::Rz, self.nan, x)
    }

    /// `x` with the opposite sign.
    pub fn negate(&self, x: &B) -> B {
        let sign = B::lit(self.format.width(), self.format.sign_mask());
        x.xor(&sign)
    }

    /// `x`, or +0 where it is a NaN.
    pub fn nan_to_zero(&mut self, what: ValueLabel, x: &B) -> B {
        let zero = B::lit(self.format.width(), 0);
        let value = mux(&unpack(&self.format, x).nan, &zero, x);
        self.noted(what, value)
    }

    /// `then` where `x` is finite, otherwise `x`.
    pub fn where_finite(&self, x: &B, then: &B) -> B {
        let unpacked = unpack(&self.format, x);
        mux(&unpacked.nan.or(&unpacked.infinite), x, then)
    }
}

/// The number `x` of the format `from` in the format `out`, rounded to nearest even. A magnitude beyond the greatest
/// number of `out` becomes that number, with the sign of `x`.
fn saturated<B: Bv>(from: &Format, out: &Format, nan: NanCode, x: &B) -> B {
    let unpacked = unpack(from, x);
    let sign = B::from_prop(1, &unpacked.sign);
    if out.has_all_of(from) {
        // `out` has every finite number of `from`, so that only an infinity exceeds its greatest number.
        let greatest = B::lit(out.width() - 1, out.max_finite());
        let stored = convert(from, out, Rounding::Rne, nan, x);
        return mux(&unpacked.infinite, &sign.concat(&greatest), &stored);
    }
    let greatest = convert::<B>(
        out,
        from,
        Rounding::Rz,
        nan,
        &B::lit(out.width(), out.register_of(out.max_finite())),
    );
    let low = from.width() - 2;
    let too_large = greatest
        .extract(low, 0)
        .ult(&x.extract(low, 0))
        .and(&unpacked.nan.not());
    let clamped = mux(&too_large, &greatest, x);
    // The sign of x is placed above the magnitude of the greatest number.
    let clamped = sign.concat(&clamped.extract(low, 0));
    convert(from, out, Rounding::Rne, nan, &clamped)
}
