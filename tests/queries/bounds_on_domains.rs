//! Bounds on a domain: of what can only be bounded there, such as Ozaki's schemes and results that saturate, and bounds that
//! are less there than on all operands.

use crate::error_bounds::{assert_kept, kinds, within};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::float::Dyadic;
use mmasmt_questions::claims::bounds::{
    ErrorUnit, Factors, error_bound, factors_within, greatest_error,
};
use mmasmt_questions::claims::property::Domain;
use mmasmt_questions::errors::worst::{Judge, Search, worst};
use mmasmt_questions::inputs::{Draw, Kind};
use mmasmt_questions::vectors::measure::{Measure, Quotient, Summer};
use std::time::Duration;

const MEASURES: [Measure; 3] = [Measure::Absolute, Measure::RelativeToSum, Measure::Ulp];

/// Compares errors of operands in the domain with the greatest one that is proved. Returns how many were compared.
fn assert_kept_on(name: &str, assume: &str, count: usize) -> usize {
    let model = Model::parse(name).unwrap();
    let signature = model.signature();
    let domain = Domain::parse(assume, &signature).unwrap();
    let mut summer = Summer::of(&model);
    let mut compared = 0;
    let greatest =
        MEASURES.map(|measure| greatest_error(&model, &domain, ErrorUnit::Measured(measure)));
    for kind in [Kind::Finite, Kind::Close, Kind::Edge] {
        let mut draw = Draw::new(signature, kind, 3);
        for _ in 0..count {
            let inputs = within(&domain, &signature, &draw.draw());
            if !domain.contains(&inputs) || !inputs.is_finite(&signature) {
                continue;
            }
            let exact = summer.sum(&inputs).unwrap();
            let d = model.evaluate_big(&inputs).unwrap();
            for (measure, greatest) in MEASURES.iter().zip(&greatest) {
                let error = measure.error(&signature.d, d, &exact);
                let error = error.filter(|error| !error.is_infinite());
                if let (Some(greatest), Some(error)) = (greatest, error) {
                    let line = inputs.to_line(&signature);
                    assert!(error <= *greatest, "{name}, {assume}, {measure:?}: {line}");
                    compared += 1;
                }
            }
        }
    }
    compared
}

/// The greatest error that a search finds, and the one that is proved.
fn searched(name: &str, assume: &str) -> [Quotient; 2] {
    let model = Model::parse(name).unwrap();
    let domain = Domain::parse(assume, &model.signature()).unwrap();
    let search = Search {
        measure: Measure::RelativeToSum,
        seed: 1,
        excuses_underflow: false,
    };
    let mut judge = Judge::new(&model, search, &domain);
    let limits = Limits::default().within(Duration::from_millis(400));
    let (found, _) = worst(&mut judge, &limits);
    [found.unwrap().error, judge.greatest().unwrap()]
}

const OZAKI: [&str; 6] = [
    "ozaki1:K=2,s=2,b=3",
    "ozaki1:K=3,s=3",
    "ozaki1:K=16,s=8",
    "ozaki2:K=2,n=2",
    "ozaki2:K=5,n=6",
    "repeat(ozaki2:K=4,n=8):K=8",
];

#[test]
fn bounds_of_ozaki_are_kept_and_say_something() {
    for name in OZAKI {
        let mut compared = 0;
        for assume in [
            "finite",
            "factors exp -3..3",
            "factors exp 0..0, c = 0",
            "a exp -1074..-1000, b exp 990..1000, c = 0",
            "factors exp -540..-500",
            "a exp 0..600, b exp -600..0, c exp -9..9",
        ] {
            compared += assert_kept_on(name, assume, 60);
        }
        assert!(compared > 300, "{name}: {compared}");
        let [found, proved] = searched(name, "factors exp -1..1, c = 0").map(|of| of.approximate());
        assert!(
            found <= proved && proved < 64.0 * found,
            "{name}: {found:e}, {proved:e}"
        );
    }
}

