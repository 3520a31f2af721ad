// Singular values and eigenvalues of small matrices (kernels/jacobi.cu, kernels/hermitian.cu, kernels/rotations.cu): a
// library's call takes a hundred times as long as such a matrix needs.
#include "runtime/cuda/SmallSpectra.h"
#include "runtime/Element.h"
#include "runtime/cuda/CudaDevice.h"
#include "runtime/cuda/Embed.h"
#include "runtime/cuda/Kernels.h"
#include "runtime/cuda/SmallMatrices.h"
#include "runtime/cuda/kernels/HermitianParams.h"
#include "runtime/cuda/kernels/JacobiParams.h"
#include <algorithm>
#include <bit>
#include <string_view>

NPCC_KERNELS(jacobi, "jacobi")
NPCC_KERNELS(hermitian, "hermitian")
NPCC_KERNELS(rotations, "rotations")

namespace npcc::rt::cuda {
namespace {

FloatKernels singularKernels = NPCC_FLOAT_KERNELS(jacobiImage, "jacobi", ""),
             hermitianKernels = NPCC_FLOAT_KERNELS(hermitianImage, "hermitian", ""),
             rotationKernels = NPCC_FLOAT_KERNELS(rotationsImage, "rotations", "");

bool isSingular(std::string_view routine) { return routine == "svd" || routine == "svdvals"; }
bool isHermitian(std::string_view routine) { return routine.starts_with("eigh") || routine.starts_with("eigvalsh"); }

int32_t typeOf(const npcc_array &array) { return array.dtype - NPCC_FLOAT32; }

// Shared memory that a block has on every GPU, the threads that a block of several matrices has, and how many threads
// a multiprocessor should have before each matrix gets fewer of them.
constexpr int64_t mostShared = 48 * 1024, threadsOfSeveral = 64, threadsPerProcessor = 512;
constexpr int32_t mostLanes = 16;
constexpr int64_t warp = 32;

/// The shares of threads and of shared memory.
void share(JacobiParams &params, int64_t elementBytes, int64_t realBytes, int64_t processors) {
  int32_t few = std::min(params.rows, params.columns);
  params.pairs = (few + 1) / 2;
  params.pairLanes = 2;
  auto hasRoom = [&](int32_t lanes) {
    return lanes <= std::min(mostLanes, params.sharedRows) &&
           params.count * params.pairs * lanes <= processors * threadsPerProcessor;
  };
  while (hasRoom(2 * params.pairLanes))
    params.pairLanes *= 2;
  // The columns, a number of each kind for each of them, and the exponent.
  int64_t bytes = int64_t(params.sharedColumns) * (params.sharedRows | 1) * elementBytes +
                  largestJacobi * (elementBytes + realBytes + int64_t(sizeof(int32_t))) + int64_t(sizeof(int32_t));
  params.sharedBytes = int32_t((bytes + 15) / 16 * 16);
  int64_t groups = std::min(threadsOfSeveral / (params.pairs * params.pairLanes), mostShared / params.sharedBytes);
  params.groups = int32_t(std::clamp<int64_t>(groups, 1, params.count));
}

Status findSingularValues(CudaDevice &device, bool hasVectors, const npcc_array *operands, const RoutineError *error,
                          int64_t &failed) {
  const npcc_array &a = operands[0];
  JacobiParams params{};
  params.hasVectors = hasVectors;
  params.matrices = a.data;
  params.count = a.shape[0];
  params.columns = int32_t(a.shape[1]);
  params.rows = int32_t(a.shape[2]);
  int32_t few = std::min(params.rows, params.columns), many = std::max(params.rows, params.columns);
  params.sharedColumns = few;
  if (hasVectors) {
    const npcc_array &u = operands[1], &v = operands[3];
    params.left = u.data;
    params.right = v.data;
    params.leftColumns = int32_t(u.shape[1]);
    params.rightRows = int32_t(v.shape[2]);
    // All vectors of the longer side, where they are wanted, are more columns than the matrix has.
    params.sharedColumns = params.rows < params.columns ? params.rightRows : params.leftColumns;
  }
  params.values = operands[hasVectors ? 2 : 1].data;
  params.sharedRows = many + (hasVectors ? few : 0);
  bool isComplex = typeOf(a) >= 2;
  share(params, elementSize(a.dtype), elementSize(a.dtype) / (isComplex ? 2 : 1), device.multiprocessors());
  int64_t threads = (params.groups * params.pairs * params.pairLanes + 31) / 32 * 32;
  LaunchShape shape{{countBlocks(device, params.count, params.groups), 1, 1},
                    {threads, 1, 1},
                    params.groups * int64_t(params.sharedBytes),
                    false};
  FailureRecord failures(device, error);
  NPCC_TRY(failures.prepare(params.failure));
  void *arguments[] = {&params};
  NPCC_TRY(device.launch(singularKernels[typeOf(a)], shape, arguments));
  return failures.findFailed(failed);
}

// Up to so many Hermitian matrices for each multiprocessor have a block each: of up to 16 rows, and of more. None of
// them has less than so many rows.
constexpr int64_t fewForProcessor = 4, fewLargeForProcessor = 2, leastRotated = 4, mostRowsOfSmall = 16;

/// A warp for one matrix or several.
LaunchShape shareWarps(HermitianParams &params, int64_t elementBytes, const CudaDevice &device) {
  params.lanes = std::bit_ceil(uint32_t(params.size));
  // The columns, a pair of vectors, and two real numbers for each row of the tridiagonal matrix.
  int64_t all = (params.size * params.stride + 2 * (params.stride + hermitianChunk) + 2 * params.lanes) * elementBytes;
  params.sharedBytes = int32_t((all + 15) / 16 * 16);
  int64_t groups = warp / params.lanes;
  return {{countBlocks(device, params.count, groups), 1, 1}, {warp, 1, 1}, groups * int64_t(params.sharedBytes), false};
}

/// A block for each matrix.
LaunchShape shareBlocks(HermitianParams &params, int64_t elementBytes, const CudaDevice &device) {
  params.lanes = warp;
  int64_t players = params.size + params.size % 2, pairs = players / 2;
  auto inWarps = [](int64_t threads) { return std::max(warp, (threads + warp - 1) / warp * warp); };
  int64_t threads = inWarps(pairs * (pairs - 1) / 2);
  if (params.hasVectors)
    threads += inWarps((pairs + pairsOfThread - 1) / pairsOfThread * std::bit_ceil(uint32_t(std::max(params.size, 2))));
  // What the block shares besides, the vectors and the matrix, and, for each pair, a rotation (a real number and one of
  // the matrix's) and two values.
  int64_t all = 48 * int64_t(sizeof(int32_t)) + (2 * players * params.stride + 4 * pairs) * elementBytes;
  params.sharedBytes = int32_t((all + 15) / 16 * 16);
  return {{countBlocks(device, params.count, 1), 1, 1}, {threads, 1, 1}, params.sharedBytes, false};
}

Status findEigenvalues(CudaDevice &device, bool hasVectors, bool isUpper, const npcc_array *operands,
                       const RoutineError *error, int64_t &failed) {
  const npcc_array &a = operands[0];
  HermitianParams params{};
  params.matrices = a.data;
  params.values = operands[1].data;
  params.count = a.shape[0];
  params.size = int32_t(a.shape[1]);
  params.hasVectors = hasVectors;
  params.isUpper = isUpper;
  params.step = params.size;
  params.stride = (params.size + hermitianChunk - 1) / hermitianChunk * hermitianChunk + 1;
  int64_t few = params.size <= mostRowsOfSmall ? fewForProcessor : fewLargeForProcessor;
  bool areFew = params.count <= few * device.multiprocessors() && params.size >= leastRotated;
  LaunchShape shape =
      areFew ? shareBlocks(params, elementSize(a.dtype), device) : shareWarps(params, elementSize(a.dtype), device);
  FailureRecord failures(device, error);
  NPCC_TRY(failures.prepare(params.failure));
  void *arguments[] = {&params};
  NPCC_TRY(device.launch((areFew ? rotationKernels : hermitianKernels)[typeOf(a)], shape, arguments));
  return failures.findFailed(failed);
}

} // namespace

bool isSmallSpectrum(const char *routine, int32_t inputs, const npcc_array *operands) {
  const npcc_array &a = operands[0];
  return inputs == 0 && (isSingular(routine) || isHermitian(routine)) && a.rank == 3 && typeOf(a) >= 0 &&
         typeOf(a) < 4 && std::max(a.shape[1], a.shape[2]) <= largestJacobi;
}

Status runSmallSpectrum(CudaDevice &device, const char *routine, const npcc_array *operands, const RoutineError *error,
                        int64_t &failed) {
  std::string_view name = routine;
  if (isSingular(name))
    return findSingularValues(device, name == "svd", operands, error, failed);
  return findEigenvalues(device, name.starts_with("eigh"), name.ends_with("_upper"), operands, error, failed);
}

} // namespace npcc::rt::cuda
