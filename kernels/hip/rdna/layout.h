// Where DOT, WMMA and SWMMAC instructions have their elements (AMD, "RDNA3" and "RDNA4 instruction set architecture", and the
// layouts that AMD's matrix instruction calculator prints). How k is numbered changes no sum that is exact. Of floats on RDNA4 it
// is as the recorded vectors have it: one group of sixteen lanes after the other.
#pragma once
#include "../layout.h"

// A dot product in every lane.
struct Dot : Layout {
    explicit Dot(unsigned wave, unsigned depth_)
    {
        lanes = rows = wave, depth = depth_, blocks = 1, sparse = false;
        of_a = of_b = depth, of_c = 1;
    }

    bool factor(unsigned lane, unsigned i, unsigned, Place &place) const override
    {
        place = {0, lane, i};
        return true;
    }

    bool c(unsigned lane, unsigned, Place &place) const override
    {
        place = {0, lane, lane};
        return true;
    }
};

// Sixteen rows and columns, of RDNA3 or RDNA4.
struct Wmma : Layout {
    unsigned generation, bits;
    // Elements of C and D in 16 bits lie in the low halves of registers of 32 (RDNA3).
    bool low_halves;

    // Bits are those of an element of A and B.
    Wmma(unsigned generation_, unsigned wave, unsigned depth_, unsigned bits_, bool low_halves_, bool sparse_)
        : generation(generation_), bits(bits_), low_halves(low_halves_)
    {
        lanes = wave, rows = 16, depth = depth_, blocks = 1, sparse = sparse_;
        of_a = held(depth), of_b = held(products_of_b());
        of_c = rows * rows / lanes * (low_halves ? 2 : 1);
    }

    // RDNA3 reads a whole row from each lane, one row from several. RDNA4 reads a part; a lane has one register at least, and
    // where that is more than there is to hold, the instruction reads the first lanes alone.
    unsigned held(unsigned products) const
    {
        const unsigned part = rows * products / lanes, least = 32 / bits;
        return generation == 3 ? products : part < least ? least : part;
    }

    bool factor(unsigned lane, unsigned i, unsigned products, Place &place) const override
    {
        place = {0, lane % rows, i};
        if (generation == 3)
            return true;
        unsigned group = lane / rows;
        const unsigned groups = products / held(products);
        // Integers in a wavefront of 64: the halves of 32 lanes have every other part.
        if (bits < 16 && groups == 4)
            group = group % 2 * 2 + group / 2;
        place.column = group * held(products) + i;
        return group < groups;
    }

    bool c(unsigned lane, unsigned i, Place &place) const override
    {
        unsigned group = lane / rows, groups = lanes / rows;
        if (low_halves && i % 2 == 1)
            return false;
        if (generation == 3)
            place = {0, (low_halves ? i / 2 : i) * groups + group, lane % rows};
        else
            place = {0, group % 2 * 8 + group / 2 * of_c + i, lane % rows};
        return true;
    }
};
