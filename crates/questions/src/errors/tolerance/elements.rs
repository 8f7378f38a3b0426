//! Matrices of one's own: the bound that is proved for each element of their product, and what is outside of it.
//!
//! The bound is that of the exponents and of the scales that these very matrices have, for the S of each element. It holds
//! for every kernel that computes with the steps of the model, whatever the order of the products.

use super::own::OwnTolerance;
use crate::claims::bounds::{
    ErrorBound, Factors, Underflow, bound_within, error_bound, greatest_scale,
};
use crate::matrices::{ElementOperands, GemmError, Matrix, MatrixProduct, gemm};
use crate::vectors::measure::{ExactSum, LinearMap, Summer};
use mmasmt_core::machines::algorithms::{Inputs, Operand};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::float::{Dyadic, Exponents, Format};
use rayon::prelude::*;
use thiserror::Error;

/// What is known of one element of a product.
#[derive(Clone, Debug)]
pub struct ElementTolerance {
    /// The exact element, and S, the sum of the magnitudes of its terms.
    pub exact: ExactSum,
    /// The greatest error that is proved; `None` if no bound is known, or an overflow may go unseen.
    pub bound: Option<Dyadic>,
    /// The model's result, as a register.
    pub right: u64,
}

/// The elements of a product, row by row.
#[derive(Clone, Debug)]
pub struct MatrixTolerance {
    /// The numbers of rows and of columns.
    pub shape: [usize; 2],
    /// The format of the results.
    pub format: Format,
    /// The elements.
    pub elements: Vec<ElementTolerance>,
}

/// Elements of a result that are outside, by their places, row by row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutsideElements {
    /// Outside of what is proved; no element without a bound is.
    pub proved: Vec<usize>,
    /// Outside of a tolerance of one's own; none without one.
    pub own: Vec<usize>,
    /// With other bits than the model's.
    pub bits: Vec<usize>,
}

/// Why no tolerances of a product are known.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ElementError {
    /// The product cannot be computed.
    #[error(transparent)]
    Product(#[from] GemmError),
    /// An operand is an infinity or a NaN.
    #[error(
        "expected finite operands, found an element of the product, ({row}, {column}), with one that is not"
    )]
    NotFinite {
        /// The row of the element.
        row: usize,
        /// Its column.
        column: usize,
    },
}

impl MatrixTolerance {
    /// The elements of the product, which has as many products along k as the model.
    ///
    /// # Errors
    /// If the matrices do not fit the model, an operand is not finite, or a limit is reached.
    pub fn of(
        model: &Model,
        product: &MatrixProduct<'_>,
        limits: &Limits,
    ) -> Result<MatrixTolerance, ElementError> {
        let right = gemm(model, product, limits)?;
        let [rows, columns] = right.shape();
        let signature = model.signature();
        let map = LinearMap::of(model.algorithm());
        let each = |row: usize| {
            let mut operands = ElementOperands::of(product, &signature);
            let mut summer = Summer::new(&operands.signature()).with_map(map.clone());
            let mut seen = FactorRanges::default();
            let mut sums = Vec::new();
            for column in 0..columns {
                if limits.stopped().is_some() {
                    return Err(GemmError::Stopped.into());
                }
                let inputs = operands.at(row, column);
                let exact = summer.sum(inputs);
                sums.push(exact.ok_or(ElementError::NotFinite { row, column })?);
                // All rows have the same columns of B.
                if row == 0 || column == 0 {
                    seen.add(&[signature.a, signature.b], inputs);
                }
                seen.scales = greater(seen.scales, greatest_scale(&signature, inputs));
            }
            Ok((sums, seen))
        };
        let found: Result<Vec<_>, ElementError> = (0..rows).into_par_iter().map(each).collect();
        let (mut all, mut sums) = (FactorRanges::default(), Vec::new());
        for (of_row, seen) in found? {
            sums.extend(of_row);
            all.join(seen);
        }
        let bounds = all.bounds(model);
        let overflow = Dyadic::new(1.into(), signature.d.max_exponent().into());
        let elements = sums.into_iter().zip(right.registers());
        let elements = elements.map(|(exact, right)| {
            let of = |bound: &ErrorBound| bound_within(model, bound, &exact.magnitudes);
            let least = bounds.iter().filter_map(of).reduce(lesser);
            // A kernel may overflow where the magnitudes do.
            let fits = |bound: &Dyadic| !exact.magnitudes.plus(bound).magnitude_exceeds(&overflow);
            ElementTolerance {
                bound: least.filter(fits),
                exact,
                right,
            }
        });
        Ok(MatrixTolerance {
            shape: [rows, columns],
            format: signature.d,
            elements: elements.collect(),
        })
    }

