// Which lane of a wavefront holds which element of an MFMA instruction (AMD, "CDNA instruction set architecture",
// and the layouts that its matrix instruction calculator prints). A compressed A lies as one of as many elements.
#pragma once

struct Shape {
    unsigned rows, depth, blocks;
    bool f64, sparse;
};

struct Place {
    unsigned block, row, column;
};

const unsigned LANES = 64;

// How many elements of A (and of B, if A is not compressed) a lane holds.
inline unsigned factors_per_lane(const Shape &shape)
{
    return shape.rows * shape.depth * shape.blocks / LANES;
}

// How many elements of C (and of D) a lane holds.
inline unsigned sums_per_lane(const Shape &shape)
{
    return shape.rows * shape.rows * shape.blocks / LANES;
}

// Block, row and k of element `i` of A that a lane holds; of B with the column as row.
inline Place factor(const Shape &shape, unsigned lane, unsigned i)
{
    unsigned group = lane / shape.rows;
    unsigned k = group / shape.blocks * factors_per_lane(shape) + i;
    return {group % shape.blocks, lane % shape.rows, k};
}

// How many elements of B a lane holds.
inline unsigned factors_of_b_per_lane(const Shape &shape)
{
    return factors_per_lane(shape) * (shape.sparse ? 2 : 1);
}

// Whether element `i` of B that a lane holds meets an element of A, and the place of that. A compressed A keeps the first two of
// four; the elements of B for the other two meet nothing.
inline bool meets(const Shape &shape, unsigned lane, unsigned i, Place &place)
{
    if (shape.sparse && i % 4 >= 2)
        return false;
    place = factor(shape, lane, shape.sparse ? i / 4 * 2 + i % 2 : i);
    return true;
}

// Block, row and column of element `i` of C and D that a lane holds. A lane has four rows, one below the other, then the
// next lanes have the next four; of f64 it has one.
inline Place sum(const Shape &shape, unsigned lane, unsigned i)
{
    unsigned groups = LANES / shape.rows, group = lane / shape.rows;
    unsigned column = lane % shape.rows;
    if (shape.f64) {
        unsigned line = i * groups + group;
        return {line % shape.blocks, line / shape.blocks, column};
    }
    unsigned four = i / 4 * groups + group, fours = shape.rows / 4;
    return {four / fours, four % fours * 4 + i % 4, column};
}
