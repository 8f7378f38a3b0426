// One kernel per MFMA instruction: each wavefront loads what its lanes hold of A, B and C, runs the instruction once, and
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
