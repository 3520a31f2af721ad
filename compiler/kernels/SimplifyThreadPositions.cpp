// npcc-simplify-thread-positions: comparisons in a thread's function that the ranges of its numbers decide. The most
// frequent one asks of a position whether it counts from an axis' end:
//
//   %i = a thread's number in the grid + %k * the number of threads        %i = ...
//   %negative = arith.cmpi slt, %i, 0                                 ->   memref.load %x[%i]
//   %back = arith.addi %i, %n
//   memref.load %x[arith.select %negative, %back, %i]
//
// Numbers and sizes of threads and blocks are bounded by what a launch may ask for.
#include "compiler/kernels/Passes.h"
#include "compiler/memory/IntegerRanges.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace npcc {
#define GEN_PASS_DEF_SIMPLIFYTHREADPOSITIONS
#include "compiler/kernels/Passes.h.inc"

namespace {
struct SimplifyThreadPositions : impl::SimplifyThreadPositionsBase<SimplifyThreadPositions> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (!function->hasAttr("np.thread"))
      return;
    IntegerRanges ranges(function);
    function.walk([&](arith::CmpIOp op) {
      if (!op.getType().isInteger(1))
        return;
      if (std::optional<bool> answer = ranges.decide(op)) {
        OpBuilder builder(op);
        op.replaceAllUsesWith(arith::ConstantIntOp::create(builder, op.getLoc(), *answer, 1).getResult());
      }
    });
  }
};
} // namespace
} // namespace npcc
