//! Links of rows against the programs that they are part of, bit for bit, with every set of processor features.

use crate::common::setting::part_of;
use mmasmt_columns::tape::{Features, LANES};
use mmasmt_core::batch::{ColumnData, SidePrograms};
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::Format;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Models that are chains of links, and others beside them.
const MODELS: [&str; 27] = [
    "fda:F=25,K=16",
    "fda:F=25,K=16,in=bf16",
    "fda:F=25,K=8,in=tf32",
    "fda:F=13,K=32,in=e4m3",
    "fda:F=13,K=16,a=e5m2,b=e4m3",
    "fda:F=23,K=4",
    "fda:F=24,K=8,chain=2",
    "ampere/HMMA.16816.F32",
    "volta/HMMA.884.F32.F32",
    "hopper/HMMA.16816.F32.BF16",
    "hopper/wgmma.m64nNk32.f32.e4m3.e4m3",
    "ada/QMMA.16832.F32.E4M3.E4M3",
    "blackwell/tcgen05.mma.mMnNk32.f32.e4m3.e4m3",
    "ampere/HMMA.1688.F32.TF32",
    "fdrda:K=8",
    "cdna3/v_mfma_f32_32x32x8_f16",
    "cdna3/v_mfma_f32_32x32x8_bf16",
    "cdna3/v_mfma_f32_32x32x4_xf32",
    // Sums of few products, with ones for their signs.
    "rdna:unit=rdna3,step=2,K=2,in=f16",
    "rdna:unit=rdna3,step=2,K=2,in=bf16",
    "rdna:unit=rdna3,step=2,K=4,a=f16,b=bf16",
    "rdna:unit=rdna3,step=2,K=8,in=f16,order=halves",
    "rdna3/v_wmma_f32_16x16x16_f16",
    "rdna3/v_wmma_f32_16x16x16_bf16",
    "fda:F=24,K=1",
    "fda:F=25,K=3,in=bf16",
    "fda:F=23,K=2,chain=2",
];

/// Models that are operations of IEEE 754.
const FLOATS: [&str; 14] = [
    "cpu:K=2",
    "cpu:K=4,in=f16,operands=c",
    "cpu:K=4,in=tf32,order=late",
    "cpu:K=8,order=even-odd",
    "x86/tdpfp16ps",
    "arm/bfdot.ebf0",
    "arm/bfmmla.ebf0",
    "gps:K=8",
    "gps:K=4,G=2,in=bf16,subnormals=f32",
    "gps:K=4,subnormals=keep,products=fma",
    "sfma:fmt=f32",
    "ieee:K=8,in=bf16",
    "ieee:K=8,order=late",
    "ieee:K=16,order=pairwise",
];

const KINDS: u32 = 9;
/// The kind of `c` that comes near the sum of products with the other sign.
const CANCELLING: u32 = 8;

/// A finite register of the format, of one of the kinds.
fn finite(rng: &mut ChaCha8Rng, format: &Format, kind: u32) -> u64 {
    loop {
        let bits = rng.random::<u64>() & (u64::MAX >> (64 - format.width()));
        let one = format.one();
        let fraction = (1 << format.fraction_bits) - 1;
        let near = |spread: u64, rng: &mut ChaCha8Rng| {
            let more = rng.random_range(0..=2 * spread) << format.fraction_bits;
            one + more - (spread << format.fraction_bits)
        };
        let register = match kind {
            // Every register; numbers like those of data; all of one sign and near two; sparse ones.
            0 => bits,
            1 => bits & (format.sign_mask() | fraction) | near(2, rng),
            2 => one | fraction & (bits | fraction << 2),
            3 if rng.random_range(0..8) > 0 => bits & format.sign_mask(),
            // Zeros in whole rows, subnormal numbers, the greatest and the least ones, powers of two.
            4 => 0,
            5 => bits & (format.sign_mask() | fraction),
            6 => {
                let number = [format.max_finite(), 1, 1 << format.fraction_bits, one];
                number[rng.random_range(0..4)] | bits & format.sign_mask()
            }
            // Products near the end of what links take.
            7 => {
                let (middle, spread) = (format.bias() * 3 / 5, format.bias() / 10);
                let field = rng.random_range(middle - spread..=middle + spread) as u64;
                bits & (format.sign_mask() | fraction)
                    | field << (format.fraction_bits + format.dropped_bits)
            }
            _ => bits & format.sign_mask() | near(6, rng),
        };
        let register = register & !((1 << format.dropped_bits) - 1);
        if format.is_finite(register) {
            return register;
        }
    }
}

