//! The dot instructions of this processor against their rows: what is measured is silicon. Where the processor lacks an
//! instruction, the test says so.
#![allow(clippy::unwrap_used, clippy::panic, reason = "so tests fail")]

mod conversions;
mod emulated;
mod flags;
#[path = "../common/setting.rs"]
mod setting;

use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::{Model, find_architecture, find_row};
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::identify::{ClosedLoop, Identification, IdentifyOptions, family};
use mmasmt_questions::inputs::{Draw, Kind};
use mmasmt_questions::vectors::device::{CpuDevice, Device};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use setting::setting;

/// The device of a row of x86, if this processor has it.
fn device(name: &str) -> Option<CpuDevice> {
    let row = find_row(find_architecture("x86").unwrap(), name).unwrap();
    match CpuDevice::open(row) {
        Ok(device) => Some(device),
        Err(error) => {
            eprintln!("skipped: {error}");
            None
        }
    }
}

/// Every kind of inputs that `gen` draws.
const KINDS: [Kind; 6] = [
    Kind::Random,
    Kind::Finite,
    Kind::Close,
    Kind::Cancel,
    Kind::Edge,
    Kind::Feature,
];

/// A register of a format with 8 exponent bits: any bits, or one of those where something happens.
fn register(rng: &mut ChaCha8Rng, width: u32) -> u64 {
    let bits: u64 = rng.random::<u64>() & ((1 << width) - 1);
    let low = width - 9;
    let fraction = (1u64 << low) - 1;
    let sign = bits & 1 << (width - 1);
    let field = |field: u64| sign | field << low;
    match rng.random_range(0..16) {
        0 => sign,
        1 => field(0) | bits & fraction,
        2 => field(1) | bits & 1,
        3 => field(0) | fraction,
        4 => field(254) | fraction,
        5 => field(255),
        6 => field(255) | bits & fraction,
        7 => field(127) | bits & 3,
        // Exponents near each other, so that terms cancel.
        8..=12 => field(120 + rng.random_range(0..16)) | bits & fraction,
        // Products near the least normal number of f32.
        13 => field(60 + rng.random_range(0..10)) | bits & fraction,
        _ => bits,
    }
}

fn inputs(rng: &mut ChaCha8Rng, products: usize) -> Inputs {
    let row = |rng: &mut ChaCha8Rng| (0..products).map(|_| register(rng, 16)).collect::<Vec<_>>();
    let (mut a, b) = (row(rng), row(rng));
    let mut c = register(rng, 32);
    // A product that cancels another one, or c, but for its last places.
    if rng.random_bool(0.3) {
        let last = products - 1;
        a[0] = b[last] ^ 0x8000;
        let mut b = b.clone();
        b[0] = a[last] ^ u64::from(rng.random_range(0..4u8));
        return Inputs::new(a, b, c);
    }
    if rng.random_bool(0.2) {
        // Results near 2^-126.
        let field = rng.random_range(1..30u64);
        c = (c & 0x807f_ffff) | field << 23;
    }
    Inputs::new(a, b, c)
}

/// How many of `count` drawn inputs the instruction and the model answer otherwise, and the first of them.
fn differences(name: &str, spec: &str, count: usize, seed: u64) -> Option<(usize, Option<String>)> {
    let device = device(name)?;
    let model = Model::parse(spec).unwrap();
    let products = model.signature().products as usize;
    let is_integer = model.signature().is_integer();
    const BATCH: usize = 1 << 12;
    let batches = (0..count.div_ceil(BATCH)).into_par_iter().map(|batch| {
        let mut rng = ChaCha8Rng::seed_from_u64(seed ^ (batch as u64) << 20);
        let signature = model.signature();
        let mut draws = KINDS.map(|kind| Draw::new(signature, kind, seed ^ batch as u64));
        let drawn: Vec<Inputs> = (0..BATCH)
            .map(|number| match draws.get_mut(number % 8) {
                Some(draw) => draw.draw(),
                None if is_integer => draws[0].draw(),
                None => inputs(&mut rng, products),
            })
            .collect();
        let silicon = device.clone().run(&drawn).unwrap();
        let mut simulator = model.simulator();
        let mut wrong = drawn.iter().zip(&silicon).filter_map(|(inputs, silicon)| {
            let computed = simulator.evaluate(inputs).unwrap();
            let line = || {
                format!(
                    "{} silicon {silicon:08x}, {spec} {computed:08x}",
                    inputs.to_line(&model.signature())
                )
            };
            (computed != *silicon).then(line)
        });
        let first = wrong.next();
        (usize::from(first.is_some()) + wrong.count(), first)
    });
    let merge = |x: (usize, Option<String>), y: (usize, Option<String>)| (x.0 + y.0, x.1.or(y.1));
    Some(batches.reduce(|| (0, None), merge))
}

