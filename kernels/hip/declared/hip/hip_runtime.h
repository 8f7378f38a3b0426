// What main.hip calls of HIP, declared and no more: check.py compiles it where ROCm is not. On a GPU its own header is used.
#pragma once
#include <cstddef>

typedef int hipError_t;
const hipError_t hipSuccess = 0;
enum hipMemcpyKind { hipMemcpyHostToDevice, hipMemcpyDeviceToHost };
struct hipDeviceProp_t { char name[256], gcnArchName[256]; };
const char *hipGetErrorString(hipError_t);
hipError_t hipMalloc(void **, size_t);
hipError_t hipFree(void *);
hipError_t hipMemcpy(void *, const void *, size_t, hipMemcpyKind);
hipError_t hipGetDeviceProperties(hipDeviceProp_t *, int);
hipError_t hipDriverGetVersion(int *);
hipError_t hipGetLastError();
struct dim3 { unsigned x; dim3(unsigned n) : x(n) {} };
template <class F, class... A> void hipLaunchKernelGGL(F, dim3, dim3, int, int, A...);
