#include "frontend/extension/Diagnostics.h"
#include "compiler/Driver.h"
#include "frontend/importer/Importer.h"

using namespace npcc;
using namespace npcc::extension;

/// `error`: the exception that Python or NumPy would raise, if it is one. `isOfForm`: as frontend::Diagnostic has it.
static void append(PyObject *list, const SourceDiagnostic &diagnostic, llvm::StringRef error, bool isOfForm = false) {
  py::Object dict = py::Object::take(PyDict_New());
  py::Object notes = py::Object::take(PyList_New(0));
  for (const std::string &note : diagnostic.notes) {
    py::Object text = py::Object::take(toPython(note));
    PyList_Append(notes.get(), text.get());
  }
  setItem(dict.get(), "is_error", PyBool_FromLong(diagnostic.isError));
  setItem(dict.get(), "file", toPython(diagnostic.file));
  setItem(dict.get(), "line", PyLong_FromLong(diagnostic.line));
  setItem(dict.get(), "column", PyLong_FromLong(diagnostic.column));
  setItem(dict.get(), "end_line", PyLong_FromLong(diagnostic.endLine));
  setItem(dict.get(), "end_column", PyLong_FromLong(diagnostic.endColumn));
  setItem(dict.get(), "message", toPython(diagnostic.message));
  setItem(dict.get(), "error", toPython(error.str()));
  setItem(dict.get(), "of_form", PyBool_FromLong(isOfForm));
  PyDict_SetItemString(dict.get(), "notes", notes.get());
  PyList_Append(list, dict.get());
}

void extension::appendDiagnostic(PyObject *list, const SourceDiagnostic &diagnostic) { append(list, diagnostic, ""); }

void extension::appendDiagnostic(PyObject *list, const frontend::Diagnostic &diagnostic) {
  SourceDiagnostic same;
  same.file = diagnostic.file;
  same.line = diagnostic.line;
  same.column = diagnostic.column;
  same.endLine = diagnostic.endLine;
  same.endColumn = diagnostic.endColumn;
  same.message = diagnostic.message;
  if (!diagnostic.hint.empty())
    same.notes.push_back(diagnostic.hint);
  append(list, same, diagnostic.error, diagnostic.isOfForm);
}
