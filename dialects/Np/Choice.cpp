#include "dialects/Np/Choice.h"

using namespace mlir;
using namespace npcc::np;

// What is known when the code is made is no choice.
OpFoldResult ChoiceOp::fold(FoldAdaptor adaptor) { return adaptor.getValue(); }
