#include "runtime/cuda/GeneralEigenvalues.h"
#include "runtime/Buffer.h"
#include "runtime/Element.h"
#include "runtime/LinearAlgebra.h"
#include "runtime/cuda/CudaDevice.h"
#include "runtime/cuda/CusolverFunctions.h"
#include "runtime/cuda/Embed.h"
#include "runtime/cuda/kernels/PairParams.h"
#include <algorithm>
#include <vector>

NPCC_KERNELS(pairs, "pairs")

namespace npcc::rt::cuda {
namespace {

npcc_kernel pairKernels[] = {{&pairsImage, "npcc_pairs_float32", nullptr},
                             {&pairsImage, "npcc_pairs_float64", nullptr}};

constexpr int withoutVectors = 0, withVectors = 1;

/// A matrix of so many rows takes the library about as long as LAPACK (of a real one 70 ms and 73 on an H100 and a host
/// of 16 cores, of a complex one 33 and 42), a larger one less, in proportion to its rows: the library's time is that
/// of its many small launches, which grow with the rows.
constexpr int64_t leastRows = 256, leastComplexRows = 128;

Status checkSolver(int status, const char *function) { return checkCall("cuSOLVER", function, status); }

Status joinPairs(CudaDevice &device, const npcc_array &values, const void *columns, const npcc_array &vectors) {
  PairParams params{values.data, columns, vectors.data, vectors.shape[0], vectors.shape[1]};
  void *arguments[] = {&params};
  int64_t blocks = std::min(params.count * params.n, int64_t(32) * device.multiprocessors());
  LaunchShape shape{{blocks, 1, 1}, {threadsOfColumn, 1, 1}, 0, false};
  return device.launch(pairKernels[vectors.dtype == NPCC_COMPLEX128], shape, arguments);
}

} // namespace

bool isGeneral(std::string_view routine) { return routine == "eig" || routine == "eigvals"; }

bool isLargeGeneral(const npcc_array &stack) {
  bool isReal = stack.dtype == NPCC_FLOAT32 || stack.dtype == NPCC_FLOAT64;
  int64_t rows = stack.shape[1];
  // The library takes one matrix after the other.
  return rows >= (isReal ? leastRows : leastComplexRows) * countMatricesAtOnce(stack.shape[0], rows);
}

Status findGeneralEigenvalues(CudaDevice &device, void *handle, void *parameters, int32_t count,
                              const npcc_array *operands, int *infos) {
  const CusolverFunctions &f = *CusolverFunctions::get();
  const npcc_array &stack = operands[0], &values = operands[1];
  int64_t n = stack.shape[1], matrices = stack.shape[0];
  bool hasVectors = count == 3, isReal = stack.dtype == NPCC_FLOAT32 || stack.dtype == NPCC_FLOAT64;
  int type = dataTypes[stack.dtype - NPCC_FLOAT32], valueType = dataTypes[values.dtype - NPCC_FLOAT32];
  int job = hasVectors ? withVectors : withoutVectors;
  // Vectors of real matrices are real columns, which are joined to complex ones afterwards.
  OwnedBuffer columns, work;
  char *vectors = hasVectors ? static_cast<char *>(operands[2].data) : nullptr;
  if (hasVectors && isReal) {
    NPCC_TRY(columns.allocate(device, matrixBytes(stack) * matrices));
    vectors = columns.get();
  }
  size_t deviceBytes = 0, hostBytes = 0;
  NPCC_TRY(checkSolver(f.geevSize(handle, parameters, withoutVectors, job, n, type, stack.data, n, valueType,
                                  values.data, type, nullptr, n, type, vectors, n, type, &deviceBytes, &hostBytes),
                       "Xgeev_bufferSize"));
  NPCC_TRY(work.allocate(device, std::max<size_t>(deviceBytes, 1)));
  std::vector<char> hostWork(hostBytes);
  for (int64_t k = 0; k < matrices; ++k) {
    char *matrix = static_cast<char *>(stack.data) + k * matrixBytes(stack);
    char *valuesOf = static_cast<char *>(values.data) + k * matrixBytes(values);
    char *vectorsOf = vectors ? vectors + k * (isReal ? matrixBytes(stack) : matrixBytes(operands[2])) : nullptr;
    NPCC_TRY(checkSolver(f.geev(handle, parameters, withoutVectors, job, n, type, matrix, n, valueType, valuesOf, type,
                                nullptr, n, type, vectorsOf, n, type, work.get(), deviceBytes, hostWork.data(),
                                hostWork.size(), infos + k),
                         "Xgeev"));
  }
  return hasVectors && isReal ? joinPairs(device, values, columns.get(), operands[2]) : Status();
}

} // namespace npcc::rt::cuda
