#ifndef NPCC_FRONTEND_IMPORTER_SOURCE_H
#define NPCC_FRONTEND_IMPORTER_SOURCE_H
#include "frontend/importer/PythonObject.h"
#include <set>
#include <string>

namespace npcc::frontend {

struct Source {
  py::Object definition; // ast.FunctionDef or ast.Lambda, with the positions of the file
  std::string file;
};
/// Parses the file that a Python function stands in and finds it there.
bool findSource(const py::Object &function, Source &source, std::string &problem);

/// A dict of a function's free names and what they are bound to now.
py::Object freeNames(const py::Object &function);

/// The names that are local to a function: parameters and whatever its body binds.
std::set<std::string> assignedNames(const py::Object &definition);
/// The names that statements bind.
void assignedNames(const std::vector<py::Object> &statements, std::set<std::string> &names);
/// The names that a target, or a statement or expression, binds.
void assignedNames(const py::Object &node, std::set<std::string> &names);

} // namespace npcc::frontend
#endif
