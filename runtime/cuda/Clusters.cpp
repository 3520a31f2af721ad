#include "runtime/cuda/Clusters.h"

namespace npcc::rt::cuda {
namespace {

// What every device with clusters runs, and what a function must be asked to allow.
constexpr int64_t portableBlocks = 8, mostBlocks = 16;
constexpr int nonPortableAllowed = 14; // CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED

bool runs(Function function, const LaunchConfig &config) {
  int clusters = 0;
  return driver().occupancyMaxActiveClusters(&clusters, function, &config) == success && clusters > 0;
}

} // namespace

bool launchAsCluster(int32_t capability, Function function, const LaunchShape &shape, Stream stream, void **params) {
  int64_t wanted = shape.grid[0];
  // Fewer blocks than have work would wait less and compute longer.
  bool isSmall = wanted > 1 && wanted <= mostBlocks && shape.grid[1] == 1 && shape.grid[2] == 1;
  if (!isSmall || capability < 90 || !driver().launchKernelEx || !driver().occupancyMaxActiveClusters)
    return false;
  auto u = [](int64_t value) { return static_cast<unsigned>(value); };
  LaunchAttribute attribute{clusterDimension};
  LaunchConfig config{
      {1, 1, 1}, {u(shape.block[0]), u(shape.block[1]), u(shape.block[2])}, u(shape.sharedBytes), stream, &attribute,
      1};
  config.grid[0] = attribute.value[0] = u(wanted);
  attribute.value[1] = attribute.value[2] = 1;
  if (wanted > portableBlocks &&
      (driver().funcSetAttribute(function, nonPortableAllowed, 1) != success || !runs(function, config)))
    return false;
  return driver().launchKernelEx(&config, function, params, nullptr) == success;
}

} // namespace npcc::rt::cuda
