#include "runtime/cuda/CublasLt.h"
#include "runtime/Element.h"
#include "runtime/MatmulPlan.h"
#include "runtime/abi/trace.h"
#include "runtime/cuda/CudaDevice.h"
#include "runtime/cuda/DeviceTrace.h"
#include "runtime/cuda/Library.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

namespace npcc::rt::cuda {
namespace {

// Values of cuBLASLt's enumerations.
constexpr int32_t typeFloat = 0, typeDouble = 1, typeHalf = 2, typeBfloat = 14; // CUDA_R_...
constexpr int32_t computeFloat = 68, computeDouble = 70, computeTf32 = 77;      // CUBLAS_COMPUTE_...
enum DescAttribute { TransposeA = 3, TransposeB = 4, EpilogueKind = 7, BiasPointer = 8, BiasType = 26 };
enum PreferenceAttribute { MostWorkBytes = 1, Reductions = 3, AlignmentOfA = 5 }; // the alignments of B, C and D follow
constexpr int32_t epilogueDefault = 1, epilogueRelu = 2, epilogueBias = 4;        // the last two together: both
constexpr uint32_t reduceInSums = 2; // parts of sums are not rounded to narrow floats in between
constexpr uint64_t mostWorkBytes = 32 << 20;
constexpr int mostAlgorithms = 8;
constexpr size_t mostChoices = 1024;

struct Heuristic { // cublasLtMatmulHeuristicResult_t
  std::array<uint64_t, 8> algorithm;
  size_t workBytes;
  int status;
  float waves;
  int reserved[4];
};

struct Functions {
  Library library;
  int (*create)(void **handle) = nullptr;
  int (*createDesc)(void **desc, int32_t compute, int32_t scale) = nullptr;
  int (*setDesc)(void *desc, int32_t attribute, const void *value, size_t bytes) = nullptr;
  int (*destroyDesc)(void *desc) = nullptr;
  int (*createLayout)(void **layout, int32_t type, uint64_t rows, uint64_t columns, int64_t leading) = nullptr;
  int (*destroyLayout)(void *layout) = nullptr;
  int (*createPreference)(void **preference) = nullptr;
  int (*setPreference)(void *preference, int32_t attribute, const void *value, size_t bytes) = nullptr;
  int (*destroyPreference)(void *preference) = nullptr;
  int (*heuristics)(void *handle, void *desc, void *a, void *b, void *c, void *d, void *preference, int wanted,
                    Heuristic *found, int *count) = nullptr;
  int (*matmul)(void *handle, void *desc, const void *alpha, const void *a, void *layoutA, const void *b, void *layoutB,
                const void *beta, const void *c, void *layoutC, void *d, void *layoutD, const void *algorithm,
                void *work, size_t workBytes, Stream stream) = nullptr;

  bool load() {
    return library.open("NPCC_CUBLASLT", {"libcublasLt.so.13", "libcublasLt.so.12"}) &&
           library.find(create, "cublasLtCreate") && library.find(createDesc, "cublasLtMatmulDescCreate") &&
           library.find(setDesc, "cublasLtMatmulDescSetAttribute") &&
           library.find(destroyDesc, "cublasLtMatmulDescDestroy") &&
           library.find(createLayout, "cublasLtMatrixLayoutCreate") &&
           library.find(destroyLayout, "cublasLtMatrixLayoutDestroy") &&
           library.find(createPreference, "cublasLtMatmulPreferenceCreate") &&
           library.find(setPreference, "cublasLtMatmulPreferenceSetAttribute") &&
           library.find(destroyPreference, "cublasLtMatmulPreferenceDestroy") &&
           library.find(heuristics, "cublasLtMatmulAlgoGetHeuristic") && library.find(matmul, "cublasLtMatmul");
  }
};

/// Null if there is none.
const Functions *library() { return loaded<Functions>(); }

int32_t typeOf(int32_t dtype) {
  return dtype == NPCC_FLOAT16    ? typeHalf
         : dtype == NPCC_BFLOAT16 ? typeBfloat
         : dtype == NPCC_FLOAT64  ? typeDouble
                                  : typeFloat;
}

/// The largest power of two that divides an address, as far as the library asks.
uint32_t alignmentOf(const void *address) {
  auto bits = reinterpret_cast<uintptr_t>(address);
  return bits == 0 ? 256 : static_cast<uint32_t>(std::min<uintptr_t>(bits & -bits, 256));
}

} // namespace

/// A product as the library wants it: column-major, so that a row-major C is C^T = B^T A^T, and its bias one for each
/// row.
struct CublasLt::Problem {
  Gemm gemm{};
  int32_t dtype, resultDtype, compute;
  const void *addend = nullptr, *bias = nullptr;
  int64_t addendLeading = 0;
  double alpha, beta = 0;
  bool hasRelu;
  void *desc = nullptr, *layouts[4] = {}; // of A, B, the addend and C

