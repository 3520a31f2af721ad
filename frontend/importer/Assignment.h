#ifndef NPCC_FRONTEND_IMPORTER_ASSIGNMENT_H
#define NPCC_FRONTEND_IMPORTER_ASSIGNMENT_H
// Assignment to names, tuples of targets, elements and attributes.
#include "frontend/importer/Interpreter.h"

namespace npcc::frontend {

void assign(Interpreter &in, const py::Object &target, PyValue value);
void augmentedAssignment(Interpreter &in, const py::Object &node);
void storeTo(Interpreter &in, const PyValue &base, const PyValue &index, const PyValue &value);
/// `words`: what NumPy says where the array is read-only.
void storeWhole(Interpreter &in, mlir::Value array, const PyValue &value,
                llvm::StringRef words = "assignment destination is read-only");
void assignShape(Interpreter &in, const std::string &name, const PyValue &array, const PyValue &shape);
/// Items of something unpacked into `count` targets (or any number: -1).
bool unpack(Interpreter &in, const PyValue &value, int64_t count, std::vector<PyValue> &items);

/// del base[position], Boxes.cpp
void deleteItem(Interpreter &in, const PyValue &base, const PyValue &position);

} // namespace npcc::frontend
#endif
