#include "runtime/cuda/Cusolver.h"
#include "runtime/Buffer.h"
#include "runtime/Copy.h"
#include "runtime/Element.h"
#include "runtime/cuda/CudaDevice.h"
#include "runtime/cuda/CusolverFunctions.h"
#include "runtime/cuda/Finite.h"
#include "runtime/cuda/GeneralEigenvalues.h"
#include "runtime/cuda/SmallMatrices.h"
#include "runtime/cuda/Triangle.h"
#include <algorithm>
#include <climits>
#include <cstring>
#include <vector>

namespace npcc::rt::cuda {
namespace {

// Values of the libraries' enumerations.
constexpr int lowerTriangle = 0, upperTriangle = 1, noTranspose = 0, withoutVectors = 0, withVectors = 1;
/// cudaDataType of the real parts of FLOAT32, FLOAT64, COMPLEX64 and COMPLEX128.
constexpr int realTypes[] = {0, 1, 0, 1};

/// Larger matrices of a stack are factored one after the other: each of them fills the device.
constexpr int64_t mostBatched = 256;

/// From so many rows on, factors take many times as long as a look at whether the matrix is triangular.
constexpr int64_t leastTriangle = 256;

Status checkSolver(int status, const char *function) { return checkCall("cuSOLVER", function, status); }

/// A stack, and where its matrices are.
struct Operand {
  char *data;
  int64_t rows, columns, bytes;
  char *matrix(int64_t k) const { return data + k * bytes; }
};

/// One call of a routine: matrix after matrix, on the device's stream.
class Run {
public:
  Run(CudaDevice &device, void *handle, void *parameters, void *jacobi, int32_t count, const npcc_array *operands,
      int32_t dtype)
      : device(device), handle(handle), parameters(parameters), jacobi(jacobi), f(*CusolverFunctions::get()),
        dtype(dtype), letter(dtype - NPCC_FLOAT32), type(dataTypes[letter]), realType(realTypes[letter]),
        matrices(operands[0].shape[0]), count(count), operands(operands), finite(device) {
    for (int32_t k = 0; k < count; ++k) {
      const npcc_array &stack = operands[k];
      int64_t rows = stack.shape[stack.rank - 1], columns = stack.rank > 2 ? stack.shape[1] : 1;
      of[k] = {static_cast<char *>(stack.data), rows, columns, rows * columns * elementSize(stack.dtype)};
    }
  }

  Status call(const char *routine) {
    NPCC_TRY(infoBuffer.allocate(device, std::max<int64_t>(1, matrices) * sizeof(int)));
    auto is = [&](const char *name) { return !strcmp(routine, name); };
    if (is("cholesky")) {
      NPCC_TRY(look(lowerOfMatrix, false, &operands[0], nullptr));
      return cholesky();
    }
    if (is("lu"))
      return lu();
    if (is("solve")) {
      NPCC_TRY(look(allOfMatrix, false, &operands[1], nullptr));
      spreadsNan = true;
      return solve();
    }
    if (isGeneral(routine))
      return findGeneralEigenvalues(device, handle, parameters, count, operands, info(0));
    if (!strncmp(routine, "eig", 3)) {
      bool isUpper = strstr(routine, "upper"), hasVectors = is("eigh") || is("eigh_upper");
      NPCC_TRY(look(isUpper ? upperOfMatrix : lowerOfMatrix, !hasVectors, &operands[0], &operands[1]));
      return eigh(hasVectors ? withVectors : withoutVectors, isUpper ? upperTriangle : lowerTriangle);
    }
    if (is("qr_raw"))
      return reflectors();
    return is("qr") ? orthogonal() : singular(is("svd"));
  }

  /// Makes what a routine that may fail has said of matrices that are not finite what LAPACK says.
  Status settle() {
    return finite.hasLooked() && mayFail ? finite.settle(dtype, info(0), mayHaveNone, spreadsNan, results) : Status();
  }
  /// What the routine has said of each matrix.
  Status findFailed(int64_t &failed) {
    std::vector<int> infos(matrices);
    NPCC_TRY(device.copyOut(infos.data(), infoBuffer.get(), matrices * sizeof(int)));
    for (int64_t k = 0; k < matrices && !failed; ++k)
      failed = infos[k] != 0 ? k + 1 : 0;
    return {};
  }
  /// The same, for the record of kernels' errors.
  Status recordFailed(const RoutineError &error) { return recordFailures(device, info(0), matrices, error); }
  /// LU factors of singular matrices are results.
  bool mayFail = true;

private:
  int *info(int64_t k) const { return reinterpret_cast<int *>(infoBuffer.get()) + k; }

