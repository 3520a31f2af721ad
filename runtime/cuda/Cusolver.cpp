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

/// Larger matrices of a stack are factored by a call each, several of them side by side. On an H200, stacks of 32
/// matrices of float64 take in one call and side by side: Cholesky factors .85 and 4.2 ms for 500 rows, 2.2 and 4.4 for
/// 1,000 (16 of them); LU factors 12 and 21 for 500, 28 and 25 for 1,000; systems with as many right sides 12 and 20
/// for 300, 38 and 36 for 500; eigenvalues with vectors 21 and 69 for 300, 30 and 124 for 500.
constexpr int64_t mostBatchedCholesky = 1024, mostBatchedLu = 640, mostBatchedSolve = 384, mostBatchedEigh = 640;

/// Matrices with more rows or columns fill the device, so that they go one after the other, in the memory that one
/// needs.
constexpr int64_t mostBeside = 4096;

/// From so many rows on, factors take many times as long as a look at whether the matrix is triangular.
constexpr int64_t leastTriangle = 256;

Status checkSolver(int status, const char *function) { return checkCall("cuSOLVER", function, status); }

/// A stack, and where its matrices are.
struct Operand {
  char *data;
  int64_t rows, columns, bytes;
  char *matrix(int64_t k) const { return data + k * bytes; }
};

/// What a call for one matrix is made with. Calls of one lane run one after the other, calls of two lanes side by side.
struct Lane {
  void *handle;
  char *work, *hostWork;
};

