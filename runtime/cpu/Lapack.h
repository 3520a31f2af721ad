#ifndef NPCC_RUNTIME_CPU_LAPACK_H
#define NPCC_RUNTIME_CPU_LAPACK_H

#include <cstdint>

namespace npcc::rt {

/// One element of a stack of LinearAlgebra.h: a column-major matrix, or a vector, which has one column.
struct Matrix {
  void *data;
  int64_t rows, columns;
};

/// What a routine gets: one matrix of each operand.
struct Matrices {
  static constexpr int32_t most = 6;
  Matrix of[most];

  template <typename T>
  T *data(int32_t operand) const { return static_cast<T *>(of[operand].data); }
  int64_t rows(int32_t operand) const { return of[operand].rows; }
  int64_t columns(int32_t operand) const { return of[operand].columns; }
};

/// False if there is no result.
using LapackRoutine = bool (*)(const Matrices &);

/// LAPACK's where a library has it, the own one elsewhere; null if there is none of this name and dtype.
LapackRoutine findLapackRoutine(const char *routine, int32_t dtype);
LapackRoutine findOwnRoutine(const char *routine, int32_t dtype);

} // namespace npcc::rt

#endif
