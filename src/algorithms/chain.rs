//! Chains: an algorithm applied to one part of the products after the other, each result the next
//! accumulator (CoFDA and its like; mma-sim.txt §IV-D, equation 6).

use super::{DotAdd, Operands, Signature, Stages};
use crate::bits::Bv;

/// `links` applications in sequence. Only the first takes the accumulator in its own format; the
/// others take it in the format of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chain<A> {
    first: A,
    rest: A,
    links: u32,
}

impl<A: DotAdd> Chain<A> {
    /// A chain of `links` applications, at least one; `rest` takes as its `c` what `first` gives,
    /// and as many products.
    pub fn new(first: A, rest: A, links: u32) -> Self {
        debug_assert!(links >= 1);
        debug_assert_eq!(rest.signature().c, rest.signature().d);
        Chain { first, rest, links }
    }

    /// The first link.
    pub fn first(&self) -> &A {
        &self.first
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

    #[inline]
    fn dot_add<B: Bv>(&self, operands: Operands<'_, B>, stages: &mut Stages<B>) -> B {
        let step = self.first.signature().products as usize;
        let (a, b) = (operands.a, operands.b);
        let mut d = self.first.dot_add(
            Operands {
                a: &a[..step],
                b: &b[..step],
                c: operands.c,
            },
            stages,
        );
        for (a, b) in a[step..].chunks(step).zip(b[step..].chunks(step)) {
            d = self.rest.dot_add(Operands { a, b, c: &d }, stages);
        }
        d
    }
}
