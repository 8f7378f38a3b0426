//! Products of matrices by compositions: around the chains of a unit they have the bits that the
//! simulator of the whole composition gives for each element.

use crate::matrices::drawn;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::inputs::Kind;
use mmasmt_questions::matrices::{Matrix, MatrixProduct, gemm, gemms};

/// Compositions of every kind, with every key that changes the order or the rounding of a sum.
const COMPOSITIONS: [&str; 34] = [
    "repeat(fda:K=8,F=24)",
    "promote(fda:K=8,F=13,in=e4m3):every=2",
    "promote(fda:K=4,F=24,in=bf16):every=3,remainder=dropped",
    "promote(fda:K=4,F=24):every=1,round=rz",
    "promote(ampere/DMMA.884):every=2",
    "splitk(fda:K=8,F=24,in=bf16):S=3",
    "splitk(fda:K=4,F=25):S=3,tile=8,tiles=strided",
    "splitk(fda:K=8,F=25):S=5,tile=4,combine=pairwise",
    "splitk(sfma:K=1,fmt=f32):S=8,tile=2,tiles=strided,combine=butterfly",
    "splitk(fda:K=8,F=24):S=5,combine=tree,round=ru",
    "splitk(fda:K=8,F=24):S=2,tile=2,tiles=strided,combine=chain",
    "splitk(fda:K=8,F=24):S=4,part=bf16",
    "splitk(fda:K=8,F=24,in=bf16):S=4,sum=bf16",
    "splitk(fda:K=8,F=24):S=3,part=f16,combine=tree",
    "splitk(fda:K=8,F=25,in=bf16):S=2,tile=8,first=16",
    "splitk(fda:K=8,F=25):S=2,tile=16,lost=16",
    "epilogue(fda:K=8,F=24):out=bf16,beta=1",
    "epilogue(fda:K=8,F=24,in=e4m3):out=e4m3,alpha=0x1.8p-3,beta=-2,saturate=yes,scale=0x1.4p0",
    "epilogue(splitk(promote(fda:K=8,F=13,in=e4m3):every=2):S=3,tile=16):out=bf16,alpha=0x1.234p-1",
    "epilogue(splitk(fda:K=8,F=24):S=2):out=f16,activation=relu,beta=1",
    "promote(splitk(sfma:fmt=f32,K=1):S=8,tile=2,tiles=strided,combine=butterfly,K=32):every=1",
    "repeat(splitk(fda:K=4,F=24):S=2,tile=2,tiles=strided,combine=chain,K=16)",
    "plain(fda:K=8,F=24,in=bf16):round=rna",
    "markidis(fda:K=4,F=24):order=interleaved",
    "ootomo-yokota(fda:K=8,F=24):low=kept",
    "eq24(fda:K=8,F=24)",
    "cutlass-3xtf32(fda:K=8,F=24,in=tf32)",
    "cutlass-9xbf16(fda:K=8,F=24,in=bf16)",
    "triton-bf16x6(fda:K=8,F=24,in=bf16)",
    "xla-tf32x3(fda:K=8,F=24,in=tf32)",
    "words(fda:K=8,F=24,in=bf16):p=3",
    "epilogue(splitk(cutlass-3xtf32(fda:K=8,F=24,in=tf32)):S=2):out=bf16",
    "adapt(fda:K=8,F=24,in=bf16):a=e4m3,b=f16",
    "adapt(words(fda:K=8,F=24,in=bf16):p=2):in=f16",
];

/// The element by the simulator of the whole composition.
fn element(whole: &Model, [a, b]: [&Matrix; 2], c: Option<&Matrix>, at: [usize; 2]) -> u64 {
    let signature = whole.signature();
    let mut inputs = Inputs::zero(&signature);
    inputs.c = c.map_or(0, |c| c.get(at[0], at[1]));
    for k in 0..a.shape()[1] {
        inputs.a[k] = a.get(at[0], k);
        inputs.b[k] = b.get(k, at[1]);
    }
    whole.simulator().evaluate(&inputs).unwrap()
}

fn operands(model: &Model, [m, k, n]: [usize; 3], kind: Kind, seed: u64) -> [Matrix; 3] {
    let signature = model.signature();
    [
        drawn(signature.a, [m, k], kind, seed),
        drawn(signature.b, [k, n], kind, seed + 1),
        drawn(signature.c, [m, n], kind, seed + 2),
    ]
}

