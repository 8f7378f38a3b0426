//! Orders in which libraries take k, as compositions, against the same orders written by hand on the
//! host's f32 arithmetic, which is IEEE 754.

use crate::matrices::drawn;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::float::Format;
use mmasmt_questions::inputs::Kind;
use mmasmt_questions::matrices::{Matrix, MatrixProduct, gemm};
use std::ops::Range;

/// One row of A and one column of B.
struct Dot {
    a: Vec<f32>,
    b: Vec<f32>,
}

impl Dot {
    /// Fused multiply-adds of these k, from `c`.
    fn chain(&self, ks: impl IntoIterator<Item = usize>, c: f32) -> f32 {
        ks.into_iter()
            .fold(c, |d, k| self.a[k].mul_add(self.b[k], d))
    }
}

fn bf16(x: f32) -> f32 {
    let bits = x.to_bits();
    let rounded = (bits + 0x7fff + (bits >> 16 & 1)) & 0xffff_0000;
    f32::from_bits(rounded)
}

/// Lane i takes the sum of lane i + n / 2, then of lane i + n / 4, and so on.
fn butterfly(mut lanes: Vec<f32>) -> f32 {
    while lanes.len() > 1 {
        let half = lanes.len() / 2;
        lanes = (0..half).map(|i| lanes[i] + lanes[i + half]).collect();
    }
    lanes[0]
}

/// `count` ranges of k of ceil(K / count) rounded up to a multiple of `grain`.
fn slices(k: usize, count: usize, grain: usize) -> Vec<Range<usize>> {
    let size = k.div_ceil(grain).div_ceil(count) * grain;
    let slice = |number: usize| (number * size).min(k)..((number + 1) * size).min(k);
    (0..count).map(slice).collect()
}

type Order = fn(&Dot) -> f32;

