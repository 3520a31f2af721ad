// libcusparse for the fake driver: compressed columns of float64 or complex128 times a vector, on the stream and in the
// stream's order. All else it refuses.
#include "FakeCuda.h"
#include <algorithm>
#include <complex>

namespace {

constexpr int success = 0, failed = 6, refused = 10, index32 = 2, float64 = 1, complex128 = 5;
void *stream = nullptr;

struct Matrix {
  int64_t rows, columns;
  void *ends, *places, *data;
  int placeType, dataType;
};
struct Vector {
  int64_t length;
  void *data;
  int dataType;
};

template <typename Number, typename Place>
void multiply(const Matrix &a, const Vector &in, const Vector &out, int device) {
  auto *ends = static_cast<Place *>(fake::reach(a.ends, device)),
       *places = static_cast<Place *>(fake::reach(a.places, device));
  auto *data = static_cast<Number *>(fake::reach(a.data, device)),
       *x = static_cast<Number *>(fake::reach(in.data, device)),
       *y = static_cast<Number *>(fake::reach(out.data, device));
  std::fill(y, y + a.rows, Number());
  for (int64_t column = 0; column < a.columns; ++column)
    for (Place at = ends[column]; at < ends[column + 1]; ++at)
      y[places[at]] += data[at] * x[column];
}

template <typename Number> void multiply(const Matrix &a, const Vector &in, const Vector &out, int device) {
  auto run = a.placeType == index32 ? multiply<Number, int32_t> : multiply<Number, int64_t>;
  run(a, in, out, device);
}

} // namespace

extern "C" {
int cusparseCreate(void **handle) {
  static int one;
  *handle = &one;
  return success;
}
int cusparseSetStream(void *, void *given) {
  stream = given;
  return success;
}
int cusparseCreateCsc(void **matrix, int64_t rows, int64_t columns, int64_t, void *ends, void *places, void *data,
                      int endType, int placeType, int, int dataType) {
  if (endType != placeType)
    return refused;
  *matrix = new Matrix{rows, columns, ends, places, data, placeType, dataType};
  return success;
}
int cusparseCreateDnVec(void **vector, int64_t length, void *data, int dataType) {
  *vector = new Vector{length, data, dataType};
  return success;
}
int cusparseDestroySpMat(void *matrix) {
  delete static_cast<Matrix *>(matrix);
  return success;
}
int cusparseDestroyDnVec(void *vector) {
  delete static_cast<Vector *>(vector);
  return success;
}
int cusparseSpMV_bufferSize(void *, int, const void *, void *, void *, const void *, void *, int, int, size_t *bytes) {
  *bytes = 16;
  return success;
}
int cusparseSpMV(void *, int operation, const void *alpha, void *matrix, void *x, const void *beta, void *y,
                 int dataType, int, void *) {
  Matrix a = *static_cast<Matrix *>(matrix);
  Vector in = *static_cast<Vector *>(x), out = *static_cast<Vector *>(y);
  bool isKnown = (dataType == float64 || dataType == complex128) && a.dataType == dataType && in.dataType == dataType &&
                 out.dataType == dataType;
  if (operation != 0 || !isKnown || in.length != a.columns || out.length != a.rows ||
      *static_cast<const double *>(alpha) != 1 || *static_cast<const double *>(beta) != 0)
    return refused;
  bool queued = fake::enqueue(stream, [=](int device) {
    dataType == float64 ? multiply<double>(a, in, out, device) : multiply<std::complex<double>>(a, in, out, device);
  });
  return queued ? success : failed;
}
}
