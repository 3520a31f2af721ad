#ifndef NPCC_FRONTEND_IMPORTER_LISTEDARRAYS_H
#define NPCC_FRONTEND_IMPORTER_LISTEDARRAYS_H
// Arrays in lists that grow. To Python such a list holds the arrays themselves; compiled code copies them into the
// list's own memory. That makes no difference as long as nothing is stored into an array after it was put into a list:
// the import takes it for granted, and looks at the complete function whether it is so. What is read from such a list
// cannot be stored into.
#include "frontend/importer/Interpreter.h"

namespace npcc::frontend {

/// An array's elements now, of an array that is put into a list.
mlir::Value loadListed(Interpreter &in, const PyValue &array);
/// Reports what is stored into an array that was put into a list before.
void checkListedArrays(Interpreter &in);

} // namespace npcc::frontend
#endif