/// A composition of `sfma:fmt=f32`, the k that it is asked for, and its order by hand.
const ORDERS: [(&str, &[usize], Order); 13] = [
    // 66: one accumulator; slices of ceil(ceil(K / 64) / S) * 64, partials added forward.
    ("repeat(sfma:fmt=f32,K=1)", &[64, 97], |dot| {
        dot.chain(0..dot.a.len(), 0.0)
    }),
    (
        "splitk(sfma:fmt=f32,K=1):S=3,tile=64",
        &[600, 577, 64],
        |dot| {
            let parts = slices(dot.a.len(), 3, 64).into_iter();
            parts
                .map(|part| dot.chain(part, 0.0))
                .reduce(|x, y| x + y)
                .unwrap()
        },
    ),
    // Without fast accumulation: a new accumulator for every 128 k of a slice.
    (
        "splitk(promote(sfma:fmt=f32,K=16):every=8):S=2,tile=128",
        &[1024, 640],
        |dot| {
            let parts = slices(dot.a.len(), 2, 128).into_iter();
            let part = |part: Range<usize>| {
                let starts = part.clone().step_by(128);
                let sums = starts.map(|k| dot.chain(k..part.end.min(k + 128), 0.0));
                sums.fold(0.0, |x, y| x + y)
            };
            parts.map(part).reduce(|x, y| x + y).unwrap()
        },
    ),
    // 4: partials rounded to the output format, then an f32 sum.
    (
        "splitk(sfma:fmt=f32,K=1):S=4,tile=8,part=bf16",
        &[300, 512],
        |dot| {
            let parts = slices(dot.a.len(), 4, 8).into_iter();
            parts
                .map(|part| bf16(dot.chain(part, 0.0)))
                .reduce(|x, y| x + y)
                .unwrap()
        },
    ),
    // 0 and 1: the running sum in the output format.
    (
        "splitk(sfma:fmt=f32,K=1):S=4,tile=8,sum=bf16",
        &[300, 512],
        |dot| {
            let parts = slices(dot.a.len(), 4, 8).into_iter();
            let mut parts = parts.map(|part| dot.chain(part, 0.0));
            let first = bf16(parts.next().unwrap());
            parts.fold(first, |sum, part| bf16(sum + part))
        },
    ),
    // Sliced in a block: two warps take 32 k in turns.
    (
        "splitk(sfma:fmt=f32,K=1):S=2,tile=32,tiles=strided",
        &[256, 200],
        |dot| {
            let warp = |number: usize| (0..dot.a.len()).filter(move |k| k / 32 % 2 == number);
            dot.chain(warp(0), 0.0) + dot.chain(warp(1), 0.0)
        },
    ),
    // 11: S threads with contiguous chunks, sub-blocks of B k.
    (
        "splitk(promote(sfma:fmt=f32,K=128):every=1):S=4",
        &[1000, 1024],
        |dot| {
            let thread = |part: Range<usize>| {
                let blocks = part.clone().step_by(128);
                blocks.fold(0.0, |d, k| d + dot.chain(k..part.end.min(k + 128), 0.0))
            };
            let threads = slices(dot.a.len(), 4, 1).into_iter().map(thread);
            threads.reduce(|x, y| x + y).unwrap()
        },
    ),
    // 13: 32 lanes with 4 k a load, chunks of 2 tiles, lane totals by a butterfly.
    (
        "promote(splitk(sfma:fmt=f32,K=1):S=32,tile=4,tiles=strided,combine=butterfly,K=256):every=1",
        &[1024, 700],
        |dot| {
            let chunk = |start: usize| {
                let end = dot.a.len().min(start + 256);
                let lane = |lane: usize| (start..end).filter(move |k| k / 4 % 32 == lane);
                butterfly((0..32).map(|number| dot.chain(lane(number), 0.0)).collect())
            };
            (0..dot.a.len())
                .step_by(256)
                .fold(0.0, |d, start| d + chunk(start))
        },
    ),
    // 5: 32 lanes with contiguous slices.
    (
        "splitk(sfma:fmt=f32,K=1):S=32,combine=butterfly",
        &[1024, 700],
        |dot| {
            let lanes = slices(dot.a.len(), 32, 1).into_iter();
            butterfly(lanes.map(|part| dot.chain(part, 0.0)).collect())
        },
    ),
    // 14: tiles of 128 V k strided over blocks, V chains a thread, butterfly of 128 threads.
    (
        "splitk(splitk(splitk(sfma:fmt=f32,K=1):S=2,tiles=strided,K=8):S=16,tile=2,tiles=strided,\
         combine=butterfly,K=128):S=2,tile=32,tiles=strided",
        &[256],
        |dot| {
            let own = |block: usize, thread: usize, chain: usize| {
                (0..dot.a.len())
                    .filter(move |k| [k / 32 % 2, k / 2 % 16, k % 2] == [block, thread, chain])
            };
            let thread = |block, number| {
                dot.chain(own(block, number, 0), 0.0) + dot.chain(own(block, number, 1), 0.0)
            };
            let block =
                |number| butterfly((0..16).map(|thread_| thread(number, thread_)).collect());
            block(0) + block(1)
        },
    ),
    // RTX 4060: tile t of 64 k in part t mod S, pairwise.
    (
        "splitk(sfma:fmt=f32,K=1):S=4,tile=64,tiles=strided,combine=pairwise",
        &[1024, 900],
        |dot| {
            let own = |part: usize| (0..dot.a.len()).filter(move |k| k / 64 % 4 == part);
            let p: Vec<f32> = (0..4).map(|part| dot.chain(own(part), 0.0)).collect();
            (p[3] + (p[0] + p[2])) + p[1]
        },
    ),
    // Triton's permuted k: of every 32 those whose number is 0 or 1 above a multiple of 4, then the
    // others.
    (
        "repeat(splitk(sfma:fmt=f32,K=1):S=2,tile=2,tiles=strided,combine=chain,K=32)",
        &[128, 96],
        |dot| {
            let own = |start: usize, high: bool| {
                (start..start + 32).filter(move |k| (k % 4 >= 2) == high)
            };
            let starts = (0..dot.a.len()).step_by(32);
            starts.fold(0.0, |d, start| {
                let d = dot.chain(own(start, false), d);
                dot.chain(own(start, true), d)
            })
        },
    ),
    // A split kernel that does not sum the last K mod 64.
    (
        "splitk(sfma:fmt=f32,K=1):S=3,tile=64,lost=64",
        &[8648, 200],
        |dot| {
            let k = dot.a.len();
            let parts = slices(k, 3, 64).into_iter();
            let parts = parts.map(|part| part.start..part.end.min(k / 64 * 64).max(part.start));
            parts
                .map(|part| dot.chain(part, 0.0))
                .reduce(|x, y| x + y)
                .unwrap()
        },
    ),
];

fn numbers(matrix: &Matrix) -> Vec<f32> {
    matrix
        .registers()
        .map(|bits| f32::from_bits(bits as u32))
        .collect()
}

