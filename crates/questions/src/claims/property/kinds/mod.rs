//! The table of properties. Each has a file here with its name, how its text is read, when a model
//! violates it, and what a refutation shows.

mod accumulates_in;
mod aligns;
mod better_than;
mod canonical_nan;
mod carry_bits;
mod equal;
mod error;
mod exact;
mod exact_products;
mod exact_sums;
mod factor_independent;
mod faithful;
mod finite_results;
mod monotone_c;
mod monotone_products;
mod never;
mod no_negative_zero;
mod no_overflow;
mod no_worse_than;
mod order_independent;
mod recovers;
mod rounds;
mod rounds_partial_sums;
mod sign_symmetric;
mod subnormal_inputs;
mod subnormal_results;
mod zero_padding;

pub use better_than::BetterThan;
pub use carry_bits::CarryBits;
pub use equal::EqualResults;
pub use error::ErrorLimit;
pub use no_worse_than::NoWorseThan;
pub use order_independent::OrderIndependent;
#[doc(hidden)]
pub use order_independent::{MOST_ORDERS, arrangements, orders};
pub use rounds::Rounds;
pub use rounds_partial_sums::RoundsPartialSums;
pub(super) use sign_symmetric::opposite;
pub use zero_padding::ZeroPadding;

use super::{ClaimError, Domain, Lemma, Meaning, PropertyDoc, PropertyText, Trial};
use crate::vectors::measure::LinearMap;
use mmasmt_core::machines::model::{Instance, Model};
use mmasmt_numbers::float::Format;
use std::ops::Deref;

/// Makes the table and the type of all properties. A line is the documentation of a property, its
/// variant, and the type of that; a second name of a variant has no type.
macro_rules! properties {
    ($($doc:path => $variant:ident $(($kind:ty))?,)*) => {
        /// The documentation of every property.
        pub const PROPERTIES: &[PropertyDoc] = &[$($doc),*];

        /// A property of a model.
        #[derive(Clone, Debug)]
        #[expect(missing_docs, reason = "the types of the variants have theirs")]
        pub enum Property {
            $($($variant($kind),)?)*
        }

        /// Reads the property of this name.
        fn read(text: &PropertyText) -> Result<Property, ClaimError> {
            $(if $doc.word() == text.name {
                return Meaning::read(text).map(Property::$variant);
            })*
            Err(text.unknown())
        }

        impl Property {
            /// Unsatisfiable together with the domain iff the model has the property for operands
            /// in the domain.
            pub fn is_violated<B: Instance>(&self, by: &Trial<B>) -> B::Bool {
                match self {
                    $($(Property::$variant(kind) => <$kind>::is_violated(kind, by),)?)*
                }
            }

            /// Unsatisfiable together with the domain iff the property is vacuous: the domain
            /// contains no two inputs to compare.
            pub fn compares<B: Instance>(&self, by: &Trial<B>) -> B::Bool {
                match self {
                    $($(Property::$variant(kind) => <$kind>::compares(kind, by),)?)*
                }
            }

            /// Lemmas for a proof of the property; most properties have none.
            pub fn lemmas<B: Instance>(&self, by: &Trial<B>) -> Vec<Lemma<B>> {
                match self {
                    $($(Property::$variant(kind) => <$kind>::lemmas(kind, by),)?)*
                }
            }
        }

        impl Deref for Property {
            type Target = dyn Meaning;

            fn deref(&self) -> &(dyn Meaning + 'static) {
                match self {
                    $($(Property::$variant(kind) => { let kind: &$kind = kind; kind })?)*
                }
            }
        }
    };
}

