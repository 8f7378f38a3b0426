//! Bounds of compositions of a unit of which the bound alone is known: sums of its runs, put together outside of it.
//!
//! A sum stands for the products of certain runs, and perhaps for `c`. A bound is known where each product is in exactly one
//! run, and each run and `c` exactly once in the result.

use super::bound::ErrorBound;
use super::rounded;
use mmasmt_core::machines::algorithms::{Signature, ValueLabel};
use mmasmt_core::machines::compositions::CompositionKind;
use mmasmt_core::machines::sums::{Calculation, Operator, Splitting, Sums};
use mmasmt_numbers::float::{Dyadic, Format, Rounding};
use std::ops::Range;

/// The most runs of a composition that is looked at.
const MOST_RUNS: usize = 1 << 12;

/// The bound of a composition of a unit with this signature and this bound of one instruction, and whether a run is filled
/// up with zeros; `None` if none is known.
pub(super) fn of_sums(
    kind: &CompositionKind,
    unit: &Signature,
    run: ErrorBound,
    products: u32,
) -> Option<(ErrorBound, bool)> {
    let mut on = BoundSums {
        run,
        step: unit.products.into(),
        is_summed: vec![false; products as usize],
        runs: 0,
        is_filled_up: false,
    };
    let sum = kind.sum(unit, &mut on).ok()??;
    let has_all_runs = sum.runs.len() == on.runs && on.is_summed.iter().all(|is| *is);
    (sum.has_c && has_all_runs).then_some((sum.bound, on.is_filled_up))
}

/// A sum: whether `c` is in it, the numbers of the runs that are, and a bound of its distance from the exact sum of these.
#[derive(Clone)]
struct Part {
    has_c: bool,
    runs: Vec<usize>,
    bound: ErrorBound,
}

impl Part {
    fn is_zero(&self) -> bool {
        !self.has_c && self.runs.is_empty()
    }

    /// This sum and another one, of which one at most has `c`, added with this bound.
    fn plus(self, other: Part, addition: &ErrorBound) -> Option<Part> {
        let (first, second) = match other.has_c {
            true => (other, self),
            false => (self, other),
        };
        // Nothing is added twice.
        let is_twice = second
            .runs
            .iter()
            .any(|run| first.runs.binary_search(run).is_ok());
        if second.has_c || is_twice {
            return None;
        }
        if second.is_zero() {
            return Some(first);
        }
        let bound = match first.has_c {
            true => first.bound.then(&second.bound.added_to_c(addition)),
            false => first.bound.greater(&second.bound).added_up(2, 1, addition),
        };
        let mut runs = [first.runs, second.runs].concat();
        runs.sort_unstable();
        Some(Part {
            has_c: first.has_c,
            runs,
            bound,
        })
    }
}

impl ErrorBound {
    /// A bound that is at least both.
    fn greater(&self, other: &ErrorBound) -> ErrorBound {
        let greater = |x: &Dyadic, y: &Dyadic| match x.magnitude_exceeds(y) {
            true => x.clone(),
            false => y.clone(),
        };
        ErrorBound {
            of_all: greater(&self.of_all, &other.of_all),
            of_products: greater(&self.of_products, &other.of_products),
            absolute: greater(&self.absolute, &other.absolute),
        }
    }
}

struct BoundSums {
    /// The bound of one instruction of the unit.
    run: ErrorBound,
    step: u64,
    /// For each product, whether it is in a run.
    is_summed: Vec<bool>,
    runs: usize,
    /// Whether a run has fewer products than its instructions.
    is_filled_up: bool,
}

/// No bound is known.
struct NoBound;

impl Sums for BoundSums {
    type Sum = Part;
    type Row = ();
    type Stop = NoBound;

    fn count(&self) -> usize {
        self.is_summed.len()
    }

    fn c(&mut self) -> Result<Part, NoBound> {
        Ok(Part {
            has_c: true,
            runs: Vec::new(),
            bound: ErrorBound::none(),
        })
    }

    fn scales(&mut self, _: usize) -> Result<[Part; 2], NoBound> {
        Err(NoBound)
    }

    /// A zero; other constants are factors.
    fn constant(&mut self, _: Format, register: u64) -> Result<Part, NoBound> {
        match register {
            0 => Ok(Part {
                has_c: false,
                runs: Vec::new(),
                bound: ErrorBound::none(),
            }),
            _ => Err(NoBound),
        }
    }

    fn run(&mut self, products: &[usize], c: Part) -> Result<Part, NoBound> {
        for product in products {
            let is_summed = self.is_summed.get_mut(*product).ok_or(NoBound)?;
            if std::mem::replace(is_summed, true) {
                return Err(NoBound);
            }
        }
        if self.runs >= MOST_RUNS {
            return Err(NoBound);
        }
        let mut sum = c;
        // Later runs have greater numbers.
        sum.runs.push(self.runs);
        self.runs += 1;
        let count = products.len() as u64;
        self.is_filled_up |= !count.is_multiple_of(self.step);
        let instructions = count.div_ceil(self.step);
        sum.bound = sum.bound.then(&self.run.repeated(instructions));
        Ok(sum)
    }

    fn factors(&mut self) -> Result<[(); 2], NoBound> {
        Err(NoBound)
    }

    fn split(&mut self, _: &Splitting<'_>, (): &()) -> Result<Vec<()>, NoBound> {
        Err(NoBound)
    }

    fn run_rows(&mut self, _: [&(); 2], _: Range<usize>, _: Part) -> Result<Part, NoBound> {
        Err(NoBound)
    }

    fn note(&mut self, _: ValueLabel, _: Format, _: &Part) {}

    fn calculate(
        &mut self,
        _: ValueLabel,
        calculation: Calculation,
        operands: &[&Part],
    ) -> Result<Part, NoBound> {
        let format = calculation.format;
        match (calculation.operation, operands) {
            (Operator::Add(to), [x, y]) => {
                let addition = rounded::of_addition(to, &format);
                let sum = (*x).clone().plus((*y).clone(), &addition);
                sum.ok_or(NoBound)
            }
            (Operator::Convert(out), [x]) => {
                let stored = match out.has_all_of(&format) {
                    true => ErrorBound::none(),
                    false => rounded::of_format(Rounding::Rne, &out),
                };
                Ok(Part {
                    bound: x.bound.then(&stored),
                    ..(*x).clone()
                })
            }
            _ => Err(NoBound),
        }
    }
}
