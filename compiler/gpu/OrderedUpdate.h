#ifndef NPCC_COMPILER_GPU_ORDEREDUPDATE_H
#define NPCC_COMPILER_GPU_ORDEREDUPDATE_H
#include "compiler/kernels/IndexMath.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Kernels.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace npcc {

/// A loop of the host whose iterations meet at positions that memory gives, where the order shows: what
/// npcc-group-updates replaces.
struct OrderedUpdate {
  mlir::SmallVector<mlir::scf::ForOp> nest;
  mlir::scf::IfOp branch; // where an iteration updates; null: each does
  np::KernelOp row; // null: an iteration updates one element
  mlir::memref::StoreOp store;
  mlir::SmallVector<np::AssertOp> assertions;   // of an iteration, if the array is lost with an error
  mlir::SmallVector<mlir::memref::LoadOp> olds; // loads of what is stored to
  llvm::SetVector<mlir::Operation *> chain;     // what depends on them, in order
  llvm::SetVector<mlir::Value> inputs;          // what the chain takes from an iteration

  /// Of an iteration that updates, or of the kernel that is its row.
  mlir::Block *getBody() { return row ? row.getBody() : getIteration(); }
  mlir::Block *getIteration() { return branch ? branch.thenBlock() : nest.back().getBody(); }
  bool isAlongRow(mlir::Value index) { return row && llvm::is_contained(row.getInductionVars(), index); }
  bool isInside(mlir::Value value) {
    return value.getParentRegion() && nest.front()->isAncestor(value.getParentRegion()->getParentOp());
  }
};

std::optional<OrderedUpdate> findOrderedUpdate(mlir::scf::ForOp loop, bool general);

/// What an iteration's row has in common for all of its elements, the position that memory gives among them, is
/// computed before it.
void hoistFromRow(mlir::scf::ForOp loop, bool general);

/// What takes the place of such a loop is written with this: kernels over its iterations, numbered through the nest.
class UpdateCode {
public:
  explicit UpdateCode(OrderedUpdate &update);

  /// A map over `bounds` at the builder.
  void emitKernel(mlir::ValueRange bounds, llvm::function_ref<void(mlir::ValueRange)> emitBody);
  /// What computes `wanted` in iteration `number` of the nest. Positions along a row are the map's.
  void emitIteration(mlir::Value number, mlir::IRMapping &map, mlir::ValueRange wanted);
  /// Goes on where iteration `number` updates. Whether it does is computed of what is in `map`.
  void enterWhereUpdated(mlir::Value number, mlir::IRMapping &map);
  /// A kernel that makes the checks of all iterations, in order, where there are assertions.
  void emitAssertions();
  /// All iterations, with all elements of a row.
  mlir::SmallVector<mlir::Value> getBounds();

  IndexMath math() { return {builder, loc}; }
  mlir::Value toIndex(mlir::Value value);
  mlir::Value toI64(mlir::Value value);

  OrderedUpdate &update;
  mlir::OpBuilder builder;
  mlir::Location loc;
  mlir::Value zero, one;
  mlir::SmallVector<mlir::Value> extents; // iterations of each loop of the nest
  mlir::Value count;                      // of all of them

private:
  void collect(mlir::Value value, llvm::SetVector<mlir::Operation *> &slice);
};

/// Whether the updates are sums of floats.
bool isFloatSum(OrderedUpdate &update);
/// Whether sums of parts (a host value) pay: few bins, many elements for each.
mlir::Value emitCanSumParts(UpdateCode &code);
/// Every part of the iterations is summed into bins of its own, and then the parts in order.
void emitPartSums(UpdateCode &code);

} // namespace npcc
#endif
