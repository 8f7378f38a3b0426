//! The instances of [`Bv`], [`Prop`] and [`Mux`] over nodes with ranges.

use super::graph::{Binary32, RangedCondition, RangedGraph};
use super::node::{RangedNode, RangedNodeId};
use super::range::SignedRange;
use super::value::{CAPACITY, RangedBits, RangedContent, Truth};
use crate::bits::W128;
use crate::bits::bv::{Bv, Mux, Prop};
use crate::bits::term::Bitwise;
use crate::bits::{HostFormat, HostMode, HostOperation, HostOperations, HostRounding};

impl Prop for Truth {
    fn constant(value: bool) -> Self {
        Truth::Const(value)
    }
    fn not(&self) -> Self {
        match self {
            Truth::Const(value) => Truth::Const(!value),
            Truth::Node(graph, literal) => Truth::Node(graph.clone(), literal.not()),
        }
    }
    fn and(&self, other: &Self) -> Self {
        self.binary(other, Prop::and, RangedGraph::and)
    }
    fn or(&self, other: &Self) -> Self {
        self.binary(other, Prop::or, |graph, a, b| {
            graph.and(a.not(), b.not()).not()
        })
    }
    fn xor(&self, other: &Self) -> Self {
        self.binary(other, Prop::xor, RangedGraph::xor)
    }
}

impl Mux<Truth> for Truth {
    fn mux(cond: &Truth, then: &Self, otherwise: &Self) -> Self {
        let Truth::Node(shared, _) = cond else {
            let holds = cond.as_constant() == Some(true);
            return if holds { then } else { otherwise }.clone();
        };
        let [c, a, b] = [cond, then, otherwise].map(Truth::condition);
        let made = shared.0.borrow_mut().choose(c, a, b);
        Truth::of(&shared.0, made)
    }
}

impl Mux<Truth> for RangedBits {
    fn mux(cond: &Truth, then: &Self, otherwise: &Self) -> Self {
        debug_assert_eq!(then.width, otherwise.width, "operands of different widths");
        let Truth::Node(shared, _) = cond else {
            let holds = cond.as_constant() == Some(true);
            return if holds { then } else { otherwise }.clone();
        };
        let graph = &mut shared.0.borrow_mut();
        let (a, b) = (then.node(graph), otherwise.node(graph));
        let made = graph.ite(cond.condition(), a, b);
        RangedBits::fitted(&shared.0, graph, then.width, made)
    }
}

impl RangedBits {
    /// If both operands are constants, the result of `fold`; otherwise the node that `make` makes,
    /// as a bit-vector of `width` bits.
    fn with(
        &self,
        other: &Self,
        width: u32,
        fold: impl FnOnce(&W128, &W128) -> W128,
        make: impl FnOnce(&mut RangedGraph) -> RangedNodeId,
    ) -> Self {
        debug_assert!(width <= CAPACITY, "{width} bits");
        if let (Some(a), Some(b)) = (self.as_constant(), other.as_constant()) {
            return RangedBits::constant(fold(&a, &b));
        }
        match self.graph().or(other.graph()) {
            Some(shared) => {
                let graph = &mut shared.borrow_mut();
                let made = make(graph);
                RangedBits::fitted(shared, graph, width, made)
            }
            None => self.clone(),
        }
    }

    fn alone(
        &self,
        width: u32,
        fold: impl FnOnce(&W128) -> W128,
        make: impl FnOnce(&mut RangedGraph) -> RangedNodeId,
    ) -> Self {
        self.with(self, width, |word, _| fold(word), make)
    }

    fn compared(
        &self,
        other: &Self,
        fold: impl FnOnce(&W128, &W128) -> bool,
        make: impl FnOnce(&mut RangedGraph) -> RangedCondition,
    ) -> Truth {
        if let (Some(a), Some(b)) = (self.as_constant(), other.as_constant()) {
            return Truth::Const(fold(&a, &b));
        }
        match self.graph().or(other.graph()) {
            Some(shared) => {
                let made = make(&mut shared.borrow_mut());
                Truth::of(shared, made)
            }
            None => Truth::Const(false),
        }
    }

