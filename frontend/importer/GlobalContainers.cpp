// Lists, dicts, sets and objects that globals hold, and what is in them: constants of the code as long as the function
// only looks at them. One that it changes under whatever name (`rows = list(TABLE); rows[0].append(1)`) is noted, and
// npcc/assigned.py finds the globals that lead to it. So is an object that compiled code has as one of a class of the
// library, which only calls can make of it: a sparse matrix.
#include "frontend/importer/Assigned.h"
#include "frontend/importer/Parts.h"
#include "frontend/importer/Recursion.h"

using llvm::StringRef;

namespace npcc::frontend {

static constexpr StringRef prefix = "global ";

std::string siteOfGlobal(Interpreter &in, const py::Object &list) {
  if (!in.outlines)
    return "";
  in.outlines->globalLists.emplace(list.get(), list);
  return (prefix + llvm::utohexstr(reinterpret_cast<uintptr_t>(list.get()))).str();
}

bool isSiteOfGlobal(StringRef site) { return site.starts_with(prefix); }

void noteChanged(Interpreter &in, const py::Object &container) {
  static const py::Object note = py::lookup("npcc.assigned.note_changed");
  py::call(note, {container});
  noteContainer(in, container);
}

void noteChangedObject(Interpreter &in, const PyValue &value) {
  static const py::Object isPlain = py::lookup("npcc.structures.is_plain_object");
  if (value.is(PyValue::Kind::Union))
    for (const PyValue &one : value->items)
      noteChangedObject(in, one);
  else if (value.isObject() && py::isTrue(py::call(isPlain, {value.object()})))
    noteChanged(in, value.object());
}

bool notesStandIn(Interpreter &in, const py::Object &object) {
  static const py::Object classOf = py::lookup("npcc.structures.sparse_class");
  if (!object || !PyType_HasFeature(Py_TYPE(object.get()), Py_TPFLAGS_HEAPTYPE) || PyType_Check(object.get()))
    return false;
  py::Object cls = py::call(classOf, {object});
  if (!cls || cls.isNone())
    return false;
  noteChanged(in, object);
  return true;
}

py::Object globalListAt(Interpreter &in, StringRef site) {
  // The place of a column of such a list has the column's number behind the list's (GrowingLists.cpp).
  uintptr_t address;
  if (!site.consume_front(prefix) || site.take_until([](char c) { return c == '.'; }).getAsInteger(16, address))
    return {};
  auto found = in.outlines->globalLists.find(reinterpret_cast<PyObject *>(address));
  return found == in.outlines->globalLists.end() ? py::Object() : found->second;
}

bool noteChangedAt(Interpreter &in, StringRef site) {
  if (py::Object list = globalListAt(in, site))
    noteChanged(in, list);
  return isSiteOfGlobal(site);
}

} // namespace npcc::frontend