properties! {
    equal::DOC => Equal(equal::EqualResults),
    exact_products::DOC => ExactProducts(exact_products::ExactProducts),
    exact_sums::DOC => ExactSums(exact_sums::ExactSums),
    exact::DOC => Exact(exact::ExactIntegerSum),
    no_overflow::DOC => NoOverflow(no_overflow::NoOverflow),
    finite_results::DOC => FiniteResults(finite_results::FiniteResults),
    rounds::DOC => Rounds(rounds::Rounds),
    faithful::DOC => Faithful(faithful::FaithfulRounding),
    error::DOC => Error(error::ErrorLimit),
    no_worse_than::DOC => NoWorseThan(no_worse_than::NoWorseThan),
    no_worse_than::OF_F64 => NoWorseThan,
    better_than::DOC => BetterThan(better_than::BetterThan),
    better_than::OF_F64 => BetterThan,
    equal::SAME_AS => Equal,
    recovers::DOC => Recovers(recovers::SumRecovery),
    accumulates_in::DOC => AccumulatesIn(accumulates_in::AccumulationPrecision),
    aligns::DOC => Aligns(aligns::AlignmentRounding),
    rounds_partial_sums::DOC => RoundsPartialSums(rounds_partial_sums::RoundsPartialSums),
    carry_bits::DOC => CarryBits(carry_bits::CarryBits),
    subnormal_inputs::DOC => SubnormalInputs(subnormal_inputs::SubnormalInputs),
    subnormal_results::DOC => SubnormalResults(subnormal_results::SubnormalResults),
    order_independent::DOC => OrderIndependent(order_independent::OrderIndependent),
    factor_independent::DOC => FactorIndependent(factor_independent::FactorIndependent),
    monotone_c::DOC => MonotoneInC(monotone_c::MonotoneInC),
    monotone_products::DOC => MonotoneInProducts(monotone_products::MonotoneInProducts),
    sign_symmetric::DOC => SignSymmetric(sign_symmetric::SignSymmetric),
    no_negative_zero::DOC => NoNegativeZero(no_negative_zero::NoNegativeZero),
    canonical_nan::DOC => CanonicalNan(canonical_nan::CanonicalNan),
    zero_padding::DOC => ZeroPadding(zero_padding::ZeroPadding),
    never::DOC => Never(never::NoFlags),
}

impl Property {
    pub(super) fn read(text: &str, model: &Model, domain: &Domain) -> Result<Property, ClaimError> {
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        let known: Vec<_> = PROPERTIES
            .iter()
            .map(|doc| [doc.name, doc.meaning])
            .collect();
        let text = PropertyText {
            text,
            name,
            value: value.unwrap_or_default(),
            model,
            domain,
            known: &known,
        };
        let Some(doc) = PROPERTIES.iter().find(|doc| doc.word() == name) else {
            return Err(text.unknown());
        };
        let gives_flags = model.signature().d == Format::FLAGS;
        if gives_flags && !OF_FLAGS.contains(&doc.word()) {
            return Err(text.unfit(NO_NUMBERS));
        }
        if !gives_flags && doc.word() == "never" {
            return Err(text.unfit("it is of exception flags, `flags(MODEL)`"));
        }
        if !gives_flags && sums_no_products(model) && !OF_CONVERSIONS.contains(&doc.word()) {
            return Err(text.unfit(NO_PRODUCTS));
        }
        if !gives_flags && model.signature().is_integer() && !doc.is_of_integers {
            return Err(text.unfit(OF_INTEGERS));
        }
        if doc.is_of_sums && LinearMap::of_scaled(model.algorithm()).is_some() {
            return Err(text.unfit(OF_SCALED));
        }
        match doc.has_value() == value.is_some() {
            true => read(&text),
            false => Err(text.unknown()),
        }
    }
}

/// Whether it is a conversion, or another unit that multiplies nothing.
fn sums_no_products(model: &Model) -> bool {
    model.signature().is_conversion() || !model.multiplies()
}

/// The properties of exception flags.
const OF_FLAGS: [&str; 3] = ["equal", "same-as", "never"];
/// The reason why other properties are not defined for flags.
const NO_NUMBERS: &str = "of exception flags there are equal, same-as and never";
/// The reason why properties of exact sums are not defined for what scales them.
const OF_SCALED: &str = "its results are alpha * sum + beta * c, and no sums of c and all products: `mmasmt worst` proves a bound of their errors";
/// The properties of a unit that multiplies nothing, such as a conversion.
const OF_CONVERSIONS: [&str; 6] = [
    "equal",
    "same-as",
    "finite-results",
    "sign-symmetric",
    "no-negative-zero",
    "canonical-nan",
];
/// The reason why other properties are not defined for these.
const NO_PRODUCTS: &str = "of a unit that sums no products there are equal, same-as, finite-results, sign-symmetric, no-negative-zero, canonical-nan";

/// The reason why other properties are not defined for integers.
const OF_INTEGERS: &str = "of integers there are equal, same-as, exact, no-overflow, exact-sums, order-independent, zero-padding";