    /// The node of the value as a summand beside `other`. If the value is a constant with which the
    /// sum may exceed the width, the constant is taken as a signed number, so that it may be
    /// negative.
    fn summand(&self, other: &Self, graph: &mut RangedGraph) -> RangedNodeId {
        let id = self.node(graph);
        let (Some(value), RangedContent::Node(_, of)) = (graph.as_const(id), &other.content) else {
            return id;
        };
        let greatest = graph.range(*of).hi;
        if value + greatest < 1 << self.width {
            id
        } else {
            graph.wrap(id, self.width, true)
        }
    }

    fn bitwise(&self, other: &Self, op: Bitwise, fold: impl FnOnce(&W128, &W128) -> W128) -> Self {
        self.with(other, self.width, fold, |graph| {
            let (a, b) = (self.unsigned(graph), other.unsigned(graph));
            graph.bitwise(op, a, b)
        })
    }
}

impl Bv for RangedBits {
    type Bool = Truth;

    fn lit(width: u32, value: u64) -> Self {
        RangedBits::constant(W128::lit(width, value))
    }
    fn width(&self) -> u32 {
        self.width
    }

    fn add(&self, other: &Self) -> Self {
        self.with(other, self.width, W128::add, |graph| {
            let (a, b) = (self.summand(other, graph), other.summand(self, graph));
            graph.sum(&[(a, 1), (b, 1)], 0)
        })
    }
    fn sub(&self, other: &Self) -> Self {
        self.with(other, self.width, W128::sub, |graph| {
            let (a, b) = (self.node(graph), other.node(graph));
            graph.sum(&[(a, 1), (b, -1)], 0)
        })
    }
    fn mul(&self, other: &Self) -> Self {
        // Numbers that are equal modulo two to the power of the width have equal products.
        self.with(other, self.width, W128::mul, |graph| {
            let (a, b) = (self.node(graph), other.node(graph));
            graph.mul(a, b, self.width)
        })
    }
    fn and(&self, other: &Self) -> Self {
        self.bitwise(other, Bitwise::And, W128::and)
    }
    fn or(&self, other: &Self) -> Self {
        self.bitwise(other, Bitwise::Or, W128::or)
    }
    fn xor(&self, other: &Self) -> Self {
        self.bitwise(other, Bitwise::Xor, W128::xor)
    }
    fn not(&self) -> Self {
        self.alone(self.width, W128::not, |graph| {
            let id = self.node(graph);
            graph.sum(&[(id, -1)], -1)
        })
    }

    fn shl(&self, amount: &Self) -> Self {
        self.with(amount, self.width, W128::shl, |graph| {
            let (of, amount) = (self.node(graph), amount.unsigned(graph));
            graph.shl(of, amount, self.width)
        })
    }
    fn lshr(&self, amount: &Self) -> Self {
        self.with(amount, self.width, W128::lshr, |graph| {
            let (of, amount) = (self.unsigned(graph), amount.unsigned(graph));
            graph.shr(of, amount)
        })
    }
    fn ashr(&self, amount: &Self) -> Self {
        self.with(amount, self.width, W128::ashr, |graph| {
            let (of, amount) = (self.signed(graph), amount.unsigned(graph));
            graph.shr(of, amount)
        })
    }

