//! The instances of [`Bv`] over terms, and of [`Prop`] and [`Mux`] over formulas.

use super::graph::{Bitwise, Formula, Graph, edit_graph, with_graph};
use super::symbol::{Term, TermValue};
use crate::bits::bv::normalise_by_halves;
use crate::bits::{Big, Bv, Mux, Prop};
use num_bigint::BigInt;
use num_traits::{One, Zero};

impl Prop for Formula {
    fn constant(value: bool) -> Self {
        Formula::constant(value)
    }
    fn not(&self) -> Self {
        self.negated()
    }
    fn and(&self, other: &Self) -> Self {
        edit_graph(|graph| graph.all(&[*self, *other]))
    }
    fn or(&self, other: &Self) -> Self {
        edit_graph(|graph| graph.any(&[*self, *other]))
    }
    fn xor(&self, other: &Self) -> Self {
        edit_graph(|graph| graph.xor(*self, *other))
    }
    fn all(props: impl IntoIterator<Item = Self>) -> Self {
        let parts: Vec<_> = props.into_iter().collect();
        edit_graph(|graph| graph.all(&parts))
    }
    fn any(props: impl IntoIterator<Item = Self>) -> Self {
        let parts: Vec<_> = props.into_iter().collect();
        edit_graph(|graph| graph.any(&parts))
    }
}

impl Mux<Formula> for Formula {
    fn mux(cond: &Formula, then: &Self, otherwise: &Self) -> Self {
        edit_graph(|graph| graph.choose(*cond, *then, *otherwise))
    }
}

impl Mux<Formula> for Term {
    fn mux(cond: &Formula, then: &Self, otherwise: &Self) -> Self {
        if let Some(value) = cond.as_constant() {
            return if value {
                then.clone()
            } else {
                otherwise.clone()
            };
        }
        let (a, b) = (then.node(), otherwise.node());
        Term::fitted(then.same_width(otherwise), |graph| graph.ite(*cond, a, b))
    }
}

impl Bv for Term {
    type Bool = Formula;

    fn lit(width: u32, value: u64) -> Self {
        Term::constant(Big::lit(width, value))
    }
    fn width(&self) -> u32 {
        self.width
    }

    fn add(&self, other: &Self) -> Self {
        self.binary(other, Big::add, |graph, a, b| {
            graph.sum([(a, BigInt::one()), (b, BigInt::one())], BigInt::zero())
        })
    }
    fn sub(&self, other: &Self) -> Self {
        self.binary(other, Big::sub, |graph, a, b| {
            if a == b {
                return graph.constant(BigInt::zero());
            }
            graph.sum([(a, BigInt::one()), (b, BigInt::from(-1))], BigInt::zero())
        })
    }
    fn mul(&self, other: &Self) -> Self {
        self.binary(other, Big::mul, Graph::mul)
    }
    fn and(&self, other: &Self) -> Self {
        self.bitwise(other, Bitwise::And, Big::and)
    }
    fn or(&self, other: &Self) -> Self {
        self.bitwise(other, Bitwise::Or, Big::or)
    }
    fn xor(&self, other: &Self) -> Self {
        self.bitwise(other, Bitwise::Xor, Big::xor)
    }
    fn not(&self) -> Self {
        if let Some(value) = self.as_constant() {
            return Term::constant(value.not());
        }
        let node = self.node();
        Term::fitted(self.width, |graph| {
            graph.sum([(node, BigInt::from(-1))], BigInt::from(-1))
        })
    }

    fn shl(&self, amount: &Self) -> Self {
        if let Some(value) = self.folded(amount, Big::shl) {
            return Term::constant(value);
        }
        let (node, amount) = (self.unsigned(), amount.unsigned());
        Term::fitted(self.width, |graph| graph.shl(node, amount, self.width))
    }
    fn lshr(&self, amount: &Self) -> Self {
        if let Some(value) = self.folded(amount, Big::lshr) {
            return Term::constant(value);
        }
        let (node, amount) = (self.unsigned(), amount.unsigned());
        Term::fitted(self.width, |graph| graph.shr(node, amount))
    }
    fn ashr(&self, amount: &Self) -> Self {
        if let Some(value) = self.folded(amount, Big::ashr) {
            return Term::constant(value);
        }
        let (node, amount) = (self.signed(), amount.unsigned());
        Term::fitted(self.width, |graph| graph.shr(node, amount))
    }

