//! The operations that a sum is made of: runs of a unit along k, splittings and calculations.

use super::calculation::Calculation;
use super::splitting::Splitting;
use crate::machines::algorithms::ValueLabel;
use mmasmt_numbers::float::Format;
use std::ops::Range;

/// The products of one dot-add of a composition, and arithmetic on sums of them.
pub trait Sums {
    /// A register of a sum.
    type Sum: Clone;
    /// A row of factors: those of all products from one side.
    type Row;
    /// The reason that a sum is not computed.
    type Stop;

    /// The number of products.
    fn count(&self) -> usize;

    /// The accumulator of the composition.
    fn c(&mut self) -> Result<Self::Sum, Self::Stop>;

    /// The block scales with number `index` of A and of B.
    fn scales(&mut self, index: usize) -> Result<[Self::Sum; 2], Self::Stop>;

    /// A constant register of `format`.
    fn constant(&mut self, format: Format, register: u64) -> Result<Self::Sum, Self::Stop>;

    /// The unit's sum of the products with these numbers, in this order, which begins at `c`. The
    /// last instruction is filled up with products of zeros.
    fn run(&mut self, products: &[usize], c: Self::Sum) -> Result<Self::Sum, Self::Stop>;

    /// The factors of A and those of B.
    fn factors(&mut self) -> Result<[Self::Row; 2], Self::Stop>;

    /// The parts that the numbers of a row are split into: a row for each part.
    fn split(
        &mut self,
        splitting: &Splitting<'_>,
        row: &Self::Row,
    ) -> Result<Vec<Self::Row>, Self::Stop>;

    /// The unit's sum of the products of two rows at these places, which begins at `c`.
    fn run_rows(
        &mut self,
        rows: [&Self::Row; 2],
        places: Range<usize>,
        c: Self::Sum,
    ) -> Result<Self::Sum, Self::Stop>;

    /// Records a sum as `what`.
    fn note(&mut self, what: ValueLabel, format: Format, sum: &Self::Sum);

    /// The result of a calculation, which is recorded as `what`.
    fn calculate(
        &mut self,
        what: ValueLabel,
        calculation: Calculation,
        operands: &[&Self::Sum],
    ) -> Result<Self::Sum, Self::Stop>;
}
