//! The parser of properties.

use super::bound::{Bound, BoundUnit};
use super::claim::ClaimError;
use super::domain::Domain;
use super::kind::{PROPERTIES, Property};
use super::{order, products};
use crate::algorithms::Signature;
use crate::float::{Dyadic, Format, Rounding, parse_value};
use crate::model::Model;
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
                unscaled(Property::ExactProducts)
            }
            ("exact-products", None) => Err(unfit("it shows no products on its way")),
            ("exact-sums", None) => unscaled(Property::ExactSums),
            ("rounds", Some(mode)) => unscaled(Property::Rounds(rounding(text, mode)?)),
            ("faithful", None) => unscaled(Property::Faithful),
            ("error", Some(bound)) => unscaled(Property::Error(
                parse_bound(bound).ok_or_else(|| unknown(text))?,
            )),
            ("accumulates-in", Some(format)) => {
                let format = Format::named(format).ok_or_else(|| unknown(text))?;
                unscaled(Property::AccumulatesIn(format))
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
            ("subnormal-inputs", None) => unscaled(Property::SubnormalInputs),
            ("subnormal-results", None) => unscaled(Property::SubnormalResults),
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
            ("monotone-c", None) => Ok(Property::MonotoneInC),
            ("monotone-products", None) => Ok(Property::MonotoneInProducts),
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

/// `2ulp`, `0x1p-17max`, `0x1p-20`.
fn parse_bound(text: &str) -> Option<Bound> {
    let units = [("ulp", BoundUnit::Ulp), ("max", BoundUnit::Max)];
    let suffixed = units
        .iter()
        .find_map(|(suffix, unit)| Some((text.strip_suffix(suffix)?, *unit)));
    let (number, unit) = suffixed.unwrap_or((text, BoundUnit::One));
    let register = parse_value(&Format::F64, number).ok()?;
    let value = Dyadic::of(&Format::F64, register)?;
    Some(Bound {
        mantissa: value.mantissa().to_u64()?,
        exponent: value.exponent(),
        unit,
    })
}

/// IEEE additions of the products in order, products and sums rounded to the format of the result.
fn in_order(signature: &Signature, mode: &str) -> Result<Model, ClaimError> {
    let Signature {
        a, b, d, products, ..
    } = signature;
    let spec = format!("ieee:a={a},b={b},acc={d},K={products},round={mode}");
    Ok(Model::parse(&spec)?)
}
