//! The instance of [`Bv`] that records a circuit: every operation becomes one node, and nothing is
//! folded.

use super::node::{Binary, CircuitNode, CircuitNodeId, CircuitOperation, CircuitSort};
use crate::base::limits::Account;
use crate::bits::{Bv, Mux, Prop};
use num_bigint::BigUint;
use std::cell::RefCell;

/// A bit-vector: a node of the circuit that this thread records.
#[derive(Clone, Copy, Debug)]
pub struct CircuitBits {
    id: CircuitNodeId,
    width: u32,
}

/// A truth value: a node of the circuit that this thread records.
#[derive(Clone, Copy, Debug)]
pub struct RecordedTruth(CircuitNodeId);

/// Estimated bytes of a node and of the text that is made from it.
const NODE_BYTES: u64 = 128;

/// The nodes that are recorded so far.
#[derive(Default)]
struct Nodes {
    nodes: Vec<CircuitNode>,
    account: Account,
}

/// Restores the nodes of the enclosing recording when dropped.
struct RestoreNodes(Nodes);

impl Drop for RestoreNodes {
    fn drop(&mut self) {
        NODES.set(std::mem::take(&mut self.0));
    }
}

thread_local! {
    static NODES: RefCell<Nodes> = RefCell::default();
}

/// The nodes that `make` creates from inputs of these widths, and the result of `make`.
pub fn recorded_nodes<R>(
    widths: &[u32],
    make: impl FnOnce(&[CircuitBits]) -> R,
) -> (Vec<CircuitNode>, R) {
    let _outer = RestoreNodes(NODES.take());
    let input = |(index, &width): (usize, &u32)| {
        CircuitBits::of(width, CircuitOperation::Input(index as u32))
    };
    let inputs: Vec<_> = widths.iter().enumerate().map(input).collect();
    let made = make(&inputs);
    (NODES.take().nodes, made)
}

fn push(sort: CircuitSort, operation: CircuitOperation) -> CircuitNodeId {
    NODES.with_borrow_mut(|all| {
        let id = CircuitNodeId::at(all.nodes.len());
        all.nodes.push(CircuitNode { operation, sort });
        all.account.take(NODE_BYTES);
        id
    })
}

impl RecordedTruth {
    /// The node of the truth value.
    pub fn id(self) -> CircuitNodeId {
        self.0
    }

    fn of(operation: CircuitOperation) -> Self {
        RecordedTruth(push(CircuitSort::Truth, operation))
    }

    fn binary(self, binary: Binary, other: Self) -> Self {
        RecordedTruth::of(CircuitOperation::Binary(binary, self.0, other.0))
    }
}

impl CircuitBits {
    /// The node of the bit-vector.
    pub fn id(self) -> CircuitNodeId {
        self.id
    }

    fn of(width: u32, operation: CircuitOperation) -> Self {
        let id = push(CircuitSort::Word(width), operation);
        CircuitBits { id, width }
    }

    fn binary(self, binary: Binary, other: Self) -> Self {
        assert_eq!(self.width, other.width, "operands of different widths");
        CircuitBits::of(
            self.width,
            CircuitOperation::Binary(binary, self.id, other.id),
        )
    }

    fn compare(self, binary: Binary, other: Self) -> RecordedTruth {
        assert_eq!(self.width, other.width, "operands of different widths");
        RecordedTruth::of(CircuitOperation::Binary(binary, self.id, other.id))
    }

    fn shift(self, binary: Binary, amount: Self) -> Self {
        CircuitBits::of(
            self.width,
            CircuitOperation::Binary(binary, self.id, amount.id),
        )
    }

    fn extend(self, width: u32, signed: bool) -> Self {
        assert!(self.width <= width, "{} to {width} bits", self.width);
        CircuitBits::of(width, CircuitOperation::Extend(self.id, signed))
    }
}

impl Prop for RecordedTruth {
    fn constant(value: bool) -> Self {
        RecordedTruth::of(CircuitOperation::Const(u32::from(value).into()))
    }
    fn not(&self) -> Self {
        RecordedTruth::of(CircuitOperation::Not(self.0))
    }
    fn and(&self, other: &Self) -> Self {
        self.binary(Binary::And, *other)
    }
    fn or(&self, other: &Self) -> Self {
        self.binary(Binary::Or, *other)
    }
    fn xor(&self, other: &Self) -> Self {
        self.binary(Binary::Xor, *other)
    }
}

impl Mux<RecordedTruth> for RecordedTruth {
    fn mux(cond: &RecordedTruth, then: &Self, otherwise: &Self) -> Self {
        RecordedTruth::of(CircuitOperation::Mux(cond.0, then.0, otherwise.0))
    }
}

impl Mux<RecordedTruth> for CircuitBits {
    fn mux(cond: &RecordedTruth, then: &Self, otherwise: &Self) -> Self {
        assert_eq!(then.width, otherwise.width, "operands of different widths");
        CircuitBits::of(
            then.width,
            CircuitOperation::Mux(cond.0, then.id, otherwise.id),
        )
    }
}

impl Bv for CircuitBits {
    type Bool = RecordedTruth;

    fn lit(width: u32, value: u64) -> Self {
        assert!(
            width >= 64 || value >> width == 0,
            "{value} in {width} bits"
        );
        CircuitBits::of(width, CircuitOperation::Const(BigUint::from(value)))
    }
    fn width(&self) -> u32 {
        self.width
    }
    fn add(&self, other: &Self) -> Self {
        self.binary(Binary::Add, *other)
    }
    fn sub(&self, other: &Self) -> Self {
        self.binary(Binary::Sub, *other)
    }
    fn mul(&self, other: &Self) -> Self {
        self.binary(Binary::Mul, *other)
    }
    fn and(&self, other: &Self) -> Self {
        self.binary(Binary::And, *other)
    }
    fn or(&self, other: &Self) -> Self {
        self.binary(Binary::Or, *other)
    }
    fn xor(&self, other: &Self) -> Self {
        self.binary(Binary::Xor, *other)
    }
    fn not(&self) -> Self {
        CircuitBits::of(self.width, CircuitOperation::Not(self.id))
    }
    fn shl(&self, amount: &Self) -> Self {
        self.shift(Binary::Shl, *amount)
    }
    fn lshr(&self, amount: &Self) -> Self {
        self.shift(Binary::Lshr, *amount)
    }
    fn ashr(&self, amount: &Self) -> Self {
        self.shift(Binary::Ashr, *amount)
    }
    fn concat(&self, low: &Self) -> Self {
        let width = self.width + low.width;
        CircuitBits::of(
            width,
            CircuitOperation::Binary(Binary::Concat, self.id, low.id),
        )
    }
    fn extract(&self, high: u32, low: u32) -> Self {
        assert!(
            low <= high && high < self.width,
            "bits {high} to {low} of {}",
            self.width
        );
        CircuitBits::of(high - low + 1, CircuitOperation::Extract(self.id, low))
    }
    fn zext(&self, width: u32) -> Self {
        self.extend(width, false)
    }
    fn sext(&self, width: u32) -> Self {
        self.extend(width, true)
    }
    fn equals(&self, other: &Self) -> RecordedTruth {
        self.compare(Binary::Equals, *other)
    }
    fn ult(&self, other: &Self) -> RecordedTruth {
        self.compare(Binary::Less, *other)
    }
    fn slt(&self, other: &Self) -> RecordedTruth {
        self.compare(Binary::SignedLess, *other)
    }
}
