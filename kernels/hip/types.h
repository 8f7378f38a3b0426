// What a lane holds of an operand in both families of GPUs; each has more of its own.
#pragma once

typedef float F32;
typedef float F32X4 __attribute__((ext_vector_type(4)));
typedef _Float16 F16X4 __attribute__((ext_vector_type(4)));
typedef _Float16 F16X8 __attribute__((ext_vector_type(8)));
// bf16 as bits.
typedef short BF16X2 __attribute__((ext_vector_type(2)));
typedef short BF16X4 __attribute__((ext_vector_type(4)));
typedef short BF16X8 __attribute__((ext_vector_type(8)));
typedef int I32X4 __attribute__((ext_vector_type(4)));
