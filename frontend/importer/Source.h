#ifndef NPCC_FRONTEND_IMPORTER_SOURCE_H
#define NPCC_FRONTEND_IMPORTER_SOURCE_H
#include "frontend/importer/PythonObject.h"
#include <map>
#include <string>

namespace npcc::frontend {

struct Source {
  py::Object definition; // ast.FunctionDef or ast.Lambda, with the positions of the file
  std::string file;
};
/// Parses the file that a Python function stands in and finds it there.
bool findSource(const py::Object &function, Source &source, std::string &problem);

/// The sources of functions, each looked for once: that asks the file system whether the file is still the same.
class Sources {
public:
  /// As findSource().
  bool find(const py::Object &function, Source &source, std::string &problem);

private:
  std::map<PyObject *, std::pair<py::Object, Source>> found; // which keeps the functions, too
};

/// A dict of a function's free names and the cells that hold what they are bound to.
py::Object freeCells(const py::Object &function);
/// The cell of a name in such a dict, and what it holds now; null where there is none, or it holds nothing yet.
py::Object freeCell(const py::Object &cells, const std::string &name);
py::Object freeValue(const py::Object &cells, const std::string &name);

} // namespace npcc::frontend
#endif
