#include "dialects/Np/Np.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Choice.h"
#include "dialects/Np/Devices.h"
#include "dialects/Np/Host.h"
#include "dialects/Np/Iteration.h"
#include "dialects/Np/Kernels.h"
#include "dialects/Np/Matrices.h"
#include "dialects/Np/Memory.h"
#include "dialects/Np/Names.h"
#include "dialects/Np/Random.h"
#include "dialects/Np/Threads.h"
#include "dialects/Np/Ufunc.h"
#include "dialects/Np/Values.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace npcc::np;

#include "dialects/Np/NpDialect.cpp.inc"
#include "dialects/Np/NpEnums.cpp.inc"
#include "dialects/Np/NpInterfaces.cpp.inc"

void NpDialect::initialize() {
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "dialects/Np/NpOps.cpp.inc"
      >();
}

#define GET_OP_CLASSES
#include "dialects/Np/NpOps.cpp.inc"
