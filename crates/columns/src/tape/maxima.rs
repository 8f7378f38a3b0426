//! The maximum of any number of columns, and the maximum of conditional sums: sums of two columns
//! that count only where two truth values hold. An example is the exponent that products are
//! aligned to.

use super::columns::{ColumnStore, ColumnType, LANES, Memory};
use super::pairs::{Pairs, TOGETHER};
use super::step::{ColumnOperation, TapeStep};
use std::marker::PhantomData;

/// The maximum of any number of numbers.
pub(super) struct Maximum<T>(PhantomData<T>);
impl<T: ColumnType> ColumnOperation for Maximum<T> {
    #[inline(always)]
    fn run(memory: &mut Memory, step: &TapeStep) {
        let (to, columns) = memory.open::<T>();
        to.fill(T::default());
        let (fours, rest) = step.list.as_chunks();
        for four in fours {
            let [x, y, z, w] = four.map(|entry: [u16; 4]| columns.get::<T>(entry[0]));
            for lane in 0..LANES {
                let pair = greater(x[lane], y[lane]);
                let other = greater(z[lane], w[lane]);
                to[lane] = greater(to[lane], greater(pair, other));
            }
        }
        raise(to, columns, rest);
        memory.close::<T>(step.to);
    }
}

/// The greatest of sums of two numbers, at least one sum. With `UNIFORM`, all lanes use the first
/// number of a sum from the first lane.
///
/// If the greatest sum exceeds the low quarter of the step's second constant, its second quarter is
/// added to it; else it is replaced by the third quarter.
pub(super) struct MaximumOfPairs<T, const UNIFORM: bool>(PhantomData<T>);
impl<T: ColumnType, const UNIFORM: bool> ColumnOperation for MaximumOfPairs<T, UNIFORM> {
    #[inline(always)]
    fn run(memory: &mut Memory, step: &TapeStep) {
        let (to, columns) = memory.open::<T>();
        to.fill(T::default());
        let (groups, rest) = step.list.as_chunks();
        for group in groups {
            raise_by_pairs::<T, TOGETHER, UNIFORM>(to, columns, group);
        }
        for pair in rest {
            raise_by_pairs::<T, 1, UNIFORM>(to, columns, &[*pair]);
        }
        let [least, more, otherwise] = [0, 32, 64].map(|by| T::of(step.constants[1] >> by));
        for to in to.iter_mut() {
            *to = if *to > least { to.add(more) } else { otherwise };
        }
        memory.close::<T>(step.to);
    }
}

/// In every lane, replaces `to` by the greatest of `to` and `N` sums of two numbers.
#[inline(always)]
fn raise_by_pairs<T: ColumnType, const N: usize, const UNIFORM: bool>(
    to: &mut [T; LANES],
    columns: &ColumnStore,
    pairs: &[[u16; 4]; N],
) {
    let pairs = Pairs::<T, N, UNIFORM>::new(columns, pairs);
    for (lane, to) in to.iter_mut().enumerate() {
        let mut greatest = *to;
        for index in 0..N {
            let (x, y) = pairs.at(index, lane);
            greatest = greater(greatest, x.add(y));
        }
        *to = greatest;
    }
}

/// The maximum of sums and numbers. The first `shifts[1]` entries of the list are sums that count
/// only where two truth values hold; the other entries are numbers. With `UNIFORM`, all lanes use
/// the first number and the first truth value of a sum from the first lane.
pub(super) struct MaximumOfSums<T, const UNIFORM: bool>(PhantomData<T>);
impl<T: ColumnType, const UNIFORM: bool> ColumnOperation for MaximumOfSums<T, UNIFORM> {
    #[inline(always)]
    fn run(memory: &mut Memory, step: &TapeStep) {
        let (sums, plain) = step.parts();
        let (to, columns) = memory.open::<T>();
        to.fill(T::default());
        // Where a sum does not count, a constant replaces it. The constant is usually zero, the
        // least number of all.
        match step.constants[1] {
            0 => greatest::<T, UNIFORM, false>(to, columns, step, sums),
            _ => greatest::<T, UNIFORM, true>(to, columns, step, sums),
        }
        raise(to, columns, plain);
        memory.close::<T>(step.to);
    }
}

