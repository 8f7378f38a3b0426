//! A bound of the error of a model: `r (|c| + Σ|a[k] b[k]|) + t`, proved by the lemmas below.
//!
//! It holds for finite operands without block scales whose factors are normal numbers or zeros, where no result on the way overflows.
//!
//! 1. *Alignment.* Of a product of normal factors, and of a normal `c`, the significand is at least 1, so that 2 to the power of its
//!    exponent is at most its magnitude. The terms of one sum are aligned to the largest exponent e, so that 2^e is at most
//!    the greatest magnitude M. A term loses less than 2^(e-F); one that has the exponent e itself and no bits below 2^(e-F)
//!    loses nothing. So n terms lose less than n 2^-F M, or (n-1) 2^-F M.
//! 2. *Rounding.* A result of p fraction bits is off by at most 2^-p of the sum that is rounded, by half of that to nearest.
//! 3. *Chains.* With an error of at most ρ T before, T being the sum of the magnitudes so far, M and the aligned sum are
//!    at most (1+ρ) T. After it the error is at most (ρ + g (1+ρ)) T, where g adds up 1 and 2; after L links (1+g)^L - 1.
//! 4. *Sums outside.* The magnitudes of all parts together are those of the whole: J additions, each off by u at most, make of ρ
//!    (1+ρ) (1+u)^J - 1.
//!
//! What does not shrink with the operands is t: the exponent of a subnormal `c` and the limit `emin` stand above the terms, and a
//! subnormal result is rounded to the least number.

use crate::algorithms::fda::{Carry, Params};
use crate::algorithms::{DotAdd, Exact, Ieee, Operation, Order, Products, ZeroRule};
use crate::compositions::{Combine, Kind, Promote, Promotion, Remainder, Split};
use crate::float::{Dyadic, Format, Rounding};
use crate::model::{Algorithm, Model};
use num_bigint::BigInt;

/// Significant bits of a bound; what is below is rounded up.
const BITS: u64 = 64;

/// `relative * (|c| + Σ|a[k] b[k]|) + absolute`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorBound {
    /// The factor of the sum of magnitudes.
    pub relative: Dyadic,
    /// What is added.
    pub absolute: Dyadic,
}

/// A bound of the error of `model`: none where the lemmas say nothing of it.
pub fn error_bound(model: &Model) -> Option<ErrorBound> {
    if model.signature().scales.is_some() {
        return None;
    }
    of(model.algorithm())
}

fn of(algorithm: &Algorithm) -> Option<ErrorBound> {
    let composition = match algorithm {
        Algorithm::Operation(operation) => return of_operation(operation),
        Algorithm::Chain(chain) => {
            let [first, rest] = [of_operation(chain.first())?, of_operation(chain.rest())?];
            return Some(in_turn(&first, &rest, u64::from(chain.links()) - 1));
        }
        Algorithm::Composition(composition) => composition,
    };
    let products = u64::from(algorithm.signature().products);
    let unit = composition.unit();
    let (step, part) = (u64::from(unit.signature().products), of(unit)?);
    let outside = |rounding| of_rounding(rounding, &unit.signature().d);
    match composition.kind() {
        Kind::Promote(Promote {
            promotion: Promotion::Plain,
            remainder: Remainder::Added,
            every,
            rounding,
            ..
        }) => {
            let links = products.div_ceil(step);
            let Some(every) = every.map(u64::from) else {
                return Some(in_turn(&part, &part, links - 1));
            };
            let partial = in_turn(&part, &part, every.min(links) - 1);
            let parts = links.div_ceil(every);
            Some(added_up(&partial, parts, &outside(*rounding), parts))
        }
        Kind::Split(Split {
            splits,
            rounding,
            tile,
            combine: Combine::Serial | Combine::Pairwise | Combine::Tree,
            ..
        }) => {
            let (splits, tile) = (u64::from(*splits), u64::from(*tile));
            let longest = products.div_ceil(tile).div_ceil(splits) * tile;
            let runs = longest.min(products).div_ceil(step);
            let partial = in_turn(&part, &part, runs - 1);
            Some(added_up(&partial, splits, &outside(*rounding), splits + 1))
        }
        Kind::Promote(_) | Kind::Epilogue(_) | Kind::Scheme(_) => None,
    }
}

