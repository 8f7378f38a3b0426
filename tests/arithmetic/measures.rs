//! Errors on numbers, held against rationals that share no code with them.

use crate::common::drawn::FAMILIES;
use crate::common::exact::{Datum, decode};
use crate::common::inputs::draw;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_numbers::float::{Dyadic, Format};
use mmasmt_questions::vectors::measure::{Measure, Quotient, Summer};
use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{One, Signed, Zero};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

type Rational = Ratio<BigInt>;

fn power(exponent: i64) -> Rational {
    let one = Rational::one();
    match exponent {
        0.. => one * (BigInt::one() << exponent),
        _ => one / (BigInt::one() << -exponent),
    }
}

/// The number, and its last place.
fn number(format: &Format, register: u64) -> Option<(Rational, Rational)> {
    let Datum::Finite(x) = decode(format, register) else {
        return None;
    };
    let magnitude = power(x.unit) * BigInt::from(x.significand);
    let number = if x.negative { -magnitude } else { magnitude };
    Some((number, power(x.unit)))
}

fn value(format: &Format, register: u64) -> Option<Rational> {
    number(format, register).map(|(value, _)| value)
}

/// The terms, one by one.
fn terms(signature: &Signature, inputs: &Inputs) -> Option<Vec<Rational>> {
    let mut terms = vec![value(&signature.c, inputs.c)?];
    for (k, (x, y)) in inputs.a.iter().zip(&inputs.b).enumerate() {
        let mut term = value(&signature.a, *x)? * value(&signature.b, *y)?;
        if let Some(scales) = signature.scales {
            let block = k / scales.block as usize;
            term *= value(&scales.format, inputs.a_scales[block])?;
            term *= value(&scales.format, inputs.b_scales[block])?;
        }
        terms.push(term);
    }
    Some(terms)
}

fn rational(x: &Dyadic) -> Rational {
    power(x.exponent()) * x.mantissa()
}

/// Whether the quotient is that number; infinite if it is none.
fn is(quotient: &Quotient, expected: Option<Rational>) -> bool {
    let Some(expected) = expected else {
        return quotient.is_infinite();
    };
    quotient.between(60).is_some_and(|[below, above]| {
        let [below, above] = [rational(&below), rational(&above)];
        let spread = &above - &below;
        let near = expected.is_zero() || &spread * (BigInt::one() << 58) <= expected;
        below <= expected && expected <= above && near && (below == above) == spread.is_zero()
    })
}

#[test]
fn errors_are_those_of_rationals() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let (mut measured, mut infinite) = (0, 0);
    for (name, family) in FAMILIES {
        for _ in 0..120 {
            let model = family(&mut rng).model();
            let signature = model.signature();
            let mut summer = Summer::new(&signature);
            for _ in 0..8 {
                let inputs = draw(&mut rng, &signature);
                let d = model.simulator().evaluate(&inputs).unwrap();
                let exact = summer.sum(&inputs);
                assert_eq!(exact, Summer::new(&signature).sum(&inputs));
                let expected = terms(&signature, &inputs);
                assert_eq!(exact.is_some(), expected.is_some(), "{name}");
                let (Some(exact), Some(terms)) = (exact, expected) else {
                    continue;
                };
                let sum: Rational = terms.iter().sum();
                let magnitudes: Rational = terms.iter().map(Signed::abs).sum();
                assert_eq!(rational(&exact.value), sum, "{model}");
                assert_eq!(rational(&exact.magnitudes), magnitudes, "{model}");
                let result = number(&signature.d, d);
                for measure in Measure::ALL {
                    let error = measure.error(&signature.d, d, &exact);
                    let Some((result, place)) = result.clone() else {
                        assert!(error.is_none());
                        continue;
                    };
                    let unit = match measure {
                        Measure::Absolute => Rational::one(),
                        Measure::Ulp => place,
                        Measure::Relative => sum.abs(),
                        Measure::RelativeToSum => magnitudes.clone(),
                    };
                    let distance = (result - &sum).abs();
                    let expected = match (distance.is_zero(), unit.is_zero()) {
                        (true, _) => Some(Rational::zero()),
                        (false, true) => None,
                        (false, false) => Some(distance / unit),
                    };
                    infinite += usize::from(expected.is_none());
                    let line = inputs.to_line(&signature);
                    let error = error.unwrap();
                    assert!(is(&error, expected), "{model}: {line}: {error}");
                    measured += 1;
                }
            }
        }
    }
    assert!(measured > 4000 && infinite > 0, "{measured}, {infinite}");
}

#[test]
fn quotients_are_compared_without_rounding() {
    let dyadic = |mantissa: i64, exponent| Dyadic::new(BigInt::from(mantissa), exponent);
    let values = [0i64, 1, -1, 2, 3, 7, 1 << 40, (1 << 40) + 1];
    let mut all = Vec::new();
    for (x, y) in values.into_iter().flat_map(|x| values.map(|y| (x, y))) {
        for exponent in [-3, 0, 5] {
            let quotient = Quotient::new(&dyadic(x, exponent), &dyadic(y, 0));
            let value = match (x, y) {
                (0, _) => Some(Rational::zero()),
                (_, 0) => None,
                _ => Some(power(exponent) * BigInt::from(x.abs()) / BigInt::from(y.abs())),
            };
            all.push((quotient, value));
        }
    }
    for ((x, left), (y, right)) in all.iter().flat_map(|x| all.iter().map(move |y| (x, y))) {
        let expected = match (left, right) {
            (Some(left), Some(right)) => left.cmp(right),
            _ => left.is_none().cmp(&right.is_none()),
        };
        assert_eq!(x.cmp(y), expected, "{x} and {y}");
    }
    assert_eq!(
        Quotient::new(&dyadic(3, -2), &dyadic(1, 0)).to_string(),
        "0x1.8p-1"
    );
    assert_eq!(
        Quotient::new(&dyadic(1, 0), &dyadic(3, 0)).to_string(),
        "~0x1.55555555p-2"
    );
    assert_eq!(
        Quotient::new(&dyadic(1, 0), &dyadic(0, 0)).to_string(),
        "infinite"
    );
    let least = Quotient::new(&dyadic(-3, -1074), &dyadic(2, 0));
    assert_eq!(
        least.approximate(),
        f64::from_bits(2),
        "to even, or next to it"
    );
}