  Status look(MatrixPart part, bool none, const npcc_array *first, const npcc_array *second) {
    mayHaveNone = none;
    results[0] = first;
    results[1] = second;
    return finite.look(dtype, of[0].data, of[0].rows, matrices, part);
  }

  /// Memory for one routine, which the matrices use one after the other.
  Status allocateWork(size_t deviceBytes, size_t hostBytes) {
    workBytes = deviceBytes;
    hostWork.resize(hostBytes);
    return work.allocate(device, std::max<size_t>(deviceBytes, 1));
  }

  /// Stacks of small matrices are done by one call.
  bool isBatch(int64_t most) const {
    return matrices > 1 && matrices <= INT_MAX && of[0].rows <= most && of[0].columns <= most;
  }

  /// Where each matrix of an operand is, on the device.
  Status findAddresses(const Operand &operand, OwnedBuffer &addresses) {
    std::vector<void *> each(matrices);
    for (int64_t k = 0; k < matrices; ++k)
      each[k] = operand.matrix(k);
    NPCC_TRY(addresses.allocate(device, matrices * sizeof(void *)));
    return device.copyIn(addresses.get(), each.data(), matrices * sizeof(void *));
  }
  static void **pointers(const OwnedBuffer &addresses) { return reinterpret_cast<void **>(addresses.get()); }

  Status cholesky() {
    int64_t n = of[0].rows;
    if (isBatch(mostBatched)) {
      OwnedBuffer addresses;
      NPCC_TRY(findAddresses(of[0], addresses));
      return checkSolver(
          f.potrfBatched[letter](handle, lowerTriangle, int(n), pointers(addresses), int(n), info(0), int(matrices)),
          "potrfBatched");
    }
    size_t bytes = 0, hostBytes = 0;
    NPCC_TRY(
        checkSolver(f.potrfSize(handle, parameters, lowerTriangle, n, type, of[0].data, n, type, &bytes, &hostBytes),
                    "Xpotrf_bufferSize"));
    NPCC_TRY(allocateWork(bytes, hostBytes));
    for (int64_t k = 0; k < matrices; ++k)
      NPCC_TRY(checkSolver(f.potrf(handle, parameters, lowerTriangle, n, type, of[0].matrix(k), n, type, work.get(),
                                   workBytes, hostWork.data(), hostWork.size(), info(k)),
                           "Xpotrf"));
    return {};
  }

  /// The same by cuBLAS; pivots are int32.
  Status factoriseBatch(OwnedBuffer &addresses, OwnedBuffer &pivots) {
    NPCC_TRY(findAddresses(of[0], addresses));
    NPCC_TRY(pivots.allocate(device, of[0].rows * matrices * sizeof(int)));
    return device.blas()->factorise(dtype, int(of[0].rows), pointers(addresses), reinterpret_cast<int *>(pivots.get()),
                                    info(0), int(matrices), device.streams.use());
  }

  /// All matrices' factors in place; their pivots in `pivots`.
  Status factorise(OwnedBuffer &pivots) {
    int64_t n = of[0].rows;
    NPCC_TRY(pivots.allocate(device, n * matrices * sizeof(int64_t)));
    size_t bytes = 0, hostBytes = 0;
    NPCC_TRY(checkSolver(f.getrfSize(handle, parameters, n, n, type, of[0].data, n, type, &bytes, &hostBytes),
                         "Xgetrf_bufferSize"));
    NPCC_TRY(allocateWork(bytes, hostBytes));
    for (int64_t k = 0; k < matrices; ++k)
      NPCC_TRY(checkSolver(f.getrf(handle, parameters, n, n, type, of[0].matrix(k), n, pivotsOf(pivots, k), type,
                                   work.get(), workBytes, hostWork.data(), hostWork.size(), info(k)),
                           "Xgetrf"));
    return {};
  }
  int64_t *pivotsOf(const OwnedBuffer &pivots, int64_t k) const {
    return reinterpret_cast<int64_t *>(pivots.get()) + k * of[0].rows;
  }

