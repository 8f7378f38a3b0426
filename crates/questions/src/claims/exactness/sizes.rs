//! Bounds of the terms that a domain admits, and of T, the sum of the magnitudes of all terms.

use super::operand::OperandValues;
use super::operands::DomainOperands;
use super::set::Multiples;
use super::sum::{OverflowValue, Sum, SumLeaf};
use super::units::{Product, Units};
use crate::claims::property::Domain;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::{Dyadic, Exponents, Format};

/// Sizes of finite operands. T is the sum of the magnitudes of `c` and of all products.
pub struct OperandSizes {
    /// The exponents of the nonzero factors `a`, and those of the nonzero factors `b`. If all
    /// factors of a side are zero, these are the exponents of all normal numbers of its format.
    pub factors: [Exponents; 2],
    /// A lower bound of T, the sum of magnitudes, where T is not zero; `None` if T is always zero.
    pub least: Option<Dyadic>,
    /// A number that T, the sum of magnitudes, stays below.
    pub below: Dyadic,
    /// The greatest magnitude of `c`.
    pub greatest_c: Dyadic,
    /// The greatest magnitude of each product.
    pub greatest: Vec<Dyadic>,
    /// Whether T, the sum of magnitudes, may be zero.
    pub may_be_zero: bool,
    /// The least exponent of a nonzero term. The exponent of a subnormal number is the least
    /// exponent of its format, and the exponent of a product is the sum of the exponents of its
    /// factors and of the scales.
    pub least_exponent: Option<i64>,
    /// A product is below this many times the power of two of its exponent.
    pub product_limit: u32,
    /// The exponent of a power of two that every product of the two scales of a block is below; `None` without scales.
    pub scales_below: Option<i64>,
    /// Whether no term is negative: the sum of magnitudes is then the exact sum.
    pub is_positive: bool,
}

/// A term that may be nonzero.
struct Term {
    values: Multiples,
    exponent: i64,
    may_be_zero: bool,
}

impl OperandSizes {
    /// The sizes of the operands that the domain admits. `None` for integers, and if the domain admits
    /// no finite value for some operand.
    pub fn of(signature: &Signature, domain: &Domain) -> Option<OperandSizes> {
        if signature.is_integer() {
            return None;
        }
        let operands = DomainOperands::of(signature, domain)?;
        let Signature { a, b, c, .. } = signature;
        let (products, addend) = (&operands.products, operands.c());
        let mut terms: Vec<Term> = products
            .iter()
            .filter_map(|product| {
                let scales = product.scales.iter().flatten();
                let scales = scales.map(|(scale, format)| exponent(scale, format));
                Some(Term {
                    values: product.exact().values,
                    exponent: exponent(&product.a, a)?
                        + exponent(&product.b, b)?
                        + scales.sum::<Option<i64>>()?,
                    may_be_zero: product.may_be_zero(),
                })
            })
            .collect();
        terms.extend(exponent(addend, c).map(|exponent| Term {
            values: addend.values.clone(),
            exponent,
            may_be_zero: addend.zero,
        }));
        let none = || Dyadic::new(0.into(), 0);
        let power = |exponent: i64| Dyadic::new(1.into(), exponent);
        let sum = |exponents: &mut dyn Iterator<Item = i64>| {
            exponents.fold(none(), |sum, exponent| sum.plus(&power(exponent)))
        };
        let least = |term: &Term| term.values.least();
        let may_be_zero = terms.iter().all(|term| term.may_be_zero);
        let side =
            |of: fn(&Product) -> &OperandValues, format| exponents(products.iter().map(of), format);
        Some(OperandSizes {
            factors: [side(|product| &product.a, a), side(|product| &product.b, b)],
            least: if may_be_zero {
                terms.iter().filter_map(least).min().map(power)
            } else {
                let always = terms.iter().filter(|term| !term.may_be_zero);
                Some(sum(&mut always.filter_map(least)))
            },
            below: sum(&mut terms.iter().filter_map(|term| term.values.top())),
            greatest_c: addend.values.greatest(),
            greatest: products
                .iter()
                .map(|product| product.exact().values.greatest())
                .collect(),
            may_be_zero,
            product_limit: match signature.scales {
                Some(scales) if scales.format.fraction_bits > 0 => 16,
                _ => 4,
            },
            scales_below: products.iter().filter_map(scales_below).max(),
            least_exponent: terms.iter().map(|term| term.exponent).min(),
            is_positive: !addend.minus && !products.iter().any(Product::may_be_negative),
        })
    }
}

/// The exponent of a power of two that the product of both scales is below; `None` without scales, or if it is zero.
fn scales_below(product: &Product) -> Option<i64> {
    let [a, b] = product.scales.as_ref()?;
    Some(a.0.values.top()? + b.0.values.top()?)
}

/// The least exponent of a nonzero operand; `None` if the operand is always zero.
fn exponent(operand: &OperandValues, format: &Format) -> Option<i64> {
    let least = operand.values.least()?;
    Some(least.max(format.min_exponent().into()))
}

fn exponents<'x>(operands: impl Iterator<Item = &'x OperandValues>, format: &Format) -> Exponents {
    let all = operands.filter_map(|operand| {
        Some(Exponents {
            lowest: operand.values.least()? as i32,
            highest: operand.values.top()? as i32 - 1,
        })
    });
    let all = all.reduce(|x, y| Exponents {
        lowest: x.lowest.min(y.lowest),
        highest: x.highest.max(y.highest),
    });
    all.unwrap_or(Exponents::normal(format))
}

/// Whether the model is known to return a zero if all operands are zeros of either sign.
pub fn gives_zero_of_zeros(model: &Model) -> bool {
    let signature = model.signature();
    let zero = |format: &Format| OperandValues {
        minus: format.has_negative_zero(),
        ..OperandValues::plus_zero()
    };
    let products = (0..signature.products as usize).map(|index| Product {
        index,
        a: zero(&signature.a),
        b: zero(&signature.b),
        scales: None,
    });
    let c = Sum::leaf(
        SumLeaf::Addend,
        Multiples::zero(),
        true,
        signature.c.has_negative_zero(),
    );
    let products: Vec<_> = products.collect();
    let steps = model.algorithm().steps();
    let sum = steps.and_then(|steps| Units::default().run(&steps, &products, c));
    sum.is_some_and(|sum| sum.values.is_zero() && sum.overflow == OverflowValue::Nothing)
}
