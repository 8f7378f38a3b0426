//! Tenstorrent's units: the vendor's vectors, results of silicon, and the reference.

use super::draw::{Fields, rows};
use super::tenstorrent_reference::{Machine, int8};
use super::{compare, seeded, unit};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use std::path::Path;

/// The keys of a format of Dst with this format of the sources.
fn keys(dst: &str, sources: [&str; 2], phases: [u32; 2], is_wormhole: bool) -> String {
    let [a, b] = sources;
    let of_dst = match (dst, a) {
        ("bf16", _) => ",P=8,FINAL=10",
        ("f16", _) => ",P=11,FINAL=10,ZERO=-15,NORMAL=-14,CODES=none",
        (_, "f16") => ",ZERO=-30",
        _ => "",
    };
    let [first, last] = phases;
    let lsc = if is_wormhole { 27 } else { 0 };
    format!("A={a},B={b},D={dst}{of_dst},FIRST={first},LAST={last},LSC={lsc}")
}

fn fields(format: &str) -> Fields {
    match format {
        "f32" => Fields::F32,
        "bf16" => Fields::BF16,
        "tf32" => Fields::TF32,
        _ => Fields::F16,
    }
}

/// A machine with its keys, and its phases.
fn drawn(rng: &mut ChaCha8Rng) -> (Machine, String, [u32; 2]) {
    let eight = ["bf16", "tf32"];
    let (sources, dst) = match rng.random_range(0..3) {
        0 => (["f16"; 2], *["f32", "f16"].choose(rng).unwrap()),
        _ => (
            [0, 1].map(|_| *eight.choose(rng).unwrap()),
            *["f32", "bf16"].choose(rng).unwrap(),
        ),
    };
    let first = rng.random_range(0..4);
    let last = if rng.random() {
        first
    } else {
        rng.random_range(first..4)
    };
    let is_wormhole = rng.random();
    let machine = Machine {
        sources: sources.map(fields),
        dst: fields(dst),
        is_wormhole,
    };
    let keys = keys(dst, sources, [first, last], is_wormhole);
    (machine, keys, [first, last])
}

/// Compares units of drawn formats and phases, `each` inputs of each.
fn compare_drawn(seed: u64, count: usize, each: usize) {
    let mut rng = seeded(seed);
    for _ in 0..count {
        let (machine, keys, [first, last]) = drawn(&mut rng);
        let [a, b] = machine.sources;
        let inputs = |formats: [Fields; 2], count| {
            move |rng: &mut ChaCha8Rng| {
                let (a, b, c) = rows(rng, [formats[0], formats[1], machine.dst], count);
                Inputs::new(a, b, c)
            }
        };
        let mvmul = |x: &Inputs| {
            (first..=last).fold(x.c, |dst, phase| machine.mvmul(phase, &x.a, &x.b, dst))
        };
        let elwmul = |x: &Inputs| {
            (first..=last).fold(x.c, |dst, phase| machine.elwmul(phase, x.a[0], x.b[0], dst))
        };
        let swapped = Machine {
            sources: [b, a],
            ..machine
        };
        // Two runs of the unit along k.
        let matmul = |x: &Inputs| {
            let tiles = x.a.chunks(32).zip(x.b.chunks(32));
            tiles.fold(x.c, |dst, (a, b)| swapped.matmul(first..=last, a, b, dst))
        };
        match rng.random_range(0..4) {
            0 => compare(
                &unit("tenstorrent-elwmul", &keys),
                each,
                &mut rng,
                inputs([a, b], 1),
                elwmul,
            ),
            1 => compare(
                &unit("tenstorrent-matmul", &format!("{keys},chain=2")),
                each,
                &mut rng,
                inputs([a, b], 64),
                matmul,
            ),
            _ => compare(
                &unit("tenstorrent-mvmul", &keys),
                each,
                &mut rng,
                inputs([a, b], 16),
                mvmul,
            ),
        }
    }
}

#[test]
fn units_agree_with_the_reference() {
    compare_drawn(1, 60, 80);
}

#[test]
#[ignore = "250,000 inputs: half a minute"]
fn many_units_agree_with_the_reference() {
    compare_drawn(2, 1000, 250);
}

