//! Operations on any number of columns: sums and conjunctions. Each operation takes a few columns
//! at a time, and processes all lanes of these columns before it takes the next ones.

use super::columns::{ColumnStore, ColumnType, LANES, Memory};
use super::step::{ColumnOperation, TapeStep};
use std::marker::PhantomData;

/// Whether there is no pair in which both truth values hold. Bits of the step's constants negate
/// truth values first.
pub(super) struct NoPair;
impl ColumnOperation for NoPair {
    #[inline(always)]
    fn run(memory: &mut Memory, step: &TapeStep) {
        let (to, columns) = memory.open::<u8>();
        to.fill(0xff);
        let [mut first, mut second] = step.constants;
        let (pairs, rest) = step.list.as_chunks();
        for &[one, other] in pairs {
            let one = Pair::new(columns, one, [first, second]);
            let other = Pair::new(columns, other, [first >> 1, second >> 1]);
            (first, second) = (first >> 2, second >> 2);
            for (lane, to) in to.iter_mut().enumerate() {
                *to &= !(one.at(lane) | other.at(lane));
            }
        }
        for &one in rest {
            let one = Pair::new(columns, one, [first, second]);
            for (lane, to) in to.iter_mut().enumerate() {
                *to &= !one.at(lane);
            }
        }
        memory.close::<u8>(step.to);
    }
}

/// Two truth values, each of which may be negated.
struct Pair<'x> {
    truths: [&'x [u8; LANES]; 2],
    negations: [u8; 2],
}

impl<'x> Pair<'x> {
    /// The pair of the first two columns in `entry`. If the lowest bit of the first or second
    /// number in `bits` is set, the first or second truth value is negated.
    #[inline(always)]
    fn new(columns: &'x ColumnStore, entry: [u16; 4], bits: [u128; 2]) -> Self {
        Pair {
            truths: [columns.get(entry[0]), columns.get(entry[1])],
            negations: bits.map(|bits| 0u8.wrapping_sub((bits & 1) as u8)),
        }
    }

    /// Whether both truth values of the pair hold in this lane.
    #[inline(always)]
    fn at(&self, lane: usize) -> u8 {
        let [x, y] = self.truths;
        let [a, b] = self.negations;
        (x[lane] ^ a) & (y[lane] ^ b)
    }
}

/// The sum of numbers, each negated where its truth value holds. The first `shifts[1]` numbers are
/// products of factors of type `A`, shifted left by `shifts[0]`. An entry of the list has four
/// columns: a truth value, a number or a first factor, a second factor, and an exponent.
///
/// With `BY`, each number is shifted right by `args[0]` less the number's own exponent before it is
/// negated. With `SMALL`, the highest bits of factors and of numbers are zeros, so that products
/// and shifts by more than the width are faster. With `UNIFORM`, all lanes use the first factor of
/// each product from the first lane.
pub(super) struct SignedSum<T, A, N, const BY: bool, const SMALL: bool, const UNIFORM: bool>(
    PhantomData<(T, A, N)>,
);
impl<
    T: ColumnType,
    A: ColumnType,
    N: ColumnType,
    const BY: bool,
    const SMALL: bool,
    const UNIFORM: bool,
> ColumnOperation for SignedSum<T, A, N, BY, SMALL, UNIFORM>
{
    #[inline(always)]
    fn run(memory: &mut Memory, step: &TapeStep) {
        let (products, plain) = step.parts();
        let (to, columns) = memory.open::<T>();
        to.fill(T::default());
        let (pairs, rest) = products.as_chunks();
        for &[one, other] in pairs {
            let one = ProductTerm::<T, A, N, BY, SMALL, UNIFORM>::product(columns, step, one);
            let other = ProductTerm::<T, A, N, BY, SMALL, UNIFORM>::product(columns, step, other);
            for (lane, to) in to.iter_mut().enumerate() {
                *to = to.add(one.at(lane)).add(other.at(lane));
            }
        }
        for &one in rest {
            let one = ProductTerm::<T, A, N, BY, SMALL, UNIFORM>::product(columns, step, one);
            for (lane, to) in to.iter_mut().enumerate() {
                *to = to.add(one.at(lane));
            }
        }
        add_plain::<T, N, BY, SMALL>(to, columns, step, plain);
        memory.close::<T>(step.to);
    }
}

