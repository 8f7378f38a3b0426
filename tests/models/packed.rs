//! Products with a matrix B that is kept: the same bits on every call, whatever is kept of it.

use mmasmt_core::batch::ColumnData;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::float::Format;
use mmasmt_questions::matrices::{Matrix, MatrixProduct, PackedMatrix, gemm};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A matrix of drawn numbers near 1; one in so many elements has any bits.
fn drawn(rng: &mut ChaCha8Rng, format: Format, shape: [usize; 2], any: u32) -> Matrix {
    let mut registers = ColumnData::new(&format);
    let mask = u64::MAX >> (64 - format.width());
    for _ in 0..shape[0] * shape[1] {
        let bits: u64 = rng.random::<u64>() & mask;
        let register = match any > 0 && rng.random_ratio(1, any) {
            true => bits,
            false => {
                let low = (1 << format.fraction_bits) - 1;
                format.signed(bits & 1 == 1, (format.one() & !low) | (bits >> 3 & low))
            }
        };
        registers.repeat(register, 1);
    }
    Matrix::of(format, shape, registers).unwrap()
}

/// Numbers of products along k and of columns: a few dot-adds of several tiles, and more dot-adds than lanes.
const SHAPES: [[usize; 2]; 2] = [[70, 300], [1100, 40]];

const MODELS: [&str; 8] = [
    "hopper/wgmma.m64nNk16.f32.bf16.bf16",
    "cdna3/v_mfma_f32_32x32x8_f16",
    "cdna2/v_mfma_f32_32x32x8f16",
    "x86/vdpbf16ps",
    "volta/HMMA.884.F32.F32",
    "promote(hopper/wgmma.m64nNk32.f32.e4m3.e4m3)",
    "exact:K=4",
    "splitk(fda:K=8,F=25,in=bf16):S=2,tile=8",
];

#[test]
fn products_are_the_same_with_what_is_kept() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let limits = Limits::default();
    for name in MODELS {
        let model = Model::parse(name).unwrap();
        let signature = model.signature();
        let each = SHAPES
            .into_iter()
            .flat_map(|shape| [0, 40, 2000].map(|any| (shape, any)));
        for ([depth, columns], any) in each {
            let b = drawn(&mut rng, signature.b, [depth, columns], any);
            let packed = PackedMatrix::new(&model, 1 << 24).unwrap();
            let small = PackedMatrix::new(&model, 1 << 16).unwrap();
            for rows in [1, 3, 1, 20, 1] {
                let a = drawn(&mut rng, signature.a, [rows, depth], any);
                let product = MatrixProduct::new(&a, &b);
                let expected = gemm(&model, &product, &limits).unwrap();
                for kept in [&packed, &packed, &small] {
                    let found = gemm(&model, &product.with_packed(Some(kept)), &limits).unwrap();
                    assert_eq!(found.data(), expected.data(), "{name}, {rows} rows, {any}");
                }
            }
            assert!(small.bytes() <= 1 << 16, "{name}");
            if any == 0 && name.starts_with("hopper/wgmma") {
                assert!(packed.bytes() > depth * columns, "{name}: nothing is kept");
            }
        }
    }
}

/// What is kept for one unit is not taken for another one.
#[test]
fn what_is_kept_belongs_to_one_unit() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let [one, other] = ["fda:K=16,F=25", "fda:K=16,F=13"].map(|name| Model::parse(name).unwrap());
    let a = drawn(&mut rng, Format::F16, [1, 64], 0);
    let b = drawn(&mut rng, Format::F16, [64, 64], 0);
    let packed = PackedMatrix::new(&one, 1 << 24).unwrap();
    let product = MatrixProduct::new(&a, &b);
    let limits = Limits::default();
    for _ in 0..3 {
        for model in [&one, &other] {
            let expected = gemm(model, &product, &limits).unwrap();
            let found = gemm(model, &product.with_packed(Some(&packed)), &limits).unwrap();
            assert_eq!(found.data(), expected.data());
        }
    }
}
