//! Sums in 32 bits of products that fit 16 bits. Each sum is computed as two sums in 16 bits,
//! because a vector register holds twice as many lanes of 16 bits as of 32 bits.

use super::columns::{Column, ColumnType, LANES, Memory};
use super::element::Element;
use super::many::{ProductTerm, add_plain};
use super::step::{ColumnOperation, TapeStep};
use std::marker::PhantomData;

/// The most products of a sum that is computed as two sums. Up to this number, the sum of the low
/// bytes of all products and the sum of the bits above the low bytes fit 16 bits each.
pub(super) const MOST_HALVES: usize = 256;

/// Computes the same as [`SignedSum`](super::many::SignedSum) in 32 bits, for products below 2^15
/// of factors whose highest bits are zeros.
pub(super) struct SumOfHalves<A, N, const BY: bool, const UNIFORM: bool>(PhantomData<(A, N)>);
impl<A: ColumnType, N: ColumnType, const BY: bool, const UNIFORM: bool> ColumnOperation
    for SumOfHalves<A, N, BY, UNIFORM>
{
    #[inline(always)]
    fn run(memory: &mut Memory, step: &TapeStep) {
        let (products, plain) = step.parts();
        let (to, columns) = memory.open::<u32>();
        // `low` is the sum of the products modulo 2^16. `high` is the sum of the products without
        // their low bytes, in units of 2^8.
        let mut low = Column([0u16; LANES]);
        let mut high = Column([0u16; LANES]);
        let (pairs, rest) = products.as_chunks();
        for &[one, other] in pairs {
            let one = ProductTerm::<u16, A, N, BY, true, UNIFORM>::product(columns, step, one);
            let other = ProductTerm::<u16, A, N, BY, true, UNIFORM>::product(columns, step, other);
            for lane in 0..LANES {
                let (x, y) = (one.at(lane), other.at(lane));
                low.0[lane] = low.0[lane].add(x).add(y);
                high.0[lane] = high.0[lane].add(x.sar_const(8)).add(y.sar_const(8));
            }
        }
        for &one in rest {
            let one = ProductTerm::<u16, A, N, BY, true, UNIFORM>::product(columns, step, one);
            for lane in 0..LANES {
                let x = one.at(lane);
                low.0[lane] = low.0[lane].add(x);
                high.0[lane] = high.0[lane].add(x.sar_const(8));
            }
        }
        // `low` less `above` is the sum of the low bytes modulo 2^16. This sum is below 2^16, so
        // that 16 bits of the difference are enough.
        for (lane, to) in to.iter_mut().enumerate() {
            let above = u32::of(high.0[lane].signed() as u128).shl_const(8);
            let below = u32::from(low.0[lane]).sub(above).and(0xffff);
            *to = above.add(below);
        }
        add_plain::<u32, N, BY, true>(to, columns, step, plain);
        memory.close::<u32>(step.to);
    }
}
