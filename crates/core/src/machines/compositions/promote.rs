//! Promotion: after every `every` instructions, the accumulator of the unit is added to a sum
//! outside of the unit, and begins again at +0 (CUTLASS `mma_promotion_interval`, cuBLASLt without
//! fast accumulation, DeepGEMM).

use crate::machines::algorithms::{BlockScales, Signature};
use crate::machines::sums::{Calculation, Operator, Sums};
use mmasmt_numbers::float::{Format, Rounding};

/// Partial sums of `every` instructions, which are added outside of the unit to a sum that begins
/// at `c`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promote {
    /// Number of products.
    pub products: u32,
    /// Number of instructions of one partial sum; `None`: there is one sum of all instructions,
    /// which begins at `c`.
    pub every: Option<u32>,
    /// Rounding of the operations outside of the unit.
    pub rounding: Rounding,
    /// How a partial sum is added.
    pub promotion: Promotion,
    /// Treatment of the instructions at the end if they are fewer than `every`.
    pub remainder: Remainder,
}

/// How a partial sum `p` is added to the sum `d`; `sa` and `sb` are f32 scales of the products of
/// one partial sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promotion {
    /// `d + p`; there are no scales.
    Plain,
    /// `fma(p, sa * sb, d)`.
    ScalesThenFma,
    /// `fma(p * sa, sb, d)`.
    ScaleThenFma,
    /// `d + p * (sa * sb)`, where the product with `p` is rounded before it is added.
    Separate,
}

/// Treatment of a last partial sum that has fewer instructions than the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remainder {
    /// The last partial sum is added like the others.
    Added,
    /// The last partial sum is left out.
    Dropped,
}

impl Promote {
    /// The number of products of one partial sum, over a unit with the signature `unit`.
    fn part(&self, unit: &Signature) -> u32 {
        let whole = self.products.max(1);
        self.every
            .map_or(whole, |every| unit.products.saturating_mul(every))
    }

    /// The most products of one run of a unit with the signature `unit`.
    pub(super) fn most_of_a_run(&self, unit: &Signature) -> u32 {
        self.part(unit).min(self.products)
    }

    pub(super) fn signature(&self, unit: &Signature) -> Result<Signature, String> {
        let scales = match self.promotion {
            Promotion::Plain => unit.scales,
            _ if unit.scales.is_some() => {
                return Err(format!("a unit without scales of its own, found {unit}"));
            }
            _ if self.every.is_none() => {
                return Err("an interval `every` where partial sums are scaled, found none".into());
            }
            _ => Some(BlockScales {
                format: Format::F32,
                block: self.part(unit),
            }),
        };
        if let Some(scales) = unit.scales
            && !unit.products.is_multiple_of(scales.block)
        {
            return Err(format!("a unit of whole blocks of scales, found {unit}"));
        }
        if unit.d != Format::F32 && self.promotion != Promotion::Plain {
            return Err(format!("a unit with f32 results, found {unit}"));
        }
        Ok(Signature {
            products: self.products,
            scales,
            ..*unit
        })
    }

    pub(super) fn sum<S: Sums>(&self, unit: &Signature, on: &mut S) -> Result<S::Sum, S::Stop> {
        let (mut d, k) = (on.c()?, on.count());
        if self.every.is_none() {
            let all: Vec<usize> = (0..k).collect();
            return on.run(&all, d);
        }
        let part = self.part(unit) as usize;
        for (index, start) in (0..k).step_by(part).enumerate() {
            let products: Vec<usize> = (start..k.min(start + part)).collect();
            if products.len() < part && self.remainder == Remainder::Dropped {
                break;
            }
            let zero = on.constant(unit.d, 0)?;
            let sum = on.run(&products, zero)?;
            d = self.promoted(on, unit.d, index, [sum, d])?;
        }
        Ok(d)
    }

    fn promoted<S: Sums>(
        &self,
        on: &mut S,
        format: Format,
        index: usize,
        [sum, d]: [S::Sum; 2],
    ) -> Result<S::Sum, S::Stop> {
        let (to, part) = (self.rounding, Some(index));
        let after = "sum outside after part";
        let [add, multiply, fma] = [Operator::Add, Operator::Multiply, Operator::Fma];
        let [add, multiply, fma] = [add(to), multiply(to), fma(to)];
        if self.promotion == Promotion::Plain {
            let operation = Calculation {
                format,
                operation: add,
            };
            return on.calculate((after, part), operation, &[&d, &sum]);
        }
        let [sa, sb] = on.scales(index)?;
        let mut calculate = |what, operation, operands: &[&S::Sum]| {
            let calculation = Calculation { format, operation };
            on.calculate((what, part), calculation, operands)
        };
        if self.promotion == Promotion::ScaleThenFma {
            let scaled = calculate("part times scale of a", multiply, &[&sum, &sa])?;
            return calculate(after, fma, &[&scaled, &sb, &d]);
        }
        let scale = calculate("product of scales", multiply, &[&sa, &sb])?;
        if self.promotion == Promotion::ScalesThenFma {
            return calculate(after, fma, &[&sum, &scale, &d]);
        }
        let scaled = calculate("part times scales", multiply, &[&sum, &scale])?;
        calculate(after, add, &[&d, &scaled])
    }
}
