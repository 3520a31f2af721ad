#ifndef NPCC_DIALECTS_NP_ELEMENTBYTES_H
#define NPCC_DIALECTS_NP_ELEMENTBYTES_H
#include "mlir/IR/Types.h"

namespace npcc {

/// The bytes of an element of memory: a bool is one, an index eight.
int64_t getElementBytes(mlir::Type elementType);

} // namespace npcc
#endif
