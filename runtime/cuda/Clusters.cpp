#include "runtime/cuda/Clusters.h"
#include <algorithm>

namespace npcc::rt::cuda {
namespace {

// What every device with clusters runs, and what a function must be asked to allow.
constexpr int64_t portableBlocks = 8, mostBlocks = 16;
constexpr int nonPortableAllowed = 14; // CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED
// With so much more to do than a cluster does at once, the grid is faster although its blocks wait longer.
constexpr int64_t mostRounds = 2;

bool runs(Function function, const LaunchConfig &config) {
  int clusters = 0;
  return driver().occupancyMaxActiveClusters(&clusters, function, &config) == success && clusters > 0;
}

} // namespace

bool launchAsCluster(int32_t capability, Function function, const LaunchShape &shape, Stream stream, void **params) {
  int64_t wanted = shape.grid[0];
  bool isSmall = wanted > 1 && wanted <= mostRounds * mostBlocks && shape.grid[1] == 1 && shape.grid[2] == 1;
  if (!isSmall || capability < 90 || !driver().launchKernelEx || !driver().occupancyMaxActiveClusters)
    return false;
  auto u = [](int64_t value) { return static_cast<unsigned>(value); };
  LaunchAttribute attribute{clusterDimension};
  LaunchConfig config{
      {1, 1, 1}, {u(shape.block[0]), u(shape.block[1]), u(shape.block[2])}, u(shape.sharedBytes), stream, &attribute,
      1};
  auto setBlocks = [&](int64_t blocks) {
    config.grid[0] = attribute.value[0] = u(blocks);
    attribute.value[1] = attribute.value[2] = 1;
  };
  setBlocks(std::min(wanted, mostBlocks));
  if (wanted > portableBlocks &&
      (driver().funcSetAttribute(function, nonPortableAllowed, 1) != success || !runs(function, config))) {
    if (wanted > mostRounds * portableBlocks)
      return false;
    setBlocks(portableBlocks);
  }
  return driver().launchKernelEx(&config, function, params, nullptr) == success;
}

} // namespace npcc::rt::cuda
