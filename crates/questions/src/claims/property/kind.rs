//! The properties that can be claimed of a model, with their names and documentation.

use super::bound::{self, Bound};
use super::closer::{self, TrueSum};
use super::domain::Domain;
use super::lemma::Lemma;
use super::order::Permutation;
use super::relative::{self, RelativeBound};
use super::{
    alignment, differ, exact, factors, integers, invariance, monotone, order, products, subnormals,
    values,
};
use mmasmt_core::machines::algorithms::Registers;
use mmasmt_core::machines::model::Instance;
use mmasmt_core::machines::model::Model;
use mmasmt_core::numbers::bits::Prop;
use mmasmt_core::numbers::float::{Format, Rounding};

/// A property of a model.
#[derive(Clone, Debug)]
pub enum Property {
    /// The result equals the result of this other model.
    Equal(Box<Model>),
    /// The products are exact.
    ExactProducts,
    /// The result is the exact sum wherever the format of the result represents that sum.
    ExactSums,
    /// The result is the exact sum of integers.
    Exact,
    /// The format of the result holds the exact sum of integers, and the registers of a description
    /// hold theirs.
    NoOverflow,
    /// Finite operands give no infinity and no NaN.
    FiniteResults,
    /// The result is the exact sum, rounded in this way.
    Rounds(Rounding),
    /// The result is the exact sum or one of the two numbers next to it.
    Faithful,
    /// The result is the same with the products in each of these orders.
    OrderIndependent(Vec<Permutation>),
    /// The result is the number that this other model gives, which rounds every product and every
    /// partial sum.
    RoundsPartialSums(Box<Model>),
    /// The model accumulates as precisely as registers of this format.
    AccumulatesIn(Format),
    /// Aligned terms are rounded in this way.
    Aligns(Rounding),
    /// The first model, which has only some of the carry bits, gives the same result as the second
    /// model, which has all carry bits.
    CarryBits(Box<[Model; 2]>),
    /// The result lies within this bound of the exact sum.
    Error(Bound),
    /// The result lies within this relative bound of the exact sum.
    RelativeError(RelativeBound),
    /// The error of the result, measured from this sum, is at most the error of this other model.
    NoWorseThan(Box<Model>, TrueSum),
    /// There are operands for which the error, measured from this sum, is less than the error of
    /// this other model.
    BetterThan(Box<Model>, TrueSum),
    /// The result is the exact sum, rounded to nearest even in this format.
    Recovers(Format),
    /// Subnormal operands are not flushed.
    SubnormalInputs,
    /// Subnormal results are not flushed.
    SubnormalResults,
    /// The result does not depend on how products are made of factors.
    FactorIndependent,
    /// The result never decreases when `c` increases.
    MonotoneInC,
    /// The result never decreases when a product increases.
    MonotoneInProducts,
    /// Negating `c` and every `a` negates the result.
    SignSymmetric,
    /// The result is never -0.
    NoNegativeZero,
    /// Every NaN result has the code that the model states.
    CanonicalNan,
    /// With +0 for the factors that this shorter model does not take, the result is the result of
    /// the shorter model.
    ZeroPadding(Box<Model>),
}

/// The documentation of a property.
#[derive(Clone, Copy, Debug)]
pub struct PropertyDoc {
    /// The name of the property, with parameters in capitals.
    pub name: &'static str,
    /// The meaning of a proof of the property, in a sentence.
    pub meaning: &'static str,
}