  ~Problem() {
    for (void *layout : layouts)
      if (layout)
        library()->destroyLayout(layout);
    if (desc)
      library()->destroyDesc(desc);
  }

  /// False where the library takes no such layout.
  bool set(const MatmulShape &shape, const npcc_matrix matrices[3], const npcc_epilogue &epilogue) {
    int operands[3];
    bool isRowMajor = makeGemm(shape, matrices, gemm, operands) && operands[0] == 1;
    if (!isRowMajor)
      return false;
    dtype = shape.dtype;
    resultDtype = shape.resultDtype;
    compute = dtype == NPCC_FLOAT64 ? computeDouble : shape.allowsTf32 ? computeTf32 : computeFloat;
    alpha = epilogue.alpha;
    hasRelu = epilogue.activation == NPCC_ACTIVATION_RELU;
    bias = epilogue.bias;
    addend = epilogue.addend.data;
    if (bias && shape.n > 1 && epilogue.bias_stride != 1)
      return false;
    if (addend) {
      beta = epilogue.beta;
      addendLeading = shape.m == 1 ? shape.n : epilogue.addend.row_stride;
      if ((shape.n > 1 && epilogue.addend.column_stride != 1) || addendLeading < shape.n)
        return false;
    } else { // read by nobody
      addend = gemm.c;
      addendLeading = gemm.ldc;
    }
    return true;
  }

  /// The library's descriptions; false if it refuses one.
  bool describe() {
    const Functions &lt = *library();
    bool isGood = lt.createDesc(&desc, compute, dtype == NPCC_FLOAT64 ? typeDouble : typeFloat) == 0;
    auto set = [&](int32_t attribute, const auto &value) {
      isGood = isGood && lt.setDesc(desc, attribute, &value, sizeof value) == 0;
    };
    set(TransposeA, int32_t(gemm.transposeA));
    set(TransposeB, int32_t(gemm.transposeB));
    int32_t kind = (hasRelu ? epilogueRelu : 0) | (bias ? epilogueBias : 0);
    set(EpilogueKind, kind ? kind : epilogueDefault);
    if (bias) {
      set(BiasPointer, bias);
      set(BiasType, typeOf(resultDtype));
    }
    auto layout = [&](int which, int32_t type, int64_t rows, int64_t columns, int64_t leading) {
      isGood = isGood && lt.createLayout(&layouts[which], type, uint64_t(rows), uint64_t(columns), leading) == 0;
    };
    auto [m, n, k] = std::tuple(gemm.m, gemm.n, gemm.k);
    layout(0, typeOf(dtype), gemm.transposeA ? k : m, gemm.transposeA ? m : k, gemm.lda);
    layout(1, typeOf(dtype), gemm.transposeB ? n : k, gemm.transposeB ? k : n, gemm.ldb);
    layout(2, typeOf(resultDtype), m, n, addendLeading);
    layout(3, typeOf(resultDtype), m, n, gemm.ldc);
    return isGood;
  }

  std::vector<int64_t> key() const {
    return {dtype,
            resultDtype,
            compute,
            gemm.m,
            bias != nullptr,
            hasRelu,
            beta != 0,
            gemm.n,
            gemm.k,
            gemm.lda,
            alignmentOf(gemm.a),
            alignmentOf(gemm.b),
            gemm.transposeA,
            gemm.transposeB,
            gemm.ldb,
            gemm.ldc,
            addendLeading,
            alignmentOf(addend),
            alignmentOf(gemm.c),
            bias ? alignmentOf(bias) : 0};
  }

  Status run(CudaDevice &device, void *handle, const Choice &choice, double factor) const {
    OwnedBuffer work;
    if (choice.workBytes > 0)
      NPCC_TRY(work.allocate(device, int64_t(choice.workBytes)));
    return issue(handle, choice, factor, work.get(), device.streams.use());
  }

  /// For a call that keeps what it launches (Replay.h).
  static Status keep(CudaDevice &device, std::shared_ptr<Problem> problem, void *handle, const Choice &choice) {
    OwnedBuffer work; // given back at once, as the stream's order allows
    if (choice.workBytes > 0)
      NPCC_TRY(work.allocate(device, int64_t(choice.workBytes)));
    std::vector<int64_t> key = problem->key();
    for (const void *place : {problem->gemm.a, problem->gemm.b, static_cast<const void *>(problem->gemm.c), problem->addend,
                              problem->bias, static_cast<const void *>(work.get())})
      key.push_back(reinterpret_cast<int64_t>(place));
    for (double factor : {problem->alpha, problem->beta})
      key.push_back(std::bit_cast<int64_t>(factor));
    device.replay.keep(key.data(), key.size() * sizeof(int64_t), [=, memory = work.get()](Stream stream) {
      return problem->issue(handle, choice, problem->alpha, memory, stream);
    });
    return {};
  }

