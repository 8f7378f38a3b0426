//! `factor-independent`: the result does not depend on how products are made of factors.
//!
//! Each product that the format of `a` holds is written as that number times 1. If no result changes by
//! that, operands with equal products give equal results, where the format holds the products that
//! differ in their factors: both results are that of the products times 1.

use crate::claims::property::exact::HeldSum;
use crate::claims::property::symbolic::all_finite;
use crate::claims::property::values::same_value;
use crate::claims::property::{ClaimError, Counterpart, Meaning, PropertyDoc, PropertyText, Trial};
use mmasmt_core::machines::algorithms::{Registers, Signature};
use mmasmt_core::machines::model::Instance;
use mmasmt_numbers::bits::{Big, Prop, mux};
use mmasmt_numbers::float::{Arithmetic, NanCode, Rounding, ieee_multiply, unpack};

pub(super) const DOC: PropertyDoc = PropertyDoc::new(
    "factor-independent",
    "the result for finite operands is the same with each product that the format of a holds written as that number times 1, be that in the domain or not; -0 is 0, any NaN is any other",
);

/// Finite operands give the same result as their [products](written_out) times 1. The two zeros
/// count as equal, and so do all NaNs. These operands may lie outside of the domain.
#[derive(Clone, Debug)]
pub struct FactorIndependent;

impl Meaning for FactorIndependent {
    fn read(text: &PropertyText) -> Result<Self, ClaimError> {
        text.expect_negative_factors()?;
        Ok(FactorIndependent)
    }

    fn is_violated<B: Instance>(&self, by: &Trial<B>) -> B::Bool {
        let signature = by.signature();
        let other = written_out(&signature, by.inputs);
        let [result, other] = [by.inputs, &other].map(|inputs| by.model.result(inputs));
        let same = same_value(&signature.d, &result, &other);
        all_finite(&signature, by.inputs).and(&same.not())
    }

    fn counterparts(&self, by: &Trial<Big>) -> Vec<Counterpart> {
        let other = written_out(&by.signature(), by.inputs);
        vec![by.other_operands("with products times 1 as far as a holds them", &other)]
    }
}

/// The operands with each product that the format of `a` holds written as that number times 1.
fn written_out<B: Instance>(signature: &Signature, inputs: &Registers<B>) -> Registers<B> {
    let b = &signature.b;
    let one = B::lit(b.width(), b.one());
    let mut other = inputs.clone();
    for (x, y) in other.a.iter_mut().zip(&mut other.b) {
        let (product, is_held) = product(signature, x, y);
        *x = mux(&is_held, &product, x);
        *y = mux(&is_held, &one, y);
    }
    other
}

/// The product of two finite factors in the format of `a`, and whether the format holds it.
fn product<B: Instance>(signature: &Signature, x: &B, y: &B) -> (B, B::Bool) {
    let Signature { a, b, .. } = signature;
    // Without an infinity and a NaN, products that are too large are rounded to the greatest number.
    if a.beyond_finite() == a.max_finite() {
        let alone = Signature {
            products: 1,
            c: *a,
            d: *a,
            scales: None,
            ..*signature
        };
        let operands = Registers {
            a: vec![x.clone()],
            b: vec![y.clone()],
            c: B::lit(a.width(), 0),
            a_scales: Vec::new(),
            b_scales: Vec::new(),
        };
        let sum = HeldSum::of(&alone, &operands);
        return (sum.register, sum.held);
    }
    let rounded = |rounding| {
        let to = Arithmetic {
            format: *a,
            rounding,
            nan: NanCode::Quiet,
        };
        ieee_multiply(&to, [a, b], x, y)
    };
    let (below, above) = (rounded(Rounding::Rd), rounded(Rounding::Ru));
    let is_held = same_value(a, &below, &above).and(&unpack(a, &below).finite());
    (below, is_held)
}