    /// The error of a result of this element; `None` if the result is not finite.
    pub fn error(&self, place: usize, d: u64) -> Option<Dyadic> {
        let exact = &self.elements.get(place)?.exact.value;
        Some(Dyadic::of(&self.format, d)?.minus(exact).magnitude())
    }

    /// The elements of a result that are outside. The result must have the shape and the format of the product.
    pub fn outside(&self, results: &Matrix, own: Option<&OwnTolerance>) -> OutsideElements {
        let mut outside = OutsideElements::default();
        for (place, (element, d)) in self.elements.iter().zip(results.registers()).enumerate() {
            let error = self.error(place, d);
            let exceeds = |is_out: &dyn Fn(&Dyadic) -> bool| error.as_ref().is_none_or(is_out);
            if let Some(bound) = &element.bound
                && exceeds(&|error| error.magnitude_exceeds(bound))
            {
                outside.proved.push(place);
            }
            if let Some(own) = own
                && exceeds(&|error| own.refuses(error, &element.exact.value))
            {
                outside.own.push(place);
            }
            if d != element.right {
                outside.bits.push(place);
            }
        }
        outside
    }

    /// The results of the model.
    pub fn right(&self) -> Option<Matrix> {
        let registers = self.elements.iter().map(|element| element.right);
        Matrix::new(self.format, self.shape, registers)
    }

    /// The number of elements whose bound is within a tolerance of one's own.
    pub fn covered(&self, own: &OwnTolerance) -> usize {
        let is_covered = |element: &&ElementTolerance| {
            let bound = element.bound.as_ref();
            bound.is_some_and(|bound| !own.refuses(bound, &element.exact.value))
        };
        self.elements.iter().filter(is_covered).count()
    }
}

/// The exponents of the factors and the greatest product of scales that matrices have.
#[derive(Default)]
struct FactorRanges {
    factors: [Option<Exponents>; 2],
    scales: Option<Dyadic>,
}

impl FactorRanges {
    fn add(&mut self, formats: &[Format; 2], inputs: &Inputs) {
        for (side, operand) in [Operand::A, Operand::B].into_iter().enumerate() {
            let registers = inputs.row(operand).iter();
            let leading = registers.filter_map(|register| {
                let value = Dyadic::of(&formats[side], *register)?;
                Some(value.leading_exponent()? as i32)
            });
            for exponent in leading {
                let one = Exponents {
                    lowest: exponent,
                    highest: exponent,
                };
                self.factors[side] = joined(self.factors[side], Some(one));
            }
        }
    }

    fn join(&mut self, other: FactorRanges) {
        for (own, other) in self.factors.iter_mut().zip(other.factors) {
            *own = joined(*own, other);
        }
        self.scales = greater(self.scales.take(), other.scales);
    }

    /// The bounds for such operands, in both ways to count what is lost of small ones.
    fn bounds(&self, model: &Model) -> Vec<ErrorBound> {
        let signature = model.signature();
        let [a, b] = [
            (self.factors[0], &signature.a),
            (self.factors[1], &signature.b),
        ]
        .map(|(seen, format)| seen.unwrap_or(Exponents::normal(format)));
        let leading = self.scales.as_ref().and_then(Dyadic::leading_exponent);
        let ways = [Underflow::Absolute, Underflow::Relative].into_iter();
        let bounds = ways.filter_map(|underflow| {
            let factors = Factors {
                a,
                b,
                underflow,
                scales_below: leading.map(|leading| leading + 1),
            };
            error_bound(model, factors)
        });
        bounds.collect()
    }
}

fn lesser(one: Dyadic, other: Dyadic) -> Dyadic {
    match one.magnitude_exceeds(&other) {
        true => other,
        false => one,
    }
}

fn greater(one: Option<Dyadic>, other: Option<Dyadic>) -> Option<Dyadic> {
    match (one, other) {
        (Some(one), Some(other)) if other.magnitude_exceeds(&one) => Some(other),
        (one, other) => one.or(other),
    }
}

fn joined(one: Option<Exponents>, other: Option<Exponents>) -> Option<Exponents> {
    match (one, other) {
        (Some(one), Some(other)) => Some(Exponents {
            lowest: one.lowest.min(other.lowest),
            highest: one.highest.max(other.highest),
        }),
        (one, other) => one.or(other),
    }
}
