//! Claims that follow from correct rounding.
//!
//! Rounding is monotone; rounding to nearest, towards zero and away from zero is also symmetric.
//! The exact sum increases with each term, and is negated if all terms are negated. A model that
//! rounds the exact sum is therefore monotone and symmetric, infinities included. A NaN violates
//! neither property. No number of a format is closer to the exact sum than the result of rounding
//! to nearest.

use super::claim::Claim;
use super::closer::TrueSum;
use super::exact::correctly_rounded;
use super::kinds::{BetterThan, NoWorseThan, Property, opposite};
use super::values::same_value;
use mmasmt_core::machines::algorithms::{Registers, Signature};
use mmasmt_core::machines::model::Instance;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::bits::Prop;
use mmasmt_numbers::float::{Format, Rounding};

impl Claim {
    /// The model whose correct rounding would settle the claim.
    fn rounding_model(&self) -> &Model {
        match &self.property {
            Property::BetterThan(BetterThan(other, _)) => other,
            _ => &self.model,
        }
    }

    /// The rounding modes that settle the claim: if its [model](Self::rounding_model) rounds the
    /// exact sum in one of these modes, infinities and NaNs included, then no inputs answer the
    /// question about the claim.
    pub fn follows_from(&self) -> &'static [Rounding] {
        use Rounding::{Ra, Rd, Rne, Ru, Rz};
        let Signature {
            a, c, d, scales, ..
        } = self.rounding_model().signature();
        let is_signed = |format: Format| format.is_signed();
        // Results stay in order only if overflow gives an infinity and underflow a signed zero.
        if scales.is_some() || !d.has_infinity() || !d.has_negative_zero() {
            return &[];
        }
        match &self.property {
            Property::NoWorseThan(NoWorseThan(other, TrueSum::Exact))
            | Property::BetterThan(BetterThan(other, TrueSum::Exact))
                if other.signature() == self.model.signature() =>
            {
                &[Rne]
            }
            Property::MonotoneInC(_) | Property::MonotoneInProducts(_) => &[Rne, Rz, Rd, Ru, Ra],
            Property::SignSymmetric(_) if is_signed(a) && is_signed(c) => &[Rne, Rz, Ra],
            _ => &[],
        }
    }

    /// Unsatisfiable iff the results that the claim compares are the exact sums of their operands,
    /// rounded by `rounding`. The two zeros count as equal, and so do all NaNs.
    pub fn rounds_otherwise<B: Instance>(
        &self,
        rounding: Rounding,
        inputs: &Registers<B>,
    ) -> B::Bool {
        let model = self.rounding_model();
        let signature = model.signature();
        let fixed = self.domain.fixed(inputs);
        let otherwise = |inputs: &Registers<B>| {
            let correct = correctly_rounded(&signature, rounding, inputs);
            same_value(&signature.d, &model.result(inputs), &correct).not()
        };
        let mut parts = vec![otherwise(&fixed)];
        // Monotonicity compares operands in the domain; negated operands may lie outside of the
        // domain.
        if matches!(self.property, Property::SignSymmetric(_)) {
            parts.push(otherwise(&opposite(&signature, &fixed)));
        }
        self.domain.holds(&fixed).and(&B::Bool::any(parts))
    }
}
