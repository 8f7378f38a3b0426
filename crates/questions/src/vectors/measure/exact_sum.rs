//! The exact sum of the terms of a dot-add, which is the reference for every error.

use super::accumulator::Accumulator;
use super::linear_map::LinearMap;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::{Dyadic, Format};

/// The exact sum of the terms `c`, `a[0]*b[0]`, …, and the sum of their magnitudes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExactSum {
    /// The sum of the terms.
    pub value: Dyadic,
    /// The sum of the magnitudes of the terms.
    pub magnitudes: Dyadic,
}

impl ExactSum {
    /// What [`Summer::of`] the model gives; `None` also if `inputs` do not [fit](Inputs::fit) its signature.
    pub fn of(model: &Model, inputs: &Inputs) -> Option<ExactSum> {
        inputs
            .fit(&model.signature())
            .then(|| Summer::of(model).sum(inputs))?
    }

    /// What an epilogue makes of this sum, which does not have `c` as a term, and of `c`.
    #[must_use]
    pub fn mapped(&self, map: &LinearMap, c: &Dyadic) -> ExactSum {
        let [value, magnitudes] = map.result([&self.value, &self.magnitudes], c);
        ExactSum { value, magnitudes }
    }
}

/// Computes the exact sums of many inputs of one signature.
#[derive(Clone, Debug)]
pub struct Summer {
    signature: Signature,
    positive: Accumulator,
    negative: Accumulator,
    map: Option<LinearMap>,
    /// Whether results are measured from such sums.
    is_reference: bool,
}

impl Summer {
    /// A summer for operands of this signature.
    pub fn new(signature: &Signature) -> Self {
        let scale =
            |end: fn(&Format) -> i64| signature.scales.map_or(0, |scales| 2 * end(&scales.format));
        let of_terms = |end: fn(&Format) -> i64| {
            let product = end(&signature.a) + end(&signature.b) + scale(end);
            [product, end(&signature.c)]
        };
        let [product, c] = of_terms(|format| i64::from(format.least_exponent()));
        let lowest = product.min(c);
        let [product, c] = of_terms(|format| i64::from(format.max_exponent()) + 1);
        let count = u64::from(signature.products) + 1;
        let highest = product.max(c) + i64::from(u64::BITS - count.leading_zeros());
        let empty = Accumulator::new(lowest, highest);
        Summer {
            signature: *signature,
            positive: empty.clone(),
            negative: empty,
            map: None,
            is_reference: true,
        }
    }

    /// A summer for operands of this model. If the model is an epilogue, its exact results take the
    /// place of the sums: `alpha * sum + beta * c`. If it multiplies nothing and is no conversion, it has none.
    pub fn of(model: &Model) -> Self {
        let signature = model.signature();
        let summer = Summer::new(&signature).with_map(LinearMap::of(model.algorithm()));
        Summer {
            is_reference: model.multiplies() || signature.is_conversion(),
            ..summer
        }
    }

    /// The same summer, whose sums do not have `c` as a term if there is a map, and are then what
    /// the map makes of them and of `c`.
    #[must_use]
    pub fn with_map(self, map: Option<LinearMap>) -> Self {
        Summer { map, ..self }
    }

    /// The exact sum of the terms of `inputs`, which must [fit](Inputs::fit) the signature; `None`
    /// if an operand is not finite, or if results are not measured from such sums.
    pub fn sum(&mut self, inputs: &Inputs) -> Option<ExactSum> {
        if !self.is_reference {
            return None;
        }
        if self.signature.is_conversion() {
            return one_number(&self.signature, inputs);
        }
        let Signature {
            a, b, c, scales, ..
        } = self.signature;
        self.positive.clear();
        self.negative.clear();
        let mut add = |negative: bool, mantissa: u128, exponent: i64| {
            if negative {
                self.negative.add(mantissa, exponent)
            } else {
                self.positive.add(mantissa, exponent)
            }
        };
        let addend = c.number(inputs.c)?;
        if self.map.is_none() {
            add(addend.negative, addend.mantissa.into(), addend.exponent);
        }
        for (k, (x, y)) in inputs.a.iter().zip(&inputs.b).enumerate() {
            let (x, y) = (a.number(*x)?, b.number(*y)?);
            let mut mantissa = u128::from(x.mantissa) * u128::from(y.mantissa);
            let mut exponent = x.exponent + y.exponent;
            if let Some(scales) = scales {
                let block = k / scales.block as usize;
                for row in [&inputs.a_scales, &inputs.b_scales] {
                    let scale = scales.format.number(*row.get(block)?)?;
                    mantissa *= u128::from(scale.mantissa);
                    exponent += scale.exponent;
                }
            }
            add(x.negative != y.negative, mantissa, exponent);
        }
        let (positive, negative) = (self.positive.value(), self.negative.value());
        let sum = ExactSum {
            value: positive.minus(&negative),
            magnitudes: positive.plus(&negative),
        };
        Some(match &self.map {
            None => sum,
            Some(map) => sum.mapped(map, &Dyadic::of(&c, inputs.c)?),
        })
    }
}

/// The number that a conversion of one number rounds; `None` for a block, which has no sum.
fn one_number(signature: &Signature, inputs: &Inputs) -> Option<ExactSum> {
    let [number] = inputs.a[..] else {
        return None;
    };
    let value = Dyadic::of(&signature.a, number)?;
    let magnitudes = match value.is_negative() {
        true => value.negated(),
        false => value.clone(),
    };
    Some(ExactSum { value, magnitudes })
}
