// Lines in, lines out: `c a0,a1,... b0,b1,...` in hexadecimal digits, and the result of each, flushed when no more is waiting.
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The most products of an instruction here.
enum { MOST = 16 };

// What an instruction takes: c, and factors that are registers of so many bits.
typedef struct {
    uint32_t c;
    uint64_t a[MOST], b[MOST];
} Operands;

typedef struct {
    const char *name;
    // How many products, and bits of a factor.
    int products, bits;
    uint32_t (*run)(const Operands *);
} Instruction;

// The factors packed into 16 bytes, the first in the lowest bits; what is left over is 0.
static inline void pack(const uint64_t *factors, const Instruction *of, uint8_t *bytes) {
    memset(bytes, 0, 16);
    for (int k = 0; k < of->products; k++) {
        int bit = k * of->bits;
        if (of->bits < 8) {
            bytes[bit / 8] |= (uint8_t)(factors[k] << (bit % 8));
        } else {
            for (int byte = 0; byte < of->bits / 8; byte++) {
                bytes[bit / 8 + byte] = (uint8_t)(factors[k] >> (8 * byte));
            }
        }
    }
}

// Reads `count` numbers with commas between them; where they end, or 0.
static char *numbers(char *text, uint64_t *values, int count) {
    for (int k = 0; k < count; k++) {
        char *end;
        values[k] = strtoull(text, &end, 16);
        if (end == text || (k + 1 < count && *end != ',')) {
            return NULL;
        }
        text = end + (k + 1 < count);
    }
    return text;
}

static const Instruction *current;

static int serve(const Instruction *all, int count, int argc, char **argv) {
    for (int i = 0; argc == 2 && i < count; i++) {
        if (strcmp(all[i].name, argv[1]) == 0) {
            current = &all[i];
        }
    }
    if (current == NULL) {
        fprintf(stderr, "expected the name of an instruction:");
        for (int i = 0; i < count; i++) {
            fprintf(stderr, " %s", all[i].name);
        }
        fprintf(stderr, "\n");
        return 2;
    }
    static char line[1 << 14];
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (line[0] == '#' || line[0] == '\n') {
            continue;
        }
        Operands operands;
        uint64_t c;
        char *at = numbers(line, &c, 1);
        at = at ? numbers(at, operands.a, current->products) : NULL;
        at = at ? numbers(at, operands.b, current->products) : NULL;
        if (at == NULL) {
            fprintf(stderr, "expected a line `c a0,... b0,...` of %d products, found %s", current->products, line);
            return 2;
        }
        operands.c = (uint32_t)c;
        printf("%08x\n", current->run(&operands));
        fflush(stdout);
    }
    return 0;
}
