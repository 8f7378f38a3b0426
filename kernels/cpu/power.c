// Outer products of POWER10, run by qemu-ppc64le -cpu power10 or by a processor that has them. Every element of the result is the
// same dot-add: a word of factors stands in all four places of a and b, c in all sixteen of the accumulator.
#include <altivec.h>

#include "lines.h"

typedef vector unsigned char Bytes;

// The first factor in the lowest bits, which tells where a NaN is looked for first.
static Bytes word(const uint64_t *factors) {
    uint32_t word = 0;
    for (int k = current->products - 1; k >= 0; k--) {
        word = word << current->bits | (uint32_t)factors[k];
    }
    return (Bytes)vec_splats(word);
}

#define OUTER(name) \
    static uint32_t name(const Operands *x) { \
        Bytes c = (Bytes)vec_splats(x->c), a = word(x->a), b = word(x->b); \
        __vector_quad accumulator; \
        __builtin_mma_build_acc(&accumulator, c, c, c, c); \
        __builtin_mma_##name(&accumulator, a, b); \
        uint32_t d[16]; \
        __builtin_mma_disassemble_acc(d, &accumulator); \
        return d[0]; \
    }

OUTER(xvbf16ger2pp)
OUTER(xvi4ger8pp)
OUTER(xvi8ger4pp)
OUTER(xvi8ger4spp)
OUTER(xvi16ger2pp)
OUTER(xvi16ger2spp)

int main(int argc, char **argv) {
    static const Instruction all[] = {
        {"xvbf16ger2pp", 2, 16, xvbf16ger2pp}, {"xvi4ger8pp", 8, 4, xvi4ger8pp},
        {"xvi8ger4pp", 4, 8, xvi8ger4pp},      {"xvi8ger4spp", 4, 8, xvi8ger4spp},
        {"xvi16ger2pp", 2, 16, xvi16ger2pp},   {"xvi16ger2spp", 2, 16, xvi16ger2spp},
    };
    return serve(all, sizeof all / sizeof *all, argc, argv);
}
