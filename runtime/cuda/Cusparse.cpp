#include "runtime/cuda/Cusparse.h"
#include "runtime/Buffer.h"
#include "runtime/abi/dtypes.h"
#include "runtime/abi/sparse.h"
#include "runtime/cuda/CudaDevice.h"
#include "runtime/cuda/Library.h"

namespace npcc::rt::cuda {
namespace {

// Values of cuSPARSE's enumerations. Of the algorithms for tables the second one is made for rows that lie one behind
// the other.
constexpr int noTranspose = 0, fromZero = 0, index32 = 2, index64 = 3, inRows = 2, vectorAlgorithm = 0,
              tableAlgorithm = 6;

using Create = int (*)(void **matrix, int64_t rows, int64_t columns, int64_t count, void *ends, void *places,
                       void *data, int endType, int placeType, int base, int dataType);
using Destroy = int (*)(void *described);

struct Functions {
  Library library;
  int (*create)(void **handle) = nullptr;
  int (*setStream)(void *handle, Stream stream) = nullptr;
  Create createRows = nullptr, createColumns = nullptr;
  int (*createVector)(void **vector, int64_t length, void *data, int dataType) = nullptr;
  int (*createTable)(void **table, int64_t rows, int64_t columns, int64_t step, void *data, int dataType,
                     int order) = nullptr;
  Destroy destroyMatrix = nullptr, destroyVector = nullptr, destroyTable = nullptr;
  int (*vectorBytes)(void *handle, int operation, const void *alpha, void *matrix, void *x, const void *beta, void *y,
                     int dataType, int algorithm, size_t *bytes) = nullptr;
  int (*timesVector)(void *handle, int operation, const void *alpha, void *matrix, void *x, const void *beta, void *y,
                     int dataType, int algorithm, void *buffer) = nullptr;
  int (*tableBytes)(void *handle, int operation, int operationOfTable, const void *alpha, void *matrix, void *x,
                    const void *beta, void *y, int dataType, int algorithm, size_t *bytes) = nullptr;
  int (*timesTable)(void *handle, int operation, int operationOfTable, const void *alpha, void *matrix, void *x,
                    const void *beta, void *y, int dataType, int algorithm, void *buffer) = nullptr;

  bool load() {
    return library.open("NPCC_CUSPARSE", {"libcusparse.so.12", "libcusparse.so.11"}) &&
           library.find(create, "cusparseCreate") && library.find(setStream, "cusparseSetStream") &&
           library.find(createRows, "cusparseCreateCsr") && library.find(createColumns, "cusparseCreateCsc") &&
           library.find(createVector, "cusparseCreateDnVec") && library.find(createTable, "cusparseCreateDnMat") &&
           library.find(destroyMatrix, "cusparseDestroySpMat") && library.find(destroyVector, "cusparseDestroyDnVec") &&
           library.find(destroyTable, "cusparseDestroyDnMat") && library.find(vectorBytes, "cusparseSpMV_bufferSize") &&
           library.find(timesVector, "cusparseSpMV") && library.find(tableBytes, "cusparseSpMM_bufferSize") &&
           library.find(timesTable, "cusparseSpMM");
  }
};

Status checkSparse(int status, const char *function) { return checkCall("cuSPARSE", function, status); }

/// A description that cuSPARSE has made.
struct Described {
  Destroy destroy;
  void *made = nullptr;
  explicit Described(Destroy destroy) : destroy(destroy) {}
  Described(const Described &) = delete;
  ~Described() {
    if (made)
      destroy(made);
  }
};

} // namespace

bool Cusparse::available() {
  const Functions *functions = loaded<Functions>();
  std::lock_guard<std::mutex> lock(mutex);
  if (!tried && functions && functions->create(&handle))
    handle = nullptr;
  tried = true;
  return handle != nullptr;
}

Status Cusparse::multiply(CudaDevice &device, const SparseLines &matrix, bool areRows, const SparseFactors &by) {
  const Functions &f = *loaded<Functions>();
  std::lock_guard<std::mutex> lock(mutex);
  NPCC_TRY(checkSparse(f.setStream(handle, device.streams.use()), "cusparseSetStream"));
  int type = dataTypes[matrix.dtype - NPCC_FLOAT32], placeType = matrix.placeType == NPCC_INT32 ? index32 : index64;
  int64_t rows = areRows ? matrix.lines : matrix.width, columns = areRows ? matrix.width : matrix.lines;
  auto given = [](const void *address) { return const_cast<void *>(address); };
  Described lines(f.destroyMatrix);
  NPCC_TRY(checkSparse((areRows ? f.createRows : f.createColumns)(
                           &lines.made, rows, columns, matrix.count, given(matrix.ends), given(matrix.places),
                           given(matrix.data), placeType, placeType, fromZero, type),
                       areRows ? "cusparseCreateCsr" : "cusparseCreateCsc"));
  Destroy destroy = by.isTable ? f.destroyTable : f.destroyVector;
  Described x(destroy), y(destroy);
  auto describe = [&](Described &array, int64_t length, void *data) {
    if (by.isTable)
      return checkSparse(f.createTable(&array.made, length, by.columns, by.columns, data, type, inRows),
                         "cusparseCreateDnMat");
    return checkSparse(f.createVector(&array.made, length, data, type), "cusparseCreateDnVec");
  };
  NPCC_TRY(describe(x, columns, given(by.factors)));
  NPCC_TRY(describe(y, rows, by.sums));
  // One and zero, of the dtype; complex numbers have a second part.
  const double one[2] = {1, 0}, zero[2] = {0, 0};
  const float oneSingle[2] = {1, 0};
  bool isSingle = matrix.dtype == NPCC_FLOAT32 || matrix.dtype == NPCC_COMPLEX64;
  const void *alpha = isSingle ? static_cast<const void *>(oneSingle) : one;
  size_t bytes = 0;
  OwnedBuffer buffer;
  if (by.isTable) {
    NPCC_TRY(checkSparse(f.tableBytes(handle, noTranspose, noTranspose, alpha, lines.made, x.made, zero, y.made, type,
                                      tableAlgorithm, &bytes),
                         "cusparseSpMM_bufferSize"));
    NPCC_TRY(buffer.allocate(device, int64_t(bytes) + 1));
    return checkSparse(f.timesTable(handle, noTranspose, noTranspose, alpha, lines.made, x.made, zero, y.made, type,
                                    tableAlgorithm, buffer.get()),
                       "cusparseSpMM");
  }
  NPCC_TRY(checkSparse(
      f.vectorBytes(handle, noTranspose, alpha, lines.made, x.made, zero, y.made, type, vectorAlgorithm, &bytes),
      "cusparseSpMV_bufferSize"));
  NPCC_TRY(buffer.allocate(device, int64_t(bytes) + 1));
  return checkSparse(
      f.timesVector(handle, noTranspose, alpha, lines.made, x.made, zero, y.made, type, vectorAlgorithm, buffer.get()),
      "cusparseSpMV");
}

const char *cusparseLibrary() { return loaded<Functions>() ? loaded<Functions>()->library.file().c_str() : ""; }

} // namespace npcc::rt::cuda

const char *npcc_rt_cusparse_description(void) { return npcc::rt::cuda::cusparseLibrary(); }
