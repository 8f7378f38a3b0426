//! Single results that public issues report, of silicon, simulators and libraries: conversions, multiply-adds, sums of
//! integers. Each stands with its source.

use mmasmt_core::machines::model::Model;
use mmasmt_questions::vectors::parse_line;

/// The source, the model, and the line of a vector file with the result.
const REPORTED: [(&str, &str, &str); 36] = [
    // Through f32 the double becomes -432, a tie, and then -448.
    ("ml_dtypes issue 401", "f64 -> e4m3", "c07affffffffffff fd"),
    (
        "ml_dtypes issue 401, as it is",
        "ml_dtypes/float8_e4m3fn.float64",
        "c07affffffffffff fe",
    ),
    (
        "ml_dtypes issue 400",
        "ml_dtypes/float8_e4m3fn.float32",
        "447a0000 7f",
    ),
    (
        "ml_dtypes issue 400",
        "ml_dtypes/float8_e4m3fn.float32",
        "43e00000 7e",
    ),
    (
        "ml_dtypes issue 400",
        "ml_dtypes/float8_e4m3fn.float32",
        "43e80000 7e",
    ),
    (
        "ml_dtypes issue 400",
        "ml_dtypes/float8_e4m3fn.float32",
        "43e88000 7f",
    ),
    (
        "ml_dtypes issue 400",
        "ml_dtypes/float8_e4m3fn.float32",
        "c47a0000 ff",
    ),
    (
        "riscv-isa-sim pull request 2284",
        "riscv-cvt/vfncvtbf16.f.f.w.e4m3.rtz",
        "5bf8 7e",
    ),
    (
        "saturn-vectors pull request 101",
        "riscv-cvt/vfncvtbf16.sat.f.f.w.e4m3",
        "4428 7e",
    ),
    (
        "rocm-systems issue 9556",
        "gfx950-cvt/v_cvt_scalef32_pk_fp8_f16",
        "5f48 7f",
    ),
    (
        "rocm-systems issue 9556",
        "gfx950-cvt/v_cvt_scalef32_pk_bf8_f16",
        "7b80 7c",
    ),
    (
        "llvm issue 98389",
        "ieee:K=1,acc=f16,order=fma",
        "2ff6 520b 00e9 3001",
    ),
    (
        "cvw issue 578",
        "ieee:K=1,in=f64,acc=f64,order=fma",
        "3ff0000000000000 bcafffffe7ffffff 3fdfffffffffffff 3fefffffffffffff",
    ),
    (
        "RVVM issue 307",
        "ieee:K=1,in=f64,acc=f64,order=fma",
        "0000000000000001 80613564ebad3000 c102edb9951c7d30 01745bc009c49042",
    ),
    (
        "rax issue 330",
        "unit:{unit u { a, b: f32[1]  d: f32  d = round(sum(a[0], b[0])) to f32 by rz }}",
        "00000000 7eee250f ff7fffff ff08ed77",
    ),
    (
        "cvfpu issue 54",
        "unit:{unit u { a, b: f32[1]  d: f32  d = round(a[0] * b[0]) to f32 by rd }}",
        "00000000 00000000 3a2b48ef 00000000",
    ),
    (
        "tt-metal issue 49944",
        "wormhole/elwadd.bf16.bf16",
        "0000 7f7f 7aff 7f80",
    ),
    (
        "tt-metal pull request 55678",
        "unit:{unit u { a, b: bf16[1]  d: bf16  d = round(a[0] * b[0]) to bf16 }}",
        "0000 3fa0 3fce 4001",
    ),
    (
        "tt-metal pull request 55678",
        "unit:{unit u { a, b: bf16[1]  d: bf16  d = round(a[0] * b[0]) to bf16 }}",
        "0000 3dda c017 be81",
    ),
    (
        "tt-metal pull request 55678",
        "unit:{unit u { a, b: bf16[1]  d: bf16  d = round(a[0] * b[0]) to bf16 }}",
        "0000 4050 3f99 4079",
    ),
    (
        "tt-metal pull request 55678",
        "unit:{unit u { a, b: bf16[1]  d: bf16  d = round(a[0] * b[0]) to bf16 }}",
        "0000 3f40 402d 4002",
    ),
    // A core that is broken gives 00035480 and 000405f6 for two of these: another result than the row's.
    (
        "libdeflate issue 451",
        "x86/vpdpbusd",
        "0001154a ff,ff,ff,ff 40,3f,3e,3d 00020e50",
    ),
    (
        "libdeflate issue 451",
        "x86/vpdpbusd",
        "00027f56 ff,ff,ff,ff 38,37,36,35 0003587c",
    ),
    (
        "libdeflate issue 451",
        "x86/vpdpbusd",
        "0002598d ff,ff,ff,ff 30,2f,2e,2d 000312d3",
    ),
    (
        "libdeflate issue 451",
        "x86/vpdpbusd",
        "0000f759 ff,ff,ff,ff 28,27,26,25 000190bf",
    ),
    (
        "libdeflate issue 451",
        "x86/vpdpbusd",
        "00021289 ff,ff,ff,ff 20,1f,1e,1d 00028c0f",
    ),
    (
        "libdeflate issue 451",
        "x86/vpdpbusd",
        "0003b04c ff,ff,ff,ff 18,17,16,15 000409f2",
    ),
    (
        "libdeflate issue 451",
        "x86/vpdpbusd",
        "0003708c ff,ff,ff,ff 10,0f,0e,0d 0003aa52",
    ),
    (
        "libdeflate issue 451",
        "x86/vpdpbusd",
        "000330cc ff,ff,ff,ff 08,07,06,05 00034ab2",
    ),
    (
        "tt-metal pull request 55678",
        "wormhole/sfpu.mul.bf16",
        "0000 3fa0 3fce 4001",
    ),
    (
        "tt-metal pull request 55678",
        "wormhole/sfpu.mul.bf16",
        "0000 3dda c017 be81",
    ),
    (
        "tt-metal pull request 55678",
        "wormhole/sfpu.mul.bf16",
        "0000 4050 3f99 4079",
    ),
    (
        "tt-metal pull request 55678",
        "wormhole/sfpu.mul.bf16",
        "0000 3f40 402d 4002",
    ),
    (
        "openlibm pull request 357",
        "ieee:K=1,in=f32,order=fma",
        "be7916c0 3f7288d0 34f91a50 be7916a3",
    ),
    (
        "PyTorch 2.15",
        "pytorch/float8_e4m3fn.float32",
        "7f800000 7e",
    ),
    ("PyTorch 2.15", "pytorch/bfloat16.float32", "ff812345 ffff"),
];

#[test]
fn reported_results_are_those_of_the_models() {
    for (source, name, line) in REPORTED {
        let model = Model::parse(name).unwrap();
        let vector = parse_line(line, 1, &model.signature()).unwrap();
        let found = model.simulator().run(&vector.inputs);
        assert!(
            model.accepts(found, vector.d),
            "{source}: {name}: {line}: computed {found:x}"
        );
    }
}