  Status issue(void *handle, const Choice &choice, double factor, void *work, Stream stream) const {
    union Scalar {
      double d;
      float f;
    } scalars[2];
    for (int k : {0, 1})
      if (double value = k == 0 ? factor : beta; dtype == NPCC_FLOAT64)
        scalars[k].d = value;
      else
        scalars[k].f = static_cast<float>(value);
    int status = library()->matmul(handle, desc, &scalars[0], gemm.a, layouts[0], gemm.b, layouts[1], &scalars[1],
                                   addend, layouts[2], gemm.c, layouts[3], choice.algorithm.data(), work,
                                   choice.workBytes, stream);
    return checkCall("cuBLASLt", "cublasLtMatmul", status);
  }
};

bool CublasLt::available() {
  if (tried || !library())
    return handle != nullptr;
  tried = true;
  return library()->create(&handle) == 0;
}

Status CublasLt::multiply(CudaDevice &device, const MatmulShape &shape, const npcc_matrix matrices[3],
                          const npcc_epilogue &epilogue, bool &done) {
  std::lock_guard<std::mutex> lock(mutex);
  auto made = std::make_shared<Problem>();
  Problem &problem = *made;
  if (!available() || !problem.set(shape, matrices, epilogue) || !problem.describe())
    return {};
  if (choices.size() >= mostChoices) // of a program whose extents never come back
    choices.clear();
  auto [found, isNew] = choices.try_emplace(problem.key());
  if (isNew) {
    Status status = choose(device, problem, found->second);
    if (!status.ok())
      choices.erase(found);
    NPCC_TRY(std::move(status));
  }
  done = found->second.serves;
  if (!done)
    return {};
  if (device.keepsLaunches())
    return Problem::keep(device, made, handle, found->second);
  DeviceSpan span(device, NPCC_TRACE_LIBRARY, "matrix product (cuBLASLt)");
  return problem.run(device, handle, found->second, problem.alpha);
}

/// The first algorithm of those that the library recommends; with relu, the first that keeps NaN.
Status CublasLt::choose(CudaDevice &device, Problem &problem, Choice &choice) {
  const Functions &lt = *library();
  void *preference = nullptr;
  if (lt.createPreference(&preference) != 0)
    return {};
  auto set = [&](int32_t attribute, const auto &value) {
    lt.setPreference(preference, attribute, &value, sizeof value);
  };
  set(MostWorkBytes, mostWorkBytes);
  set(Reductions, reduceInSums);
  const void *addresses[4] = {problem.gemm.a, problem.gemm.b, problem.addend, problem.gemm.c};
  for (int k = 0; k < 4; ++k)
    set(AlignmentOfA + k, alignmentOf(addresses[k]));
  Heuristic found[mostAlgorithms];
  int count = 0, wanted = problem.hasRelu ? mostAlgorithms : 1;
  auto &layouts = problem.layouts;
  int status = lt.heuristics(handle, problem.desc, layouts[0], layouts[1], layouts[2], layouts[3], preference, wanted,
                             found, &count);
  lt.destroyPreference(preference);
  for (int k = 0; status == 0 && k < count && !choice.serves; ++k)
    if (found[k].status == 0) {
      choice = {found[k].algorithm, found[k].workBytes, true};
      if (problem.hasRelu)
        NPCC_TRY(keepsNan(device, problem, choice, choice.serves));
    }
  return {};
}

/// Some algorithms make zero of NaN by their relu, others do not, and nothing tells which: a product by NaN does. Its C
/// is overwritten by the product.
Status CublasLt::keepsNan(CudaDevice &device, Problem &problem, const Choice &choice, bool &keeps) {
  NPCC_TRY(problem.run(device, handle, choice, std::nan("")));
  const Gemm &g = problem.gemm;
  int64_t size = elementSize(problem.resultDtype);
  keeps = true;
  for (int64_t place : {int64_t(0), (g.n - 1) * g.ldc + g.m - 1}) {
    uint64_t bits = 0;
    NPCC_TRY(device.copyOut(&bits, static_cast<const char *>(g.c) + place * size, size));
    keeps = keeps && std::isnan(loadScalar(&bits, problem.resultDtype).f);
  }
  return {};
}

const char *cublasLtLibrary() { return library() ? library()->library.file().c_str() : ""; }

} // namespace npcc::rt::cuda

const char *npcc_rt_cublaslt_description(void) { return npcc::rt::cuda::cublasLtLibrary(); }