/// One call of a routine, for all matrices.
class Run {
public:
  Run(CudaDevice &device, SolverHandles &handles, int32_t count, const npcc_array *operands, int32_t dtype)
      : device(device), handles(handles), handle(handles.first()), parameters(handles.parameters),
        jacobi(handles.jacobi), f(*CusolverFunctions::get()), dtype(dtype), letter(dtype - NPCC_FLOAT32),
        type(dataTypes[letter]), realType(realTypes[letter]), matrices(operands[0].shape[0]), count(count),
        operands(operands), finite(device) {
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

  /// Memory for one routine: for each lane, `deviceBytes` on the device and `hostBytes` beside it.
  Status allocateWork(size_t deviceBytes, size_t hostBytes, int lanes = 1) {
    workBytes = deviceBytes;
    hostBytesOfLane = hostBytes;
    hostWork.resize(hostBytes * lanes);
    return work.allocate(device, std::max<size_t>(alignedWork(), 1) * lanes);
  }
  size_t alignedWork() const { return (workBytes + 255) / 256 * 256; }

  int countLanes() const {
    int64_t largest = std::max(of[0].rows, of[0].columns);
    return largest <= mostBeside && device.streams.isOwn() ? int(std::min<int64_t>(matrices, SolverHandles::most)) : 1;
  }

  /// Calls `one(k, lane)` for each matrix k. A call for a matrix of some hundred rows is many short kernels of few
  /// blocks, and waits for each of them, so the matrices are dealt out to lanes with a stream each. What `one` sends
  /// goes to the stream of its lane's handle alone.
  template <typename One> Status forEachMatrix(size_t deviceBytes, size_t hostBytes, One &&one) {
    int count = countLanes();
    NPCC_TRY(allocateWork(deviceBytes, hostBytes, count));
    if (count > 1)
      NPCC_TRY(device.streams.fork());
    Lane lanes[SolverHandles::most];
    for (int number = 0; number < count; ++number) {
      lanes[number] = {handle, work.get() + number * alignedWork(), hostWork.data() + number * hostBytesOfLane};
      if (number == 0)
        continue;
      Stream stream = nullptr;
      NPCC_TRY(checkSolver(handles.make(number, lanes[number].handle), "cusolverDnCreate"));
      NPCC_TRY(device.streams.beside(number - 1, stream));
      NPCC_TRY(checkSolver(f.setStream(lanes[number].handle, stream), "cusolverDnSetStream"));
    }
    for (int64_t k = 0; k < matrices; ++k)
      NPCC_TRY(one(k, lanes[k % count]));
    return {};
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
    if (isBatch(mostBatchedCholesky)) {
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
    return forEachMatrix(bytes, hostBytes, [&](int64_t k, const Lane &lane) {
      return checkSolver(f.potrf(lane.handle, parameters, lowerTriangle, n, type, of[0].matrix(k), n, type, lane.work,
                                 workBytes, lane.hostWork, hostBytesOfLane, info(k)),
                         "Xpotrf");
    });
  }

  /// The same by cuBLAS; pivots are int32.
  Status factoriseBatch(OwnedBuffer &addresses, OwnedBuffer &pivots) {
    NPCC_TRY(findAddresses(of[0], addresses));
    NPCC_TRY(pivots.allocate(device, of[0].rows * matrices * sizeof(int)));
    return device.blas()->factorise(dtype, int(of[0].rows), pointers(addresses), reinterpret_cast<int *>(pivots.get()),
                                    info(0), int(matrices), device.streams.use());
  }

  /// All matrices' factors in place; their pivots in `pivots`. Then `after(k, lane)`, for each of them.
  template <typename After> Status factorise(OwnedBuffer &pivots, After &&after) {
    int64_t n = of[0].rows;
    NPCC_TRY(pivots.allocate(device, n * matrices * sizeof(int64_t)));
    size_t bytes = 0, hostBytes = 0;
    NPCC_TRY(checkSolver(f.getrfSize(handle, parameters, n, n, type, of[0].data, n, type, &bytes, &hostBytes),
                         "Xgetrf_bufferSize"));
    return forEachMatrix(bytes, hostBytes, [&](int64_t k, const Lane &lane) {
      NPCC_TRY(checkSolver(f.getrf(lane.handle, parameters, n, n, type, of[0].matrix(k), n, pivotsOf(pivots, k), type,
                                   lane.work, workBytes, lane.hostWork, hostBytesOfLane, info(k)),
                           "Xgetrf"));
      return after(k, lane);
    });
  }
  int64_t *pivotsOf(const OwnedBuffer &pivots, int64_t k) const {
    return reinterpret_cast<int64_t *>(pivots.get()) + k * of[0].rows;
  }

  Status lu() {
    mayFail = false;
    OwnedBuffer addresses, pivots;
    int64_t n = of[0].rows, size = elementSize(dtype);
    std::vector<int64_t> rows(n * matrices);
    if (isBatch(mostBatchedLu) && device.blas()) {
      NPCC_TRY(factoriseBatch(addresses, pivots));
      std::vector<int> narrow(rows.size());
      NPCC_TRY(device.copyOut(narrow.data(), pivots.get(), narrow.size() * sizeof(int)));
      std::copy(narrow.begin(), narrow.end(), rows.begin());
    } else {
      NPCC_TRY(factorise(pivots, [](int64_t, const Lane &) { return Status(); }));
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
    if (isBatch(mostBatchedSolve) && of[1].columns <= INT_MAX && device.blas()) {
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
    NPCC_TRY(solved.allocate(device, matrices * sizeof(int)));
    int64_t n = of[0].rows;
    return factorise(pivots, [&](int64_t k, const Lane &lane) {
      return checkSolver(f.getrs(lane.handle, parameters, noTranspose, n, of[1].columns, type, of[0].matrix(k), n,
                                 pivotsOf(pivots, k), type, of[1].matrix(k), n,
                                 reinterpret_cast<int *>(solved.get()) + k),
                         "Xgetrs");
    });
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
    if (isBatch(mostBatchedEigh) && f.syevBatched) {
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
    return forEachMatrix(bytes, hostBytes, [&](int64_t k, const Lane &lane) {
      return checkSolver(f.syevd(lane.handle, parameters, job, triangle, n, type, of[0].matrix(k), n, realType,
                                 of[1].matrix(k), type, lane.work, workBytes, lane.hostWork, hostBytesOfLane, info(k)),
                         "Xsyevd");
    });
  }

  Status reflectors() {
    int64_t m = of[0].rows, n = of[0].columns;
    size_t bytes = 0, hostBytes = 0;
    NPCC_TRY(checkSolver(
        f.geqrfSize(handle, parameters, m, n, type, of[0].data, m, type, of[1].data, type, &bytes, &hostBytes),
        "Xgeqrf_bufferSize"));
    return forEachMatrix(bytes, hostBytes, [&](int64_t k, const Lane &lane) {
      return checkSolver(f.geqrf(lane.handle, parameters, m, n, type, of[0].matrix(k), m, type, of[1].matrix(k), type,
                                 lane.work, workBytes, lane.hostWork, hostBytesOfLane, info(k)),
                         "Xgeqrf");
    });
  }

  /// Operands a, tau, q.
  Status orthogonal() {
    int m = int(of[2].rows), columns = int(of[2].columns), count = int(of[1].rows), size = 0;
    NPCC_TRY(checkSolver(f.orgqrSize[letter](handle, m, columns, count, of[2].data, m, of[1].data, &size),
                         "orgqr_bufferSize"));
    for (int64_t k = 0; k < matrices; ++k)
      NPCC_TRY(device.copyWithin(of[2].matrix(k), of[0].matrix(k), std::min(of[0].bytes, of[2].bytes)));
    return forEachMatrix(size * elementSize(dtype), 0, [&](int64_t k, const Lane &lane) {
      return checkSolver(f.orgqr[letter](lane.handle, m, columns, count, of[2].matrix(k), m, of[1].matrix(k), lane.work,
                                         size, info(k)),
                         "orgqr");
    });
  }

  /// to = the transposes of the matrices of from, which have `rows` rows.
  Status transpose(char *to, char *from, int64_t rows, int64_t columns) {
    int64_t size = elementSize(dtype), elements = rows * columns;
    View target{to, size, 3, {matrices, rows, columns}, {elements, columns, 1}};
    View source{from, size, 3, {matrices, rows, columns}, {elements, 1, rows}};
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
    Operand a = of[0], u = of[1], v = of[3];
    if (isWide) {
      NPCC_TRY(tall.allocate(device, matrices * a.bytes));
      NPCC_TRY(transpose(tall.get(), a.data, m, n));
      a.data = tall.get();
      u.bytes = many * leftColumns * size;
      v.bytes = few * few * size;
      NPCC_TRY(left.allocate(device, vectors ? matrices * u.bytes : 1));
      NPCC_TRY(right.allocate(device, vectors ? matrices * v.bytes : 1));
      u.data = left.get();
      v.data = right.get();
    }
    if (!vectors)
      u = v = {nullptr, 0, 0, 0};
    size_t bytes = 0, hostBytes = 0;
    NPCC_TRY(checkSolver(f.gesvdSize(handle, parameters, job, job, many, few, type, a.data, many, realType, values.data,
                                     type, u.data, many, type, v.data, few, type, &bytes, &hostBytes),
                         "Xgesvd_bufferSize"));
    NPCC_TRY(forEachMatrix(bytes, hostBytes, [&](int64_t k, const Lane &lane) {
      return checkSolver(f.gesvd(lane.handle, parameters, job, job, many, few, type, a.matrix(k), many, realType,
                                 values.matrix(k), type, u.matrix(k), many, type, v.matrix(k), few, type, lane.work,
                                 workBytes, lane.hostWork, hostBytesOfLane, info(k)),
                         "Xgesvd");
    }));
    if (!isWide || !vectors)
      return {};
    NPCC_TRY(transpose(of[1].data, v.data, few, few));
    return transpose(of[3].data, u.data, many, leftColumns);
  }

  CudaDevice &device;
  SolverHandles &handles;
  void *handle, *parameters, *jacobi; // the first lane's handle, on the device's stream
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
  size_t workBytes = 0, hostBytesOfLane = 0;
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
  return functions && handles.first();
}

void *SolverHandles::first() {
  if (!isTried) {
    isTried = true;
    const CusolverFunctions *functions = CusolverFunctions::get();
    void *made = nullptr;
    if (functions->create(&made) == 0 && functions->createParameters(&parameters) == 0 &&
        functions->createJacobi(&jacobi) == 0)
      each[0] = made;
  }
  return each[0];
}

int SolverHandles::make(int number, void *&handle) {
  int status = each[number] ? 0 : CusolverFunctions::get()->create(&each[number]);
  handle = each[number];
  return status;
}

Status Cusolver::run(CudaDevice &device, const char *routine, int32_t inputs, int32_t count, const npcc_array *operands,
                     const RoutineError *error, int64_t &failed) {
  std::lock_guard<std::mutex> lock(mutex);
  NPCC_TRY(
      checkSolver(CusolverFunctions::get()->setStream(handles.first(), device.streams.use()), "cusolverDnSetStream"));
  Run run(device, handles, count, operands, operands[inputs].dtype);
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
