//! Epilogues: operations on a sum before it is stored, namely `alpha * sum + beta * c` and a
//! conversion.

use crate::machines::algorithms::Signature;
use crate::machines::sums::{Calculation, Operator, Sums};
use mmasmt_numbers::float::{Format, Rounding};

/// Computes `fma(sum, alpha, beta * c)` in f32, applies `activation`, multiplies by `scale`, and
/// converts to `out`.
/// The sum of the unit begins at +0. If `beta` is 0, +0 takes the place of `beta * c`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Epilogue {
    /// Number of products.
    pub products: u32,
    /// The f32 register of alpha.
    pub alpha: u32,
    /// The f32 register of beta.
    pub beta: u32,
    /// The operation on the result before it is scaled and converted.
    pub activation: Activation,
    /// The f32 register of the factor that the result is multiplied by before it is converted.
    pub scale: u32,
    /// Format of the stored result.
    pub out: Format,
    /// Whether a result that exceeds the greatest number of `out` in magnitude, or is infinite,
    /// becomes that number.
    pub saturate: bool,
}

/// An operation on a sum before it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activation {
    /// The sum stays.
    None,
    /// A negative sum becomes +0.
    Relu,
}

impl Epilogue {
    /// The f32 register of 1.
    pub const ONE: u32 = 0x3f80_0000;

    pub(super) fn signature(&self, unit: &Signature) -> Result<Signature, String> {
        if unit.d != Format::F32 {
            return Err(format!("a unit with f32 results, found {unit}"));
        }
        if !self.saturate && !self.out.has_nan() {
            return Err(format!(
                "a result with NaN where it does not saturate, found {}",
                self.out
            ));
        }
        Ok(Signature {
            products: self.products,
            d: self.out,
            ..*unit
        })
    }

    pub(super) fn sum<S: Sums>(&self, on: &mut S) -> Result<S::Sum, S::Stop> {
        let (format, to) = (Format::F32, Rounding::Rne);
        let calculation = |operation| Calculation { format, operation };
        let products: Vec<usize> = (0..on.count()).collect();
        let zero = on.constant(format, 0)?;
        let sum = on.run(&products, zero.clone())?;
        let added = match self.beta {
            0 => zero,
            Self::ONE => on.c()?,
            beta => {
                let (beta, c) = (on.constant(format, beta.into())?, on.c()?);
                let multiply = calculation(Operator::Multiply(to));
                on.calculate(("beta * c", None), multiply, &[&beta, &c])?
            }
        };
        let what = ("alpha * sum + beta * c", None);
        let mut d = if self.alpha == Self::ONE {
            on.calculate(what, calculation(Operator::Add(to)), &[&sum, &added])?
        } else {
            let alpha = on.constant(format, self.alpha.into())?;
            let fma = calculation(Operator::Fma(to));
            on.calculate(what, fma, &[&sum, &alpha, &added])?
        };
        if self.activation == Activation::Relu {
            d = on.calculate(("positive", None), calculation(Operator::Relu), &[&d])?;
        }
        if self.scale != Self::ONE {
            let scale = on.constant(format, self.scale.into())?;
            let multiply = calculation(Operator::Multiply(to));
            d = on.calculate(("scaled", None), multiply, &[&d, &scale])?;
        }
        let stored = match self.saturate {
            true => Operator::Saturate(self.out),
            false if self.out == format => return Ok(d),
            false => Operator::Convert(self.out),
        };
        on.calculate(("stored", None), calculation(stored), &[&d])
    }
}
