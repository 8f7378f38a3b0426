//! Sums of products of small signed numbers, for tapes that are split: each side computes its
//! factors with their signs, so that a product needs no sign of its own.

use super::columns::{ColumnStore, ColumnType, LANES, Memory};
use super::element::Type;
use super::instruction::{Code, Instruction, Value};
use super::lower::Lowering;
use super::pairs::{Pairs, TOGETHER};
use super::step::{ColumnOperation, TapeStep};
use super::sums::SignedNumber;
use mmasmt_numbers::bits::ranged::{RangedNode, RangedNodeId};
use std::marker::PhantomData;

/// The fewest products of such a sum.
const LEAST_PRODUCTS: usize = 4;

/// Two factors `±x`, each of one side, and how far their product is shifted left.
struct SignedProduct {
    factors: [(RangedNodeId, RangedNodeId); 2],
    shift: u32,
}

impl Lowering<'_> {
    /// The sum of the products that are not aligned and are shifted as the first one is, and the
    /// terms that are not in this sum. The inner `None` says that there is no such sum.
    pub(super) fn dot_product(
        &mut self,
        top: Option<RangedNodeId>,
        terms: Vec<SignedNumber>,
        to: Type,
    ) -> Option<(Option<Value>, Vec<SignedNumber>)> {
        if top.is_some() || to != Type::U16 {
            return Some((None, terms));
        }
        let products: Vec<_> = terms.iter().map(|term| self.signed_product(term)).collect();
        let Some(shift) = products.iter().flatten().map(|one| one.shift).next() else {
            return Some((None, terms));
        };
        let is_like = |one: &SignedProduct| one.shift == shift;
        if products.iter().flatten().filter(|one| is_like(one)).count() < LEAST_PRODUCTS {
            return Some((None, terms));
        }
        let (mut args, mut rest) = (Vec::new(), Vec::new());
        for (term, product) in terms.into_iter().zip(products) {
            match product.filter(is_like) {
                Some(product) => {
                    for (sign, of) in product.factors {
                        let factor = [self.truth(sign)?, self.at(of, to)?];
                        args.push(self.push(Instruction::new(Code::NegateIf, to, &factor)));
                    }
                }
                None => rest.push(term),
            }
        }
        let sum = Instruction::new(Code::DotProduct, to, &args).shifts(shift, 0);
        Some((Some(self.push(sum)), rest))
    }

    fn signed_product(&self, term: &SignedNumber) -> Option<SignedProduct> {
        let origins = self.origins.as_ref()?;
        let (x, y, shift) = self.factors(term.of)?;
        let RangedNode::Xor(s, t) = *self.graph.node(term.condition) else {
            return None;
        };
        let sides = [origins.side(x)?, origins.side(y)?];
        let signs = [origins.side(s)?, origins.side(t)?];
        let [s, t] = if signs == sides { [s, t] } else { [t, s] };
        let apart = sides[0] != sides[1] && signs[0] != signs[1];
        apart.then_some(SignedProduct {
            factors: [(s, x), (t, y)],
            shift,
        })
    }
}

/// The sum of products of two numbers, shifted left. With `UNIFORM`, all lanes use the first number
/// of each product from the first lane.
pub(super) struct DotProduct<T, const UNIFORM: bool>(PhantomData<T>);
impl<T: ColumnType, const UNIFORM: bool> ColumnOperation for DotProduct<T, UNIFORM> {
    #[inline(always)]
    fn run(memory: &mut Memory, step: &TapeStep) {
        let (to, columns) = memory.open::<T>();
        to.fill(T::default());
        let (groups, rest) = step.list.as_chunks();
        for group in groups {
            add_products::<T, TOGETHER, UNIFORM>(to, columns, group);
        }
        for pair in rest {
            add_products::<T, 1, UNIFORM>(to, columns, &[*pair]);
        }
        for lane in to.iter_mut() {
            *lane = lane.shl_const(step.shifts[0]);
        }
        memory.close::<T>(step.to);
    }
}

/// Adds `N` products to all lanes.
#[inline(always)]
fn add_products<T: ColumnType, const N: usize, const UNIFORM: bool>(
    to: &mut [T; LANES],
    columns: &ColumnStore,
    pairs: &[[u16; 4]; N],
) {
    let pairs = Pairs::<T, N, UNIFORM>::new(columns, pairs);
    for (lane, to) in to.iter_mut().enumerate() {
        let mut sum = *to;
        for index in 0..N {
            let (x, y) = pairs.at(index, lane);
            sum = sum.add(x.mul(y));
        }
        *to = sum;
    }
}
