//! Units to learn, each written from a sentence. None of them is a family of the program.

use super::numbers::Number::{self, Finite, Infinite};
use super::numbers::{
    BF16, E4M3, F16, F32, Form, Way, all_negative, dropped, exact, form, product, special,
};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

/// A register of `form` that a rounded sum of these terms gives; a sum of zero is positive unless
/// every term is negative.
fn rounded(terms: &[Number], form: Form, way: Way) -> u64 {
    if let Some(special) = special(terms) {
        return match special {
            Infinite(negative) => form.infinity(negative),
            _ => form.quiet(),
        };
    }
    let (sum, place) = exact(terms);
    let negative = match sum.is_zero() {
        true => all_negative(terms),
        false => sum.is_negative(),
    };
    form.write(negative, &sum, place, way)
}

fn products(form: Form, a: &[u64], b: &[u64]) -> Vec<Number> {
    let pairs = a.iter().zip(b);
    pairs
        .map(|(x, y)| product(&form.read(*x), &form.read(*y)))
        .collect()
}

/// 1: products of f16 rounded to f32 (nearest even), then sums in f32 of neighbours, of those, and
/// so on, then c, every sum cut towards zero; K = 8.
pub fn neighbours(a: &[u64], b: &[u64], c: u64) -> u64 {
    let mut row: Vec<u64> = products(F16, a, b)
        .into_iter()
        .map(|product| rounded(&[product], F32, Way::Nearest))
        .collect();
    let sum = |x: u64, y: u64| rounded(&[F32.read(x), F32.read(y)], F32, Way::Zero);
    while row.len() > 1 {
        row = row.chunks(2).map(|pair| sum(pair[0], pair[1])).collect();
    }
    sum(row[0], c)
}

/// A sum on a grid: its value in units of `2^(exponent - fraction)`.
struct Grid {
    exponent: i64,
    fraction: i64,
    value: BigInt,
    is_empty: bool,
}

/// Terms cut to `fraction` bits below the largest exponent of those that are not zero, and summed.
fn on_grid(terms: &[Number], fraction: i64, way: Way, ones: bool) -> Grid {
    let counts = |term: &&Number| matches!(term, Finite { mantissa, .. } if !mantissa.is_zero());
    let exponent = |term: &Number| match term {
        Finite { exponent, .. } => *exponent,
        _ => i64::MIN,
    };
    let Some(greatest) = terms.iter().filter(counts).map(exponent).max() else {
        return Grid {
            exponent: 0,
            fraction,
            value: BigInt::zero(),
            is_empty: true,
        };
    };
    let mut value = BigInt::zero();
    for term in terms.iter().filter(counts) {
        if let Finite {
            negative,
            mantissa,
            place,
            ..
        } = term
        {
            let kept = dropped(*negative, mantissa, greatest - fraction - place, way);
            match negative {
                true => value -= kept + BigInt::from(u8::from(ones)),
                false => value += kept,
            }
        }
    }
    Grid {
        exponent: greatest,
        fraction,
        value,
        is_empty: false,
    }
}

/// 2: bf16, K = 4: products and c on a grid of 28 bits under the largest exponent, negative terms in
/// one's complement, so that each loses one in the last place; the sum rounded to nearest.
pub fn complement(a: &[u64], b: &[u64], c: u64) -> u64 {
    let mut terms = products(BF16, a, b);
    terms.push(F32.read(c));
    match special(&terms) {
        Some(Infinite(negative)) => return F32.infinity(negative),
        Some(_) => return F32.ones(),
        None => {}
    }
    let sum = on_grid(&terms, 28, Way::Zero, true);
    let place = sum.exponent - sum.fraction;
    F32.write(sum.value.is_negative(), &sum.value, place, Way::Nearest)
}

