#ifndef NPCC_FRONTEND_IMPORTER_LISTS_H
#define NPCC_FRONTEND_IMPORTER_LISTS_H
// Lists whose length is known at run time.
#include "frontend/importer/Interpreter.h"

namespace npcc::frontend {

//===---- Lists.cpp
//---------------------------------------------------------------------------------------------------------===//
PyValue listItem(Interpreter &in, const PyValue &list, const PyValue &index);
PyValue listItem(Interpreter &in, const PyValue &list, mlir::Value position);
void storeListItem(Interpreter &in, const PyValue &list, const PyValue &index, const PyValue &value);
/// list(x) of an array or list.
PyValue listOf(Interpreter &in, const PyValue &value);
PyValue runtimeComprehension(Interpreter &in, const py::Object &node);
/// One item of a list as a value, with what it is; null with an error reported.
mlir::Value listItemValue(Interpreter &in, const PyValue &item, int64_t &levels, bool &isPython);

//===---- GrowingLists.cpp
//--------------------------------------------------------------------------------------------------===//
/// The array of the items.
mlir::Value listArray(Interpreter &in, const PyValue &list);
/// The list as one that has room for more, with items like the model's.
PyValue growing(Interpreter &in, const PyValue &list, const PyValue &model);
/// A call of list.append or list.extend, nothing if it is none.
std::optional<PyValue> growList(Interpreter &in, const py::Object &call);
/// Adds the names of the lists that a node's statements may grow.
void grownNames(Interpreter &in, const py::Object &node, std::set<std::string> &names);
bool hasOtherName(const Bindings &bindings, const std::string &name, const PyValue &list);

} // namespace npcc::frontend
#endif