#[track_caller]
fn agrees(name: &str, count: usize) {
    let Some((wrong, first)) = differences(name, &format!("x86/{name}"), count, 1) else {
        return;
    };
    assert_eq!(wrong, 0, "of {count}, the first: {first:?}");
}

#[test]
fn vdpbf16ps_is_its_row() {
    agrees("vdpbf16ps", 100_000);
}

#[test]
fn tdpbf16ps_is_its_row() {
    agrees("tdpbf16ps", 10_000);
}

/// VNNI and AMX-INT8.
const INTEGERS: [&str; 8] = [
    "vpdpbusd",
    "vpdpbusds",
    "vpdpwssd",
    "vpdpwssds",
    "tdpbssd",
    "tdpbsud",
    "tdpbusd",
    "tdpbuud",
];

#[test]
fn integer_instructions_are_their_rows() {
    for name in INTEGERS {
        agrees(
            name,
            if name.starts_with('t') {
                20_000
            } else {
                100_000
            },
        );
    }
}

/// Integers before VNNI: pairs of products in a register of their own.
const PAIRS: [&str; 5] = [
    "vpmaddubsw",
    "vpmaddwd",
    "vpmaddwd.vpaddd",
    "vpmaddubsw.vpaddsw",
    "vpmaddubsw.vpmaddwd.vpaddd",
];

#[test]
fn sequences_before_vnni_are_their_rows() {
    for name in PAIRS {
        agrees(name, 1_000_000);
    }
}

/// What was reported of oneDNN and others: 255 * 127 twice gives 32767.
#[test]
fn pairs_of_products_saturate_at_16_bits() {
    for (name, expected) in [("vpmaddubsw", 32767), (PAIRS[4], 2 * 32767)] {
        let Some(mut device) = device(name) else {
            return;
        };
        let count = device.signature().products as usize;
        let inputs = Inputs::new(vec![255; count], vec![127; count], 0);
        assert_eq!(device.run(&[inputs]).unwrap(), [expected], "{name}");
    }
}

/// Wrapping for saturation and the other way, saturation after each product, another sign of the factors.
#[test]
fn silicon_refutes_other_readings_of_integers() {
    for (name, change) in [
        ("vpdpbusd", "overflow=saturate"),
        ("vpdpbusds", "overflow=wrap"),
        ("vpdpbusds", "K=1,chain=4"),
        ("vpdpbusds", "K=2,chain=2"),
        ("vpdpwssds", "K=1,chain=2"),
        ("vpdpwssds", "overflow=wrap"),
        ("vpdpwssd", "in=u16"),
        ("vpdpbusd", "a=s8,b=u8"),
        ("tdpbsud", "a=u8,b=s8"),
        ("tdpbssd", "overflow=saturate"),
        ("tdpbuud", "in=s8"),
    ] {
        let spec = format!("x86/{name}:{change}");
        let Some((wrong, _)) = differences(name, &spec, 100_000, 2) else {
            return;
        };
        assert!(wrong > 0, "{spec}");
    }
}

/// Exact sums in place of saturated ones, one saturation in place of two.
#[test]
fn silicon_refutes_other_readings_of_pairs() {
    for (name, spec) in [
        ("vpmaddubsw.vpmaddwd.vpaddd", "x86/vpdpbusd"),
        (
            "vpmaddubsw.vpaddsw",
            "int:K=2,a=u8,b=s8,acc=s16,overflow=saturate",
        ),
        ("vpmaddubsw.vpaddsw", "int:K=2,a=u8,b=s8,acc=s16"),
        ("vpmaddwd.vpaddd", "int:K=2,in=s16,overflow=saturate"),
    ] {
        let Some((wrong, _)) = differences(name, spec, 100_000, 2) else {
            return;
        };
        assert!(wrong > 0, "{name} as {spec}");
    }
}

