// libcublasLt for the fake driver: products with an epilogue by their definition, on the stream and in the stream's
// order.
//
// It is as strict as cuBLASLt's documentation: leading dimensions are no shorter than columns, layouts fit the product,
// a bias is told where the epilogue has one and only there, and the algorithm is one that it recommended. With relu it
// recommends one first that makes zero of NaN, as the library does for some shapes.
#include "FakeCuda.h"
#include <cmath>
#include <cstring>
#include <vector>

namespace {

constexpr int success = 0, invalidValue = 7, notSupported = 15, executionFailed = 13;
constexpr int relu = 2, bias = 4;
enum Algorithm : uint64_t { KeepsNan = 11, LosesNan = 12 };

struct Desc {
  int32_t compute, scale, transposes[2] = {}, epilogue = 1, biasType = -1;
  const void *bias = nullptr;
};
struct Layout {
  int32_t type;
  uint64_t rows, columns;
  int64_t leading;
};
struct Preference {
  uint64_t workBytes = 0;
  uint32_t reductions = 7, alignments[4] = {256, 256, 256, 256};
};
struct Heuristic {
  uint64_t algorithm[8];
  size_t workBytes;
  int status;
  float waves;
  int reserved[4];
};

double load(const void *base, int64_t index, int32_t type) {
  if (type == 1)
    return static_cast<const double *>(base)[index];
  if (type == 0)
    return static_cast<const float *>(base)[index];
  if (type == 2)
    return static_cast<double>(static_cast<const _Float16 *>(base)[index]);
  uint32_t bits = uint32_t(static_cast<const uint16_t *>(base)[index]) << 16;
  float value;
  memcpy(&value, &bits, 4);
  return value;
}
void store(void *base, int64_t index, int32_t type, double value) {
  if (type == 1) {
    static_cast<double *>(base)[index] = value;
  } else if (type == 0) {
    static_cast<float *>(base)[index] = static_cast<float>(value);
  } else if (type == 2) {
    static_cast<_Float16 *>(base)[index] = static_cast<_Float16>(value);
  } else {
    float narrow = static_cast<float>(value);
    uint32_t bits;
    memcpy(&bits, &narrow, 4);
    static_cast<uint16_t *>(base)[index] =
        narrow != narrow ? 0x7fc0 : uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  }
}

bool fits(const Layout &layout, uint64_t rows, uint64_t columns) {
  return layout.rows == rows && layout.columns == columns && layout.leading >= int64_t(rows);
}

bool isProduct(const Desc &desc, const Layout &a, const Layout &b, const Layout &c, const Layout &d) {
  uint64_t k = desc.transposes[0] ? a.rows : a.columns;
  bool isNarrow = a.type == 2 || a.type == 14;
  bool areTypes = a.type == b.type && c.type == d.type && (d.type == a.type || (isNarrow && d.type == 0));
  return areTypes && desc.scale == (a.type == 1 ? 1 : 0) &&
         desc.compute == (a.type == 1                         ? 70
                          : a.type == 0 && desc.compute == 77 ? 77
                                                              : 68) &&
         fits(a, desc.transposes[0] ? k : d.rows, desc.transposes[0] ? d.rows : k) &&
         fits(b, desc.transposes[1] ? d.columns : k, desc.transposes[1] ? k : d.columns) &&
         fits(c, d.rows, d.columns) && fits(d, d.rows, d.columns);
}

struct Product {
  Desc desc;
  Layout a, b, c, d;
  double alpha, beta;
  const void *left, *right, *addend;
  void *out;
  bool losesNan;

  void run(int device) const {
    const void *x = fake::reach(left, device), *y = fake::reach(right, device);
    void *to = fake::reach(out, device);
    const void *plus = beta == 0 ? nullptr : fake::reach(addend, device),
               *row = desc.epilogue & bias ? fake::reach(desc.bias, device) : nullptr;
    uint64_t inner = desc.transposes[0] ? a.rows : a.columns;
    std::vector<double> made;
    for (uint64_t j = 0; j < d.columns; ++j)
      for (uint64_t i = 0; i < d.rows; ++i) {
        double sum = 0;
        for (uint64_t k = 0; k < inner; ++k)
          sum += load(x, int64_t(desc.transposes[0] ? i * a.leading + k : k * a.leading + i), a.type) *
                 load(y, int64_t(desc.transposes[1] ? k * b.leading + j : j * b.leading + k), b.type);
        sum *= alpha;
        if (plus)
          sum += beta * load(plus, int64_t(j * c.leading + i), c.type);
        if (row)
          sum += load(row, int64_t(i), desc.biasType);
        if (desc.epilogue & relu)
          sum = losesNan ? std::fmax(sum, 0.0) : sum < 0 ? 0.0 : sum;
        made.push_back(sum);
      }
    for (uint64_t j = 0, k = 0; j < d.columns; ++j)
      for (uint64_t i = 0; i < d.rows; ++i)
        store(to, int64_t(j * d.leading + i), d.type, made[k++]);
  }
};

} // namespace