/// 3: e4m3, K = 32: four sums of eight neighbours (15 bits, cut), their unrounded sums fused again
/// (20 bits), and then with c (24 bits), rounded towards zero once.
pub fn levels(a: &[u64], b: &[u64], c: u64) -> u64 {
    let terms = products(E4M3, a, b);
    let c = F32.read(c);
    let all: Vec<Number> = terms.iter().cloned().chain([c.clone()]).collect();
    match special(&all) {
        Some(Infinite(negative)) => return F32.infinity(negative),
        Some(_) => return F32.ones(),
        None => {}
    }
    let sums: Vec<Grid> = terms
        .chunks(8)
        .map(|some| on_grid(some, 15, Way::Zero, false))
        .collect();
    let again = of_grids(&sums, 20);
    let last = match c {
        Finite {
            negative,
            mantissa,
            exponent,
            ..
        } => Grid {
            exponent,
            fraction: 23,
            is_empty: mantissa.is_zero(),
            value: if negative { -mantissa } else { mantissa },
        },
        _ => return F32.ones(),
    };
    let sum = of_grids(&[again, last], 24);
    let place = sum.exponent - sum.fraction;
    F32.write(sum.value.is_negative(), &sum.value, place, Way::Zero)
}

/// Sums that keep the exponents of their grids, on a grid of `fraction` bits.
fn of_grids(sums: &[Grid], fraction: i64) -> Grid {
    let filled = || sums.iter().filter(|sum| !sum.is_empty);
    let exponent = filled().map(|sum| sum.exponent).max();
    let greatest = exponent.unwrap_or(0);
    let value = filled().map(|sum| {
        let count = greatest - fraction - (sum.exponent - sum.fraction);
        let kept = dropped(false, &sum.value.abs(), count, Way::Zero);
        if sum.value.is_negative() { -kept } else { kept }
    });
    Grid {
        exponent: greatest,
        fraction,
        value: value.sum(),
        is_empty: exponent.is_none(),
    }
}

/// 4: f16, K = 4: the exact sum of the products, rounded to nearest in a format of 8 exponent and 20
/// fraction bits, then added to c in f32 (nearest even).
pub fn late(a: &[u64], b: &[u64], c: u64) -> u64 {
    let middle = form(8, 20, false);
    let sum = rounded(&products(F16, a, b), middle, Way::Nearest);
    rounded(&[middle.read(sum), F32.read(c)], F32, Way::Nearest)
}

/// 5: bf16, K = 8: subnormal factors are zero, results below 2^-126 are zero with the sign; terms in
/// the order 0, 4, 1, 5, 2, 6, 3, 7 by fused multiply-adds.
pub fn interleaved(a: &[u64], b: &[u64], c: u64) -> u64 {
    let flushed = |bits: u64| {
        if bits & 0x7f80 == 0 {
            bits & 0x8000
        } else {
            bits
        }
    };
    let mut sum = c;
    for k in [0, 4, 1, 5, 2, 6, 3, 7] {
        let [x, y] = [a[k], b[k]].map(|bits| BF16.read(flushed(bits)));
        sum = rounded(&[product(&x, &y), F32.read(sum)], F32, Way::Nearest);
        if sum & 0x7f80_0000 == 0 {
            sum &= 0x8000_0000;
        }
    }
    sum
}

/// 6: f16 with an f16 accumulator, K = 16: fused in two halves (12 bits, nearest even at alignment),
/// rounded to f16 after each.
pub fn halves(a: &[u64], b: &[u64], c: u64) -> u64 {
    let mut sum = c;
    for half in [0..8, 8..16] {
        let mut terms = products(F16, &a[half.clone()], &b[half]);
        terms.push(F16.read(sum));
        sum = match special(&terms) {
            Some(Infinite(negative)) => F16.infinity(negative),
            Some(_) => F16.ones(),
            None => {
                let sum = on_grid(&terms, 12, Way::Nearest, false);
                let place = sum.exponent - sum.fraction;
                F16.write(sum.value.is_negative(), &sum.value, place, Way::Nearest)
            }
        };
    }
    sum
}