#[test]
fn bounds_of_sums_that_lose_bits_and_have_no_infinities_are_kept() {
    for name in [
        "unit:psp-vfpu-dot",
        "unit:tenstorrent-mvmul:codes=none",
        "unit:tenstorrent-mvmul:lsc=0,first=0,last=3,codes=none",
    ] {
        let model = Model::parse(name).unwrap();
        let bound = error_bound(&model, Factors::finite(&model.signature()));
        assert!(bound.is_some(), "{name}");
        let kept = assert_kept(&model, kinds(&model, 1, 300));
        assert!(kept > 100, "{name}: {kept}");
        assert_kept_on(name, "factors exp -3..3, c exp -9..9", 60);
    }
    let [found, proved] =
        searched("unit:psp-vfpu-dot", "factors exp -3..3").map(|of| of.approximate());
    assert!(
        found <= proved && proved < 8.0 * found,
        "{found:e}, {proved:e}"
    );
}

const SATURATING: [&str; 5] = [
    "epilogue(fda:in=e4m3,K=8,F=13):alpha=0.5,out=e4m3,saturate=yes,K=8",
    "epilogue(fda:K=4,F=14):alpha=~-0.01,beta=~0.3,out=e5m2,saturate=yes,K=8",
    "epilogue(fda:K=4,F=14):alpha=~1e-30,scale=~1e32,out=bf16,saturate=yes,K=4",
    "epilogue(promote(fda:K=4,F=13,in=e4m3):every=2):alpha=4,out=f16,saturate=yes,K=16",
    "epilogue(fda:in=e4m3,K=8,F=13):alpha=3,out=e4m3,K=8",
];

#[test]
fn results_that_saturate_have_bounds_where_nothing_does() {
    for name in SATURATING {
        let model = Model::parse(name).unwrap();
        let all = Domain::parse("finite", &model.signature()).unwrap();
        let unit = ErrorUnit::Measured(Measure::Absolute);
        assert!(greatest_error(&model, &all, unit).is_none(), "{name}");
        let mut compared = 0;
        for assume in [
            "factors exp -2..1, c exp -9..1",
            "factors exp -6..-3, c exp -30..-5",
            "all exp -6..5",
            "factors exp -5..0, c = 0",
        ] {
            compared += assert_kept_on(name, assume, 100);
        }
        assert!(compared > 200, "{name}: {compared}");
    }
}

/// What a scheme loses of small parts is less where its operands are greater and smaller than some.
#[test]
fn bounds_of_schemes_follow_the_domain() {
    for name in [
        "markidis(volta/HMMA.884.F32.F32)",
        "ootomo-yokota(ampere/HMMA.16816.F32):K=16",
        "3xtf32(ampere/HMMA.1688.F32.TF32):K=8",
        "fda:K=4,F=10",
    ] {
        let model = Model::parse(name).unwrap();
        let signature = model.signature();
        let all = error_bound(&model, Factors::finite(&signature)).unwrap();
        let mut before = all.absolute.clone();
        for assume in [
            "factors exp -14..8",
            "factors exp -14..-4",
            "factors exp -14..-10",
        ] {
            let domain = Domain::parse(assume, &signature).unwrap();
            let [_, finite] = factors_within(&signature, &domain);
            let bound = error_bound(&model, finite).unwrap();
            assert!(
                !bound.absolute.magnitude_exceeds(&before),
                "{name}, {assume}"
            );
            before = bound.absolute.clone();
            let mut draw = Draw::new(signature, Kind::Finite, 5);
            for _ in 0..200 {
                let inputs = within(&domain, &signature, &draw.draw());
                let exact = Summer::of(&model)
                    .sum(&inputs)
                    .filter(|_| domain.contains(&inputs));
                let limit = Dyadic::new(1.into(), 120);
                let Some(exact) = exact.filter(|exact| limit.magnitude_exceeds(&exact.magnitudes))
                else {
                    continue;
                };
                let d = model.evaluate_big(&inputs).unwrap();
                let d = Dyadic::of(&signature.d, d).unwrap();
                let error = d.minus(&exact.value);
                assert!(
                    !error.magnitude_exceeds(&bound.at(&exact.magnitudes)),
                    "{name}, {assume}"
                );
            }
        }
        assert!(all.absolute.magnitude_exceeds(&before), "{name}");
    }
}
