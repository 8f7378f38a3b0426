//! `error=BOUND`: counted as exact binary fractions say, and proved near the worst input there is.

use crate::common::drawn::FAMILIES;
use crate::common::inputs::draw;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::float::{Dyadic, Format};
use mmasmt_questions::claims::property::Claim;
use mmasmt_questions::claims::query::{Basis, Ended, FactSubject, Options, prove};
use mmasmt_questions::inputs::Sampler;
use mmasmt_questions::vectors::measure::{ExactSum, Measure};
use num_bigint::BigInt;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::time::Duration;

/// A value, and the exponent that it has as a term: that of the least normal number at least.
fn term(format: &Format, register: u64) -> Option<(Dyadic, Option<i64>)> {
    let value = Dyadic::of(format, register)?;
    let exponent = value.leading_exponent();
    let exponent = exponent.map(|exponent| exponent.max(i64::from(format.min_exponent())));
    Some((value, exponent))
}

/// The exact sum and the largest exponent of the terms that are no zeros; none if an operand is
/// not finite.
fn exact(signature: &Signature, inputs: &Inputs) -> Option<(Dyadic, Option<i64>)> {
    let (mut sum, mut largest) = term(&signature.c, inputs.c)?;
    for (&a, &b) in inputs.a.iter().zip(&inputs.b) {
        let (a, a_exponent) = term(&signature.a, a)?;
        let (b, b_exponent) = term(&signature.b, b)?;
        sum = sum.plus(&a.times(&b));
        let exponent = a_exponent.zip(b_exponent).map(|(a, b)| a + b);
        largest = largest.max(exponent);
    }
    Some((sum, largest))
}

/// How far the result is from the exact sum in the unit that `unit` names; none where a claim says
/// nothing, or no term is there to count in.
fn error(model: &Model, inputs: &Inputs, unit: &str) -> Option<Dyadic> {
    let signature = model.signature();
    let (sum, largest) = exact(&signature, inputs)?;
    let (result, exponent) = term(&signature.d, model.simulator().evaluate(inputs).unwrap())?;
    let error = result.minus(&sum);
    let least = i64::from(signature.d.min_exponent());
    Some(match unit {
        "ulp" => error.shifted(i64::from(signature.d.fraction_bits) - exponent.unwrap_or(least)),
        "max" => error.shifted(-largest?),
        _ => error,
    })
}

#[test]
fn bounds_are_counted_as_exact_fractions_say() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let (mut kept, mut violated) = (0, 0);
    for (_, family) in FAMILIES {
        for _ in 0..40 {
            let model = family(&mut rng).model();
            if model.signature().scales.is_some() {
                continue;
            }
            for unit in ["ulp", "max", ""] {
                let inputs = draw(&mut rng, &model.signature());
                let Some(error) = error(&model, &inputs, unit) else {
                    continue;
                };
                // A bound is an f64. The error itself is within bounds, half a unit of it less is not.
                let mantissa = num_traits::Signed::abs(error.mantissa());
                if mantissa.bits() > 52 || error.exponent() < -1000 {
                    continue;
                }
                let exact = Dyadic::new(mantissa.clone(), error.exponent());
                let less = Dyadic::new(mantissa * 2 - BigInt::from(1), error.exponent() - 1);
                for (bound, expected) in [(exact, false), (less, true)] {
                    if bound.is_negative() {
                        continue;
                    }
                    let text = format!("error={bound}{unit}");
                    let claim = Claim::new(&text, &model, "").unwrap();
                    let line = inputs.to_line(&model.signature());
                    assert_eq!(
                        claim.is_refuted_on_big(&inputs),
                        expected,
                        "{claim}: {line}"
                    );
                    assert_eq!(claim.is_refuted_by(&inputs), expected, "{claim}: {line}");
                    kept += usize::from(!expected);
                    violated += usize::from(expected);
                }
            }
        }
    }
    assert!(
        kept > 50 && violated > 50,
        "{kept} kept, {violated} violated"
    );
}

