//! The properties that can be claimed of a model, by name.

use super::claim::ClaimError;
use super::{codes, differ, exact, monotone, order, padding, products, symmetry};
use crate::algorithms::Registers;
use crate::bits::Bv;
use crate::float::{Rounding, SignBit};
use crate::model::Model;

/// What can be claimed of a model.
#[derive(Clone, Debug)]
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
    pub(super) fn parse(text: &str, model: &Model) -> Result<Property, ClaimError> {
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        let unfit = |reason| ClaimError::Unfit {
            property: text.into(),
            model: model.to_string(),
            reason,
        };
        let signature = model.signature();
        let unscaled = |property| match signature.scales {
            None => Ok(property),
            Some(_) => Err(unfit("the exact sum of scaled products is not modelled")),
        };
        match (name, value) {
            ("equal", Some(other)) => {
                let other = match other.strip_prefix(':') {
                    Some(changes) => model.with(changes)?,
                    None => Model::parse(other)?,
                };
                if other.signature() != signature {
                    return Err(unfit("the two models do not take the same inputs"));
                }
                Ok(Property::Equal(Box::new(other)))
            }
            ("exact-products", None) if products::shows_products(model) => {
                Ok(Property::ExactProducts)
            }
            ("exact-products", None) => Err(unfit("it shows no products on its way")),
            ("exact-sums", None) => unscaled(Property::ExactSums),
            ("rounds", Some(mode)) => unscaled(Property::Rounds(rounding(text, mode)?)),
            ("faithful", None) => unscaled(Property::Faithful),
            ("order-independent", None) => Ok(Property::OrderIndependent),
            ("monotone-c", None) => Ok(Property::MonotoneInC),
            ("monotone-products", None) => Ok(Property::MonotoneInProducts),
            ("sign-symmetric", None) if signature.a.sign == SignBit::Signed => {
                Ok(Property::SignSymmetric)
            }
            ("no-negative-zero", None) => Ok(Property::NoNegativeZero),
            ("canonical-nan", None) if model.gives_any_nan() => {
                Err(unfit("the code of its NaN is unspecified"))
            }
            ("canonical-nan", None) => Ok(Property::CanonicalNan),
            ("zero-padding", Some(count)) => {
                let shorter = model.with(&format!("K={count},chain=1"))?;
                if shorter.signature().products >= signature.products {
                    return Err(unfit("it has no more products than that"));
                }
                Ok(Property::ZeroPadding(Box::new(shorter)))
            }
            _ => Err(unknown(text)),
        }
    }

    /// Unsatisfiable iff `model` has the property.
    pub fn is_violated<B: Bv>(&self, model: &Model, inputs: &Registers<B>) -> B::Bool {
        match self {
            Property::Equal(other) => differ::differ(model, other, inputs),
            Property::ExactProducts => products::has_inexact_products(model, inputs),
            Property::ExactSums => exact::loses_exact_sums(model, inputs),
            Property::Rounds(rounding) => exact::rounds_otherwise(model, *rounding, inputs),
            Property::Faithful => exact::is_unfaithful(model, inputs),
            Property::OrderIndependent => order::depends_on_order(model, inputs),
            Property::MonotoneInC => monotone::falls_in_c(model, inputs),
            Property::MonotoneInProducts => monotone::falls_in_products(model, inputs),
            Property::SignSymmetric => symmetry::is_asymmetric(model, inputs),
            Property::NoNegativeZero => codes::gives_negative_zero(model, inputs),
            Property::CanonicalNan => codes::gives_other_nan(model, inputs),
            Property::ZeroPadding(shorter) => padding::padding_matters(model, shorter, inputs),
        }
    }
}

fn unknown(text: &str) -> ClaimError {
    let names: Vec<_> = PROPERTIES.iter().map(|doc| doc.name).collect();
    ClaimError::Unknown {
        found: text.into(),
        expected: names.join(", "),
    }
}

fn rounding(text: &str, mode: &str) -> Result<Rounding, ClaimError> {
    match mode {
        "rz" => Ok(Rounding::Rz),
        "rne" => Ok(Rounding::Rne),
        "rd" => Ok(Rounding::Rd),
        "ru" => Ok(Rounding::Ru),
        "ra" => Ok(Rounding::Ra),
        _ => Err(unknown(text)),
    }
}
