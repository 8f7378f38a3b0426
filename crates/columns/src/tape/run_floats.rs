//! Operations of IEEE 754 of one row and a strip of columns, in vector registers.

use super::columns::LANES;
use super::float_chain::{FloatChain, FloatStep, MOST_NUMBERS, TinyNumbers};
use super::narrow::Groups;
use super::run_link::{MAGNITUDE, QUARTERS};
use super::strips::{LinkStrip, Sides};
use super::wide::WideVector;

const SIGN: u32 = !MAGNITUDE;
/// The registers of the least normal number of `f32`, and of the greatest number.
const LEAST_NORMAL: u32 = 1 << (f32::MANTISSA_DIGITS - 1);
const GREATEST: u32 = f32::MAX.to_bits();

/// The kinds of [`TinyNumbers`] in a loop over products.
const KEPT: u8 = 0;
const SIGNED_ZERO: u8 = 1;
const PLUS_ZERO: u8 = 2;
const AFTER_ROUNDING: u8 = 3;

/// A number in all columns of a strip.
type StripNumbers<V> = [V; QUARTERS];

/// The factors of a product: of all rows, and of a strip of columns.
type FloatFactors<'x, const S: usize> = (&'x [u32; LANES], &'x [u32; S]);

/// A step of a link, with what it reads.
enum StripStep<'x, const S: usize> {
    Addend(TinyNumbers),
    Constant(u32),
    Product(FloatFactors<'x, S>, TinyNumbers),
    RoundedProduct(FloatFactors<'x, S>, TinyNumbers, TinyNumbers),
    Products(Vec<FloatFactors<'x, S>>, TinyNumbers),
    Sum(TinyNumbers),
    OddSum(TinyNumbers),
}

/// A link with the numbers that it reads, of rows and of `S` columns.
pub(super) struct FloatStrip<'x, const S: usize> {
    steps: Vec<StripStep<'x, S>>,
}

impl<'x, const S: usize> FloatStrip<'x, S> {
    pub(super) fn new(sides: &'x Sides<'x>, chain: &FloatChain, start: usize) -> Self {
        let factors = |[left, right]: [usize; 2]| -> FloatFactors<'x, S> {
            let right: &[u32; LANES] = sides.column(1, right);
            (sides.column(0, left), &right.as_chunks().0[start / S])
        };
        let steps = chain.steps.iter().map(|step| match step {
            FloatStep::Addend(tiny) => StripStep::Addend(*tiny),
            FloatStep::Constant(register) => StripStep::Constant(*register),
            FloatStep::Product(pair, tiny) => StripStep::Product(factors(*pair), *tiny),
            FloatStep::RoundedProduct(pair, own, tiny) => {
                StripStep::RoundedProduct(factors(*pair), *own, *tiny)
            }
            FloatStep::Products(pairs, tiny) => {
                StripStep::Products(pairs.iter().map(|pair| factors(*pair)).collect(), *tiny)
            }
            FloatStep::Sum(tiny) => StripStep::Sum(*tiny),
            FloatStep::OddSum(tiny) => StripStep::OddSum(*tiny),
        });
        FloatStrip {
            steps: steps.collect(),
        }
    }
}

