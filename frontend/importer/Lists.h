#ifndef NPCC_FRONTEND_IMPORTER_LISTS_H
#define NPCC_FRONTEND_IMPORTER_LISTS_H
// Lists whose length is known at run time.
#include "frontend/importer/Interpreter.h"

namespace npcc::frontend {

//===---- Lists.cpp ----===//
/// A temporary, or an array that was made just now.
bool isFresh(const PyValue &value);
/// Whether it is a list of run-time length, of numbers and arrays or of tuples.
inline bool isRuntimeLength(const PyValue &value) { return value.isRuntimeList() || value.isRows(); }
/// Composite::holdsCopies of a list of lists that other lists have, too.
constexpr int copiesOfRows = 3;
/// Of known items or not.
inline bool isList(const PyValue &value) { return (isRuntimeLength(value) || value.isSequence()) && value->isList; }
inline bool isTuple(const PyValue &value) { return (isRuntimeLength(value) || value.isSequence()) && !value->isList; }
/// Whether it has room for more.
inline bool isGrown(const PyValue &value) {
  return value.isRows() || (value.isRuntimeList() && value->items.size() == 2);
}
mlir::Value listLength(Interpreter &in, const PyValue &list);
/// len() of a list, of known items or not.
PyValue lengthOf(Interpreter &in, const PyValue &list);
PyValue listItem(Interpreter &in, const PyValue &list, const PyValue &index);
PyValue listItem(Interpreter &in, const PyValue &list, mlir::Value position);
/// Some of the items: a view of them, which nothing is to be stored to.
PyValue listPart(Interpreter &in, const PyValue &list, mlir::Value start, mlir::Value count);
/// False with an error reported for a list that stands for another one, which a caller has.
bool checkIsOwn(Interpreter &in, const PyValue &list);
void storeListItem(Interpreter &in, const PyValue &list, const PyValue &index, const PyValue &value);
/// list(x) of an array or list.
PyValue listOf(Interpreter &in, const PyValue &value);
/// A comprehension; `first` is what its outermost loop goes over.
PyValue runtimeComprehension(Interpreter &in, const py::Object &node, const PyValue &first);
/// One item of a list as a value, with what it is; null with an error reported.
mlir::Value listItemValue(Interpreter &in, const PyValue &item, int64_t &levels, bool &isPython, int &holdsCopies);

//===---- ListMethods.cpp ----===//
/// A call of a function of the package's library ("tables.stacked"), or of its module iteration.
PyValue callInLibrary(Interpreter &in, llvm::StringRef path, std::vector<PyValue> arguments);
/// A call of a function of Python's own ("list").
PyValue callBuiltin(Interpreter &in, const char *name, std::vector<PyValue> arguments);
PyValue callIteration(Interpreter &in, const char *name, std::vector<PyValue> arguments);
/// Names.cpp. An iterator, or a list of its items: what the program asks for these in several places is an object that
/// knows where it stands.
PyValue askedInPlaces(Interpreter &in, const PyValue &iterator);
PyValue callListMethod(Interpreter &in, const PyValue &list, const std::string &name, struct Call &call);

//===---- GrowingLists.cpp ----===//
/// The array of the items.
mlir::Value listArray(Interpreter &in, const PyValue &list);
/// A list of known items as one whose length is known at run time only; poison with an error reported.
PyValue ofRuntimeLength(Interpreter &in, const PyValue &list);
/// The array of a list of `length` arrays with room for `rows` of them (np.make_room), the next of which has the given
/// extents: they are checked to be those of the arrays that are there.
mlir::Value roomFor(Interpreter &in, mlir::Value array, mlir::Value length, mlir::Value rows, mlir::ValueRange extents,
                    bool exactly = false);
/// The list as one that has room for more, with items like the model's.
PyValue growing(Interpreter &in, const PyValue &list, const PyValue &model);
/// A list of Python's numbers as one of NumPy's, of the same dtype: what it is once one of those is put into it.
PyValue asNumpys(const PyValue &list);
/// The list with one more item, where `at` is None at its end; poison with an error reported.
PyValue appended(Interpreter &in, const PyValue &list, const PyValue &item, const PyValue &at);
/// x.pop(), x.pop(k), x.clear() of a list that has room: what is left, and what is given.
PyValue shortened(Interpreter &in, const PyValue &list, const std::string &method, const PyValue &at, PyValue &given);
/// The list with all items of another; `name` is bound to it.
PyValue extended(Interpreter &in, const std::string &name, const PyValue &list, const PyValue &more);
/// left + right, of lists one of which has a run-time length.
PyValue concatenated(Interpreter &in, const PyValue &left, const PyValue &right);
/// [a, b, *c]
PyValue listDisplay(Interpreter &in, const py::Object &display);
/// (a, *values): of as many items as there are at run time.
PyValue tupleDisplay(Interpreter &in, const py::Object &display);
/// A call of a method that changes the length of a list under its one name; nothing if it is none.
std::optional<PyValue> growList(Interpreter &in, const py::Object &call);
/// Adds the names of the lists that a node's statements may grow.
void grownNames(Interpreter &in, const py::Object &node, std::set<std::string> &names);
/// Inside a branch or loop, where an item of a list of known items is stored, which is a name's alone: a few items at a
/// known position stay as they are, in a list of this branch or loop, so that the loop carries each as it does names.
/// Others become a list of run-time length.
void detach(Interpreter &in, const std::string &name, const PyValue &position);
/// Whether a list was made by this call and no name but `name` can lead to it: only then may it become another one.
bool isOwnList(Interpreter &in, const std::string &name, const PyValue &list);
/// Whether a function that called this one made the list.
bool isOfCaller(Interpreter &in, const PyValue &list);
/// In how many places of what the names hold a list is found.
int countNames(const Bindings &bindings, const PyValue &list);
bool hasOtherName(const Bindings &bindings, const std::string &name, const PyValue &list);

} // namespace npcc::frontend
#endif
