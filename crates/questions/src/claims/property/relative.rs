//! The violation of `error=BOUND` where the bound is relative to the exact sum, or to the sum of
//! magnitudes.

use super::symbolic::all_finite;
use super::terms::{ExactTerms, exceeds, magnitude};
use mmasmt_core::machines::algorithms::Registers;
use mmasmt_core::machines::model::Instance;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::bits::Prop;
use mmasmt_numbers::float::unpack;

/// The sum that a bound is a multiple of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReferenceSum {
    /// The magnitude of the exact sum.
    Sum,
    /// The sum of the magnitudes of all products and of `c`.
    Magnitudes,
}

/// A bound of `mantissa * 2^exponent` times a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RelativeBound {
    /// The mantissa of the bound.
    pub mantissa: u64,
    /// The exponent of the bound.
    pub exponent: i64,
    /// The sum that the bound is a multiple of.
    pub of: ReferenceSum,
}

/// Unsatisfiable iff every finite result for finite operands lies within `bound` of the exact sum.
pub fn is_beyond<B: Instance>(
    model: &Model,
    bound: &RelativeBound,
    inputs: &Registers<B>,
) -> B::Bool {
    let signature = model.signature();
    let result = model.result(inputs);
    let finite = unpack(&signature.d, &result)
        .finite()
        .and(&all_finite(&signature, inputs));
    let terms = ExactTerms::of(&signature, inputs, &[(signature.d, result)]);
    let sum = terms.sum();
    let Some(result) = terms.results.first() else {
        return finite;
    };
    let error = magnitude(&result.sub(&sum));
    let of = match bound.of {
        ReferenceSum::Sum => magnitude(&sum),
        ReferenceSum::Magnitudes => terms.magnitude(),
    };
    exceeds(&error, (bound.mantissa, bound.exponent), &of).and(&finite)
}
