//! Builds inputs whose summands have given values; the factors of each product are chosen to fit.

use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_numbers::float::{Dyadic, Format};
use num_bigint::BigInt;
use std::fmt;

/// The reason that the formats of a signature do not allow inputs for a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatMisfit(pub String);

impl fmt::Display for FormatMisfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A place in the sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SumPlace {
    /// Product `k`, from 0.
    Product(usize),
    /// The accumulator input.
    C,
}

/// `mantissa * 2^exponent`.
pub(super) fn number(mantissa: i64, exponent: i64) -> Dyadic {
    Dyadic::new(BigInt::from(mantissa), exponent)
}

/// `2^exponent`.
pub(super) fn pow2(exponent: i64) -> Dyadic {
    number(1, exponent)
}

/// Zero.
pub(super) fn zero() -> Dyadic {
    number(0, 0)
}

/// Inputs under construction: unset operands are +0, and block scales are 1.
pub struct ProbeSum<'s> {
    signature: &'s Signature,
    inputs: Inputs,
}

impl<'s> ProbeSum<'s> {
    /// Inputs whose operands are all +0, with block scales 1.
    pub fn new(signature: &'s Signature) -> Self {
        let inputs = Inputs::zero(signature);
        ProbeSum { signature, inputs }
    }

    /// Sets the summand at `place` to `value`. If it is a product, its factors are normal numbers.
    ///
    /// # Errors
    /// If the formats or the number of products do not allow this value.
    pub fn put(self, place: SumPlace, value: &Dyadic) -> Result<Self, FormatMisfit> {
        match place {
            SumPlace::C => self.c(value),
            SumPlace::Product(k) => {
                let (a, b) = (&self.signature.a, &self.signature.b);
                let (x, y) = factors(a, b, value).ok_or_else(|| {
                    FormatMisfit(format!(
                        "no normal factors {a} x {b} have the product {value}"
                    ))
                })?;
                self.registers(k, x, y)
            }
        }
    }

    /// Sets the factors of product `k` to `x` and `y`.
    ///
    /// # Errors
    /// If the formats or the number of products do not allow these factors.
    pub fn factors(self, k: usize, x: &Dyadic, y: &Dyadic) -> Result<Self, FormatMisfit> {
        let (x, y) = (
            register(&self.signature.a, x)?,
            register(&self.signature.b, y)?,
        );
        self.registers(k, x, y)
    }

    /// Sets the registers of the factors of product `k` to `x` and `y`.
    ///
    /// # Errors
    /// If there are not that many products.
    pub fn registers(mut self, k: usize, x: u64, y: u64) -> Result<Self, FormatMisfit> {
        let products = self.signature.products as usize;
        if k >= products {
            return Err(FormatMisfit(format!(
                "at least {} products are needed, there are {products}",
                k + 1
            )));
        }
        (self.inputs.a[k], self.inputs.b[k]) = (x, y);
        Ok(self)
    }

    /// Sets the register of `c`.
    #[must_use]
    pub fn c_register(mut self, register: u64) -> Self {
        self.inputs.c = register;
        self
    }

    fn c(mut self, value: &Dyadic) -> Result<Self, FormatMisfit> {
        self.inputs.c = register(&self.signature.c, value)?;
        Ok(self)
    }

    /// The inputs.
    pub fn inputs(self) -> Inputs {
        self.inputs
    }
}

/// The register of `value` in `format`; an error if the format does not have this value.
pub(super) fn register(format: &Format, value: &Dyadic) -> Result<u64, FormatMisfit> {
    let unfit = || FormatMisfit(format!("{value} is not a value of {format}"));
    value.register(format).ok_or_else(unfit)
}

/// Checks that the result can represent `value`; otherwise the result could not show whether an
/// operand counts.
pub(super) fn seen_in_result(d: &Format, value: &Dyadic) -> Result<(), FormatMisfit> {
    match value.register(d) {
        Some(_) => Ok(()),
        None => Err(FormatMisfit(format!(
            "{d} does not have {value}, which would show it"
        ))),
    }
}

/// The exponents of the least and the greatest normal numbers of a format.
pub(super) fn normal_exponents(format: &Format) -> (i64, i64) {
    (format.min_exponent().into(), format.max_exponent().into())
}

/// The least distance between the exponents of the large and of the small power of two for which
/// a test of the summation tree is worth asking.
const LEAST_GAP: i64 = 27;

/// The exponents of the large and of the small power of two that a test of the summation tree puts
/// in the summands. The large one is below the greatest exponent of the result, so that no
/// intermediate sum overflows.
///
/// # Errors
/// If they are too near to each other.
pub(super) fn large_and_small(signature: &Signature) -> Result<[i64; 2], FormatMisfit> {
    let formats = [signature.a, signature.b, signature.c, signature.d];
    let [a, b, c, d] = formats.map(|format| normal_exponents(&format));
    let large = (a.1 + b.1).min(c.1).min(d.1 - 1);
    let small = (a.0 + b.0).max(c.0).max(d.0);
    let gap = large - small;
    match gap < LEAST_GAP {
        true => Err(FormatMisfit(format!(
            "summands within 2^{gap} of each other are too near"
        ))),
        false => Ok([large, small]),
    }
}

/// The registers of two normal factors with the product `value`; `None` if there are none. The
/// exponents of the factors are as near to each other as possible, and the factor in `b` is a power
/// of two.
fn factors(a: &Format, b: &Format, value: &Dyadic) -> Option<(u64, u64)> {
    let Some(leading) = value.leading_exponent() else {
        return Some((0, 0));
    };
    let normal = |format: &Format, value: &Dyadic| {
        let (least, _) = normal_exponents(format);
        value
            .leading_exponent()
            .filter(|&leading| leading >= least)?;
        value.register(format)
    };
    let (least, greatest) = normal_exponents(b);
    let middle = (leading / 2).clamp(least, greatest);
    (0..=greatest - least)
        .flat_map(|far| [middle - far, middle + far])
        .filter(|exponent| (least..=greatest).contains(exponent))
        .find_map(|exponent| {
            let power = pow2(exponent);
            Some((normal(a, &value.shifted(-exponent))?, normal(b, &power)?))
        })
}
