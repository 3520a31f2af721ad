#ifndef NPCC_COMPILER_KERNELS_CARRIEDNUMBERS_H
#define NPCC_COMPILER_KERNELS_CARRIEDNUMBERS_H
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace npcc {

/// Arrays without axes that a loop hands on, of which each iteration makes a new one, are numbers:
///
///   %r = scf.for ... iter_args(%a = %init) {         %first = memref.load %init[]
///     %x = memref.load %a[]                          %s = scf.for ... iter_args(%x = %first) {
///     %b = np.alloc() : memref<f64>            ->      scf.yield %y
///     memref.store %y, %b[]                          }
///     scf.yield %b                                   %r = np.alloc() : memref<f64>    memref.store %s, %r[]
///   }
///
/// For loops without kernels: what a kernel makes is better left where it is, for the host would wait for it. Returns
/// the loop that stands in its place, which may be the same one.
mlir::scf::ForOp carryNumbers(mlir::scf::ForOp loop);

} // namespace npcc
#endif