/// So small that no program is made, and so large that programs are; k of no multiple of anything.
#[test]
fn around_chains_as_in_one_model() {
    for (index, name) in COMPOSITIONS.iter().enumerate() {
        let model = Model::parse(name).unwrap();
        for (shape, kind) in [
            ([3, 37, 5], Kind::Random),
            ([5, 96, 3], Kind::Close),
            ([67, 51, 301], Kind::Finite),
            ([67, 77, 90], Kind::Random),
        ] {
            let [a, b, c] = operands(&model, shape, kind, index as u64);
            let whole = model.of_length(shape[1] as u32).unwrap();
            for c in [None, Some(&c)] {
                // A composition that does not read c takes none.
                if c.is_some() && !model.reads_c() {
                    continue;
                }
                let product = MatrixProduct::new(&a, &b).plus(c);
                let d = gemm(&model, &product, &Limits::default()).unwrap();
                for number in 0..40 {
                    let at = [number * 31 % shape[0], number * 67 % shape[2]];
                    let expected = element(&whole, [&a, &b], c, at);
                    assert_eq!(
                        d.get(at[0], at[1]),
                        expected,
                        "{name} {shape:?} {kind:?} at {at:?}"
                    );
                }
            }
        }
    }
}

/// Scales of parts outside of the unit, and those of a unit inside of a composition.
#[test]
fn scales_inside_and_outside() {
    for name in [
        "promote(fda:K=8,F=13,in=e4m3):every=2,scales=product-fma",
        "promote(fda:K=8,F=13,in=e4m3):every=2,scales=left-fma",
        "promote(fda:K=8,F=13,in=e4m3):every=1,scales=separate",
        "epilogue(promote(fda:K=8,F=13,in=e4m3):every=2,scales=separate):out=bf16",
        "promote(fda:K=16,F=25,in=e2m1,scale=ue8m0,block=8):every=2",
        "epilogue(promote(fda:K=16,F=25,in=e2m1,scale=ue8m0,block=4):every=1):out=f16",
    ] {
        for [m, k, n] in [[3usize, 32usize, 4usize], [70, 96, 260]] {
            let model = Model::parse(name).unwrap().of_length(k as u32).unwrap();
            let signature = model.signature();
            let scales = signature.scales.unwrap();
            let blocks = k.div_ceil(scales.block as usize);
            let [a, b, c] = operands(&model, [m, k, n], Kind::Finite, 7);
            let scale = |index: usize| (scales.format.one() + index as u64 % 5).wrapping_sub(2);
            let [sa, sb] = [[m, blocks], [blocks, n]].map(|shape| {
                let registers = (0..shape[0] * shape[1]).map(scale);
                Matrix::new(scales.format, shape, registers).unwrap()
            });
            let product = MatrixProduct::new(&a, &b).plus(model.reads_c().then_some(&c));
            let product = product.scaled(Some([&sa, &sb]));
            let d = gemm(&model, &product, &Limits::default()).unwrap();
            for number in 0..40 {
                let [row, column] = [number * 31 % m, number * 67 % n];
                let mut inputs = Inputs::zero(&signature);
                inputs.a = (0..k).map(|k| a.get(row, k)).collect();
                inputs.b = (0..k).map(|k| b.get(k, column)).collect();
                inputs.c = if model.reads_c() {
                    c.get(row, column)
                } else {
                    0
                };
                inputs.a_scales = (0..blocks).map(|block| sa.get(row, block)).collect();
                inputs.b_scales = (0..blocks).map(|block| sb.get(block, column)).collect();
                let expected = model.simulator().evaluate(&inputs).unwrap();
                assert_eq!(d.get(row, column), expected, "{name} at {row}, {column}");
            }
        }
    }
}

/// Products that share their parts have the bits that each has by itself.
#[test]
fn small_products_together_are_products_alone() {
    for (name, shape, count) in [
        ("fda:K=8,F=25", [8, 64, 8], 101),
        ("fda:K=8,F=25,in=bf16", [5, 70, 9], 73),
        ("fda:K=4,F=24", [100, 40, 60], 7),
        (
            "epilogue(splitk(fda:K=8,F=24):S=2):out=bf16",
            [16, 60, 8],
            40,
        ),
        ("fda:K=3,F=12", [1, 5, 1], 300),
    ] {
        let model = Model::parse(name).unwrap();
        for kind in [Kind::Finite, Kind::Random] {
            let each: Vec<[Matrix; 3]> = (0..count)
                .map(|number| operands(&model, shape, kind, 3 * number))
                .collect();
            let with_c = model.reads_c();
            let products: Vec<_> = each
                .iter()
                .map(|[a, b, c]| MatrixProduct::new(a, b).plus(with_c.then_some(c)))
                .collect();
            let found = gemms(&model, &products, &Limits::default()).unwrap();
            assert_eq!(found.len(), products.len());
            for (product, d) in products.iter().zip(&found) {
                assert_eq!(
                    gemm(&model, product, &Limits::default()).unwrap(),
                    *d,
                    "{name}"
                );
            }
        }
    }
}
