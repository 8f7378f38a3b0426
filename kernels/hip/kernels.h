// One kernel per MFMA or SMFMAC instruction: each wavefront loads what its lanes hold of A, B and C, runs the instruction once, and
// stores D. Needs no header of HIP, so that any clang can compile it for a GPU.
#pragma once
#include "instructions.h"

#define INSTRUCTION(name, factor, accumulator, rows, depth, blocks) \
    extern "C" __attribute__((global)) void name( \
        const factor *a, const factor *b, const accumulator *c, accumulator *d) \
    { \
        unsigned i = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x(); \
        d[i] = __builtin_amdgcn_mfma_##name(a[i], b[i], c[i], 0, 0, 0); \
    }
INSTRUCTIONS
#undef INSTRUCTION

// The codes of eight groups of four, each of which keeps its first two elements: the first index in the low bits.
#define METADATA 0x44444444

#define SPARSE(name, factor, wide, accumulator, rows, depth) \
    extern "C" __attribute__((global)) void sparse_##name( \
        const factor *a, const wide *b, const accumulator *c, accumulator *d) \
    { \
        unsigned i = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x(); \
        d[i] = __builtin_amdgcn_smfmac_##name(a[i], b[i], c[i], METADATA, 0, 0); \
    }
SPARSE_INSTRUCTIONS
#undef SPARSE
