#ifndef NPCC_FRONTEND_IMPORTER_BOXES_H
#define NPCC_FRONTEND_IMPORTER_BOXES_H
// Lists that are objects. Most lists are values: of known items, or an array and a length, which belong to one name. A
// list that changes while it has several names, in a container, or in a function that it is given to, is an object
// instead: an instance of `list` that holds the value (Objects.h), which each change replaces. Dicts whose keys are not
// known are instances of npcc.library.dicts.Dict.
//
// Which ones need that is found by trying: where something cannot be done with a value, the place in the source that
// made it is noted, and the import begins again.
#include "frontend/importer/Objects.h"

namespace npcc::frontend {

/// A list or dict as its expression made it; the object, where the place was found to need one.
PyValue madeAt(Interpreter &in, const py::Object &node, const PyValue &value);
PyValue madeAt(Interpreter &in, const std::string &site, const PyValue &value);
/// The place of a node in the source: where it begins and ends, since `x.ravel().tolist()` begins where `x.ravel()`
/// does, and its type.
std::string siteIn(const std::string &file, const py::Object &node);
std::string siteOf(Interpreter &in, const py::Object &node);
/// Whether the expression makes objects.
bool isBoxedAt(Interpreter &in, const py::Object &node);
bool isBoxedAt(Interpreter &in, const std::string &site);
/// Notes that an expression makes objects from now on, where it is about to make the first.
void makesObjects(Interpreter &in, const py::Object &node);
/// Notes that a list or dict must be an object, or reports the error where that would not help.
PyValue needsBox(Interpreter &in, const PyValue &value, const llvm::Twine &message, const llvm::Twine &hint = "");

/// Notes of lists that meet, each at the end of its edge, that a change of one with another name is one of several.
void noteMeeting(Interpreter &in, llvm::ArrayRef<PyValue> values, llvm::ArrayRef<Edge> edges);

bool isBox(const PyValue &value);
/// A tuple whose length is known at run time only, where it is a row of a table: what is said of lists that are objects
/// holds for it, but it never changes.
bool isTupleBox(const PyValue &value);
PyValue makeBox(Interpreter &in, const PyValue &list);
/// A list just made as what those of its place in the source are: of several types, a row of a table, or in a box.
PyValue asMade(Interpreter &in, const PyValue &list, bool isBoxed);
/// The value that a list holds now, or the given value if it is no object.
PyValue unboxed(Interpreter &in, const PyValue &value);
/// The same of all that is in it.
PyValue unboxedDeeply(Interpreter &in, const PyValue &value);
/// Puts another value into a list that is an object.
void storeInBox(Interpreter &in, const PyValue &box, const PyValue &list);
PyValue callBoxMethod(Interpreter &in, const PyValue &box, const std::string &name, Call &call);
void storeBoxItem(Interpreter &in, const PyValue &box, const PyValue &index, const PyValue &value);
/// list[slice] = value
void storeSlice(Interpreter &in, const PyValue &base, const PyValue &slice, const PyValue &value);
void extendBox(Interpreter &in, const PyValue &box, const PyValue &more);

/// A dict or set of npcc/library/{dicts,sets,deques}.py; `site`: what makes it, where that is not the current node.
PyValue newContainer(Interpreter &in, const char *cls, std::vector<PyValue> arguments, const std::string &site = "");
bool isContainer(const PyValue &value, const char *cls);
/// Whether a class is one of these.
bool isContainerClass(const py::Object &cls);

} // namespace npcc::frontend
#endif
