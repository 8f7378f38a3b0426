// One kernel per MFMA or SMFMAC instruction.
#pragma once
#define MMASMT_WAVE 64
#include "../kernel.h"
#include "instructions.h"

#define INSTRUCTION(name, factor, accumulator, rows, depth, blocks) \
    KERNEL(name, factor, factor, accumulator, __builtin_amdgcn_mfma_##name(a, b, c, 0, 0, 0))
#define SPARSE(name, factor, wide, accumulator, rows, depth) \
    KERNEL(sparse_##name, factor, wide, accumulator, __builtin_amdgcn_smfmac_##name(a, b, c, METADATA, 0, 0))
INSTRUCTIONS SPARSE_INSTRUCTIONS
#undef INSTRUCTION
#undef SPARSE
