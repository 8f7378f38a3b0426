//! What follows for a model from its results being exact sums, correctly rounded.
//!
//! Rounding is monotone, and to nearest, towards zero and away from it also symmetric. An exact sum
//! rises with each of its terms, and is negated with them. So such a model is monotone and symmetric,
//! infinities included; a NaN is no fall, and stays one if operands are negated.

use super::claim::Claim;
use super::exact::correctly_rounded;
use super::invariance;
use super::kind::Property;
use super::values::same_value;
use crate::algorithms::{Registers, Signature};
use crate::bits::{Bv, Prop};
use crate::float::{Format, Rounding};

impl Claim {
    /// Ways of rounding of which each alone would be enough: if the model gives what the exact sum
    /// rounded so is, be it an infinity or a NaN, the claim holds.
    pub(crate) fn follows_from(&self) -> &'static [Rounding] {
        use Rounding::{Ra, Rd, Rne, Ru, Rz};
        let Signature {
            a, c, d, scales, ..
        } = self.model.signature();
        let is_signed = |format: Format| format.is_signed();
        // What overflows must have a place beyond all numbers, and what underflows a sign.
        if scales.is_some() || !d.has_infinity() || !d.has_negative_zero() {
            return &[];
        }
        match self.property {
            Property::MonotoneInC | Property::MonotoneInProducts => &[Rne, Rz, Rd, Ru, Ra],
            Property::SignSymmetric if is_signed(a) && is_signed(c) => &[Rne, Rz, Ra],
            _ => &[],
        }
    }

    /// Unsatisfiable iff the results that the claim compares are the exact sums of their operands,
    /// rounded so: zeros of both signs are one number, and all NaNs.
    pub(crate) fn rounds_otherwise<B: Bv>(
        &self,
        rounding: Rounding,
        inputs: &Registers<B>,
    ) -> B::Bool {
        let signature = self.model.signature();
        let fixed = self.domain.fixed(inputs);
        let otherwise = |inputs: &Registers<B>| {
            let correct = correctly_rounded(&signature, rounding, inputs);
            same_value(&signature.d, &self.model.result(inputs), &correct).not()
        };
        let mut parts = vec![otherwise(&fixed)];
        // The operands of monotony are all in the domain, negated ones may lie outside of it.
        if matches!(self.property, Property::SignSymmetric) {
            parts.push(otherwise(&invariance::opposite(&signature, &fixed)));
        }
        self.domain.holds(&fixed).and(&B::Bool::any(parts))
    }
}
