//! Ozaki's schemes against host integers and host f64, on rows that are drawn.

use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Rows with exponents at most `spread` apart, zeros among them.
fn row(rng: &mut ChaCha8Rng, count: usize, spread: i32) -> Vec<f64> {
    let mut number = || {
        let significand = rng.random_range(-1.0..1.0_f64);
        let scale = 2f64.powi(rng.random_range(-spread..=spread));
        match rng.random_ratio(1, 10) {
            true => 0.0,
            false => significand * scale,
        }
    };
    (0..count).map(|_| number()).collect()
}

fn eval(model: &str, a: &[f64], b: &[f64], c: f64) -> f64 {
    let bits = |row: &[f64]| row.iter().map(|x| x.to_bits()).collect();
    let inputs = Inputs::new(bits(a), bits(b), c.to_bits());
    let model = Model::parse(model).unwrap();
    f64::from_bits(model.simulator().evaluate(&inputs).unwrap())
}

/// The exponent of the largest number.
fn top(row: &[f64]) -> i32 {
    let largest = row.iter().fold(0f64, |most, x| most.max(x.abs()));
    (largest.to_bits() >> 52) as i32 - 1023
}

/// `x * 2^exponent` cut to an integer.
fn cut(x: f64, exponent: i32) -> i128 {
    let (bits, sign) = (x.abs().to_bits(), if x < 0.0 { -1 } else { 1 });
    if bits >> 52 == 0 {
        return 0;
    }
    let significand = i128::from(bits & ((1 << 52) - 1) | 1 << 52);
    let shift = (bits >> 52) as i32 - 1075 + exponent;
    sign * match shift {
        0.. => significand << shift,
        -127..0 => significand >> -shift,
        _ => 0,
    }
}

/// Slice `t`, from 1, of a number of a row.
fn slice(x: f64, top: i32, t: i32, b: i32) -> i128 {
    let all = cut(x, b * t - 1 - (top + 1));
    all.signum() * (all.abs() & ((1 << b) - 1))
}

fn by_slices(a: &[f64], b: &[f64], slices: i32, bits: i32) -> f64 {
    let (top_a, top_b) = (top(a), top(b));
    let mut sum = 0f64;
    for both in 2..=slices + 1 {
        for i in 1..both {
            let pairs = a.iter().zip(b);
            let exact: i128 = pairs
                .map(|(x, y)| slice(*x, top_a, i, bits) * slice(*y, top_b, both - i, bits))
                .sum();
            sum += exact as f64 * 2f64.powi(2 - bits * both);
        }
    }
    sum * 2f64.powi(top_a + 1) * 2f64.powi(top_b + 1)
}

#[test]
fn slices_are_those_of_host_integers() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for (k, slices, bits) in [(4, 3, 7), (4, 8, 7), (7, 9, 7), (5, 6, 5), (3, 18, 7)] {
        let model = format!("ozaki1:K={k},s={slices},b={bits}");
        for spread in [0, 3, 20] {
            for _ in 0..20 {
                let [a, b] = [0; 2].map(|_| row(&mut rng, k, spread));
                let c = row(&mut rng, 1, spread)[0];
                let expected = by_slices(&a, &b, slices, bits) + c;
                assert_eq!(eval(&model, &a, &b, c), expected, "{model} {a:?} {b:?}");
            }
        }
    }
}

#[test]
fn residues_give_the_exact_sum_of_integers() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    // Bits of an integer: the product of the moduli has one more than twice that, and those of K.
    for (k, moduli, bits) in [(4, 7, 26), (4, 14, 53), (3, 2, 6), (5, 15, 56)] {
        let model = format!("ozaki2:K={k},n={moduli}");
        for spread in [0, 3, 20] {
            for _ in 0..10 {
                let [a, b] = [0; 2].map(|_| row(&mut rng, k, spread));
                let [up_a, up_b] = [&a, &b].map(|row| bits - 1 - top(row));
                let pairs = a.iter().zip(&b);
                let sum: i128 = pairs.map(|(x, y)| cut(*x, up_a) * cut(*y, up_b)).sum();
                let expected = sum as f64 * 2f64.powi(-up_a) * 2f64.powi(-up_b);
                assert_eq!(eval(&model, &a, &b, 0.0), expected, "{model} {a:?} {b:?}");
            }
        }
    }
}

#[test]
fn what_is_not_finite_gives_a_nan() {
    for model in ["ozaki1", "ozaki2"] {
        for x in [f64::INFINITY, f64::NAN] {
            assert!(eval(model, &[x, 0.0, 1.0, 1.0], &[1.0; 4], 0.0).is_nan());
        }
        assert_eq!(eval(model, &[0.0; 4], &[1.0; 4], 2.5), 2.5);
    }
}

#[test]
fn moduli_and_slices_that_are_too_few_or_too_wide_are_refused() {
    for wrong in [
        "ozaki1:K=65536,b=8",
        "ozaki1:K=65536,s=0",
        "ozaki2:K=8192",
        "ozaki2:n=21",
    ] {
        assert!(Model::parse(wrong).is_err(), "{wrong}");
    }
    assert!(Model::parse("ozaki1:K=65536,b=7").is_ok());
}
