// What the lanes of a wavefront hold of a matrix instruction: which element of A, B, C and D lies where in their registers.
#pragma once

struct Place {
    unsigned block, row, column;
};

struct Layout {
    unsigned lanes, rows, depth, blocks;
    // Elements of A, of B, and of C and D in the registers of a lane.
    unsigned of_a, of_b, of_c;
    // A keeps the first two of four (METADATA of the kernels); then B has twice as many products.
    bool sparse;

    virtual ~Layout() = default;

    unsigned products_of_b() const { return depth * (sparse ? 2 : 1); }

    // Block, row and k of element `i` in a lane, of an A of so many products or of a B, with the column as row; false in a lane that
    // the instruction does not read.
    virtual bool factor(unsigned lane, unsigned i, unsigned products, Place &place) const = 0;

    // Block, row and column of element `i` of C and D in a lane; false for room that is not used.
    virtual bool c(unsigned lane, unsigned i, Place &place) const = 0;

    bool a(unsigned lane, unsigned i, Place &place) const { return factor(lane, i, depth, place); }

    // The element of A that it meets has its k; false if it meets none, as the last two of four.
    bool b(unsigned lane, unsigned i, Place &place) const
    {
        if (!factor(lane, i, products_of_b(), place))
            return false;
        const unsigned k = place.column;
        if (sparse)
            place.column = k / 4 * 2 + k % 2;
        return !sparse || k % 4 < 2;
    }
};
