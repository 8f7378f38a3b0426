//! Functions of the kernels of products alone.

use super::tile::THREADS;
use crate::tape::print::routine::{FunctionText, routine};

/// The functions, over those of CUDA.
pub(super) fn of_products() -> Vec<FunctionText> {
    let copy =
        format!("for (u32 place = 16 * threadIdx.x; place < bytes; place += 16 * {THREADS})");
    vec![
        routine(
            "float",
            "floor_narrow",
            "u32 power",
            &["return @real_32((277u << 23) - power);"],
        ),
        routine(
            "u32",
            "cut_narrow",
            "float x, float y, float floor",
            &["return __float_as_uint(__fmaf_rz(x, y, floor));"],
        ),
        routine(
            "double",
            "floor_wide",
            "u32 power",
            &["return @real_64((u64)(1202u - (power >> 23)) << 52);"],
        ),
        routine(
            "u32",
            "cut_wide",
            "double x, double y, double floor",
            &["return (u32)__double_as_longlong(__fma_rz(x, y, floor));"],
        ),
        routine(
            "u32",
            "greatest",
            "u32 x, u32 y, u32 before",
            &[
                "#if __CUDA_ARCH__ >= 900",
                "return __viaddmax_u16x2(x, y, before);",
                "#else",
                "return __vmaxu2(x + y, before);",
                "#endif",
            ],
        ),
        routine(
            "void",
            "stage",
            "void",
            &["asm volatile(\"\" ::: \"memory\");"],
        ),
        routine(
            "void",
            "copy",
            "void *to, const void *from, u32 bytes",
            &[
                &copy,
                "#if defined __CUDACC__ && __CUDA_ARCH__ >= 800",
                "    asm volatile(\"cp.async.cg.shared.global [%0], [%1], 16;\" :: \"r\"((u32)__cvta_generic_to_shared((u8 *)to + place)), \"l\"((const u8 *)from + place) : \"memory\");",
                "#else",
                "    *(uint4 *)((u8 *)to + place) = *(const uint4 *)((const u8 *)from + place);",
                "#endif",
            ],
        ),
        routine(
            "void",
            "copied",
            "void",
            &[
                "#if defined __CUDACC__ && __CUDA_ARCH__ >= 800",
                "asm volatile(\"cp.async.wait_all;\" ::: \"memory\");",
                "#endif",
            ],
        ),
    ]
}