  Status lu() {
    mayFail = false;
    OwnedBuffer addresses, pivots;
    int64_t n = of[0].rows, size = elementSize(dtype);
    std::vector<int64_t> rows(n * matrices);
    if (isBatch(mostBatched) && device.blas()) {
      NPCC_TRY(factoriseBatch(addresses, pivots));
      std::vector<int> narrow(rows.size());
      NPCC_TRY(device.copyOut(narrow.data(), pivots.get(), narrow.size() * sizeof(int)));
      std::copy(narrow.begin(), narrow.end(), rows.begin());
    } else {
      NPCC_TRY(factorise(pivots));
      NPCC_TRY(device.copyOut(rows.data(), pivots.get(), rows.size() * sizeof(int64_t)));
    }
    std::vector<char> parities(matrices * size);
    for (int64_t k = 0; k < matrices; ++k) {
      bool odd = false;
      for (int64_t row = 0; row < n; ++row)
        odd ^= rows[k * n + row] != row + 1;
      double value = odd ? -1 : 1;
      float single = odd ? -1 : 1;
      bool isSingle = dtype == NPCC_FLOAT32 || dtype == NPCC_COMPLEX64;
      memcpy(parities.data() + k * size, isSingle ? static_cast<void *>(&single) : &value,
             isSingle ? sizeof(single) : sizeof(value));
    }
    NPCC_TRY(device.copyIn(of[1].data, parities.data(), parities.size()));
    return device.synchronize();
  }

  Status solve() {
    OwnedBuffer addresses, sides, pivots, solved;
    if (isBatch(mostBatched) && of[1].columns <= INT_MAX && device.blas()) {
      NPCC_TRY(factoriseBatch(addresses, pivots));
      NPCC_TRY(findAddresses(of[1], sides));
      return device.blas()->solve(dtype, int(of[0].rows), int(of[1].columns), pointers(addresses),
                                  reinterpret_cast<int *>(pivots.get()), pointers(sides), int(matrices),
                                  device.streams.use());
    }
    bool isDone = false;
    NPCC_TRY(solveTriangles(isDone));
    if (isDone)
      return {};
    NPCC_TRY(factorise(pivots));
    NPCC_TRY(solved.allocate(device, sizeof(int)));
    int64_t n = of[0].rows;
    for (int64_t k = 0; k < matrices; ++k)
      NPCC_TRY(
          checkSolver(f.getrs(handle, parameters, noTranspose, n, of[1].columns, type, of[0].matrix(k), n,
                              pivotsOf(pivots, k), type, of[1].matrix(k), n, reinterpret_cast<int *>(solved.get())),
                      "Xgetrs"));
    return {};
  }

  /// Factors that somebody has made before (of cholesky, qr, lu), or their transposes: they need none of their own.
  Status solveTriangles(bool &isDone) {
    int64_t n = of[0].rows;
    if (n < leastTriangle || !device.blas())
      return {};
    Triangle found = Triangle::none;
    NPCC_TRY(findTriangle(device, dtype, of[0].data, n, matrices, found));
    isDone = found != Triangle::none;
    mayFail = !isDone;
    for (int64_t k = 0; isDone && k < matrices; ++k)
      NPCC_TRY(device.blas()->solveTriangle(dtype, found == Triangle::upper, n, of[1].columns, of[0].matrix(k),
                                            of[1].matrix(k), device.streams.use()));
    return {};
  }

  Status eigh(int job, int triangle) {
    int64_t n = of[0].rows;
    size_t bytes = 0, hostBytes = 0;
    if (isBatch(mostBatched) && f.syevBatched) {
      NPCC_TRY(checkSolver(f.syevBatchedSize(handle, parameters, job, triangle, n, type, of[0].data, n, realType,
                                             of[1].data, type, &bytes, &hostBytes, matrices),
                           "XsyevBatched_bufferSize"));
      NPCC_TRY(allocateWork(bytes, hostBytes));
      return checkSolver(f.syevBatched(handle, parameters, job, triangle, n, type, of[0].data, n, realType, of[1].data,
                                       type, work.get(), workBytes, hostWork.data(), hostWork.size(), info(0),
                                       matrices),
                         "XsyevBatched");
    }
    NPCC_TRY(checkSolver(f.syevdSize(handle, parameters, job, triangle, n, type, of[0].data, n, realType, of[1].data,
                                     type, &bytes, &hostBytes),
                         "Xsyevd_bufferSize"));
    NPCC_TRY(allocateWork(bytes, hostBytes));
    for (int64_t k = 0; k < matrices; ++k)
      NPCC_TRY(
          checkSolver(f.syevd(handle, parameters, job, triangle, n, type, of[0].matrix(k), n, realType, of[1].matrix(k),
                              type, work.get(), workBytes, hostWork.data(), hostWork.size(), info(k)),
                      "Xsyevd"));
    return {};
  }

