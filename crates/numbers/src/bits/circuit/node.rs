//! Nodes of a circuit: an operation of SMT-LIB's `QF_BV`, and the sort of its result.

use num_bigint::BigUint;

/// The number of a node of a [`Circuit`](super::Circuit).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CircuitNodeId(u32);

impl CircuitNodeId {
    pub(super) fn at(index: usize) -> CircuitNodeId {
        CircuitNodeId(index as u32)
    }

    /// The position of the node among all nodes.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The kind of value of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CircuitSort {
    /// A truth value.
    Truth,
    /// A bit-vector of this number of bits.
    Word(u32),
}

impl CircuitSort {
    /// The width in bits; a truth value has one bit.
    pub fn width(self) -> u32 {
        match self {
            CircuitSort::Truth => 1,
            CircuitSort::Word(width) => width,
        }
    }
}

/// Operations with two operands, which have the same width unless stated otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Conjunction, of words or truth values.
    And,
    /// Disjunction, of words or truth values.
    Or,
    /// Exclusive or, of words or truth values.
    Xor,
    /// Shift left by an amount of any width; zero if the amount is the width or more.
    Shl,
    /// Shift right by an amount of any width; zero if the amount is the width or more.
    Lshr,
    /// Shift right by an amount of any width; copies of the sign enter.
    Ashr,
    /// The first operand as the high bits, the second as the low bits; their widths may differ.
    Concat,
    /// Equality of words: a truth value.
    Equals,
    /// Unsigned less-than: a truth value.
    Less,
    /// Two's complement less-than: a truth value.
    SignedLess,
}

/// The operation of a node. All arithmetic is modulo `2^width`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CircuitOperation {
    /// The input with this number.
    Input(u32),
    /// A constant that fits the width; 0 or 1 for a truth value.
    Const(BigUint),
    /// Complement of every bit, or negation.
    Not(CircuitNodeId),
    /// An operation on two operands.
    Binary(Binary, CircuitNodeId, CircuitNodeId),
    /// The second operand where the first, a truth value, is true, else the third operand.
    Mux(CircuitNodeId, CircuitNodeId, CircuitNodeId),
    /// Bits of the operand from this bit upwards, as many as the node is wide.
    Extract(CircuitNodeId, u32),
    /// The operand extended to the width of the node: by copies of its sign if the flag is set,
    /// else by zeros.
    Extend(CircuitNodeId, bool),
}

/// An operation and the sort of its result.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CircuitNode {
    /// The operation.
    pub operation: CircuitOperation,
    /// The sort of the result.
    pub sort: CircuitSort,
}

impl CircuitOperation {
    /// The operands, in order.
    pub fn operands(&self) -> impl Iterator<Item = CircuitNodeId> + use<> {
        let operands = match *self {
            CircuitOperation::Input(_) | CircuitOperation::Const(_) => [None; 3],
            CircuitOperation::Not(x)
            | CircuitOperation::Extract(x, _)
            | CircuitOperation::Extend(x, _) => [Some(x), None, None],
            CircuitOperation::Binary(_, x, y) => [Some(x), Some(y), None],
            CircuitOperation::Mux(c, x, y) => [Some(c), Some(x), Some(y)],
        };
        operands.into_iter().flatten()
    }

    /// The same operation with each operand replaced by the result of `map`.
    pub(super) fn mapped(&self, map: impl Fn(CircuitNodeId) -> CircuitNodeId) -> CircuitOperation {
        match self {
            CircuitOperation::Input(_) | CircuitOperation::Const(_) => self.clone(),
            CircuitOperation::Not(x) => CircuitOperation::Not(map(*x)),
            CircuitOperation::Binary(binary, x, y) => {
                CircuitOperation::Binary(*binary, map(*x), map(*y))
            }
            CircuitOperation::Mux(c, x, y) => CircuitOperation::Mux(map(*c), map(*x), map(*y)),
            CircuitOperation::Extract(x, low) => CircuitOperation::Extract(map(*x), *low),
            CircuitOperation::Extend(x, signed) => CircuitOperation::Extend(map(*x), *signed),
        }
    }
}
