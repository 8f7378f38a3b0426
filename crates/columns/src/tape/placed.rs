//! Sums of numbers that are shifted left by exponents over more than 64 bits: an exact sum of products.
//! They are computed as two sums in 64 bits, of the numbers with small and with large exponents,
//! because vector registers have no lanes of 128 bits.

use super::columns::{Column, ColumnStore, ColumnType, LANES, Memory};
use super::element::{Element, Type};
use super::instruction::{Code, Instruction, Value};
use super::lower::Lowering;
use super::step::{ColumnOperation, TapeStep};
use mmasmt_numbers::bits::ranged::{RangedNode, RangedNodeId};
use std::marker::PhantomData;

/// The fewest numbers of such a sum.
const LEAST_NUMBERS: usize = 3;

/// How many numbers are added in one pass over the lanes.
const TOGETHER: usize = 4;

/// A number in a sum: negated where the condition holds, and shifted left by the exponent.
#[derive(Clone, Copy)]
pub(super) struct PlacedNumber {
    condition: RangedNodeId,
    of: RangedNodeId,
    exponent: RangedNodeId,
}

impl Lowering<'_> {
    /// The term of a sum, if it is a number of less than 32 bits that is shifted left by an exponent
    /// without losing bits.
    pub(super) fn placed(&self, condition: RangedNodeId, of: RangedNodeId) -> Option<PlacedNumber> {
        let RangedNode::Shl(inner, exponent, width) = *self.graph.node(of) else {
            return None;
        };
        let (number, by) = (self.graph.range(inner), self.graph.range(exponent));
        let is_narrow = number.bits() < u32::BITS && self.type_of(exponent) <= Type::U16;
        let is_exact = i128::from(number.bits()) + by.hi <= i128::from(width);
        let plain = is_narrow && is_exact && !number.is_signed() && !by.is_signed();
        (plain && self.is_single(of)).then_some(PlacedNumber {
            condition,
            of: inner,
            exponent,
        })
    }

    /// The sum of the numbers in 128 bits. The inner `None` says that there are too few of them, or
    /// that a half does not fit 64 bits.
    pub(super) fn sum_of_placed(&mut self, terms: &[PlacedNumber]) -> Option<Option<Value>> {
        let range = |id| self.graph.range(id);
        let bits = terms.iter().map(|term| range(term.of).bits()).max();
        let most = terms.iter().map(|term| range(term.exponent).hi).max();
        let (Some(bits), Some(most)) = (bits, most) else {
            return Some(None);
        };
        // Exponents below `half` count for the low sum, the others, less `half`, for the high one.
        let half = most / 2 + 1;
        let carries = i128::from(usize::BITS - terms.len().leading_zeros());
        let is_narrow = i128::from(bits) + half + carries < i128::from(u64::BITS);
        if terms.len() < LEAST_NUMBERS || !is_narrow {
            return Some(None);
        }
        // Numbers have room for a sign.
        let from = Type::of(bits + 1);
        let by = terms.iter().map(|term| self.type_of(term.exponent)).max();
        let by = by.unwrap_or(Type::U8);
        let mut args = Vec::new();
        for term in terms {
            let truth = self.truth(term.condition)?;
            let number = self.at(term.of, from)?;
            args.extend([truth, number, number, self.at(term.exponent, by)?]);
        }
        let sum = Instruction::new(Code::SumOfPlaced, Type::U128, &args);
        Some(Some(
            self.push(sum.from(from).by(by).shifts(half as u32, 0)),
        ))
    }
}

/// The sum of numbers whose highest bit is zero, each negated where its truth value holds and shifted
/// left by its exponent. Exponents from `shifts[0]` on count for the high half.
pub(super) struct PlacedSum<A, N>(PhantomData<(A, N)>);
impl<A: ColumnType, N: ColumnType> ColumnOperation for PlacedSum<A, N> {
    #[inline(always)]
    fn run(memory: &mut Memory, step: &TapeStep) {
        let (to, columns) = memory.open::<u128>();
        let mut low = Column([0u64; LANES]);
        let mut high = Column([0u64; LANES]);
        let half = step.shifts[0];
        let (groups, rest) = step.list.as_chunks::<TOGETHER>();
        for group in groups {
            let group = group.map(|entry| Number::<A, N>::new(columns, half, entry));
            for lane in 0..LANES {
                for number in &group {
                    let [less, more] = number.at(lane);
                    low.0[lane] = low.0[lane].add(less);
                    high.0[lane] = high.0[lane].add(more);
                }
            }
        }
        for entry in rest {
            let number = Number::<A, N>::new(columns, half, *entry);
            for lane in 0..LANES {
                let [less, more] = number.at(lane);
                low.0[lane] = low.0[lane].add(less);
                high.0[lane] = high.0[lane].add(more);
            }
        }
        for (lane, to) in to.iter_mut().enumerate() {
            let [low, high] = [low.0[lane], high.0[lane]].map(|half| half.signed() as u128);
            *to = low.add(high.shl_const(half));
        }
        memory.close::<u128>(step.to);
    }
}

/// One number of a sum.
struct Number<'x, A, N> {
    truth: &'x [u8; LANES],
    number: &'x [A; LANES],
    exponent: &'x [N; LANES],
    half: N,
}

impl<'x, A: ColumnType, N: ColumnType> Number<'x, A, N> {
    #[inline(always)]
    fn new(columns: &'x ColumnStore, half: u32, [c, x, _, e]: [u16; 4]) -> Self {
        Number {
            truth: columns.get(c),
            number: columns.get(x),
            exponent: columns.get(e),
            half: N::of(half.into()),
        }
    }

    /// What the number adds to the low and to the high sum. A shift by 64 or more leaves nothing.
    #[inline(always)]
    fn at(&self, lane: usize) -> [u64; 2] {
        let e = self.exponent[lane];
        let none = N::of(u64::BITS.into());
        let less = if e < self.half { e } else { none };
        let more = if e < self.half {
            none
        } else {
            e.sub(self.half)
        };
        let all = A::filled(self.truth[lane]);
        let number = self.number[lane].xor(all).sub(all);
        let number = u64::of(number.signed() as u128);
        [less, more].map(|by| number.shl(u64::of(by.number())))
    }
}
