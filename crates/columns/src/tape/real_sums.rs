//! Aligned sums of products that `f32` holds exactly, for tapes that are split. Each side computes
//! its factors as numbers of `f32`, with sign and exponent. For each element, a product then needs
//! only two multiplications and a conversion to an integer.
//!
//! Where exponents have a wide range, `f32` holds the products of ordinary factors alone: those
//! whose exponents are near the middle of the range. Each side then also computes whether one of
//! its factors is not ordinary, a guard of the tape.

use super::element::Type;
use super::instruction::{Code, Instruction, Value};
use super::lower::Lowering;
use super::powers::Powers;
use super::sums::SignedNumber;
use super::where_zero::ZeroBits;
use mmasmt_numbers::bits::ranged::{RangedLiteral, RangedNode, RangedNodeId};

/// The greatest difference between exponents of products for which all factors are ordinary: up to
/// this difference, no number comes near the limits of `f32`.
const MOST_SPREAD: i128 = 64;

const BIAS: i128 = 127;

/// The greatest exponent of a power of two in `f32`; the least exponent is its opposite less one.
const MOST_POWER: i128 = 126;

/// A factor `±x * 2^(sum of exponents)`, which depends on one side alone.
#[derive(Clone)]
struct Factor {
    sign: RangedNodeId,
    of: RangedNodeId,
    exponents: Vec<RangedNodeId>,
}

/// The exponents of factors of one side: the middle, which counts as zero, and the least and the
/// greatest exponent of an ordinary factor, relative to it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Window {
    middle: i128,
    /// `None` if all factors are ordinary.
    ordinary: Option<[i128; 2]>,
}

/// A product in a sum, and how it is aligned.
struct RealProduct {
    factors: [Factor; 2],
    scale: Scale,
}

/// The alignment of products.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Scale {
    windows: [Window; 2],
    /// Aligned products are scaled by `2^(power - top)`, where `top` is the exponent that all
    /// products are aligned to.
    power: i128,
    /// Limits of `top`: no nonzero product of ordinary factors has an exponent below the first
    /// limit, and if `top` is above the second limit, alignment leaves no bit of any product.
    limits: [i128; 2],
}

