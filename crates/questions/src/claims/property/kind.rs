//! The properties that can be claimed of a model, with their names and documentation.

use super::bound::{self, Bound};
use super::closer::{self, TrueSum};
use super::domain::Domain;
use super::lemma::Lemma;
use super::order::Permutation;
use super::relative::{self, RelativeBound};
use super::{
    alignment, differ, exact, integers, invariance, monotone, order, products, subnormals, values,
};
use mmasmt_core::machines::algorithms::Registers;
use mmasmt_core::machines::model::Instance;
use mmasmt_core::machines::model::Model;
use mmasmt_core::numbers::bits::Prop;
use mmasmt_core::numbers::float::{Format, Rounding};

/// A property of a model.
#[derive(Clone, Debug)]
pub enum Property {
    /// Its result is that of the other model.
    Equal(Box<Model>),
    /// Its products are exact.
    ExactProducts,
    /// An exact sum that the format of its result represents is its result.
    ExactSums,
    /// Its result is the exact sum of integers.
    Exact,
    /// The exact sum of integers is one of the format of its result.
    NoOverflow,
    /// Its result is the exact sum, rounded in this way.
    Rounds(Rounding),
    /// Its result is one of the two numbers next to the exact sum.
    Faithful,
    /// Its result is the same with the products in each of these orders.
    OrderIndependent(Vec<Permutation>),
    /// Its result is the number that the other model gives, which rounds every product and partial
    /// sum.
    RoundsPartialSums(Box<Model>),
    /// It accumulates as precisely as registers of this format.
    AccumulatesIn(Format),
    /// Its aligned terms are rounded in this way.
    Aligns(Rounding),
    /// It gives the same result with so many carry bits (the first model) as with all (the second).
    CarryBits(Box<[Model; 2]>),
    /// Its result lies within this bound of the exact sum.
    Error(Bound),
    /// Its result lies within this bound of the exact sum.
    RelativeError(RelativeBound),
    /// Its error, measured from that sum, is at most that of the other model.
    NoWorseThan(Box<Model>, TrueSum),
    /// There are operands for which its error, measured in this way, is less than that of the other
    /// model.
    BetterThan(Box<Model>, TrueSum),
    /// Its result is the exact sum, rounded to nearest even in this format.
    Recovers(Format),
    /// Subnormal operands are not flushed.
    SubnormalInputs,
    /// Subnormal results are not flushed.
    SubnormalResults,
    /// Its result never decreases when `c` increases.
    MonotoneInC,
    /// Its result never decreases when a product increases.
    MonotoneInProducts,
    /// Negated operands give the negated result.
    SignSymmetric,
    /// Its result is never -0.
    NoNegativeZero,
    /// Its NaN results all have the code that the model states.
    CanonicalNan,
    /// With +0 for the products that the other model does not take, its result is that of the other
    /// model.
    ZeroPadding(Box<Model>),
}

/// The documentation of a property.
#[derive(Clone, Copy, Debug)]
pub struct PropertyDoc {
    /// Its name, with parameters in capitals.
    pub name: &'static str,
    /// What a proof of it means.
    pub meaning: &'static str,
}

