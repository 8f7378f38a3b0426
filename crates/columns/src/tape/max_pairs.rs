//! Lowering of a maximum of sums of two numbers, one of each side, that count only where neither
//! side is zero: the exponent that products are aligned to, for tapes that are split. Each side
//! raises its numbers above all differences between them, and puts zero in the place of a number
//! that does not count; the greatest sum is then found without conditions.

use super::element::Type;
use super::instruction::{Code, Instruction, Value};
use super::lower::Lowering;
use super::side::Side;
use mmasmt_numbers::bits::ranged::{RangedLiteral, RangedNode, RangedNodeId};

/// A number of one side, and the condition under which it does not count.
#[derive(Clone, Copy)]
struct Number {
    of: RangedNodeId,
    absent: RangedNodeId,
}

/// A sum of two numbers and a constant, and the constant that replaces it where one of the numbers
/// does not count.
struct PairSum {
    numbers: [Number; 2],
    offset: i128,
    otherwise: i128,
}

impl Lowering<'_> {
    /// The value of the maximum of these nodes in the type `to`; the inner `None` says that too few
    /// of them are such sums.
    pub(super) fn maximum_of_pairs(
        &mut self,
        all: &[RangedNodeId],
        to: Type,
    ) -> Option<Option<Value>> {
        let sums: Vec<Option<PairSum>> = all.iter().map(|id| self.pair_sum(*id)).collect();
        let Some(first) = sums.iter().flatten().next() else {
            return Some(None);
        };
        let (offset, otherwise) = (first.offset, first.otherwise);
        // A number is raised, so that zero is below it by more than all numbers differ.
        let lows = [0, 1].map(|side: usize| self.graph.range(first.numbers[side].of).lo);
        let is_like_first = |sum: &&PairSum| {
            let own = sum.numbers.map(|number| self.graph.range(number.of).lo);
            (sum.offset, sum.otherwise, own) == (offset, otherwise, lows)
        };
        let alike = || sums.iter().flatten().filter(is_like_first);
        let spread = |number: &Number| {
            let range = self.graph.range(number.of);
            range.hi - range.lo
        };
        let raised = 1 + alike().flat_map(|sum| &sum.numbers).map(spread).max()?;
        let bits = u128::BITS - (4 * raised as u128).leading_zeros();
        let least = 2 * raised;
        if alike().count() < self.least_products() || bits > 16 {
            return Some(None);
        }
        let of = Type::of(bits);
        // Where no sum counts, the greatest is below that of two raised numbers. A sum that counts is
        // never below the constant that replaces others.
        let back = offset + lows[0] + lows[1] - least;
        let fits = |number: i128| (number as u128 & of.mask()) as i128 == number;
        let is_narrow = fits(otherwise)
            && offset + lows[0] + lows[1] >= otherwise
            && fits(offset + lows[0] + lows[1] + 2 * (raised - 1));
        if !is_narrow {
            return Some(None);
        }
        let (mut args, mut others) = (Vec::new(), Vec::new());
        for (id, sum) in all.iter().zip(&sums) {
            match sum.as_ref().filter(is_like_first) {
                Some(sum) => {
                    for (number, low) in sum.numbers.iter().zip(lows) {
                        args.push(self.raised(*number, raised - low, of)?);
                    }
                }
                None => others.push(self.at(*id, to)?),
            }
        }
        let rule = [least - 1, back, otherwise].map(|number| number as u128 & of.mask());
        let rule = rule[0] | rule[1] << 32 | rule[2] << 64;
        let greatest = Instruction::new(Code::MaximumOfPairs, of, &args).constants(0, rule);
        let greatest = self.push(greatest);
        let chosen = self.converted(greatest, false, to);
        if others.is_empty() {
            return Some(Some(chosen));
        }
        others.push(chosen);
        Some(Some(self.push(Instruction::new(
            Code::Maximum,
            to,
            &others,
        ))))
    }

    /// The number plus a constant, or zero where it does not count.
    fn raised(&mut self, number: Number, more: i128, to: Type) -> Option<Value> {
        let value = self.at(number.of, to)?;
        let absent = self.truth(number.absent)?;
        let more = more as u128 & to.mask();
        let sum = self.push(Instruction::new(Code::Scale, to, &[value]).constant(more));
        Some(self.push(Instruction::new(Code::ChooseThen, to, &[absent, sum])))
    }

    fn pair_sum(&self, id: RangedNodeId) -> Option<PairSum> {
        let origins = self.origins.as_ref()?;
        let RangedNode::Ite(_, then, otherwise) = *self.graph.node(id) else {
            return None;
        };
        let otherwise = [then, otherwise]
            .into_iter()
            .find_map(|id| self.constant_of(id))?;
        let (sum, holds) = self.chosen(id);
        let RangedLiteral {
            node,
            negated: false,
        } = holds?
        else {
            return None;
        };
        let RangedNode::And(one, other) = *self.graph.node(node) else {
            return None;
        };
        let RangedNode::Sum(ref terms, offset) = *self.graph.node(sum) else {
            return None;
        };
        let [(e, 1), (f, 1)] = **terms else {
            return None;
        };
        if !(one.negated && other.negated) {
            return None;
        }
        let on = |side: Side, nodes: [RangedNodeId; 2]| {
            nodes.into_iter().find(|id| origins.side(*id) == Some(side))
        };
        let number = |side| {
            Some(Number {
                of: on(side, [e, f]).filter(|of| !self.is_signed(*of))?,
                absent: on(side, [one.node, other.node])?,
            })
        };
        Some(PairSum {
            numbers: [number(Side::Left)?, number(Side::Right)?],
            offset,
            otherwise,
        })
    }
}
