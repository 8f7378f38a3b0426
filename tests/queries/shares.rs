//! `prove --sample`: intervals against exact binomial sums, and shares against all operands.

use crate::common::exact::{Datum, decode};
use crate::common::setting::is_full;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::claims::property::Claim;
use mmasmt_questions::claims::query::{SampledShare, confidence, share};
use mmasmt_questions::inputs::DrawnDistribution;
use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{One, Zero};

type Rational = Ratio<BigInt>;

/// A number from 0 to 1 as a fraction.
fn binary(x: f64) -> Rational {
    // Bits below 2^-60 do not matter beside 10^-9.
    let whole = 2f64.powi(60);
    Rational::new(BigInt::from((x * whole) as u64), BigInt::from(whole as u64))
}

/// The chance of at most `cases` of `count`, exactly.
fn at_most(cases: u64, count: u64, share: &Rational) -> Rational {
    let other = Rational::one() - share;
    let mut sum = Rational::zero();
    let mut ways = BigInt::one();
    for k in 0..=cases {
        let power = |x: &Rational, n: u64| (0..n).fold(Rational::one(), |all, _| all * x);
        sum += power(share, k) * power(&other, count - k) * &ways;
        ways = ways * (count - k) / (k + 1);
    }
    sum
}

/// Beyond each limit so few, or so many, have less than 2.5 %, and before it more.
#[test]
fn limits_are_where_the_chance_is_a_fortieth() {
    let fortieth = Rational::new(1.into(), 40.into());
    let near = Rational::new(1.into(), 1_000_000_000.into());
    let counts = if is_full() { 5 } else { 4 };
    for count in [1, 2, 7, 24, 60].into_iter().take(counts) {
        for cases in (0..=count).step_by(1 + count as usize / 8) {
            let [low, high] = confidence(cases, count);
            let exactly = |x: f64| binary(x);
            let is_between = |before: Rational, beyond: Rational| {
                assert!(before > fortieth && beyond < fortieth, "{cases} of {count}");
            };
            if cases < count {
                let high = exactly(high);
                is_between(
                    at_most(cases, count, &(&high - &near)),
                    at_most(cases, count, &(&high + &near)),
                );
            } else {
                assert_eq!(high, 1.0);
            }
            if cases > 0 {
                let low = exactly(low);
                let at_least =
                    |share: Rational| Rational::one() - at_most(cases - 1, count, &share);
                is_between(at_least(&low + &near), at_least(&low - &near));
            } else {
                assert_eq!(low, 0.0);
            }
        }
    }
}

#[test]
fn limits_of_many_are_narrow_and_ordered() {
    for count in [1000, 1_000_000] {
        for cases in [0, 1, 3, count / 3, count - 1, count] {
            let [low, high] = confidence(cases, count);
            let part = cases as f64 / count as f64;
            assert!(low <= part && part <= high, "{cases} of {count}");
            assert!(
                high - low < 4.0 / (count as f64).sqrt(),
                "{cases} of {count}"
            );
        }
    }
    // The rule of three.
    assert!((confidence(0, 1_000_000)[1] * 1e6 - 3.7).abs() < 0.1);
}

fn sampled(claim: &Claim, distribution: DrawnDistribution, count: u64, seed: u64) -> SampledShare {
    share(claim, distribution, count, seed, &Limits::default()).unwrap()
}

/// The share of all finite registers of a small unit lies in the interval, for most seeds.
#[test]
fn the_share_of_all_operands_is_in_the_interval() {
    let model = Model::parse("fda:K=1,F=2,in=e2m1,c=e2m3,out=f16").unwrap();
    let signature = model.signature();
    for text in [
        "faithful",
        "exact-sums",
        "factor-independent",
        "no-negative-zero",
    ] {
        let claim = Claim::new(text, &model, "finite").unwrap();
        let (mut cases, mut count) = (0u64, 0u64);
        for a in 0..1 << signature.a.width() {
            for b in 0..1 << signature.b.width() {
                for c in 0..1 << signature.c.width() {
                    let all = [(signature.a, a), (signature.b, b), (signature.c, c)];
                    let is_finite =
                        |(format, bits)| matches!(decode(&format, bits), Datum::Finite(_));
                    if all.into_iter().all(is_finite) {
                        count += 1;
                        let inputs = Inputs::new(vec![a], vec![b], c);
                        cases += u64::from(claim.is_refuted_by(&inputs));
                    }
                }
            }
        }
        let whole = cases as f64 / count as f64;
        let within = (0..20).filter(|seed| {
            let found = sampled(&claim, DrawnDistribution::Registers, 400, *seed);
            let [low, high] = found.interval;
            assert_eq!(found.first.is_some(), found.cases > 0, "{text}");
            if let Some(first) = &found.first {
                assert!(claim.is_refuted_by(first), "{text}");
            }
            low <= whole && whole <= high
        });
        // 19 of 20 on average; that less than 15 are has a chance of one in 30,000.
        let within = within.count();
        assert!(
            within >= 15,
            "{text}: {within} of 20 intervals have {whole}"
        );
    }
}

#[test]
fn a_seed_gives_the_same_share_and_a_domain_its_operands() {
    let model = Model::parse("gps:K=8").unwrap();
    let domain = "finite, positive, a exp -2..1, c = 1";
    let claim = Claim::new("order-independent", &model, domain).unwrap();
    for distribution in [
        DrawnDistribution::Registers,
        DrawnDistribution::Normal,
        DrawnDistribution::Uniform,
    ] {
        let found = sampled(&claim, distribution, 700, 3);
        assert_eq!(found, sampled(&claim, distribution, 700, 3));
        assert_eq!(found.count, 700);
        let first = found.first.unwrap();
        assert!(claim.domain.contains(&first));
    }
    let far = Claim::new("faithful", &model, "c exp 90..100").unwrap();
    let limits = Limits::default();
    let error = share(&far, DrawnDistribution::Normal, 10, 0, &limits).unwrap_err();
    assert!(error.to_string().contains("draw other numbers"), "{error}");
}

/// Half of normal numbers are below 0.6745 in magnitude, half of uniform ones below a half.
#[test]
fn numbers_are_distributed_as_they_are_called() {
    use mmasmt_numbers::float::Format;
    use rand::SeedableRng;
    for (distribution, median) in [
        (DrawnDistribution::Normal, 0.6745),
        (DrawnDistribution::Uniform, 0.5),
    ] {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        let (mut below, mut negative, mut squares) = (0, 0, 0.0);
        for _ in 0..4000 {
            let Datum::Finite(x) =
                decode(&Format::F16, distribution.number(&Format::F16, &mut rng))
            else {
                panic!("{distribution:?}");
            };
            let x = x.to_f64();
            below += i32::from(x.abs() < median);
            negative += i32::from(x < 0.0);
            squares += x * x / 4000.0;
        }
        let variance = if distribution == DrawnDistribution::Normal {
            1.0
        } else {
            1.0 / 3.0
        };
        assert!((below - 2000).abs() < 160, "{distribution:?}: {below}");
        assert!(
            (negative - 2000).abs() < 160,
            "{distribution:?}: {negative}"
        );
        assert!(
            (squares / variance - 1.0).abs() < 0.1,
            "{distribution:?}: {squares}"
        );
    }
}
