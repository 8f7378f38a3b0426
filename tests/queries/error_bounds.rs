//! Proved bounds of errors: never exceeded, and not far above what operands show.

use crate::common::drawn::FAMILIES;
use crate::common::inputs::draw;
use mmasmt::engine::Limits;
use mmasmt::error_bounds::{Factors, error_bound};
use mmasmt::float::Dyadic;
use mmasmt::measure::{ExactSum, Measure};
use mmasmt::model::Model;
use mmasmt::property::{Claim, Domain};
use mmasmt::query::{Ended, Options, prove};
use mmasmt::vectors::{Draw, Inputs, Kind, Sampler};
use mmasmt::worst::{Worst, worst};
use num_bigint::BigInt;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::time::Duration;

/// Whether the error on `inputs` is within the bound; none where the bound says nothing.
fn is_within(model: &Model, inputs: &Inputs) -> Option<bool> {
    let signature = model.signature();
    let exact = ExactSum::of(&signature, inputs)?;
    let limit = Dyadic::new(BigInt::from(1), signature.d.max_exponent().into());
    if !limit.magnitude_exceeds(&exact.magnitudes) {
        return None;
    }
    let d = model.simulator().evaluate(inputs).unwrap();
    let error = Dyadic::of(&signature.d, d)?.minus(&exact.value);
    let bound = error_bound(model, factors(model, inputs))?;
    Some(!error.magnitude_exceeds(&bound.at(&exact.magnitudes)))
}

fn factors(model: &Model, inputs: &Inputs) -> Factors {
    let normal = format!("{}", model.signature());
    assert!(!normal.is_empty());
    let signature = model.signature();
    let is_normal = |(format, row): (&mmasmt::float::Format, &[u64])| {
        row.iter().all(|register| {
            let value = Dyadic::of(format, *register);
            let exponent = value.and_then(|value| value.leading_exponent());
            exponent.is_none_or(|exponent| exponent >= i64::from(format.min_exponent()))
        })
    };
    let rows = [(&signature.a, &inputs.a[..]), (&signature.b, &inputs.b[..])];
    match rows.into_iter().all(is_normal) {
        true => Factors::Normal,
        false => Factors::Finite,
    }
}

/// Random inputs of every kind, on `model`.
fn assert_kept(model: &Model, inputs: impl Iterator<Item = Inputs>) -> usize {
    let mut kept = 0;
    for inputs in inputs {
        let Some(within) = is_within(model, &inputs) else {
            continue;
        };
        let line = inputs.to_line(&model.signature());
        assert!(within, "{}: {line}", model.canonical());
        kept += 1;
    }
    kept
}

fn kinds(model: &Model, seed: u64, count: usize) -> impl Iterator<Item = Inputs> {
    let signature = model.signature();
    let kinds = [
        Kind::Finite,
        Kind::Close,
        Kind::Cancel,
        Kind::Edge,
        Kind::Feature,
    ];
    let mut rare = Sampler::new(signature, seed);
    let rare = (0..count).map(move |_| rare.rare());
    let drawn = kinds.into_iter().flat_map(move |kind| {
        let mut draws = Draw::new(signature, kind, seed);
        (0..count).map(move |_| draws.draw())
    });
    drawn.chain(rare)
}

const UNITS: [&str; 14] = [
    "volta/HMMA.884.F32.F32",
    "turing/HMMA.884.F32.F32",
    "ampere/HMMA.16816.F32",
    "hopper/HMMA.16816.F32",
    "hopper/wgmma.m64nNk32.f32.e4m3.e4m3",
    "hopper/wgmma.m64nNk32.f32.e5m2.e5m2",
    "ampere/HMMA.1688.F32.TF32",
    "volta/HMMA.884.F16.F16",
    "cdna3/v_mfma_f32_32x32x8_f16",
    "cdna3/v_mfma_f32_32x32x8_bf16",
    "cdna3/v_mfma_f32_16x16x32_fp8_fp8",
    "cdna2/v_mfma_f32_32x32x8f16",
    "cdna2/v_mfma_f32_32x32x8bf16_1k",
    "cdna1/v_mfma_f32_32x32x8f16",
];

