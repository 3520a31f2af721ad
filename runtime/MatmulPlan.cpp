#include "runtime/MatmulPlan.h"
#include "runtime/Copy.h"
#include "runtime/Element.h"
#include <algorithm>
#include <tuple>

namespace npcc::rt {
namespace {

struct Layout {
  bool usable;
  bool columnMajor;
  int64_t leading;
};

/// Strides of axes of extent 1 mean nothing.
Layout layoutOf(const npcc_matrix &matrix, int64_t rows, int64_t columns) {
  bool unitColumns = columns == 1 || matrix.column_stride == 1;
  bool unitRows = rows == 1 || matrix.row_stride == 1;
  if (unitColumns && (rows == 1 || matrix.row_stride >= columns))
    return {true, false, rows == 1 ? columns : matrix.row_stride};
  if (unitRows && (columns == 1 || matrix.column_stride >= rows))
    return {true, true, columns == 1 ? rows : matrix.column_stride};
  return {false, false, columns};
}

View matrixView(const npcc_matrix &matrix, int64_t rows, int64_t columns, int64_t size) {
  View view;
  view.data = static_cast<char *>(matrix.data);
  view.elementSize = size;
  view.rank = 2;
  view.shape[0] = rows;
  view.shape[1] = columns;
  view.strides[0] = matrix.row_stride;
  view.strides[1] = matrix.column_stride;
  return view;
}

Status pack(Device &device, npcc_matrix &matrix, int64_t rows, int64_t columns, int64_t size, bool copy,
            OwnedBuffer &buffer) {
  NPCC_TRY(buffer.allocate(device, rows * columns * size));
  npcc_matrix packed{buffer.get(), columns, 1};
  if (copy)
    NPCC_TRY(copyOnDevice(device, matrixView(packed, rows, columns, size), matrixView(matrix, rows, columns, size)));
  matrix = packed;
  return {};
}

} // namespace

Status MatmulPlan::make(Device &device, const MatmulShape &shape, npcc_matrix a, npcc_matrix b, npcc_matrix c) {
  auto [m, n, k] = std::tuple(shape.m, shape.n, shape.k);
  int64_t size = elementSize(shape.dtype), resultSize = elementSize(shape.resultDtype);
  alpha = shape.alpha;
  beta = shape.beta;
  if (!layoutOf(a, m, k).usable)
    NPCC_TRY(pack(device, a, m, k, size, true, packedA));
  if (!layoutOf(b, k, n).usable)
    NPCC_TRY(pack(device, b, k, n, size, true, packedB));
  Layout layoutA = layoutOf(a, m, k), layoutB = layoutOf(b, k, n);

  // There is no gemv of narrow floats.
  bool mayBeVector = !isNarrowFloat(shape.dtype);
  // A vector result needs no layout of C, only a positive step; nor does the vector operand.
  if (mayBeVector && n == 1 && (m == 1 || c.row_stride > 0) && (k == 1 || b.row_stride > 0)) {
    isVector = true;
    gemv = {!layoutA.columnMajor, layoutA.columnMajor ? m : k, layoutA.columnMajor ? k : m, a.data, layoutA.leading,
            b.data, k == 1 ? 1 : b.row_stride, c.data, m == 1 ? 1 : c.row_stride};
    return {};
  }
  if (mayBeVector && m == 1 && (n == 1 || c.column_stride > 0) && (k == 1 || a.column_stride > 0)) {
    isVector = true;
    gemv = {layoutB.columnMajor, layoutB.columnMajor ? k : n, layoutB.columnMajor ? n : k, b.data, layoutB.leading,
            a.data, k == 1 ? 1 : a.column_stride, c.data, n == 1 ? 1 : c.column_stride};
    return {};
  }
  wantedC = matrixView(c, m, n, resultSize);
  if (!layoutOf(c, m, n).usable)
    NPCC_TRY(pack(device, c, m, n, resultSize, /*copy=*/beta != 0, packedC));
  Layout layoutC = layoutOf(c, m, n);
  if (layoutC.columnMajor)
    gemm = {!layoutA.columnMajor, !layoutB.columnMajor, m, n, k, a.data, b.data, c.data,
            layoutA.leading, layoutB.leading, layoutC.leading};
  else // row-major C is column-major C^T = B^T A^T
    gemm = {layoutB.columnMajor, layoutA.columnMajor, n, m, k, b.data, a.data, c.data,
            layoutB.leading, layoutA.leading, layoutC.leading};
  return {};
}

bool makeGemm(const MatmulShape &shape, const npcc_matrix matrices[3], Gemm &gemm, int operands[3]) {
  auto [m, n, k] = std::tuple(shape.m, shape.n, shape.k);
  const npcc_matrix &a = matrices[0], &b = matrices[1], &c = matrices[2];
  Layout layoutA = layoutOf(a, m, k), layoutB = layoutOf(b, k, n), layoutC = layoutOf(c, m, n);
  if (!layoutA.usable || !layoutB.usable || !layoutC.usable)
    return false;
  int swapped = layoutC.columnMajor ? 0 : 1; // row-major C is column-major C^T = B^T A^T
  operands[0] = swapped;
  operands[1] = 1 - swapped;
  operands[2] = 2;
  if (swapped)
    gemm = {layoutB.columnMajor, layoutA.columnMajor, n, m, k, b.data, a.data, c.data,
            layoutB.leading, layoutA.leading, layoutC.leading};
  else
    gemm = {!layoutA.columnMajor, !layoutB.columnMajor, m, n, k, a.data, b.data, c.data,
            layoutA.leading, layoutB.leading, layoutC.leading};
  return true;
}

Status MatmulPlan::finish(Device &device) {
  if (!packedC.get())
    return {};
  return copyOnDevice(device, wantedC, contiguousLike(wantedC, packedC.get()));
}

bool addsToResult(const MatmulShape &shape, const npcc_matrix &c, const npcc_epilogue &epilogue) {
  const npcc_matrix &addend = epilogue.addend;
  return addend.data == c.data && (shape.m == 1 || addend.row_stride == c.row_stride) &&
         (shape.n == 1 || addend.column_stride == c.column_stride);
}

Status separateAddend(Device &device, const MatmulShape &shape, const npcc_matrix &c, npcc_epilogue &epilogue, OwnedBuffer &copy) {
  if (!addsToResult(shape, c, epilogue))
    return {};
  return pack(device, epilogue.addend, shape.m, shape.n, elementSize(shape.resultDtype), /*copy=*/true, copy);
}

Status zeroMatrix(Device &device, const MatmulShape &shape, const npcc_matrix &c) {
  static const npcc_complex zero{0, 0};
  int64_t size = elementSize(shape.resultDtype);
  OwnedBuffer scalar;
  NPCC_TRY(scalar.allocate(device, size));
  NPCC_TRY(device.copyIn(scalar.get(), &zero, size));
  return copyOnDevice(device, matrixView(c, shape.m, shape.n, size),
                      matrixView({scalar.get(), 0, 0}, shape.m, shape.n, size));
}

} // namespace npcc::rt
