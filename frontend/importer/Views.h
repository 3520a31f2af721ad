#ifndef NPCC_FRONTEND_IMPORTER_VIEWS_H
#define NPCC_FRONTEND_IMPORTER_VIEWS_H
// What the importer knows of the views that an array is made by.
#include "frontend/importer/Interpreter.h"

namespace npcc::frontend {

/// The array that an array is a view of, through all views; itself if it is none.
mlir::Value viewedArray(mlir::Value array);
/// Whether two positions of the array may be one element: it is a view whose axes run along one axis of its source, or
/// in which an axis does not move (windows, stretched arrays).
bool mayMeet(mlir::Value array);

/// Stores into a view of which `mayMeet` holds, in C order: the last of the values for one element stays.
void storeInOrder(Interpreter &in, mlir::Value stored, mlir::Value array, bool isOutput);

} // namespace npcc::frontend
#endif