/// In every lane, replaces `to` by the greatest of `to` and the sums. With `ELSE`, the constant
/// that replaces a sum that does not count may be any number; without `ELSE`, it is zero.
#[inline(always)]
fn greatest<T: ColumnType, const UNIFORM: bool, const ELSE: bool>(
    to: &mut [T; LANES],
    columns: &ColumnStore,
    step: &TapeStep,
    sums: &[[u16; 4]],
) {
    let (fours, rest) = sums.as_chunks();
    for four in fours {
        let [x, y, z, w] =
            four.map(|entry| ConditionalSum::<T, UNIFORM, ELSE>::new(columns, step, entry));
        for (lane, to) in to.iter_mut().enumerate() {
            let pair = greater(x.at(lane), y.at(lane));
            let other = greater(z.at(lane), w.at(lane));
            *to = greater(*to, greater(pair, other));
        }
    }
    for entry in rest {
        let x = ConditionalSum::<T, UNIFORM, ELSE>::new(columns, step, *entry);
        for (lane, to) in to.iter_mut().enumerate() {
            *to = greater(*to, x.at(lane));
        }
    }
}

/// A sum of two numbers and a constant. The sum counts only where two truth values hold; elsewhere,
/// another constant replaces it.
pub(super) struct ConditionalSum<'x, T, const UNIFORM: bool, const ELSE: bool> {
    numbers: [&'x [T; LANES]; 2],
    truths: [&'x [u8; LANES]; 2],
    first: (T, u8),
    k: T,
    otherwise: T,
    changes: [u8; 2],
}

impl<'x, T: ColumnType, const UNIFORM: bool, const ELSE: bool>
    ConditionalSum<'x, T, UNIFORM, ELSE>
{
    #[inline(always)]
    pub(super) fn new(columns: &'x ColumnStore, step: &TapeStep, [x, y, c, d]: [u16; 4]) -> Self {
        let [k, otherwise] = step.constants.map(T::of);
        let [a, b, ..] = step.shifts[0].to_le_bytes();
        let numbers = [x, y].map(|column| columns.get::<T>(column));
        let truths = [c, d].map(|column| columns.get::<u8>(column));
        ConditionalSum {
            first: (numbers[0][0].add(k), truths[0][0] ^ a),
            numbers,
            truths,
            k,
            otherwise,
            changes: [a, b],
        }
    }

    #[inline(always)]
    pub(super) fn at(&self, lane: usize) -> T {
        let ([x, y], [c, d], [a, b]) = (self.numbers, self.truths, self.changes);
        let (x, c) = if UNIFORM {
            self.first
        } else {
            (x[lane].add(self.k), c[lane] ^ a)
        };
        // Masks are used because the compiler turns a choice between an addition and a constant
        // into a branch for each lane.
        let both = T::filled(c & (d[lane] ^ b));
        let sum = x.add(y[lane]);
        if ELSE {
            sum.xor(self.otherwise).and(both).xor(self.otherwise)
        } else {
            sum.and(both)
        }
    }
}

/// In every lane, replaces `to` by the greatest of `to` and the numbers.
#[inline(always)]
fn raise<T: ColumnType>(to: &mut [T; LANES], columns: &ColumnStore, numbers: &[[u16; 4]]) {
    for entry in numbers {
        let x = columns.get::<T>(entry[0]);
        for lane in 0..LANES {
            to[lane] = greater(to[lane], x[lane]);
        }
    }
}

#[inline(always)]
fn greater<T: ColumnType>(x: T, y: T) -> T {
    if x > y { x } else { y }
}
