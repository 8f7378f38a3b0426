// Runs vectors on an AMD GPU: `mfma INSTRUCTION < IN > OUT`, lines as `mmasmt run` has them. README.md says how to build.
#include <hip/hip_runtime.h>

#include "kernels.h"
#include "layout.h"
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

static void put(std::vector<char> &memory, size_t element, unsigned bytes, uint64_t bits)
{
    std::memcpy(memory.data() + element * bytes, &bits, bytes);
}

// Vector i is row i of A, column i of B and element (i, i) of C and D, block after block.
template <class Factor, class FactorOfB, class Sum>
static void run(const char *name, void (*kernel)(const Factor *, const FactorOfB *, const Sum *, Sum *), Shape shape)
{
    const unsigned of_lane = factors_per_lane(shape), b_of_lane = factors_of_b_per_lane(shape), sums = sums_per_lane(shape);
    const unsigned factor_bytes = sizeof(Factor) / of_lane, sum_bytes = sizeof(Sum) / sums;
    const size_t per_tile = shape.rows * shape.blocks, tiles = (1 << 16) / per_tile;
    hipDeviceProp_t device;
    int driver = 0;
    check(hipGetDeviceProperties(&device, 0));
    check(hipDriverGetVersion(&driver));
    std::printf("# mmasmt kernels/hip\n# instruction: %s\n# device: %s (%s)\n# driver: HIP %d\n", name, device.name,
        device.gcnArchName, driver);
    Buffer a(tiles * LANES * sizeof(Factor)), b(tiles * LANES * sizeof(FactorOfB));
    Buffer c(tiles * LANES * sizeof(Sum)), d(tiles * LANES * sizeof(Sum));

    std::string line;
    for (bool more = true; more;) {
        std::vector<Vector> vectors;
        while (vectors.size() < tiles * per_tile && (more = bool(std::getline(std::cin, line))))
            if (!line.empty() && line[0] != '#')
                vectors.push_back(parse_line(line, 2 * factor_bytes, 2 * sum_bytes, shape.depth));
        if (vectors.empty())
            break;
        const size_t used = (vectors.size() + per_tile - 1) / per_tile;
        std::vector<char> in_a(used * LANES * sizeof(Factor)), in_b(used * LANES * sizeof(FactorOfB));
        std::vector<char> in_c(used * LANES * sizeof(Sum)), out(in_c.size());
        vectors.resize(used * per_tile, {0, std::vector<uint64_t>(shape.depth), std::vector<uint64_t>(shape.depth), ""});
        auto of = [&](size_t tile, Place place) -> Vector & { return vectors[tile * per_tile + place.block * shape.rows + place.row]; };
        for (size_t tile = 0; tile < used; tile++)
            for (unsigned lane = 0; lane < LANES; lane++) {
                const size_t thread = tile * LANES + lane;
                for (unsigned i = 0; i < of_lane; i++) {
                    const Place place = factor(shape, lane, i);
                    put(in_a, thread * of_lane + i, factor_bytes, of(tile, place).a[place.column]);
                }
                for (unsigned i = 0; i < b_of_lane; i++) {
                    Place place;
                    if (meets(shape, lane, i, place))
                        put(in_b, thread * b_of_lane + i, factor_bytes, of(tile, place).b[place.column]);
                }
                for (unsigned i = 0; i < sums; i++) {
                    const Place place = sum(shape, lane, i);
                    if (place.row == place.column)
                        put(in_c, thread * sums + i, sum_bytes, of(tile, place).c);
                }
            }
        check(hipMemcpy(a.data, in_a.data(), in_a.size(), hipMemcpyHostToDevice));
        check(hipMemcpy(b.data, in_b.data(), in_b.size(), hipMemcpyHostToDevice));
        check(hipMemcpy(c.data, in_c.data(), in_c.size(), hipMemcpyHostToDevice));
        hipLaunchKernelGGL(kernel, dim3(used), dim3(LANES), 0, 0, (const Factor *)a.data, (const FactorOfB *)b.data,
            (const Sum *)c.data, (Sum *)d.data);
        check(hipGetLastError());
        check(hipMemcpy(out.data(), d.data, out.size(), hipMemcpyDeviceToHost));
        for (size_t tile = 0; tile < used; tile++)
            for (unsigned lane = 0; lane < LANES; lane++)
                for (unsigned i = 0; i < sums; i++) {
                    const Place place = sum(shape, lane, i);
                    if (place.row == place.column)
                        std::memcpy(&of(tile, place).c, out.data() + ((tile * LANES + lane) * sums + i) * sum_bytes, sum_bytes);
                }
        for (const Vector &vector : vectors)
            if (!vector.text.empty())
                std::printf("%s %0*llx\n", vector.text.c_str(), 2 * sum_bytes, (unsigned long long)vector.c);
    }
}

int main(int count, char **arguments)
try {
    const std::string name = count == 2 ? arguments[1] : "";
#define INSTRUCTION(known, factor, accumulator, rows, depth, blocks) \
    if (name == "v_mfma_" #known) \
        return run("v_mfma_" #known, known, {rows, depth, blocks, std::strncmp(#known, "f64", 3) == 0, false}), 0;
#define SPARSE(known, factor, wide, accumulator, rows, depth) \
    if (name == "v_smfmac_" #known) \
        return run("v_smfmac_" #known, sparse_##known, {rows, depth, 1, false, true}), 0;
    INSTRUCTIONS SPARSE_INSTRUCTIONS
#undef INSTRUCTION
#undef SPARSE
    std::fprintf(stderr, "error: expected one instruction, found `%s`; there are:\n", name.c_str());
#define INSTRUCTION(known, factor, accumulator, rows, depth, blocks) std::fprintf(stderr, "  v_mfma_" #known "\n");
#define SPARSE(known, factor, wide, accumulator, rows, depth) std::fprintf(stderr, "  v_smfmac_" #known "\n");
    INSTRUCTIONS SPARSE_INSTRUCTIONS
#undef INSTRUCTION
#undef SPARSE
    return 2;
} catch (const std::exception &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
}
