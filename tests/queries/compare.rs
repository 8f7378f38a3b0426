//! Errors of random operands, against rationals that share nothing with the measures.

use crate::common::setting::by_day;
use crate::oracle::number::{BigRational, value};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::float::{Dyadic, Exponents};
use mmasmt_questions::errors::compare::{OperandDraw, distribution, errors};
use mmasmt_questions::vectors::measure::Measure;
use num_traits::{Signed, ToPrimitive, Zero};

const OPERANDS: &str = "-6..8";

fn operands(measure: Measure, samples: u64) -> OperandDraw {
    let exponents = Exponents::parse(OPERANDS).unwrap();
    OperandDraw {
        exponents,
        measure,
        samples,
        seed: 7,
    }
}

/// The distance from the exact sum, relative to the sum of magnitudes.
fn relative_to_sum(model: &Model, inputs: &Inputs) -> f64 {
    let signature = model.signature();
    let (mut sum, mut magnitudes) = (BigRational::zero(), BigRational::zero());
    for (a, b) in inputs.a.iter().zip(&inputs.b) {
        let product = value(&signature.a, *a).unwrap() * value(&signature.b, *b).unwrap();
        magnitudes += product.abs();
        sum += product;
    }
    let d = value(&signature.d, model.evaluate_big(inputs).unwrap()).unwrap();
    let error = (d - sum).abs() / magnitudes;
    error.numer().to_f64().unwrap() / error.denom().to_f64().unwrap()
}

#[test]
fn the_largest_error_is_that_of_its_operands() {
    for text in [
        "fda:K=32,F=13,in=e4m3",
        "markidis(fda:F=23):K=16",
        "gfdrda:in=e4m3fnuz",
    ] {
        let model = Model::parse(text).unwrap();
        let found = distribution(
            &model,
            &operands(Measure::RelativeToSum, 1000),
            &Limits::default(),
        );
        let found = found.unwrap();
        let expected = relative_to_sum(&model, &found.largest.inputs);
        let error = found.largest.error.approximate();
        assert!(
            (error / expected - 1.0).abs() < 1e-12,
            "{text}: {error:e} {expected:e}"
        );
        assert!(found.median <= found.high && found.high <= error, "{text}");
        assert_eq!(found.samples, 1000);
    }
}

/// A product of f16 numbers is exact in f32: all errors are 0. Rounded to bf16, half of the errors are at most a quarter of
/// the last place, about 2^-10 of the product, and all at most 2^-9 and a little.
#[test]
fn percentiles_of_known_distributions() {
    let exact = Model::parse("exact:K=1").unwrap();
    let found = distribution(
        &exact,
        &operands(Measure::RelativeToSum, 500),
        &Limits::default(),
    );
    let found = found.unwrap();
    assert_eq!((found.median, found.high), (0.0, 0.0));
    assert!(found.largest.error.approximate() == 0.0);

    let rounded = Model::parse("exact:K=1,out=bf16").unwrap();
    let found = distribution(
        &rounded,
        &operands(Measure::Ulp, 20_000),
        &Limits::default(),
    );
    let found = found.unwrap();
    assert!((0.24..0.26).contains(&found.median), "{}", found.median);
    assert!((0.499..=0.5).contains(&found.high), "{}", found.high);
}

#[test]
fn errors_do_not_depend_on_the_number_of_threads() {
    let model = Model::parse("promote(fda:K=16,F=13,in=e4m3, every=2):K=64").unwrap();
    let operands = operands(Measure::RelativeToSum, 1000);
    let of = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().unwrap();
        let found = pool.install(|| errors(&model, &operands, &Limits::default()));
        let found = found.unwrap();
        let of = found.distribution;
        (of.median, of.high, of.largest.inputs, found.worst.0)
    };
    assert_eq!(of(1), of(3));
}

