// Where MFMA and SMFMAC instructions have their elements (AMD, "CDNA instruction set architecture", and the layouts that its
// matrix instruction calculator prints). A compressed A lies as one of as many elements.
#pragma once
#include "../layout.h"

struct Mfma : Layout {
    bool f64;

    Mfma(unsigned rows_, unsigned depth_, unsigned blocks_, bool f64_, bool sparse_) : f64(f64_)
    {
        lanes = 64, rows = rows_, depth = depth_, blocks = blocks_, sparse = sparse_;
        of_a = held(depth), of_b = held(products_of_b());
        of_c = rows * rows * blocks / lanes;
    }

    unsigned held(unsigned products) const { return rows * products * blocks / lanes; }

    bool factor(unsigned lane, unsigned i, unsigned products, Place &place) const override
    {
        unsigned group = lane / rows;
        place = {group % blocks, lane % rows, group / blocks * held(products) + i};
        return true;
    }

    // A lane has four rows, one below the other, then the next lanes have the next four; of f64 it has one.
    bool c(unsigned lane, unsigned i, Place &place) const override
    {
        unsigned groups = lanes / rows, group = lane / rows, column = lane % rows;
        if (f64) {
            unsigned line = i * groups + group;
            place = {line % blocks, line / blocks, column};
        } else {
            unsigned four = i / 4 * groups + group, fours = rows / 4;
            place = {four / fours, four % fours * 4 + i % 4, column};
        }
        return true;
    }
};
