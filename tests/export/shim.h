// What a printed tape needs of CUDA, for a C++ compiler: qualifiers, one thread at a time, intrinsics.
#include <cmath>
#include <cstring>

#define __global__
#define __device__
#define __forceinline__ inline

struct Place {
    unsigned x;
};
static Place blockIdx, blockDim, threadIdx;

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
