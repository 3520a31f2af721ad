// The tables of the runtime's routines as data.
#include "dialects/Np/Routines.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;
using namespace npcc::np;

const RoutineInfo *npcc::np::lookupRoutine(StringRef name) {
  static const StringMap<RoutineInfo> table = [] {
    enum { Never, Possible };
    StringMap<RoutineInfo> rows;
#define ROUTINE(NAME, FAMILY, OPERANDS, FAILURE)                                                                       \
  rows[#NAME] = RoutineInfo{#NAME, RoutineOperands::OPERANDS, FAILURE == Possible};
#include "runtime/Routines.def"
    return rows;
  }();
  name.consume_front("host.");
  auto it = table.find(name);
  return it == table.end() ? nullptr : &it->second;
}

ArrayRef<LesserRoutine> npcc::np::getLesserRoutines() {
#define OUTPUTS(...) {__VA_ARGS__}
#define LESSER(NAME, LESSER_NAME, UNREAD, KEPT) {#NAME, #LESSER_NAME, OUTPUTS UNREAD, OUTPUTS KEPT},
  static const LesserRoutine rows[] = {
#include "runtime/Routines.def"
  };
#undef OUTPUTS
  return rows;
}
