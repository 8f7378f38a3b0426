//! Aligned sums of products that `f32` holds exactly, for tapes that are split. Each side computes
//! its factors as numbers of `f32`, with sign and exponent. For each element, a product then needs
//! only two multiplications and a conversion to an integer.

use super::element::Type;
use super::instruction::{Code, Instruction, Value};
use super::lower::Lowering;
use super::sums::Signed;
use super::where_zero::Zeros;
use crate::numbers::bits::ranged::{Literal, Node, NodeId};

/// The fewest products of a sum in `f32`: sums of fewer products are computed in integers.
const LEAST_PRODUCTS: usize = 4;

/// The greatest difference between exponents of products. Up to this difference, no number comes
/// near the limits of `f32`.
const MOST_SPREAD: i128 = 64;

const BIAS: i128 = 127;

/// A factor `±x * 2^e`, which depends on one input alone.
#[derive(Clone, Copy)]
struct Factor {
    sign: NodeId,
    of: NodeId,
    exponent: NodeId,
}

/// A product in a sum, and how it is aligned.
struct RealProduct {
    factors: [Factor; 2],
    scale: Scale,
}

/// The alignment of products.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Scale {
    /// Aligned products are scaled by `2^(power - top)`, where `top` is the exponent that all
    /// products are aligned to.
    power: i128,
    /// Limits of `top`: no nonzero product has an exponent below the first limit, and if `top` is
    /// above the second limit, alignment leaves no bit of any product.
    limits: [i128; 2],
}

impl Lowering<'_> {
    /// The sum in `f32` of the products that are aligned in the same way as the first suitable
    /// product, and the terms that are not in this sum. The inner `None` says that there is no such
    /// sum, because there are too few products or they do not suit `f32`.
    pub(super) fn real_sum(
        &mut self,
        top: Option<NodeId>,
        terms: Vec<Signed>,
        to: Type,
    ) -> Option<(Option<Value>, Vec<Signed>)> {
        let Some(top) = top.filter(|top| to == Type::U32 && !self.is_signed(*top)) else {
            return Some((None, terms));
        };
        let products: Vec<_> = terms.iter().map(|term| self.real_product(term)).collect();
        let Some(scale) = products.iter().flatten().map(|one| one.scale).next() else {
            return Some((None, terms));
        };
        let is_same =
            |one: &Option<RealProduct>| one.as_ref().is_some_and(|one| one.scale == scale);
        if products.iter().filter(|one| is_same(one)).count() < LEAST_PRODUCTS {
            return Some((None, terms));
        }
        let mut args = vec![self.power(top, scale)?];
        let mut rest = Vec::new();
        for (term, product) in terms.into_iter().zip(products) {
            match product.filter(|one| one.scale == scale) {
                Some(product) => {
                    for factor in product.factors {
                        args.push(self.real(factor)?);
                    }
                }
                None => rest.push(term),
            }
        }
        let sum = self.push(Instruction::new(Code::SumOfReals, to, &args));
        Some((Some(sum), rest))
    }

    fn power(&mut self, top: NodeId, scale: Scale) -> Option<Value> {
        let value = self.node(top)?;
        let [least, most] = scale.limits.map(|limit| limit as u128);
        let power = Instruction::new(Code::Power, Type::U32, &[value]);
        let power = power.from(self.type_at(value));
        let k = (scale.power + BIAS) as u128;
        Some(self.push(power.constants(k, least | most << 64)))
    }

    fn real(&mut self, factor: Factor) -> Option<Value> {
        let args = [
            self.truth(factor.sign)?,
            self.node(factor.of)?,
            self.node(factor.exponent)?,
        ];
        let [_, from, by] = args.map(|value| self.type_at(value));
        let k = BIAS - self.graph.range(factor.exponent).lo;
        let real = Instruction::new(Code::Real, Type::U32, &args);
        Some(self.push(real.from(from).by(by).constant(k as u128)))
    }

    /// If the term is a product of two factors that depend on one input each, and `f32` holds all
    /// numbers exactly: that product. Otherwise `None`.
    fn real_product(&self, term: &Signed) -> Option<RealProduct> {
        let origins = self.origins.as_ref()?;
        let (x, y, shift) = self.factors(term.of)?;
        let Node::Xor(s, t) = *self.graph.node(term.condition) else {
            return None;
        };
        let (sum, holds) = self.chosen(term.exponent?);
        let Node::Sum(ref exponents, offset) = *self.graph.node(sum) else {
            return None;
        };
        let [(e, 1), (f, 1)] = **exponents else {
            return None;
        };
        let [first, second] = [origins.input(x)?, origins.input(y)?];
        let sorted = |pair: [NodeId; 2]| match [origins.input(pair[0])?, origins.input(pair[1])?] {
            [one, other] if (one, other) == (first, second) => Some(pair),
            [one, other] if (one, other) == (second, first) => Some([pair[1], pair[0]]),
            _ => None,
        };
        let ([s, t], [e, f]) = (sorted([s, t])?, sorted([e, f])?);
        // Where a constant replaces the exponent, the product has to be zero.
        if first == second || holds.is_some_and(|holds| !self.is_zero_unless(holds, [x, y])) {
            return None;
        }
        let bits = |id: NodeId| self.graph.range(id).bits();
        let ranges = [e, f].map(|id| self.graph.range(id));
        let least = ranges[0].lo + ranges[1].lo;
        let most = ranges[0].hi + ranges[1].hi;
        let is_exact = bits(x) + bits(y) <= f32::MANTISSA_DIGITS && bits(term.of) < u32::BITS;
        let is_narrow = |id| self.type_of(id) <= Type::U16 && !self.is_signed(id);
        if !is_exact || most - least > MOST_SPREAD || ![e, f].into_iter().all(is_narrow) {
            return None;
        }
        let factor = |sign, of, exponent| Factor { sign, of, exponent };
        Some(RealProduct {
            factors: [factor(s, x, e), factor(t, y, f)],
            scale: Scale {
                power: i128::from(shift) + least + offset,
                limits: [least, most + i128::from(bits(term.of))].map(|end| (end + offset).max(0)),
            },
        })
    }

    /// If the exponent is a choice between a node and a constant: the node, and the literal that
    /// holds where the node is chosen. Otherwise the exponent itself.
    fn chosen(&self, exponent: NodeId) -> (NodeId, Option<Literal>) {
        let Node::Ite(node, then, otherwise) = *self.graph.node(exponent) else {
            return (exponent, None);
        };
        let literal = |negated| Some(Literal { node, negated });
        match [then, otherwise].map(|id| self.constant_of(id)) {
            [None, Some(_)] => (then, literal(false)),
            [Some(_), None] => (otherwise, literal(true)),
            _ => (exponent, None),
        }
    }

    /// Whether one of the factors is zero wherever the literal does not hold.
    fn is_zero_unless(&self, literal: Literal, factors: [NodeId; 2]) -> bool {
        match (self.graph.node(literal.node), literal.negated) {
            (Node::And(one, other), false) => {
                let mut parts = [one, other].into_iter();
                parts.all(|part| self.is_zero_unless(*part, factors))
            }
            (_, true) => {
                let zeros = Zeros::implied(self.graph, literal.node);
                let is_zero = |factor| zeros.is_some_and(|zeros| zeros.value(factor) == Some(0));
                factors.into_iter().any(is_zero)
            }
            _ => false,
        }
    }
}
