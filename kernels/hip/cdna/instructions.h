// The MFMA instructions that a GPU has, as INSTRUCTION(name, factor, accumulator, rows, depth, blocks): the name behind
// v_mfma_ as the compiler's builtins have it, what a lane holds of A and B and of C and D, rows (as many as columns),
// products, and how many products of matrices one instruction does. The sparse ones, v_smfmac_, as SPARSE(name, factor,
// wide, accumulator, rows, depth): what a lane holds of the compressed A and of B, and how many products A keeps.
#pragma once
#include "../types.h"

typedef double F64;
// fp8 as bits.
typedef long FP8X8;
typedef float F32X2 __attribute__((ext_vector_type(2)));
typedef float F32X16 __attribute__((ext_vector_type(16)));
typedef float F32X32 __attribute__((ext_vector_type(32)));
typedef double F64X4 __attribute__((ext_vector_type(4)));
typedef int I8X4;
typedef long I8X8;
typedef int I32X16 __attribute__((ext_vector_type(16)));
typedef int I32X32 __attribute__((ext_vector_type(32)));
// Eight and sixteen of 8 bits, as sparse instructions have them.
typedef int B8X8 __attribute__((ext_vector_type(2)));
typedef int B8X16 __attribute__((ext_vector_type(4)));

#define ON_ALL \
    INSTRUCTION(f32_32x32x1f32, F32, F32X32, 32, 1, 2) \
    INSTRUCTION(f32_16x16x1f32, F32, F32X16, 16, 1, 4) \
    INSTRUCTION(f32_4x4x1f32, F32, F32X4, 4, 1, 16) \
    INSTRUCTION(f32_32x32x2f32, F32, F32X16, 32, 2, 1) \
    INSTRUCTION(f32_16x16x4f32, F32, F32X4, 16, 4, 1) \
    INSTRUCTION(f32_32x32x4f16, F16X4, F32X32, 32, 4, 2) \
    INSTRUCTION(f32_16x16x4f16, F16X4, F32X16, 16, 4, 4) \
    INSTRUCTION(f32_4x4x4f16, F16X4, F32X4, 4, 4, 16) \
    INSTRUCTION(f32_32x32x8f16, F16X4, F32X16, 32, 8, 1) \
    INSTRUCTION(f32_16x16x16f16, F16X4, F32X4, 16, 16, 1) \
    INSTRUCTION(i32_32x32x4i8, I8X4, I32X32, 32, 4, 2) \
    INSTRUCTION(i32_16x16x4i8, I8X4, I32X16, 16, 4, 4) \
    INSTRUCTION(i32_4x4x4i8, I8X4, I32X4, 4, 4, 16)

// gfx908 and gfx90a.
#define ON_CDNA1_AND_2 \
    INSTRUCTION(f32_32x32x2bf16, BF16X2, F32X32, 32, 2, 2) \
    INSTRUCTION(f32_16x16x2bf16, BF16X2, F32X16, 16, 2, 4) \
    INSTRUCTION(f32_4x4x2bf16, BF16X2, F32X4, 4, 2, 16) \
    INSTRUCTION(f32_32x32x4bf16, BF16X2, F32X16, 32, 4, 1) \
    INSTRUCTION(f32_16x16x8bf16, BF16X2, F32X4, 16, 8, 1) \
    INSTRUCTION(i32_32x32x8i8, I8X4, I32X16, 32, 8, 1) \
    INSTRUCTION(i32_16x16x16i8, I8X4, I32X4, 16, 16, 1)

// gfx90a, gfx940 and gfx942.
#define ON_CDNA2_AND_3 \
    INSTRUCTION(f32_32x32x4bf16_1k, BF16X4, F32X32, 32, 4, 2) \
    INSTRUCTION(f32_16x16x4bf16_1k, BF16X4, F32X16, 16, 4, 4) \
    INSTRUCTION(f32_4x4x4bf16_1k, BF16X4, F32X4, 4, 4, 16) \
    INSTRUCTION(f32_32x32x8bf16_1k, BF16X4, F32X16, 32, 8, 1) \
    INSTRUCTION(f32_16x16x16bf16_1k, BF16X4, F32X4, 16, 16, 1) \
    INSTRUCTION(f64_16x16x4f64, F64, F64X4, 16, 4, 1) \
    INSTRUCTION(f64_4x4x4f64, F64, F64, 4, 4, 4)