/// Adds to `to` those numbers of a sum that are not products.
#[inline(always)]
pub(super) fn add_plain<T: ColumnType, N: ColumnType, const BY: bool, const SMALL: bool>(
    to: &mut [T; LANES],
    columns: &ColumnStore,
    step: &TapeStep,
    plain: &[[u16; 4]],
) {
    for &[c, x, _, e] in plain {
        let x = columns.get::<T>(x);
        let sign = Sign::<N, BY>::new(columns, step, [c, e]);
        for lane in 0..LANES {
            to[lane] = to[lane].add(sign.applied::<T, SMALL>(x[lane], lane));
        }
    }
}

/// One of the products in a sum.
pub(super) struct ProductTerm<'x, T, A, N, const BY: bool, const SMALL: bool, const UNIFORM: bool> {
    factors: [&'x [A; LANES]; 2],
    shift: u32,
    sign: Sign<'x, N, BY>,
    sum: PhantomData<T>,
}

impl<
    'x,
    T: ColumnType,
    A: ColumnType,
    N: ColumnType,
    const BY: bool,
    const SMALL: bool,
    const UNIFORM: bool,
> ProductTerm<'x, T, A, N, BY, SMALL, UNIFORM>
{
    #[inline(always)]
    pub(super) fn product(
        columns: &'x ColumnStore,
        step: &TapeStep,
        [c, x, y, e]: [u16; 4],
    ) -> Self {
        ProductTerm {
            factors: [columns.get(x), columns.get(y)],
            shift: step.shifts[0],
            sign: Sign::new(columns, step, [c, e]),
            sum: PhantomData,
        }
    }

    #[inline(always)]
    pub(super) fn at(&self, lane: usize) -> T {
        let [x, y] = self.factors;
        let [x, y] = [x[if UNIFORM { 0 } else { lane }], y[lane]].map(|factor| {
            if SMALL {
                T::of(factor.signed() as u128)
            } else {
                T::of(factor.number())
            }
        });
        // A left shift of the factor gives the same product modulo 2^width as a left shift of the
        // product. A factor that all lanes share is shifted before the multiplication, so that it
        // is shifted only once.
        let product = if UNIFORM {
            x.shl_const(self.shift).mul(y)
        } else {
            x.mul(y).shl_const(self.shift)
        };
        self.sign.applied::<T, SMALL>(product, lane)
    }
}

/// The negation and the alignment of one number in a sum.
struct Sign<'x, N, const BY: bool> {
    truth: &'x [u8; LANES],
    /// If the sum is aligned: the exponent that all numbers are aligned to, and the exponent of
    /// this number.
    exponents: Option<[&'x [N; LANES]; 2]>,
}

impl<'x, N: ColumnType, const BY: bool> Sign<'x, N, BY> {
    #[inline(always)]
    fn new(columns: &'x ColumnStore, step: &TapeStep, [c, e]: [u16; 2]) -> Self {
        Sign {
            truth: columns.get(c),
            exponents: BY.then(|| [columns.get(step.args[0]), columns.get(e)]),
        }
    }

    #[inline(always)]
    fn applied<T: ColumnType, const SMALL: bool>(&self, number: T, lane: usize) -> T {
        let shifted = match self.exponents {
            None => number,
            Some([top, e]) => {
                let by = top[lane].sub(e[lane]);
                if SMALL {
                    let most = N::of(u128::from(T::TYPE.bits() - 1));
                    let by = if by < most { by } else { most };
                    number.shr_const(by.number() as u32)
                } else {
                    number.shr(T::of(by.number()))
                }
            }
        };
        let all = T::filled(self.truth[lane]);
        shifted.xor(all).sub(all)
    }
}
