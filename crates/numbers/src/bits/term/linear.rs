//! Sums as linear combinations: flattened, with like terms merged and sorted, so that any order of
//! addition gives the same node.

use super::graph::{Graph, Node, NodeId};
use super::range::Interval;
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use std::collections::BTreeMap;

impl Graph {
    /// `constant + sum of coefficient * node`: exact, never wrapped.
    pub(super) fn sum(
        &mut self,
        parts: impl IntoIterator<Item = (NodeId, BigInt)>,
        constant: BigInt,
    ) -> NodeId {
        let mut merged = LinearSum {
            terms: BTreeMap::new(),
            constant,
        };
        for (node, coefficient) in parts {
            merged.add(self, node, &coefficient);
        }
        merged.terms.retain(|_, coefficient| !coefficient.is_zero());
        let LinearSum { terms, constant } = merged;
        if constant.is_zero()
            && terms.len() == 1
            && let Some((&node, coefficient)) = terms.first_key_value()
            && coefficient.is_one()
        {
            return node;
        }
        if constant.is_zero() && terms.len() > 1 && terms.values().all(Signed::is_negative) {
            // If all coefficients are negative, the opposite sum is negated, so that a sum and its
            // negation share a node.
            let negated = terms
                .into_iter()
                .map(|(node, coefficient)| (node, -coefficient));
            let opposite = self.sum(negated.collect::<Vec<_>>(), BigInt::zero());
            return self.scale(opposite, BigInt::from(-1));
        }
        let terms: Box<[_]> = terms.into_iter().collect();
        let range = self.sum_range(&terms, &constant);
        self.intern(Node::Sum { terms, constant }, range)
    }

    pub(super) fn add_constant(&mut self, node: NodeId, constant: BigInt) -> NodeId {
        self.sum([(node, BigInt::one())], constant)
    }

    pub(super) fn scale(&mut self, node: NodeId, factor: BigInt) -> NodeId {
        self.sum([(node, factor)], BigInt::zero())
    }

    /// The exponent of the greatest power of two that is known to divide the node, which is not
    /// zero.
    pub(super) fn trailing_zeros(&self, node: NodeId) -> u32 {
        let of = |value: &BigInt| value.trailing_zeros().unwrap_or(u64::MAX);
        let count = match self.node(node) {
            Node::Const(value) => of(value),
            Node::Sum { terms, constant } => {
                let coefficients = terms.iter().map(|(_, coefficient)| of(coefficient));
                coefficients.fold(of(constant), u64::min)
            }
            _ => 0,
        };
        count.min(u64::from(u32::MAX)) as u32
    }

    /// The node as `coefficient * atom + constant`, returned as atom, coefficient and constant. If
    /// the node is not a sum with one term, the atom is the node itself.
    pub(super) fn affine(&self, node: NodeId) -> (NodeId, BigInt, BigInt) {
        if let Node::Sum { terms, constant } = self.node(node)
            && let [(atom, coefficient)] = &terms[..]
        {
            return (*atom, coefficient.clone(), constant.clone());
        }
        (node, BigInt::one(), BigInt::zero())
    }

    /// The range of a sum by interval arithmetic, with one refinement: a maximum minus one of its
    /// operands, as in the shift distance of an alignment, is not negative.
    fn sum_range(&self, terms: &[(NodeId, BigInt)], constant: &BigInt) -> Interval {
        let mut total = Interval::point(constant.clone());
        let mut used = vec![false; terms.len()];
        for (i, (node, coefficient)) in terms.iter().enumerate() {
            let Node::Max(operands) = self.node(*node) else {
                continue;
            };
            if !coefficient.is_one() {
                continue;
            }
            let partner = terms.iter().enumerate().find_map(|(j, (other, factor))| {
                let is_candidate = !used[j] && *factor == BigInt::from(-1);
                let margin = is_candidate
                    .then(|| self.margin(operands, *other))
                    .flatten()?;
                Some((j, margin, *other))
            });
            if let Some((j, margin, other)) = partner {
                let hi = &self.range(*node).hi - &self.range(other).lo;
                let lo = margin.max(&self.range(*node).lo - &self.range(other).hi);
                total = total.add(&Interval::new(lo, hi));
                used[i] = true;
                used[j] = true;
            }
        }
        for (i, (node, coefficient)) in terms.iter().enumerate() {
            if !used[i] {
                total = total.add(&self.range(*node).scale(coefficient));
            }
        }
        total
    }

    /// If one operand is `node` plus a constant, that constant: a lower bound of the maximum of
    /// `operands` minus `node`.
    fn margin(&self, operands: &[NodeId], node: NodeId) -> Option<BigInt> {
        operands.iter().find_map(|&operand| {
            if operand == node {
                return Some(BigInt::zero());
            }
            let (atom, coefficient, offset) = self.affine(operand);
            (atom == node && coefficient.is_one()).then_some(offset)
        })
    }
}

struct LinearSum {
    terms: BTreeMap<NodeId, BigInt>,
    constant: BigInt,
}

impl LinearSum {
    /// Adds `coefficient * node`. Sums are flattened, except scaled sums of several terms, so that
    /// a sum `s` and `-s` share their adders.
    fn add(&mut self, graph: &Graph, node: NodeId, coefficient: &BigInt) {
        match graph.node(node) {
            Node::Const(value) => self.constant += value * coefficient,
            Node::Sum { terms, constant } if coefficient.is_one() || terms.len() == 1 => {
                self.constant += constant * coefficient;
                for (inner, factor) in terms {
                    *self.terms.entry(*inner).or_default() += factor * coefficient;
                }
            }
            _ => *self.terms.entry(node).or_default() += coefficient,
        }
    }
}