/// Every property.
pub const PROPERTIES: &[PropertyDoc] = &[
    PropertyDoc {
        name: "equal=MODEL",
        meaning: "the register of the result is that of MODEL; MODEL may be keys to change, as in equal=:carry=full",
    },
    PropertyDoc {
        name: "exact-products",
        meaning: "every finite product on the way is exact",
    },
    PropertyDoc {
        name: "exact-sums",
        meaning: "a sum of finite operands that the format of the result holds is the result",
    },
    PropertyDoc {
        name: "exact",
        meaning: "of integers: the result is the exact sum",
    },
    PropertyDoc {
        name: "no-overflow",
        meaning: "of integers: the format of the result holds the exact sum",
    },
    PropertyDoc {
        name: "rounds=MODE",
        meaning: "a finite result for finite operands is the exact sum rounded: rz, rne, rd, ru or ra (away from zero); -0 is 0",
    },
    PropertyDoc {
        name: "faithful",
        meaning: "a finite result for finite operands is the exact sum or one of the two numbers next to it",
    },
    PropertyDoc {
        name: "error=BOUND",
        meaning: "a finite result for finite operands is within BOUND of the exact sum: 2ulp, last places of the result, that of a zero or a subnormal number being the format's least number; 0x1p-17max, of the power of two of the largest exponent among the terms that are no zeros, subnormal operands having the least exponent; 0x1p-20rel, of the exact sum; 0x1p-20sum, of the sum of the magnitudes of c and all products; 0x1p-20 or 0x1p-20abs, absolute",
    },
    PropertyDoc {
        name: "no-worse-than=MODEL",
        meaning: "the result for finite operands is as close to the exact sum as that of MODEL, or closer, where both results are finite; errors are compared exactly",
    },
    PropertyDoc {
        name: "no-worse-than-f64=MODEL",
        meaning: "the same, counted from the sum in f64 in the place of the exact sum: c and the products in their order, each product and each sum to nearest",
    },
    PropertyDoc {
        name: "better-than=MODEL",
        meaning: "there are finite operands in the domain for which the result is closer to the exact sum than that of MODEL, both results being finite: proved by such operands, refuted by a proof that there are none",
    },
    PropertyDoc {
        name: "better-than-f64=MODEL",
        meaning: "the same, counted from the sum in f64",
    },
    PropertyDoc {
        name: "same-as=MODEL",
        meaning: "equal=MODEL by another name",
    },
    PropertyDoc {
        name: "recovers=FORMAT",
        meaning: "a finite result for finite operands is the exact sum rounded to nearest even in FORMAT; -0 is 0",
    },
    PropertyDoc {
        name: "accumulates-in=FORMAT",
        meaning: "where c and every sum of it with the first products is a number of FORMAT and the last is one of the result's format, it is the result",
    },
    PropertyDoc {
        name: "aligns=MODE",
        meaning: "aligned terms are rounded to the last place of the sum: rz (cut), rne, rd, ru or ra",
    },
    PropertyDoc {
        name: "rounds-partial-sums=MODE",
        meaning: "the result is c plus the products in order, each product and each sum rounded to the result's format: rz, rne, rd, ru or ra; -0 is 0, any NaN is any other",
    },
    PropertyDoc {
        name: "carry-bits=N",
        meaning: "N carry bits suffice: with them the result is that of the model with all",
    },
    PropertyDoc {
        name: "subnormal-inputs",
        meaning: "a subnormal factor in the first product alone, or a subnormal c alone, counts with its value, where the format of the result holds that; all else is +0",
    },
    PropertyDoc {
        name: "subnormal-results",
        meaning: "the first product alone, all else being +0, gives one of the two numbers next to it where it is no zero and below the least normal result",
    },
    PropertyDoc {
        name: "order-independent",
        meaning: "the result for operands in the domain is the same for every order of the products, be the other order in the domain or not; block scales keep their places",
    },
    PropertyDoc {
        name: "monotone-c",
        meaning: "the result never falls from one c in the domain to the next greater one in it, so that it never falls while c rises unless it is a NaN in between; -0 is below +0",
    },
    PropertyDoc {
        name: "monotone-products",
        meaning: "the result never falls where a factor steps to the next number in the domain and its product rises: upwards where the other factor is positive, downwards where it is negative; -0 is below +0",
    },
    PropertyDoc {
        name: "sign-symmetric",
        meaning: "negating c and every a of operands in the domain, into it or out of it, negates the result; -0 is 0, any NaN is any other",
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
        meaning: "with +0 for all products but the first K, in the domain or not, the result is that of the model with K=K",
    },
];