#[test]
fn integers_agree_with_the_reference() {
    let mut rng = seeded(3);
    for first in 0..4 {
        for last in first..4 {
            let model = unit(
                "tenstorrent-mvmul-int8",
                &format!("FIRST={first},LAST={last}"),
            );
            let draw = |rng: &mut ChaCha8Rng| {
                let mut row = || (0..16).map(|_| u64::from(rng.random::<u8>())).collect();
                let (a, b) = (row(), row());
                let end = if rng.random() {
                    0x7fff_ffff
                } else {
                    0x8000_0001u32
                };
                let c = end.wrapping_add(rng.random_range(-100_000..100_000i32) as u32);
                Inputs::new(a, b, u64::from(if rng.random() { c } else { rng.random() }))
            };
            let expected =
                |x: &Inputs| (first..=last).fold(x.c, |dst, phase| int8(phase, &x.a, &x.b, dst));
            compare(&model, 200, &mut rng, draw, expected);
        }
    }
}

/// What ELWMUL with Dst in bf16 gave on silicon.
#[test]
fn results_of_silicon() {
    let bf16 = |x: f64| u64::from((x as f32).to_bits() >> 16);
    for (last, a, b, expected) in [
        (1, 1.3125, 7.96875, 10.4375),
        (3, 1.3125, 7.96875, 10.5),
        (3, -3.640625, 0.298_828_125, -1.09375),
        (3, -3.640625, 0.300_781_25, -1.101_562_5),
        (3, 508.0, 748.0, 378_880.0),
        (3, 748.0, 508.0, 380_928.0),
    ] {
        for is_wormhole in [true, false] {
            let keys = keys("bf16", ["bf16"; 2], [0, last], is_wormhole);
            let inputs = Inputs::new(vec![bf16(a)], vec![bf16(b)], 0);
            let found = unit("tenstorrent-elwmul", &keys)
                .simulator()
                .evaluate(&inputs)
                .unwrap();
            assert_eq!(found, bf16(expected), "{a} * {b}");
        }
    }
}

/// The simplest inputs of the error of Wormhole.
#[test]
fn minus_one_in_the_last_place_is_minus_sixteen() {
    let one = 0x3f80;
    for (is_wormhole, expected) in [(true, 0xc180_0000), (false, 0xb400_0000)] {
        let keys = keys("f32", ["bf16"; 2], [0, 0], is_wormhole);
        let mut row = vec![0; 16];
        row[0] = one;
        let inputs = Inputs::new(row.clone(), row, 0xbf80_0001);
        let found = unit("tenstorrent-mvmul", &keys)
            .simulator()
            .evaluate(&inputs)
            .unwrap();
        assert_eq!(found, expected);
    }
}

/// The lines of a file of the vendor's simulator, in the order of the index; they lie beside the checkout.
pub(super) fn vendor(arch: &str, qualifier: &str) -> Vec<(Inputs, u64)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/tenstorrent-vectors");
    let path = folder.join(format!("{arch}__mvmul.{qualifier}.txt"));
    let text = std::fs::read_to_string(&path).unwrap();
    let number = |text: &str| u64::from_str_radix(text, 16).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let lines = lines.map(|line| {
        let [c, a, b, d] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let row = |text: &str| text.split(',').map(number).collect();
        (Inputs::new(row(a), row(b), number(c)), number(d))
    });
    lines.collect()
}

/// The vendor's simulator: 4,200 lines, of which 12 differ between both machines.
#[test]
#[ignore = "vectors beside the checkout"]
fn the_vendors_shared_vectors() {
    let (mut all, mut differ) = (0, 0);
    let formats = [
        ("bf16", "bf16"),
        ("bf16", "tf32"),
        ("f32", "bf16"),
        ("f32", "fp16"),
        ("f32", "tf32"),
        ("fp16", "fp16"),
    ];
    let phases = [
        ("phase0", [0, 0]),
        ("phase1", [1, 1]),
        ("phase2", [2, 2]),
        ("phase3", [3, 3]),
        ("hifi4", [0, 3]),
    ];
    for (dst, source) in formats {
        for (name, phase) in phases {
            if name == "hifi4" && source != "bf16" {
                continue;
            }
            let named = |name: &'static str| if name == "fp16" { "f16" } else { name };
            let models = [true, false].map(|is_wormhole| -> Model {
                unit(
                    "tenstorrent-mvmul",
                    &keys(named(dst), [named(source); 2], phase, is_wormhole),
                )
            });
            for (own, arch) in [(0, "wormhole"), (1, "blackhole")] {
                let lines = vendor(arch, &format!("{dst}.{source}.{name}"));
                let [mut right, mut other] =
                    [own, 1 - own].map(|one: usize| models[one].simulator());
                for (inputs, expected) in lines {
                    let found = right.evaluate(&inputs).unwrap();
                    assert_eq!(found, expected, "{arch} {dst}.{source}.{name}");
                    all += 1;
                    differ += usize::from(own == 0 && other.evaluate(&inputs).unwrap() != expected);
                }
            }
        }
    }
    assert_eq!((all, differ), (4200, 12));
}
