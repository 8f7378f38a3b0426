//! The text of a printed tape that is C alone: a function with one loop over dot-adds.

use super::array::Array;
use super::routine::{FunctionText, routine};

/// How a function is declared that the loop calls.
pub(super) const FUNCTION: &str = "static inline";

/// How a compiler is asked for it.
pub(super) const ABOUT: &str = "\
C99. GCC and Clang make vector instructions of most loops: cc -std=c99 -O3 -march=native
";

/// A remark for a text that has integers of 128 bits.
pub(super) const ABOUT_WIDE: &str = "\
It has integers of 128 bits, which GCC and Clang have on processors of 64 bits; such loops get no vector instructions.
";

/// A remark for a text that has floats.
pub(super) const ABOUT_FLOATS: &str = "\
It computes in float and double: -ffp-contract=off, never -ffast-math; -lm where it calls fma. The processor has to round to nearest
even and to keep subnormal numbers, as it does unless a program changes its modes.
";

/// The headers and the types.
pub(super) const TYPES: &str = "\
#include <stddef.h>
#include <stdint.h>

#ifndef MMASMT_TAPE_TYPES
#define MMASMT_TAPE_TYPES
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t i8;
typedef int16_t i16;
typedef int32_t i32;
typedef int64_t i64;
#endif

";

/// What keeps the compiler from changing sums and products of floats.
pub(super) const FLOATS: &str = "\
#include <float.h>
#include <math.h>

