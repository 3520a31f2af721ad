#ifndef NPCC_FRONTEND_IMPORTER_LISTEDARRAYS_H
#define NPCC_FRONTEND_IMPORTER_LISTEDARRAYS_H
// Arrays in lists that grow. To Python such a list holds the arrays themselves; compiled code copies them into the
// list's own memory. That makes no difference as long as nothing is stored into an array after it was put into a list:
// the import takes it for granted, and looks at the complete function whether it is so. What is read from such a list
// cannot be stored into.
#include "dialects/Np/Arrays.h"
#include "frontend/importer/Interpreter.h"

namespace npcc::frontend {

/// An array's elements now, of an array that is put into a list.
mlir::Value loadListed(Interpreter &in, const PyValue &array);
/// Says that `store` puts an array into the memory of the list that is made at `site` in the source.
void markListed(Interpreter &in, np::StoreOp store, const PyValue &array, const std::string &site);
/// As Composite::holdsCopies: 0 of an array that only the list will have, 1 of one made anew in each iteration of the
/// loops around, which has a name, and 2 of all others.
int copiesOf(Interpreter &in, const PyValue &array);
/// An item of such a list, which is a copy of an array that others have: it cannot be stored into.
mlir::Value listedCopy(Interpreter &in, mlir::Value item, const std::string &site);
/// Notes that the list must keep the arrays themselves, if its place in the source is known.
bool needsKept(Interpreter &in, const PyValue &list);
/// Finds what is stored into an array that was put into a list before: the list must keep the arrays themselves
/// (KeptArrays.h), which is noted, or reported where that cannot be.
void checkListedArrays(Interpreter &in);

//===---- ListedExtents.cpp ----===//
/// Finds lists whose arrays may have other extents in each iteration of a loop, and notes that they must keep the
/// arrays themselves.
void checkListedExtents(Interpreter &in);
/// What markListed() said of a store, which is forgotten: the list's place and the type of its items; false of others.
bool takeMark(mlir::Operation *op, std::string &site, std::string &kind);

} // namespace npcc::frontend
#endif
