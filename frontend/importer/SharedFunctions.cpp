#include "frontend/importer/SharedFunctions.h"

namespace npcc::frontend {

static constexpr int64_t usualStatements = 8000, fewestCalls = 4;
static constexpr size_t mostTried = 3;

std::vector<PyObject *> worthSharing(const Outlines &outlines) {
  if (outlines.statements <= usualStatements)
    return {};
  std::vector<std::pair<int64_t, PyObject *>> found; // by how many statements are copies
  for (const auto &[definition, imported] : outlines.imported) {
    int64_t copies = imported.calls > 0 ? imported.statements - imported.statements / imported.calls : 0;
    bool isMuch = copies > outlines.statements / 2;
    if (imported.calls >= fewestCalls && isMuch && !outlines.recursive.count(definition))
      found.push_back({copies, definition});
  }
  llvm::sort(found, [](const auto &left, const auto &right) { return left.first > right.first; });
  std::vector<PyObject *> definitions;
  for (const auto &[copies, definition] : llvm::ArrayRef(found).take_front(std::min(mostTried, found.size())))
    definitions.push_back(definition);
  return definitions;
}

} // namespace npcc::frontend
