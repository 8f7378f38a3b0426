// What a printed tape needs of CUDA, for a C++ compiler: qualifiers, threads, intrinsics.
#include <algorithm>
#include <cfenv>
#include <cmath>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#define __global__
#define __device__
#define __forceinline__ inline
#define __shared__
#define __launch_bounds__(threads)

struct Place {
    unsigned x, y;
};
static thread_local Place blockIdx, blockDim, threadIdx;

struct alignas(16) uint4 {
    unsigned x, y, z, w;
};

// A block whose threads wait for each other.
class Together {
    std::mutex mutex;
    std::condition_variable all;
    unsigned waiting = 0, round = 0;

public:
    unsigned threads = 1;

    void wait()
    {
        std::unique_lock<std::mutex> lock(mutex);
        const unsigned own = round;
        if (++waiting == threads) {
            waiting = 0;
            round++;
            all.notify_all();
        } else {
            all.wait(lock, [&] { return round != own; });
        }
    }
};
static Together together;
static inline void __syncthreads() { together.wait(); }

// Threads one after the other, in blocks along x.
template <class Kernel> static inline void in_turn(size_t threads, Kernel kernel)
{
    blockDim.x = 128;
    for (size_t thread = 0; thread < threads; thread++) {
        blockIdx.x = (unsigned)(thread / 128);
        threadIdx.x = (unsigned)(thread % 128);
        kernel();
    }
}

// Blocks one after the other, the threads of each at once.
template <class Kernel> static inline void in_blocks(unsigned across, unsigned down, unsigned threads, Kernel kernel)
{
    std::vector<std::thread> all;
    together.threads = threads;
    for (unsigned thread = 0; thread < threads; thread++)
        all.emplace_back([=] {
            threadIdx.x = thread;
            for (unsigned block = 0; block < across * down; block++) {
                blockIdx.x = block % across;
                blockIdx.y = block / across;
                kernel();
                together.wait();
            }
        });
    for (std::thread &thread : all)
        thread.join();
}

template <class To, class From> static inline To same_bits(From from)
{
    static_assert(sizeof(To) == sizeof(From), "registers of one width");
    To to;
    std::memcpy(&to, &from, sizeof to);
    return to;
}

static inline unsigned __float_as_uint(float x) { return same_bits<unsigned>(x); }
static inline float __uint_as_float(unsigned x) { return same_bits<float>(x); }
static inline long long __double_as_longlong(double x) { return same_bits<long long>(x); }
static inline double __longlong_as_double(long long x) { return same_bits<double>(x); }
static inline int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
static inline int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
static inline float __fadd_rn(float x, float y) { return x + y; }
static inline double __dadd_rn(double x, double y) { return x + y; }
static inline float __fmul_rn(float x, float y) { return x * y; }
static inline double __dmul_rn(double x, double y) { return x * y; }
static inline float __fmaf_rn(float x, float y, float z) { return std::fma(x, y, z); }
static inline double __fma_rn(double x, double y, double z) { return std::fma(x, y, z); }
static inline double __ll2double_rn(long long x) { return (double)x; }
static inline float __double2float_rn(double x) { return (float)x; }

// A NaN gives 0, a number beyond the range the nearest integer.
static inline int __float2int_rz(float x)
{
    if (x >= 2147483648.0f)
        return 2147483647;
    if (x < -2147483648.0f)
        return -2147483647 - 1;
    return x == x ? (int)x : 0;
}

// Toward zero: what the processor computes in that mode.
template <class Real> static inline Real toward_zero(Real x, Real y, Real z)
{
    std::fesetround(FE_TOWARDZERO);
    volatile Real a = x, b = y, c = z;
    volatile Real result = std::fma(a, b, c);
    std::fesetround(FE_TONEAREST);
    return result;
}
static inline float __fmaf_rz(float x, float y, float z) { return toward_zero(x, y, z); }
static inline double __fma_rz(double x, double y, double z) { return toward_zero(x, y, z); }
static inline double __dadd_rz(double x, double y) { return toward_zero(x, 1.0, y); }
static inline float __ll2float_rn(long long x) { return (float)x; }
static inline float __ll2float_rz(long long x)
{
    std::fesetround(FE_TOWARDZERO);
    volatile long long number = x;
    volatile float result = (float)number;
    std::fesetround(FE_TONEAREST);
    return result;
}
static inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned by)
{
    const unsigned long long both = (unsigned long long)high << 32 | low;
    return (unsigned)(both >> (by < 32 ? by : 32));
}
using std::max;
using std::min;
static inline int __popc(int x) { return __builtin_popcount((unsigned)x); }

// Two numbers of 16 bits in a word.
static inline unsigned __vmaxu2(unsigned x, unsigned y)
{
    const unsigned low = (x & 0xffff) > (y & 0xffff) ? x & 0xffff : y & 0xffff;
    const unsigned high = x >> 16 > y >> 16 ? x >> 16 : y >> 16;
    return high << 16 | low;
}
static inline unsigned __viaddmax_u16x2(unsigned x, unsigned y, unsigned z)
{
    const unsigned low = (x + y) & 0xffff, high = ((x >> 16) + (y >> 16)) & 0xffff;
    return __vmaxu2(high << 16 | low, z);
}
