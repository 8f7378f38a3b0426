//! Aligned sums of products, computed in `f32`, which holds every product exactly. A factor
//! includes its sign and its exponent, and the conversion of a product to an integer cuts the bits
//! that alignment shifts out. No result in `f32` is rounded or subnormal.

use super::columns::{Columns, LANES, Memory, Stored};
use super::element::Element;
use super::features::truncated;
use super::step::{Operation, Step};
use std::marker::PhantomData;

const FRACTION_BITS: u32 = f32::MANTISSA_DIGITS - 1;
const SIGN: u32 = 1 << 31;

/// `x * 2^(e + k - 127)`, negated where a truth value holds; 127 is the bias of `f32`.
pub(super) struct Real<A, N>(PhantomData<(A, N)>);
impl<A: Stored, N: Stored> Operation for Real<A, N> {
    #[inline(always)]
    fn run(memory: &mut Memory, step: &Step) {
        let k = step.constants[0] as u32;
        let (to, columns) = memory.open::<u32>();
        let negative = columns.get::<u8>(step.args[0]);
        let x = columns.get::<A>(step.args[1]);
        let e = columns.get::<N>(step.args[2]);
        for lane in 0..LANES {
            let exponent = (e[lane].number() as u32).wrapping_add(k);
            let power = f32::from_bits(exponent << FRACTION_BITS);
            // The number is converted as a signed integer, for which there is one instruction.
            let number = x[lane].number() as i32 as f32 * power;
            let sign = u32::filled(negative[lane]) & SIGN;
            to[lane] = number.to_bits() ^ sign;
        }
        memory.close::<u32>(step.to);
    }
}

/// `2^(k - x - 127)`, where `x` is first limited from below and from above; 127 is the bias of
/// `f32`.
pub(super) struct Power<N>(PhantomData<N>);
impl<N: Stored> Operation for Power<N> {
    #[inline(always)]
    fn run(memory: &mut Memory, step: &Step) {
        let [k, limits] = step.constants;
        let (k, least, most) = (k as u32, limits as u32, (limits >> 64) as u32);
        let (to, columns) = memory.open::<u32>();
        let x = columns.get::<N>(step.args[0]);
        for lane in 0..LANES {
            let x = (x[lane].number() as u32).max(least).min(most);
            to[lane] = k.wrapping_sub(x) << FRACTION_BITS;
        }
        memory.close::<u32>(step.to);
    }
}

/// The sum of products of two numbers and a power of two, each product cut to an integer. With
/// `UNIFORM`, all lanes use the first number of each product from the first lane.
pub(super) struct SumOfReals<const UNIFORM: bool>;
impl<const UNIFORM: bool> Operation for SumOfReals<UNIFORM> {
    #[inline(always)]
    fn run(memory: &mut Memory, step: &Step) {
        let (to, columns) = memory.open::<u32>();
        let power = columns.get::<u32>(step.args[0]);
        to.fill(0);
        let (fours, rest) = step.list.as_chunks();
        for four in fours {
            let [x, y, z, w] = four.map(|pair| Product::<UNIFORM>::new(columns, pair));
            for lane in 0..LANES {
                let power = f32::from_bits(power[lane]);
                let pair = x.at(lane, power).wrapping_add(y.at(lane, power));
                let other = z.at(lane, power).wrapping_add(w.at(lane, power));
                to[lane] = to[lane].wrapping_add(pair).wrapping_add(other);
            }
        }
        for pair in rest {
            let x = Product::<UNIFORM>::new(columns, *pair);
            for lane in 0..LANES {
                let power = f32::from_bits(power[lane]);
                to[lane] = to[lane].wrapping_add(x.at(lane, power));
            }
        }
        memory.close::<u32>(step.to);
    }
}

struct Product<'x, const UNIFORM: bool> {
    factors: [&'x [u32; LANES]; 2],
    first: f32,
}

impl<'x, const UNIFORM: bool> Product<'x, UNIFORM> {
    #[inline(always)]
    fn new(columns: &'x Columns, [x, y, ..]: [u16; 4]) -> Self {
        let factors = [columns.get(x), columns.get(y)];
        let first = f32::from_bits(factors[0][0]);
        Product { factors, first }
    }

    #[inline(always)]
    fn at(&self, lane: usize, power: f32) -> u32 {
        let x = if UNIFORM {
            self.first
        } else {
            f32::from_bits(self.factors[0][lane])
        };
        truncated(x * power * f32::from_bits(self.factors[1][lane])) as u32
    }
}
