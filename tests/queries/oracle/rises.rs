//! `monotone-c` and `monotone-products` where they follow from the steps of units: attacked with
//! operands that rise to the next power of two, and with all operands of small formats.

use super::domain::Domain;
use super::draw::any;
use super::sentence::{Judge, Sentence};
use crate::common::drawn::FAMILIES;
use crate::common::exact::{bias, greatest_code, register};
use crate::common::setting::by_day;
use crate::common::setting::{part_of, setting};
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::float::Format;
use mmasmt_questions::claims::monotone::{MovingOperands, is_of_summands, never_falls};
use mmasmt_questions::claims::property::Claim;
use mmasmt_questions::claims::query::{Options, prove};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::Duration;

const CLAIMS: [(MovingOperands, Sentence); 2] = [
    (MovingOperands::C, Sentence::MonotoneC),
    (MovingOperands::Products, Sentence::MonotoneProducts),
];

/// A number of about this exponent, mostly with a run of ones.
fn number(rng: &mut ChaCha8Rng, format: &Format, exponent: i64) -> u64 {
    let code = (exponent + bias(format)).max(0) as u64;
    let ones = (1u64 << format.fraction_bits) - 1;
    let fraction = match rng.random_range(0..4) {
        0 => ones,
        1 => ones & !1,
        2 => 0,
        _ => rng.random::<u64>() & ones,
    };
    let code = ((code << format.fraction_bits) + fraction).min(greatest_code(format));
    register(format, rng.random(), code)
}

/// One operand just below a power of two in magnitude, or at one; the others anywhere below it.
fn crossing(rng: &mut ChaCha8Rng, signature: &Signature) -> Inputs {
    let Signature { a, b, c, .. } = signature;
    let mut inputs = Inputs::zero(signature);
    let reach = any(rng, &[2, 8, 26, 40]);
    let centre = rng.random_range(-12..=12);
    let first = rng.random_range(0..inputs.a.len());
    for k in 0..inputs.a.len() {
        if rng.random_ratio(1, 8) {
            continue;
        }
        let below = if k == first {
            0
        } else {
            rng.random_range(0..=reach)
        };
        let of_a = (centre - below) / 2 + rng.random_range(-2..=2);
        inputs.a[k] = number(rng, a, of_a);
        inputs.b[k] = number(rng, b, centre - below - of_a);
    }
    let below = rng.random_range(-3..=reach);
    inputs.c = number(rng, c, centre - below);
    for row in [&mut inputs.a_scales, &mut inputs.b_scales] {
        for scale in row.iter_mut() {
            let format = &signature.scales.unwrap().format;
            *scale = register(format, false, bias(format) as u64) & ((1 << format.width()) - 1);
        }
    }
    inputs
}

fn attack(model: &Model, count: u64, seed: u64) -> [bool; 2] {
    let domain = Domain::default();
    let judge = Judge::new(model, &domain);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    CLAIMS.map(|(moving, sentence)| {
        let holds = never_falls(model, moving);
        if holds {
            for _ in 0..count {
                let inputs = crossing(&mut rng, &judge.signature);
                let line = || inputs.to_line(&judge.signature);
                assert!(
                    !judge.is_violated(&sentence, &inputs),
                    "{moving:?} of {model}: {}",
                    line()
                );
            }
        }
        holds
    })
}

/// Of the machines of the tables. That others are refuted is asked in `queries`.
#[test]
fn machines_that_never_fall() {
    let machines = [
        ("V100/HMMA.884.F32.F32", [false, true]),
        ("T4/HMMA.1688.F32", [false, true]),
        ("A100/HMMA.16816.F32", [false, false]),
        ("A100/DMMA.884", [true, true]),
        ("H100/HMMA.16816.F32", [false, true]),
        ("H100/fp8", [false, true]),
        ("MI300X/f16", [true, true]),
        ("MI300X/fp8", [true, true]),
        ("MI250/f16", [true, true]),
        ("zen4/VDPBF16PS", [true, true]),
        ("sfma:K=1,fmt=f32", [true, true]),
        ("promote(hopper/HMMA.16816.F32, every=1):K=64", [true, true]),
        // The second instruction takes the sum of the first as its `c`.
        (
            "promote(hopper/HMMA.16816.F32, every=2):K=64",
            [true, false],
        ),
        ("splitk(A100/DMMA.884):K=16,S=2", [true, true]),
    ];
    for (model, expected) in by_day(machines, 3) {
        let model = Model::parse(model).unwrap();
        assert_eq!(attack(&model, 200, 1), expected, "{model}");
    }
}

