//! Proved bounds of errors: never exceeded, and not far above what operands show.

use crate::common::drawn::FAMILIES;
use crate::common::inputs::draw;
use crate::common::setting::one_in;
use crate::common::setting::{by_day, is_full};
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::bits::{Bv, Concrete, MixedBits};
use mmasmt_numbers::float::{Dyadic, Exponents, Format};
use mmasmt_questions::claims::bounds::{ErrorUnit, Factors, error_bound, greatest_error};
use mmasmt_questions::claims::property::{Claim, Domain};
use mmasmt_questions::claims::query::{Options, prove};
use mmasmt_questions::errors::compare::{OperandDraw, errors};
use mmasmt_questions::errors::worst::{Judge, Search, WorstInputs, worst};
use mmasmt_questions::inputs::{Draw, Kind, Sampler};
use mmasmt_questions::vectors::measure::{Measure, Summer};
use num_bigint::BigInt;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Whether the error on `inputs` is within the bound; none where the bound says nothing.
fn is_within(model: &Model, inputs: &Inputs) -> Option<bool> {
    let signature = model.signature();
    let exact = Summer::of(model).sum(inputs)?;
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
    let signature = model.signature();
    let is_normal = |(format, row): (&Format, &[u64])| {
        row.iter().all(|register| {
            let value = Dyadic::of(format, *register);
            let exponent = value.and_then(|value| value.leading_exponent());
            exponent.is_none_or(|exponent| exponent >= i64::from(format.min_exponent()))
        })
    };
    let rows = [(&signature.a, &inputs.a[..]), (&signature.b, &inputs.b[..])];
    match rows.into_iter().all(is_normal) {
        true => Factors::normal(&signature),
        false => Factors::finite(&signature),
    }
}

