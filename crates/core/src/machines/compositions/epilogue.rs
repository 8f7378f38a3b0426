//! Epilogues: operations on a sum before it is stored, namely `alpha * sum + beta * c` and a
//! conversion.

use crate::machines::algorithms::{Core, DotAdd, Operands, Signature, Stages, Unit};
use crate::numbers::bits::{Bv, Prop, mux};
use crate::numbers::float::{Format, NanCode, Rounding, convert, unpack};

/// Computes `fma(sum, alpha, beta * c)` in f32, multiplies it by `scale`, and converts it to `out`.
/// The sum of the unit begins at +0. If `beta` is 0, +0 takes the place of `beta * c`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Epilogue {
    /// Number of products.
    pub products: u32,
    /// The f32 register of alpha.
    pub alpha: u32,
    /// The f32 register of beta.
    pub beta: u32,
    /// The f32 register of the factor that the result is multiplied by before it is converted.
    pub scale: u32,
    /// Format of the stored result.
    pub out: Format,
    /// Whether a result that exceeds the greatest number of `out` in magnitude, or is infinite,
    /// becomes that number.
    pub saturate: bool,
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

    pub(super) fn dot_add<A: DotAdd, B: Bv>(
        &self,
        unit: &Unit<A>,
        operands: Operands<'_, B>,
        stages: &mut Stages<B>,
    ) -> B {
        let zero = unit.zero();
        let sum = unit.run(
            Operands {
                c: &zero,
                ..operands
            },
            stages,
        );
        let f32 = Format::F32;
        let mut core = Core {
            format: f32,
            nan: unit.nan(),
            stages,
        };
        let constant = |register: u32| B::lit(f32.width(), register.into());
        let to = Rounding::Rne;
        let added = match self.beta {
            0 => zero,
            beta => core.multiply(("beta * c", None), to, &constant(beta), operands.c),
        };
        let alpha = constant(self.alpha);
        let mut d = core.fma(("alpha * sum + beta * c", None), to, [&sum, &alpha, &added]);
        if self.scale != Self::ONE {
            d = core.multiply(("scaled", None), to, &d, &constant(self.scale));
        }
        if self.out == f32 && !self.saturate {
            return d;
        }
        let stored = if self.saturate {
            saturated(&self.out, unit.nan(), &d)
        } else {
            convert(&f32, &self.out, to, unit.nan(), &d)
        };
        core.note(("stored", None), self.out, &stored);
        stored
    }
}

/// The f32 number `x` in the format `out`, rounded to nearest even. A magnitude beyond the greatest
/// number of `out` becomes that number, with the sign of `x`.
fn saturated<B: Bv>(out: &Format, nan: NanCode, x: &B) -> B {
    let f32 = Format::F32;
    let unpacked = unpack(&f32, x);
    let sign = B::from_prop(1, &unpacked.sign);
    if out.has_all_of(&f32) {
        // `out` has every finite f32 number, so that only an infinity exceeds its greatest number.
        let greatest = B::lit(out.width() - 1, out.max_finite());
        let stored = convert(&f32, out, Rounding::Rne, nan, x);
        return mux(&unpacked.infinite, &sign.concat(&greatest), &stored);
    }
    let greatest = convert::<B>(
        out,
        &f32,
        Rounding::Rz,
        nan,
        &B::lit(out.width(), out.register_of(out.max_finite())),
    );
    let low = f32.width() - 2;
    let too_large = greatest
        .extract(low, 0)
        .ult(&x.extract(low, 0))
        .and(&unpacked.nan.not());
    let clamped = mux(&too_large, &greatest, x);
    // The sign of x is placed above the magnitude of the greatest number.
    let clamped = sign.concat(&clamped.extract(low, 0));
    convert(&f32, out, Rounding::Rne, nan, &clamped)
}
