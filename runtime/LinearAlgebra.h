// Routines of linear algebra on stacks of column-major matrices, in place: LAPACK out of the BLAS library that is in use (cpu/Blas.h), own
// loops where it has none. Arrays of other devices are brought to the host and back.
#ifndef NPCC_RUNTIME_LINEARALGEBRA_H
#define NPCC_RUNTIME_LINEARALGEBRA_H

#include "runtime/Device.h"

namespace npcc::rt {

/// `failed` is the number, from 1, of the first matrix that the routine has no result for.
///
///   cholesky a       the lower triangle of a: its Cholesky factor; what is above stays
///   lu a parity      a: L and U; parity: 1, or -1 after an odd number of exchanged rows; singular matrices are no failure
///   solve a b        b: the solutions; a: L and U
///   eigh a w         w: the eigenvalues, ascending; a: the eigenvectors in columns. Only the lower triangle of a is read.
///   eigvalsh a w     w alone; a is overwritten
Status callLinearAlgebra(Device &device, const char *routine, int32_t count, const npcc_stack *operands, int64_t &failed);

} // namespace npcc::rt

#endif
