//! `compare --bias`: signed errors against rationals that share nothing with the measures.

use crate::common::setting::by_day;
use crate::oracle::number::{BigRational, value};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::claims::property::Domain;
use mmasmt_questions::errors::bias::{Bias, BiasDirection, bias};
use mmasmt_questions::inputs::{DrawError, NumberList, Source, Sources};
use mmasmt_questions::vectors::measure::Measure;
use num_traits::{Signed, ToPrimitive, Zero};

fn sources(a: Source, b: Source, c: Source) -> Sources {
    Sources {
        factors: [a, b],
        c,
        within: [None, None],
        seed: 5,
    }
}

fn found(text: &str, sources: &Sources, measure: Measure, samples: u64) -> Bias {
    let model = Model::parse(text).unwrap();
    let limits = Limits::default();
    bias(&model, sources, None, measure, samples, &limits).unwrap()
}

/// A multiple of 2^-100 beside `x`: sums of many quotients have denominators of many digits, and may be beyond the
/// numbers of the host.
fn on_grid(x: &BigRational) -> BigRational {
    let steps = BigRational::from_integer((1u128 << 100).into());
    (x * &steps).round() / steps
}

fn near(x: &BigRational) -> f64 {
    let steps = BigRational::from_integer((1u128 << 100).into());
    (x * steps).round().to_integer().to_f64().unwrap() / 2f64.powi(100)
}

/// Mean, interval and counts over rationals, for every measure that has an error of every result.
#[test]
fn means_and_counts_are_those_of_exact_errors() {
    let own = NumberList::new("own", vec![0.1, -1.5, 3.0, 1e-3]).unwrap();
    let all = [
        (
            "fdrda:in=f16,K=4",
            sources(
                Source::Normal(1000.0),
                Source::Normal(1000.0),
                Source::Normal(1.0),
            ),
        ),
        (
            "fda:F=13,in=e4m3,K=8",
            sources(Source::Positive(4.0), Source::Uniform(1.0), Source::Zero),
        ),
        (
            "repeat(fda:K=4,F=23):K=12",
            sources(
                Source::Of(own.clone()),
                Source::Of(own),
                Source::Uniform(2.0),
            ),
        ),
    ];
    for (text, sources) in by_day(all, 2) {
        // More than are drawn from one stream.
        let samples = 296;
        let model = Model::parse(text).unwrap();
        let signature = model.signature();
        for measure in [Measure::Absolute, Measure::RelativeToSum] {
            let mut errors = Vec::new();
            let mut toward_zero = Vec::new();
            let drawn = sources.drawn(&signature, samples, &Limits::default());
            for inputs in drawn.unwrap() {
                let c = value(&signature.c, inputs.c).unwrap();
                let (mut sum, mut size) = (c.clone(), c.abs());
                for (a, b) in inputs.a.iter().zip(&inputs.b) {
                    let product =
                        value(&signature.a, *a).unwrap() * value(&signature.b, *b).unwrap();
                    size += product.abs();
                    sum += product;
                }
                let d = value(&signature.d, model.evaluate_big(&inputs).unwrap()).unwrap();
                let unit = match measure {
                    Measure::RelativeToSum if !size.is_zero() => size,
                    _ => BigRational::from_integer(1.into()),
                };
                toward_zero.push((sum.abs() - d.abs() * side(&sum, &d)) / &unit);
                errors.push((d - sum) / unit);
            }
            let told = found(text, &sources, measure, samples);
            let count =
                |of: fn(&BigRational) -> bool| errors.iter().filter(|x| of(x)).count() as u64;
            let counts = [
                count(BigRational::is_negative),
                count(BigRational::is_zero),
                count(BigRational::is_positive),
            ];
            assert_eq!(told.counts, counts, "{text}");
            assert!(counts[0] > 0 && counts[2] > 0, "{text}: {counts:?}");
            assert_eq!(told.left_out, 0);
            for (mean, errors) in [(told.mean, &errors), (told.toward_zero, &toward_zero)] {
                let errors: Vec<BigRational> = errors.iter().map(on_grid).collect();
                let total: BigRational = errors.iter().sum();
                let n = BigRational::from_integer(samples.into());
                let exact = total / &n;
                let squares: BigRational = errors.iter().map(|x| (x - &exact) * (x - &exact)).sum();
                let variance = squares / (&n - BigRational::from_integer(1.into())) / n;
                let side = 1.959964 * near(&variance).sqrt();
                let [low, high] = mean.interval.unwrap();
                let is_near = |x: f64, y: f64| (x - y).abs() <= 1e-6 * side;
                assert!(is_near(mean.mean, near(&exact)), "{text}: {mean:?}");
                assert!(
                    is_near(low, near(&exact) - side) && is_near(high, near(&exact) + side),
                    "{text}: {mean:?} {side}"
                );
            }
        }
    }
}

