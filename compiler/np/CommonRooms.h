#ifndef NPCC_COMPILER_NP_COMMONROOMS_H
#define NPCC_COMPILER_NP_COMMONROOMS_H
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace npcc {

/// Where both sides of a branch make room in one list, for one more item each: moves before the branch what both do
/// with the same operands, as far as nothing stands in the way. What is left inside is the store of the item:
///
///   if s > 0: out.append(row / s)          room for an item of out
///   else: out.append(row)             ->   if s > 0: out[n] = row / s
///                                          else: out[n] = row
///
/// False if there is no such branch.
bool hoistCommonRooms(mlir::func::FuncOp function);

} // namespace npcc
#endif
