//! Terms: the symbolic instance of [`Bv`], simplified while it is built.
//!
//! A [`Term`] is a node of the graph and a width. The node denotes an *integer* with a known
//! range; the term is that integer modulo `2^width`. Extensions therefore make no node, sums are
//! exact and n-ary, and a truncation that the range proves harmless disappears.
//! Constants stay outside the graph and are folded by [`Big`].

mod formulas;
mod graph;
mod linear;
mod range;
mod rules;

pub use graph::{Bitwise, Connective, Formula, Graph, Node, NodeId, Scope, with_graph};
pub use range::Range;

use super::bv::normalise_by_halves;
use super::{Big, Bv, Concrete, Mux, Prop};
use graph::edit_graph;
use num_bigint::BigInt;
use num_traits::{One, Zero};

/// A symbolic bit-vector. It belongs to the [`Scope`] that it was made in.
#[derive(Clone, Debug)]
pub struct Term {
    width: u32,
    value: Value,
}

#[derive(Clone, Debug)]
enum Value {
    Const(Big),
    Node(NodeId),
}

impl Term {
    /// Input number `index`: any bit-vector of `width` bits.
    pub fn input(index: u32, width: u32) -> Self {
        Term::of(width, edit_graph(|graph| graph.input(index, width)))
    }

    /// The content, if it is a constant.
    pub fn as_constant(&self) -> Option<&Big> {
        match &self.value {
            Value::Const(value) => Some(value),
            Value::Node(_) => None,
        }
    }

    /// The node that denotes the value; constants enter the graph as unsigned numbers.
    pub fn node(&self) -> NodeId {
        match &self.value {
            Value::Node(node) => *node,
            Value::Const(value) => edit_graph(|graph| graph.constant(BigInt::from(value.to_big()))),
        }
    }

    /// A term of `width` bits with the value of `node` modulo `2^width`.
    fn fitted(width: u32, build: impl FnOnce(&mut Graph) -> NodeId) -> Self {
        edit_graph(|graph| {
            let node = build(graph);
            let node = graph.fit(node, width);
            Term {
                width,
                value: value_of(graph, node, width),
            }
        })
    }

    fn of(width: u32, node: NodeId) -> Self {
        Term {
            width,
            value: with_graph(|graph| value_of(graph, node, width)),
        }
    }

    fn constant(value: Big) -> Self {
        Term {
            width: value.width(),
            value: Value::Const(value),
        }
    }

    fn unsigned(&self) -> NodeId {
        let node = self.node();
        edit_graph(|graph| graph.unsigned(node, self.width))
    }

    fn signed(&self) -> NodeId {
        let node = self.node();
        edit_graph(|graph| graph.signed(node, self.width))
    }

    fn same_width(&self, other: &Self) -> u32 {
        debug_assert_eq!(self.width, other.width, "operands of different widths");
        self.width
    }

    /// The constant result of a binary operation on constants.
    fn folded<R>(&self, other: &Self, op: impl FnOnce(&Big, &Big) -> R) -> Option<R> {
        Some(op(self.as_constant()?, other.as_constant()?))
    }

    fn binary(
        &self,
        other: &Self,
        fold: impl FnOnce(&Big, &Big) -> Big,
        build: impl FnOnce(&mut Graph, NodeId, NodeId) -> NodeId,
    ) -> Self {
        if let Some(value) = self.folded(other, fold) {
            return Term::constant(value);
        }
        let (a, b) = (self.node(), other.node());
        Term::fitted(self.same_width(other), |graph| build(graph, a, b))
    }

    fn bitwise(&self, other: &Self, op: Bitwise, fold: impl FnOnce(&Big, &Big) -> Big) -> Self {
        if let Some(value) = self.folded(other, fold) {
            return Term::constant(value);
        }
        let (a, b) = (self.unsigned(), other.unsigned());
        Term::fitted(self.same_width(other), |graph| graph.bitwise(op, a, b))
    }

    /// Whether both are known not to be negative when read as numbers of the graph.
    fn both_unsigned(&self, other: &Self) -> bool {
        let (a, b) = (self.node(), other.node());
        with_graph(|graph| graph.range(a).is_unsigned() && graph.range(b).is_unsigned())
    }
}

fn value_of(graph: &Graph, node: NodeId, width: u32) -> Value {
    match graph.as_const(node) {
        Some(value) => Value::Const(Big::from_int(width, value)),
        None => Value::Node(node),
    }
}

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
        let (high, low_node) = (self.unsigned(), low.unsigned());
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
            Value::Const(value) => Term::constant(value.zext(width)),
            Value::Node(_) => Term::of(width, self.unsigned()),
        }
    }
    fn sext(&self, width: u32) -> Self {
        debug_assert!(self.width <= width, "{} to {width} bits", self.width);
        match &self.value {
            Value::Const(value) => Term::constant(value.sext(width)),
            Value::Node(_) => Term::of(width, self.signed()),
        }
    }

    fn equals(&self, other: &Self) -> Formula {
        self.same_width(other);
        if let Some(value) = self.folded(other, Big::equals) {
            return Formula::constant(value);
        }
        let (a, b) = if self.both_unsigned(other) {
            (self.node(), other.node())
        } else {
            (self.signed(), other.signed())
        };
        edit_graph(|graph| graph.eq(a, b))
    }
    fn ult(&self, other: &Self) -> Formula {
        self.same_width(other);
        if let Some(value) = self.folded(other, Big::ult) {
            return Formula::constant(value);
        }
        let (a, b) = (self.unsigned(), other.unsigned());
        edit_graph(|graph| graph.lt(a, b))
    }
    fn slt(&self, other: &Self) -> Formula {
        self.same_width(other);
        if let Some(value) = self.folded(other, Big::slt) {
            return Formula::constant(value);
        }
        let (a, b) = (self.signed(), other.signed());
        edit_graph(|graph| graph.lt(a, b))
    }

    fn sum(terms: &[Self]) -> Self {
        let width = terms[0].width;
        if terms.iter().all(|term| term.as_constant().is_some()) {
            let values: Vec<_> = terms
                .iter()
                .filter_map(|t| t.as_constant().cloned())
                .collect();
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
        if terms.iter().all(|term| term.as_constant().is_some()) {
            let values: Vec<_> = terms
                .iter()
                .filter_map(|t| t.as_constant().cloned())
                .collect();
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
    /// Normalised in the bits that its range needs, so that the width leaves no trace.
    fn normalise(&self, count_width: u32) -> (Self, Self) {
        if let Some(value) = self.as_constant() {
            let (shifted, count) = value.normalise(count_width);
            return (Term::constant(shifted), Term::constant(count));
        }
        let node = self.unsigned();
        let needed = with_graph(|graph| graph.range(node).bits());
        let (shifted, count) = normalise_by_halves(&self.extract(needed - 1, 0), count_width);
        let spare = self.width - needed;
        (shifted.widen_low(spare), count.add_const(i64::from(spare)))
    }
    fn neg_if(&self, cond: &Formula) -> Self {
        if let (Some(value), Some(cond)) = (self.as_constant(), cond.as_constant()) {
            return Term::constant(value.neg_if(&cond));
        }
        let node = self.node();
        Term::fitted(self.width, |graph| graph.neg_if(*cond, node))
    }
}