    fn concat(&self, low: &Self) -> Self {
        let width = self.width + low.width;
        self.with(low, width, W128::concat, |graph| {
            let (high, rest) = (self.unsigned(graph), low.unsigned(graph));
            graph.sum(&[(high, 1 << low.width), (rest, 1)], 0)
        })
    }
    fn extract(&self, high: u32, low: u32) -> Self {
        let width = high - low + 1;
        self.alone(
            width,
            |word| word.extract(high, low),
            |graph| {
                let of = self.node(graph);
                let of = graph.shr_const(of, low);
                graph.wrap(of, width, false)
            },
        )
    }
    fn zext(&self, width: u32) -> Self {
        self.alone(width, |word| word.zext(width), |graph| self.unsigned(graph))
    }
    fn sext(&self, width: u32) -> Self {
        self.alone(width, |word| word.sext(width), |graph| self.signed(graph))
    }

    fn equals(&self, other: &Self) -> Truth {
        self.compared(other, W128::equals, |graph| {
            let (a, b) = (self.signed(graph), other.signed(graph));
            let nodes = [self.node(graph), other.node(graph)];
            let as_they_are = nodes == [a, b];
            // The operands are compared as signed numbers if their nodes are signed numbers already
            // and one may be negative, else as unsigned numbers.
            if as_they_are && graph.range(a).lo.min(graph.range(b).lo) < 0 {
                return graph.eq(a, b);
            }
            let (a, b) = (self.unsigned(graph), other.unsigned(graph));
            graph.eq(a, b)
        })
    }
    fn ult(&self, other: &Self) -> Truth {
        self.compared(other, W128::ult, |graph| {
            let (a, b) = (self.unsigned(graph), other.unsigned(graph));
            graph.lt(a, b)
        })
    }
    fn slt(&self, other: &Self) -> Truth {
        self.compared(other, W128::slt, |graph| {
            let (a, b) = (self.signed(graph), other.signed(graph));
            graph.lt(a, b)
        })
    }

    fn sum(terms: &[Self]) -> Self {
        let first = &terms[0];
        let narrow = first.width < 100;
        let Some(shared) = terms.iter().find_map(RangedBits::graph).filter(|_| narrow) else {
            let rest = terms[1..].iter();
            return rest.fold(first.clone(), |total, term| total.add(term));
        };
        let graph = &mut shared.borrow_mut();
        let parts: Vec<_> = terms.iter().map(|term| (term.node(graph), 1)).collect();
        let made = graph.sum(&parts, 0);
        RangedBits::fitted(shared, graph, first.width, made)
    }
    fn umax(terms: &[Self]) -> Self {
        let Some(shared) = terms.iter().find_map(RangedBits::graph) else {
            let words: Vec<_> = terms.iter().filter_map(RangedBits::as_constant).collect();
            return RangedBits::constant(W128::umax(&words));
        };
        let graph = &mut shared.borrow_mut();
        let all: Vec<_> = terms.iter().map(|term| term.unsigned(graph)).collect();
        let made = graph.max(&all);
        RangedBits::fitted(shared, graph, terms[0].width, made)
    }

