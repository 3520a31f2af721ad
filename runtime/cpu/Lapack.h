#ifndef NPCC_RUNTIME_CPU_LAPACK_H
#define NPCC_RUNTIME_CPU_LAPACK_H

#include <cstdint>

namespace npcc::rt {

/// One element of each stack of LinearAlgebra.h: an n x n matrix first; `columns` of the second operand.
struct MatrixOperands {
  int64_t n, columns;
  void *data[4];
};

/// False if there is no result.
using LapackRoutine = bool (*)(const MatrixOperands &);

/// LAPACK's where a library has it, the own one elsewhere; null if there is none of this name and dtype.
LapackRoutine findLapackRoutine(const char *routine, int32_t dtype);
LapackRoutine findOwnRoutine(const char *routine, int32_t dtype);

} // namespace npcc::rt

#endif