fn of_operation(operation: &Operation) -> Option<ErrorBound> {
    match operation {
        Operation::Fda(fda) => of_fda(fda.params()),
        Operation::Exact(Exact { rounding, out, .. }) => Some(of_rounding(*rounding, out)),
        Operation::Ieee(Ieee {
            accumulator,
            rounding,
            products,
            order,
            ..
        }) => {
            let one = of_rounding(*rounding, accumulator);
            // Products are rounded by themselves, and as often as one is added a sum is.
            let roundings = match order {
                Order::SequentialFma => u64::from(*products),
                Order::Sequential | Order::FmaThenAccumulator => u64::from(*products) + 1,
                Order::Pairwise => return None,
            };
            Some(in_turn(&one, &one, roundings - 1))
        }
        Operation::Sfma(sfma) => {
            let one = of_rounding(Rounding::Rne, &sfma.format);
            Some(in_turn(&one, &one, u64::from(sfma.products) - 1))
        }
        Operation::Hmma8(_)
        | Operation::Gps(_)
        | Operation::Gdfs(_)
        | Operation::Fdrda(_)
        | Operation::Gfdrda(_)
        | Operation::OzakiSlices(_)
        | Operation::OzakiResidues(_) => None,
    }
}

/// Lemmas 1 and 2.
fn of_fda(params: &Params) -> Option<ErrorBound> {
    let Params {
        a, b, c, out, zero, ..
    } = params;
    let terms = u64::from(params.products_per_sum) + 1;
    let has_room = match params.carry {
        Carry::Full => true,
        // Products are below 4, and c is below 2.
        Carry::Bits(bits) => {
            u64::from(bits) >= u64::from(u64::BITS - (4 * terms).leading_zeros()) - 1
        }
    };
    if !has_room || *zero != ZeroRule::Skip || params.scales.is_some() {
        return None;
    }
    let normalised = u32::from(params.products == Products::Normalised);
    let finest = (a.fraction_bits + b.fraction_bits + normalised).max(c.fraction_bits);
    let fraction = params.fraction_bits;
    let cut_terms = match fraction >= finest {
        true => terms - 1,
        false => terms,
    };
    let cut = scaled(cut_terms, -i64::from(fraction));
    // The exponent of a subnormal c, and the limit.
    let floor = i64::from(c.min_exponent()).max(params.min_exponent.map_or(i64::MIN, i64::from));
    let below = scaled(terms, floor - i64::from(fraction));

    let mut rounded = of_rounding_to(params.rounding, params.result_fraction, out);
    if let Some(via) = params.via {
        rounded = in_turn(&of_rounding(Rounding::Rz, &via), &rounded, 1);
    }
    let cut = ErrorBound {
        relative: cut,
        absolute: below,
    };
    Some(in_turn(&cut, &rounded, 1))
}

/// Lemma 2, for a format.
fn of_rounding(rounding: Rounding, format: &Format) -> ErrorBound {
    of_rounding_to(rounding, format.fraction_bits, format)
}

fn of_rounding_to(rounding: Rounding, fraction: u32, format: &Format) -> ErrorBound {
    let half = i64::from(rounding == Rounding::Rne);
    let last = -i64::from(fraction) - half;
    ErrorBound {
        relative: scaled(1, last),
        absolute: scaled(1, i64::from(format.min_exponent()) + last),
    }
}

/// Lemma 3: `first`, and `times` times `next` on what it gives.
fn in_turn(first: &ErrorBound, next: &ErrorBound, times: u64) -> ErrorBound {
    let one = scaled(1, 0);
    let growth = power(&one.plus(&next.relative), times);
    let relative = one.plus(&first.relative).times(&growth).minus(&one);
    // Each adds its own, which grows as all else.
    let own = next.absolute.times(&scaled(times, 0)).plus(&first.absolute);
    ErrorBound {
        relative: rounded_up(&relative),
        absolute: rounded_up(&own.times(&growth)),
    }
}

/// Lemma 4: parts with that bound each, and so many additions of a sum that is off by `addition`.
fn added_up(part: &ErrorBound, parts: u64, addition: &ErrorBound, additions: u64) -> ErrorBound {
    let all = ErrorBound {
        relative: part.relative.clone(),
        absolute: part.absolute.times(&scaled(parts, 0)),
    };
    in_turn(&all, addition, additions)
}

fn power(base: &Dyadic, exponent: u64) -> Dyadic {
    let mut result = scaled(1, 0);
    let (mut square, mut left) = (base.clone(), exponent);
    while left > 0 {
        if left % 2 == 1 {
            result = rounded_up(&result.times(&square));
        }
        square = rounded_up(&square.times(&square));
        left /= 2;
    }
    result
}

fn scaled(mantissa: u64, exponent: i64) -> Dyadic {
    Dyadic::new(BigInt::from(mantissa), exponent)
}

/// A number that is not negative, with so many significant bits, not less.
fn rounded_up(x: &Dyadic) -> Dyadic {
    let excess = x.mantissa().bits().saturating_sub(BITS);
    let low: BigInt = x.mantissa() >> excess;
    let exact = &low << excess == *x.mantissa();
    let up = low + BigInt::from(u8::from(!exact));
    Dyadic::new(up, x.exponent() + excess as i64)
}
