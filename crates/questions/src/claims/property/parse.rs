//! The parser of properties.

use super::bound::{Bound, BoundUnit};
use super::claim::ClaimError;
use super::closer::TrueSum;
use super::domain::Domain;
use super::kind::{PROPERTIES, Property};
use super::relative::{RelativeBound, RelativeTo};
use super::{order, products};
use mmasmt_core::base::near::did_you_mean;
use mmasmt_core::machines::algorithms::{Description, Signature};
use mmasmt_core::machines::model::Model;
use mmasmt_core::numbers::float::{Dyadic, Format, Rounding, parse_value};
use num_traits::ToPrimitive;

impl Property {
    pub(super) fn parse(
        text: &str,
        model: &Model,
        domain: &Domain,
    ) -> Result<Property, ClaimError> {
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
        let sums_products = || match model.algorithm().operation() {
            Some((operation, _)) => operation.description().is_some_and(Description::multiplies),
            None => false,
        };
        match (name, value) {
            ("exact" | "no-overflow" | "exact-sums", None) if signature.is_integer() => {
                let Signature { b, c, d, .. } = signature;
                let has_floats = [b, c, d].iter().any(|format| !format.is_integer());
                match (name, sums_products()) {
                    _ if has_floats => Err(unfit("integers and floating-point numbers meet in it")),
                    (_, false) => Err(unfit("its terms are no products")),
                    ("exact", _) => Ok(Property::Exact),
                    ("no-overflow", _) => Ok(Property::NoOverflow),
                    _ => Ok(Property::ExactSums),
                }
            }
            ("exact", None) => Err(unfit("its operands are no integers")),
            ("no-overflow", None) => Err(unfit(
                "its operands are no integers; `finite-results` says of numbers that nothing overflows",
            )),
            (known, _) if signature.is_integer() && !is_of_integers(known) => match is_known(known)
            {
                true => Err(unfit(
                    "of integers there are equal, same-as, exact, no-overflow, exact-sums, order-independent, zero-padding",
                )),
                false => Err(unknown(text)),
            },
            ("equal" | "same-as", Some(other)) => {
                let other = other_model(model, other)?;
                if other.signature() != signature {
                    return Err(unfit("the two models do not take the same inputs"));
                }
                Ok(Property::Equal(Box::new(other)))
            }
            ("exact-products", None) if products::shows_products(model) => {
                Ok(Property::ExactProducts)
            }
            ("exact-products", None) => Err(unfit("it shows no products on its way")),
            ("exact-sums", None) => Ok(Property::ExactSums),
            ("rounds", Some(mode)) => Ok(Property::Rounds(rounding(text, mode)?)),
            ("faithful", None) => Ok(Property::Faithful),
            ("error", Some("tosa")) => tosa_bound(model).ok_or_else(|| unknown(text)),
            ("finite-results", None) => Ok(Property::FiniteResults),
            ("error", Some(bound)) => parse_bound(bound).ok_or_else(|| unknown(text)),
            ("no-worse-than" | "no-worse-than-f64", Some(other)) => {
                let other = Box::new(compared_model(model, other, &unfit)?);
                Ok(Property::NoWorseThan(other, true_sum(name)))
            }
            ("better-than" | "better-than-f64", Some(other)) => {
                let other = Box::new(compared_model(model, other, &unfit)?);
                Ok(Property::BetterThan(other, true_sum(name)))
            }
            ("recovers", Some(format)) => {
                let format = Format::known_as(format).filter(Format::has_infinity);
                let format = format.ok_or_else(|| unknown(text))?;
                if !signature.d.has_all_of(&format) {
                    return Err(unfit("its result has not all numbers of that format"));
                }
                Ok(Property::Recovers(format))
            }
            ("accumulates-in", Some(format)) => {
                let format = Format::known_as(format)
                    .filter(Format::has_zero)
                    .ok_or_else(|| unknown(text))?;
                Ok(Property::AccumulatesIn(format))
            }
            ("aligns", Some(mode)) if products::aligns_products(model) => {
                Ok(Property::Aligns(rounding(text, mode)?))
            }
            ("aligns", Some(_)) => Err(unfit("it shows no alignment of products on its way")),
            ("rounds-partial-sums", Some(mode)) => {
                rounding(text, mode)?;
                let other = in_order(&signature, mode)?;
                if other.signature() != signature {
                    return Err(unfit("c has not the format of its result"));
                }
                Ok(Property::RoundsPartialSums(Box::new(other)))
            }
            ("carry-bits", Some(bits)) => {
                let models = [
                    model.with(&format!("carry={bits}"))?,
                    model.with("carry=full")?,
                ];
                Ok(Property::CarryBits(Box::new(models)))
            }
            ("subnormal-inputs", None) => Ok(Property::SubnormalInputs),
            ("subnormal-results", None) => Ok(Property::SubnormalResults),
            ("order-independent", None) => {
                let orders = order::orders(domain, signature.products as usize);
                let orders = orders.ok_or_else(|| ClaimError::TooManyOrders {
                    property: text.into(),
                    model: model.to_string(),
                    domain: domain.to_string(),
                    most: order::MOST_ORDERS,
                })?;
                Ok(Property::OrderIndependent(orders))
            }
            ("monotone-c" | "monotone-products", None) if domain.has_gaps() => Err(unfit(
                "the next number is not modelled where some are left out (`in FORMAT`, `from LOW..HIGH`, `zero-or-normal`)",
            )),
            ("monotone-c", None) => Ok(Property::MonotoneInC),
            ("monotone-products", None) => Ok(Property::MonotoneInProducts),
            ("sign-symmetric" | "factor-independent", None) if signature.a.is_complement() => {
                Err(unfit("the least of its factors has no negative number"))
            }
            ("factor-independent", None) => Ok(Property::FactorIndependent),
            ("sign-symmetric", None) if signature.a.is_signed() => Ok(Property::SignSymmetric),
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
}

fn unknown(text: &str) -> ClaimError {
    ClaimError::Unknown {
        found: text.into(),
        near: did_you_mean(text, PROPERTIES.iter().map(|doc| doc.name)),
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

/// Whether the property of this name applies to integers as well as to floating-point numbers.
fn is_of_integers(name: &str) -> bool {
    matches!(
        name,
        "equal" | "same-as" | "order-independent" | "zero-padding"
    )
}

/// Whether there is a property of this name.
fn is_known(name: &str) -> bool {
    let names = PROPERTIES.iter().map(|doc| doc.name);
    let mut names = names.map(|doc| doc.split('=').next().unwrap_or(doc));
    names.any(|known| known == name)
}

/// The model that `text` names. `text` is a specification, or a colon and the keys to change in
/// `model`.
fn other_model(model: &Model, text: &str) -> Result<Model, ClaimError> {
    Ok(match text.strip_prefix(':') {
        Some(changes) => model.with(changes)?,
        None => Model::parse(text)?,
    })
}

/// The model whose error is compared with that of `model`; it must take the same operands.
fn compared_model(
    model: &Model,
    text: &str,
    unfit: &impl Fn(&'static str) -> ClaimError,
) -> Result<Model, ClaimError> {
    let other = other_model(model, text)?;
    let operands = |model: &Model| Signature {
        d: Format::F32,
        ..model.signature()
    };
    if operands(&other) == operands(model) {
        Ok(other)
    } else {
        Err(unfit("the two models do not take the same inputs"))
    }
}

fn true_sum(name: &str) -> TrueSum {
    match name.ends_with("-f64") {
        true => TrueSum::F64,
        false => TrueSum::Exact,
    }
}

/// The bound of TOSA's test of dot products, relative to the sum of magnitudes: half a last place of the result's format for
/// each product, and for `c`.
fn tosa_bound(model: &Model) -> Option<Property> {
    let signature = model.signature();
    let terms = u64::from(signature.products) + u64::from(model.reads_c());
    (!signature.is_integer()).then_some(Property::RelativeError(RelativeBound {
        mantissa: terms,
        exponent: -1 - i64::from(signature.d.fraction_bits),
        of: RelativeTo::Magnitudes,
    }))
}

/// The property that errors stay within a bound such as `2ulp`, `0x1p-17max`, `0x1p-20rel`,
/// `0x1p-20sum`, `0x1p-20abs` or `0x1p-20`; `None` if `text` is no bound.
fn parse_bound(text: &str) -> Option<Property> {
    let suffixes = ["ulp", "max", "rel", "sum", "abs"];
    let suffixed = suffixes
        .iter()
        .find_map(|suffix| Some((text.strip_suffix(suffix)?, *suffix)));
    let (number, suffix) = suffixed.unwrap_or((text, ""));
    // A bound is exact: a `~`, which would take the nearest number in its place, is refused.
    let number = Some(number).filter(|number| !number.contains('~'))?;
    let register = parse_value(&Format::F64, number).ok()?;
    let value = Dyadic::of(&Format::F64, register)?;
    let (mantissa, exponent) = (value.mantissa().to_u64()?, value.exponent());
    let of = |unit| {
        Property::Error(Bound {
            mantissa,
            exponent,
            unit,
        })
    };
    let relative = |of| {
        Property::RelativeError(RelativeBound {
            mantissa,
            exponent,
            of,
        })
    };
    Some(match suffix {
        "ulp" => of(BoundUnit::Ulp),
        "max" => of(BoundUnit::Max),
        "rel" => relative(RelativeTo::Sum),
        "sum" => relative(RelativeTo::Magnitudes),
        _ => of(BoundUnit::One),
    })
}

/// The model that adds `c` and the products in order, as IEEE 754 does, and rounds products and
/// sums to the format of the result.
fn in_order(signature: &Signature, mode: &str) -> Result<Model, ClaimError> {
    let Signature {
        a, b, d, products, ..
    } = signature;
    let spec = format!("ieee:a={a},b={b},acc={d},K={products},round={mode}");
    Ok(Model::parse(&spec)?)
}
