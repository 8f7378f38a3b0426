//! Claims about errors that follow from the bound that `worst` tells: they are proved at once, in every measure.

use crate::common::setting::by_day;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::float::{Dyadic, Exponents};
use mmasmt_questions::claims::bounds::{ErrorBound, Factors, error_bound};
use mmasmt_questions::claims::property::Claim;
use mmasmt_questions::claims::query::{Basis, Ended, Options, prove};
use mmasmt_questions::errors::compare::{OperandDraw, distribution};
use mmasmt_questions::inputs::{Draw, Kind};
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
    for text in by_day(MODELS, 2) {
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
            let operands = OperandDraw {
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

/// An overflow that gives an infinity shows in the result: `c` may be of any size. One that gives the
/// greatest number does not, wherever it is on the way.
#[test]
fn overflow_that_shows_needs_no_limit() {
    let is = |text: &str, property: &str, domain: &str| {
        is_proved(property, &Model::parse(text).unwrap(), domain)
    };
    for text in [
        "fda:K=4,F=24",
        "exact:K=4",
        "hopper/HMMA.16816.F32",
        "promote(fda:K=4, every=1):K=8",
    ] {
        assert!(
            is(text, "error=0x1p-19sum", "finite, factors normal"),
            "{text}"
        );
    }
    assert!(!is(
        "ieee:K=4,round=rz",
        "error=0x1p-19sum",
        "finite, factors normal"
    ));
    assert!(is(
        "ieee:K=4,round=rz",
        "error=0x1p-19sum",
        "finite, factors normal, c exp -40..40"
    ));
    // Products up to 2^30 in a register of f16, whose greatest number is below 2^16.
    let narrow = |by: &str| {
        format!(
            "unit:{{unit u {{ a, b: f16[2] c, d: f32 t = round(sum(a * b)) to f16 by {by} d = round(sum(t, c)) to f32 }}}}"
        )
    };
    let domain = "finite, factors normal, factors exp 0..10, c = 0";
    assert!(is(&narrow("rne"), "error=0x1p-9sum", domain));
    assert!(!is(&narrow("rz"), "error=0x1p-9sum", domain));
    assert!(is(
        &narrow("rz"),
        "error=0x1p-9sum",
        "finite, factors normal, factors exp 0..5, c = 0"
    ));
}

/// The last rounding is off by at most half of a last place, however much the terms cancel.
#[test]
fn errors_in_last_places_are_those_of_the_last_rounding() {
    for (text, places) in [
        ("exact:K=8", "0x1p-1"),
        (
            "unit:{unit u { a, b: f16[2] d: f32 c: f32 d = round(sum(a * b, c)) to f32 by rz }}",
            "1",
        ),
        (
            "unit:{unit u { a, b: f16[2] d: f32 c: f32 d = round(sum(a * b, c)) to f32 by rne fraction 20 }}",
            "4",
        ),
    ] {
        let model = Model::parse(text).unwrap();
        let domain = "finite, factors exp -2..3, c exp -2..3";
        assert!(
            is_proved(&format!("error={places}ulp"), &model, domain),
            "{text}"
        );
    }
}

/// Block scales are part of a product.
#[test]
fn claims_about_scaled_products() {
    let model = Model::parse("fda:K=32,F=25,in=e4m3,scale=ue8m0,emin=-133").unwrap();
    let domain = "finite, factors normal, sa exp -2..3, sb exp -2..3, c = 0";
    assert!(is_proved("error=0x1p-8sum", &model, domain));
    assert!(!is_proved("error=0x1p-30sum", &model, domain));
}

/// TOSA's bound, half a last place of the result for each product and for `c`, is kept by a unit that rounds once, and by one
/// that cuts 25 bits below the largest exponent; 13 bits do not keep it.
#[test]
fn the_bound_of_tosa_is_a_claim() {
    for (text, domain, holds) in [
        ("exact:K=16", "c exp -126..60", true),
        (
            "fda:K=16,F=25",
            "finite, factors zero-or-normal, c = 0",
            true,
        ),
        (
            "ieee:K=16,order=fma",
            "finite, factors zero-or-normal, factors exp -7..15, c = 0",
            true,
        ),
        (
            "fda:K=16,F=13",
            "finite, factors zero-or-normal, c = 0",
            false,
        ),
    ] {
        let model = Model::parse(text).unwrap();
        assert_eq!(is_proved("error=tosa", &model, domain), holds, "{text}");
    }
    // The same number in its own words: 17 terms, 2^-24 each.
    let claims = ["error=tosa", "error=0x1.1p-20sum"].map(|property| {
        let model = Model::parse("fda:K=16,F=13").unwrap();
        Claim::new(property, &model, "finite").unwrap()
    });
    let mut draw = Draw::new(claims[0].model.signature(), Kind::Close, 5);
    let mut seen = [0; 2];
    for _ in 0..2000 {
        let inputs = draw.draw();
        let [tosa, own] = [&claims[0], &claims[1]].map(|claim| claim.is_refuted_by(&inputs));
        assert_eq!(tosa, own);
        seen[usize::from(own)] += 1;
    }
    assert!(seen.iter().all(|count| *count > 50), "{seen:?}");
    let integers = Model::parse("int").unwrap();
    assert!(Claim::new("error=tosa", &integers, "").is_err());
}
