#include "runtime/cuda/Cublas.h"
#include "runtime/Element.h"
#include "runtime/MatmulPlan.h"
#include "runtime/cuda/Library.h"

namespace npcc::rt::cuda {
namespace {

// Values of cuBLAS's enumerations.
constexpr int noTranspose = 0, transposed = 1;
constexpr int left = 0, lowerTriangle = 0, upperTriangle = 1, nonUnitDiagonal = 0;
constexpr int typeFloat = 0 /* CUDA_R_32F */, typeHalf = 2 /* CUDA_R_16F */, typeBfloat = 14 /* CUDA_R_16BF */;
constexpr int computeFloat = 68 /* CUBLAS_COMPUTE_32F */, computeTf32 = 77 /* CUBLAS_COMPUTE_32F_FAST_TF32 */, defaultAlgorithm = -1;
// What the library takes for itself on the GPUs that need most.
constexpr size_t workspaceBytes = size_t(32) << 20;
// Default mathematics (no TF32), and sums that are not rounded to narrow floats in between.
constexpr int mathMode = 0 | 16 /* CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION */;

using GemmFunction = int (*)(void *handle, int transposeA, int transposeB, int64_t m, int64_t n, int64_t k,
                             const void *alpha, const void *a, int64_t lda, const void *b, int64_t ldb,
                             const void *beta, void *c, int64_t ldc);
using GemvFunction = int (*)(void *handle, int transpose, int64_t m, int64_t n, const void *alpha, const void *a,
                             int64_t lda, const void *x, int64_t incX, const void *beta, void *y, int64_t incY);
using GemmExFunction = int (*)(void *handle, int transposeA, int transposeB, int64_t m, int64_t n, int64_t k,
                               const void *alpha, const void *a, int aType, int64_t lda, const void *b, int bType,
                               int64_t ldb, const void *beta, void *c, int cType, int64_t ldc, int computeType,
                               int algorithm);

using GemmStridedFunction = int (*)(void *handle, int transposeA, int transposeB, int64_t m, int64_t n, int64_t k,
                                    const void *alpha, const void *a, int64_t lda, long long strideA, const void *b,
                                    int64_t ldb, long long strideB, const void *beta, void *c, int64_t ldc,
                                    long long strideC, int64_t count);
using GemmStridedExFunction = int (*)(void *handle, int transposeA, int transposeB, int64_t m, int64_t n, int64_t k, const void *alpha,
                                      const void *a, int aType, int64_t lda, long long strideA, const void *b, int bType, int64_t ldb,
                                      long long strideB, const void *beta, void *c, int cType, int64_t ldc, long long strideC,
                                      int64_t count, int computeType, int algorithm);

/// The functions with 64-bit sizes, which cuBLAS has since version 12.
struct Functions {
  Library library;
  int (*create)(void **handle) = nullptr;
  int (*setStream)(void *handle, Stream stream) = nullptr;
  int (*setWorkspace)(void *handle, void *memory, size_t bytes) = nullptr;
  int (*setMathMode)(void *handle, int mode) = nullptr;
  const char *(*statusString)(int status) = nullptr;
  GemmFunction gemm[4] = {}; // by dtype from FLOAT32 on
  GemvFunction gemv[4] = {};
  GemmStridedFunction gemmStrided[4] = {};
  GemmExFunction gemmEx = nullptr;
  GemmStridedExFunction gemmStridedEx = nullptr;
  int (*getrfBatched[4])(void *handle, int n, void **matrices, int lda, int *pivots, int *infos, int count) = {};
  int (*getrsBatched[4])(void *handle, int transpose, int n, int columns, void **matrices, int lda, const int *pivots, void **sides, int ldb, int *info,
                         int count) = {};

  int (*trsm[4])(void *handle, int side, int triangle, int transpose, int diagonal, int64_t m, int64_t n, const void *alpha, const void *a, int64_t lda, void *b,
                 int64_t ldb) = {};

