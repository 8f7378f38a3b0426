// Runs vectors on an AMD GPU: `mfma INSTRUCTION < IN > OUT`, lines as `mmasmt run` has them. README.md says how to build.
#include <hip/hip_runtime.h>

#ifdef MMASMT_RDNA
#include "rdna/kernels.h"
#include "rdna/layout.h"
#else
#include "cdna/kernels.h"
#include "cdna/layout.h"
#endif
#include "vectors.h"
#include <cstdio>
#include <cstring>
#include <iostream>

static void check(hipError_t error)
{
    if (error != hipSuccess)
        throw std::runtime_error(hipGetErrorString(error));
}

// Memory of the GPU.
struct Buffer {
    void *data = nullptr;
    explicit Buffer(size_t bytes) { check(hipMalloc(&data, bytes)); }
    ~Buffer() { (void)hipFree(data); }
    Buffer(const Buffer &) = delete;
};

// Element `i` of the registers that begin at a byte; one of four bits is the low or the high half of a byte.
static void put(std::vector<char> &memory, size_t registers, unsigned i, unsigned bits, uint64_t value)
{
    char *byte = memory.data() + registers + i * bits / 8;
    if (bits == 4)
        *byte |= char(value << i % 2 * 4);
    else
        std::memcpy(byte, &value, bits / 8);
}

// Vector i is row i of A, column i of B and element (i, i) of C and D, block after block.
template <class OfA, class OfB, class OfC>
static int run(const std::string &name, void (*kernel)(const OfA *, const OfB *, const OfC *, OfC *), const Layout &layout,
    unsigned factor_bits, unsigned sum_bits)
{
    const size_t per_tile = layout.rows * layout.blocks, tiles = (1 << 16) / per_tile;
    hipDeviceProp_t device;
    int driver = 0;
    check(hipGetDeviceProperties(&device, 0));
    check(hipDriverGetVersion(&driver));
    std::printf("# mmasmt kernels/hip\n# instruction: %s\n# device: %s (%s)\n# driver: HIP %d\n", name.c_str(), device.name,
        device.gcnArchName, driver);
    const size_t lanes = tiles * layout.lanes;
    Buffer a(lanes * sizeof(OfA)), b(lanes * sizeof(OfB)), c(lanes * sizeof(OfC)), d(lanes * sizeof(OfC));

    std::string line;
    for (bool more = true; more;) {
        std::vector<Vector> vectors;
        while (vectors.size() < tiles * per_tile && (more = bool(std::getline(std::cin, line))))
            if (!line.empty() && line[0] != '#')
                vectors.push_back(parse_line(line, factor_bits / 4, sum_bits / 4, layout.depth));
        if (vectors.empty())
            break;
        const size_t used = (vectors.size() + per_tile - 1) / per_tile;
        const size_t threads = used * layout.lanes;
        std::vector<char> in_a(threads * sizeof(OfA)), in_b(threads * sizeof(OfB)), in_c(threads * sizeof(OfC)), out(in_c.size());
        const std::vector<uint64_t> zeros(layout.depth);
        vectors.resize(used * per_tile, {0, zeros, zeros, ""});
        auto of = [&](size_t thread, Place place) -> Vector & {
            return vectors[thread / layout.lanes * per_tile + place.block * layout.rows + place.row];
        };
        for (size_t thread = 0; thread < threads; thread++) {
            const unsigned lane = thread % layout.lanes;
            Place place;
            for (unsigned i = 0; i < layout.of_a; i++)
                if (layout.a(lane, i, place))
                    put(in_a, thread * sizeof(OfA), i, factor_bits, of(thread, place).a[place.column]);
            for (unsigned i = 0; i < layout.of_b; i++)
                if (layout.b(lane, i, place))
                    put(in_b, thread * sizeof(OfB), i, factor_bits, of(thread, place).b[place.column]);
            for (unsigned i = 0; i < layout.of_c; i++)
                if (layout.c(lane, i, place) && place.row == place.column)
                    put(in_c, thread * sizeof(OfC), i, sum_bits, of(thread, place).c);
        }
        check(hipMemcpy(a.data, in_a.data(), in_a.size(), hipMemcpyHostToDevice));
        check(hipMemcpy(b.data, in_b.data(), in_b.size(), hipMemcpyHostToDevice));
        check(hipMemcpy(c.data, in_c.data(), in_c.size(), hipMemcpyHostToDevice));
        hipLaunchKernelGGL(kernel, dim3(used), dim3(layout.lanes), 0, 0, (const OfA *)a.data, (const OfB *)b.data,
            (const OfC *)c.data, (OfC *)d.data);
        check(hipGetLastError());
        check(hipMemcpy(out.data(), d.data, out.size(), hipMemcpyDeviceToHost));
        for (size_t thread = 0; thread < threads; thread++)
            for (unsigned i = 0; i < layout.of_c; i++) {
                Place place;
                if (layout.c(thread % layout.lanes, i, place) && place.row == place.column)
                    std::memcpy(&of(thread, place).c, out.data() + thread * sizeof(OfC) + i * sum_bits / 8, sum_bits / 8);
            }
        for (const Vector &vector : vectors)
            if (!vector.text.empty())
                std::printf("%s %0*llx\n", vector.text.c_str(), int(sum_bits / 4), (unsigned long long)vector.c);
    }
    return 0;
}

