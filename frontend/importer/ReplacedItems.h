#ifndef NPCC_FRONTEND_IMPORTER_REPLACEDITEMS_H
#define NPCC_FRONTEND_IMPORTER_REPLACEDITEMS_H
// Arrays that are read from lists whose items lie in the list's own memory, and are used when the list has put
// something else there:
//
//   v = stack.pop()
//   stack.append(v * 2)      # takes the place that v had
//   stack.append(v + 1)      # reads v
//
// To Python the list and `v` have the array itself, which what the list does leaves as it is. Here `v` is a view of the
// list's memory. That makes no difference as long as nobody reads `v` after its place was taken: the import takes it
// for granted, and looks at the complete function whether it is so. Where it is not, `v` becomes a copy; if something
// is stored into the items of the list, too, which a copy would not see, the list must keep the arrays themselves
// (KeptArrays.h). Lists that are items become rows of a table then (Tables.h).
#include "dialects/Np/Arrays.h"
#include "frontend/importer/Interpreter.h"

namespace npcc::frontend {

/// Says that `view` is an item of a list, which has its items in memory of its own.
void markItem(Interpreter &in, mlir::Value view, const PyValue &list);
void checkReplacedItems(Interpreter &in);

} // namespace npcc::frontend
#endif
