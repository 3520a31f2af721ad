// Routines of linear algebra on stacks of column-major matrices: LAPACK out of the BLAS library that is in use
// (cpu/Blas.h), own loops for some where there is none; on a GPU cuSOLVER (cuda/Cusolver.h), and LAPACK by way of the
// host for what it does not have, and where there is none.
#ifndef NPCC_RUNTIME_LINEARALGEBRA_H
#define NPCC_RUNTIME_LINEARALGEBRA_H

#include "runtime/Device.h"
#include "runtime/Element.h"
#include "runtime/abi/arrays.h"

namespace npcc::rt {

// clang-format off: the list is a table.
/// The operands are contiguous and of equally many matrices, (matrices, columns, rows), or of vectors, (vectors,
/// length); inputs are `a` and `tau` of qr, and `a` of solve_rows.
/// A name that begins with "host." is that routine of the host's LAPACK on every device: where the choice that a library makes among
/// the results (signs of vectors) must be that one's. `failed` is the number, from 1, of the first matrix that the routine has no result for.
///
///     routine       operands     what it does
///     cholesky      a            the lower triangle of a becomes its Cholesky factor; what is above stays
///     lu            a parity     a becomes L and U; parity: 1, or -1 after an odd number of exchanged rows; singular matrices are no failure
///     solve         a b          b becomes the solutions; a is overwritten. Large triangular matrices are solved without factors
///     solve_rows    a b          the same of row-major matrices of up to 32 rows: a is an input
///     eigh          a w          w: the eigenvalues, ascending; a becomes the eigenvectors, in columns; only its lower triangle is read
///     eigh_upper    a w          the same of the upper triangle
///     eigvalsh      a w          w alone; a is overwritten
///     eigvalsh_upper a w         the same of the upper triangle
///     eig           a w v        w: the eigenvalues, v: the eigenvectors in columns, both complex; a is overwritten
///     eigvals       a w          w alone
///     qr_raw        a tau        a becomes R and below it the reflectors, whose factors are tau (min(m, n))
///     qr            a tau q      q: the first columns of Q, from what qr_raw has left in a and tau
///     svd           a u s v      a = u diag(s) v, all of u and v or their first min(m, n) columns and rows
///                                a is overwritten. None of what is not finite, but a GPU's library does not say that
///     svdvals       a s          s alone
// clang-format on
Status callLinearAlgebra(Device &device, const char *routine, int32_t inputs, int32_t count, const npcc_array *operands,
                         const RoutineError *error, int64_t &failed);

/// How many matrices of a stack the host's threads work on at a time.
int64_t countMatricesAtOnce(int64_t matrices, int64_t rows);

/// Of one matrix of a stack.
inline int64_t matrixBytes(const npcc_array &stack) {
  int64_t bytes = elementSize(stack.dtype);
  for (int32_t axis = 1; axis < stack.rank; ++axis)
    bytes *= stack.shape[axis];
  return bytes;
}

} // namespace npcc::rt

#endif
