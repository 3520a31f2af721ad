#ifndef NPCC_COMPILER_EXPLAIN_PLACES_H
#define NPCC_COMPILER_EXPLAIN_PLACES_H
#include "mlir/IR/Location.h"

namespace npcc {

/// Where in Python an operation comes from; line 0 if that is not known.
struct Place {
  llvm::StringRef file;
  int line = 0, column = 0;
};

inline Place getPlace(mlir::Location loc) {
  Place place;
  loc->walk([&](mlir::Location part) {
    auto range = llvm::dyn_cast<mlir::FileLineColRange>(part);
    if (!range)
      return mlir::WalkResult::advance();
    place = {range.getFilename().getValue(), int(range.getStartLine()), int(range.getStartColumn())};
    return mlir::WalkResult::interrupt();
  });
  return place;
}

} // namespace npcc
#endif
