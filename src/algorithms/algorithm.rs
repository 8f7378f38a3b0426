//! What a model computes: operations, and what is composed of them.

use super::{Chain, DotAdd, Operands, Operation, Signature, Stages};
use crate::bits::Bv;
use crate::float::NanCode;

/// An operation, or a composition of others. To add a composition: a file beside this one with its
/// [`DotAdd`], generic over what it is composed of; a line here and in each match; and its text in
/// `model::algorithm`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// One operation.
    Operation(Operation),
    /// Several in sequence, each result the next accumulator.
    Chain(Box<Chain<Algorithm>>),
}

impl Algorithm {
    /// `links` operations in sequence, at least one.
    pub fn in_sequence(operation: Operation, links: u32) -> Algorithm {
        if links <= 1 {
            return Algorithm::Operation(operation);
        }
        let rest = Algorithm::Operation(operation.next());
        let chain = Chain::new(Algorithm::Operation(operation), rest, links);
        Algorithm::Chain(Box::new(chain))
    }

    /// The operation that takes the first products.
    pub fn first(&self) -> &Operation {
        match self {
            Algorithm::Operation(operation) => operation,
            Algorithm::Chain(chain) => chain.first().first(),
        }
    }

    /// How many operations there are in sequence.
    pub fn links(&self) -> u32 {
        match self {
            Algorithm::Operation(_) => 1,
            Algorithm::Chain(chain) => chain.links() * chain.first().links(),
        }
    }

    /// The operations of a chain, each by itself: the first, and those after it, which take `c` in
    /// the format of the result.
    pub(crate) fn operations(&self) -> [Algorithm; 2] {
        let first = self.first();
        [first.clone(), first.next()].map(Algorithm::Operation)
    }
}

impl DotAdd for Algorithm {
    fn signature(&self) -> Signature {
        match self {
            Algorithm::Operation(operation) => operation.signature(),
            Algorithm::Chain(chain) => chain.signature(),
        }
    }

    fn nan(&self) -> NanCode {
        match self {
            Algorithm::Operation(operation) => operation.nan(),
            Algorithm::Chain(chain) => chain.nan(),
        }
    }

    #[inline]
    fn dot_add<B: Bv>(&self, operands: Operands<'_, B>, stages: &mut Stages<B>) -> B {
        match self {
            Algorithm::Operation(operation) => operation.dot_add(operands, stages),
            Algorithm::Chain(chain) => chain.dot_add(operands, stages),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::{Inputs, Step};
    use crate::bits::{Big, Concrete, Shape, W64};
    use crate::float::{Rounding, ieee_add};
    use crate::model::Model;

    /// Operations that each begin at +0, and `c` added to their results in turn: what a composition
    /// with IEEE operations outside looks like.
    struct AddedAfter<A> {
        part: A,
        parts: u32,
    }

    impl<A: DotAdd> DotAdd for AddedAfter<A> {
        fn signature(&self) -> Signature {
            let part = self.part.signature();
            Signature {
                c: part.d,
                products: part.products * self.parts,
                ..part
            }
        }

        fn nan(&self) -> NanCode {
            self.part.nan()
        }

        fn dot_add<B: Bv>(&self, operands: Operands<'_, B>, stages: &mut Stages<B>) -> B {
            let Signature { c, products, .. } = self.part.signature();
            let format = self.signature().d;
            let zero = B::lit(c.width(), 0);
            let size = products as usize;
            let parts = operands.a.chunks(size).zip(operands.b.chunks(size));
            let mut d = operands.c.clone();
            for (index, (a, b)) in parts.enumerate() {
                let sum = self.part.dot_add(Operands::plain(a, b, &zero), stages);
                d = ieee_add(&format, Rounding::Rne, self.nan(), &sum, &d);
                stages.push(Step::Rounded {
                    what: "sum after part",
                    index: Some(index),
                    format,
                    value: d.clone(),
                });
            }
            d
        }
    }

    fn run<B: Bv>(algorithm: &impl DotAdd, inputs: &Inputs) -> (B, usize) {
        let mut stages = Stages::new();
        let registers = inputs.lifted(&algorithm.signature());
        let d = algorithm.dot_add(registers.operands(), &mut stages);
        (d, stages.steps().len())
    }

    #[test]
    fn another_composition_needs_no_more_than_a_dot_add() {
        let part = Model::parse("fda:K=2,F=13,chain=2").unwrap();
        let algorithm = AddedAfter {
            part: part.algorithm().clone(),
            parts: 2,
        };
        assert_eq!(algorithm.signature().products, 8);
        // 2^13 + 1 loses nothing where it is added in f32 after a sum that keeps 13 bits.
        let one = |k: usize| if k == 0 { 0x3c00 } else { 0 };
        let ones: Vec<u64> = (0..8).map(one).collect();
        let inputs = Inputs::new(ones.clone(), ones, 0x4680_0000);
        let (d, steps) = run::<W64>(&algorithm, &inputs);
        assert_eq!((d.to_u64(), steps), (0x4680_0200, 6));
        assert_eq!(run::<Big>(&algorithm, &inputs).0.to_u64(), 0x4680_0200);
        assert_eq!(run::<Shape>(&algorithm, &inputs).1, 6);
    }
}