/// Whether a result is on the side of 0 of the exact sum; on the other side its distance counts from
/// there.
fn side(sum: &BigRational, d: &BigRational) -> BigRational {
    let one = BigRational::from_integer(1.into());
    if (sum * d).is_negative() { -one } else { one }
}

/// Figure 2 of MMA-Sim: with factors of a thousand and a small `c`, rounding down is biased and cutting
/// is not; with `c = 0`, which the paper advises, rounding down has none either.
#[test]
fn rounding_down_is_biased_where_the_paper_says() {
    let factors = || Source::Normal(1000.0);
    let of = |text, c| {
        let sources = sources(factors(), factors(), c);
        let found = found(text, &sources, Measure::Absolute, 8000);
        [found.by_mean(), found.by_signs()]
    };
    let normal = || Source::Normal(1.0);
    assert_eq!(
        of("cdna3/v_mfma_f32_32x32x8_f16", normal()),
        [BiasDirection::Down; 2]
    );
    assert_eq!(
        of("fdrda:in=f16,align=trunc", normal()),
        [BiasDirection::Neither; 2]
    );
    assert_eq!(
        of("cdna3/v_mfma_f32_32x32x8_f16", Source::Zero),
        [BiasDirection::Neither; 2]
    );
}

/// Sums of positive numbers are cut: they are too low, and toward zero by as much.
#[test]
fn what_is_cut_goes_toward_zero() {
    let positive = || Source::Positive(1.0);
    let told = found(
        "fda:F=13,K=8",
        &sources(positive(), positive(), Source::Zero),
        Measure::Ulp,
        2000,
    );
    assert_eq!([told.by_mean(), told.by_signs()], [BiasDirection::Down; 2]);
    assert_eq!(told.mean.mean, -told.toward_zero.mean);
    assert_eq!(told.counts[2], 0);
}

/// Squares are sums that are cut; the sum of equal products of few bits is exact.
#[test]
fn operands_are_as_assumed() {
    let model = Model::parse("fda:F=13,K=8").unwrap();
    let normal = || Source::Normal(1.0);
    let sources = sources(normal(), normal(), normal());
    let assuming = |assume: &str| {
        let domain = Domain::parse(assume, &model.signature()).unwrap();
        let limits = Limits::default();
        bias(
            &model,
            &sources,
            Some(&domain),
            Measure::Absolute,
            500,
            &limits,
        )
    };
    let squares = assuming("b = a, c = 0").unwrap();
    assert_eq!(squares.by_mean(), BiasDirection::Down);
    assert_eq!(squares.mean.mean, -squares.toward_zero.mean);
    assert_eq!(squares.counts[2], 0);
    let with_c = assuming("b = a, a[1..] zero").unwrap();
    assert!(with_c.counts[2] > 0, "a negative sum is cut up");
    let equal = assuming("a[1..] = a[0], b[1..] = b[0], a bits 5, b bits 5, c zero").unwrap();
    assert_eq!(equal.counts, [0, 500, 0]);
    let rare = assuming("a exp 90..100");
    assert!(matches!(rare, Err(DrawError::Operands(_))));
}

#[test]
fn results_that_are_not_finite_are_left_out() {
    let great = || Source::Normal(60_000.0);
    let told = found(
        "fda:K=4,out=f16",
        &sources(great(), great(), Source::Zero),
        Measure::Ulp,
        300,
    );
    assert_eq!(told.left_out + told.counts.iter().sum::<u64>(), 300);
    assert!(told.left_out > 250);
    let integers = Model::parse("int:K=4").unwrap();
    let refused = bias(
        &integers,
        &sources(great(), great(), Source::Zero),
        None,
        Measure::Ulp,
        3,
        &Limits::default(),
    );
    assert!(matches!(refused, Err(DrawError::Operands(_))));
}
