#ifndef NPCC_FRONTEND_IMPORTER_MIXEDLISTS_H
#define NPCC_FRONTEND_IMPORTER_MIXEDLISTS_H
// Lists of run-time length whose items are of several types: None, strings, numbers, tuples of these, arrays, and rows
// of tables (objects). Each item is two integers, the place of its type among the types that the list may hold, and its
// bits; what is read is a union (Unions.h). Which lists need that is found by trying, as for boxes (Boxes.h): the place
// in the source that makes the list is noted with the types, and the import begins again.
#include "frontend/importer/Lists.h"

namespace npcc::frontend {

/// The table of mixed items, as `Composite::id` has it.
constexpr unsigned mixedTable = ~1u;
/// The names of types that are NumPy's scalars begin with it.
constexpr llvm::StringLiteral numpyPrefix = "numpy.";

inline bool isMixed(const PyValue &value) { return value.isRows() && value->id == mixedTable; }
/// Notes that the list must hold items like this one too, or reports the error where that would not help.
PyValue needsMixed(Interpreter &in, const PyValue &list, const PyValue &item, const llvm::Twine &message,
                   const llvm::Twine &hint = "");
/// The name of a value's type, as lists of several types have it (`Composite::kinds`); empty if it cannot be an item.
std::string kindOfItem(Interpreter &in, const PyValue &value);
/// The name of a member of an enumeration ("shop:Kind.TOOL"), each of which is a type of its own; empty for others.
std::string memberName(Interpreter &in, const PyValue &value);
bool isMemberKind(llvm::StringRef kind);
/// The member of such a type.
PyValue ofMemberKind(llvm::StringRef kind);
/// Notes that lists of a place must hold items of these types.
void noteKinds(Interpreter &in, const std::string &site, const std::set<std::string> &kinds);
/// Notes that lists of a place must hold items like this one, and None; false where that cannot be.
bool noteOptional(Interpreter &in, const std::string &site, const PyValue &item);
/// Whether two lists that meet in one name hold items of different types, which is noted.
bool meetAsMixed(Interpreter &in, const PyValue &left, const PyValue &right);
/// A list just made, as a mixed one where it was found to need that.
PyValue mixedAt(Interpreter &in, const PyValue &list);
/// A list as a mixed one of these types.
PyValue asMixed(Interpreter &in, const PyValue &list, const std::vector<std::string> &kinds);
/// A list that nobody else has as one that can take the items of another, too.
PyValue withItemsOf(Interpreter &in, const PyValue &list, const PyValue &other);
/// A known list with members of enumerations, or with items of one of several types, as one of run-time length, which
/// has its place's types, too; nothing of others, or where an item cannot be one of such a list.
std::optional<PyValue> ofMixedItems(Interpreter &in, const PyValue &list);
/// A list of run-time length of these items, of one type or several.
PyValue listOfItems(Interpreter &in, std::vector<PyValue> items);
/// A list that is empty as a mixed one that can take such an item; poison without an error where that cannot be.
PyValue mixedFor(Interpreter &in, const PyValue &list, const PyValue &item);
/// What such a list is like.
PyValue mixedModel(Interpreter &in, const PyValue &item);
/// [item] * count at the place that is imported, where it is a mixed list.
std::optional<PyValue> repeatedMixed(Interpreter &in, const PyValue &item, mlir::Value count);
/// One item of a mixed list, from its two integers.
PyValue mixedItem(Interpreter &in, const PyValue &list, const PyValue &kind, const PyValue &bits);
/// A value as an item of the list: an object of its two integers; poison with an error reported.
PyValue asMixedItem(Interpreter &in, const PyValue &list, const PyValue &value);
/// numpy.array(list): of its numbers, as `elementType` if there is one; null with an error reported.
mlir::Value mixedArray(Interpreter &in, const PyValue &list, mlir::Type elementType);
/// MixedArrays.cpp. numpy.array(list) of numbers whose dtype depends on which types are there: a union of an array of
/// each dtype. Of a list that may hold arrays the last ones are those that they are put together to, which have an axis
/// more. Nothing where there is one dtype, or it cannot be an array of numbers.
std::optional<PyValue> mixedArrays(Interpreter &in, const PyValue &list);

} // namespace npcc::frontend
#endif