extern "C" {

int cublasLtCreate(void **handle) {
  static int one;
  *handle = &one;
  return success;
}
int cublasLtMatmulDescCreate(void **desc, int32_t compute, int32_t scale) {
  *desc = new Desc{compute, scale};
  return success;
}
int cublasLtMatmulDescSetAttribute(void *desc, int32_t attribute, const void *value, size_t bytes) {
  Desc &d = *static_cast<Desc *>(desc);
  void *to = attribute == 3    ? &d.transposes[0]
             : attribute == 4  ? &d.transposes[1]
             : attribute == 7  ? &d.epilogue
             : attribute == 26 ? &d.biasType
                               : nullptr;
  if (attribute == 8 && bytes == sizeof(void *)) {
    memcpy(&d.bias, value, bytes);
    return success;
  }
  if (!to || bytes != 4)
    return invalidValue;
  memcpy(to, value, bytes);
  return success;
}
int cublasLtMatmulDescDestroy(void *desc) {
  delete static_cast<Desc *>(desc);
  return success;
}
int cublasLtMatrixLayoutCreate(void **layout, int32_t type, uint64_t rows, uint64_t columns, int64_t leading) {
  *layout = new Layout{type, rows, columns, leading};
  return success;
}
int cublasLtMatrixLayoutDestroy(void *layout) {
  delete static_cast<Layout *>(layout);
  return success;
}
int cublasLtMatmulPreferenceCreate(void **preference) {
  *preference = new Preference;
  return success;
}
int cublasLtMatmulPreferenceSetAttribute(void *preference, int32_t attribute, const void *value, size_t bytes) {
  Preference &p = *static_cast<Preference *>(preference);
  void *to = attribute == 1                     ? static_cast<void *>(&p.workBytes)
             : attribute == 3                   ? &p.reductions
             : attribute >= 5 && attribute <= 8 ? &p.alignments[attribute - 5]
                                                : nullptr;
  if (!to || bytes != (attribute == 1 ? 8 : 4))
    return invalidValue;
  memcpy(to, value, bytes);
  return success;
}
int cublasLtMatmulPreferenceDestroy(void *preference) {
  delete static_cast<Preference *>(preference);
  return success;
}
int cublasLtMatmulAlgoGetHeuristic(void *, void *desc, void *a, void *b, void *c, void *d, void *preference, int wanted,
                                   Heuristic *found, int *count) {
  const Desc &description = *static_cast<Desc *>(desc);
  const Preference &p = *static_cast<Preference *>(preference);
  if (!isProduct(description, *static_cast<Layout *>(a), *static_cast<Layout *>(b), *static_cast<Layout *>(c),
                 *static_cast<Layout *>(d)))
    return notSupported;
  *count = 0;
  for (Algorithm algorithm : {LosesNan, KeepsNan})
    if (*count < wanted && (algorithm == KeepsNan || description.epilogue & relu)) {
      found[*count] = {};
      found[*count].algorithm[0] = algorithm;
      found[(*count)++].workBytes = p.workBytes < 4096 ? p.workBytes : 4096;
    }
  return success;
}
int cublasLtMatmul(void *, void *desc, const void *alpha, const void *a, void *layoutA, const void *b, void *layoutB,
                   const void *beta, const void *c, void *layoutC, void *d, void *layoutD, const void *algorithm,
                   void *work, size_t workBytes, void *stream) {
  Product product{*static_cast<Desc *>(desc),
                  *static_cast<Layout *>(layoutA),
                  *static_cast<Layout *>(layoutB),
                  *static_cast<Layout *>(layoutC),
                  *static_cast<Layout *>(layoutD),
                  load(alpha, 0, 0),
                  load(beta, 0, 0),
                  a,
                  b,
                  c,
                  d,
                  false};
  if (product.desc.scale == 1)
    product.alpha = load(alpha, 0, 1), product.beta = load(beta, 0, 1);
  uint64_t which = *static_cast<const uint64_t *>(algorithm);
  bool isBias = product.desc.epilogue & bias;
  if (!isProduct(product.desc, product.a, product.b, product.c, product.d) ||
      (which != KeepsNan && which != LosesNan) || (workBytes > 0 && !work) ||
      isBias != (product.desc.bias != nullptr) || (isBias && product.desc.biasType != product.d.type))
    return invalidValue;
  product.losesNan = which == LosesNan;
  return fake::enqueue(stream, [=](int device) { product.run(device); }) ? success : executionFailed;
}

} // extern "C"
