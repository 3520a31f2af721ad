// npcc-split-axes: a kernel over the elements of a reshaped value, by their number, goes over the axes that the value
// had before: no element divides its number to know where it stands, and the elements of a row are neighbours.
//
//   %n = arith.muli %rows, %columns                        %n = ...
//   np.kernel (%i) = (%n) {                                np.kernel (%r, %c) = (%rows, %columns) {
//     %r = arith.divui %i, %columns                          %i = %r * %columns + %c
//     %c = arith.remui %i, %columns                 ->       ... %a[%r, %c] ... store %y[%i]
//     ... %a[%r, %c] ... store %y[%i]                      }
//   }
//
// Rows must be long enough to be loops of their own, as far as the call that the code is compiled for says how long
// they are.
#include "compiler/kernels/IndexMath.h"
#include "compiler/kernels/InnerLoops.h"
#include "compiler/kernels/Passes.h"
#include "compiler/memory/Accesses.h"
#include "compiler/memory/FirstCall.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Kernels.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace npcc {
#define GEN_PASS_DEF_SPLITAXES
#include "compiler/kernels/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
/// What an axis is made of: rows of `columns` elements.
struct Parts {
  Value rows, columns;
};

/// The extent without one of its factors; null if that is none.
Value divideExact(OpBuilder &builder, Value extent, Value factor) {
  if (auto product = extent.getDefiningOp<arith::MulIOp>()) {
    if (product.getRhs() == factor)
      return product.getLhs();
    if (product.getLhs() == factor)
      return product.getRhs();
  }
  std::optional<int64_t> all = getConstantIntValue(extent), columns = getConstantIntValue(factor);
  if (!all || !columns || *columns <= 0 || *all % *columns)
    return Value();
  return arith::ConstantIndexOp::create(builder, extent.getLoc(), *all / *columns);
}

/// Whether the operation divides the position.
template <typename Division> bool divides(Operation *op, Value position) {
  auto division = dyn_cast<Division>(op);
  return division && division.getLhs() == position;
}

class Splitter {
public:
  Splitter(func::FuncOp function) : first(function), least(getTargetProperties(function).tuning.leastColumns) {}

  /// The kernel with one axis more; null if it stays as it is.
  KernelOp split(KernelOp kernel) {
    for (auto [axis, position] : llvm::enumerate(kernel.getInductionVars()))
      if (std::optional<Parts> parts = findParts(kernel, axis, position))
        return apply(kernel, axis, *parts);
    return KernelOp();
  }

private:
  std::optional<Parts> findParts(KernelOp kernel, unsigned axis, Value position) {
    for (Operation *user : position.getUsers()) {
      if (!divides<arith::RemUIOp>(user, position))
        continue;
      Value columns = user->getOperand(1);
      if (!isInvariant(columns, kernel))
        continue;
      IntegerAttr known = first.evaluate(columns);
      if (known && known.getInt() < least)
        continue;
      OpBuilder builder(kernel);
      if (Value rows = divideExact(builder, kernel.getExtents()[axis], columns))
        return Parts{rows, columns};
    }
    return std::nullopt;
  }

  static KernelOp apply(KernelOp kernel, unsigned axis, const Parts &parts) {
    OpBuilder builder(kernel);
    SmallVector<Value> extents(kernel.getExtents());
    extents[axis] = parts.columns;
    extents.insert(extents.begin() + axis, parts.rows);
    auto result = KernelOp::create(builder, kernel.getLoc(), extents);
    result.setCut(kernel.getCut());
    result.setCold(kernel.getCold());
    builder.setInsertionPointToStart(result.getBody());
    SmallVector<Value> positions(result.getInductionVars());
    Value row = positions[axis], column = positions[axis + 1];
    IndexMath m{builder, kernel.getLoc()};
    Value number = m.add(m.mul(row, parts.columns), column);
    positions.erase(positions.begin() + axis);
    positions[axis] = number;
    inlineKernel(kernel, positions, result.getBody(), result.getBody()->getTerminator()->getIterator());
    for (Operation *user : llvm::make_early_inc_range(number.getUsers())) {
      bool isRow = divides<arith::DivUIOp>(user, number), isColumn = divides<arith::RemUIOp>(user, number);
      if ((!isRow && !isColumn) || user->getOperand(1) != parts.columns)
        continue;
      user->replaceAllUsesWith(ValueRange{isRow ? row : column});
      user->erase();
    }
    return result;
  }

  FirstCall first;
  int64_t least;
};

/// Where the order of the elements is none, and the emitters of whole kernels have nothing to look for.
bool isMap(KernelOp kernel) {
  return !kernel.isUnit() && !kernel.getKind() &&
         !kernel.getBody()
              ->walk([](Operation *op) {
                bool isOther = isa<LoopLikeOpInterface, FoldOp, memref::AtomicRMWOp>(op);
                return isOther ? WalkResult::interrupt() : WalkResult::advance();
              })
              .wasInterrupted();
}

struct SplitAxes : impl::SplitAxesBase<SplitAxes> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function->hasAttr("np.thread"))
      return;
    SmallVector<KernelOp> kernels;
    function.walk([&](KernelOp kernel) {
      if (isMap(kernel))
        kernels.push_back(kernel);
    });
    Splitter splitter(function);
    for (KernelOp kernel : kernels)
      while (kernel)
        kernel = splitter.split(kernel);
  }
};
} // namespace
} // namespace npcc