/// Units beside one another, sums outside, and numbers in parts: the first sum of these is not that of all terms.
const COMPOSITIONS: [&str; 6] = [
    "promote(fda:K=2,F=6,in=e4m3,out=f32,c=f32):K=6,every=1",
    "splitk(fda:K=2,F=10,in=e5m2):K=8,S=2",
    "epilogue(fda:K=4,in=e4m3):out=bf16",
    "markidis(volta/HMMA.884.F32.F32):K=2",
    "eq24(volta/HMMA.884.F32.F32):K=3",
    "3xtf32(ampere/HMMA.1688.F32.TF32):K=2",
];

/// Bounds in every unit, of compositions as well, held against the errors that are measured on numbers.
#[test]
fn bounds_of_compositions_are_counted_as_errors_are_measured() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let (mut kept, mut violated) = (0, 0);
    for (name, number) in COMPOSITIONS
        .iter()
        .flat_map(|name| (0..12).map(move |n| (name, n)))
    {
        let model = Model::parse(name).unwrap();
        let signature = model.signature();
        let mut inputs = draw(&mut rng, &signature);
        if number % 2 == 0 {
            // Near one another.
            let mut sampler = Sampler::new(signature, number);
            inputs = sampler.sample();
        }
        // Claims on a model that reads no `c` are about inputs whose `c` is 0.
        if !model.reads_c() {
            inputs.c = 0;
        }
        let d = model.simulator().evaluate(&inputs).unwrap();
        let Some(exact) = ExactSum::of(&model, &inputs) else {
            continue;
        };
        for measure in Measure::ALL {
            let Some(error) = measure.error(&signature.d, d, &exact) else {
                continue;
            };
            // Bounds of 50 bits on both sides of the error.
            let Some([below, above]) = error.between(50) else {
                continue;
            };
            let less = below.minus(&Dyadic::new(BigInt::from(1), below.exponent() - 1));
            for (bound, expected) in [(above, false), (less, true)] {
                if bound.is_negative() || bound.exponent() < -1000 {
                    continue;
                }
                let text = format!("error={bound}{}", measure.name());
                let claim = Claim::new(&text, &model, "").unwrap();
                let line = inputs.to_line(&signature);
                assert_eq!(
                    claim.is_refuted_on_big(&inputs),
                    expected,
                    "{claim}: {line}"
                );
                kept += usize::from(!expected);
                violated += usize::from(expected);
            }
        }
    }
    assert!(
        kept > 100 && violated > 50,
        "{kept} kept, {violated} violated"
    );
}

fn ask(text: &str, model: &str, domain: &str) -> Ended {
    let claim = Claim::new(text, &Model::parse(model).unwrap(), domain).unwrap();
    let options = Options::default();
    let limits = Limits::default().within(Duration::from_secs(120));
    prove(&claim, &options, &limits).unwrap().ended
}

/// Each bound is less than an eighth above what an input that is known exceeds.
#[test]
fn bounds_are_proved_near_the_worst_input() {
    let largest = "a = 0x1.ffcp+0, b = 0x1.ffcp+0, c = 0x1.fffffep+0";
    for (model, bound, exceeded) in [
        ("fda:F=25,K=16", "0x1.11p-17max", "0x1.f7p-18max"),
        ("fda:F=24,K=16", "0x1.22p-17max", "0x1.f7p-18max"),
    ] {
        let proved = ask(&format!("error={bound}"), model, "finite");
        let Ended::NoMore { by } = proved else {
            panic!("{proved:?}");
        };
        // The property names lemmas, which the answer rests on.
        let about = FactSubject::Property;
        assert!(
            matches!(by, Basis::Facts { about: found, solved, .. } if found == about && solved > 0),
            "{by:?}"
        );
        let refuted = ask(&format!("error={exceeded}"), model, largest);
        assert!(matches!(refuted, Ended::Enough), "{refuted:?}");
    }
}

/// A lemma that is wrong is not believed: the bound is exceeded all the same.
#[test]
fn a_bound_that_the_lemmas_do_not_prove_is_refuted() {
    let refuted = ask("error=0x1p-20max", "fda:F=25,K=16", "finite");
    assert!(matches!(refuted, Ended::Enough), "{refuted:?}");
}
