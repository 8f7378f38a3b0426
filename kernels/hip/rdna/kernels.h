// One kernel per DOT, WMMA or SWMMAC instruction, for each sign of its integers and for their clamp.
#pragma once
#include "../kernel.h"
#include "instructions.h"

// The compiler's builtins: of a wavefront, and of a generation.
#define PASTE(name, tail) __builtin_amdgcn_##name##tail
#define BUILTIN(name, tail) PASTE(name, tail)
#if MMASMT_WAVE == 32
#define OF_WAVE _w32
#else
#define OF_WAVE _w64
#endif
#if MMASMT_RDNA == 3
#define OF_GPU OF_WAVE
#elif MMASMT_WAVE == 32
#define OF_GPU _w32_gfx12
#else
#define OF_GPU _w64_gfx12
#endif

// Dot products, by what the compiler calls them.
typedef __bf16 PAIR_OF_BF16 __attribute__((ext_vector_type(2)));
// In assembly, as the builtin may become v_dot2acc_f32_f16, which is another instruction.
#define DOT2_dot2_f32_f16 \
    ({ \
        F32 s; \
        asm("v_dot2_f32_f16 %0, %1, %2, %3" : "=v"(s) : "v"(a), "v"(b), "v"(c)); \
        s; \
    })
#define DOT2_dot2_f32_bf16 \
    __builtin_amdgcn_fdot2_f32_bf16(__builtin_bit_cast(PAIR_OF_BF16, a), __builtin_bit_cast(PAIR_OF_BF16, b), c, false)
#define DOT2_dot2_bf16_bf16 \
    __builtin_bit_cast(BF16, __builtin_amdgcn_fdot2_bf16_bf16(__builtin_bit_cast(PAIR_OF_BF16, a), \
        __builtin_bit_cast(PAIR_OF_BF16, b), __builtin_bit_cast(__bf16, c)))
#define SUDOT_dot4_i32_iu8 __builtin_amdgcn_sudot4
#define SUDOT_dot8_i32_iu4 __builtin_amdgcn_sudot8

#define DOT(name, factor, sum, bits, of_sum, depth) KERNEL(name, factor, factor, sum, DOT2_##name)
#define WMMA(name, factor, sum, bits, of_sum, depth) KERNEL(name, factor, factor, sum, BUILTIN(name, OF_GPU)(a, b, c))
#define HALVES(name, factor, sum, bits, of_sum, depth) KERNEL(name, factor, factor, sum, BUILTIN(name, OF_GPU)(a, b, c, false))

#define DOTS_KERNEL(sa, sb, clamped, a_signed, b_signed, clamp, name, factor, sum, bits) \
    KERNEL(name##_##sa##bits##_##sb##bits##clamped, factor, factor, sum, SUDOT_##name(a_signed, a, b_signed, b, c, clamp))
#define INTEGERS_KERNEL(sa, sb, clamped, a_signed, b_signed, clamp, name, factor, sum, bits) \
    KERNEL(name##_##sa##bits##_##sb##bits##clamped, factor, factor, sum, BUILTIN(name, OF_GPU)(a_signed, a, b_signed, b, c, clamp))
#define SPARSE_KERNEL(sa, sb, clamped, a_signed, b_signed, clamp, name, factor, sum, bits, wide, codes) \
    KERNEL(name##_##sa##bits##_##sb##bits##clamped, factor, wide, sum, \
        BUILTIN(name, OF_WAVE)(a_signed, a, b_signed, b, c, codes, clamp))
// The compiler's builtin takes codes of 16 bits, half of those of this instruction.
#define LONG_SPARSE_KERNEL(sa, sb, clamped, a_signed, b_signed, clamp, name, factor, sum, bits, wide, codes) \
    KERNEL(name##_##sa##bits##_##sb##bits##clamped, factor, wide, sum, ({ \
        sum s = c; \
        asm("v_" #name " %0, %1, %2, %3 neg_lo:[" #a_signed "," #b_signed ",0]" CLAMP_##clamp : "+v"(s) : "v"(a), "v"(b), "v"(codes)); \
        s; \
    }))
#define CLAMP_0 ""
#define CLAMP_1 " clamp"

#define DOTS(name, factor, sum, bits, of_sum, depth) EACH_SIGN_AND_CLAMP(DOTS_KERNEL, name, factor, sum, bits)
#define INTEGERS(name, factor, sum, bits, of_sum, depth) EACH_SIGN_AND_CLAMP(INTEGERS_KERNEL, name, factor, sum, bits)
#define SPARSE(name, factor, sum, bits, of_sum, depth, wide, codes) \
    EACH_SIGN_AND_CLAMP(SPARSE_KERNEL, name, factor, sum, bits, wide, codes)
#define LONG_SPARSE(name, factor, sum, bits, of_sum, depth, wide, codes) \
    EACH_SIGN_AND_CLAMP(LONG_SPARSE_KERNEL, name, factor, sum, bits, wide, codes)
INSTRUCTIONS
#undef DOT
#undef WMMA
#undef HALVES
#undef DOTS
#undef INTEGERS
#undef SPARSE
#undef LONG_SPARSE