#if FLT_EVAL_METHOD != 0 || defined __FAST_MATH__
#error \"expected a compiler that rounds each operation on float to float\"
#endif
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize (\"fp-contract=off\", \"no-trapping-math\")
#else
#pragma STDC FP_CONTRACT OFF
#endif

";

/// The functions that C has in a way of its own.
pub(super) fn routines() -> Vec<FunctionText> {
    let real = |bits: u32, float: &str| {
        routine(
            float,
            &format!("real_{bits}"),
            &format!("u{bits} x"),
            &[
                &format!("union {{ u{bits} bits; {float} real; }} both;"),
                "both.bits = x;",
                "return both.real;",
            ],
        )
    };
    let bits = |bits: u32, float: &str| {
        routine(
            &format!("u{bits}"),
            &format!("bits_{bits}"),
            &format!("{float} x"),
            &[
                &format!("union {{ {float} real; u{bits} bits; }} both;"),
                "both.real = x;",
                "return both.bits;",
            ],
        )
    };
    let mut all = vec![
        real(32, "float"),
        real(64, "double"),
        bits(32, "float"),
        bits(64, "double"),
        routine(
            "u32",
            "clz_32",
            "u32 x",
            &[
                "/* By the exponent of a float, which vectors have; no bit follows the leading one, so it rounds to no power of two. */",
                "const u32 top = x & ~(x >> 1);",
                "const i32 n = 158 - (i32)(@bits_32((float)(i32)top) >> 23);",
                "return (u32)(n < 0 ? 0 : n > 32 ? 32 : n);",
            ],
        ),
        half_zeros(64, 32),
        half_zeros(128, 64),
    ];
    for (bits, float, fma) in [(32, "float", "fmaf"), (64, "double", "fma")] {
        let function = |name: &str, parameters: &str, expression: &str| {
            let name = format!("{name}_{bits}");
            routine(
                float,
                &name,
                parameters,
                &[&format!("return {expression};")],
            )
        };
        let two = format!("{float} x, {float} y");
        all.push(function("add", &two, "x + y"));
        all.push(function("multiply", &two, "x * y"));
        let three = format!("{two}, {float} z");
        all.push(function("fma", &three, &format!("{fma}(x, y, z)")));
    }
    all.push(routine(
        "double",
        "integer_64",
        "u64 x",
        &[
            "/* By halves: few vectors have a conversion of 64 bits. The sum is exact up to 2^53. */",
            "const double low = @real_64(0x4330000000000000ull | (x & 0xffffffffull)) - 0x1p52;",
            "return (double)(i32)(x >> 32) * 0x1p32 + low;",
        ],
    ));
    all.push(routine(
        "float",
        "single",
        "double x",
        &["return (float)x;"],
    ));
    all.push(routine(
        "u32",
        "truncated",
        "float x",
        &[
            "/* Beyond the range of i32, and of a NaN, any integer will do. */",
            "const float raised = x > -2147483648.0f ? x : -2147483648.0f;",
            "return (u32)(i32)(raised < 2147483520.0f ? raised : 2147483520.0f);",
        ],
    ));
    all
}

/// Aligned numbers of binary32, and roundings of sums of columns, over those of doubles: vectors have no conversion of 64 bits.
pub(super) fn roundings() -> Vec<FunctionText> {
    let mut all = vec![
        routine(
            "float",
            "power",
            "i32 exponent",
            &[
                "const i32 field = exponent + 127;",
                "return @real_32(field > 0 ? (u32)field << 23 : field == 0 ? 0x400000u : 0u);",
            ],
        ),
        routine(
            "u32",
            "real_part",
            "u32 x, i32 exponent",
            &[
                "const i32 first = exponent < 126 ? exponent : 126;",
                "const float scaled = @multiply_32(@real_32(x), @power(first));",
                "return @truncated(@multiply_32(scaled, @power(exponent - first)));",
            ],
        ),
    ];
    for (bits, converted) in [(32, "(double)(i32)"), (64, "@integer_64")] {
        let number = |operand: &str| match bits {
            32 => format!("{converted}{operand}"),
            _ => format!("{converted}({operand})"),
        };
        let sum = |name: &str, parameters: &str, expression: &str| {
            let name = format!("{name}_{bits}");
            routine(
                "double",
                &name,
                parameters,
                &[&format!("return {expression};")],
            )
        };
        let (x, y) = (number("x"), number("y"));
        all.push(sum("sum_1", &format!("u{bits} x"), &x));
        let two = format!("@add_64({x}, {y})");
        all.push(sum("sum_2", &format!("u{bits} x, u{bits} y"), &two));
    }
    let scaled = "@multiply_64(sum, @real_64((u64)field << 52))";
    let rounding = |name: &str, parameters: &str, call: &str| {
        let parameters = format!("double sum, u32 field{parameters}");
        routine("u32", name, &parameters, &[&format!("return {call};")])
    };
    all.push(rounding(
        "round_toward_zero",
        ", u64 before, u32 after, u32 positive_zero",
        &format!("@round_subnormal({scaled}, before, after, 1, positive_zero)"),
    ));
    all.push(routine(
        "u32",
        "round_normal",
        "double sum, u32 field, u64 before, u32 after",
        &["(void)after;", &format!("return @round({scaled}, before);")],
    ));
    all.push(rounding(
        "round_to_nearest",
        "",
        &format!("@round({scaled}, ~(u64)0)"),
    ));
    all
}

/// The leading zeros of a number, by those of its halves.
fn half_zeros(bits: u32, half: u32) -> FunctionText {
    routine(
        "u32",
        &format!("clz_{bits}"),
        &format!("u{bits} x"),
        &[
            &format!("const u{half} high = (u{half})(x >> {half});"),
            &format!("return high ? @clz_{half}(high) : {half} + @clz_{half}((u{half})x);"),
        ],
    )
}

/// The function around the statements, which are indented by two steps.
pub(super) fn function(
    name: &str,
    inputs: &[Array],
    unused: &[&str],
    result: &Array,
    body: &str,
) -> String {
    let parameter =
        |array: &Array| format!("const uint{}_t *restrict {}", array.bits(), array.name);
    let parameters: Vec<_> = inputs.iter().map(parameter).collect();
    let unused = unused.iter().map(|name| format!("    (void){name};\n"));
    format!(
        "void {name}(size_t n, {}, uint{}_t *restrict {})\n{{\n{}    \
         for (size_t lane = 0; lane < n; lane++) {{\n{body}    }}\n}}\n",
        parameters.join(", "),
        result.bits(),
        result.name,
        unused.collect::<String>(),
    )
}
