// What the runtime's kernels for small matrices do, as functions for compiled kernels: one text for both, compiled
// offline. Each function of teams.ptx stands by itself, so a kernel gets only those that it calls.
#include "compiler/gpu/image/TeamFunctions.h"

asm(".pushsection .rodata\n"
    ".global npcc_team_functions\n"
    ".hidden npcc_team_functions\n"
    "npcc_team_functions:\n"
    ".incbin \"" NPCC_TEAM_FUNCTIONS "\"\n"
    ".byte 0\n"
    ".popsection\n");
extern "C" __attribute__((visibility("hidden"))) const char npcc_team_functions[];

namespace npcc::cuda {

llvm::StringRef findTeamFunction(llvm::StringRef name) {
  constexpr llvm::StringLiteral head = ".visible .func", end = "\n}\n";
  llvm::StringRef all(npcc_team_functions);
  for (size_t at = all.find(head); at != llvm::StringRef::npos; at = all.find(head, at + 1)) {
    llvm::StringRef function = all.drop_front(at);
    llvm::StringRef line = function.take_until([](char c) { return c == '\n'; });
    if (line.rtrim("(").ends_with((" " + name).str()))
      return function.take_front(function.find(end) + end.size());
  }
  return "";
}

} // namespace npcc::cuda
