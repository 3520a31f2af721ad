#ifndef NPCC_DIALECTS_NP_NARROWFLOATS_H
#define NPCC_DIALECTS_NP_NARROWFLOATS_H
#include "mlir/IR/Types.h"

namespace npcc::np {

/// f16 and bf16: numbers of these are computed in f32.
inline bool isNarrowFloat(mlir::Type type) { return type.isF16() || type.isBF16(); }

} // namespace npcc::np
#endif
