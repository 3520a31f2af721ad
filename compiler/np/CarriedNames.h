#ifndef NPCC_COMPILER_NP_CARRIEDNAMES_H
#define NPCC_COMPILER_NP_CARRIEDNAMES_H
#include "mlir/IR/Builders.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"

namespace npcc {

/// Everything that one array of a loop is in its iterations: what the loop, and loops and branches inside of it, are
/// given, hand on and give. Numbers can be made to go along with each of these names, such as the length of an array
/// that lies in a larger one.
class CarriedNames {
public:
  /// Of what an scf.for or scf.while is given as its init of that number.
  CarriedNames(mlir::Operation *loop, unsigned index) : loop(loop), index(index) {}

  mlir::Operation *getLoop() const { return loop; }
  unsigned getIndex() const { return index; }
  mlir::OpOperand &getGiven();
  /// The names found so far. The first of them are the loop's own.
  llvm::ArrayRef<mlir::Value> getValues() const { return values.getArrayRef(); }
  bool contains(mlir::Value value) const { return values.contains(value); }
  void insert(mlir::Value value) { values.insert(value); }
  /// Whether this name is one of the results of the loop itself.
  bool isLeft(mlir::Value value) const { return value.getDefiningOp() == loop; }

  /// Adds what may become the name, where loops, branches and selects hand it on. False for a value that none of these
  /// gives, and that `isMade` does not take.
  bool takeSources(mlir::Value value, llvm::function_ref<bool(mlir::Operation *)> isMade);
  /// Adds what a loop, a branch or a select makes of a name that is handed on by this use. False for other uses.
  bool takePassing(mlir::OpOperand &use);
  /// Whether each loop and branch that hands one of the names on hands on one only. Numbers can be added then.
  bool hasOneOfEach() const;

  /// Makes numbers go along with all names: `initial` with what the loop is given, `ofMade` with what neither a loop, a
  /// branch nor a select gives. `onRename` hears of each name that another value takes the place of.
  void addNumbers(mlir::ValueRange initial, llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value)> ofMade,
                  llvm::function_ref<void(mlir::Value, mlir::Value)> onRename);
  llvm::ArrayRef<mlir::Value> getNumbers(mlir::Value name) const;
  void setNumbers(mlir::Value name, mlir::ValueRange of) { numbers[name] = llvm::to_vector(of); }
  /// Another value takes the place of a name, in all of its uses too, with the numbers of the name.
  void rename(mlir::Value name, mlir::Value other);

private:
  mlir::Operation *addResults(mlir::Operation *op, mlir::ValueRange initial,
                              llvm::function_ref<void(mlir::Value, mlir::Value)> onRename);
  void handNumbersOn(mlir::Operation *op);

  mlir::Operation *loop;
  unsigned index;
  llvm::SmallSetVector<mlir::Value, 8> values;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value, 2>> numbers;
};

} // namespace npcc
#endif