// Runs the instruction if it is that of the name, and lists what there is without one.
#define ONE(known, kernel, layout, factor_bits, sum_bits) \
    if (name.empty()) \
        std::fprintf(stderr, "  %s\n", std::string(known).c_str()); \
    else if (name == known) \
        return run(name, kernel, layout, factor_bits, sum_bits);

static int run_if_known(const std::string &name)
{
#ifdef MMASMT_RDNA
#define DOT(name, factor, sum, bits, of_sum, depth) ONE("v_" #name, name, Dot(MMASMT_WAVE, depth), bits, of_sum)
#define WMMA(name, factor, sum, bits, of_sum, depth) \
    ONE("v_" #name, name, Wmma(MMASMT_RDNA, MMASMT_WAVE, depth, bits, false, false), bits, of_sum)
#define HALVES(name, factor, sum, bits, of_sum, depth) \
    ONE("v_" #name, name, Wmma(MMASMT_RDNA, MMASMT_WAVE, depth, bits, true, false), bits, of_sum)
#define OF_SIGNS(sa, sb, clamped, a_signed, b_signed, clamp, name, layout, bits, of_sum) \
    ONE("v_" #name "." #sa #bits "." #sb #bits CLAMPED_##clamp, name##_##sa##bits##_##sb##bits##clamped, layout, \
        bits, of_sum)
#define CLAMPED_0 ""
#define CLAMPED_1 ".clamp"
#define DOTS(name, factor, sum, bits, of_sum, depth) EACH_SIGN_AND_CLAMP(OF_SIGNS, name, Dot(MMASMT_WAVE, depth), bits, of_sum)
#define INTEGERS(name, factor, sum, bits, of_sum, depth) \
    EACH_SIGN_AND_CLAMP(OF_SIGNS, name, Wmma(MMASMT_RDNA, MMASMT_WAVE, depth, bits, false, false), bits, of_sum)
#define SPARSE(name, factor, sum, bits, of_sum, depth, wide, codes) \
    EACH_SIGN_AND_CLAMP(OF_SIGNS, name, Wmma(MMASMT_RDNA, MMASMT_WAVE, depth, bits, false, true), bits, of_sum)
#define LONG_SPARSE(...) SPARSE(__VA_ARGS__)
    INSTRUCTIONS
#else
    // Bits of an element are those of a lane's registers over what they hold.
#define EACH(known, kernel, factor, accumulator, ...) \
    { \
        const Mfma layout(__VA_ARGS__); \
        ONE(known, kernel, layout, 8 * sizeof(factor) / layout.of_a, 8 * sizeof(accumulator) / layout.of_c) \
    }
#define INSTRUCTION(name, factor, accumulator, rows, depth, blocks) \
    EACH("v_mfma_" #name, name, factor, accumulator, rows, depth, blocks, std::strncmp(#name, "f64", 3) == 0, false)
#define SPARSE(name, factor, wide, accumulator, rows, depth) \
    EACH("v_smfmac_" #name, sparse_##name, factor, accumulator, rows, depth, 1, false, true)
    INSTRUCTIONS SPARSE_INSTRUCTIONS
#endif
    return 2;
}

int main(int count, char **arguments)
try {
    const std::string name = count == 2 ? arguments[1] : "";
    if (!name.empty() && run_if_known(name) == 0)
        return 0;
    std::fprintf(stderr, "error: expected one instruction, found `%s`; there are:\n", name.c_str());
    return run_if_known("");
} catch (const std::exception &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
}
