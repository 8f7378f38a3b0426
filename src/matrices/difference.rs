//! How far a product is from the exact one, or from another.

use super::matrix::Matrix;
use super::product::Product;
use crate::algorithms::{Operand, Signature};
use crate::float::{Dyadic, ulp_distance};
use crate::measure::{ExactSum, Measure, Quotient, Summer};
use crate::vectors::Inputs;
use rayon::iter::{IntoParallelIterator, ParallelIterator};

/// Differences of all elements, in last places of the result.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The largest, and where it is: row and column. None where nothing is compared.
    pub largest: Option<(Quotient, [usize; 2])>,
    /// The mean of those that are finite, cut to a host number.
    pub mean: f64,
    /// So many elements are not the same.
    pub unlike: usize,
    /// So many are not compared: one of the two is an infinity or a NaN.
    pub not_finite: usize,
    /// How many elements differ by 0, by less than 2^-10, 2^-9, and so on.
    histogram: Vec<usize>,
}

impl Difference {
    /// How many elements differ by 0, and by less than a power of two but not less than the one before; only those that there
    /// are.
    pub fn histogram(&self) -> impl Iterator<Item = (String, usize)> + '_ {
        let name = |bin: usize| match bin {
            0 => "0".into(),
            _ => format!("< 2^{}", bin as i32 - 1 + FIRST),
        };
        let bins = self.histogram.iter().enumerate();
        bins.filter(|(_, count)| **count > 0)
            .map(move |(bin, count)| (name(bin), *count))
    }
}

/// Of the first power of two in the histogram.
const FIRST: i32 = -10;
const BINS: usize = 42;

/// Distances of `d`, a result of a model of this signature, from the exact product.
pub fn distance_from_exact(signature: &Signature, product: &Product<'_>, d: &Matrix) -> Difference {
    let [rows, columns, depth] = product.extents();
    let signature = Signature {
        products: depth as u32,
        ..*signature
    };
    collected([rows, columns], |row| {
        let mut summer = Summer::new(&signature);
        let mut inputs = Inputs::zero(&signature);
        let one = |column| {
            for of in signature.rows() {
                let outer = match of.operand {
                    Operand::A | Operand::AScales => row,
                    Operand::B | Operand::BScales => column,
                    Operand::C => {
                        inputs.c = product.c().map_or(0, |c| c.get(row, column));
                        continue;
                    }
                };
                let registers = inputs.row_mut(of.operand).iter_mut();
                for (k, register) in registers.enumerate() {
                    *register = product.register(&of, k, outer);
                }
            }
            let exact = summer.sum(&inputs)?;
            Measure::Ulp.error(&signature.d, d.get(row, column), &exact)
        };
        (0..columns).map(one).collect()
    })
}

/// Distances of `d` from a product whose elements are taken for exact, such as one in `f64`; none if shapes differ.
pub fn distance_from_numbers(d: &Matrix, numbers: &Matrix) -> Option<Difference> {
    let [rows, columns] = d.shape();
    (numbers.shape() == d.shape()).then(|| {
        collected([rows, columns], |row| {
            let one = |column| {
                let value = Dyadic::of(&numbers.format(), numbers.get(row, column))?;
                let magnitudes = match value.is_negative() {
                    true => value.negated(),
                    false => value.clone(),
                };
                let exact = ExactSum { value, magnitudes };
                Measure::Ulp.error(&d.format(), d.get(row, column), &exact)
            };
            (0..columns).map(one).collect()
        })
    })
}

/// Distances of two products of one format and shape; none if they have not.
pub fn difference(d: &Matrix, other: &Matrix) -> Option<Difference> {
    let format = d.format();
    let same = format == other.format() && d.shape() == other.shape();
    let [rows, columns] = d.shape();
    same.then(|| {
        collected([rows, columns], |row| {
            let one = |column| {
                let pair = [d.get(row, column), other.get(row, column)];
                match pair[0] == pair[1] {
                    true => Some(number(0)),
                    false => ulp_distance(&format, pair[0], pair[1]).map(number),
                }
            };
            (0..columns).map(one).collect()
        })
    })
}

fn number(x: u64) -> Quotient {
    let of = |x: u64| Dyadic::new(x.into(), 0);
    Quotient::new(&of(x), &of(1))
}

fn collected(
    [rows, columns]: [usize; 2],
    of_row: impl Fn(usize) -> Vec<Option<Quotient>> + Send + Sync,
) -> Difference {
    let mut all = Difference {
        largest: None,
        mean: 0.0,
        unlike: 0,
        not_finite: 0,
        histogram: vec![0; BINS],
    };
    let found: Vec<_> = (0..rows).into_par_iter().map(of_row).collect();
    let mut sum = 0.0;
    for (row, errors) in found.into_iter().enumerate() {
        for (column, error) in errors.into_iter().enumerate() {
            let Some(error) = error else {
                all.not_finite += 1;
                continue;
            };
            let about = error.approximate();
            sum += about;
            all.unlike += usize::from(about > 0.0);
            all.histogram[bin(about)] += 1;
            if all.largest.as_ref().is_none_or(|(most, _)| *most < error) {
                all.largest = Some((error, [row, column]));
            }
        }
    }
    all.mean = sum / (rows * columns - all.not_finite).max(1) as f64;
    all
}

fn bin(x: f64) -> usize {
    match x {
        0.0 => 0,
        _ => (x.log2().floor() as i32 + 2 - FIRST).clamp(1, BINS as i32 - 1) as usize,
    }
}
