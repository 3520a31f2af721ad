#include "dialects/Np/Choice.h"

using namespace mlir;
using namespace npcc::np;

#define GET_OP_CLASSES
#include "dialects/Np/NpChoice.cpp.inc"

// What is known when the code is made is no choice.
OpFoldResult ChoiceOp::fold(FoldAdaptor adaptor) { return adaptor.getValue(); }