  bool load() {
    if (!library.open("NPCC_CUBLAS", {"libcublas.so.13", "libcublas.so.12"}))
      return false;
    bool complete = library.find(create, "cublasCreate_v2") && library.find(setStream, "cublasSetStream_v2") &&
                    library.find(setWorkspace, "cublasSetWorkspace_v2") &&
                    library.find(setMathMode, "cublasSetMathMode") && library.find(statusString, "cublasGetStatusString") &&
                    library.find(gemmEx, "cublasGemmEx_64") && library.find(gemmStridedEx, "cublasGemmStridedBatchedEx_64");
    const char *letters = "SDCZ";
    for (int type = 0; complete && type < 4; ++type)
      complete = library.find(gemm[type], fmt::format("cublas{}gemm_v2_64", letters[type])) &&
                 library.find(gemv[type], fmt::format("cublas{}gemv_v2_64", letters[type])) &&
                 library.find(getrfBatched[type], fmt::format("cublas{}getrfBatched", letters[type])) &&
                 library.find(getrsBatched[type], fmt::format("cublas{}getrsBatched", letters[type])) &&
                 library.find(trsm[type], fmt::format("cublas{}trsm_v2_64", letters[type]));
    for (int type = 0; complete && type < 4; ++type)
      complete = library.find(gemmStrided[type], fmt::format("cublas{}gemmStridedBatched_64", letters[type]));
    return complete;
  }
};

/// Null if there is none.
const Functions *library() { return loaded<Functions>(); }

// cuBLAS reads complex numbers with instructions that want them aligned as it declares them.
union alignas(16) Scalar {
  double d[2]; // first, so that {} clears all of it
  float f[2];
};

Scalar scalar(int32_t dtype, double value) {
  Scalar result{};
  if (dtype == NPCC_FLOAT64 || dtype == NPCC_COMPLEX128)
    result.d[0] = value;
  else
    result.f[0] = static_cast<float>(value);
  return result;
}

} // namespace

bool Cublas::available() {
  std::lock_guard<std::mutex> lock(mutex);
  if (tried || !library())
    return handle != nullptr;
  tried = true;
  void *made = nullptr;
  if (library()->create(&made) != 0 || library()->setMathMode(made, mathMode) != 0)
    return false;
  handle = made;
  if (driver().memAlloc(&workspace, workspaceBytes) != success)
    workspace = 0; // the library has some of its own
  return true;
}

static Status checkBlas(int status) {
  return status ? makeError(NPCC_RUNTIME_ERROR, "cuBLAS: {}", library()->statusString(status)) : Status();
}

Status Cublas::useStream(Stream on) {
  if (on != stream)
    NPCC_TRY(checkBlas(library()->setStream(handle, on))); // with the library's own memory again
  if (on != stream && (on == own || on == capturing) && workspace)
    NPCC_TRY(checkBlas(library()->setWorkspace(handle, reinterpret_cast<void *>(workspace), workspaceBytes)));
  stream = on;
  return {};
}

Status Cublas::factorise(int32_t dtype, int n, void **matrices, int *pivots, int *infos, int count, Stream on) {
  std::lock_guard<std::mutex> lock(mutex);
  NPCC_TRY(useStream(on));
  return checkBlas(library()->getrfBatched[dtype - NPCC_FLOAT32](handle, n, matrices, n, pivots, infos, count));
}

Status Cublas::solve(int32_t dtype, int n, int columns, void **matrices, const int *pivots, void **sides, int count, Stream on) {
  std::lock_guard<std::mutex> lock(mutex);
  NPCC_TRY(useStream(on));
  int info = 0;
  return checkBlas(library()->getrsBatched[dtype - NPCC_FLOAT32](handle, noTranspose, n, columns, matrices, n, pivots, sides, n, &info, count));
}

Status Cublas::solveTriangle(int32_t dtype, bool isUpper, int64_t n, int64_t columns, const void *matrix, void *side, Stream on) {
  std::lock_guard<std::mutex> lock(mutex);
  NPCC_TRY(useStream(on));
  Scalar factor = scalar(dtype, 1);
  return checkBlas(library()->trsm[dtype - NPCC_FLOAT32](handle, left, isUpper ? upperTriangle : lowerTriangle, noTranspose, nonUnitDiagonal, n, columns, &factor,
                                                         matrix, n, side, n));
}

/// Whether the product goes by the units for narrow floats or TF32, which gemmEx names by its types.
static bool usesTypes(const MatmulShape &shape) { return isNarrowFloat(shape.dtype) || (shape.allowsTf32 && shape.dtype == NPCC_FLOAT32); }

static int typeOf(int32_t dtype) { return dtype == NPCC_FLOAT16 ? typeHalf : dtype == NPCC_BFLOAT16 ? typeBfloat : typeFloat; }

Status Cublas::multiply(const MatmulShape &shape, const BlasProduct &product, Stream on) {
  std::lock_guard<std::mutex> lock(mutex);
  NPCC_TRY(useStream(on));
  int32_t dtype = shape.dtype;
  Scalar factor = scalar(dtype, shape.alpha), zero = scalar(dtype, 0);
  auto operation = [](bool transpose) { return transpose ? transposed : noTranspose; };
  const Gemm &g = product.gemm;
  int status;
  if (product.isVector) {
    const Gemv &v = product.gemv;
    status = library()->gemv[dtype - NPCC_FLOAT32](handle, operation(v.transpose), v.rows, v.columns, &factor, v.a, v.lda,
                                                   v.x, v.incX, &zero, v.y, v.incY);
  } else if (usesTypes(shape)) {
    int in = typeOf(dtype);
    status = library()->gemmEx(handle, operation(g.transposeA), operation(g.transposeB), g.m, g.n, g.k, &factor, g.a, in, g.lda, g.b, in, g.ldb,
                               &zero, g.c, typeOf(shape.resultDtype), g.ldc, shape.allowsTf32 ? computeTf32 : computeFloat, defaultAlgorithm);
  } else {
    status = library()->gemm[dtype - NPCC_FLOAT32](handle, operation(g.transposeA), operation(g.transposeB), g.m, g.n, g.k, &factor, g.a, g.lda,
                                                   g.b, g.ldb, &zero, g.c, g.ldc);
  }
  return checkBlas(status);
}

Status Cublas::multiply(const MatmulShape &shape, const Gemm &g, int64_t count, const int64_t strides[3], Stream on) {
  std::lock_guard<std::mutex> lock(mutex);
  NPCC_TRY(useStream(on));
  int32_t dtype = shape.dtype;
  Scalar one = scalar(dtype, 1), zero = scalar(dtype, 0);
  auto operation = [](bool transpose) { return transpose ? transposed : noTranspose; };
  if (usesTypes(shape)) {
    int in = typeOf(dtype);
    return checkBlas(library()->gemmStridedEx(handle, operation(g.transposeA), operation(g.transposeB), g.m, g.n, g.k, &one, g.a, in, g.lda,
                                              strides[0], g.b, in, g.ldb, strides[1], &zero, g.c, typeOf(shape.resultDtype), g.ldc, strides[2],
                                              count, shape.allowsTf32 ? computeTf32 : computeFloat, defaultAlgorithm));
  }
  return checkBlas(library()->gemmStrided[dtype - NPCC_FLOAT32](
      handle, operation(g.transposeA), operation(g.transposeB), g.m, g.n, g.k, &one, g.a, g.lda, strides[0], g.b, g.ldb,
      strides[1], &zero, g.c, g.ldc, strides[2], count));
}

const char *cublasLibrary() { return library() ? library()->library.file().c_str() : ""; }

} // namespace npcc::rt::cuda

const char *npcc_rt_cublas_description(void) { return npcc::rt::cuda::cublasLibrary(); }