impl<const S: usize> LinkStrip<S> for FloatStrip<'_, S> {
    /// It gives up if a result is no finite number, and if a number on the way may have been tiny.
    #[inline(always)]
    fn run<V: Groups>(&self, row: usize, c: &[u32; S], d: &mut [u32; S]) -> bool {
        let mut stack = [[V::same(0.0); QUARTERS]; MOST_NUMBERS];
        let (mut top, mut count) = (stack[0], 0);
        // How far numbers are from the least normal one, for those that may have been tiny.
        let mut apart = V::integers(u32::MAX);
        for step in &self.steps {
            if let StripStep::Addend(_) | StripStep::Constant(_) | StripStep::Product(..) = step {
                stack[count % MOST_NUMBERS] = top;
                count += 1;
            }
            match step {
                StripStep::Addend(tiny) => {
                    for (quarter, top) in top.iter_mut().enumerate() {
                        *top = V::load(c, quarter * V::WIDTH);
                    }
                    flush(&mut top, *tiny, &mut apart);
                }
                StripStep::Constant(register) => {
                    top = [V::same(f32::from_bits(*register)); QUARTERS]
                }
                StripStep::Product(factors, tiny) => {
                    top = product(factors, row);
                    flush(&mut top, *tiny, &mut apart);
                }
                StripStep::RoundedProduct(factors, own, tiny) => {
                    let mut products = product(factors, row);
                    flush(&mut products, *own, &mut apart);
                    for (top, product) in top.iter_mut().zip(products) {
                        *top = top.added(product);
                    }
                    flush(&mut top, *tiny, &mut apart);
                }
                StripStep::Products(factors, tiny) => match tiny {
                    TinyNumbers::Kept => add::<V, S, KEPT>(factors, row, &mut top, &mut apart),
                    TinyNumbers::SignedZero => {
                        add::<V, S, SIGNED_ZERO>(factors, row, &mut top, &mut apart);
                    }
                    TinyNumbers::PlusZero => {
                        add::<V, S, PLUS_ZERO>(factors, row, &mut top, &mut apart);
                    }
                    TinyNumbers::AfterRounding => {
                        add::<V, S, AFTER_ROUNDING>(factors, row, &mut top, &mut apart);
                    }
                },
                StripStep::Sum(tiny) => {
                    count -= 1;
                    for (top, other) in top.iter_mut().zip(stack[count % MOST_NUMBERS]) {
                        *top = top.added(other);
                    }
                    flush(&mut top, *tiny, &mut apart);
                }
                StripStep::OddSum(tiny) => {
                    count -= 1;
                    for (top, other) in top.iter_mut().zip(stack[count % MOST_NUMBERS]) {
                        *top = top.odd_sum(other);
                    }
                    flush(&mut top, *tiny, &mut apart);
                }
            }
        }
        let mut greatest = V::zeros();
        for (quarter, top) in top.into_iter().enumerate() {
            let magnitude = V::both(top.registers(), V::integers(MAGNITUDE));
            greatest = V::greater(greatest, magnitude);
            V::store(top.registers(), d, quarter * V::WIDTH);
        }
        let is_near = V::any_above(V::integers(1), apart);
        !is_near && !V::any_above(greatest, V::integers(GREATEST))
    }
}

#[inline(always)]
fn product<V: WideVector, const S: usize>(
    (left, right): &FloatFactors<'_, S>,
    row: usize,
) -> StripNumbers<V> {
    let mut all = [V::same(f32::from_bits(left[row])); QUARTERS];
    for (quarter, product) in all.iter_mut().enumerate() {
        *product = product.times(V::load(*right, quarter * V::WIDTH));
    }
    all
}

/// Adds products; `TINY` is what becomes of tiny sums.
#[inline(always)]
fn add<V: WideVector, const S: usize, const TINY: u8>(
    factors: &[FloatFactors<'_, S>],
    row: usize,
    sums: &mut StripNumbers<V>,
    apart: &mut V::Integers,
) {
    let (mut all, mut nearest) = (*sums, *apart);
    for (left, right) in factors {
        let x = V::same(f32::from_bits(left[row]));
        for (quarter, sum) in all.iter_mut().enumerate() {
            *sum = sum.plus_product(x, V::load(*right, quarter * V::WIDTH));
            if TINY == AFTER_ROUNDING {
                near(*sum, &mut nearest);
            }
            if TINY != KEPT {
                *sum = normal(*sum, if TINY == PLUS_ZERO { 0 } else { SIGN });
            }
        }
    }
    (*sums, *apart) = (all, nearest);
}

/// The number, or its bits in `kept` if it is below the normal numbers.
#[inline(always)]
fn normal<V: WideVector>(number: V, kept: u32) -> V {
    let least = V::integers(LEAST_NORMAL);
    V::of(V::less_kept(number.registers(), least, V::integers(kept)))
}

/// Notes how far above the least normal number a number is.
#[inline(always)]
fn near<V: WideVector>(number: V, apart: &mut V::Integers) {
    let magnitude = V::both(number.registers(), V::integers(MAGNITUDE));
    *apart = V::lesser(*apart, V::minus(magnitude, V::integers(LEAST_NORMAL)));
}

#[inline(always)]
fn flush<V: WideVector>(numbers: &mut StripNumbers<V>, tiny: TinyNumbers, apart: &mut V::Integers) {
    for number in numbers {
        match tiny {
            TinyNumbers::Kept => {}
            TinyNumbers::SignedZero => *number = normal(*number, SIGN),
            TinyNumbers::PlusZero => *number = normal(*number, 0),
            TinyNumbers::AfterRounding => {
                near(*number, apart);
                *number = normal(*number, SIGN);
            }
        }
    }
}
