//! The properties that can be claimed of a model, by name.

use super::bound::{self, Bound};
use super::lemma::Lemma;
use super::{
    accumulation, alignment, codes, differ, exact, monotone, order, padding, products, subnormals,
    symmetry,
};
use crate::algorithms::Registers;
use crate::bits::Bv;
use crate::float::{Format, Rounding};
use crate::model::Model;

/// What can be claimed of a model.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Property {
    /// It gives what the other model gives.
    Equal(Box<Model>),
    /// Its products are exact.
    ExactProducts,
    /// Sums that the format of its result holds are its results.
    ExactSums,
    /// Its result is the exact sum, rounded in this way.
    Rounds(Rounding),
    /// Its result is one of the two numbers next to the exact sum.
    Faithful,
    /// The order of the products does not matter.
    OrderIndependent,
    /// It accumulates as precisely as registers of this format.
    AccumulatesIn(Format),
    /// Its aligned terms are rounded in this way.
    Aligns(Rounding),
    /// It gives what the model with this `carry` gives that has all carry bits: the two models.
    CarryBits(Box<[Model; 2]>),
    /// Its result lies within this bound of the exact sum.
    Error(Bound),
    /// Subnormal operands count with their value.
    SubnormalInputs,
    /// Subnormal results are not flushed.
    SubnormalResults,
    /// Its result never falls while `c` rises.
    MonotoneInC,
    /// Its result never falls while a product rises.
    MonotoneInProducts,
    /// Negated operands give the negated result.
    SignSymmetric,
    /// Its result is never -0.
    NoNegativeZero,
    /// Its NaN has one code.
    CanonicalNan,
    /// With zeros for the products that the other model has not it gives what that gives.
    ZeroPadding(Box<Model>),
}

/// What a property is, for a person.
#[derive(Clone, Copy, Debug)]
pub struct PropertyDoc {
    /// Its name, with what is to be filled in.
    pub name: &'static str,
    /// What holds where it is proved.
    pub meaning: &'static str,
}

/// Every property.
pub const PROPERTIES: &[PropertyDoc] = &[
    PropertyDoc {
        name: "equal=MODEL",
        meaning: "the result is that of MODEL; MODEL may be keys to change, as in equal=:carry=full",
    },
    PropertyDoc {
        name: "exact-products",
        meaning: "every product on the way is exact",
    },
    PropertyDoc {
        name: "exact-sums",
        meaning: "a sum that the format of the result holds is the result",
    },
    PropertyDoc {
        name: "rounds=MODE",
        meaning: "a finite result is the exact sum rounded: rz, rne, rd, ru or ra",
    },
    PropertyDoc {
        name: "faithful",
        meaning: "a finite result is the exact sum or one of the two numbers next to it",
    },
    PropertyDoc {
        name: "error=BOUND",
        meaning: "a finite result is within BOUND of the exact sum: 2ulp; 0x1p-17max, of the power of two of the largest exponent among the terms; 0x1p-20, absolute",
    },
    PropertyDoc {
        name: "accumulates-in=FORMAT",
        meaning: "where every partial sum is a number of FORMAT and the last is one of the result's format, it is the result",
    },
    PropertyDoc {
        name: "aligns=MODE",
        meaning: "aligned terms are rounded to the last place of the sum: rz (cut), rne, rd, ru or ra",
    },
    PropertyDoc {
        name: "rounds-partial-sums=MODE",
        meaning: "the result is that of additions in order, each rounded to the result's format: rz, rne, rd or ru",
    },
    PropertyDoc {
        name: "carry-bits=N",
        meaning: "N carry bits suffice: with them the result is that of the model with all",
    },
    PropertyDoc {
        name: "subnormal-inputs",
        meaning: "a subnormal factor in a product alone, or a subnormal c alone, counts with its value",
    },
    PropertyDoc {
        name: "subnormal-results",
        meaning: "a product alone that lies among the subnormal results gives one of the two next to it",
    },
    PropertyDoc {
        name: "order-independent",
        meaning: "the result is the same for every order of the products",
    },
    PropertyDoc {
        name: "monotone-c",
        meaning: "the result never falls while c rises",
    },
    PropertyDoc {
        name: "monotone-products",
        meaning: "the result never falls while a product rises",
    },
    PropertyDoc {
        name: "sign-symmetric",
        meaning: "negating c and every product negates the result",
    },
    PropertyDoc {
        name: "no-negative-zero",
        meaning: "no result is -0",
    },
    PropertyDoc {
        name: "canonical-nan",
        meaning: "every NaN result has the code that the model says",
    },
    PropertyDoc {
        name: "zero-padding=K",
        meaning: "with +0 for all products but the first K the result is that of the model with K=K",
    },
];

impl Property {
    /// Unsatisfiable iff `model` has the property.
    pub fn is_violated<B: Bv>(&self, model: &Model, inputs: &Registers<B>) -> B::Bool {
        match self {
            Property::Equal(other) => differ::differ(model, other, inputs),
            Property::ExactProducts => products::has_inexact_products(model, inputs),
            Property::ExactSums => exact::loses_exact_sums(model, inputs),
            Property::Rounds(rounding) => exact::rounds_otherwise(model, *rounding, inputs),
            Property::Faithful => exact::is_unfaithful(model, inputs),
            Property::AccumulatesIn(format) => {
                accumulation::loses_partial_sums(model, format, inputs)
            }
            Property::Aligns(rounding) => alignment::cuts_otherwise(model, *rounding, inputs),
            Property::CarryBits(models) => differ::differ(&models[0], &models[1], inputs),
            Property::Error(bound) => bound::exceeds(model, bound, inputs),
            Property::SubnormalInputs => subnormals::drops_subnormal_inputs(model, inputs),
            Property::SubnormalResults => subnormals::drops_subnormal_results(model, inputs),
            Property::OrderIndependent => order::depends_on_order(model, inputs),
            Property::MonotoneInC => monotone::falls_in_c(model, inputs),
            Property::MonotoneInProducts => monotone::falls_in_products(model, inputs),
            Property::SignSymmetric => symmetry::is_asymmetric(model, inputs),
            Property::NoNegativeZero => codes::gives_negative_zero(model, inputs),
            Property::CanonicalNan => codes::gives_other_nan(model, inputs),
            Property::ZeroPadding(shorter) => padding::padding_matters(model, shorter, inputs),
        }
    }

    /// The models that have the property if they give the same results, if that is what it says.
    pub fn compared<'x>(&'x self, model: &'x Model) -> Option<[&'x Model; 2]> {
        match self {
            Property::Equal(other) => Some([model, other]),
            Property::CarryBits(models) => Some([&models[0], &models[1]]),
            _ => None,
        }
    }

    /// Lemmas that it is proved by, where it is; mostly none.
    pub fn lemmas<B: Bv>(&self, model: &Model, inputs: &Registers<B>) -> Vec<Lemma<B>> {
        match self {
            Property::Error(bound) => bound::lemmas(model, bound, inputs),
            _ => Vec::new(),
        }
    }
}