impl Property {
    /// Unsatisfiable together with the `domain` iff `model` has the property on it.
    pub fn is_violated<B: Instance>(
        &self,
        model: &Model,
        domain: &Domain,
        inputs: &Registers<B>,
    ) -> B::Bool {
        match self {
            Property::Equal(other) => differ::differ(model, other, inputs),
            Property::ExactProducts => products::has_inexact_products(model, inputs),
            Property::ExactSums if model.signature().is_integer() => {
                integers::loses_exact_sums(model, inputs)
            }
            Property::ExactSums => exact::loses_exact_sums(model, inputs),
            Property::Exact => integers::is_inexact(model, inputs),
            Property::NoOverflow => integers::overflows(model, inputs),
            Property::Rounds(rounding) => exact::rounds_otherwise(model, *rounding, inputs),
            Property::Faithful => exact::is_unfaithful(model, inputs),
            Property::AccumulatesIn(format) => exact::loses_partial_sums(model, format, inputs),
            Property::Aligns(rounding) => alignment::cuts_otherwise(model, *rounding, inputs),
            Property::CarryBits(models) => differ::differ(&models[0], &models[1], inputs),
            Property::Error(bound) => bound::exceeds(model, bound, inputs),
            Property::RelativeError(bound) => relative::is_beyond(model, bound, inputs),
            Property::NoWorseThan(other, from) => closer::is_worse(model, other, *from, inputs),
            // A witness shows that this property holds: the formula is not its violation.
            Property::BetterThan(other, from) => closer::is_worse(other, model, *from, inputs),
            Property::Recovers(format) => exact::recovers_otherwise(model, format, inputs),
            Property::SubnormalInputs => subnormals::drops_subnormal_inputs(model, inputs),
            Property::SubnormalResults => subnormals::drops_subnormal_results(model, inputs),
            Property::OrderIndependent(orders) => order::depends_on_order(model, orders, inputs),
            Property::RoundsPartialSums(other) => differ::values_differ(model, other, inputs),
            Property::MonotoneInC => monotone::falls_in_c(model, domain, inputs),
            Property::MonotoneInProducts => monotone::falls_in_products(model, domain, inputs),
            Property::SignSymmetric => invariance::is_asymmetric(model, inputs),
            Property::NoNegativeZero => values::gives_negative_zero(model, inputs),
            Property::CanonicalNan => values::gives_other_nan(model, inputs),
            Property::ZeroPadding(shorter) => invariance::padding_matters(model, shorter, inputs),
        }
    }

    /// Unsatisfiable together with the `domain` iff the property is vacuous: the domain contains no
    /// two inputs to compare.
    pub fn compares<B: Instance>(
        &self,
        model: &Model,
        domain: &Domain,
        inputs: &Registers<B>,
    ) -> B::Bool {
        match self {
            Property::OrderIndependent(orders) => B::Bool::constant(!orders.is_empty()),
            Property::MonotoneInC => monotone::has_next_c(model, domain, inputs),
            Property::MonotoneInProducts => monotone::has_next_product(model, domain, inputs),
            _ => B::Bool::constant(true),
        }
    }

    /// Whether the property says that some operands exist, and not that all operands satisfy it.
    /// Operands that are found then prove it, and a proof that there are none refutes it.
    pub fn is_existential(&self) -> bool {
        matches!(self, Property::BetterThan(..))
    }

    /// The model whose result is closer to the true sum for the inputs that are asked for, and the
    /// model that it is compared with; `None` for other properties.
    pub fn closer<'x>(&'x self, model: &'x Model) -> Option<([&'x Model; 2], TrueSum)> {
        match self {
            Property::NoWorseThan(other, from) => Some(([other, model], *from)),
            Property::BetterThan(other, from) => Some(([model, other], *from)),
            _ => None,
        }
    }

    /// The two models that must give the same results, for properties that say only that.
    pub fn compared<'x>(&'x self, model: &'x Model) -> Option<[&'x Model; 2]> {
        match self {
            Property::Equal(other) => Some([model, other]),
            Property::CarryBits(models) => Some([&models[0], &models[1]]),
            _ => None,
        }
    }

    /// Lemmas for its proof; mostly none.
    pub fn lemmas<B: Instance>(&self, model: &Model, inputs: &Registers<B>) -> Vec<Lemma<B>> {
        match self {
            Property::Error(bound) => bound::lemmas(model, bound, inputs),
            _ => Vec::new(),
        }
    }
}
