//! The distance of a product from the exact one, or from another product.

use super::elements::ElementOperands;
use super::stack::{ProductStack, Stack};
use crate::vectors::measure::{ExactSum, LinearMap, Measure, Quotient, Summer};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::{Dyadic, Format, ulp_distance};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

/// The largest of some differences, and the index of its element; `None` if no elements are
/// compared.
pub type LargestDifference = Option<(Quotient, Vec<usize>)>;

/// Differences of all elements, in units in the last place of the result unless stated otherwise.
#[derive(Clone, Debug)]
pub struct MatrixDifference {
    /// The largest difference.
    pub largest: LargestDifference,
    /// The largest absolute difference.
    pub absolute: LargestDifference,
    /// The largest relative difference: infinite where the reference is 0.
    pub relative: LargestDifference,
    /// The mean difference of the elements that are compared, computed in `f64`.
    pub mean: f64,
    /// The mean of the differences with their signs: below 0 if elements are too low.
    pub signed_mean: f64,
    /// The numbers of elements that are too low and too high.
    pub low_and_high: [usize; 2],
    /// The number of elements.
    pub elements: usize,
    /// The number of elements whose difference is not 0.
    pub unlike: usize,
    /// The number of elements that are not compared, since one of the two numbers is a NaN, or an
    /// infinity that would be compared with an exact number.
    pub not_finite: usize,
    /// The numbers of elements that differ by 0, by less than 2^-10, by at least 2^-10 and less
    /// than 2^-9, and so on.
    histogram: Vec<usize>,
}

impl MatrixDifference {
    /// The name and the number of elements of every class of differences that has elements. The
    /// first class contains the difference 0; each other class contains the differences below a
    /// power of two that no earlier class contains. The last class has all larger differences.
    pub fn histogram(&self) -> impl Iterator<Item = (String, usize)> + '_ {
        let name = |bin: usize| match bin {
            0 => "0".into(),
            _ if bin == BINS - 1 => format!(">= 2^{}", bin as i32 - 2 + FIRST),
            _ => format!("< 2^{}", bin as i32 - 1 + FIRST),
        };
        let bins = self.histogram.iter().enumerate();
        bins.filter(|(_, count)| **count > 0)
            .map(move |(bin, count)| (name(bin), *count))
    }
}

/// The difference of one element.
struct Distance {
    ulp: Quotient,
    /// Whether the element is below its reference.
    is_low: bool,
    /// The absolute and the relative difference; `None` if one of the two numbers is not finite.
    others: Option<[Quotient; 2]>,
}

impl Distance {
    /// The distance of a register from a number; `None` if the register is not finite.
    fn of(format: &Format, register: u64, exact: &ExactSum) -> Option<Distance> {
        let of = |measure: Measure| measure.error(format, register, exact);
        Some(Distance {
            ulp: of(Measure::Ulp)?,
            is_low: Dyadic::of(format, register)?
                .minus(&exact.value)
                .is_negative(),
            others: of(Measure::Absolute)
                .zip(of(Measure::Relative))
                .map(<[_; 2]>::from),
        })
    }
}

/// The number in a register as an exact sum; `None` if it is not finite.
fn taken_for_exact(format: &Format, register: u64) -> Option<ExactSum> {
    let value = Dyadic::of(format, register)?;
    let magnitudes = if value.is_negative() {
        value.negated()
    } else {
        value.clone()
    };
    Some(ExactSum { value, magnitudes })
}

/// The exponent of the first power of two in the histogram.
const FIRST: i32 = -10;
const BINS: usize = 42;
/// The number of rows whose distances are in memory at a time.
const ROWS: usize = 1024;

/// Distances of `d`, the results of `model`, from the exact products; `d` has one matrix for each
/// of `products`. The exact product of an epilogue is that of its `alpha`, `beta` and `scale`.
pub fn distance_from_exact(
    model: &Model,
    products: &ProductStack<'_>,
    d: &Stack,
) -> MatrixDifference {
    let whole = model.signature();
    let map = LinearMap::of(model.algorithm());
    collected(d, |number, row| {
        let product = &products.each()[number];
        let matrix = &d.matrices()[number];
        let [_, columns, _] = product.extents();
        let mut operands = ElementOperands::of(product, &whole);
        let mut summer = Summer::new(&operands.signature()).with_map(map.clone());
        let one = |column| {
            let exact = summer.sum(operands.at(row, column))?;
            Distance::of(&whole.d, matrix.get(row, column), &exact)
        };
        (0..columns).map(one).collect()
    })
}

