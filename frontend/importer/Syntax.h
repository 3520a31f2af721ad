#ifndef NPCC_FRONTEND_IMPORTER_SYNTAX_H
#define NPCC_FRONTEND_IMPORTER_SYNTAX_H
#include "frontend/importer/PythonObject.h"
#include <set>
#include <string>
#include <unordered_map>

namespace npcc::frontend {

/// Answers by node of the source, each found once. They hold the nodes, so that no other node gets the address of one.
template <typename Answer> class NodeAnswers {
public:
  template <typename Find> const Answer &get(const py::Object &node, Find find) {
    auto known = answers.find(node.get());
    if (known != answers.end())
      return known->second.second;
    Answer answer = find(node); // which may ask for the nodes below
    return answers.try_emplace(node.get(), node, std::move(answer)).first->second.second;
  }

private:
  std::unordered_map<PyObject *, std::pair<py::Object, Answer>> answers;
};

/// What can be read off a part of the source alone. A function is imported at each of its calls, and a loop's body
/// until the types of its names have settled; the syntax is the same each time.
class Syntax {
public:
  /// A node and all that are below it, in the order of ast.walk.
  const std::vector<py::Object> &nodesIn(const py::Object &node);
  /// The names that are local to a function or lambda: parameters and whatever its body binds.
  const std::set<std::string> &localNames(const py::Object &definition);
  /// The names that a function says are global (`global`).
  const std::set<std::string> &globalNames(const py::Object &definition);
  /// The names that a target, or a statement or expression, binds.
  const std::set<std::string> &assignedNames(const py::Object &node);
  /// Adds the names that a node binds.
  void addAssigned(const py::Object &node, std::set<std::string> &names);

private:
  std::set<std::string> findAssignedNames(const py::Object &node);
  std::set<std::string> findLocalNames(const py::Object &definition);

  NodeAnswers<std::vector<py::Object>> nodes;
  NodeAnswers<std::set<std::string>> locals, globals, assigned;
};

} // namespace npcc::frontend
#endif