const COMPOSED: [&str; 12] = [
    "promote(hopper/wgmma.m64nNk32.f32.e4m3.e4m3, every=2):K=256",
    "promote(hopper/wgmma.m64nNk32.f32.e4m3.e4m3, every=none):K=256",
    "promote(cdna3/v_mfma_f32_32x32x8_f16, every=1):K=32",
    "splitk(volta/HMMA.884.F32.F32, 4, pairwise):K=32",
    "splitk(volta/HMMA.884.F32.F32, 4, tree):K=32",
    "splitk(volta/HMMA.884.F32.F32, 5, serial):K=40",
    "splitk(promote(fda:K=2,F=6,in=e4m3,out=f32,c=f32, every=1):K=4, 2):K=8",
    "markidis(volta/HMMA.884.F32.F32):K=8",
    "fda:K=4,F=12,chain=8",
    "fda:K=4,F=12,chain=8,zero=raw",
    "fda:K=4,F=30,out=e8m13,chain=3",
    "ieee:K=8,order=pairwise",
];

#[test]
fn bounds_of_units_and_compositions_are_kept() {
    for name in UNITS.iter().chain(&COMPOSED) {
        let model = Model::parse(name).unwrap();
        assert!(error_bound(&model, Factors::Finite).is_some(), "{name}");
        let kept = assert_kept(&model, kinds(&model, 1, 60));
        assert!(kept > 30, "{name}: {kept}");
    }
}

#[test]
fn bounds_of_drawn_models_are_kept() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let (mut kept, mut known) = (0, 0);
    for (_, family) in FAMILIES {
        for _ in 0..60 {
            let model = family(&mut rng).model();
            if error_bound(&model, Factors::Finite).is_none() {
                continue;
            }
            known += 1;
            let own: Vec<_> = (0..10)
                .map(|_| draw(&mut rng, &model.signature()))
                .collect();
            kept += assert_kept(&model, own.into_iter().chain(kinds(&model, known, 8)));
        }
    }
    assert!(known > 250 && kept > 5_000, "{known} models, {kept} inputs");
}

fn found(name: &str, assume: &str) -> Worst {
    let model = Model::parse(name).unwrap();
    let domain = Domain::parse(assume, &model.signature()).unwrap();
    let (found, _) = worst(
        &model,
        Measure::RelativeToSum,
        &domain,
        0,
        &Limits::default(),
    );
    found.unwrap()
}

/// Half the bound is exceeded, so that the search would see a bound that is too small.
#[test]
fn bounds_of_instructions_are_near_what_is_found() {
    for name in [
        "volta/HMMA.884.F32.F32",
        "hopper/wgmma.m64nNk32.f32.e4m3.e4m3",
        "cdna3/v_mfma_f32_32x32x8_f16",
    ] {
        let ratio = found(name, "finite").ratio.unwrap().approximate();
        assert!((1.0..2.0).contains(&ratio), "{name}: {ratio}");
    }
}

/// The bound of an instruction with few bits is confirmed by the solver, which knows nothing of the lemmas.
#[test]
fn the_solver_confirms_a_bound() {
    let (name, assume) = (
        "fda:K=2,F=6,in=e2m1,c=f16,out=f16",
        "factors exp 0..2, c exp 0..2, finite",
    );
    let model = Model::parse(name).unwrap();
    let bound = error_bound(&model, Factors::Normal).unwrap();
    // The sum of magnitudes is at least 1.
    let most = bound.relative().plus(&bound.absolute);
    let ask = |bound: &Dyadic| {
        let claim = Claim::new(&format!("error={bound}sum"), &model, assume).unwrap();
        let limits = Limits::default().within(Duration::from_secs(100));
        prove(&claim, &Options::default(), &limits).unwrap().ended
    };
    assert!(matches!(ask(&most), Ended::NoMore { .. }), "{most}");
    let half = most.shifted(-1);
    assert!(matches!(ask(&half), Ended::Enough), "{half}");
}
