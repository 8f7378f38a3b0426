//! The text of a printed tape that is CUDA C++ alone: a kernel with a thread for each dot-add.

use super::array::Array;
use super::routine::{Routine, routine};

/// How a function is declared that the kernel calls.
pub(super) const FUNCTION: &str = "static __device__ __forceinline__";

/// How a compiler is asked for it.
pub(super) const ABOUT: &str = "\
CUDA C++ for NVRTC or nvcc. A thread computes one dot-add: blocks of any size, as many as n needs.
";

/// A remark for a text that has floats.
pub(super) const ABOUT_FLOATS: &str = "\
It computes in float and double with intrinsics, which are not contracted. They keep subnormal numbers by default: -ftz=false, so
never -use_fast_math.
";

/// A remark for a text that has integers of 128 bits.
pub(super) const ABOUT_WIDE: &str = "\
It has integers of 128 bits: NVRTC needs -device-int128, nvcc a host compiler that has them.
";

/// The types.
pub(super) const TYPES: &str = "\
#ifndef MMASMT_TAPE_TYPES
#define MMASMT_TAPE_TYPES
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef signed char i8;
typedef short i16;
typedef int i32;
typedef long long i64;
#endif

";

/// The functions that CUDA has in a way of its own.
pub(super) fn routines() -> Vec<Routine> {
    let functions = [
        ("float", "real_32", "u32 x", "__uint_as_float(x)"),
        ("double", "real_64", "u64 x", "__longlong_as_double((i64)x)"),
        ("u32", "bits_32", "float x", "__float_as_uint(x)"),
        ("u64", "bits_64", "double x", "(u64)__double_as_longlong(x)"),
        ("u32", "clz_32", "u32 x", "(u32)__clz((i32)x)"),
        ("u32", "clz_64", "u64 x", "(u32)__clzll((i64)x)"),
        (
            "u32",
            "clz_128",
            "u128 x",
            "x >> 64 ? @clz_64((u64)(x >> 64)) : 64 + @clz_64((u64)x)",
        ),
        ("float", "add_32", "float x, float y", "__fadd_rn(x, y)"),
        ("double", "add_64", "double x, double y", "__dadd_rn(x, y)"),
        (
            "float",
            "multiply_32",
            "float x, float y",
            "__fmul_rn(x, y)",
        ),
        (
            "double",
            "multiply_64",
            "double x, double y",
            "__dmul_rn(x, y)",
        ),
        (
            "float",
            "fma_32",
            "float x, float y, float z",
            "__fmaf_rn(x, y, z)",
        ),
        (
            "double",
            "fma_64",
            "double x, double y, double z",
            "__fma_rn(x, y, z)",
        ),
        ("double", "integer_64", "u64 x", "__ll2double_rn((i64)x)"),
        ("float", "single", "double x", "__double2float_rn(x)"),
        ("u32", "truncated", "float x", "(u32)__float2int_rz(x)"),
    ];
    let all = functions.into_iter();
    all.map(|(to, name, parameters, expression)| {
        routine(to, name, parameters, &[&format!("return {expression};")])
    })
    .collect()
}

/// The kernel around the statements, which are indented by one step.
pub(super) fn kernel(name: &str, inputs: &[Array], result: &Array, body: &str) -> String {
    let parameter = |array: &Array| format!("const u{} *__restrict__ {}", array.bits(), array.name);
    let parameters: Vec<_> = inputs.iter().map(parameter).collect();
    format!(
        "extern \"C\" __global__ void {name}(u64 n, {}, u{} *__restrict__ {})\n{{\n    \
         const u64 lane = (u64)blockIdx.x * blockDim.x + threadIdx.x;\n    \
         if (lane >= n)\n        return;\n{body}}}\n",
        parameters.join(", "),
        result.bits(),
        result.name,
    )
}