/// A register of `c`, with infinities and NaNs for the last kinds.
fn accumulator(rng: &mut ChaCha8Rng, kind: u32) -> u64 {
    let bits: u32 = rng.random();
    let number = match kind {
        0 => 0,
        1 => bits & 0x807f_ffff | rng.random_range(120..134) << 23,
        2 => bits & 0x8000_0000,
        // Near the ends of what links take.
        3 => bits & 0x807f_ffff | rng.random_range(15..40) << 23,
        4 => bits & 0x807f_ffff | rng.random_range(220..255) << 23,
        5 => bits & 0x807f_ffff,
        6 if bits.is_multiple_of(500) => 0x7f80_0000 | bits & 0x8000_0001,
        6 => 0x3f80_0000,
        _ => bits,
    };
    number.into()
}

/// The number in a finite register.
fn number(format: &Format, register: u64) -> f64 {
    let magnitude = (register & !format.sign_mask()) >> format.dropped_bits;
    let field = (magnitude >> format.fraction_bits) as i32;
    let fraction = magnitude & ((1 << format.fraction_bits) - 1);
    let hidden = u64::from(field != 0) << format.fraction_bits;
    let place = field.max(1) - format.bias() - format.fraction_bits as i32;
    let number = (fraction + hidden) as f64 * f64::from(place).exp2();
    if register & format.sign_mask() == 0 {
        number
    } else {
        -number
    }
}

/// For each element, a register of `c` that leaves little of the sum, or nothing.
fn cancelling(rng: &mut ChaCha8Rng, signature: &Signature, [a, b]: [&[ColumnData]; 2]) -> Vec<u64> {
    let (rows, width) = (a[0].len(), b[0].len());
    let element = |at: usize| {
        let products = a.iter().zip(b).map(|(a, b)| {
            number(&signature.a, a.get(at / width)) * number(&signature.b, b.get(at % width))
        });
        let c = (-products.sum::<f64>()) as f32;
        let moved = c.to_bits().wrapping_add_signed(rng.random_range(-3..=3));
        let is_exact = rng.random();
        let bits = if is_exact { c.to_bits() } else { moved };
        u64::from(if f32::from_bits(bits).is_finite() {
            bits
        } else {
            0
        })
    };
    (0..rows * width).map(element).collect()
}

/// A column for each product, of as many registers as there are rows or columns, whose kinds alternate
/// if `kind` is beyond all of them.
fn columns(
    rng: &mut ChaCha8Rng,
    format: &Format,
    [products, count]: [usize; 2],
    kind: u32,
) -> Vec<ColumnData> {
    let column = |_| {
        let mut column = ColumnData::new(format);
        let of = |index: usize| {
            if kind < KINDS {
                kind
            } else {
                index as u32 % KINDS
            }
        };
        column.extend((0..count).map(|index| finite(rng, format, of(index))));
        column
    };
    (0..products).map(column).collect()
}

