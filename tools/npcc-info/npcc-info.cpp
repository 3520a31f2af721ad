// npcc-info: facts about this machine, one a line, as the runtime sees them.
// npcc-info --features: the same as words for test requirements ("cuda", "sm_90", "cpu-threads=2").
#include "runtime/abi/calls.h"
#include "runtime/abi/devices.h"
#include "runtime/abi/sparse.h"
#include <cstdio>
#include <cstring>
#include <set>
#include <string>
#include <vector>

struct CudaDevice {
  int32_t capability = 0;
  char name[256] = "";
  int64_t memory = 0;
};

static std::vector<std::string> vectorExtensions() {
  std::vector<std::string> words;
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2"))
    words.push_back("avx2");
  if (__builtin_cpu_supports("fma"))
    words.push_back("fma");
  // What the code generator means by AVX-512: the server set, not the first one alone.
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq"))
    words.push_back("avx512");
#elif defined(__aarch64__)
  words.push_back("neon");
#endif
  return words;
}

static std::vector<CudaDevice> cudaDevices() {
  std::vector<CudaDevice> devices(npcc_rt_cuda_device_count());
  for (size_t k = 0; k < devices.size(); ++k) {
    npcc_status status = npcc_rt_cuda_device_info(static_cast<int32_t>(k), &devices[k].capability, devices[k].name,
                                                  &devices[k].memory);
    if (status.error)
      fprintf(stderr, "npcc-info: cuda:%zu: %s\n", k, status.message);
  }
  return devices;
}

static void printFeatures(const std::vector<CudaDevice> &devices) {
  printf("cpu-threads=%d\n", npcc_rt_cpu_threads());
  for (const std::string &word : vectorExtensions())
    printf("%s\n", word.c_str());
  if (*npcc_rt_blas_description())
    printf("blas\n");
  if (devices.empty())
    return;
  printf("cuda\ncuda-devices=%zu\n", devices.size());
  if (devices.size() > 1)
    printf("multi-gpu\n");
  std::set<int32_t> capabilities;
  for (const CudaDevice &device : devices)
    capabilities.insert(device.capability);
  for (int32_t capability : capabilities)
    printf("sm_%d\n", capability);
  if (*npcc_rt_cublas_description())
    printf("cublas\n");
  if (*npcc_rt_cublaslt_description())
    printf("cublaslt\n");
  if (*npcc_rt_cufft_description())
    printf("cufft\n");
  if (*npcc_rt_cusolver_description())
    printf("cusolver\n");
  if (*npcc_rt_cusparse_description())
    printf("cusparse\n");
}

static void printFacts(const std::vector<CudaDevice> &devices) {
  printf("runtime ABI: %d\n", npcc_rt_abi_version());
  printf("cpu threads: %d\n", npcc_rt_cpu_threads());
  std::string extensions;
  for (const std::string &word : vectorExtensions())
    extensions += " " + word;
  printf("cpu vectors:%s\n", extensions.empty() ? " none" : extensions.c_str());
  const char *blas = npcc_rt_blas_description();
  printf("blas: %s\n", *blas ? blas : "none, the runtime's own loops serve");
  if (devices.empty()) {
    printf("cuda: none: %s\n", npcc_rt_cuda_unavailable_reason());
    return;
  }
  for (size_t k = 0; k < devices.size(); ++k)
    printf("cuda:%zu: %s, sm_%d, %.1f GiB\n", k, devices[k].name, devices[k].capability,
           static_cast<double>(devices[k].memory) / (1 << 30));
  const char *cublas = npcc_rt_cublas_description();
  printf("cublas: %s\n", *cublas ? cublas : "none, the runtime's own kernels serve");
  const char *cublasLt = npcc_rt_cublaslt_description();
  printf("cublaslt: %s\n", *cublasLt ? cublasLt : "none, what follows a product is a kernel of its own");
  const char *cufft = npcc_rt_cufft_description();
  printf("cufft: %s\n", *cufft ? cufft : "none, there are no Fourier transforms on GPUs");
  const char *cusolver = npcc_rt_cusolver_description();
  printf("cusolver: %s\n", *cusolver ? cusolver : "none, the CPU's LAPACK serves");
  const char *cusparse = npcc_rt_cusparse_description();
  printf("cusparse: %s\n", *cusparse ? cusparse : "none, kernels that sort positions serve");
}

int main(int argc, char **argv) {
  if (argc > 2 || (argc == 2 && strcmp(argv[1], "--features") != 0)) {
    fprintf(stderr, "usage: npcc-info [--features]\n");
    return 2;
  }
  std::vector<CudaDevice> devices = cudaDevices();
  argc == 2 ? printFeatures(devices) : printFacts(devices);
  return 0;
}
