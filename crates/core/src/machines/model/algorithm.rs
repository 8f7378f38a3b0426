//! The computation of a model: operations and compositions of operations.

use super::keys::is_algorithm;
use crate::machines::algorithms::{
    Chain, Description, Design, DotAdd, Operands, Operation, Signature, Stages,
};
use crate::machines::compositions::Composition;
use mmasmt_numbers::bits::Bv;
use mmasmt_numbers::float::NanCode;

/// An operation, or a composition of operations. A new kind of composition is added in
/// [`compositions`](crate::machines::compositions).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// One operation.
    Operation(Operation),
    /// Several operations in sequence, where each result is the next accumulator.
    Chain(Box<Chain<Operation>>),
    /// A composition of instructions and ordinary operations, as a library builds it.
    Composition(Box<Composition<Algorithm>>),
    /// A third-party design.
    Design(Design),
}

impl Algorithm {
    /// `links` operations in sequence; one operation if `links` is 0.
    pub fn in_sequence(operation: Operation, links: u32) -> Algorithm {
        if links <= 1 {
            return Algorithm::Operation(operation);
        }
        let rest = operation.next();
        Algorithm::Chain(Box::new(Chain::new(operation, rest, links)))
    }

    /// The first operation, and the number of operations in sequence; `None` for a composition or a
    /// design.
    pub fn operation(&self) -> Option<(&Operation, u32)> {
        match self {
            Algorithm::Operation(operation) => Some((operation, 1)),
            Algorithm::Chain(chain) => Some((chain.first(), chain.links())),
            Algorithm::Composition(_) | Algorithm::Design(_) => None,
        }
    }

    /// The description of the operation, if it is somebody's text and no algorithm of the program.
    pub fn text(&self) -> Option<&Description> {
        let (operation, _) = self.operation()?;
        operation.description().filter(|unit| !is_algorithm(unit))
    }

    /// The same algorithm, except that a NaN result may have any code, so that the codes of NaN
    /// operands need not be kept.
    pub(super) fn with_any_nan(&self) -> Algorithm {
        if let Algorithm::Composition(composition) = self {
            let composed = composition.of_unit(Algorithm::with_any_nan);
            return Algorithm::Composition(Box::new(composed));
        }
        self.of_descriptions(Description::with_any_nan)
    }

    /// The same algorithm with the description that `change` makes of each operation.
    fn of_descriptions(&self, change: impl Fn(&Description) -> Description) -> Algorithm {
        let changed = |operation: &Operation| match operation {
            Operation::Description(unit) => Operation::Description(Box::new(change(unit))),
            other => other.clone(),
        };
        match self {
            Algorithm::Operation(operation) => Algorithm::Operation(changed(operation)),
            Algorithm::Chain(chain) => {
                let [first, rest] = [chain.first(), chain.rest()].map(changed);
                Algorithm::Chain(Box::new(Chain::new(first, rest, chain.links())))
            }
            other => other.clone(),
        }
    }

    /// An algorithm that gives the same results for finite operands, with a simpler rule for NaNs
    /// where possible. A composition may make other NaNs, and stays as it is unless it only repeats its unit.
    pub(super) fn of_finite(&self) -> Algorithm {
        if let Algorithm::Composition(composition) = self
            && composition.kind().only_repeats()
        {
            let composed = composition.of_unit(Algorithm::of_finite);
            return Algorithm::Composition(Box::new(composed));
        }
        self.of_descriptions(Description::of_finite)
    }

    /// The algorithm inside all compositions that are built from its sums.
    pub fn inside(&self) -> &Algorithm {
        match self {
            Algorithm::Composition(composition) if !composition.kind().depends_on_rows() => {
                composition.unit().inside()
            }
            _ => self,
        }
    }

    /// The most sums of one element that an evaluation holds at a time, outside of the algorithm
    /// [`inside`](Self::inside).
    pub fn most_sums(&self) -> usize {
        match self {
            Algorithm::Composition(composition) => {
                composition.kind().sums() + composition.unit().most_sums()
            }
            _ => 1,
        }
    }

    /// The algorithm that can follow this one in a sequence: its accumulator has the format of the
    /// result.
    pub(super) fn next(&self) -> Algorithm {
        match self.operation() {
            Some((operation, links)) => Algorithm::in_sequence(operation.next(), links),
            None => self.clone(),
        }
    }

    /// The first operation of a chain and a later operation of it, each as an algorithm of its own.
    /// The later operation takes `c` in the format of the result. A composition counts as one
    /// operation.
    pub(super) fn operations(&self) -> [Algorithm; 2] {
        match self.operation() {
            Some((first, _)) => [first.clone(), first.next()].map(Algorithm::Operation),
            None => [self.clone(), self.clone()],
        }
    }
}

impl DotAdd for Algorithm {
    fn signature(&self) -> Signature {
        match self {
            Algorithm::Operation(operation) => operation.signature(),
            Algorithm::Chain(chain) => chain.signature(),
            Algorithm::Composition(composition) => composition.signature(),
            Algorithm::Design(design) => design.signature(),
        }
    }

    fn nan(&self) -> NanCode {
        match self {
            Algorithm::Operation(operation) => operation.nan(),
            Algorithm::Chain(chain) => chain.nan(),
            Algorithm::Composition(composition) => composition.nan(),
            Algorithm::Design(design) => design.nan(),
        }
    }

    fn reads_c(&self) -> bool {
        match self {
            Algorithm::Operation(operation) => operation.reads_c(),
            Algorithm::Chain(chain) => chain.first().reads_c(),
            Algorithm::Composition(composition) => composition.reads_c(),
            Algorithm::Design(design) => design.reads_c(),
        }
    }

    fn multiplies(&self) -> bool {
        match self {
            Algorithm::Operation(operation) => operation.multiplies(),
            _ => true,
        }
    }

    #[inline]
    fn dot_add<B: Bv>(&self, operands: Operands<'_, B>, stages: &mut Stages<B>) -> B {
        match self {
            Algorithm::Operation(operation) => operation.dot_add(operands, stages),
            Algorithm::Chain(chain) => chain.dot_add(operands, stages),
            Algorithm::Composition(composition) => composition.dot_add(operands, stages),
            Algorithm::Design(design) => design.dot_add(operands, stages),
        }
    }
}
