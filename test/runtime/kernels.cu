// Kernels of the conformance suite; compiled offline to kernels.ptx by runtime/cuda/kernels/make-kernels.sh.
#include <cstdint>

extern "C" __global__ void scale(double *data, int64_t n0, int64_t n1, int64_t s0, int64_t s1, double factor) {
  int64_t k = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (k < n0 * n1) {
    double &x = data[k / n1 * s0 + k % n1 * s1];
    x = __dadd_rn(__dmul_rn(x, factor), 1.0);
  }
}

extern "C" __global__ void add(const double *a, int64_t sa, const double *b, int64_t sb, double *out, int64_t n) {
  int64_t k = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (k < n)
    out[k] = a[k * sa] + b[k * sb];
}

extern "C" __global__ void sequential(const double *from, int64_t sf, double *to, int64_t st, int64_t n) {
  for (int64_t k = 0; k < n; ++k)
    to[k * st] = *(volatile const double *)&from[k * sf] + 1;
}

extern "C" __global__ void record_error(int64_t *record, int64_t error, int64_t line, int64_t a, int64_t b, int64_t c,
                                        int64_t file, int64_t message) {
  // Many threads fail; one records. Each writes its own number as the index.
  if (atomicCAS((unsigned long long *)record, 0ull, (unsigned long long)error) == 0) {
    record[1] = line;
    record[2] = a + int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    record[3] = b;
    record[4] = c;
    record[5] = file;
    record[6] = message;
  }
}

extern "C" __global__ void delay(int64_t nanoseconds) {
  int64_t start, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
  do
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  while (now - start < nanoseconds);
}

extern "C" __global__ void cooperative(unsigned *counter, int64_t *out) {
  if (threadIdx.x == 0) {
    atomicAdd(counter, 1u);
    // Never passed unless all blocks run at once.
    while (*(volatile unsigned *)counter < gridDim.x) {
    }
    out[blockIdx.x] = *(volatile unsigned *)counter;
  }
}
