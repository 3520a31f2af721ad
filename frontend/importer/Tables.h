#ifndef NPCC_FRONTEND_IMPORTER_TABLES_H
#define NPCC_FRONTEND_IMPORTER_TABLES_H
// Objects and lists of any number. What an object holds is bound to names (Objects.h), so there are as many as the
// source makes. Where a loop or a recursion makes ever more of them, they are rows of a table instead: an object of a
// class is a number, and the table has a list for each attribute; a list is a number, and the table has the items of
// all its lists (npcc/library/tables.py). Such an object goes through control flow and into lists as its number.
//
// Which ones need that is found by trying, as for boxes (Boxes.h): the place in the source that makes a list, or the
// class, is noted, and the import begins again. Lists that meet in one name or list are made rows of one table.
#include "frontend/importer/Objects.h"

namespace npcc::frontend {

/// What the rows of a table come from: a class, or a list's place in the source; empty where it cannot be one.
/// Those of a dict, set or deque come from the place that makes them, as lists do: there are ones of many types.
std::string tableKey(Interpreter &in, const py::Object &cls, llvm::StringRef site);
std::string tableKey(Interpreter &in, const PyValue &value);
/// As tableKey(), of tuples of known length too, which are rows where they are put among others only.
std::string rowKey(Interpreter &in, const PyValue &value);
/// The table that a row is one of, or would be.
std::string tableOfRow(Interpreter &in, const PyValue &value);
bool isTabledAt(Interpreter &in, const std::string &key);
/// Whether a tuple was found to be one of many whose lengths differ.
bool isTabledTuple(Interpreter &in, const PyValue &tuple);
/// Whether a list or object could be a row, and is none yet.
bool canBeTabled(Interpreter &in, const PyValue &value);
/// Notes that a list or an object must be a row of a table, or reports the error where that would not help.
PyValue needsTable(Interpreter &in, const PyValue &value, const llvm::Twine &message, const llvm::Twine &hint = "");
/// The same of one that canBeTabled(): the next import makes it so, with all that an object holds already.
void noteTabled(Interpreter &in, const PyValue &value);
/// Makes the rows of one table of both. False where one of them cannot be a row.
bool unite(Interpreter &in, const PyValue &left, const PyValue &right);
/// Where two lists or objects come together in one name: whether that needs one table, which is noted. `isCarried`: by
/// a loop, which makes others in each iteration.
bool meetInTable(Interpreter &in, const PyValue &left, const PyValue &right, bool isCarried);

/// The tables that an import was found to need, empty: at the beginning of its function.
void makeTables(Interpreter &in);
/// An empty list that shall be in a table.
PyValue emptyColumn(Interpreter &in);
/// What a list of a table's holds, with a length that is known at run time only, or empty.
PyValue columnItems(Interpreter &in, const PyValue &column);

/// The key of a table, and the table's place among all.
std::string keyOfTable(Interpreter &in, unsigned id);
size_t tableNumber(Interpreter &in, unsigned id);
/// A row, by its table.
PyValue tabled(const py::Object &cls, unsigned id, const PyValue &number);
/// A row, or None where its number is below 0.
PyValue orNone(Interpreter &in, const PyValue &row);
/// A value as a row of the table that the rows of a list are of; poison with an error reported.
PyValue asRowOf(Interpreter &in, const PyValue &rows, const PyValue &value);

//===---- Objects
//-------------------------------------------------------------------------------------------------------===//
/// An object that holds nothing yet.
PyValue tabledObject(Interpreter &in, const py::Object &cls, llvm::StringRef site);
/// Notes that a constructor of a table's objects raises exceptions that are caught: its object keeps no more
/// attributes.
void noteUnfinished(Interpreter &in, const PyValue &row);
/// Notes what an object holds that is to be one of a table.
void noteAttributes(Interpreter &in, const std::string &table, const PyValue &object);
/// The place, as lists have one, that makes the list of an attribute's values.
std::string siteOfAttribute(const std::string &table, const std::string &name);
std::vector<py::Object> tabledKeys(Interpreter &in, const PyValue &row);
/// A new row of the table of a key, which holds nothing yet.
PyValue newTabled(Interpreter &in, const std::string &key);
/// How many objects there are, and all values of an attribute: None where it is None of all, a function or class where
/// that is the one of all.
PyValue tabledCount(Interpreter &in, const PyValue &row);
/// What the table of an object holds under a key; poison, without an error, where it holds nothing.
PyValue heldByTable(Interpreter &in, const PyValue &row, const py::Object &key);
PyValue tabledColumn(Interpreter &in, const PyValue &row, const py::Object &key);
PyValue readTabled(Interpreter &in, const PyValue &row, const py::Object &key);
void storeTabled(Interpreter &in, const PyValue &row, const py::Object &key, const PyValue &value);

/// The name of the type of a table's objects, as lists of several types have it (MixedLists.h); also of an object that
/// could be one, empty for others.
std::string rowKind(Interpreter &in, const PyValue &value);
/// The same of the rows of a table.
std::string rowKindOf(const std::string &key);
bool isRowKind(llvm::StringRef kind);
/// The name where tables that were found apart are one.
std::string rootOfRowKind(Interpreter &in, llvm::StringRef kind);
/// An object of the type.
PyValue rowOfKind(Interpreter &in, llvm::StringRef kind, const PyValue &number);

//===---- Dicts of known keys
//-------------------------------------------------------------------------------------------------------===//
bool canBeRowKey(const py::Object &key);
/// Whether a dict of known keys could be a row, and is none yet.
bool canBeRowOfDicts(Interpreter &in, const PyValue &dict);
/// The places in the source that make the dicts of a row's table.
std::vector<std::string> placesOfDicts(Interpreter &in, const PyValue &row);
/// Whether all these places give their dicts a key at once.
bool isInAllDicts(Interpreter &in, const PyValue &row, const std::string &name);
/// A dict just made as what those of its place are: a row of a table, or the dict.
PyValue asMadeDict(Interpreter &in, const PyValue &dict);

//===---- Lists
//---------------------------------------------------------------------------------------------------------===//
/// A list with the items of another.
PyValue tabledList(Interpreter &in, const PyValue &items);
/// The items now: a view.
PyValue tabledItems(Interpreter &in, const PyValue &row);
/// A method of npcc.library.tables.Lists.
PyValue callTabledList(Interpreter &in, const PyValue &row, const std::string &method, std::vector<PyValue> arguments);

} // namespace npcc::frontend
#endif
