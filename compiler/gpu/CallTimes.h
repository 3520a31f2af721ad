#ifndef NPCC_COMPILER_GPU_CALLTIMES_H
#define NPCC_COMPILER_GPU_CALLTIMES_H
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <optional>

namespace npcc {

/// About how long the first call of a function takes, in nanoseconds: if the host runs all of it, in one thread, with
/// arrays in its own memory, and if its kernels run on a GPU, to which the arguments are copied and back.
struct CallTimes {
  double host = 0, device = 0;
};

/// The function is in the loop form, with the kernels that the device is to get (npcc-classify-kernels). Times follow
/// from the numbers of operations, launches and waits (Tuning); what only memory knows counts as usual on both sides.
/// Nothing where the host could not run the function, or where it calls what is not looked into.
std::optional<CallTimes> estimateCall(mlir::func::FuncOp function);

} // namespace npcc
#endif
