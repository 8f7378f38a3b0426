//! Bounds of errors: no operands that are found exceed them, and a solver says the same of small units.

use mmasmt::engine::Limits;
use mmasmt::float::Dyadic;
use mmasmt::measure::{ExactSum, Measure};
use mmasmt::model::Model;
use mmasmt::property::{Claim, Domain};
use mmasmt::query::{Options, prove};
use mmasmt::worst::{ErrorBound, error_bound, worst};

const MODELS: [&str; 14] = [
    "volta/HMMA.884.F32.F32",
    "ampere/HMMA.16816.F32",
    "hopper/HMMA.16816.F32",
    "hopper/wgmma.m64nNk32.f32.e4m3.e4m3",
    "fda:K=8,F=24,out=f16",
    "fda:K=8,F=24,out=f16,via=f32",
    "fda:K=4,F=10,products=normalised",
    "fda:K=4,F=12,emin=-20",
    "fda:K=4,F=12,align=floor,chain=3",
    "promote(hopper/wgmma.m64nNk32.f32.e4m3.e4m3, every=1):K=256",
    "splitk(fda:K=4,F=14, 4, pairwise):K=64",
    "ieee:K=8,order=fma",
    "ieee:K=8,order=seq,round=rz",
    "sfma:K=4,fmt=f32",
];

/// Whether the error of what was found is at most `relative * magnitudes + absolute`.
fn is_within(model: &Model, bound: &ErrorBound, seed: u64) -> bool {
    let signature = model.signature();
    let domain = Domain::parse("finite", &signature).unwrap();
    let limits = Limits::default();
    let found = worst(model, Measure::RelativeToSum, &domain, seed, &limits).unwrap();
    let exact = ExactSum::of(&signature, &found.inputs).unwrap();
    let error = Dyadic::of(&signature.d, found.d)
        .unwrap()
        .minus(&exact.value);
    let allowed = bound
        .relative
        .times(&exact.magnitudes)
        .plus(&bound.absolute);
    !error.magnitude_exceeds(&allowed)
}

#[test]
fn no_error_that_is_found_exceeds_the_bound() {
    for text in MODELS {
        let model = Model::parse(text).unwrap();
        let bound = error_bound(&model).unwrap_or_else(|| panic!("no bound of {text}"));
        for seed in 0..2 {
            assert!(is_within(&model, &bound, seed), "{text}, seed {seed}");
        }
    }
}

/// A bound that were half as large would be wrong, so that the search would tell.
#[test]
fn half_of_the_bound_is_exceeded() {
    for text in [
        "volta/HMMA.884.F32.F32",
        "hopper/HMMA.16816.F32",
        "fda:K=8,F=12",
    ] {
        let model = Model::parse(text).unwrap();
        let bound = error_bound(&model).unwrap();
        let half = ErrorBound {
            relative: bound.relative.shifted(-1),
            ..bound
        };
        assert!(!is_within(&model, &half, 0), "{text}");
    }
}

/// What the lemmas say, a solver says of the formula: and of a third of it the opposite.
#[test]
fn a_solver_proves_the_bound_of_a_small_unit() {
    let domain = "finite, a normal, b normal, c = 0";
    for text in ["fda:K=2,F=4,in=e2m3", "fda:K=2,F=5,in=e2m1,frac=8"] {
        let model = Model::parse(text).unwrap();
        let bound = error_bound(&model).unwrap().relative;
        let claim = format!("error={bound}sum");
        let claim = Claim::new(&claim, &model, domain).unwrap();
        let answer = prove(&claim, &Options::default(), &Limits::default()).unwrap();
        assert!(answer.proved().is_some(), "{claim}: {answer:?}");
        // Too little by far: one bit of the smaller of two terms is cut.
        let claim = Claim::new("error=0x1p-20sum", &model, domain).unwrap();
        let answer = prove(&claim, &Options::default(), &Limits::default()).unwrap();
        assert!(answer.witness().is_some(), "{claim}: {answer:?}");
    }
}
