//! Lowering of sums: of shifted numbers, of choices between constants, and of numbers with signs,
//! aligned or not.

use super::element::Type;
use super::halves::MOST_HALVES;
use super::instruction::{Code, Instruction, Value};
use super::lower::Lowering;
use mmasmt_numbers::bits::ranged::{RangedNode, RangedNodeId};

/// The fewest products of a sum that is computed as two sums in 16 bits.
const LEAST_HALVES: u32 = 4;

/// A number in a sum, which is negated where the condition holds. If the number has an exponent, it
/// is shifted right by the difference between the exponent that the sum is aligned to and its own
/// exponent.
pub(super) struct SignedNumber {
    pub(super) condition: RangedNodeId,
    pub(super) of: RangedNodeId,
    pub(super) exponent: Option<RangedNodeId>,
}

/// A node and its coefficient.
type ScaledNode = (RangedNodeId, i128);

/// A number in a sum, whether it is subtracted, and by how much it is shifted left.
type Part = (Value, bool, u32);

impl Lowering<'_> {
    /// The sum modulo 2^width, in the type `to` of that width.
    pub(super) fn sum(
        &mut self,
        terms: &[(RangedNodeId, i128)],
        constant: i128,
        to: Type,
    ) -> Option<Value> {
        if let ([(node, factor)], 0) = (terms, constant)
            && let RangedNode::Mul(a, b) = *self.graph.node(*node)
            && self.is_single(*node)
            && *factor > 0
            && factor.count_ones() == 1
        {
            return self.product(a, b, factor.trailing_zeros(), to);
        }
        let low = |value: i128| value as u128 & to.mask();
        let (mut parts, mut selects, mut signed) = (Vec::new(), Vec::new(), Vec::new());
        let (placed, terms) = self.placed_terms(terms, to)?;
        parts.extend(placed.map(|value| (value, false, 0)));
        for &(id, factor) in &terms {
            match *self.graph.node(id) {
                RangedNode::Select(c, then, otherwise) => {
                    let c = self.truth(c)?;
                    let [then, otherwise] = [then, otherwise].map(|k| low(k.wrapping_mul(factor)));
                    selects.push((c, then, otherwise));
                }
                RangedNode::NegIf(condition, of) if factor == 1 && terms.len() > 1 => {
                    signed.push((condition, of));
                }
                _ => parts.extend(self.part(id, factor, to)?),
            }
        }
        for value in self.signed_sums(&signed, to)? {
            parts.push((value, false, 0));
        }
        let mut rest = low(constant);
        if parts.is_empty()
            && let Some((c, then, otherwise)) = selects.pop()
        {
            let [then, otherwise] = [then, otherwise].map(|k| k.wrapping_add(rest) & to.mask());
            let chosen = Instruction::new(Code::Select, to, &[c]).constants(then, otherwise);
            parts.push((self.push(chosen), false, 0));
            rest = 0;
        }
        let taken = if selects.is_empty() { rest } else { 0 };
        let mut sum = self.chain(parts, taken, to);
        for (c, then, otherwise) in selects {
            let otherwise = otherwise.wrapping_add(rest) & to.mask();
            let more = then.wrapping_add(rest).wrapping_sub(otherwise) & to.mask();
            rest = 0;
            let added = Instruction::new(Code::AddSelect, to, &[sum, c]);
            sum = self.push(added.constants(more, otherwise));
        }
        Some(sum)
    }

    /// The sum of those terms that are shifted left over more than 64 bits, if there are several, and
    /// the other terms.
    fn placed_terms(
        &mut self,
        terms: &[(RangedNodeId, i128)],
        to: Type,
    ) -> Option<(Option<Value>, Vec<ScaledNode>)> {
        let (mut placed, mut others) = (Vec::new(), Vec::new());
        for term in terms {
            let one = match *self.graph.node(term.0) {
                RangedNode::NegIf(condition, of) if term.1 == 1 && to == Type::U128 => {
                    self.placed(condition, of)
                }
                _ => None,
            };
            match one {
                Some(one) => placed.push(one),
                None => others.push(*term),
            }
        }
        match self.sum_of_placed(&placed)? {
            Some(sum) => Some((Some(sum), others)),
            None => Some((None, terms.to_vec())),
        }
    }

    /// The node `id` times the coefficient `factor`. The inner `None` means that the type `to`
    /// holds no bit of this product.
    fn part(&mut self, id: RangedNodeId, factor: i128, to: Type) -> Option<Option<Part>> {
        let value = self.at(id, to)?;
        let magnitude = factor.unsigned_abs();
        if magnitude.count_ones() == 1 {
            let by = magnitude.trailing_zeros();
            return Some((by < to.bits()).then_some((value, factor < 0, by)));
        }
        let scaled = Instruction::new(Code::MultiplyConst, to, &[value]);
        let scaled = scaled.constant(factor as u128 & to.mask());
        Some(Some((self.push(scaled), false, 0)))
    }

    fn chain(&mut self, mut parts: Vec<Part>, constant: u128, to: Type) -> Value {
        parts.sort_unstable_by_key(|(value, negative, by)| (*negative, *by == 0, *value));
        let Some(&(first, negative, by)) = parts.first() else {
            return self.constant(constant as i128, to);
        };
        let alone = parts.len() == 1;
        let (mut sum, mut shift) = (first, by);
        if negative || alone {
            if alone && !negative && by == 0 && constant == 0 {
                return first;
            }
            let code = if negative { Code::Negate } else { Code::Scale };
            let one = Instruction::new(code, to, &[first]).shifts(by, 0);
            (sum, shift) = (self.push(one.constant(constant)), 0);
        }
        let mut left = if negative { 0 } else { constant };
        for (value, negative, by) in parts.into_iter().skip(1) {
            let code = if negative { Code::Subtract } else { Code::Add };
            let two = Instruction::new(code, to, &[sum, value]).shifts(shift, by);
            sum = self.push(two.constant(left));
            (shift, left) = (0, 0);
        }
        sum
    }

    /// Partial sums that add up to the sum of the signed numbers.
    fn signed_sums(
        &mut self,
        terms: &[(RangedNodeId, RangedNodeId)],
        to: Type,
    ) -> Option<Vec<Value>> {
        let parts = self.signed_parts(terms, to)?.into_iter();
        Some(parts.map(|sum| self.converted(sum, true, to)).collect())
    }

    /// The same partial sums, each in the type that holds it, which may be narrower than `to`.
    pub(super) fn signed_parts(
        &mut self,
        terms: &[(RangedNodeId, RangedNodeId)],
        to: Type,
    ) -> Option<Vec<Value>> {
        // The terms, grouped by the exponent that they are aligned to.
        let mut groups: Vec<(Option<RangedNodeId>, Vec<SignedNumber>)> = Vec::new();
        for &(condition, of) in terms {
            let (top, term) = self.aligned(condition, of, to);
            match groups.iter_mut().find(|group| group.0 == top) {
                Some(group) => group.1.push(term),
                None => groups.push((top, vec![term])),
            }
        }
        let mut sums = Vec::new();
        for (top, terms) in groups {
            for (part, terms) in self.split(terms, to) {
                sums.extend(self.signed_sum(top, terms, part)?);
            }
        }
        Some(sums)
    }

    /// If the term is a number shifted right by a difference of exponents: the exponent that it is
    /// aligned to, and the term without this shift. Otherwise `None` and the term as it is.
    fn aligned(
        &self,
        condition: RangedNodeId,
        of: RangedNodeId,
        to: Type,
    ) -> (Option<RangedNodeId>, SignedNumber) {
        let plain = SignedNumber {
            condition,
            of,
            exponent: None,
        };
        let RangedNode::Shr(inner, amount) = *self.graph.node(of) else {
            return (None, plain);
        };
        // A right shift also needs the bits that a narrower type would cut off.
        let is_whole = self.type_of(inner) <= to.max(Type::U16);
        if !self.is_single(of) || self.is_signed(inner) || !is_whole {
            return (None, plain);
        }
        let Some((top, exponent)) = self.difference(amount) else {
            return (None, plain);
        };
        let term = SignedNumber {
            condition,
            of: inner,
            exponent: Some(exponent),
        };
        (Some(top), term)
    }

    /// Divides the terms into groups, each with the type of its sum. If `to` has 64 bits and every
    /// term has a type of at most 32 bits, the terms are divided so that sums fit 32 bits where
    /// possible; otherwise all terms form one group.
    fn split(&self, mut terms: Vec<SignedNumber>, to: Type) -> Vec<(Type, Vec<SignedNumber>)> {
        let fits = |term: &SignedNumber| self.type_of(term.of) <= Type::U32;
        if to != Type::U64 || !terms.iter().all(fits) {
            let least = if to < Type::U16 { Type::U16 } else { to };
            return vec![(least, terms)];
        }
        terms.sort_by_key(|term| self.factors(term.of).is_none());
        let (mut groups, mut group) = (Vec::new(), Vec::new());
        let mut room = i128::from(i32::MAX);
        for term in terms {
            let range = self.graph.range(term.of);
            let most = range.hi.max(-range.lo);
            if most > i128::from(i32::MAX) {
                groups.push((Type::U64, vec![term]));
                continue;
            }
            if most > room {
                groups.push((Type::U32, std::mem::take(&mut group)));
                room = i128::from(i32::MAX);
            }
            room -= most;
            group.push(term);
        }
        groups.push((Type::U32, group));
        groups.retain(|(_, group)| !group.is_empty());
        groups
    }

    /// If the node is a product, shifted left or not, and nothing else needs it: the two factors
    /// and the shift. `None` otherwise, and if a factor has a sign or more than 16 bits.
    pub(super) fn factors(&self, id: RangedNodeId) -> Option<(RangedNodeId, RangedNodeId, u32)> {
        if !self.is_single(id) {
            return None;
        }
        let (node, by) = match self.graph.node(id) {
            RangedNode::Sum(terms, 0) => match **terms {
                [(inner, factor)] if factor > 0 && factor.count_ones() == 1 => {
                    (inner, factor.trailing_zeros())
                }
                _ => return None,
            },
            _ => (id, 0),
        };
        match *self.graph.node(node) {
            RangedNode::Mul(a, b) if self.is_single(node) => {
                let narrow = |id| self.type_of(id) <= Type::U16 && !self.is_signed(id);
                (narrow(a) && narrow(b)).then_some((a, b, by))
            }
            _ => None,
        }
    }

    /// Whether the highest bits of the term and of its factors are zeros.
    fn has_headroom(&self, term: &SignedNumber, to: Type) -> bool {
        let factors = self.factors(term.of).is_none_or(|(a, b, _)| {
            let bits = [a, b].map(|id| self.graph.range(id).bits());
            let bits = bits[0].max(bits[1]);
            bits < Type::of(bits).bits()
        });
        factors && !self.is_signed(term.of) && self.graph.range(term.of).bits() < to.bits()
    }

    /// Partial sums of the terms in the type `to`, one for each kind of products. Products are of
    /// one kind if they have the same left shift and the same type of factors.
    fn signed_sum(
        &mut self,
        top: Option<RangedNodeId>,
        terms: Vec<SignedNumber>,
        to: Type,
    ) -> Option<Vec<Value>> {
        let (real, terms) = self.real_sum(top, terms, to)?;
        let (products, terms) = self.dot_product(top, terms, to)?;
        let mut sums: Vec<Value> = real.into_iter().chain(products).collect();
        let mut others = Vec::new();
        for term in terms {
            match self.real_part(top, &term, to)? {
                Some(part) => sums.push(part),
                None => others.push(term),
            }
        }
        let terms = others;
        if terms.is_empty() {
            return Some(sums);
        }
        let exponents = terms.iter().filter_map(|term| term.exponent).chain(top);
        let by = exponents
            .map(|id| self.type_of(id))
            .max()
            .unwrap_or(Type::U8);
        let mut kinds: Vec<(u32, Type, Vec<Value>)> = Vec::new();
        let mut plain = Vec::new();
        for term in &terms {
            let c = self.truth(term.condition)?;
            let e = match term.exponent {
                Some(exponent) => self.at(exponent, by)?,
                None => c,
            };
            let factors = self.factors(term.of).filter(|_| to <= Type::U64);
            match factors {
                Some((a, b, shift)) => {
                    let from = self.type_of(a).max(self.type_of(b));
                    let entry = [c, self.at(a, from)?, self.at(b, from)?, e];
                    match kinds
                        .iter_mut()
                        .find(|kind| (kind.0, kind.1) == (shift, from))
                    {
                        Some(kind) => kind.2.extend(entry),
                        None => kinds.push((shift, from, entry.to_vec())),
                    }
                }
                None => {
                    let x = self.at(term.of, to)?;
                    plain.extend([c, x, x, e]);
                }
            }
        }
        if kinds.is_empty() {
            kinds.push((0, Type::U8, Vec::new()));
        }
        let code = match top {
            Some(_) => Code::AlignedSum,
            None => Code::SignedSum,
        };
        let small = terms.iter().all(|term| self.has_headroom(term, to));
        let products = terms.iter().filter(|term| self.factors(term.of).is_some());
        let are_halves = small
            && to == Type::U32
            && products.clone().count() <= MOST_HALVES
            && products
                .map(|term| self.graph.range(term.of).bits())
                .all(|bits| bits < 16);
        for (shift, from, entries) in kinds {
            let count = entries.len() as u32 / 4;
            let form = match small {
                true if are_halves && from == Type::U8 && count >= LEAST_HALVES => 2,
                _ => u128::from(small),
            };
            let mut args = Vec::new();
            if let Some(top) = top {
                args.push(self.at(top, by)?);
            }
            args.extend(entries);
            args.extend(std::mem::take(&mut plain));
            let sum = Instruction::new(code, to, &args).from(from).by(by);
            sums.push(self.push(sum.shifts(shift, count).constant(form)));
        }
        Some(sums)
    }
}
