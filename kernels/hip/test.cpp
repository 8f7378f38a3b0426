// Checks layout.h and vectors.h without a GPU: every element is held once, and lines are read or refused.
#define MMASMT_CDNA 3
#include "instructions.h"
#include "layout.h"
#include "vectors.h"
#include <cassert>
#include <cstdio>
#include <set>
#include <tuple>

static unsigned held_once(const Shape &shape)
{
    std::set<std::tuple<unsigned, unsigned, unsigned>> factors, met, sums;
    for (unsigned lane = 0; lane < LANES; lane++) {
        for (unsigned i = 0; i < factors_per_lane(shape); i++) {
            const Place place = factor(shape, lane, i);
            assert(place.block < shape.blocks && place.row < shape.rows && place.column < shape.depth);
            assert(factors.emplace(place.block, place.row, place.column).second);
        }
        for (unsigned i = 0; i < factors_of_b_per_lane(shape); i++) {
            Place place;
            if (meets(shape, lane, i, place))
                assert(met.emplace(place.block, place.row, place.column).second);
        }
        for (unsigned i = 0; i < sums_per_lane(shape); i++) {
            const Place place = sum(shape, lane, i);
            assert(place.block < shape.blocks && place.row < shape.rows && place.column < shape.rows);
            assert(sums.emplace(place.block, place.row, place.column).second);
        }
    }
    assert(factors.size() == shape.blocks * shape.rows * shape.depth);
    assert(met == factors);
    assert(sums.size() == shape.blocks * shape.rows * shape.rows);
    return 1;
}

template <class Work> static bool refused(Work work)
{
    try {
        work();
    } catch (const std::runtime_error &) {
        return true;
    }
    return false;
}

int main()
{
    unsigned shapes = 0;
#define INSTRUCTION(name, factor, accumulator, rows, depth, blocks) \
    shapes += held_once({rows, depth, blocks, #name[1] == '6', false});
#define SPARSE(name, factor, wide, accumulator, rows, depth) \
    static_assert(sizeof(wide) == 2 * sizeof(factor), #name); \
    shapes += held_once({rows, depth, 1, false, true});
    ON_ALL ON_CDNA1_AND_2 ON_CDNA2_AND_3 ON_CDNA3 SPARSE_ON_CDNA3
    const Vector vector = parse_line("3f800000 3c00,4000 3c00,bc00 deadbeef", 4, 8, 4);
    assert(vector.c == 0x3f800000 && vector.a[1] == 0x4000 && vector.a[2] == 0 && vector.b.size() == 4);
    assert(vector.text == "3f800000 3c00,4000 3c00,bc00");
    assert(refused([] { parse_line("3f80000 3c00 3c00", 4, 8, 4); }));
    assert(refused([] { parse_line("3f800000 3c00,,3c00 3c00", 4, 8, 4); }));
    assert(refused([] { parse_line("3f800000 3c00", 4, 8, 4); }));
    assert(refused([] { parse_line("3f800000 0,0,0,0,0 0", 1, 8, 4); }));
    std::printf("%u layouts\n", shapes);
}
