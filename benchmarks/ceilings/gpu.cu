// What this GPU allows: copy bandwidth, arithmetic, matrix products, and the cost of a launch, a graph node and a grid barrier.
// Prints one JSON object. Built by benchmarks/ceilings/measure.py; needs nvcc, and cuBLAS for the products.
#include <cooperative_groups.h>
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#define CHECK(call)                                                                                                  \
  do {                                                                                                               \
    cudaError_t status = (call);                                                                                     \
    if (status != cudaSuccess) {                                                                                     \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(status));                \
      std::exit(1);                                                                                                  \
    }                                                                                                                \
  } while (0)

__global__ void nothing(float *p) {
  if (p != nullptr && threadIdx.x == 5000) *p = 1;
}

__global__ void copy(const double2 *__restrict__ from, double2 *__restrict__ to, size_t count) {
  size_t stride = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) to[i] = from[i];
}

// Eight independent chains a thread: enough to fill the pipes, whatever their latency.
template <class T> __global__ void arithmetic(T *out, int rounds, T a, T b) {
  T x[8];
  for (int k = 0; k < 8; k++) x[k] = T(threadIdx.x + k);
  for (int i = 0; i < rounds; i++)
    for (int k = 0; k < 8; k++) x[k] = x[k] * a + b;
  T sum = 0;
  for (int k = 0; k < 8; k++) sum += x[k];
  if (sum == T(-1)) out[threadIdx.x] = sum;
}

__global__ void barriers(int rounds) {
  auto grid = cooperative_groups::this_grid();
  for (int i = 0; i < rounds; i++) grid.sync();
}

// Median seconds by device events.
static double median(int repeats, const std::function<void()> &work) {
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  work();
  std::vector<float> times;
  for (int i = 0; i < repeats; i++) {
    CHECK(cudaEventRecord(begin));
    work();
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    float milliseconds;
    CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
    times.push_back(milliseconds);
  }
  CHECK(cudaGetLastError());
  std::sort(times.begin(), times.end());
  return times[times.size() / 2] * 1e-3;
}

static double host_seconds(cudaStream_t stream, const std::function<void()> &work) {
  work();
  CHECK(cudaStreamSynchronize(stream));
  auto begin = std::chrono::steady_clock::now();
  work();
  CHECK(cudaStreamSynchronize(stream));
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

template <class T> static double product_rate(cublasHandle_t handle, int n) {
  T *a, *b, *c, one = 1, zero = 0;
  size_t bytes = size_t(n) * n * sizeof(T);
  CHECK(cudaMalloc(&a, bytes));
  CHECK(cudaMalloc(&b, bytes));
  CHECK(cudaMalloc(&c, bytes));
  CHECK(cudaMemset(a, 0, bytes));
  CHECK(cudaMemset(b, 0, bytes));
  double seconds = median(3, [&] {
    if constexpr (sizeof(T) == 8)
      cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n, &zero, c, n);
    else
      cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n, &zero, c, n);
  });
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  return 2.0 * n * n * n / seconds;
}

template <class T> static double arithmetic_rate(int units) {
  int rounds = 4096, blocks = units * 16, threads = 256;
  double seconds = median(5, [&] { arithmetic<T><<<blocks, threads>>>(nullptr, rounds, T(0.999), T(0.001)); });
  return 16.0 * rounds * blocks * threads / seconds;
}

int main() {
  cudaDeviceProp device;
  CHECK(cudaGetDeviceProperties(&device, 0));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  int units = device.multiProcessorCount;

  size_t free_bytes, total_bytes;
  CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  size_t bytes = std::min<size_t>(size_t(4) << 30, free_bytes / 4) / 16 * 16;
  double2 *from, *to;
  CHECK(cudaMalloc(&from, bytes));
  CHECK(cudaMalloc(&to, bytes));
  CHECK(cudaMemset(from, 1, bytes));
  double best = 1e9;
  for (int blocks : {units * 8, units * 16, units * 32, units * 64})
    best = std::min(best, median(5, [&] { copy<<<blocks, 256>>>(from, to, bytes / 16); }));
  best = std::min(best, median(5, [&] { cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice); }));
  cudaFree(from);
  cudaFree(to);

  double launch = host_seconds(stream, [&] { for (int i = 0; i < 10000; i++) nothing<<<1, 32, 0, stream>>>(nullptr); }) / 10000;
  double waited = host_seconds(stream, [&] {
    for (int i = 0; i < 1000; i++) {
      nothing<<<1, 32, 0, stream>>>(nullptr);
      cudaStreamSynchronize(stream);
    }
  }) / 1000;
  cudaGraph_t graph;
  cudaGraphExec_t instance;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int i = 0; i < 1000; i++) nothing<<<units, 256, 0, stream>>>(nullptr);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&instance, graph, 0));
  double node = host_seconds(stream, [&] { for (int i = 0; i < 10; i++) cudaGraphLaunch(instance, stream); }) / 10000;
  int rounds = 10000;
  void *arguments[] = {&rounds};
  double barrier = median(5, [&] { CHECK(cudaLaunchCooperativeKernel((void *)barriers, dim3(units), dim3(256), arguments, 0, nullptr)); }) / rounds;

  cublasHandle_t handle;
  double dgemm = 0, sgemm = 0;
  if (cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS) {
    dgemm = product_rate<double>(handle, 8192);
    sgemm = product_rate<float>(handle, 8192);
  }
  std::printf("{\"device\": \"%s\", \"copy\": %.6g, \"float64\": %.6g, \"float32\": %.6g, \"dgemm\": %.6g, \"sgemm\": %.6g, "
              "\"launch\": %.6g, \"launch and wait\": %.6g, \"graph node\": %.6g, \"barrier\": %.6g}\n",
              device.name, 2.0 * bytes / best, arithmetic_rate<double>(units), arithmetic_rate<float>(units), dgemm, sgemm, launch, waited,
              node, barrier);
}
