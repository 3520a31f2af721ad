#include "dialects/Np/Choice.h"
#include "dialects/Np/Iteration.h"
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
      ,
#define GET_OP_LIST
#include "dialects/Np/NpChoice.cpp.inc"
      ,
#define GET_OP_LIST
#include "dialects/Np/NpIteration.cpp.inc"
      >();
}

#define GET_OP_CLASSES
#include "dialects/Np/NpOps.cpp.inc"
