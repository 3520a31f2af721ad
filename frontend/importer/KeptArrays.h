#ifndef NPCC_FRONTEND_IMPORTER_KEPTARRAYS_H
#define NPCC_FRONTEND_IMPORTER_KEPTARRAYS_H
// Arrays as items of lists of several types (MixedLists.h): each is the number under which the runtime keeps it
// (np.keep). So the items may have any shapes, and what is stored into one of them is seen under all its names. A list
// whose arrays have one shape and are not changed is one array, which is faster (ListedArrays.h).
#include "frontend/importer/Interpreter.h"

namespace npcc::frontend {

/// The name of an array's type among those of a list's items: "array float64 2", and which axes have the extent 1, if
/// any. Empty for what is no array.
std::string arrayKind(Interpreter &in, const PyValue &value);
/// The same of one of the items of a list that is an array with an axis more.
std::string arrayKind(Interpreter &in, np::ArrayType list);
bool isArrayKind(llvm::StringRef kind);
mlir::Type elementOfKind(Interpreter &in, llvm::StringRef kind);
int64_t rankOfKind(llvm::StringRef kind);

/// An array that the importer knows, as an item of a global list is, as one that the program has; others as they are.
PyValue ofKnownArray(Interpreter &in, const PyValue &value);
/// Whether it was read from a list that keeps it: other lists keep it, too, and make no copies.
bool isKept(const PyValue &value);
/// The number of an array, which is one of the list's from now on.
mlir::Value keptNumber(Interpreter &in, const PyValue &array);
/// The array of a number; one without elements where the number is none of this type's.
PyValue keptArray(Interpreter &in, llvm::StringRef kind, mlir::Value number);

} // namespace npcc::frontend
#endif
