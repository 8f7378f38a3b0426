//! Aligned sums of products, computed in `f32`, which holds every product exactly. A factor
//! includes its sign and its exponent, and the conversion of a product to an integer cuts the bits
//! that alignment shifts out. No result in `f32` is rounded or subnormal.

use super::columns::{ColumnStore, ColumnType, LANES, Memory};
use super::element::Element;
use super::pairs::TOGETHER;
use super::step::{ColumnOperation, TapeStep, VectorOperation};
use super::vectors::FloatVector;
use std::marker::PhantomData;

const FRACTION_BITS: u32 = f32::MANTISSA_DIGITS - 1;
const SIGN: u32 = 1 << 31;

/// `x * 2^(e + k - 127)`, negated where a truth value holds; 127 is the bias of `f32`.
pub(super) struct Real<A, N>(PhantomData<(A, N)>);
impl<A: ColumnType, N: ColumnType> ColumnOperation for Real<A, N> {
    #[inline(always)]
    fn run(memory: &mut Memory, step: &TapeStep) {
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
impl<N: ColumnType> ColumnOperation for Power<N> {
    #[inline(always)]
    fn run(memory: &mut Memory, step: &TapeStep) {
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
impl<const UNIFORM: bool> VectorOperation for SumOfReals<UNIFORM> {
    #[inline(always)]
    fn run<V: FloatVector>(memory: &mut Memory, step: &TapeStep) {
        let (to, columns) = memory.open::<u32>();
        let power = columns.get::<u32>(step.args[0]);
        to.fill(0);
        let (groups, rest) = step.list.as_chunks::<TOGETHER>();
        for group in groups {
            add_products::<V, TOGETHER, UNIFORM>(to, columns, power, group);
        }
        for pair in rest {
            add_products::<V, 1, UNIFORM>(to, columns, power, &[*pair]);
        }
        memory.close::<u32>(step.to);
    }
}

/// Adds `N` products to all lanes.
#[inline(always)]
fn add_products<V: FloatVector, const N: usize, const UNIFORM: bool>(
    to: &mut [u32; LANES],
    columns: &ColumnStore,
    power: &[u32; LANES],
    pairs: &[[u16; 4]; N],
) {
    // Loops, not maps of arrays, which the compiler may leave as calls.
    let (mut left, mut right, mut first) = ([power; N], [power; N], [V::same(0.0); N]);
    for (index, [x, y, ..]) in pairs.iter().enumerate() {
        left[index] = columns.get(*x);
        right[index] = columns.get(*y);
        first[index] = V::same(f32::from_bits(left[index][0]));
    }
    for start in (0..LANES).step_by(V::WIDTH) {
        let power = V::load(power, start);
        let mut sum = V::zeros();
        for index in 0..N {
            let x = if UNIFORM {
                first[index]
            } else {
                V::load(left[index], start)
            };
            let product = x.times(V::load(right[index], start));
            sum = V::plus(sum, product.times(power).truncated());
        }
        V::add_to(sum, to, start);
    }
}
