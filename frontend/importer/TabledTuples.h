#ifndef NPCC_FRONTEND_IMPORTER_TABLEDTUPLES_H
#define NPCC_FRONTEND_IMPORTER_TABLEDTUPLES_H
// Tuples as rows of tables (Tables.h). Those whose lengths differ, and that one table has, are lists there that do not
// change. Those of a known length may be rows of a table that has a list for each of their places, as it has one for
// each attribute of objects. So a tuple is a number wherever one is needed: in a tuple of its own kind, however deep
// (`(value, left, right)`), and in lists of several types, where its items may be of several types too.
//
// Which tuples need that is found by trying, as for lists and objects: the place in the source that makes a tuple is
// noted, and the import begins again.
#include "frontend/importer/Interpreter.h"

namespace npcc::frontend {

//===---- Of any length
//---------------------------------------------------------------------------------------------------===//
/// A tuple whose length is known at run time only, which is no row yet.
bool isLongTuple(const PyValue &value);
/// Where a tuple of one length meets one of another, of which there may be ever more: whether the next import has both
/// as rows of one table, which have any length.
bool meetAsLongTuples(Interpreter &in, const PyValue &left, const PyValue &right);
/// What a name may be that a loop carries: whether one place in the source makes tuples, or known lists, of ever more
/// items for it. Then the next import has all of them as rows of one table.
bool growInLoop(Interpreter &in, llvm::ArrayRef<PyValue> alternatives);

/// Of the types of a list's items, as such lists have them (MixedLists.h): tuples of ever more items, as
/// `todo.append(path + (node,))` makes them, have the one type of tuples of any length instead, and tuples that hold
/// other items of the list the one of their length. Both are rows of one table in the whole function.
void replaceGrowingTuples(Interpreter &in, std::set<std::string> &kinds);
/// A tuple, or one of several values, as an item of a list that holds such tuples: a row; others as they are. Poison
/// with an error reported.
PyValue asTupleRow(Interpreter &in, const PyValue &list, const PyValue &value);

//===---- Of one length
//---------------------------------------------------------------------------------------------------===//
/// The key of the table of the tuples that the place of this one makes; empty where it is none, or has no place.
std::string keyOfPlaces(const PyValue &tuple);
/// Whether a row, or a list of rows, is of such a table.
bool isOfPlaces(Interpreter &in, const PyValue &row);
/// Whether the tuple was found to be a row.
bool isTabledByPlaces(Interpreter &in, const PyValue &tuple);
/// Notes that it must be one.
void noteTabledByPlaces(Interpreter &in, const PyValue &tuple);
/// Notes tuples that hold one that the same place has made, however deep. Whether there are such.
bool noteNestedTuples(Interpreter &in, const PyValue &value);

/// A tuple as a new row of its table, or of the one of `rows`; poison with an error reported.
PyValue tabledByPlaces(Interpreter &in, const PyValue &tuple);
PyValue tabledByPlaces(Interpreter &in, const PyValue &rows, const PyValue &tuple);
/// The tuple that a row is.
PyValue tupleOfPlaces(Interpreter &in, const PyValue &row);
/// A comparison of two rows, and repr() of one: tuples in them may be rows, too, so these are
/// calls of functions that may call themselves. Nothing of other values.
std::optional<PyValue> compareRows(Interpreter &in, llvm::StringRef operation, const PyValue &left,
                                   const PyValue &right);
std::optional<PyValue> shownRow(Interpreter &in, const PyValue &row);
/// How many items the tuples of a table have.
size_t countPlaces(llvm::StringRef key);

} // namespace npcc::frontend
#endif
