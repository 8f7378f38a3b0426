// Checks the layouts and vectors.h without a GPU: every element of A, B, C and D has its place, and lines are read or refused.
#define MMASMT_CDNA 3
#include "cdna/instructions.h"
#undef INSTRUCTIONS
#define MMASMT_RDNA 4
#define MMASMT_WAVE 32
#include "cdna/layout.h"
#include "rdna/instructions.h"
#include "rdna/layout.h"
#include "vectors.h"
#include <cassert>
#include <cstdio>
#include <map>
#include <set>
#include <tuple>

// Each element of A, and of B that meets one, is in as many lanes; each of C and D in one.
static void complete(const Layout &layout, unsigned copies)
{
    typedef std::tuple<unsigned, unsigned, unsigned> Element;
    std::map<Element, unsigned> of_a, of_b;
    std::set<Element> sums;
    for (unsigned lane = 0; lane < layout.lanes; lane++) {
        Place place;
        for (unsigned i = 0; i < layout.of_a; i++)
            if (layout.a(lane, i, place)) {
                assert(place.block < layout.blocks && place.row < layout.rows && place.column < layout.depth);
                of_a[{place.block, place.row, place.column}]++;
            }
        for (unsigned i = 0; i < layout.of_b; i++)
            if (layout.b(lane, i, place))
                of_b[{place.block, place.row, place.column}]++;
        for (unsigned i = 0; i < layout.of_c; i++)
            if (layout.c(lane, i, place)) {
                assert(place.block < layout.blocks && place.row < layout.rows && place.column < layout.rows);
                assert(sums.emplace(place.block, place.row, place.column).second);
            }
    }
    assert(of_a.size() == layout.blocks * layout.rows * layout.depth);
    for (const auto &[element, count] : of_a)
        assert(count == copies);
    assert(of_b == of_a);
}

// The registers, in bytes, have the elements that the layout says, in bits.
static void fits(const Layout &layout, unsigned of_a, unsigned of_b, unsigned of_c, unsigned factor_bits, unsigned sum_bits)
{
    assert(8 * of_a == layout.of_a * factor_bits && 8 * of_b == layout.of_b * factor_bits);
    assert(8 * of_c == layout.of_c * sum_bits);
}

static unsigned mfma(const Mfma &layout, unsigned of_a, unsigned of_b, unsigned of_c)
{
    complete(layout, 1);
    fits(layout, of_a, of_b, of_c, 8 * of_a / layout.of_a, 8 * of_c / layout.of_c);
    return 1;
}

// What lanes of RDNA hold, by generation and wavefront, of instructions of one kind.
struct Rdna {
    unsigned generation, wave, layouts;

    void dot(unsigned depth, unsigned of_a, unsigned of_c, unsigned bits, unsigned of_sum)
    {
        const Dot layout(wave, depth);
        complete(layout, 1);
        fits(layout, of_a, of_a, of_c, bits, of_sum);
        layouts++;
    }

    void wmma(unsigned depth, bool low_halves, bool sparse, unsigned of_a, unsigned of_b, unsigned of_c, unsigned bits, unsigned of_sum)
    {
        const Wmma layout(generation, wave, depth, bits, low_halves, sparse);
        complete(layout, generation == 3 ? wave / 16 : 1);
        fits(layout, of_a, of_b, of_c, bits, of_sum);
        layouts++;
    }
};

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
    unsigned layouts = 0;
#define INSTRUCTION(name, factor, accumulator, rows, depth, blocks) \
    layouts += mfma(Mfma(rows, depth, blocks, #name[1] == '6', false), sizeof(factor), sizeof(factor), sizeof(accumulator));
#define SPARSE(name, factor, wide, accumulator, rows, depth) \
    layouts += mfma(Mfma(rows, depth, 1, false, true), sizeof(factor), sizeof(wide), sizeof(accumulator));
    ON_ALL ON_CDNA1_AND_2 ON_CDNA2_AND_3 ON_CDNA3 SPARSE_ON_CDNA3
#undef INSTRUCTION
#undef SPARSE

    Rdna rdna;
#define DOT(name, factor, sum, bits, of_sum, depth) rdna.dot(depth, sizeof(factor), sizeof(sum), bits, of_sum);
#define DOTS DOT
#define WMMA(name, factor, sum, bits, of_sum, depth) \
    rdna.wmma(depth, false, false, sizeof(factor), sizeof(factor), sizeof(sum), bits, of_sum);
#define INTEGERS WMMA
#define HALVES(name, factor, sum, bits, of_sum, depth) \
    rdna.wmma(depth, true, false, sizeof(factor), sizeof(factor), sizeof(sum), bits, of_sum);
#define SPARSE(name, factor, sum, bits, of_sum, depth, wide, codes) \
    rdna.wmma(depth, false, true, sizeof(factor), sizeof(wide), sizeof(sum), bits, of_sum);
#define LONG_SPARSE SPARSE
    rdna = {3, 32, layouts};
    RDNA3_WAVE32
    rdna.wave = 64;
    RDNA3_WAVE64
    rdna = {4, 32, rdna.layouts};
    RDNA4_WAVE32
    rdna.wave = 64;
    RDNA4_WAVE64
    layouts = rdna.layouts;

    const Vector vector = parse_line("3f800000 3c00,4000 3c00,bc00 deadbeef", 4, 8, 4);
    assert(vector.c == 0x3f800000 && vector.a[1] == 0x4000 && vector.a[2] == 0 && vector.b.size() == 4);
    assert(vector.text == "3f800000 3c00,4000 3c00,bc00");
    assert(refused([] { parse_line("3f80000 3c00 3c00", 4, 8, 4); }));
    assert(refused([] { parse_line("3f800000 3c00,,3c00 3c00", 4, 8, 4); }));
    assert(refused([] { parse_line("3f800000 3c00", 4, 8, 4); }));
    assert(refused([] { parse_line("3f800000 0,0,0,0,0 0", 1, 8, 4); }));
    std::printf("%u layouts\n", layouts);
}