fn drawn(count: u64, seed: u64) {
    let mut held = [0; 2];
    for number in 0..count {
        let mut rng = ChaCha8Rng::seed_from_u64(seed + number);
        let model = match rng.random_ratio(1, 3) {
            true => super::draw::model(&mut rng),
            false => Model::parse(&any(&mut rng, &FAMILIES).1(&mut rng).spec()).unwrap(),
        };
        for (count, holds) in held.iter_mut().zip(attack(&model, 60, number)) {
            *count += u64::from(holds);
        }
    }
    println!("{held:?} of {count}");
    assert!(held.iter().all(|held| held * 10 > count), "{held:?}");
}

#[test]
fn some_drawn_models_that_never_fall() {
    drawn(60, 1);
}

/// `RISES` and `RISES_SEED` say how many, and from which seed on.
#[test]
#[ignore = "minutes"]
fn drawn_models_that_never_fall() {
    drawn(
        setting("RISES", part_of(20_000) as u64),
        setting("RISES_SEED", 1000),
    );
}

/// The walks know nothing of factors that depend on their row or their scales.
#[test]
fn rows_and_scales_settle_nothing() {
    for text in [
        "adapt(fda:K=4,F=8,in=e4m3):in=f16",
        "adapt(sfma:K=2,fmt=f32):in=f64",
        "adapt(fda:in=e4m3,K=32):in=nvfp4,scales=elements",
        "adapt(gdfs:in=nvfp4,K=64):in=mxfp4",
        "xla-fp8x3(fda:K=16,in=e4m3):K=16",
    ] {
        let model = Model::parse(text).unwrap();
        for moving in [MovingOperands::C, MovingOperands::Products] {
            assert!(!never_falls(&model, moving), "{moving:?} of {text}");
        }
        assert!(!is_of_summands(&model), "{text}");
    }
    // A fused sum of 8 bits falls in `c`, on whatever operands it stands.
    let claim = Claim::new(
        "monotone-c",
        &Model::parse("adapt(fda:K=4,F=8,in=e4m3):in=f16").unwrap(),
        "finite",
    );
    let limits = Limits::default().within(Duration::from_secs(60));
    let answer = prove(&claim.unwrap(), &Options::default(), &limits).unwrap();
    assert!(answer.proved().is_none());
}

/// Fused sums that keep few bits, on every a and `c` of E2M3 and some b. Where the lemma says nothing,
/// some fall.
#[test]
fn fused_sums_of_small_formats_on_all_inputs() {
    let domain = Domain::default();
    let (mut held, mut fell) = (0, 0);
    for bits in by_day(1..=6, 2) {
        for keys in ["", ",zero=raw", ",align=floor", ",products=normalised"] {
            let model = format!("fda:K=1,F={bits},in=e2m3,c=e2m3,out=f16{keys}");
            let Ok(model) = Model::parse(&model) else {
                panic!("{model}");
            };
            let judge = Judge::new(&model, &domain);
            for (moving, sentence) in &CLAIMS {
                let holds = never_falls(&model, *moving);
                let mut falls = false;
                for a in 0..64u64 {
                    for b in [0x01, 0x0f, 0x28] {
                        for c in 0..64 {
                            let inputs = Inputs::new(vec![a], vec![b], c);
                            falls |= judge.is_violated(sentence, &inputs);
                        }
                    }
                }
                assert!(!holds || !falls, "{moving:?} of {model}");
                held += u32::from(holds);
                fell += u32::from(falls);
            }
        }
    }
    println!("{held} held, {fell} fell");
    assert!(held >= 5 && fell >= 2, "{held} held, {fell} fell");
}
