#ifndef NPCC_FRONTEND_IMPORTER_SHAPES_H
#define NPCC_FRONTEND_IMPORTER_SHAPES_H
// Values on their way from one function of the module to another (Recursion.h): they are taken apart into SSA values
// and a shape, which says how the other function puts them together again.
#include "frontend/importer/Interpreter.h"

namespace npcc::frontend {

/// What a value is without its SSA values, which belong to one function: the types of those, and what is known.
struct Shape {
  mlir::Type type;          // of a value of the program; null for the rest
  mlir::Type pythonType;    // where a bit comes behind the value: what it may be (PythonBits.h)
  PyValue model;            // what is known, or a container without its items
  std::vector<Shape> parts; // of a container; of a union its alternatives
  size_t instance = 0;      // of an object: its number among those that the call can reach
};

/// What an object holds, as an argument and as a result: the object's number, the rest of the name (Objects.h).
struct HeldName {
  size_t instance;
  std::string rest; // ".mass"; empty for the keys
};

/// What values are made of, for another function or back.
struct TakenApart {
  llvm::SmallVector<mlir::Value> values; // those of the program, in order
  std::vector<unsigned> instances;       // the objects that were met
  bool isClosed = false;                 // no others may be met
  bool followsRows = false;              // the tables are met that the rows of values are of
};

/// The rest of a value. Nothing with an error reported where it cannot be given to another function, or back.
/// `isHeld`: by an object, which both functions have.
std::optional<Shape> takeApart(Interpreter &in, const PyValue &value, TakenApart &taken, bool isHeld = false);
/// Names and values of what the objects hold, more of which may be met on the way. False with an error reported.
/// `isTaken`: of the names that it says, where it is given.
bool takeHeld(Interpreter &in, TakenApart &taken, std::vector<HeldName> &names, std::vector<Shape> &shapes,
              llvm::function_ref<bool(const std::string &)> isTaken = nullptr);
/// Puts a value together again, of the next values and the objects of this function.
PyValue putTogether(Interpreter &in, const Shape &shape, mlir::ValueRange &values, llvm::ArrayRef<unsigned> instances);

/// The types of a shape's values.
void collectTypes(Interpreter &in, const Shape &shape, llvm::SmallVectorImpl<mlir::Type> &types);
/// The shape that holds values of both, nothing if there is none.
std::optional<Shape> join(Interpreter &in, const Shape &left, const Shape &right);
/// The next values, of the shape `from`, as they are where types are wider.
void convertValues(Interpreter &in, const Shape &from, const Shape &to, llvm::ArrayRef<mlir::Value> &values,
                   llvm::SmallVectorImpl<mlir::Value> &converted);
bool isSame(const Shape &left, const Shape &right);
bool isSame(llvm::ArrayRef<HeldName> left, llvm::ArrayRef<HeldName> right);
/// The name, as bindings have it, of what one of the objects holds.
std::string nameOf(const HeldName &held, llvm::ArrayRef<unsigned> instances);

} // namespace npcc::frontend
#endif
