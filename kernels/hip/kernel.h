// A kernel: each wavefront loads what its lanes hold of A, B and C, runs one instruction, and stores D. Needs no header of HIP, so
// that any clang can compile it for a GPU.
#pragma once

#define KERNEL(name, of_a, of_b, of_c, value) \
    extern "C" __attribute__((global)) void name(const of_a *as, const of_b *bs, const of_c *cs, of_c *d) \
    { \
        unsigned i = __builtin_amdgcn_workgroup_id_x() * MMASMT_WAVE + __builtin_amdgcn_workitem_id_x(); \
        const of_a a = as[i]; \
        const of_b b = bs[i]; \
        const of_c c = cs[i]; \
        d[i] = value; \
    }

// The codes of eight groups of four, each of which keeps its first two elements: the first index in the low bits.
#define METADATA 0x44444444
