#ifndef NPCC_FRONTEND_IMPORTER_LATEATTRIBUTES_H
#define NPCC_FRONTEND_IMPORTER_LATEATTRIBUTES_H
// Attributes that some of the objects of a table may lack. A table has a list for each attribute, with an item for each
// object. That suffices where the constructor sets the attribute, because objects are made one after the other. What a
// condition of the constructor decides, and what is set behind it, objects get in any order, if at all: beside the list
// of the values lies one that says which objects have got theirs.
#include "frontend/importer/Objects.h"

namespace npcc::frontend {

/// Whether objects of the table may lack the attribute.
bool mayLack(Interpreter &in, const PyValue &row, const std::string &name);
/// To be asked where an object gets an attribute: the same, noted where the constructor does not always set it.
bool noteLate(Interpreter &in, const PyValue &row, const std::string &name);
/// Notes in the table that an object has got an attribute that it might have lacked.
void markSet(Interpreter &in, const PyValue &row, const std::string &name);
/// Whether it has got it: a bool, which is known where no object has.
PyValue isSet(Interpreter &in, const PyValue &row, const std::string &name);
/// The list of these bools.
PyValue setColumn(Interpreter &in, const PyValue &row, const std::string &name);
/// Runs the constructor of an object of a table, which is the caller's only when that is done.
void whileMaking(Interpreter &in, const PyValue &row, llvm::function_ref<void()> construct);
/// Whether its constructor runs: what that sets changes nothing that anybody else knows.
bool isBeingMade(Interpreter &in, const PyValue &row);
/// Whether a key of a table is the one of such a list.
bool isSetKey(llvm::StringRef key);

} // namespace npcc::frontend
#endif
