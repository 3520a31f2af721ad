#ifndef NPCC_FRONTEND_IMPORTER_KNOWN_H
#define NPCC_FRONTEND_IMPORTER_KNOWN_H
// What is known at compile time, and the arguments that must be: dtypes, axes, shapes, orders.
#include "frontend/importer/Interpreter.h"

namespace npcc::frontend {

//===---- Known.cpp ----===//
/// The Python object a value is, if all of it is known at compile time.
py::Object asObject(Interpreter &in, const PyValue &value);
/// Items of tuples, lists, ranges and so on whose length is known.
bool asSequence(Interpreter &in, const PyValue &value, std::vector<PyValue> &items);
std::optional<int64_t> asInteger(Interpreter &in, const PyValue &value);
PyValue fromObject(Interpreter &in, py::Object object);
/// The same of what Python gave just now, which may be new or something that was there before.
PyValue fromResult(Interpreter &in, const py::Object &result);
/// What a name or attribute outside of the program holds: an object that is known, or an array that calls hand over.
PyValue ofGlobal(Interpreter &in, const py::Object &object);
/// A dtype argument: null with an error reported, or `otherwise` for None.
mlir::Type asDtype(Interpreter &in, const PyValue &value, mlir::Type otherwise);
/// An axis argument, normalized; false with an error reported.
/// `parameter` is what NumPy names in its errors, if it does.
bool asAxes(Interpreter &in, const PyValue &value, int64_t rank, llvm::SmallVectorImpl<int64_t> &axes,
            llvm::StringRef parameter = {}, llvm::StringRef repeated = "duplicate value in 'axis'");
std::optional<int64_t> asAxis(Interpreter &in, const PyValue &value, int64_t rank, llvm::StringRef parameter = {});
/// The items of an array of one axis whose extent is a constant, and no large one. False for any other value.
bool asKnownItems(Interpreter &in, const PyValue &value, std::vector<PyValue> &items);
bool asShape(Interpreter &in, const PyValue &value, llvm::SmallVectorImpl<mlir::Value> &extents,
             llvm::SmallVectorImpl<int64_t> &shape);

//===---- Layouts.cpp ----===//
enum class Order { C, F, A, K };
/// An `order` argument; nothing with an error reported.
std::optional<Order> asOrder(Interpreter &in, const PyValue &value, Order otherwise);
/// Whether elements are taken in F order (else in C order) where `source` is read by a function that was given this
/// `order`.
std::optional<bool> isFortranOrder(Interpreter &in, const PyValue &order, mlir::Value source, bool isReshape);
/// What `make` gives for that order. Where only the call tells how `source` lies in memory, both are made, each on a
/// path of its own.
PyValue inOrderOf(Interpreter &in, const PyValue &order, mlir::Value source, bool isReshape,
                  llvm::function_ref<PyValue(bool isFortran)> make);
/// Whether a new array like `prototype` lies in F order, of a function that was given this `order`.
std::optional<bool> isFortranLike(Interpreter &in, const PyValue &order, mlir::Value prototype, Order otherwise);
/// An i1: whether an array that is contiguous here lies in NumPy's memory with its axes in reverse, as elementwise
/// functions of transposes do. Null where it does not.
mlir::Value isTransposedInNumpy(NpBuilder &ir, mlir::Value array);
/// Where an array's elements lie: `root` is contiguous in C order, or one line of memory, and the element at position p is
/// the one of number offset + sum(strides[k] * p[k]) in it.
struct Placement {
  mlir::Value root, offset;
  llvm::SmallVector<mlir::Value> strides;
};
/// Nothing where the importer does not know it: an argument that may not be contiguous, what control flow joined.
std::optional<Placement> placementOf(Interpreter &in, mlir::Value array);
/// Of such an array the root is the memory from its lowest element to its highest, and its strides are asked for at run
/// time.
Placement placementInMemory(Interpreter &in, mlir::Value array);
/// A new array of a value, in C or F order.
mlir::Value newArrayIn(Interpreter &in, mlir::Value value, bool isFortran);

} // namespace npcc::frontend
#endif