  Status reflectors() {
    int64_t m = of[0].rows, n = of[0].columns;
    size_t bytes = 0, hostBytes = 0;
    NPCC_TRY(checkSolver(
        f.geqrfSize(handle, parameters, m, n, type, of[0].data, m, type, of[1].data, type, &bytes, &hostBytes),
        "Xgeqrf_bufferSize"));
    NPCC_TRY(allocateWork(bytes, hostBytes));
    for (int64_t k = 0; k < matrices; ++k)
      NPCC_TRY(checkSolver(f.geqrf(handle, parameters, m, n, type, of[0].matrix(k), m, type, of[1].matrix(k), type,
                                   work.get(), workBytes, hostWork.data(), hostWork.size(), info(k)),
                           "Xgeqrf"));
    return {};
  }

  /// Operands a, tau, q.
  Status orthogonal() {
    int m = int(of[2].rows), columns = int(of[2].columns), count = int(of[1].rows), size = 0;
    NPCC_TRY(checkSolver(f.orgqrSize[letter](handle, m, columns, count, of[2].data, m, of[1].data, &size),
                         "orgqr_bufferSize"));
    NPCC_TRY(allocateWork(size * elementSize(dtype), 0));
    for (int64_t k = 0; k < matrices; ++k) {
      NPCC_TRY(device.copyWithin(of[2].matrix(k), of[0].matrix(k), std::min(of[0].bytes, of[2].bytes)));
      NPCC_TRY(checkSolver(
          f.orgqr[letter](handle, m, columns, count, of[2].matrix(k), m, of[1].matrix(k), work.get(), size, info(k)),
          "orgqr"));
    }
    return {};
  }

  /// to = the transpose of from, which has `rows` rows.
  Status transpose(char *to, char *from, int64_t rows, int64_t columns) {
    int64_t size = elementSize(dtype);
    View target{to, size, 2, {rows, columns}, {columns, 1}}, source{from, size, 2, {rows, columns}, {1, rows}};
    return copyOnDevice(device, target, source);
  }

  /// Jacobi's method, of all matrices at once; it gives all of u, and v itself.
  Status singularBatch(bool vectors) {
    int m = int(of[0].rows), n = int(of[0].columns), size = 0, count = int(matrices);
    int64_t bytes = elementSize(dtype);
    OwnedBuffer allU, allV;
    NPCC_TRY(allU.allocate(device, m * m * matrices * bytes));
    NPCC_TRY(allV.allocate(device, n * n * matrices * bytes));
    char *a = of[0].data, *s = of[vectors ? 2 : 1].data, *u = allU.get(), *v = allV.get();
    int job = vectors ? withVectors : withoutVectors;
    NPCC_TRY(checkSolver(f.gesvdjBatchedSize[letter](handle, job, m, n, a, m, s, u, m, v, n, &size, jacobi, count),
                         "gesvdjBatched_bufferSize"));
    NPCC_TRY(allocateWork(size * bytes, 0));
    NPCC_TRY(checkSolver(
        f.gesvdjBatched[letter](handle, job, m, n, a, m, s, u, m, v, n, work.get(), size, info(0), jacobi, count),
        "gesvdjBatched"));
    if (!vectors)
      return {};
    int64_t left = of[1].columns, right = of[3].rows;
    View fromU{u, bytes, 3, {matrices, left, m}, {m * m, m, 1}},
        toU{of[1].data, bytes, 3, {matrices, left, m}, {left * m, m, 1}};
    View fromV{v, bytes, 3, {matrices, n, right}, {n * n, 1, n}},
        toV{of[3].data, bytes, 3, {matrices, n, right}, {n * right, right, 1}};
    NPCC_TRY(copyOnDevice(device, toU, fromU));
    return copyOnDevice(device, toV, fromV);
  }

