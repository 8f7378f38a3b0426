//! Claims about errors that follow from the bound that `worst` tells: they are proved at once, in every measure.

use mmasmt_core::base::limits::Limits;
use mmasmt_core::machines::model::Model;
use mmasmt_core::numbers::float::{Dyadic, Exponents};
use mmasmt_questions::claims::bounds::{ErrorBound, Factors, error_bound};
use mmasmt_questions::claims::property::Claim;
use mmasmt_questions::claims::query::{Basis, Ended, Options, prove};
use mmasmt_questions::errors::compare::{Operands, distribution};
use mmasmt_questions::vectors::measure::{Measure, Quotient};

const MODELS: [&str; 8] = [
    "exact:K=2",
    "ieee:K=4",
    "fda:K=8,F=13,in=e4m3",
    "fda:K=4,F=24,out=f16",
    "hopper/HMMA.16816.F32",
    "cdna3/v_mfma_f32_32x32x8_f16",
    "repeat(fda:K=8,F=13,in=e4m3):K=1024",
    "promote(fda:K=16,F=13,in=e4m3, every=2):K=64",
];
const EXPONENTS: Exponents = Exponents {
    lowest: -2,
    highest: 3,
};
const DOMAIN: &str = "factors normal, factors exp -2..3, c = 0";

fn power(exponent: i64) -> Dyadic {
    Dyadic::new(1.into(), exponent)
}

/// Without a search.
fn ask(property: &str, model: &Model, domain: &str) -> Ended {
    let claim = Claim::new(property, model, domain).unwrap();
    let options = Options::default().turns(0).minimise(None);
    prove(&claim, &options, &Limits::default()).unwrap().ended
}

fn is_proved(property: &str, model: &Model, domain: &str) -> bool {
    matches!(
        ask(property, model, domain),
        Ended::NoMore {
            by: Basis::Bound | Basis::Magnitudes(_)
        }
    )
}

/// A bound of an error as a number of 40 bits that is no less.
fn above(x: &Dyadic, y: &Dyadic) -> String {
    Quotient::new(x, y).between(40).unwrap()[1].to_string()
}

#[test]
fn what_is_proved_of_a_model_is_proved_as_a_claim_in_every_measure() {
    for text in MODELS {
        let model = Model::parse(text).unwrap();
        let signature = model.signature();
        let count = i64::from(signature.products);
        let bound: ErrorBound = error_bound(&model, Factors::between(EXPONENTS)).unwrap();
        // Each product is between 2^-4 and 2^8.
        let [least, most] = [-4, 8].map(|exponent| Dyadic::new(count.into(), exponent));
        let error = bound.at(&least);
        let one = power(0);
        let place = least
            .minus(&error)
            .shifted(-i64::from(signature.d.precision()));
        let terms = Dyadic::new((4 * count + 2).into(), -4);
        let positive = format!("{DOMAIN}, positive");
        for (property, domain) in [
            (format!("error={}sum", above(&error, &least)), DOMAIN),
            (format!("error={}rel", above(&error, &least)), &positive),
            (
                format!("error={}abs", above(&bound.at(&most), &one)),
                DOMAIN,
            ),
            (format!("error={}ulp", above(&error, &place)), &positive),
            (
                format!("error={}max", above(&bound.at(&terms), &power(-4))),
                DOMAIN,
            ),
        ] {
            assert!(is_proved(&property, &model, domain), "{property} of {text}");
        }
    }
}

/// Operands that were drawn show larger errors.
#[test]
fn what_is_not_so_is_not_proved() {
    let mut asked = 0;
    for text in MODELS {
        let model = Model::parse(text).unwrap();
        // Each question is drawn for.
        if model.signature().products > 16 {
            continue;
        }
        for measure in Measure::ALL {
            let operands = Operands {
                exponents: EXPONENTS,
                measure,
                samples: 64,
                seed: 3,
            };
            let found = distribution(&model, &operands, &Limits::default()).unwrap();
            let Some([below, _]) = found.largest.error.between(40) else {
                continue;
            };
            let less = below.minus(&power(below.leading_exponent().unwrap_or(0) - 30));
            if less.is_negative() || below.leading_exponent().is_none() {
                continue;
            }
            let property = format!("error={less}{}", measure.name());
            assert!(
                !is_proved(&property, &model, DOMAIN),
                "{property} of {text}"
            );
            asked += 1;
        }
    }
    assert!(asked >= 16, "{asked}");
}

#[test]
fn sums_that_may_be_zero_and_sums_that_may_overflow() {
    let exact = Model::parse("exact:K=2").unwrap();
    let is = |property: &str, model: &Model, domain: &str| is_proved(property, model, domain);
    assert!(is(
        "error=0x1p-20sum",
        &exact,
        "finite, factors normal, c = 0"
    ));
    assert!(is(
        "error=0x1p-20sum",
        &exact,
        "factors zero-or-normal, c = 0"
    ));
    assert!(is(
        "error=0x1p-24sum",
        &exact,
        "finite, factors normal, c = 0"
    ));
    assert!(!is(
        "error=0x1p-25sum",
        &exact,
        "finite, factors normal, c = 0"
    ));
    // Of f32 operands some sums are beyond f32, and c may be of any size.
    let wide = Model::parse("ieee:K=2,in=f32").unwrap();
    assert!(!is("error=0x1p-20sum", &wide, "finite, c = 0"));
    assert!(is(
        "error=0x1p-20sum",
        &wide,
        "factors normal, factors exp -30..30, c = 0"
    ));
    assert!(!is("error=0x1p-20sum", &exact, "finite"));
    // Where terms cancel, an error is more than many last places, and than any part of the sum.
    let unit = Model::parse("fda:K=4,F=24").unwrap();
    assert!(!is("error=64ulp", &unit, DOMAIN) && !is("error=0x1p-10rel", &unit, DOMAIN));
}
