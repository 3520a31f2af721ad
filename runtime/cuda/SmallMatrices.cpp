// Stacks of small matrices (kernels/small.cu): a library takes a call and several launches for each step, and asks for
// the addresses of all of them.
#include "runtime/cuda/SmallMatrices.h"
#include "runtime/Element.h"
#include "runtime/cuda/CudaDevice.h"
#include "runtime/cuda/Embed.h"
#include "runtime/cuda/Kernels.h"
#include "runtime/cuda/kernels/SmallParams.h"
#include <algorithm>
#include <bit>
#include <cstring>

NPCC_KERNELS(small, "small")

namespace npcc::rt::cuda {
namespace {

struct Routine {
  const char *name;
  FloatKernels kernels;
};
npcc_kernel report{&smallImage, "npcc_small_report", nullptr};
Routine routines[] = {{"lu", NPCC_FLOAT_KERNELS(smallImage, "small_lu", "")},
                      {"solve", NPCC_FLOAT_KERNELS(smallImage, "small_solve", "")},
                      {"cholesky", NPCC_FLOAT_KERNELS(smallImage, "small_cholesky", "")}};

Routine *findRoutine(const char *name) {
  if (isOfRows(name))
    name = "solve";
  auto *found = std::find_if(std::begin(routines), std::end(routines),
                             [&](const Routine &routine) { return !strcmp(routine.name, name); });
  return found == std::end(routines) ? nullptr : found;
}

int32_t typeOf(const npcc_array &array) { return array.dtype - NPCC_FLOAT32; }

// The threads of one matrix solve for all its right sides, one behind another: a library shares many of them out, and
// is only slower where it is called for each of many matrices.
constexpr int64_t sidesPerRow = 16, manyMatrices = 256;

int64_t countSides(const npcc_array &sides) { return sides.rank > 2 ? sides.shape[1] : 1; }

} // namespace

bool isOfRows(const char *routine) { return !strcmp(routine, "solve_rows"); }

bool isSmallRoutine(const char *routine, int32_t inputs, const npcc_array *operands) {
  const npcc_array &a = operands[0];
  bool isSmall = inputs == isOfRows(routine) && findRoutine(routine) && a.rank == 3 && a.shape[1] == a.shape[2] &&
                 a.shape[1] <= largestSmall && typeOf(a) >= 0 && typeOf(a) < 4;
  bool isSolve = isOfRows(routine) || !strcmp(routine, "solve");
  return isSmall && (!isSolve || a.shape[0] >= manyMatrices || countSides(operands[1]) <= sidesPerRow * a.shape[1]);
}

static ErrorParams paramsOf(CudaDevice &device, const RoutineError &error) {
  return {device.errorRecord(), uint64_t(device.launchNumber()), error.error, error.line, error.file, error.message};
}

constexpr int64_t noFailure = INT64_MAX;

Status FailureRecord::prepare(FailureParams &params) {
  if (error) {
    params.error = paramsOf(device, *error);
    return {};
  }
  NPCC_TRY(number.allocate(device, sizeof noFailure));
  NPCC_TRY(device.copyIn(number.get(), &noFailure, sizeof noFailure));
  params.failed = reinterpret_cast<unsigned long long *>(number.get());
  return {};
}

Status FailureRecord::findFailed(int64_t &failed) {
  int64_t first = noFailure;
  if (!error)
    NPCC_TRY(device.copyOut(&first, number.get(), sizeof first));
  failed = first == noFailure ? 0 : first;
  return {};
}

Status recordFailures(CudaDevice &device, const int32_t *infos, int64_t matrices, const RoutineError &error) {
  ReportParams params{infos, matrices, paramsOf(device, error)};
  void *arguments[] = {&params};
  return device.launch(report, {{1, 1, 1}, {256, 1, 1}, 0, false}, arguments);
}

Status runSmall(CudaDevice &device, const char *routine, const npcc_array *operands, const RoutineError *error,
                int64_t &failed) {
  const npcc_array &a = operands[0];
  Routine &found = *findRoutine(routine);
  bool isSolve = isOfRows(routine) || !strcmp(routine, "solve"), isLu = !strcmp(routine, "lu");
  int64_t n = a.shape[1];
  FailureRecord failures(device, error);
  SmallParams params{};
  if (!isLu) // singular matrices have factors
    NPCC_TRY(failures.prepare(params.failure));
  params.matrices = a.data;
  params.sides = isSolve ? operands[1].data : nullptr;
  params.columns = isSolve ? countSides(operands[1]) : 0;
  params.parities = isLu ? operands[1].data : nullptr;
  params.count = a.shape[0];
  params.n = int32_t(n);
  params.isOfRows = isOfRows(routine);
  params.lanes = int32_t(std::bit_ceil(uint64_t(n)));
  int64_t groups = smallThreads / params.lanes, bytes = groups * n * (n | 1) * elementSize(a.dtype);
  params.hasRoom = 2 * params.columns > n && 2 * bytes <= 48 * 1024; // what every GPU has
  int64_t blocks = countBlocks(device, params.count, groups);
  // Few matrices leave most of the device idle: their right sides are shared out.
  int64_t sides = params.hasRoom ? (params.columns + n - 1) / n : params.columns;
  int64_t parts = std::clamp<int64_t>(device.multiprocessors() / blocks, 1, std::max<int64_t>(sides, 1));
  LaunchShape shape{{blocks, parts, 1}, {smallThreads, 1, 1}, bytes * (1 + params.hasRoom), false};
  void *arguments[] = {&params};
  NPCC_TRY(device.launch(found.kernels[typeOf(a)], shape, arguments));
  return isLu ? Status() : failures.findFailed(failed);
}

} // namespace npcc::rt::cuda
