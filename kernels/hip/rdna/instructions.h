// The instructions of RDNA3 and RDNA4 in a wavefront of 32 and of 64 lanes: the name behind v_ as the compiler's builtins have it,
// what a lane holds of A (and B) and of C and D, bits of an element of each, and how many products.
//     WMMA, HALVES   of floats; HALVES with results in the low halves of registers
//     INTEGERS       with a sign or none in A and B, clamped or not
//     SPARSE         the same, A compressed: what a lane holds of B, and its codes
//     LONG_SPARSE    the same with codes of 32 bits
//     DOT, DOTS      in every lane for itself: of floats, and of integers as above
#pragma once
#include "../types.h"

typedef int I32;
typedef float F32X8 __attribute__((ext_vector_type(8)));
typedef _Float16 F16X2 __attribute__((ext_vector_type(2)));
typedef _Float16 F16X16 __attribute__((ext_vector_type(16)));
// bf16 as bits.
typedef short BF16;
typedef short BF16X16 __attribute__((ext_vector_type(16)));
// Integers of 4 and of 8 bits, and sums.
typedef int I32X2 __attribute__((ext_vector_type(2)));
typedef int I32X8 __attribute__((ext_vector_type(8)));

// In wavefronts of 32 lanes alone: each lane works for itself, so that one of 64 would ask the same.
#define RDNA_DOTS \
    DOT(dot2_f32_f16, F16X2, F32, 16, 32, 2) \
    DOT(dot2_f32_bf16, BF16X2, F32, 16, 32, 2) \
    DOTS(dot4_i32_iu8, I32, I32, 8, 32, 4) \
    DOTS(dot8_i32_iu4, I32, I32, 4, 32, 8)

#define RDNA3_WAVE32 \
    RDNA_DOTS \
    WMMA(wmma_f32_16x16x16_f16, F16X16, F32X8, 16, 32, 16) \
    WMMA(wmma_f32_16x16x16_bf16, BF16X16, F32X8, 16, 32, 16) \
    HALVES(wmma_f16_16x16x16_f16, F16X16, F16X16, 16, 16, 16) \
    HALVES(wmma_bf16_16x16x16_bf16, BF16X16, BF16X16, 16, 16, 16) \
    INTEGERS(wmma_i32_16x16x16_iu8, I32X4, I32X8, 8, 32, 16) \
    INTEGERS(wmma_i32_16x16x16_iu4, I32X2, I32X8, 4, 32, 16)

#define RDNA3_WAVE64 \
    WMMA(wmma_f32_16x16x16_f16, F16X16, F32X4, 16, 32, 16) \
    WMMA(wmma_f32_16x16x16_bf16, BF16X16, F32X4, 16, 32, 16) \
    HALVES(wmma_f16_16x16x16_f16, F16X16, F16X8, 16, 16, 16) \
    HALVES(wmma_bf16_16x16x16_bf16, BF16X16, BF16X8, 16, 16, 16) \
    INTEGERS(wmma_i32_16x16x16_iu8, I32X4, I32X4, 8, 32, 16) \
    INTEGERS(wmma_i32_16x16x16_iu4, I32X2, I32X4, 4, 32, 16)

#define RDNA4_WAVE32 \
    RDNA_DOTS \
    DOT(dot2_bf16_bf16, BF16X2, BF16, 16, 16, 2) \
    WMMA(wmma_f32_16x16x16_f16, F16X8, F32X8, 16, 32, 16) \
    WMMA(wmma_f32_16x16x16_bf16, BF16X8, F32X8, 16, 32, 16) \
    WMMA(wmma_f16_16x16x16_f16, F16X8, F16X8, 16, 16, 16) \
    WMMA(wmma_bf16_16x16x16_bf16, BF16X8, BF16X8, 16, 16, 16) \
    INTEGERS(wmma_i32_16x16x16_iu8, I32X2, I32X8, 8, 32, 16) \
    INTEGERS(wmma_i32_16x16x16_iu4, I32, I32X8, 4, 32, 16) \
    INTEGERS(wmma_i32_16x16x32_iu4, I32X2, I32X8, 4, 32, 32) \
    SPARSE(swmmac_i32_16x16x32_iu8, I32X2, I32X8, 8, 32, 16, I32X4, 0x4444) \
    SPARSE(swmmac_i32_16x16x32_iu4, I32, I32X8, 4, 32, 16, I32X2, 0x4444) \
    LONG_SPARSE(swmmac_i32_16x16x64_iu4, I32X2, I32X8, 4, 32, 32, I32X4, METADATA)

#define RDNA4_WAVE64 \
    WMMA(wmma_f32_16x16x16_f16, F16X4, F32X4, 16, 32, 16) \
    WMMA(wmma_f32_16x16x16_bf16, BF16X4, F32X4, 16, 32, 16) \
    WMMA(wmma_f16_16x16x16_f16, F16X4, F16X4, 16, 16, 16) \
    WMMA(wmma_bf16_16x16x16_bf16, BF16X4, BF16X4, 16, 16, 16) \
    INTEGERS(wmma_i32_16x16x16_iu8, I32, I32X4, 8, 32, 16) \
    INTEGERS(wmma_i32_16x16x16_iu4, I32, I32X4, 4, 32, 16) \
    INTEGERS(wmma_i32_16x16x32_iu4, I32, I32X4, 4, 32, 32) \
    SPARSE(swmmac_i32_16x16x32_iu8, I32, I32X4, 8, 32, 16, I32X2, 0x4444) \
    SPARSE(swmmac_i32_16x16x32_iu4, I32, I32X4, 4, 32, 16, I32, 0x4444) \
    SPARSE(swmmac_i32_16x16x64_iu4, I32, I32X4, 4, 32, 32, I32X2, 0x4444)

// An instruction of integers is eight kernels: signs of A and B (1: signed), and the clamp. What they are called goes first.
#define EACH_SIGN_AND_CLAMP(KERNEL, ...) \
    KERNEL(s, s, , 1, 1, 0, __VA_ARGS__) KERNEL(s, u, , 1, 0, 0, __VA_ARGS__) \
    KERNEL(u, s, , 0, 1, 0, __VA_ARGS__) KERNEL(u, u, , 0, 0, 0, __VA_ARGS__) \
    KERNEL(s, s, _clamp, 1, 1, 1, __VA_ARGS__) KERNEL(s, u, _clamp, 1, 0, 1, __VA_ARGS__) \
    KERNEL(u, s, _clamp, 0, 1, 1, __VA_ARGS__) KERNEL(u, u, _clamp, 0, 0, 1, __VA_ARGS__)

// Those of the GPU and the wavefront that is compiled for.
#if MMASMT_RDNA == 3 && MMASMT_WAVE == 32
#define INSTRUCTIONS RDNA3_WAVE32
#elif MMASMT_RDNA == 3 && MMASMT_WAVE == 64
#define INSTRUCTIONS RDNA3_WAVE64
#elif MMASMT_RDNA == 4 && MMASMT_WAVE == 32
#define INSTRUCTIONS RDNA4_WAVE32
#elif MMASMT_RDNA == 4 && MMASMT_WAVE == 64
#define INSTRUCTIONS RDNA4_WAVE64
#else
#error "expected -DMMASMT_RDNA=3 (gfx11) or 4 (gfx12), and -DMMASMT_WAVE=32 or 64"
#endif