    fn bit(&self, index: u32) -> Truth {
        self.compared(
            self,
            |word, _| word.bit(index),
            |graph| {
                let id = self.node(graph);
                graph.bit(id, index, self.width)
            },
        )
    }
    fn neg_if(&self, cond: &Truth) -> Self {
        let shared = match cond {
            Truth::Const(true) => return self.neg(),
            Truth::Const(false) => return self.clone(),
            Truth::Node(shared, _) => &shared.0,
        };
        let graph = &mut shared.borrow_mut();
        let id = if graph_sign(self, graph) == cond.condition() {
            self.signed(graph)
        } else {
            self.node(graph)
        };
        let made = graph.neg_if(cond.condition(), id);
        RangedBits::fitted(shared, graph, self.width, made)
    }
    fn mul_wide(&self, other: &Self) -> Self {
        let width = self.width + other.width;
        self.with(other, width, W128::mul_wide, |graph| {
            let (a, b) = (self.unsigned(graph), other.unsigned(graph));
            graph.mul(a, b, width)
        })
    }
    fn widen_low(&self, amount: u32) -> Self {
        let width = self.width + amount;
        let fold = |word: &W128| word.widen_low(amount);
        self.alone(width, fold, |graph| {
            let id = self.node(graph);
            graph.sum(&[(id, 1 << amount)], 0)
        })
    }
    fn lshr_sticky(&self, amount: &Self) -> (Self, Truth) {
        let lost = self.compared(
            amount,
            |word, amount| word.lshr_sticky(amount).1,
            |graph| {
                let (of, amount) = (self.unsigned(graph), amount.unsigned(graph));
                graph.lost(of, amount)
            },
        );
        (self.lshr(amount), lost)
    }
    fn normalise(&self, count_width: u32) -> (Self, Self) {
        let zeros = |graph: &mut RangedGraph| {
            let of = self.unsigned(graph);
            graph.zeros(of, self.width)
        };
        let count = |word: &W128| word.normalise(count_width).1;
        let shifted = |word: &W128| word.normalise(count_width).0;
        let moved = self.alone(self.width, shifted, |graph| {
            let (of, by) = (self.unsigned(graph), zeros(graph));
            graph.shl(of, by, self.width)
        });
        (moved, self.alone(count_width, count, zeros))
    }

    const USES_HOST: bool = true;
    fn on_host(operation: HostOperation, format: HostFormat, operands: &[&Self]) -> Option<Self> {
        let shared = operands.iter().find_map(|operand| operand.graph())?;
        let graph = &mut shared.borrow_mut();
        if !graph.host.has(operation) {
            return None;
        }
        let operands = operands.iter().map(|operand| operand.unsigned(graph));
        let node = RangedNode::Host(operation, format, operands.collect());
        let id = graph.intern(node, SignedRange::unsigned(format.width()));
        Some(RangedBits::fitted(shared, graph, format.width(), id))
    }

    fn is_binary32(register: &Self, exponent: &Self, significand: &Self) {
        if let Some(shared) = register.graph() {
            let graph = &mut shared.borrow_mut();
            let nodes = [register, exponent, significand].map(|part| part.node(graph));
            let [register, exponent, significand] = nodes;
            graph.numbers.insert(
                register,
                Binary32 {
                    exponent,
                    significand,
                },
            );
        }
    }

    fn rounded_on_host(sum: &Self, exponent: &Self, rounding: &HostRounding) -> Option<Self> {
        let shared = sum.graph().or(exponent.graph())?;
        let graph = &mut shared.borrow_mut();
        let (sum, exponent) = (sum.signed(graph), exponent.unsigned(graph));
        let (sums, powers) = (graph.range(sum), graph.range(exponent));
        let offset = i128::from(rounding.exponent_offset);
        let is_exact = sums.lo >= -EXACT_F64 && sums.hi <= EXACT_F64;
        let is_normal = powers.lo + offset >= POWERS_F64[0] && powers.hi + offset <= POWERS_F64[1];
        // A cut is only followed by a rounding to nearest.
        let is_known = match rounding.cut {
            Some(_) => rounding.mode == HostMode::Nearest && rounding.keeps_sign_of_zero,
            None => true,
        };
        if graph.host == HostOperations::None || !is_exact || !is_normal || !is_known {
            return None;
        }
        let id = graph.intern(
            RangedNode::Round(sum, exponent, *rounding),
            SignedRange::unsigned(32),
        );
        Some(RangedBits::fitted(shared, graph, 32, id))
    }
}

/// The magnitudes up to which binary64 holds every integer.
const EXACT_F64: i128 = 1 << 53;
/// The least and the greatest power of two by which binary64 multiplies such an integer exactly,
/// with a normal result.
const POWERS_F64: [i128; 2] = [-1000, 900];

/// The condition that a value is negative in two's complement.
fn graph_sign(value: &RangedBits, graph: &mut RangedGraph) -> RangedCondition {
    let id = value.node(graph);
    graph.bit(id, value.width - 1, value.width)
}