  /// cuSOLVER takes matrices with at least as many rows as columns: others are transposed, a.T = (v.T) s (u.T).
  Status singular(bool vectors) {
    if (isBatch(32) && letter < 2)
      return singularBatch(vectors);
    int64_t m = of[0].rows, n = of[0].columns, few = std::min(m, n), many = std::max(m, n), size = elementSize(dtype);
    bool isWide = m < n, isFull = vectors && of[1].columns == m && of[3].rows == n;
    const Operand &values = of[vectors ? 2 : 1];
    // Of the taller of the matrix and its transpose.
    int64_t leftColumns = isFull ? many : few;
    signed char job = !vectors ? 'N' : isFull ? 'A' : 'S';
    OwnedBuffer tall, left, right;
    if (isWide) {
      NPCC_TRY(tall.allocate(device, m * n * size));
      NPCC_TRY(left.allocate(device, vectors ? many * leftColumns * size : 1));
      NPCC_TRY(right.allocate(device, vectors ? few * few * size : 1));
    }
    size_t bytes = 0, hostBytes = 0;
    for (int64_t k = 0; k < matrices; ++k) {
      char *a = of[0].matrix(k), *u = vectors ? of[1].matrix(k) : nullptr, *v = vectors ? of[3].matrix(k) : nullptr;
      if (isWide) {
        NPCC_TRY(transpose(tall.get(), a, m, n));
        a = tall.get();
        u = left.get();
        v = right.get();
      }
      if (k == 0) {
        NPCC_TRY(checkSolver(f.gesvdSize(handle, parameters, job, job, many, few, type, a, many, realType, values.data,
                                         type, u, many, type, v, few, type, &bytes, &hostBytes),
                             "Xgesvd_bufferSize"));
        NPCC_TRY(allocateWork(bytes, hostBytes));
      }
      NPCC_TRY(checkSolver(f.gesvd(handle, parameters, job, job, many, few, type, a, many, realType, values.matrix(k),
                                   type, u, many, type, v, few, type, work.get(), workBytes, hostWork.data(),
                                   hostWork.size(), info(k)),
                           "Xgesvd"));
      if (isWide && vectors) {
        NPCC_TRY(transpose(of[1].matrix(k), v, few, few));
        NPCC_TRY(transpose(of[3].matrix(k), u, many, leftColumns));
      }
    }
    return {};
  }

  CudaDevice &device;
  void *handle, *parameters, *jacobi;
  const CusolverFunctions &f;
  int32_t dtype, letter;
  int type, realType;
  int64_t matrices;
  int32_t count;
  const npcc_array *operands;
  Operand of[6];
  OwnedBuffer infoBuffer, work;
  FiniteTest finite;
  bool mayHaveNone = false;                          // results, of matrices that are not finite
  bool spreadsNan = false;                           // a NaN of a matrix is in all of its result
  const npcc_array *results[2] = {nullptr, nullptr}; // where these are NaN
  size_t workBytes = 0;
  std::vector<char> hostWork;
};

} // namespace

bool Cusolver::has(const char *routine) {
  static const char *const routines[] = {"cholesky",       "lu",     "solve", "eigh", "eigvalsh", "eigh_upper", "eig",
                                         "eigvalsh_upper", "qr_raw", "qr",    "svd",  "svdvals",  "eigvals"};
  if (std::none_of(std::begin(routines), std::end(routines),
                   [&](const char *known) { return !strcmp(known, routine); }))
    return false;
  std::lock_guard<std::mutex> lock(mutex);
  const CusolverFunctions *functions = CusolverFunctions::get();
  if (isGeneral(routine) && !(functions && functions->geev))
    return false;
  if (tried || !functions)
    return handle != nullptr;
  tried = true;
  void *made = nullptr;
  if (functions->create(&made) == 0 && functions->createParameters(&parameters) == 0 &&
      functions->createJacobi(&jacobi) == 0)
    handle = made;
  return handle != nullptr;
}

Status Cusolver::run(CudaDevice &device, const char *routine, int32_t inputs, int32_t count, const npcc_array *operands,
                     const RoutineError *error, int64_t &failed) {
  std::lock_guard<std::mutex> lock(mutex);
  NPCC_TRY(checkSolver(CusolverFunctions::get()->setStream(handle, device.streams.use()), "cusolverDnSetStream"));
  Run run(device, handle, parameters, jacobi, count, operands, operands[inputs].dtype);
  NPCC_TRY(run.call(routine));
  NPCC_TRY(run.settle());
  if (run.mayFail)
    NPCC_TRY(error ? run.recordFailed(*error) : run.findFailed(failed));
  return {};
}

const char *cusolverLibrary() {
  return CusolverFunctions::get() ? CusolverFunctions::get()->library.file().c_str() : "";
}

} // namespace npcc::rt::cuda

const char *npcc_rt_cusolver_description(void) { return npcc::rt::cuda::cusolverLibrary(); }
