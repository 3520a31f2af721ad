#ifndef NPCC_COMPILER_NP_EXPANDREDUCTIONS_H
#define NPCC_COMPILER_NP_EXPANDREDUCTIONS_H
#include "dialects/Np/Values.h"

namespace npcc {

/// A reduction along `axis`, its only one, of `count` elements as an expression of them, in their order.
void expandReduction(np::ReduceOp op, int64_t axis, int64_t count);

/// Products that sum up so few elements, in matrices of so few rows or columns, are sums that fuse: a library's call
/// costs more in passes over memory than it saves.
constexpr int64_t fewTerms = 8;

} // namespace npcc
#endif
