// What compiled kernels do with a small matrix of their own: functions that the compiler links with a kernel
// (compiler/gpu/image/TeamFunctions.h). A team is `lanes` neighbouring lanes of a warp, a power of two; all lanes of
// the warp come together. Arrays are given by where they begin in
// shared memory: a matrix lies column by column, each an odd number of
// elements long (the rows, or one more). Compiled offline to teams.ptx (make-kernels.sh).
#include "Hermitian.cuh"
#include "Reflectors.cuh"
#include <cstdint>

using Address = uint64_t;
template <typename T> __device__ T *at(Address shared) { return static_cast<T *>(__cvta_shared_to_generic(shared)); }

template <typename T>
__device__ void findSpectrum(int *result, Address matrix, Address values, Address memory, int step, int size, int lanes,
                             bool isUpper, bool hasVectors) {
  HermitianParams params{at<T>(matrix), at<char>(values), 1, size, hasVectors, isUpper, lanes, step};
  params.stride = (size + hermitianChunk - 1) / hermitianChunk * hermitianChunk + 1;
  Hermitian<T> hermitian(params, 0, at<char>(memory));
  hermitian.run();
  *result = !hermitian.hasNone;
}

// As np.call_linked calls a function: what it gives goes to `result`.
#define TEAM(name, T)                                                                                                  \
  extern "C" __device__ int npcc_team_eigh_##name(int *result, Address matrix, Address values, Address memory,         \
                                                  int step, int size, int lanes, int isUpper, int hasVectors) {        \
    findSpectrum<T>(result, matrix, values, memory, step, size, lanes, isUpper, hasVectors);                           \
    return 0;                                                                                                          \
  }                                                                                                                    \
  extern "C" __device__ int npcc_team_qr_raw_##name(int *result, Address matrix, Address factors, int rows,            \
                                                    int columns, int lanes) {                                          \
    Reflectors<T>(rows, lanes, at<T>(matrix), at<T>(factors)).factorise(columns, min(rows, columns));                  \
    return 0;                                                                                                          \
  }                                                                                                                    \
  extern "C" __device__ int npcc_team_qr_##name(int *result, Address vectors, Address factors, Address products,       \
                                                int rows, int reflections, int columns, int lanes) {                   \
    Reflectors<T>(rows, lanes, at<T>(vectors), at<T>(factors)).multiply(at<T>(products), columns, reflections);        \
    return 0;                                                                                                          \
  }
TEAM(float32, float)
TEAM(float64, double)
TEAM(complex64, Complex<float>)
TEAM(complex128, Complex<double>)