    fn concat(&self, low: &Self) -> Self {
        if let Some(value) = self.folded(low, Big::concat) {
            return Term::constant(value);
        }
        // If the low part is a constant, the high part may stay negative: the result is then the
        // scaled high part plus the constant.
        let high = match low.as_constant() {
            Some(_) => self.node(),
            None => self.unsigned(),
        };
        let low_node = low.unsigned();
        Term::fitted(self.width + low.width, |graph| {
            graph.concat(high, low_node, low.width)
        })
    }
    fn extract(&self, high: u32, low: u32) -> Self {
        debug_assert!(
            low <= high && high < self.width,
            "bits {high} to {low} of {}",
            self.width
        );
        if let Some(value) = self.as_constant() {
            return Term::constant(value.extract(high, low));
        }
        let node = self.node();
        Term::fitted(high - low + 1, |graph| graph.shr_const(node, low))
    }
    fn zext(&self, width: u32) -> Self {
        debug_assert!(self.width <= width, "{} to {width} bits", self.width);
        match &self.value {
            TermValue::Const(value) => Term::constant(value.zext(width)),
            TermValue::Node(_) => Term::of(width, self.unsigned()),
        }
    }
    fn sext(&self, width: u32) -> Self {
        debug_assert!(self.width <= width, "{} to {width} bits", self.width);
        match &self.value {
            TermValue::Const(value) => Term::constant(value.sext(width)),
            TermValue::Node(_) => Term::of(width, self.signed()),
        }
    }

    fn equals(&self, other: &Self) -> Formula {
        let node = if self.both_unsigned(other) {
            Term::node
        } else {
            Term::signed
        };
        self.compared(other, Big::equals, node, Graph::eq)
    }
    fn ult(&self, other: &Self) -> Formula {
        self.compared(other, Big::ult, Term::unsigned, Graph::lt)
    }
    fn slt(&self, other: &Self) -> Formula {
        self.compared(other, Big::slt, Term::signed, Graph::lt)
    }

    fn sum(terms: &[Self]) -> Self {
        let width = terms[0].width;
        if let Some(values) = constants(terms) {
            return Term::constant(Big::sum(&values));
        }
        let nodes: Vec<_> = terms
            .iter()
            .map(|term| (term.node(), BigInt::one()))
            .collect();
        Term::fitted(width, |graph| graph.sum(nodes, BigInt::zero()))
    }
    fn umax(terms: &[Self]) -> Self {
        let width = terms[0].width;
        if let Some(values) = constants(terms) {
            return Term::constant(Big::umax(&values));
        }
        let nodes: Vec<_> = terms.iter().map(Term::unsigned).collect();
        Term::fitted(width, |graph| graph.max(&nodes))
    }
    fn bit(&self, index: u32) -> Formula {
        debug_assert!(index < self.width, "bit {index} of {}", self.width);
        if let Some(value) = self.as_constant() {
            return Formula::constant(value.bit(index));
        }
        let node = self.node();
        edit_graph(|graph| graph.bit(node, index))
    }
    /// Normalises only the bits that may be one, so that equal values of different widths, or with
    /// trailing zeros, give the same formula.
    fn normalise(&self, count_width: u32) -> (Self, Self) {
        if let Some(value) = self.as_constant() {
            let (shifted, count) = value.normalise(count_width);
            return (Term::constant(shifted), Term::constant(count));
        }
        let node = self.unsigned();
        let (needed, zeros) =
            with_graph(|graph| (graph.range(node).bits(), graph.trailing_zeros(node)));
        let (shifted, count) = normalise_by_halves(&self.extract(needed - 1, zeros), count_width);
        let spare = self.width - needed;
        (
            shifted.widen_low(spare + zeros),
            count.add_const(i64::from(spare)),
        )
    }
    fn neg_if(&self, cond: &Formula) -> Self {
        if let (Some(value), Some(cond)) = (self.as_constant(), cond.as_constant()) {
            return Term::constant(value.neg_if(&cond));
        }
        let node = self.node();
        Term::fitted(self.width, |graph| graph.neg_if(*cond, node))
    }
    fn is_known_zero(&self) -> bool {
        self.as_constant().is_some_and(Big::is_zero)
    }
}

/// The values of `terms`, if all terms are constants.
fn constants(terms: &[Term]) -> Option<Vec<Big>> {
    terms
        .iter()
        .map(|term| term.as_constant().cloned())
        .collect()
}
