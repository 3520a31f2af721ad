#ifndef NPCC_COMPILER_PASSES_ALIASING_H
#define NPCC_COMPILER_PASSES_ALIASING_H
#include "dialects/Np/Np.h"

namespace npcc {

/// Whether two memrefs of the loop form may share elements. `general`: the general version of a function, whose arguments may overlap.
inline bool mayAlias(mlir::Value a, mlir::Value b, bool general) {
  if (a == b)
    return true;
  bool freshA = llvm::isa_and_nonnull<np::AllocOp>(a.getDefiningOp()), freshB = llvm::isa_and_nonnull<np::AllocOp>(b.getDefiningOp());
  auto isArgument = [](mlir::Value value) {
    auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
    return argument && llvm::isa<mlir::FunctionOpInterface>(argument.getOwner()->getParentOp());
  };
  if (freshA && freshB)
    return false;
  // What was there when a buffer was made is another one: arguments, and what a loop around carries.
  auto wasThere = [](mlir::Value value, mlir::Value made) {
    auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
    return argument && argument.getOwner()->findAncestorOpInBlock(*made.getDefiningOp());
  };
  if ((freshA && wasThere(b, a)) || (freshB && wasThere(a, b)))
    return false;
  return general || !isArgument(a) || !isArgument(b);
}

} // namespace npcc
#endif
