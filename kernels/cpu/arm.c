// Dot instructions of Arm, run by qemu-aarch64 -cpu max or by a processor that has them. FPCR is as the kernel leaves it, 0,
// where nothing is said.
#pragma GCC target("arch=armv8.6-a+bf16+i8mm+dotprod")

#include <arm_neon.h>

#include "lines.h"

#define LOAD(type, name) \
    type name##_a, name##_b; \
    { \
        uint8_t bytes[16]; \
        pack(x->a, current, bytes); \
        memcpy(&name##_a, bytes, 16); \
        pack(x->b, current, bytes); \
        memcpy(&name##_b, bytes, 16); \
    }

static float32x4_t addend(const Operands *x) {
    return vreinterpretq_f32_u32(vdupq_n_u32(x->c));
}

static uint32_t first(float32x4_t d) {
    return vgetq_lane_u32(vreinterpretq_u32_f32(d), 0);
}

static uint32_t bfdot(const Operands *x) {
    LOAD(bfloat16x8_t, v)
    return first(vbfdotq_f32(addend(x), v_a, v_b));
}

static uint32_t bfmmla(const Operands *x) {
    LOAD(bfloat16x8_t, v)
    return first(vbfmmlaq_f32(addend(x), v_a, v_b));
}

// Bits of FPCR: default NaNs, extended behaviour of bf16.
enum { DN = 1 << 25, EBF = 1 << 13 };

// An instruction while bits of FPCR are set. The register keeps those alone that the processor has.
#define UNDER(name, instruction, bits) \
    static uint32_t name(const Operands *x) { \
        LOAD(bfloat16x8_t, v) \
        uint64_t before, set; \
        float32x4_t d = addend(x); \
        __asm__ volatile("mrs %1, fpcr\n" \
                         "msr fpcr, %5\n" \
                         "mrs %2, fpcr\n" instruction " %0.4s, %3.8h, %4.8h\n" \
                         "msr fpcr, %1\n" \
                         : "+w"(d), "=&r"(before), "=&r"(set) \
                         : "w"(v_a), "w"(v_b), "r"((uint64_t)(bits))); \
        if ((set & (bits)) != (bits)) { \
            fprintf(stderr, "expected bits %x of FPCR, which this processor does not have\n", bits); \
            exit(3); \
        } \
        return first(d); \
    }

// The even elements.
UNDER(bfmlalb, "bfmlalb", DN)
UNDER(bfdot_extended, "bfdot", EBF)
UNDER(bfmmla_extended, "bfmmla", EBF)

#define INTEGER(name, type, of_a, of_b) \
    static uint32_t name(const Operands *x) { \
        type d = (type)vdupq_n_u32(x->c); \
        of_a a; \
        of_b b; \
        uint8_t bytes[16]; \
        pack(x->a, current, bytes); \
        memcpy(&a, bytes, 16); \
        pack(x->b, current, bytes); \
        memcpy(&b, bytes, 16); \
        return (uint32_t)v##name##_(d, a, b)[0]; \
    }

#define vsdot_ vdotq_s32
#define vudot_ vdotq_u32
#define vusdot_ vusdotq_s32
#define vsmmla_ vmmlaq_s32
#define vummla_ vmmlaq_u32
#define vusmmla_ vusmmlaq_s32
#define vsudot_(d, a, b) vsudotq_laneq_s32(d, a, b, 0)

INTEGER(sdot, int32x4_t, int8x16_t, int8x16_t)
INTEGER(udot, uint32x4_t, uint8x16_t, uint8x16_t)
INTEGER(usdot, int32x4_t, uint8x16_t, int8x16_t)
INTEGER(sudot, int32x4_t, int8x16_t, uint8x16_t)
INTEGER(smmla, int32x4_t, int8x16_t, int8x16_t)
INTEGER(ummla, uint32x4_t, uint8x16_t, uint8x16_t)
INTEGER(usmmla, int32x4_t, uint8x16_t, int8x16_t)

int main(int argc, char **argv) {
    static const Instruction all[] = {
        {"bfdot.ebf0", 2, 16, bfdot},
        {"bfmmla.ebf0", 4, 16, bfmmla},
        {"bfdot.ebf1", 2, 16, bfdot_extended},
        {"bfmmla.ebf1", 4, 16, bfmmla_extended},
        {"bfmlalb", 1, 16, bfmlalb},
        {"sdot", 4, 8, sdot},         {"udot", 4, 8, udot},           {"usdot", 4, 8, usdot},
        {"sudot", 4, 8, sudot},       {"smmla", 8, 8, smmla},         {"ummla", 8, 8, ummla},
        {"usmmla", 8, 8, usmmla},
    };
    return serve(all, sizeof all / sizeof *all, argc, argv);
}