/// What the issue of a wrong reading would be: each of them is refuted on silicon.
#[test]
fn silicon_refutes_other_readings() {
    for change in [
        "order=first-first",
        "order=fused",
        "order=pairwise",
        "results=before",
        "results=register",
        "results=keep",
        "operands=c",
        "round=odd",
        "nan=power",
        "nan=default",
    ] {
        let spec = format!("x86/vdpbf16ps:{change}");
        let Some((wrong, _)) = differences("vdpbf16ps", &spec, 200_000, 2) else {
            return;
        };
        assert!(wrong > 0, "{change}");
    }
}

#[test]
#[ignore = "ten million inputs of the one, a million of the other: minutes in release"]
fn ten_million_inputs() {
    agrees("vdpbf16ps", 10_000_000);
    agrees("tdpbf16ps", 1_000_000);
    for name in INTEGERS {
        agrees(
            name,
            if name.starts_with('t') {
                200_000
            } else {
                1_000_000
            },
        );
    }
}

/// `MMASMT_SILICON=1000000000 MMASMT_INSTRUCTIONS=vpmaddubsw cargo test --release --test silicon -- --ignored by_hand`
#[test]
#[ignore = "as many inputs as MMASMT_SILICON says of each of MMASMT_INSTRUCTIONS"]
fn as_many_inputs_as_are_asked_for_by_hand() {
    let usual = ["vdpbf16ps", PAIRS[0], PAIRS[4]].join(",");
    let names = setting("MMASMT_INSTRUCTIONS", usual);
    for name in names.split(',') {
        agrees(name, setting("MMASMT_SILICON", 1_000_000));
    }
}

/// Asks the instruction until one of the family is left, which must be its row.
fn is_identified(name: &str, candidates: &str, seed: u64) {
    let Some(mut device) = device(name) else {
        return;
    };
    let row = Model::parse(&format!("x86/{name}")).unwrap();
    let candidates = family(candidates, Some(&row)).unwrap();
    let options = IdentifyOptions::default().seed(seed);
    let limits = Limits::default();
    let asking = ClosedLoop::new(&candidates, &options).unwrap();
    let found = asking
        .confirming(2000)
        .identify(&mut device, &limits)
        .unwrap();
    assert_eq!(found.verdict(), Identification::Identified, "seed {seed}");
    let class = found.classes[0].iter();
    let names: Vec<String> = class.map(|&index| candidates[index].canonical()).collect();
    assert_eq!(names, [row.canonical()], "{name}, seed {seed}");
}

#[test]
fn integers_are_identified_from_every_seed() {
    for seed in 1..=20 {
        for name in ["vpdpbusd", "vpdpbusds", "vpdpwssd", "vpdpwssds"] {
            is_identified(name, "integers", seed);
        }
    }
}

/// The closed loop tells the sequence before VNNI from exact sums, from silicon.
#[test]
fn sums_of_pairs_are_identified() {
    for seed in 1..=3 {
        is_identified("vpmaddubsw.vpmaddwd.vpaddd", "integers", seed);
        is_identified("vpmaddubsw.vpaddsw", "integers", seed);
    }
}

/// The closed loop names VDPBF16PS from silicon, whatever the seed.
#[test]
#[ignore = "half a minute for each of 20 seeds, in release"]
fn silicon_is_identified_from_every_seed() {
    let seeds = setting("MMASMT_SEEDS", 20);
    for seed in 1..=seeds {
        is_identified("vdpbf16ps", "processors", seed);
    }
}

/// All elements of one instruction are the same function: those of each instruction that this processor has.
#[test]
fn all_elements_of_an_instruction_are_alike() {
    for name in mmasmt_questions::vectors::device::INSTRUCTIONS {
        let Some(mut device) = device(name) else {
            continue;
        };
        let mut draw = Draw::new(device.signature(), Kind::Random, 5);
        let drawn: Vec<Inputs> = (0..100).map(|_| draw.draw()).collect();
        let expected = device.run(&drawn).unwrap();
        for (elements, expected) in device.elements(&drawn).unwrap().iter().zip(expected) {
            assert_eq!(elements.first_difference(), None, "{name}");
            assert_eq!(elements.results[0], expected, "{name}");
        }
    }
}