impl Lowering<'_> {
    /// The sum in `f32` of the products that are aligned in the same way as the first suitable
    /// product, and the terms that are not in this sum. The inner `None` says that there is no such
    /// sum, because there are too few products or they do not suit `f32`.
    pub(super) fn real_sum(
        &mut self,
        top: Option<RangedNodeId>,
        terms: Vec<SignedNumber>,
        to: Type,
    ) -> Option<(Option<Value>, Vec<SignedNumber>)> {
        let Some(top) = top.filter(|top| to == Type::U32 && !self.is_signed(*top)) else {
            return Some((None, terms));
        };
        let products: Vec<_> = terms.iter().map(|term| self.real_product(term)).collect();
        let Some(scale) = products.iter().flatten().map(|one| one.scale).next() else {
            return Some((None, terms));
        };
        let is_same =
            |one: &Option<RealProduct>| one.as_ref().is_some_and(|one| one.scale == scale);
        if products.iter().filter(|one| is_same(one)).count() < self.least_products() {
            return Some((None, terms));
        }
        let powers = Powers {
            value: self.power(top, scale)?,
            exponent: scale.power,
            limits: scale.limits,
        };
        self.powers.insert(top, powers);
        let mut args = vec![powers.value];
        let (mut rest, mut bits) = (Vec::new(), 0);
        for (term, product) in terms.into_iter().zip(products) {
            match product.filter(|one| one.scale == scale) {
                Some(product) => {
                    bits = bits.max(self.graph.range(term.of).bits());
                    for (factor, window) in product.factors.iter().zip(scale.windows) {
                        args.push(self.real(factor, window)?);
                    }
                }
                None => rest.push(term),
            }
        }
        let sum = Instruction::new(Code::SumOfReals, to, &args).constant(bits.into());
        let sum = self.push(sum);
        Some((Some(sum), rest))
    }

    fn power(&mut self, top: RangedNodeId, scale: Scale) -> Option<Value> {
        let value = self.node(top)?;
        let [least, most] = scale.limits.map(|limit| limit as u128);
        let power = Instruction::new(Code::Power, Type::U32, &[value]);
        let power = power.from(self.type_at(value));
        let k = (scale.power + BIAS) as u128;
        Some(self.push(power.constants(k, least | most << 64)))
    }

    /// The factor as a number of `f32`. If it may not be ordinary, its guard is noted.
    fn real(&mut self, factor: &Factor, window: Window) -> Option<Value> {
        let terms: Vec<_> = factor.exponents.iter().map(|id| (*id, 1)).collect();
        let exponent = match factor.exponents[..] {
            [only] => self.node(only)?,
            _ => self.sum(&terms, 0, Type::U16)?,
        };
        let by = self.type_at(exponent);
        let (sign, of) = (self.truth(factor.sign)?, self.node(factor.of)?);
        if let Some(ordinary) = window.ordinary {
            let exponent = self.converted(exponent, false, Type::U16);
            let least = (window.middle + ordinary[0]) as u128 & Type::U16.mask();
            let above = Instruction::new(Code::Scale, Type::U16, &[exponent]);
            let above = self.push(above.constant(least.wrapping_neg() & Type::U16.mask()));
            let outside = Instruction::new(Code::MoreConst, Type::U8, &[above]).from(Type::U16);
            let outside = self.push(outside.constant((ordinary[1] - ordinary[0]) as u128));
            let zero = Instruction::new(Code::EqualConst, Type::U8, &[of]).from(self.type_at(of));
            let zero = self.push(zero);
            let guard = Instruction::new(Code::All, Type::U8, &[outside, zero]);
            let guard = self.push(guard.constant(0xff00));
            self.guards.push(guard);
        }
        let k = (BIAS - window.middle) as u128;
        let real = Instruction::new(Code::Real, Type::U32, &[sign, of, exponent]);
        Some(self.push(real.from(self.type_at(of)).by(by).constant(k)))
    }

    /// If the term is a product of two factors that depend on one side each, and `f32` holds all
    /// numbers exactly: that product. Otherwise `None`.
    fn real_product(&self, term: &SignedNumber) -> Option<RealProduct> {
        let origins = self.origins.as_ref()?;
        let (x, y, shift) = self.factors(term.of)?;
        let RangedNode::Xor(s, t) = *self.graph.node(term.condition) else {
            return None;
        };
        let (sum, holds) = self.chosen(term.exponent?);
        let RangedNode::Sum(ref exponents, offset) = *self.graph.node(sum) else {
            return None;
        };
        let [first, second] = [origins.side(x)?, origins.side(y)?];
        let [s, t] = match [origins.side(s)?, origins.side(t)?] {
            [one, other] if (one, other) == (first, second) => [s, t],
            [one, other] if (one, other) == (second, first) => [t, s],
            _ => return None,
        };
        // Where a constant replaces the exponent, the product has to be zero.
        if first == second || holds.is_some_and(|holds| !self.is_zero_unless(holds, [x, y])) {
            return None;
        }
        let mut factors = [(s, x), (t, y)].map(|(sign, of)| Factor {
            sign,
            of,
            exponents: Vec::new(),
        });
        for (id, factor) in exponents {
            let is_narrow = self.type_of(*id) <= Type::U16 && !self.is_signed(*id);
            let place = [first, second]
                .iter()
                .position(|side| origins.side(*id) == Some(*side))?;
            if *factor != 1 || !is_narrow {
                return None;
            }
            factors[place].exponents.push(*id);
        }
        let bits = |id: RangedNodeId| self.graph.range(id).bits();
        let is_exact = bits(x) + bits(y) <= f32::MANTISSA_DIGITS && bits(term.of) < u32::BITS;
        if !is_exact || factors.iter().any(|factor| factor.exponents.is_empty()) {
            return None;
        }
        let ranges = factors.each_ref().map(|factor| {
            let ranges = factor.exponents.iter().map(|id| self.graph.range(*id));
            ranges.fold([0, 0], |[lo, hi], range| [lo + range.lo, hi + range.hi])
        });
        let scale = self.scale(ranges, offset, shift.into(), bits(term.of).into())?;
        Some(RealProduct { factors, scale })
    }

    /// The alignment of products whose factors have exponents in these ranges; `None` if `f32` does
    /// not hold the numbers.
    fn scale(
        &self,
        ranges: [[i128; 2]; 2],
        offset: i128,
        shift: i128,
        bits: i128,
    ) -> Option<Scale> {
        let [[a_lo, a_hi], [b_lo, b_hi]] = ranges;
        if a_hi - a_lo + b_hi - b_lo <= MOST_SPREAD {
            let windows = [a_lo, b_lo].map(|middle| Window {
                middle,
                ordinary: None,
            });
            return Some(Scale {
                windows,
                power: shift + a_lo + b_lo + offset,
                limits: [a_lo + b_lo, a_hi + b_hi + bits].map(|end| (end + offset).max(0)),
            });
        }
        // The power of two that a nonzero product is multiplied by is at most `2^MOST_POWER`, and
        // neither this product nor the other one leaves the range of `f32`.
        let least = -((MOST_POWER - shift) / 2);
        let most = (MOST_POWER - i128::from(f32::MANTISSA_DIGITS)) / 2;
        let windows = ranges.map(|[lo, hi]| Window {
            middle: (lo + hi) / 2,
            ordinary: Some([least, most]),
        });
        let zero = windows[0].middle + windows[1].middle + offset + shift;
        let limits = [(zero - MOST_POWER).max(0), zero + MOST_POWER];
        // The exponent field of a factor must fit, though not the factor itself.
        let fits = ranges.iter().all(|[lo, hi]| (hi - lo + 1) / 2 <= BIAS);
        (fits && limits[1] > 0 && self.has_guards).then_some(Scale {
            windows,
            power: zero,
            limits,
        })
    }

    /// If the exponent is a choice between a node and a constant: the node, and the literal that
    /// holds where the node is chosen. Otherwise the exponent itself.
    pub(super) fn chosen(&self, exponent: RangedNodeId) -> (RangedNodeId, Option<RangedLiteral>) {
        let RangedNode::Ite(node, then, otherwise) = *self.graph.node(exponent) else {
            return (exponent, None);
        };
        let literal = |negated| Some(RangedLiteral { node, negated });
        match [then, otherwise].map(|id| self.constant_of(id)) {
            [None, Some(_)] => (then, literal(false)),
            [Some(_), None] => (otherwise, literal(true)),
            _ => (exponent, None),
        }
    }

    /// Whether one of the factors is zero wherever the literal does not hold.
    pub(super) fn is_zero_unless(
        &self,
        literal: RangedLiteral,
        factors: [RangedNodeId; 2],
    ) -> bool {
        match (self.graph.node(literal.node), literal.negated) {
            (RangedNode::And(one, other), false) => {
                let mut parts = [one, other].into_iter();
                parts.all(|part| self.is_zero_unless(*part, factors))
            }
            (_, true) => {
                let zeros = ZeroBits::implied(self.graph, literal.node);
                let is_zero = |factor| zeros.is_some_and(|zeros| zeros.value(factor) == Some(0));
                factors.into_iter().any(is_zero)
            }
            _ => false,
        }
    }
}
