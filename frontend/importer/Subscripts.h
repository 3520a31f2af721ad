#ifndef NPCC_FRONTEND_IMPORTER_SUBSCRIPTS_H
#define NPCC_FRONTEND_IMPORTER_SUBSCRIPTS_H
// a[...]: indices, views, selections by masks and positions, and a.flat.
#include "frontend/importer/Interpreter.h"

namespace npcc::frontend {

//===---- Subscripts.cpp, Slices.cpp ----===//
/// The value of an index expression, with its slices.
PyValue subscriptIndex(Interpreter &in, const py::Object &node);
PyValue subscript(Interpreter &in, const PyValue &base, const PyValue &index);
/// What an operation gives for an index that is a union, or of which a bound or an item is one (`a[start:end]` where
/// `end` is None or an int): for each alternative on its path. Nothing if there is no union in it.
std::optional<PyValue> overIndices(Interpreter &in, const PyValue &index,
                                   llvm::function_ref<PyValue(const PyValue &)> operation);
/// An array's index that is a tuple of numbers whose length is known at run time only, as one of an item for each axis:
/// another length is an error then.
PyValue indexOfAllAxes(Interpreter &in, const PyValue &base, const PyValue &index);
bool isEllipsis(const PyValue &value);
/// Whether an index has `...`: with it an element is an array without axes, and not a scalar.
bool hasEllipsis(Interpreter &in, const PyValue &index);
/// The index of an array by axes; false with an error reported.
bool parseIndex(Interpreter &in, const PyValue &base, const PyValue &index, llvm::SmallVectorImpl<AxisIndex> &axes);
/// a[b] of a single bool is a[None][[b]]: an axis in front, of one or no elements. Then these are the array and its
/// index; nothing of other indices.
std::optional<std::pair<PyValue, PyValue>> ofSingleBool(Interpreter &in, const PyValue &base, const PyValue &index);
bool sliceAxis(Interpreter &in, const PyValue &slice, mlir::Value extent, AxisIndex &axis);

//===---- Advanced.cpp ----===//
PyValue advancedRead(Interpreter &in, mlir::Value base, llvm::ArrayRef<AxisIndex> axes);
/// A value stretched to extents it must broadcast to, which is checked with the words of `kind`.
mlir::Value stretch(Interpreter &in, mlir::Value value, llvm::ArrayRef<mlir::Value> extents,
                    llvm::ArrayRef<int64_t> shape, np::BroadcastKind kind = np::BroadcastKind::store);
void advancedStore(Interpreter &in, mlir::Value base, llvm::ArrayRef<AxisIndex> axes, const PyValue &value);

//===---- Flat.cpp: a.flat, its elements as one axis, read as a copy and stored into the array ----===//
PyValue flat(Interpreter &in, const PyValue &base);
PyValue flatRead(Interpreter &in, const PyValue &flat, const PyValue &index);
void flatStore(Interpreter &in, const PyValue &flat, const PyValue &index, const PyValue &value);

} // namespace npcc::frontend
#endif
