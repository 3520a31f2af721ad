#include "runtime/cuda/Cusparse.h"
#include "runtime/Buffer.h"
#include "runtime/abi/dtypes.h"
#include "runtime/abi/sparse.h"
#include "runtime/cuda/CudaDevice.h"
#include "runtime/cuda/Library.h"

namespace npcc::rt::cuda {
namespace {

// Values of cuSPARSE's enumerations.
constexpr int noTranspose = 0, fromZero = 0, defaultAlgorithm = 0, index32 = 2, index64 = 3;

struct Functions {
  Library library;
  int (*create)(void **handle) = nullptr;
  int (*setStream)(void *handle, Stream stream) = nullptr;
  int (*createCsc)(void **matrix, int64_t rows, int64_t columns, int64_t count, void *ends, void *places, void *data,
                   int endType, int placeType, int base, int dataType) = nullptr;
  int (*createVector)(void **vector, int64_t length, void *data, int dataType) = nullptr;
  int (*destroyMatrix)(void *matrix) = nullptr;
  int (*destroyVector)(void *vector) = nullptr;
  int (*bufferSize)(void *handle, int operation, const void *alpha, void *matrix, void *x, const void *beta, void *y,
                    int dataType, int algorithm, size_t *bytes) = nullptr;
  int (*multiply)(void *handle, int operation, const void *alpha, void *matrix, void *x, const void *beta, void *y,
                  int dataType, int algorithm, void *buffer) = nullptr;

  bool load() {
    return library.open("NPCC_CUSPARSE", {"libcusparse.so.12", "libcusparse.so.11"}) &&
           library.find(create, "cusparseCreate") && library.find(setStream, "cusparseSetStream") &&
           library.find(createCsc, "cusparseCreateCsc") && library.find(createVector, "cusparseCreateDnVec") &&
           library.find(destroyMatrix, "cusparseDestroySpMat") && library.find(destroyVector, "cusparseDestroyDnVec") &&
           library.find(bufferSize, "cusparseSpMV_bufferSize") && library.find(multiply, "cusparseSpMV");
  }
};

Status checkSparse(int status, const char *function) { return checkCall("cuSPARSE", function, status); }

/// A description that cuSPARSE has made.
struct Described {
  int (*destroy)(void *);
  void *made = nullptr;
  explicit Described(int (*destroy)(void *)) : destroy(destroy) {}
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

Status Cusparse::addLines(CudaDevice &device, const SparseLines &matrix, const void *factors, void *sums) {
  const Functions &f = *loaded<Functions>();
  std::lock_guard<std::mutex> lock(mutex);
  NPCC_TRY(checkSparse(f.setStream(handle, device.streams.use()), "cusparseSetStream"));
  int type = dataTypes[matrix.dtype - NPCC_FLOAT32], placeType = matrix.placeType == NPCC_INT32 ? index32 : index64;
  auto given = [](const void *address) { return const_cast<void *>(address); };
  Described lines(f.destroyMatrix), x(f.destroyVector), y(f.destroyVector);
  NPCC_TRY(checkSparse(f.createCsc(&lines.made, matrix.width, matrix.lines, matrix.count, given(matrix.ends),
                                   given(matrix.places), given(matrix.data), placeType, placeType, fromZero, type),
                       "cusparseCreateCsc"));
  NPCC_TRY(checkSparse(f.createVector(&x.made, matrix.lines, given(factors), type), "cusparseCreateDnVec"));
  NPCC_TRY(checkSparse(f.createVector(&y.made, matrix.width, sums, type), "cusparseCreateDnVec"));
  // One and zero, of the dtype; complex numbers have a second part.
  const double one[2] = {1, 0}, zero[2] = {0, 0};
  const float oneSingle[2] = {1, 0};
  bool isSingle = matrix.dtype == NPCC_FLOAT32 || matrix.dtype == NPCC_COMPLEX64;
  const void *alpha = isSingle ? static_cast<const void *>(oneSingle) : one;
  size_t bytes = 0;
  NPCC_TRY(checkSparse(
      f.bufferSize(handle, noTranspose, alpha, lines.made, x.made, zero, y.made, type, defaultAlgorithm, &bytes),
      "cusparseSpMV_bufferSize"));
  OwnedBuffer buffer;
  NPCC_TRY(buffer.allocate(device, int64_t(bytes) + 1));
  return checkSparse(
      f.multiply(handle, noTranspose, alpha, lines.made, x.made, zero, y.made, type, defaultAlgorithm, buffer.get()),
      "cusparseSpMV");
}

const char *cusparseLibrary() { return loaded<Functions>() ? loaded<Functions>()->library.file().c_str() : ""; }

} // namespace npcc::rt::cuda

const char *npcc_rt_cusparse_description(void) { return npcc::rt::cuda::cusparseLibrary(); }
