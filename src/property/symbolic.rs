//! Inputs of a dot-add as free bit-vectors.

use crate::algorithms::{DotAdd, Operands, Signature, Stages};
use crate::bits::Prop;
use crate::bits::term::{Formula, Term};
use crate::float::unpack;
use crate::model::Model;
use crate::vectors::Inputs;

/// Operands of a dot-add of which nothing is known; inputs 0, 1, … of the graph are
/// `a[0]`, `b[0]`, `a[1]`, `b[1]`, … and last `c`.
#[derive(Clone, Debug)]
pub struct SymbolicInputs {
    /// The formats.
    pub signature: Signature,
    /// Left factors.
    pub a: Vec<Term>,
    /// Right factors.
    pub b: Vec<Term>,
    /// The accumulator in.
    pub c: Term,
}

impl SymbolicInputs {
    /// Free operands of the formats of `signature`, in this thread's graph.
    pub fn new(signature: Signature) -> Self {
        let row = |first, width| {
            (0..signature.products)
                .map(|k| Term::input(2 * k + first, width))
                .collect()
        };
        SymbolicInputs {
            signature,
            a: row(0, signature.a.width()),
            b: row(1, signature.b.width()),
            c: Term::input(2 * signature.products, signature.c.width()),
        }
    }

    /// The operands as an algorithm takes them.
    pub fn operands(&self) -> Operands<'_, Term> {
        Operands {
            a: &self.a,
            b: &self.b,
            c: &self.c,
        }
    }

    /// The result of `model` and its stages.
    pub fn evaluate(&self, model: &Model) -> (Term, Stages<Term>) {
        let mut stages = Stages::new();
        let result = model.algorithm().dot_add(self.operands(), &mut stages);
        (result, stages)
    }

    /// Unsatisfiable together with any formula that only infinities and NaNs satisfy: all
    /// operands are finite.
    pub fn finite(&self) -> Formula {
        let Signature { a, b, c, .. } = &self.signature;
        let rows = [
            (a, &self.a[..]),
            (b, &self.b[..]),
            (c, std::slice::from_ref(&self.c)),
        ];
        let finite = rows
            .iter()
            .flat_map(|(format, row)| row.iter().map(|bits| unpack(format, bits).finite()));
        Formula::all(finite)
    }

    /// The inputs that `value` gives, by number of input.
    pub fn read(&self, value: impl Fn(u32) -> u64) -> Inputs {
        let products = self.signature.products;
        Inputs {
            a: (0..products).map(|k| value(2 * k)).collect(),
            b: (0..products).map(|k| value(2 * k + 1)).collect(),
            c: value(2 * products),
        }
    }
}
