#ifndef NPCC_FRONTEND_IMPORTER_ASSIGNMENT_H
#define NPCC_FRONTEND_IMPORTER_ASSIGNMENT_H
// Assignment to names, tuples of targets, elements and attributes.
#include "frontend/importer/Interpreter.h"

namespace npcc::frontend {

/// What the target of a store into an item is, and the position; a list that is a name's alone is made one that can be
/// stored into here.
std::pair<PyValue, PyValue> storedPlace(Interpreter &in, const py::Object &target);
void assign(Interpreter &in, const py::Object &target, PyValue value);
void storeTo(Interpreter &in, const PyValue &base, const PyValue &index, const PyValue &value);
/// `words`: what NumPy says where the array is read-only.
void storeWhole(Interpreter &in, mlir::Value array, const PyValue &value,
                llvm::StringRef words = "assignment destination is read-only");
constexpr llvm::StringLiteral outputIsReadOnly = "output array is read-only";
/// Whether a value is one that the place takes, which `axes` name in an array of `rank` axes: an array is no element.
/// False with an error reported.
bool isItemOf(Interpreter &in, mlir::Value stored, llvm::ArrayRef<AxisIndex> axes, int64_t rank, mlir::Type element);
/// The shape of an array as a check's words have it: a place for each extent, which go into `extents`.
std::string shapeWords(Interpreter &in, mlir::Value of, llvm::SmallVectorImpl<mlir::Value> &extents);
void assignShape(Interpreter &in, const std::string &name, const PyValue &array, const PyValue &shape);
/// Items of something unpacked into `count` targets (or any number: -1).
bool unpack(Interpreter &in, const PyValue &value, int64_t count, std::vector<PyValue> &items);
/// The first `count` items of an array or list whose length is known at run time only, and has been checked.
void firstItems(Interpreter &in, const PyValue &value, int64_t count, std::vector<PyValue> &items);

/// AugmentedAssignment.cpp
void augmentedAssignment(Interpreter &in, const py::Object &node);
/// An error's words, which name the augmented operator where the function at hand makes such an assignment now.
std::string inWordsOfAugmented(Interpreter &in, std::string message);
/// del base[position], Boxes.cpp
void deleteItem(Interpreter &in, const PyValue &base, const PyValue &position);

} // namespace npcc::frontend
#endif