/// Random inputs of every kind, on `model`.
pub fn assert_kept(model: &Model, inputs: impl Iterator<Item = Inputs>) -> usize {
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

pub fn kinds(model: &Model, seed: u64, count: usize) -> impl Iterator<Item = Inputs> {
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

const COMPOSED: [&str; 21] = [
    "fda:K=8,F=24,out=f16",
    "fda:K=8,F=24,out=f16,via=f32",
    "fda:K=4,F=10,products=normalised",
    "fda:K=4,F=12,emin=-20",
    "fda:K=4,F=12,align=floor,chain=3",
    "splitk(fda:K=4,F=14, 4, pairwise):K=64",
    "ieee:K=8,order=fma",
    "ieee:K=8,order=seq,round=rz",
    "sfma:K=4,fmt=f32",
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

/// Products in parts, of which some are left out, and a product that is asked for its NaN as well.
const IN_PARTS: [&str; 8] = [
    "gaudi:K=2,unit=gaudi3",
    "gaudi:K=1,in=f32,unit=gaudi3",
    "unit:tenstorrent-mvmul",
    "unit:tenstorrent-mvmul:lsc=0",
    "unit:tenstorrent-mvmul:lsc=0,first=0,last=3",
    "unit:tenstorrent-elwmul",
    "unit:tenstorrent-matmul:D=bf16,P=8,final=10",
    "cpu:in=bf16,order=fused,operands=keep,results=keep,nan=power",
];

#[test]
fn bounds_of_products_in_parts_are_kept() {
    for name in IN_PARTS {
        let model = Model::parse(name).unwrap();
        let bound = error_bound(&model, Factors::finite(&model.signature()));
        assert!(bound.is_some(), "{name}");
        let kept = assert_kept(&model, kinds(&model, 1, 300));
        assert!(kept > 100, "{name}: {kept}");
    }
}

/// Sums and `c` times factors, of either sign, that round and that do not, with a factor of the result and another format.
const EPILOGUES: [&str; 7] = [
    "epilogue(hopper/HMMA.16816.F32, alpha=~0.3, beta=-2):K=32",
    "epilogue(fda:K=4,F=14, alpha=~-1.7, out=bf16):K=12",
    "epilogue(fda:K=8,F=13,in=e4m3, alpha=3, beta=~0.1, out=f16):K=8",
    "epilogue(fda:K=8,F=13,in=e4m3, alpha=~1e-20, beta=~1e10):K=16",
    "epilogue(cdna3/v_mfma_f32_32x32x8_f16, beta=0.5, scale=~0.7, out=f16):K=16",
    "epilogue(promote(fda:K=4,F=13,in=e4m3, every=2), alpha=~0.01, out=bf16):K=32",
    "epilogue(splitk(fda:K=4,F=24, 2), alpha=5, beta=1, scale=3):K=32",
];

/// The operands where all that the domain fixes is set.
pub fn within(domain: &Domain, signature: &Signature, inputs: &Inputs) -> Inputs {
    let words = inputs.map(signature, |format, bits| {
        MixedBits::lit(format.width(), *bits)
    });
    domain.fixed(&words).map(signature, |_, bits| bits.to_u64())
}

#[test]
fn bounds_of_epilogues_are_kept() {
    for name in EPILOGUES {
        let model = Model::parse(name).unwrap();
        let bound = error_bound(&model, Factors::finite(&model.signature()));
        assert!(bound.is_some(), "{name}");
        let kept = assert_kept(&model, kinds(&model, 1, 200));
        assert!(kept > 200, "{name}: {kept}");
        for assume in [
            "finite",
            "all exp -3..5, positive",
            "all exp -20..-9, c exp 0..9",
        ] {
            let domain = Domain::parse(assume, &model.signature()).unwrap();
            let mut draw = Draw::new(model.signature(), Kind::Finite, 3);
            for measure in [Measure::Absolute, Measure::RelativeToSum, Measure::Ulp] {
                let greatest = greatest_error(&model, &domain, ErrorUnit::Measured(measure));
                for _ in 0..300 {
                    let inputs = within(&domain, &model.signature(), &draw.draw());
                    if !domain.contains(&inputs) {
                        continue;
                    }
                    let exact = Summer::of(&model).sum(&inputs).unwrap();
                    let d = model.evaluate_big(&inputs).unwrap();
                    let error = measure.error(&model.signature().d, d, &exact);
                    let error = error.filter(|error| !error.is_infinite());
                    if let (Some(greatest), Some(error)) = (&greatest, error) {
                        let line = inputs.to_line(&model.signature());
                        assert!(error <= *greatest, "{name}, {assume}, {measure:?}: {line}");
                    }
                }
            }
        }
    }
}

/// Adapters whose elements and scales are exact: in the unit, in the elements, on sums.
const ADAPTED: [&str; 10] = [
    "adapt(fda:in=bf16,K=8,F=12):in=e4m3,K=16",
    "adapt(fda:in=f16,K=8,F=24):a=e5m2,b=e2m1,K=8",
    "adapt(gdfs:in=nvfp4,K=64,F=25):in=nvfp4,block=32,K=64",
    "adapt(fda:in=mxfp8,K=32,block=8,F=14):in=mxfp4,K=64",
    "adapt(fda:in=bf16,K=16,F=12):in=nvfp4,scales=elements,K=32",
    "adapt(fda:in=f16,K=16,F=24):in=e2m3,scale=ue4m3,block=16,scales=elements,K=16",
    "adapt(fda:in=e4m3,K=32,F=13):in=nvfp4,scales=sums,K=64",
    "adapt(fda:in=f16,K=8,F=10):in=nvfp4,scales=sums,K=32",
    "adapt(fda:in=bf16,K=8,F=24):in=i2f6,K=16",
    "adapt(fda:in=f16,K=8,F=24):in=e1m6,scale=ue4m3,block=8,scales=sums,K=16",
];

/// Adapters whose elements or scales may be rounded, or whose products of scales may be.
const ROUNDED: [&str; 5] = [
    "adapt(fda:in=e4m3,K=32):in=nvfp4,scales=elements",
    "adapt(fda:in=e4m3,K=8):in=f16",
    "adapt(gdfs:in=nvfp4,K=64):in=mxfp4",
    "adapt(fda:in=bf16,K=32):in=mxfp4,scales=elements",
    "adapt(fda:in=f16,K=32):in=mxfp4,scales=sums",
];

#[test]
fn bounds_of_adapters_are_kept() {
    for name in ADAPTED {
        let model = Model::parse(name).unwrap();
        let bound = error_bound(&model, Factors::finite(&model.signature()));
        assert!(bound.is_some(), "{name}");
        let kept = assert_kept(&model, kinds(&model, 1, 200));
        assert!(kept > 200, "{name}: {kept}");
    }
    for name in ROUNDED {
        let model = Model::parse(name).unwrap();
        let bound = error_bound(&model, Factors::finite(&model.signature()));
        assert!(bound.is_none(), "{name}: {bound:?}");
    }
}

/// Schemes with the choices that their bounds depend on.
const SCHEMES: [&str; 25] = [
    "9xbf16(blackwell/mma.m16n8k16.f32.bf16.bf16.f32):K=48",
    "plain(ampere/HMMA.16816.F32)",
    "plain(ampere/HMMA.1688.F32.TF32, round=rz)",
    "plain(hopper/mma.m16n8k16.f32.bf16.bf16.f32)",
    "markidis(volta/HMMA.884.F32.F32):K=8",
    "markidis(hopper/HMMA.16816.F32, order=interleaved):K=32",
    "ootomo-yokota(ampere/HMMA.16816.F32):K=48",
    "ootomo-yokota(ampere/HMMA.16816.F32, main=inside, low=kept):K=32",
    "ootomo-yokota(ampere/HMMA.1688.F32.TF32):K=24",
    "eq24(volta/HMMA.884.F32.F32)",
    "eq24(volta/HMMA.884.F32.F32, low=dropped):K=16",
    "3xtf32(ampere/HMMA.1688.F32.TF32):K=32",
    "3xtf32(ampere/HMMA.1688.F32.TF32, low=kept):K=16",
    "triton-tf32x3(ampere/HMMA.1688.F32.TF32):K=32",
    "triton-bf16x3(hopper/mma.m16n8k16.f32.bf16.bf16.f32):K=32",
    "triton-bf16x6(hopper/mma.m16n8k16.f32.bf16.bf16.f32):K=32",
    "xla-bf16x3(hopper/mma.m16n8k16.f32.bf16.bf16.f32):K=32",
    "xla-bf16x6(hopper/mma.m16n8k16.f32.bf16.bf16.f32):K=32",
    "xla-bf16x9(hopper/mma.m16n8k16.f32.bf16.bf16.f32):K=16",
    "xla-tf32x3(ampere/HMMA.1688.F32.TF32):K=16",
    "9xbf16(hopper/mma.m16n8k16.f32.bf16.bf16.f32, bands=3, scaled=whole):K=32",
    "9xbf16(hopper/mma.m16n8k16.f32.bf16.bf16.f32, bands=4, scaled=rounded, step=16):K=32",
    "words(hopper/mma.m16n8k16.f32.bf16.bf16.f32, 3):K=16",
    "words(ampere/HMMA.16816.F32, 2, sum=outside):K=32",
    "words(cdna3/v_mfma_f32_32x32x8_bf16, 3, low=kept):K=16",
];

#[test]
fn bounds_of_schemes_are_kept_and_near() {
    for name in by_day(SCHEMES.iter().step_by(24), 4) {
        assert_kept_and_near(name, &RANGES[..1]);
    }
}

#[test]
#[ignore = "minutes: all of them"]
fn bounds_of_all_schemes_are_kept_and_near() {
    for name in SCHEMES.iter().step_by(one_in()) {
        assert_kept_and_near(name, &RANGES);
    }
}

/// Exponents of operands.
const RANGES: [&str; 3] = ["0..3", "-15..14", "-30..-24"];

fn assert_kept_and_near(name: &str, ranges: &[&str]) {
    let model = Model::parse(name).unwrap();
    let bound = error_bound(&model, Factors::finite(&model.signature()));
    let kept = match bound {
        Some(_) => assert_kept(&model, kinds(&model, 1, 30)),
        // A part toward zero may be beyond its format.
        None => 20,
    };
    assert!(kept >= 20, "{name}: {kept}");
    for range in ranges {
        let exponents = Exponents::parse(range).unwrap();
        let operands = OperandDraw {
            exponents,
            measure: Measure::RelativeToSum,
            samples: 200,
            seed: 3,
        };
        let found = errors(&model, &operands, &Limits::default()).unwrap();
        let bound = found.bound.unwrap_or_else(|| panic!("{name} {range}"));
        let worst = &found.worst.1;
        assert!(*worst <= bound, "{name} {range}: {worst} > {bound}");
        let ratio = bound.approximate() / worst.approximate();
        println!("{name}, exponents {range}: {bound}, ratio {ratio:.2}");
        // Below 2^-24 f16 loses whole numbers.
        let is_near = ratio < 64.0 || *range == "-30..-24";
        assert!(is_near, "{name} {range}: {ratio}");
    }
}

#[test]
fn bounds_of_units_and_compositions_are_kept() {
    for name in UNITS.iter().chain(&COMPOSED) {
        let model = Model::parse(name).unwrap();
        assert!(
            error_bound(&model, Factors::finite(&model.signature())).is_some(),
            "{name}"
        );
        let kept = assert_kept(&model, kinds(&model, 1, 60));
        assert!(kept > 30, "{name}: {kept}");
    }
}

#[test]
fn bounds_of_drawn_models_are_kept() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let (mut kept, mut known) = (0, 0);
    let each = if is_full() { 200 } else { 50 };
    for (name, family) in FAMILIES {
        let before = known;
        for _ in 0..each {
            let model = family(&mut rng).model();
            if error_bound(&model, Factors::finite(&model.signature())).is_none() {
                continue;
            }
            known += 1;
            let own: Vec<_> = (0..10)
                .map(|_| draw(&mut rng, &model.signature()))
                .collect();
            kept += assert_kept(&model, own.into_iter().chain(kinds(&model, known, 8)));
        }
        let found = known - before;
        println!("{name}: {found} of {each} have a bound");
        // RDNA has no description, and Gaudi 3 cuts significands into parts.
        assert!(3 * found > each || name == "rdna", "{name}: {found}");
    }
    assert!(
        known > 7 * each && kept > 150 * each as usize,
        "{known} models, {kept} inputs"
    );
}

fn found(name: &str, assume: &str) -> WorstInputs {
    let model = Model::parse(name).unwrap();
    let domain = Domain::parse(assume, &model.signature()).unwrap();
    let search = Search {
        measure: Measure::RelativeToSum,
        seed: 0,
        excuses_underflow: true,
    };
    let (found, _) = worst(&mut Judge::new(&model, search, &domain), &Limits::default());
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

/// Many additions in one format, in any order: n u at most, where (1 + u)^n - 1 is millions.
#[test]
fn long_sums_have_the_linear_bound() {
    let half = |count: u64, bits: i64| Dyadic::new(BigInt::from(count), -bits);
    for (name, most) in [
        ("ieee:K=4096,in=bf16,acc=bf16,order=fma", half(4096, 8)),
        ("ieee:K=4096,in=bf16,acc=bf16,order=seq", half(2 * 4096, 8)),
        ("sfma:K=4096,fmt=f32", half(4096, 24)),
    ] {
        let model = Model::parse(name).unwrap();
        let bound = error_bound(&model, Factors::normal(&model.signature())).unwrap();
        let relative = bound.relative();
        assert!(!relative.magnitude_exceeds(&most), "{name}: {relative}");
        let kept = assert_kept(&model, kinds(&model, 1, 3));
        assert!(kept > 3, "{name}: {kept}");
    }
}

/// What the lemmas say, a solver says of the formula: and of a third of it the opposite.
#[test]
fn a_solver_proves_the_bound_of_a_small_unit() {
    let domain = "finite, a normal, b normal, c = 0";
    let model = Model::parse("fda:K=2,F=4,in=e2m1").unwrap();
    let bound = error_bound(&model, Factors::normal(&model.signature())).unwrap();
    let bound = bound.relative();
    let claim = format!("error={bound}sum");
    let claim = Claim::new(&claim, &model, domain).unwrap();
    let answer = prove(&claim, &Options::default(), &Limits::default()).unwrap();
    assert!(answer.proved().is_some(), "{claim}: {answer:?}");
    // Too little by far: one bit of the smaller of two terms is cut.
    let claim = Claim::new("error=0x1p-20sum", &model, domain).unwrap();
    let answer = prove(&claim, &Options::default(), &Limits::default()).unwrap();
    assert!(answer.witness().is_some(), "{claim}: {answer:?}");
}

/// What overflows in a conversion has no result, and so no error: the bound is one of the factors that are left,
/// and the search for large errors finds no less than draws of such factors do.
#[test]
fn factors_that_overflow_in_a_conversion_do_not_count() {
    let model = Model::parse("markidis(volta/HMMA.884.F32.F32)").unwrap();
    let signature = model.signature();
    let bound = error_bound(&model, Factors::finite(&signature)).unwrap();
    let most = Dyadic::new(1.into(), -5);
    assert!(
        most.magnitude_exceeds(&bound.absolute),
        "{}",
        bound.absolute
    );
    if !is_full() {
        return;
    }
    let domain = Domain::parse("finite", &signature).unwrap();
    let search = Search {
        measure: Measure::RelativeToSum,
        seed: 0,
        excuses_underflow: true,
    };
    let mut judge = Judge::new(&model, search, &domain);
    let (found, _) = worst(&mut judge, &Limits::default());
    let found = found.unwrap().error.approximate();
    // `compare --exponents 0..10` finds 1.03e-6.
    assert!(found > 1.03e-6, "{found:e}");
}

/// Models that round their factors first, that do not read `c`, or whose products are compared by another exponent.
#[test]
fn bounds_beside_the_usual_sum_are_kept() {
    for name in [
        "unit:tpu-dot",
        "rdna:K=2,in=f16,unit=rdna3,step=2",
        "rdna:K=16,in=bf16,unit=rdna3,step=2",
        "epilogue(fda:K=16,F=25):K=16",
        "epilogue(promote(fda:K=8,F=13,in=e4m3,frac=13):every=2):K=64",
    ] {
        let model = Model::parse(name).unwrap();
        let kept = assert_kept(&model, kinds(&model, 2, 200));
        assert!(kept > 200, "{name}: {kept}");
    }
    // The widest difference that pytorch/xla records of a TPU is 0.0078278.
    let model = Model::parse("unit:tpu-dot").unwrap();
    let bound = error_bound(&model, Factors::normal(&model.signature())).unwrap();
    let most = Dyadic::of(&Format::F64, 7.83e-3f64.to_bits()).unwrap();
    assert!(!bound.relative().magnitude_exceeds(&most));
}
