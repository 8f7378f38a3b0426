//! Multiplication of parts of numbers, as schemes write it.

use crate::machines::algorithms::{Signature, ValueLabel};
use crate::machines::sums::{Calculation, Operator, PartRounding, Splitting, Sums};
use mmasmt_numbers::float::{Format, Rounding};
use std::ops::Range;

/// A row of numbers, each split into two parts.
pub(super) struct SplitRow<R> {
    pub big: R,
    pub small: R,
}

/// A matrix unit with the f32 core beside it, and the operands of a scheme.
pub(super) struct Processor<'s, S: Sums> {
    pub on: &'s mut S,
    /// The signature of the unit.
    pub unit: Signature,
}

impl<S: Sums> Processor<'_, S> {
    /// The number of products.
    pub(super) fn count(&self) -> usize {
        self.on.count()
    }

    /// The accumulator of the scheme.
    pub(super) fn c(&mut self) -> Result<S::Sum, S::Stop> {
        self.on.c()
    }

    /// A sum of +0.
    pub(super) fn zero(&mut self) -> Result<S::Sum, S::Stop> {
        self.on.constant(Format::F32, 0)
    }

    /// Splits the factors of both sides into parts: for each side, a row for each part.
    pub(super) fn split(&mut self, splitting: &Splitting<'_>) -> Result<[Vec<S::Row>; 2], S::Stop> {
        let [a, b] = self.on.factors()?;
        Ok([self.on.split(splitting, &a)?, self.on.split(splitting, &b)?])
    }

    /// Splits the factors of both sides into two parts, which have these names on each side.
    pub(super) fn split_in_two(
        &mut self,
        format: Format,
        names: [[&'static str; 2]; 2],
        roundings: [PartRounding; 2],
        scale: i32,
    ) -> Result<[SplitRow<S::Row>; 2], S::Stop> {
        let [a, b] = self.on.factors()?;
        let mut pair = |[big, small]: [&'static str; 2], row| {
            let splitting = Splitting {
                format,
                parts: &[(big, roundings[0]), (small, roundings[1])],
                scale,
            };
            let mut rows = self.on.split(&splitting, row)?;
            let small = rows.remove(1);
            let big = rows.remove(0);
            Ok(SplitRow { big, small })
        };
        Ok([pair(names[0], &a)?, pair(names[1], &b)?])
    }

    /// The sum of `d` and of the products of two rows at these places, as the unit computes it.
    pub(super) fn chained(
        &mut self,
        what: ValueLabel,
        rows: [&S::Row; 2],
        places: Range<usize>,
        d: S::Sum,
    ) -> Result<S::Sum, S::Stop> {
        let sum = self.on.run_rows(rows, places, d)?;
        self.on.note(what, Format::F32, &sum);
        Ok(sum)
    }

    /// The sum of +0 and of the products of two rows at these places, as the unit computes it.
    pub(super) fn dot(
        &mut self,
        what: ValueLabel,
        rows: [&S::Row; 2],
        places: Range<usize>,
    ) -> Result<S::Sum, S::Stop> {
        let zero = self.zero()?;
        self.chained(what, rows, places, zero)
    }

    /// An operation of the f32 core.
    pub(super) fn core(
        &mut self,
        what: ValueLabel,
        operation: Operator,
        operands: &[&S::Sum],
    ) -> Result<S::Sum, S::Stop> {
        let format = Format::F32;
        self.on
            .calculate(what, Calculation { format, operation }, operands)
    }

    /// `x + y`, as the core computes it, rounded to nearest even.
    pub(super) fn add(
        &mut self,
        what: ValueLabel,
        x: &S::Sum,
        y: &S::Sum,
    ) -> Result<S::Sum, S::Stop> {
        self.core(what, Operator::Add(Rounding::Rne), &[x, y])
    }

    /// `x` times 2 to the power of `exponent`, rounded to nearest.
    pub(super) fn scale(
        &mut self,
        what: ValueLabel,
        x: &S::Sum,
        exponent: i32,
    ) -> Result<S::Sum, S::Stop> {
        let power = Format::F32.register(exponent, 0, false);
        let power = self.on.constant(Format::F32, power)?;
        self.core(what, Operator::Multiply(Rounding::Rne), &[x, &power])
    }
}

/// Divides `0..count` into ranges of `step` numbers; the last range may be shorter.
pub(super) fn runs(count: usize, step: usize) -> impl Iterator<Item = Range<usize>> {
    let step = step.max(1);
    let starts = (0..count).step_by(step);
    starts.map(move |start| start..(start + step).min(count))
}
