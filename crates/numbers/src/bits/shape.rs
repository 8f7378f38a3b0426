//! [`Shape`]: bit-vectors that are only a width. A run over them measures the widths of a model.

use super::{Bv, Mux, Prop};
use crate::base::limits::work;
use std::cell::Cell;

/// A bit-vector of which only the width is known.
///
/// Widths never depend on content, so that one run over shapes has the widths of every run.
#[derive(Clone, Copy, Debug)]
pub struct Shape(u32);

/// A truth value with unknown content.
#[derive(Clone, Copy, Debug)]
pub struct UnknownTruth;

/// The work of an operation: the number of bytes of nodes that could be made in the same time.
const OPERATION_WORK: u64 = 2;

thread_local! {
    static WIDEST: Cell<u32> = const { Cell::new(0) };
}

/// The width of the widest bit-vector that `run` makes over [`Shape`].
pub fn widest(run: impl FnOnce()) -> u32 {
    let outer = WIDEST.replace(0);
    run();
    WIDEST.replace(outer)
}

impl Shape {
    fn new(width: u32) -> Self {
        work(OPERATION_WORK);
        WIDEST.set(WIDEST.get().max(width));
        Shape(width)
    }
    fn same_width(&self, other: &Self) -> Self {
        debug_assert_eq!(self.0, other.0, "operands of different widths");
        *self
    }
}

impl Prop for UnknownTruth {
    fn constant(_: bool) -> Self {
        UnknownTruth
    }
    fn not(&self) -> Self {
        UnknownTruth
    }
    fn and(&self, _: &Self) -> Self {
        UnknownTruth
    }
    fn or(&self, _: &Self) -> Self {
        UnknownTruth
    }
    fn xor(&self, _: &Self) -> Self {
        UnknownTruth
    }
}

impl Mux<UnknownTruth> for UnknownTruth {
    fn mux(_: &UnknownTruth, _: &Self, _: &Self) -> Self {
        UnknownTruth
    }
}

impl Mux<UnknownTruth> for Shape {
    fn mux(_: &UnknownTruth, then: &Self, otherwise: &Self) -> Self {
        then.same_width(otherwise)
    }
}

impl Bv for Shape {
    type Bool = UnknownTruth;

    fn lit(width: u32, _: u64) -> Self {
        Shape::new(width)
    }
    fn width(&self) -> u32 {
        self.0
    }
    fn add(&self, other: &Self) -> Self {
        self.same_width(other)
    }
    fn sub(&self, other: &Self) -> Self {
        self.same_width(other)
    }
    fn mul(&self, other: &Self) -> Self {
        self.same_width(other)
    }
    fn and(&self, other: &Self) -> Self {
        self.same_width(other)
    }
    fn or(&self, other: &Self) -> Self {
        self.same_width(other)
    }
    fn xor(&self, other: &Self) -> Self {
        self.same_width(other)
    }
    fn not(&self) -> Self {
        *self
    }
    fn shl(&self, _: &Self) -> Self {
        *self
    }
    fn lshr(&self, _: &Self) -> Self {
        *self
    }
    fn ashr(&self, _: &Self) -> Self {
        *self
    }
    fn concat(&self, low: &Self) -> Self {
        Shape::new(self.0 + low.0)
    }
    fn extract(&self, high: u32, low: u32) -> Self {
        debug_assert!(
            low <= high && high < self.0,
            "bits {high} to {low} of {}",
            self.0
        );
        Shape::new(high - low + 1)
    }
    fn zext(&self, width: u32) -> Self {
        debug_assert!(self.0 <= width, "{} to {width} bits", self.0);
        Shape::new(width)
    }
    fn sext(&self, width: u32) -> Self {
        self.zext(width)
    }
    fn equals(&self, other: &Self) -> UnknownTruth {
        self.same_width(other);
        UnknownTruth
    }
    fn ult(&self, other: &Self) -> UnknownTruth {
        self.equals(other)
    }
    fn slt(&self, other: &Self) -> UnknownTruth {
        self.equals(other)
    }
    /// Unlike the provided method, this makes no constant of 64 bits: machine words need none.
    fn add_const(&self, _: i64) -> Self {
        *self
    }
    /// Unlike the provided method, this makes no amounts of 32 bits: machine words need none.
    fn normalise(&self, count_width: u32) -> (Self, Self) {
        (*self, Shape::new(count_width))
    }
}
