#ifndef NPCC_COMPILER_KERNELS_SUMQUOTIENTS_H
#define NPCC_COMPILER_KERNELS_SUMQUOTIENTS_H
#include "mlir/IR/PatternMatch.h"

namespace npcc {

/// The number of an element, counted over two axes, and divided by the last one's extent again, is the positions that
/// it was made of: (4 * i + j) / 4 is i, and the remainder j, where j is below 4.
void addSumQuotients(mlir::RewritePatternSet &patterns);

/// The two positions that the number of an element was made of, counted over an axis and one of `extent` behind it.
std::optional<std::pair<mlir::Value, mlir::Value>> splitNumber(mlir::OpBuilder &builder, mlir::Value number,
                                                               int64_t extent);

} // namespace npcc
#endif
