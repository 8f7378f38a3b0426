//! Runs a circuit on any instance of [`Bv`].

use super::graph::Circuit;
use super::node::{Binary, CircuitNodeId, CircuitOperation, CircuitSort};
use crate::base::limits::work;
use crate::bits::{Bv, Mux, Prop, mux};
use num_bigint::BigUint;

/// The work of one node: the number of bytes of formula nodes that could be made in the same time.
/// A wide word takes more.
const NODE_WORK: u64 = 16;

/// A value of a node.
#[derive(Clone, Debug)]
pub(super) enum CircuitValue<B: Bv> {
    Truth(B::Bool),
    Word(B),
}

impl<B: Bv> CircuitValue<B> {
    /// The word; a truth value becomes 1 or 0 in one bit.
    pub fn word(&self) -> B {
        match self {
            CircuitValue::Word(word) => word.clone(),
            CircuitValue::Truth(truth) => B::from_prop(1, truth),
        }
    }

    /// The truth value; a word gives its lowest bit.
    pub fn truth(&self) -> B::Bool {
        match self {
            CircuitValue::Word(word) => word.bit(0),
            CircuitValue::Truth(truth) => truth.clone(),
        }
    }
}

impl Circuit {
    /// The outputs for `inputs` on the instance `B`. The inputs have the widths of the circuit's
    /// inputs; a truth value is one bit.
    pub fn run<B: Bv>(&self, inputs: &[B]) -> Vec<B> {
        let mut values: Vec<CircuitValue<B>> = Vec::with_capacity(self.count());
        for (_, node) in self.nodes() {
            work(NODE_WORK + u64::from(node.sort.width()) / 4);
            let value = match &node.operation {
                CircuitOperation::Input(index) => {
                    CircuitValue::Word(inputs[*index as usize].clone())
                }
                operation => apply(operation, node.sort, |id| &values[id.index()]),
            };
            values.push(value);
        }
        let outputs = self.outputs().iter();
        outputs.map(|(_, id)| values[id.index()].word()).collect()
    }
}

/// The value of an operation other than an input.
pub(super) fn apply<'v, B: Bv + 'v>(
    operation: &CircuitOperation,
    sort: CircuitSort,
    value: impl Fn(CircuitNodeId) -> &'v CircuitValue<B>,
) -> CircuitValue<B> {
    let word = |id: &CircuitNodeId| value(*id).word();
    let truth = |id: &CircuitNodeId| value(*id).truth();
    match (operation, sort) {
        (CircuitOperation::Const(bits), CircuitSort::Truth) => {
            CircuitValue::Truth(B::Bool::constant(*bits != BigUint::ZERO))
        }
        (CircuitOperation::Const(bits), CircuitSort::Word(width)) => {
            CircuitValue::Word(literal(width, bits))
        }
        // Callers give inputs their values themselves, so that this zero is never used.
        (CircuitOperation::Input(_), _) => CircuitValue::Word(B::lit(sort.width(), 0)),
        (CircuitOperation::Not(x), CircuitSort::Truth) => CircuitValue::Truth(truth(x).not()),
        (CircuitOperation::Not(x), CircuitSort::Word(_)) => CircuitValue::Word(word(x).not()),
        (CircuitOperation::Mux(c, x, y), CircuitSort::Truth) => {
            CircuitValue::Truth(B::Bool::mux(&truth(c), &truth(x), &truth(y)))
        }
        (CircuitOperation::Mux(c, x, y), CircuitSort::Word(_)) => {
            CircuitValue::Word(mux(&truth(c), &word(x), &word(y)))
        }
        (CircuitOperation::Extract(x, low), _) => {
            CircuitValue::Word(word(x).extract(low + sort.width() - 1, *low))
        }
        (CircuitOperation::Extend(x, true), _) => CircuitValue::Word(word(x).sext(sort.width())),
        (CircuitOperation::Extend(x, false), _) => CircuitValue::Word(word(x).zext(sort.width())),
        (CircuitOperation::Binary(binary, x, y), CircuitSort::Truth) => {
            CircuitValue::Truth(match binary {
                Binary::Equals => word(x).equals(&word(y)),
                Binary::Less => word(x).ult(&word(y)),
                Binary::SignedLess => word(x).slt(&word(y)),
                Binary::Or => truth(x).or(&truth(y)),
                Binary::Xor => truth(x).xor(&truth(y)),
                _ => truth(x).and(&truth(y)),
            })
        }
        (CircuitOperation::Binary(binary, x, y), CircuitSort::Word(_)) => {
            let (x, y) = (word(x), word(y));
            CircuitValue::Word(match binary {
                Binary::Add => x.add(&y),
                Binary::Sub => x.sub(&y),
                Binary::Mul => x.mul(&y),
                Binary::And => x.and(&y),
                Binary::Or => x.or(&y),
                Binary::Xor => x.xor(&y),
                Binary::Shl => x.shl(&y),
                Binary::Lshr => x.lshr(&y),
                Binary::Ashr => x.ashr(&y),
                Binary::Concat => x.concat(&y),
                Binary::Equals => B::from_prop(1, &x.equals(&y)),
                Binary::Less => B::from_prop(1, &x.ult(&y)),
                Binary::SignedLess => B::from_prop(1, &x.slt(&y)),
            })
        }
    }
}

/// A constant of any width.
pub fn literal<B: Bv>(width: u32, bits: &BigUint) -> B {
    let digits = bits.to_u64_digits();
    let digit = |index: u32| digits.get(index as usize).copied().unwrap_or(0);
    let highest = (width - 1) / 64;
    let top = B::lit(width - 64 * highest, digit(highest));
    let lower = (0..highest).rev().map(|index| B::lit(64, digit(index)));
    lower.fold(top, |high, low| high.concat(&low))
}
