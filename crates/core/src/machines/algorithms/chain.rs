//! Chains: an algorithm applied to successive parts of the products, where each result is the next
//! accumulator (as in CoFDA; Xie et al. §IV-D, equation 6).

use super::{DotAdd, Operands, Signature, Stages};
use mmasmt_numbers::bits::Bv;
use mmasmt_numbers::float::NanCode;

/// `links` applications of an algorithm in sequence. Only the first application takes the
/// accumulator in the format of `c`; the others take it in the format of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chain<A> {
    first: A,
    rest: A,
    links: u32,
}

impl<A: DotAdd> Chain<A> {
    /// A chain of `links` applications, at least one. `rest` takes `c` in the format of the result
    /// of `first`, and has as many products as `first`. With block scales, every link has whole
    /// blocks, or several links share a block.
    pub fn new(first: A, rest: A, links: u32) -> Self {
        debug_assert!(links >= 1);
        debug_assert_eq!(rest.signature().c, rest.signature().d);
        Chain { first, rest, links }
    }

    /// The first link.
    pub fn first(&self) -> &A {
        &self.first
    }

    /// The links after the first.
    pub fn rest(&self) -> &A {
        &self.rest
    }

    /// The algorithms of the links in order; the sequence has no end.
    fn units(&self) -> impl Iterator<Item = &A> {
        [&self.first]
            .into_iter()
            .chain(std::iter::repeat(&self.rest))
    }

    /// Number of links.
    pub fn links(&self) -> u32 {
        self.links
    }
}

impl<A: DotAdd> DotAdd for Chain<A> {
    fn signature(&self) -> Signature {
        let first = self.first.signature();
        Signature {
            products: first.products * self.links,
            ..first
        }
    }

    fn nan(&self) -> NanCode {
        self.first.nan()
    }

    #[inline]
    fn dot_add<B: Bv>(&self, operands: Operands<'_, B>, stages: &mut Stages<B>) -> B {
        let signature = self.first.signature();
        let (products, scales) = (
            signature.products as usize,
            signature.scale_count() as usize,
        );
        let mut d = operands.c.clone();
        // Blocks are numbered through all links. A link has whole blocks, or lies within one block.
        let block = signature.scales.map_or(1, |scales| scales.block as usize);
        for (link, unit) in (0..self.links as usize).zip(self.units()) {
            let k = link * products;
            let s = if scales == 0 { 0 } else { k / block };
            let part = Operands {
                a: &operands.a[k..k + products],
                b: &operands.b[k..k + products],
                c: &d,
                a_scales: &operands.a_scales[s..s + scales],
                b_scales: &operands.b_scales[s..s + scales],
            };
            d = unit.dot_add(part, stages);
        }
        d
    }
}