#[test]
fn the_worst_error_is_at_least_that_of_random_operands_and_within_the_bound() {
    for text in by_day(
        ["fda:K=4", "repeat(fda:K=8,F=13,in=e4m3):K=128", "ieee:K=8"],
        2,
    ) {
        let model = Model::parse(text).unwrap();
        let found = errors(
            &model,
            &operands(Measure::RelativeToSum, 300),
            &Limits::default(),
        );
        let found = found.unwrap();
        assert!(found.worst.1 >= found.distribution.largest.error, "{text}");
        let bound = found.bound.expect("a bound");
        assert!(
            relative_to_sum(&model, &found.worst.0) <= bound.approximate(),
            "{text}"
        );
    }
}

/// Whether a unit takes a subnormal factor for zero.
fn flushes(model: &Model) -> bool {
    let signature = model.signature();
    let [a, b] = [signature.a, signature.b];
    let mut inputs = Inputs::zero(&signature);
    inputs.a[0] = a.register(a.min_exponent(), 0, false) - (1 << a.unread_bits());
    inputs.b[0] = b.register(b.max_exponent(), 0, false);
    model
        .evaluate_big(&inputs)
        .is_ok_and(|d| value(&signature.d, d).is_some_and(|d| d.is_zero()))
}

/// A search that goes on to subnormal factors finds what no column beside it is about. How many units flush.
fn assert_worst_is_within_the_bound(units: impl Iterator<Item = String>) -> usize {
    let mut seen = Vec::new();
    for text in units {
        let model = Model::parse(&text).unwrap();
        let signature = model.signature();
        let is_known = seen.contains(&model.canonical());
        if signature.is_integer() || signature.scales.is_some() || is_known || !flushes(&model) {
            continue;
        }
        seen.push(model.canonical());
        let lowest = signature.a.min_exponent().max(signature.b.min_exponent());
        let operands = OperandDraw {
            exponents: Exponents {
                lowest,
                highest: lowest + 4,
            },
            measure: Measure::RelativeToSum,
            samples: 50,
            seed: 0,
        };
        let found = errors(&model, &operands, &Limits::default()).unwrap();
        let (inputs, worst) = &found.worst;
        let least = Dyadic::new(1.into(), lowest.into());
        for (format, row) in [(&signature.a, &inputs.a), (&signature.b, &inputs.b)] {
            for register in row {
                let value = Dyadic::of(format, *register).unwrap();
                assert!(!least.magnitude_exceeds(&value), "{text}: {register:x}");
            }
        }
        assert!(!worst.is_infinite(), "{text}");
        if let Some(bound) = &found.bound {
            assert!(worst <= bound, "{text}: {worst} {bound}");
        }
    }
    seen.len()
}

#[test]
fn where_a_unit_flushes_the_worst_error_is_within_the_bound() {
    let unit = "gps:K=4".to_owned();
    assert_eq!(assert_worst_is_within_the_bound([unit].into_iter()), 1);
}

#[test]
#[ignore = "a minute"]
fn where_units_flush_the_worst_error_is_within_the_bound() {
    let rows = mmasmt_core::machines::model::architectures()
        .unwrap()
        .iter();
    let rows = rows.flat_map(|of| {
        of.rows
            .iter()
            .map(|row| format!("{}/{}", of.name, row.name))
    });
    let own = ["gps:K=4", "gps:K=8,in=bf16"].map(String::from);
    assert!(assert_worst_is_within_the_bound(rows.chain(own)) > 5);
}

/// In absolute units the bound is that of the greatest operands, in last places that of the least
/// last place. Relative to a sum that may cancel there is none.
#[test]
fn the_bound_of_absolute_errors_is_kept() {
    let model = Model::parse("fda:K=1,F=9").unwrap();
    let found = |measure| errors(&model, &operands(measure, 100), &Limits::default()).unwrap();
    for measure in by_day([Measure::Absolute, Measure::Ulp], 2) {
        let found = found(measure);
        assert!(found.worst.1 <= found.bound.unwrap(), "{measure:?}");
    }
    assert!(found(Measure::Relative).bound.is_none());
}