#[test]
fn orders_of_libraries_are_compositions() {
    for (name, depths, order) in ORDERS {
        let model = Model::parse(name).unwrap();
        for depth in depths {
            // Few elements by the simulator, and many by programs.
            for [m, n] in [[2, 3], [40, 150]] {
                let a = drawn(Format::F32, [m, *depth], Kind::Close, 1);
                let b = drawn(Format::F32, [*depth, n], Kind::Close, 2);
                let d = gemm(&model, &MatrixProduct::new(&a, &b), &Limits::default()).unwrap();
                let (left, right) = (numbers(&a), numbers(&b));
                for number in 0..30 {
                    let [row, column] = [number * 7 % m, number * 11 % n];
                    let dot = Dot {
                        a: left[row * depth..(row + 1) * depth].to_vec(),
                        b: right[column..].iter().step_by(n).copied().collect(),
                    };
                    let expected = u64::from(order(&dot).to_bits());
                    let found = d.get(row, column);
                    assert_eq!(found, expected, "{name}, k = {depth}, at {row}, {column}");
                }
            }
        }
    }
}

/// CUTLASS: the residue first, in instructions of 16 k of which the last is not full; each slice has
/// its own. The instruction rounds once, which is where the place of its end shows.
#[test]
fn residues_end_in_the_middle_of_a_slice() {
    let unit = Model::parse("fda:K=16,F=25,in=bf16").unwrap();
    for (name, depth, parts, grain, block) in [
        (
            "splitk(fda:K=16,F=25,in=bf16):S=1,first=32",
            90usize,
            1,
            1usize,
            32usize,
        ),
        (
            "splitk(fda:K=16,F=25,in=bf16):S=3,tile=8,first=32",
            330,
            3,
            8,
            32,
        ),
    ] {
        let model = Model::parse(name).unwrap();
        let a = drawn(Format::BF16, [9, depth], Kind::Close, 1);
        let b = drawn(Format::BF16, [depth, 40], Kind::Close, 2);
        let d = gemm(&model, &MatrixProduct::new(&a, &b), &Limits::default()).unwrap();
        for number in 0..40 {
            let at = [number % 9, number * 7 % 40];
            let slice = |part: Range<usize>| {
                let residue = part.len() % block;
                let mut starts: Vec<usize> =
                    (part.start..part.start + residue).step_by(16).collect();
                starts.extend((part.start + residue..part.end).step_by(16));
                starts.push(part.end);
                let mut inputs = mmasmt_core::machines::algorithms::Inputs::zero(&unit.signature());
                for pair in starts.windows(2) {
                    let mut ks = pair[0]..pair[1].min(pair[0] + 16);
                    for place in 0..16 {
                        let k = ks.next();
                        inputs.a[place] = k.map_or(0, |k| a.get(at[0], k));
                        inputs.b[place] = k.map_or(0, |k| b.get(k, at[1]));
                    }
                    inputs.c = unit.simulator().evaluate(&inputs).unwrap();
                }
                f32::from_bits(inputs.c as u32)
            };
            let sums = slices(depth, parts, grain).into_iter().map(slice);
            let expected = sums.reduce(|x, y| x + y).unwrap().to_bits();
            assert_eq!(d.get(at[0], at[1]), u64::from(expected), "{name} at {at:?}");
        }
    }
}

/// Ones: M = 1, N = 8, as reported for sm_100, sm_103 and sm_90 with cuBLASLt 12.8.5 and 13.1.1
/// (bitequiv/cublas_match of facebookexperimental/triton).
#[test]
fn cublaslt_loses_the_end_of_k() {
    for (depth, parts, kept) in [
        (8648usize, 9, 8640.0f32),
        (57608, 10, 57600.0),
        (11528, 9, 11520.0),
    ] {
        let unit = "hopper/wgmma.m64nNk16.f32.bf16.bf16";
        let name = format!("splitk({unit}):S={parts},tile=64,lost=64");
        let model = Model::parse(&name).unwrap();
        let one = Format::BF16.one();
        let a = Matrix::new(Format::BF16, [1, depth], vec![one; depth]).unwrap();
        let b = Matrix::new(Format::BF16, [depth, 8], vec![one; 8 * depth]).unwrap();
        let d = gemm(&model, &MatrixProduct::new(&a, &b), &Limits::default()).unwrap();
        assert!(
            d.registers()
                .all(|bits| f32::from_bits(bits as u32) == kept),
            "{name}"
        );
    }
}