/// Distances of `d`, the results of `model`, from `numbers` (such as products in `f64`), whose
/// elements are treated as exact; `None` if the shapes differ. If the model is an epilogue, the
/// elements are sums without `c`, to which its `alpha`, `beta` and `scale` are applied.
pub fn distance_from_numbers(
    model: &Model,
    products: &ProductStack<'_>,
    d: &Stack,
    numbers: &Stack,
) -> Option<MatrixDifference> {
    let map = LinearMap::of(model.algorithm());
    let zero = Dyadic::new(0.into(), 0);
    (numbers.shape() == d.shape()).then(|| {
        collected(d, |number, row| {
            let [own, other] = [d, numbers].map(|stack| &stack.matrices()[number]);
            let c = products.each()[number].c();
            let one = |column| {
                let exact = taken_for_exact(&numbers.format(), other.get(row, column))?;
                let exact = match (&map, c) {
                    (None, _) => exact,
                    (Some(map), None) => exact.mapped(map, &zero),
                    (Some(map), Some(c)) => {
                        exact.mapped(map, &Dyadic::of(&c.format(), c.get(row, column))?)
                    }
                };
                Distance::of(&d.format(), own.get(row, column), &exact)
            };
            (0..d.matrix_shape()[1]).map(one).collect()
        })
    })
}

/// Distances between the elements of two products; `None` if their formats or shapes differ.
pub fn difference(d: &Stack, other: &Stack) -> Option<MatrixDifference> {
    let format = d.format();
    let same = format == other.format() && d.shape() == other.shape();
    same.then(|| {
        elements(d, other, |one, two| {
            if one == two {
                let others = Some([number(0), number(0)]);
                return Some(Distance {
                    ulp: number(0),
                    is_low: false,
                    others,
                });
            }
            let ulp = number(ulp_distance(&format, one, two)?);
            let exact = taken_for_exact(&format, two);
            let others = exact.and_then(|exact| Distance::of(&format, one, &exact)?.others);
            let is_low = match [one, two].map(|register| Dyadic::of(&format, register)) {
                [Some(own), Some(other)] => own.minus(&other).is_negative(),
                // An infinity is beyond every number, and beyond the other one.
                [None, _] => format.is_negative(one),
                [Some(_), None] => !format.is_negative(two),
            };
            Some(Distance {
                ulp,
                is_low,
                others,
            })
        })
    })
}

/// The summary of `distance` on all pairs of elements with the same index.
fn elements(
    d: &Stack,
    other: &Stack,
    distance: impl Fn(u64, u64) -> Option<Distance> + Send + Sync,
) -> MatrixDifference {
    collected(d, |number, row| {
        let pair = [d, other].map(|stack| &stack.matrices()[number]);
        let one = |column| {
            let [one, two] = pair.map(|matrix| matrix.get(row, column));
            distance(one, two)
        };
        (0..d.matrix_shape()[1]).map(one).collect()
    })
}

fn number(x: u64) -> Quotient {
    let of = |x: u64| Dyadic::new(x.into(), 0);
    Quotient::new(&of(x), &of(1))
}

/// The summary of all distances. `of_row` gets the number of a matrix of `d` and the number of a
/// row in this matrix, and computes the distances of the elements of this row.
fn collected(
    d: &Stack,
    of_row: impl Fn(usize, usize) -> Vec<Option<Distance>> + Send + Sync,
) -> MatrixDifference {
    let [rows, columns] = d.matrix_shape();
    let mut all = MatrixDifference {
        largest: None,
        absolute: None,
        relative: None,
        mean: 0.0,
        signed_mean: 0.0,
        low_and_high: [0; 2],
        elements: d.matrices().len() * rows * columns,
        unlike: 0,
        not_finite: 0,
        histogram: vec![0; BINS],
    };
    let (mut sum, mut signed) = (0.0, 0.0);
    // Computes the distances of a few rows at a time, since exact distances take much memory.
    let every: Vec<usize> = (0..d.matrices().len() * rows).collect();
    for some in every.chunks(ROWS) {
        let found: Vec<_> = some
            .par_iter()
            .map(|row| of_row(row / rows, row % rows))
            .collect();
        for (row, errors) in some.iter().zip(found) {
            for (column, error) in errors.into_iter().enumerate() {
                let Some(error) = error else {
                    all.not_finite += 1;
                    continue;
                };
                let about = error.ulp.approximate();
                sum += about;
                signed += if error.is_low { -about } else { about };
                if about > 0.0 {
                    all.unlike += 1;
                    all.low_and_high[usize::from(!error.is_low)] += 1;
                }
                all.histogram[bin(about)] += 1;
                let at = || d.index(row / rows, [row % rows, column]);
                let Distance { ulp, others, .. } = error;
                raise(&mut all.largest, ulp, at);
                if let Some([absolute, relative]) = others {
                    raise(&mut all.absolute, absolute, at);
                    raise(&mut all.relative, relative, at);
                }
            }
        }
    }
    let compared = (all.elements - all.not_finite).max(1) as f64;
    (all.mean, all.signed_mean) = (sum / compared, signed / compared);
    all
}

/// Replaces `largest` by the difference `error` of one element, if `error` is larger.
fn raise(largest: &mut LargestDifference, error: Quotient, at: impl Fn() -> Vec<usize>) {
    if largest.as_ref().is_none_or(|(most, _)| *most < error) {
        *largest = Some((error, at()));
    }
}

fn bin(x: f64) -> usize {
    match x {
        0.0 => 0,
        // The logarithm of a difference that f64 does not hold is infinite.
        _ => (x.log2().floor() + f64::from(2 - FIRST)).clamp(1.0, (BINS - 1) as f64) as usize,
    }
}
