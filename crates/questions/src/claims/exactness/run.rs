//! Runs models (units, chains and compositions) on sets of operand values.

use super::rdna::Rdna;
use super::rounded::To;
use super::sum::ieee_zero;
use super::sum::{Beyond, Sum};
use super::units::{Product, Units};
use mmasmt_core::machines::algorithms::descriptions::Action;
use mmasmt_core::machines::algorithms::{DotAdd, FlushedResults, Operation, Signature, What};
use mmasmt_core::machines::compositions::Composition;
use mmasmt_core::machines::model::{Algorithm, Model};
use mmasmt_core::machines::sums::Splitting;
use mmasmt_core::machines::sums::{Calculation, Operator, Sums};
use mmasmt_core::numbers::float::{Format, Rounding};
use std::ops::Range;

impl Units {
    /// The result of the model as a sum; `None` if the result is not known, since a value may be
    /// cut, wrap or overflow on the way.
    pub fn run(&mut self, algorithm: &Algorithm, products: &[Product], c: Sum) -> Option<Sum> {
        match algorithm {
            Algorithm::Operation(operation) => self.operation(operation, products, c),
            Algorithm::Chain(chain) => {
                let step = chain.first().signature().products as usize;
                let mut d = c;
                for (link, part) in products.chunks(step).enumerate() {
                    let unit = match link {
                        0 => chain.first(),
                        _ => chain.rest(),
                    };
                    d = self.operation(unit, part, d)?;
                }
                Some(d)
            }
            Algorithm::Composition(composition) => self.composition(composition, products, c),
            // It is not known where the model of a design loses bits.
            Algorithm::Design(_) => None,
        }
    }

    fn operation(&mut self, unit: &Operation, products: &[Product], c: Sum) -> Option<Sum> {
        // The grids of RDNA, and the parts of a significand that Gaudi 3 has, are not known step by step.
        if let Some(rdna) = Rdna::of(unit) {
            return self.rdna(&rdna, products, c);
        }
        match unit {
            unit if is_gaudi3(unit) => {
                let signature = unit.signature();
                self.gaudi3([signature.a, signature.b], products, c)
            }
            unit => self.description(unit.description()?, products, c),
        }
    }

    /// Adds two numbers of a format as IEEE 754 does. `None` for integers, or if a summand is
    /// unknown.
    pub fn add(&mut self, format: Format, rounding: Rounding, x: Sum, y: Sum) -> Option<Sum> {
        if format.is_integer() {
            return None;
        }
        let to = To::ieee(format, rounding);
        let sum = self.rounded.add(x, y, &to, FlushedResults::Kept)?;
        Some(ieee_zero(sum, rounding))
    }

    /// Applies a unit to successive groups of products; zeros fill up the last group.
    fn along(&mut self, unit: &Algorithm, products: &[Product], c: Sum) -> Option<Sum> {
        let step = unit.signature().products as usize;
        let mut d = c;
        for part in products.chunks(step) {
            d = match part.len() == step {
                true => self.run(unit, part, d)?,
                // The scales of the products that fill up the group are not known here.
                false if unit.signature().scales.is_some() => return None,
                false => {
                    let mut part = part.to_vec();
                    part.resize_with(step, Product::nothing);
                    self.run(unit, &part, d)?
                }
            };
        }
        Some(d)
    }

    fn composition(
        &mut self,
        composition: &Composition<Algorithm>,
        products: &[Product],
        c: Sum,
    ) -> Option<Sum> {
        let unit = composition.unit();
        let mut on = OnProducts {
            units: self,
            unit,
            products,
            c,
        };
        composition.kind().sum(&unit.signature(), &mut on).ok()?
    }
}

/// Whether the steps of an operation are those of Gaudi 3.
fn is_gaudi3(operation: &Operation) -> bool {
    let has_parts = operation.description().is_some_and(|unit| {
        let mut nodes = unit.program().nodes.iter();
        nodes.any(|node| matches!(node.action, Action::Part { .. }))
    });
    let Signature { a, b, products, .. } = operation.signature();
    let name = || format!("gaudi:K={products},a={a},b={b},unit=gaudi3");
    has_parts
        && Model::parse(&name()).is_ok_and(|gaudi| {
            let gaudi = gaudi.algorithm().operation();
            gaudi.is_some_and(|(gaudi, _)| gaudi == operation)
        })
}

/// The products of one dot-add of a composition, as sets of values.
struct OnProducts<'x> {
    units: &'x mut Units,
    unit: &'x Algorithm,
    products: &'x [Product],
    c: Sum,
}

/// A sum is not known.
struct Unknown;

impl Sums for OnProducts<'_> {
    type Sum = Sum;
    type Row = ();
    type Stop = Unknown;

    fn count(&self) -> usize {
        self.products.len()
    }

    fn c(&mut self) -> Result<Sum, Unknown> {
        Ok(self.c.clone())
    }

    /// The values of scales outside of the unit are not known.
    fn scales(&mut self, _: usize) -> Result<[Sum; 2], Unknown> {
        Err(Unknown)
    }

    /// A zero; other constants are factors, and products of sums are not known.
    fn constant(&mut self, _: Format, register: u64) -> Result<Sum, Unknown> {
        match register {
            0 => Ok(Sum::nothing()),
            _ => Err(Unknown),
        }
    }

    fn run(&mut self, products: &[usize], c: Sum) -> Result<Sum, Unknown> {
        let own: Vec<_> = products.iter().map(|k| self.products[*k].clone()).collect();
        self.units.along(self.unit, &own, c).ok_or(Unknown)
    }

    /// The parts of numbers are not known.
    fn factors(&mut self) -> Result<[(); 2], Unknown> {
        Err(Unknown)
    }

    fn split(&mut self, _: &Splitting<'_>, (): &()) -> Result<Vec<()>, Unknown> {
        Err(Unknown)
    }

    fn run_rows(&mut self, _: [&(); 2], _: Range<usize>, _: Sum) -> Result<Sum, Unknown> {
        Err(Unknown)
    }

    fn note(&mut self, _: What, _: Format, _: &Sum) {}

    fn calculate(
        &mut self,
        _: What,
        calculation: Calculation,
        operands: &[&Sum],
    ) -> Result<Sum, Unknown> {
        let of = |sum: &Sum| sum.clone();
        let format = calculation.format;
        let found = match (calculation.operation, operands) {
            (Operator::Add(to), [x, y]) => self.units.add(format, to, of(x), of(y)),
            (Operator::Convert(out), [x]) => {
                let to = To::ieee(out, Rounding::Rne);
                self.units.rounded.round(of(x), &to)
            }
            (Operator::Saturate(out), [x]) => {
                let to = To::ieee(out, Rounding::Rne);
                let stored = self.units.rounded.round(of(x), &to);
                stored.filter(|stored| stored.overflow == Beyond::Nothing)
            }
            _ => None,
        };
        found.ok_or(Unknown)
    }
}