/// The documentation of every property.
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
        meaning: "of integers: the format of the result holds the exact sum, and each integer register of a description the sum that it is given",
    },
    PropertyDoc {
        name: "finite-results",
        meaning: "the result for finite operands is no infinity and no NaN",
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
        meaning: "a finite result for finite operands is within BOUND of the exact sum: 2ulp, last places of the result, that of a zero or a subnormal number being the format's least number; 0x1p-17max, of the power of two of the largest exponent among the terms that are no zeros, subnormal operands having the least exponent; 0x1p-20rel, of the exact sum; 0x1p-20sum, of the sum of the magnitudes of c and all products; 0x1p-20 or 0x1p-20abs, absolute; tosa, half a last place of the result's format for each product and for c, times the sum of the magnitudes (TOSA's bound above the subnormal results)",
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
        meaning: "the result for operands in the domain is the same for every order of the products, be the other order in the domain or not; factors change places within a block and across blocks, and take the scales of the block that they come to: block scales keep their places",
    },
    PropertyDoc {
        name: "factor-independent",
        meaning: "the result for finite operands is the same with each product that the format of a holds written as that number times 1, be that in the domain or not; -0 is 0, any NaN is any other",
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
    /// Unsatisfiable together with the `domain` iff `model` has the property for operands in the
    /// domain.
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
            Property::FiniteResults => values::gives_no_number(model, inputs),
            Property::Rounds(rounding) => exact::rounds_otherwise(model, *rounding, inputs),
            Property::Faithful => exact::is_unfaithful(model, inputs),
            Property::AccumulatesIn(format) => exact::loses_partial_sums(model, format, inputs),
            Property::Aligns(rounding) => alignment::cuts_otherwise(model, *rounding, inputs),
            Property::CarryBits(models) => differ::differ(&models[0], &models[1], inputs),
            Property::Error(bound) => bound::exceeds(model, bound, inputs),
            Property::RelativeError(bound) => relative::is_beyond(model, bound, inputs),
            Property::NoWorseThan(other, from) => closer::is_worse(model, other, *from, inputs),
            // Operands that satisfy the formula show that this property holds; they do not violate
            // it.
            Property::BetterThan(other, from) => closer::is_worse(other, model, *from, inputs),
            Property::Recovers(format) => exact::recovers_otherwise(model, format, inputs),
            Property::SubnormalInputs => subnormals::drops_subnormal_inputs(model, inputs),
            Property::SubnormalResults => subnormals::drops_subnormal_results(model, inputs),
            Property::OrderIndependent(orders) => order::depends_on_order(model, orders, inputs),
            Property::RoundsPartialSums(other) => differ::values_differ(model, other, inputs),
            Property::FactorIndependent => factors::depends_on_factors(model, inputs),
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

    /// Whether the property says that operands of some kind exist, and does not say something about
    /// all operands. If such operands are found, they prove the property; a proof that there are
    /// none refutes it.
    pub fn is_existential(&self) -> bool {
        matches!(self, Property::BetterThan(..))
    }

    /// The two models whose errors are compared, and the sum that errors are measured from. A
    /// search looks for inputs for which the result of the first model is closer to that sum.
    /// `None` if the property does not compare errors.
    pub fn closer<'x>(&'x self, model: &'x Model) -> Option<([&'x Model; 2], TrueSum)> {
        match self {
            Property::NoWorseThan(other, from) => Some(([other, model], *from)),
            Property::BetterThan(other, from) => Some(([model, other], *from)),
            _ => None,
        }
    }

    /// The two models that must give the same results; `None` unless the property says only that.
    pub fn compared<'x>(&'x self, model: &'x Model) -> Option<[&'x Model; 2]> {
        match self {
            Property::Equal(other) => Some([model, other]),
            Property::CarryBits(models) => Some([&models[0], &models[1]]),
            _ => None,
        }
    }

    /// The other model that the property names, which takes the same operands.
    pub(super) fn other(&self) -> Option<&Model> {
        match self {
            Property::Equal(other)
            | Property::NoWorseThan(other, _)
            | Property::BetterThan(other, _) => Some(other),
            _ => None,
        }
    }

    /// Lemmas for a proof of the property; most properties have none.
    pub fn lemmas<B: Instance>(&self, model: &Model, inputs: &Registers<B>) -> Vec<Lemma<B>> {
        match self {
            Property::Error(bound) => bound::lemmas(model, bound, inputs),
            _ => Vec::new(),
        }
    }
}
