// libcusparse for the fake driver: compressed rows and columns of float64 or complex128 times a vector, or a table in C
// order, on the stream and in the stream's order. All else it refuses.
#include "FakeCuda.h"
#include <algorithm>
#include <complex>

namespace {

constexpr int success = 0, failed = 6, refused = 10, index32 = 2, inRows = 2, float64 = 1, complex128 = 5;
void *stream = nullptr;

struct Matrix {
  bool areRows; // compressed ones
  int64_t rows, columns;
  void *ends, *places, *data;
  int placeType, dataType;
};
struct Table { // a vector is one of one column
  int64_t length, columns;
  void *data;
  int dataType;
};

template <typename Number, typename Place>
void multiply(const Matrix &a, const Table &in, const Table &out, int device) {
  auto *ends = static_cast<Place *>(fake::reach(a.ends, device)),
       *places = static_cast<Place *>(fake::reach(a.places, device));
  auto *data = static_cast<Number *>(fake::reach(a.data, device)),
       *x = static_cast<Number *>(fake::reach(in.data, device)),
       *y = static_cast<Number *>(fake::reach(out.data, device));
  std::fill(y, y + a.rows * out.columns, Number());
  for (int64_t line = 0; line < (a.areRows ? a.rows : a.columns); ++line)
    for (Place at = ends[line]; at < ends[line + 1]; ++at) {
      int64_t row = a.areRows ? line : places[at], column = a.areRows ? places[at] : line;
      for (int64_t k = 0; k < out.columns; ++k)
        y[row * out.columns + k] += data[at] * x[column * out.columns + k];
    }
}

template <typename Number> void multiply(const Matrix &a, const Table &in, const Table &out, int device) {
  auto run = a.placeType == index32 ? multiply<Number, int32_t> : multiply<Number, int64_t>;
  run(a, in, out, device);
}

int multiply(const void *alpha, void *matrix, void *x, const void *beta, void *y, int dataType) {
  Matrix a = *static_cast<Matrix *>(matrix);
  Table in = *static_cast<Table *>(x), out = *static_cast<Table *>(y);
  bool isKnown = (dataType == float64 || dataType == complex128) && a.dataType == dataType && in.dataType == dataType &&
                 out.dataType == dataType;
  if (!isKnown || in.length != a.columns || out.length != a.rows || in.columns != out.columns ||
      *static_cast<const double *>(alpha) != 1 || *static_cast<const double *>(beta) != 0)
    return refused;
  bool queued = fake::enqueue(stream, [=](int device) {
    dataType == float64 ? multiply<double>(a, in, out, device) : multiply<std::complex<double>>(a, in, out, device);
  });
  return queued ? success : failed;
}

int create(bool areRows, void **matrix, int64_t rows, int64_t columns, void *ends, void *places, void *data,
           int endType, int placeType, int dataType) {
  if (endType != placeType)
    return refused;
  *matrix = new Matrix{areRows, rows, columns, ends, places, data, placeType, dataType};
  return success;
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
int cusparseCreateCsr(void **matrix, int64_t rows, int64_t columns, int64_t, void *ends, void *places, void *data,
                      int endType, int placeType, int, int dataType) {
  return create(true, matrix, rows, columns, ends, places, data, endType, placeType, dataType);
}
int cusparseCreateCsc(void **matrix, int64_t rows, int64_t columns, int64_t, void *ends, void *places, void *data,
                      int endType, int placeType, int, int dataType) {
  return create(false, matrix, rows, columns, ends, places, data, endType, placeType, dataType);
}
int cusparseCreateDnVec(void **vector, int64_t length, void *data, int dataType) {
  *vector = new Table{length, 1, data, dataType};
  return success;
}
int cusparseCreateDnMat(void **table, int64_t rows, int64_t columns, int64_t step, void *data, int dataType,
                        int order) {
  if (order != inRows || step != columns)
    return refused;
  *table = new Table{rows, columns, data, dataType};
  return success;
}
int cusparseDestroySpMat(void *matrix) {
  delete static_cast<Matrix *>(matrix);
  return success;
}
int cusparseDestroyDnVec(void *vector) {
  delete static_cast<Table *>(vector);
  return success;
}
int cusparseDestroyDnMat(void *table) {
  delete static_cast<Table *>(table);
  return success;
}
int cusparseSpMV_bufferSize(void *, int, const void *, void *, void *, const void *, void *, int, int, size_t *bytes) {
  *bytes = 16;
  return success;
}
int cusparseSpMV(void *, int operation, const void *alpha, void *matrix, void *x, const void *beta, void *y,
                 int dataType, int, void *) {
  return operation == 0 ? multiply(alpha, matrix, x, beta, y, dataType) : refused;
}
int cusparseSpMM_bufferSize(void *, int, int, const void *, void *, void *, const void *, void *, int, int,
                            size_t *bytes) {
  *bytes = 16;
  return success;
}
int cusparseSpMM(void *, int operation, int other, const void *alpha, void *matrix, void *x, const void *beta, void *y,
                 int dataType, int, void *) {
  return operation == 0 && other == 0 ? multiply(alpha, matrix, x, beta, y, dataType) : refused;
}
}