/// Runs the links and the program of one row after the other, and compares the results of rows for
/// which no link gave up; the number of these. Those of the program are those of the one for any operands.
fn compared(
    (any, links): (&mut SidePrograms, &mut SidePrograms),
    signature: &Signature,
    sides: [&[ColumnData]; 2],
    c: &ColumnData,
) -> (usize, ColumnData) {
    let (rows, width) = (sides[0][0].len(), sides[1][0].len());
    links.prepare_both(sides, signature, true);
    let mut open: Vec<bool> = (0..rows)
        .map(|row| !links.is_right_for(row..row + 1))
        .collect();
    let mut found = ColumnData::new(&signature.d);
    found.resize(rows * width);
    links.run_rows(0..rows, c, 0..rows * width, &mut found, &mut open);
    let mut expected = found.clone();
    let mut general = found.clone();
    any.prepare_both(sides, signature, true);
    let mut done = 0;
    for (row, open) in open.iter().enumerate() {
        let part = row * width..(row + 1) * width;
        links.take_row(row, 0..LANES);
        links.run(c, part.clone(), &mut expected);
        any.take_row(row, 0..LANES);
        any.run(c, part.clone(), &mut general);
        if c.has_special(&signature.c, part.clone()) {
            assert!(*open, "row {row} has an infinity or a NaN");
        } else if links.is_right_for(row..row + 1) {
            for place in part.clone() {
                assert_eq!(
                    expected.get(place),
                    general.get(place),
                    "row {row}, place {place}"
                );
            }
        }
        if *open {
            continue;
        }
        done += 1;
        for place in part {
            let told = || {
                format!(
                    "row {row}, column {}, c = {:x}",
                    place - row * width,
                    c.get(place)
                )
            };
            assert_eq!(found.get(place), expected.get(place), "{}", told());
        }
    }
    (done, expected)
}

fn check(name: &str, features: Features, seeds: std::ops::Range<u64>) -> [usize; 2] {
    let model = Model::parse(name).unwrap();
    let signature = model.signature();
    let mut programs = SidePrograms::all_for(&model, features).unwrap();
    assert!(!programs[0].has_links(), "{name}: infinities and NaNs");
    let (any, others) = programs.split_first_mut().unwrap();
    let links = others.last_mut().unwrap();
    assert!(links.has_links(), "{name} with {features:?}");
    let mut counts = [0; 2];
    for seed in seeds {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let products = signature.products as usize;
        // The last strip is whole or not.
        let width = [256, 64, 33, 200, 131][seed as usize % 5];
        let [kind, other] = [(); 2].map(|()| rng.random_range(0..KINDS + 2));
        let rows = rng.random_range(1..40);
        let a = columns(&mut rng, &signature.a, [products, rows], kind);
        let b = columns(&mut rng, &signature.b, [products, width], other);
        let mut c = ColumnData::new(&signature.c);
        match rng.random_range(0..KINDS) {
            CANCELLING => c.extend(cancelling(&mut rng, &signature, [&a, &b]).into_iter()),
            kind => c.extend((0..rows * width).map(|_| accumulator(&mut rng, kind))),
        }
        for _ in 0..4 {
            let (done, d) = compared((any, links), &signature, [&a, &b], &c);
            counts[0] += done;
            counts[1] += rows;
            c = d;
        }
    }
    counts
}

fn check_all(seeds: std::ops::Range<u64>) {
    for features in Features::available() {
        if features == Features::Baseline {
            continue;
        }
        for name in MODELS.into_iter().chain(FLOATS) {
            let [done, all] = check(name, features, seeds.clone());
            println!("{name}, {features:?}: {done} of {all} rows by links");
            assert!(done * 8 > all, "{name}, {features:?}: {done} of {all}");
        }
    }
}

#[test]
fn links_give_what_their_programs_give() {
    check_all(0..25);
}

#[test]
#[ignore = "minutes"]
fn links_give_what_their_programs_give_for_many_operands() {
    check_all(25..25 + part_of(4000) as u64);
}

/// Where no vector registers are, and for models that are no chains of links, there are none.
#[test]
fn other_programs_have_no_links() {
    for name in [
        "gfdrda:K=16",
        "sfma:K=4",
        "exact:K=2,in=e4m3",
        "fda:K=4,in=e2m1",
    ] {
        let model = Model::parse(name).unwrap();
        if let Some(programs) = SidePrograms::all_for(&model, Features::detected()) {
            assert!(!programs[0].has_links(), "{name}");
        }
    }
    let model = Model::parse("fda:F=25,K=16").unwrap();
    let programs = SidePrograms::all_for(&model, Features::Baseline).unwrap();
    assert!(programs.iter().all(|one| !one.has_links()));
}
