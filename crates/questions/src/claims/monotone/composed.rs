//! Chains and compositions: sums that rise with their parts.

use super::value::Moving;
use super::walk::rises;
use mmasmt_core::machines::algorithms::{DotAdd, Operation, What};
use mmasmt_core::machines::model::{Algorithm, Model};
use mmasmt_core::machines::sums::{Calculation, Operator, Splitting, Sums};
use mmasmt_core::numbers::float::Format;
use std::ops::Range;

/// Whether no result of `model` falls where an operand rises to the next one, infinities included.
pub fn never_falls(model: &Model, moving: Moving) -> bool {
    is_rising(model.algorithm(), moving)
}

fn is_rising(algorithm: &Algorithm, moving: Moving) -> bool {
    match algorithm {
        Algorithm::Operation(operation) => unit(operation, moving),
        Algorithm::Chain(chain) => {
            let later = chain.links() < 2
                || unit(chain.rest(), Moving::C)
                    && (moving == Moving::C || unit(chain.rest(), moving));
            unit(chain.first(), moving) && later
        }
        Algorithm::Composition(composition) => {
            let unit = composition.unit();
            let mut on = OnRising {
                count: composition.signature().products as usize,
                step: unit.signature().products as usize,
                moving,
                rises: [Moving::C, Moving::Products].map(|moving| is_rising(unit, moving)),
            };
            let sum = composition.kind().sum(&unit.signature(), &mut on);
            // There is none where factors depend on their rows or scales.
            matches!(sum, Ok(Some(_)))
        }
        Algorithm::Design(_) => false,
    }
}

fn unit(operation: &Operation, moving: Moving) -> bool {
    let description = operation.description();
    description.is_some_and(|description| rises(description, moving))
}

/// A composition whose sums rise or stay.
struct OnRising {
    count: usize,
    /// The products of one instruction.
    step: usize,
    moving: Moving,
    /// Two answers: the unit rises with `c`; it rises with its products.
    rises: [bool; 2],
}

/// A sum rises, or else it stays as it is.
#[derive(Clone, Copy)]
struct IsRising(bool);

/// A sum may fall.
struct Unknown;

impl Sums for OnRising {
    type Sum = IsRising;
    type Row = ();
    type Stop = Unknown;

    fn count(&self) -> usize {
        self.count
    }

    fn c(&mut self) -> Result<IsRising, Unknown> {
        Ok(IsRising(self.moving == Moving::C))
    }

    /// The signs of scales outside of the unit are not known.
    fn scales(&mut self, _: usize) -> Result<[IsRising; 2], Unknown> {
        Err(Unknown)
    }

    fn constant(&mut self, _: Format, _: u64) -> Result<IsRising, Unknown> {
        Ok(IsRising(false))
    }

    /// Instructions after the first one begin at the sum of those before.
    fn run(&mut self, products: &[usize], c: IsRising) -> Result<IsRising, Unknown> {
        let [with_c, with_products] = self.rises;
        let moves = self.moving == Moving::Products;
        let takes_rising = c.0 || moves && products.len() > self.step;
        let holds = (!takes_rising || with_c) && (!moves || with_products);
        holds.then_some(IsRising(c.0 || moves)).ok_or(Unknown)
    }

    /// The parts of numbers do not rise with them.
    fn factors(&mut self) -> Result<[(); 2], Unknown> {
        Err(Unknown)
    }

    fn split(&mut self, _: &Splitting<'_>, (): &()) -> Result<Vec<()>, Unknown> {
        Err(Unknown)
    }

    fn run_rows(&mut self, _: [&(); 2], _: Range<usize>, _: IsRising) -> Result<IsRising, Unknown> {
        Err(Unknown)
    }

    fn note(&mut self, _: What, _: Format, _: &IsRising) {}

    fn calculate(
        &mut self,
        _: What,
        calculation: Calculation,
        operands: &[&IsRising],
    ) -> Result<IsRising, Unknown> {
        let any = operands.iter().any(|operand| operand.0);
        match calculation.operation {
            _ if !any => Ok(IsRising(false)),
            Operator::Add(_) | Operator::Convert(_) | Operator::Saturate(_) | Operator::Relu => {
                Ok(IsRising(true))
            }
            // A factor may be negative, and a NaN that becomes zero lies between numbers.
            Operator::Multiply(_) | Operator::Fma(_) | Operator::NanToZero => Err(Unknown),
        }
    }
}
