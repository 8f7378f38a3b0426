//! The text of a printed tape that is CUDA C++ alone: a kernel with a thread for each dot-add.

use super::array::Array;
use super::routine::{FunctionText, routine};

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
pub(super) fn routines() -> Vec<FunctionText> {
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

/// Aligned numbers of binary32, and roundings of sums of columns, in integers: most GPUs have few units for doubles.
pub(super) fn roundings() -> Vec<FunctionText> {
    let mut all = vec![routine(
        "u32",
        "real_part",
        "u32 x, i32 exponent",
        &[
            "/* The part has at most 31 bits: what is shifted right has as many. */",
            "#ifdef @IN_F64",
            "const double floor = @real_64((u64)(u32)(1075 - exponent) << 52);",
            "const u32 part = (u32)__double_as_longlong(__dadd_rz((double)@real_32(x & 0x7fffffffu), floor));",
            "#else",
            "const i32 field = (i32)(x >> 23 & 0xff);",
            "const u32 significand = (x & 0x7fffffu) | (u32)min(field, 1) << 23;",
            "const i32 down = 157 - max(field, 1) - exponent;",
            "const u32 part = __funnelshift_rc(significand << 7, 0, (u32)down);",
            "#endif",
            "const u32 sign = 0 - (x >> 31);",
            "return (part ^ sign) - sign;",
        ],
    )];
    for bits in [32, 64] {
        let number = |operand: &str| match bits {
            32 => format!("(i64)(i32){operand}"),
            _ => format!("(i64){operand}"),
        };
        let (x, y) = (number("x"), number("y"));
        let sums = [
            ("sum_1", format!("u{bits} x"), x.clone()),
            (
                "sum_2",
                format!("u{bits} x, u{bits} y"),
                format!("{x} + {y}"),
            ),
        ];
        for (name, parameters, sum) in sums {
            let name = format!("{name}_{bits}");
            all.push(routine(
                "i64",
                &name,
                &parameters,
                &[&format!("return {sum};")],
            ));
        }
    }
    all.push(routine(
        "u32",
        "with_exponent",
        "u32 bits, i32 exponent, u32 after, u32 positive_zero",
        &[
            "/* Below the normal numbers the significand is shifted, above them infinity is the least. No branch: few threads would part. */",
            "const i32 field = (i32)(bits >> 23 & 0xff) + exponent;",
            "const u32 significand = (bits & 0x7fffffu) | 0x800000u;",
            "const u32 kept = __funnelshift_rc(significand, 0, (u32)max(1 - field, 0)) & after;",
            "const u32 scaled = min(((u32)max(field, 1) << 23) + kept - 0x800000u, 0x7f800000u);",
            "const u32 magnitude = bits << 1 ? scaled : 0;",
            "return magnitude | (magnitude || !positive_zero ? bits & 0x80000000u : 0);",
        ],
    ));
    let rounding = |name: &str, parameters: &str, mode: &str, rest: &str| {
        let exponent = "(i32)field - 1023";
        routine(
            "u32",
            name,
            &format!("i64 sum, u32 field{parameters}"),
            &[&format!(
                "return @with_exponent(__float_as_uint(__ll2float_{mode}(sum)){rest_mask}, {exponent}, {rest});",
                rest_mask = if mode == "rz" { " & after" } else { "" },
            )],
        )
    };
    // Where the power of two is neither so small that a result may be subnormal, nor so large that it
    // may be infinite.
    all.push(routine(
        "u32",
        "round_in_range",
        "i64 sum, u32 field, u64, u32 after, u32",
        &[
            "const u32 bits = __float_as_uint(__ll2float_rz(sum)) & after;",
            "return bits ? bits + ((field - 1023) << 23) : 0;",
        ],
    ));
    let masks = ", u64, u32 after";
    all.push(rounding(
        "round_toward_zero",
        &format!("{masks}, u32 positive_zero"),
        "rz",
        "after, positive_zero",
    ));
    all.push(rounding("round_normal", masks, "rz", "after, 0"));
    all.push(rounding("round_to_nearest", "", "rn", "0xffffffffu, 0"));
    all
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
