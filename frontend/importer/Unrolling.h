#ifndef NPCC_FRONTEND_IMPORTER_UNROLLING_H
#define NPCC_FRONTEND_IMPORTER_UNROLLING_H
// How much code a loop gives that is imported one item after the other.
#include "frontend/importer/Interpreter.h"

namespace npcc::frontend {

class Unrolling {
public:
  Unrolling(Interpreter &in, size_t count);

  /// Asked before each iteration: whether all of them would be much code, as far as the first one tells.
  bool isMuch(size_t iteration);
  /// Whether those that were imported are so much that the loop is better not compiled at all.
  bool isTooMuch() const;
  /// Whether an iteration is left out, because it would be much and tell little that is new: the function is imported
  /// again, or two iterations have failed that are like it (`areAlike`).
  bool isLeftOut(size_t iteration, bool areAlike);

private:
  size_t countCode() const;
  Interpreter &in;
  size_t count, before, errorsBefore;
  int64_t statementsBefore;
  mlir::Block *block, *lastBlock; // where the first iteration begins, and the function's last one then
  bool much = false, isLong = false;
};

} // namespace npcc::frontend
#endif
