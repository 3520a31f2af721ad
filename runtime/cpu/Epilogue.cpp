// What is done to the elements of a product on the host. Compiled code for the CPU does it in the loops after the
// product, but for products that are added to an array, which a BLAS does at once; the rest serves those who call the
// runtime themselves.
#include "runtime/Element.h"
#include "runtime/MatmulPlan.h"
#include "runtime/cpu/Matmul.h"
#include "runtime/cpu/ThreadPool.h"
#include <algorithm>

namespace npcc::rt {
namespace {

struct Half {
  static float load(uint16_t bits) { return static_cast<float>(halfToDouble(bits)); }
  static uint16_t store(float value) { return halfFromDouble(value); }
};
struct Bfloat {
  static float load(uint16_t bits) { return bfloatToFloat(bits); }
  static uint16_t store(float value) { return bfloatFromFloat(value); }
};
template <typename T> struct Plain {
  static T load(T value) { return value; }
  static T store(T value) { return value; }
};

template <typename T, typename Kind>
void apply(const MatmulShape &shape, const npcc_matrix &c, const npcc_epilogue &epilogue) {
  using Sum = decltype(Kind::load(T()));
  auto *to = static_cast<T *>(c.data);
  auto *addend = static_cast<const T *>(epilogue.addend.data), *bias = static_cast<const T *>(epilogue.bias);
  Sum alpha = static_cast<Sum>(epilogue.alpha), beta = static_cast<Sum>(epilogue.beta);
  parallelLoop(shape.m, std::max<int64_t>(1, (1 << 16) / shape.n), [&](int64_t lo, int64_t hi) {
    for (int64_t row = lo; row < hi; ++row)
      for (int64_t column = 0; column < shape.n; ++column) {
        T &element = to[row * c.row_stride + column * c.column_stride];
        Sum value = alpha * Kind::load(element);
        if (addend)
          value += beta * Kind::load(addend[row * epilogue.addend.row_stride + column * epilogue.addend.column_stride]);
        if (bias)
          value += Kind::load(bias[column * epilogue.bias_stride]);
        if (epilogue.activation == NPCC_ACTIVATION_RELU && value < 0) // NaN stays
          value = 0;
        element = Kind::store(value);
      }
  });
}

void applyEpilogue(const MatmulShape &shape, const npcc_matrix &c, const npcc_epilogue &epilogue) {
  switch (shape.resultDtype) {
  case NPCC_FLOAT16:
    return apply<uint16_t, Half>(shape, c, epilogue);
  case NPCC_BFLOAT16:
    return apply<uint16_t, Bfloat>(shape, c, epilogue);
  case NPCC_FLOAT32:
    return apply<float, Plain<float>>(shape, c, epilogue);
  default:
    return apply<double, Plain<double>>(shape, c, epilogue);
  }
}

} // namespace

Status matmulEpilogueOnHost(Device &device, const MatmulShape &shape, const npcc_matrix &a, const npcc_matrix &b,
                            const npcc_matrix &c, npcc_epilogue epilogue) {
  bool isPlain = !epilogue.bias && epilogue.activation == NPCC_ACTIVATION_NONE;
  if (isPlain && addsToResult(shape, c, epilogue) && takesFactors(shape)) {
    MatmulShape adding = shape;
    adding.alpha = epilogue.alpha;
    adding.beta = epilogue.beta;
    return matmulOnHost(device, adding, a, b, c);
  }
  OwnedBuffer copy;
  NPCC_TRY(separateAddend(device, shape, c, epilogue, copy));
  NPCC_TRY(matmulOnHost(device, shape, a, b, c));
  applyEpilogue(shape, c, epilogue);
  return {};
}

} // namespace npcc::rt
