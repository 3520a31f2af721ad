#include "frontend/importer/SharedFunctions.h"

namespace npcc::frontend {

static constexpr int64_t usualStatements = 8000, fewestCalls = 4;
static constexpr int64_t fewestStatements = 60; // of a function that is shared because others are
static constexpr size_t mostTried = 3;

std::vector<std::vector<PyObject *>> worthSharing(const Outlines &outlines) {
  if (outlines.statements <= usualStatements)
    return {};
  std::vector<std::pair<int64_t, PyObject *>> found; // by how many statements are copies
  std::vector<PyObject *> together;
  int64_t copiesTogether = 0;
  for (const auto &[definition, imported] : outlines.imported) {
    if (imported.calls < fewestCalls || outlines.recursive.count(definition))
      continue;
    int64_t each = imported.statements / imported.calls, copies = imported.statements - each;
    if (copies > outlines.statements / 2)
      found.push_back({copies, definition});
    if (each >= fewestStatements) {
      together.push_back(definition);
      copiesTogether += copies;
    }
  }
  llvm::sort(found, [](const auto &left, const auto &right) { return left.first > right.first; });
  std::vector<std::vector<PyObject *>> choices;
  for (const auto &[copies, definition] : llvm::ArrayRef(found).take_front(std::min(mostTried, found.size())))
    choices.push_back({definition});
  if (found.empty() && copiesTogether > outlines.statements / 4)
    choices.push_back(together);
  return choices;
}

} // namespace npcc::frontend