// gfx940 and gfx942.
#define ON_CDNA3 \
    INSTRUCTION(f32_32x32x4_xf32, F32X2, F32X16, 32, 4, 1) \
    INSTRUCTION(f32_16x16x8_xf32, F32X2, F32X4, 16, 8, 1) \
    INSTRUCTION(f32_32x32x16_bf8_bf8, FP8X8, F32X16, 32, 16, 1) \
    INSTRUCTION(f32_32x32x16_bf8_fp8, FP8X8, F32X16, 32, 16, 1) \
    INSTRUCTION(f32_32x32x16_fp8_bf8, FP8X8, F32X16, 32, 16, 1) \
    INSTRUCTION(f32_32x32x16_fp8_fp8, FP8X8, F32X16, 32, 16, 1) \
    INSTRUCTION(f32_16x16x32_bf8_bf8, FP8X8, F32X4, 16, 32, 1) \
    INSTRUCTION(f32_16x16x32_bf8_fp8, FP8X8, F32X4, 16, 32, 1) \
    INSTRUCTION(f32_16x16x32_fp8_bf8, FP8X8, F32X4, 16, 32, 1) \
    INSTRUCTION(f32_16x16x32_fp8_fp8, FP8X8, F32X4, 16, 32, 1) \
    INSTRUCTION(i32_32x32x16_i8, I8X8, I32X16, 32, 16, 1) \
    INSTRUCTION(i32_16x16x32_i8, I8X8, I32X4, 16, 32, 1)

#define SPARSE_ON_CDNA3 \
    SPARSE(f32_16x16x32_f16, F16X4, F16X8, F32X4, 16, 16) \
    SPARSE(f32_32x32x16_f16, F16X4, F16X8, F32X16, 32, 8) \
    SPARSE(f32_16x16x32_bf16, BF16X4, BF16X8, F32X4, 16, 16) \
    SPARSE(f32_32x32x16_bf16, BF16X4, BF16X8, F32X16, 32, 8) \
    SPARSE(i32_16x16x64_i8, B8X8, B8X16, I32X4, 16, 32) \
    SPARSE(i32_32x32x32_i8, B8X8, B8X16, I32X16, 32, 16) \
    SPARSE(f32_16x16x64_bf8_bf8, B8X8, B8X16, F32X4, 16, 32) \
    SPARSE(f32_16x16x64_bf8_fp8, B8X8, B8X16, F32X4, 16, 32) \
    SPARSE(f32_16x16x64_fp8_bf8, B8X8, B8X16, F32X4, 16, 32) \
    SPARSE(f32_16x16x64_fp8_fp8, B8X8, B8X16, F32X4, 16, 32) \
    SPARSE(f32_32x32x32_bf8_bf8, B8X8, B8X16, F32X16, 32, 16) \
    SPARSE(f32_32x32x32_bf8_fp8, B8X8, B8X16, F32X16, 32, 16) \
    SPARSE(f32_32x32x32_fp8_bf8, B8X8, B8X16, F32X16, 32, 16) \
    SPARSE(f32_32x32x32_fp8_fp8, B8X8, B8X16, F32X16, 32, 16)

// Those of the GPU that is compiled for; MMASMT_CDNA is 1, 2 or 3.
#if MMASMT_CDNA == 1
#define INSTRUCTIONS ON_ALL ON_CDNA1_AND_2
#define SPARSE_INSTRUCTIONS
#elif MMASMT_CDNA == 2
#define INSTRUCTIONS ON_ALL ON_CDNA1_AND_2 ON_CDNA2_AND_3
#define SPARSE_INSTRUCTIONS
#elif MMASMT_CDNA == 3
#define INSTRUCTIONS ON_ALL ON_CDNA2_AND_3 ON_CDNA3
#define SPARSE_INSTRUCTIONS SPARSE_ON_CDNA3
#else
#error "expected -DMMASMT_CDNA=1 (gfx908), 2 (gfx90a) or 3 (gfx940, gfx942)"
#endif
