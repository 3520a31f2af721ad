#ifndef NPCC_DIALECTS_NP_ROUTINES_H
#define NPCC_DIALECTS_NP_ROUTINES_H
// What runtime/Routines.def says of the routines that np.routine names.
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace npcc::np {

/// How the results of several calls are those of one (see runtime/Routines.def).
enum class RoutineOperands { Stacks, PlacedStacks, Lines };
struct RoutineInfo {
  llvm::StringRef name;
  RoutineOperands operands;
  bool mayFail; // a matrix may have no result
};
/// The row of a routine; null for those that make texts, which have none.
const RoutineInfo *lookupRoutine(llvm::StringRef name);

/// A routine that gives some of the results of another one.
struct LesserRoutine {
  llvm::StringRef routine, lesser;
  llvm::SmallVector<unsigned, 2> unread; // outputs of `routine` that it does not give
  llvm::SmallVector<unsigned, 2> kept;   // and those that it takes
};
llvm::ArrayRef<LesserRoutine> getLesserRoutines();

} // namespace npcc::np
#endif
