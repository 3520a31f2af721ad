// npcc-unswitch-loops: a branch that all iterations of an innermost loop take together is taken before the loop, so
// that both ways are loops without branches, which vectorise.
//
//   for %j = %lo to %hi {                                    if %lo < %hi {
//     %m = memref.load %mask[%i]                               %m = memref.load %mask[%i]
//     %v = scf.if %m -> f64 { A } else { B }          ->       if %m { for %j = %lo to %hi { A   memref.store } }
//     memref.store %v, %y[%i, %j]                              else  { for %j = %lo to %hi { B   memref.store } }
//   }                                                        }
// A position that is 0 throughout where an extent turned out to be 1 (broadcasting that is decided at run time) is
// asked for before the loop, too: if none of these extents is 1, the loop's own position reads all arrays.
//
//   %k = arith.select %isOne, %c0, %j              if %isOne { the loop as it is } else { the loop with %j for %k }
//
// Iterations of a kernel do not write what others read, so that a load that does not move with the loop may be made
// before.
#include "compiler/cpu/CpuPasses.h"
#include "compiler/cpu/Loops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace npcc;

namespace npcc {
#define GEN_PASS_DEF_UNSWITCHLOOPS
#include "compiler/cpu/Passes.h.inc"
} // namespace npcc

namespace {

// Each branch doubles the loop. A long one is left to npcc-split-borders, which copies it once.
constexpr int mostBranches = 2, mostOperations = 400;

struct UnswitchLoops : npcc::impl::UnswitchLoopsBase<UnswitchLoops> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (loop.getInitArgs().empty() && loop->hasAttr("llvm.loop_annotation"))
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops)
      if (!isLong(loop))
        unswitch(separateBroadcasts(loop), mostBranches);
  }

  static bool isLong(scf::ForOp loop) {
    int count = 0;
    return loop
        .walk([&](Operation *) { return ++count > mostOperations ? WalkResult::interrupt() : WalkResult::advance(); })
        .wasInterrupted();
  }

  /// Operations in the loop that compute `value`, in order; false if it is not the same in all iterations.
  static bool collect(scf::ForOp loop, Value value, llvm::SmallDenseSet<Operation *> &slice) {
    if (loop.isDefinedOutsideOfLoop(value))
      return true;
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != loop.getBody() || op->getNumRegions() > 0)
      return false;
    if (!slice.insert(op).second)
      return true;
    if (auto load = dyn_cast<memref::LoadOp>(op)) {
      bool isWritten =
          loop.walk([&](memref::StoreOp store) {
                return store.getMemRef() == load.getMemRef() ? WalkResult::interrupt() : WalkResult::advance();
              })
              .wasInterrupted();
      if (isWritten)
        return false;
    } else if (!isPure(op)) {
      return false;
    }
    return llvm::all_of(op->getOperands(), [&](Value operand) { return collect(loop, operand, slice); });
  }

  static void unswitch(scf::ForOp loop, int left) {
    if (left == 0)
      return;
    for (auto branch : loop.getBody()->getOps<scf::IfOp>()) {
      llvm::SmallDenseSet<Operation *> slice;
      if (!collect(loop, branch.getCondition(), slice))
        continue;
      OpBuilder builder(loop);
      Location loc = loop.getLoc();
      Value some =
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, loop.getLowerBound(), loop.getUpperBound());
      auto guard = scf::IfOp::create(builder, loc, some, /*withElseRegion=*/false);
      builder.setInsertionPoint(guard.thenYield());
      IRMapping before;
      for (Operation &op : *loop.getBody())
        if (slice.contains(&op))
          builder.clone(op, before);
      auto choice =
          scf::IfOp::create(builder, loc, before.lookupOrDefault(branch.getCondition()), /*withElseRegion=*/true);
      for (bool taken : {true, false}) {
        builder.setInsertionPoint(taken ? choice.thenYield() : choice.elseYield());
        unswitch(copy(builder, loop, branch, taken), left - 1);
      }
      loop.erase();
      return;
    }
  }

  /// The loop in which every position is its own, made before another for arrays with an extent of 1; or `loop`.
  static scf::ForOp separateBroadcasts(scf::ForOp loop) {
    struct Position {
      arith::SelectOp select;
      bool isOwn; // the value of the condition that gives the loop's own position
    };
    SmallVector<Position> positions;
    loop.walk([&](arith::SelectOp select) {
      bool first = loop.isDefinedOutsideOfLoop(select.getTrueValue()),
           second = loop.isDefinedOutsideOfLoop(select.getFalseValue());
      if (select.getType().isIndex() && loop.isDefinedOutsideOfLoop(select.getCondition()) && first != second)
        positions.push_back({select, /*isOwn=*/second});
    });
    if (positions.empty())
      return loop;
    OpBuilder builder(loop);
    Location loc = loop.getLoc();
    Value isOwn;
    llvm::SmallDenseSet<std::pair<Value, int>> seen;
    for (auto [select, value] : positions) {
      Value condition = select.getCondition();
      if (!seen.insert({condition, value}).second)
        continue;
      if (!value)
        condition = arith::XOrIOp::create(builder, loc, condition,
                                          arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true)));
      isOwn = isOwn ? arith::AndIOp::create(builder, loc, isOwn, condition) : condition;
    }
    auto choice = scf::IfOp::create(builder, loc, isOwn, /*withElseRegion=*/true);
    builder.setInsertionPoint(choice.thenYield());
    IRMapping map;
    auto made = cast<scf::ForOp>(builder.clone(*loop, map));
    for (auto [select, value] : positions) {
      auto copied = cast<arith::SelectOp>(map.lookup(select.getOperation()));
      copied.replaceAllUsesWith(value ? copied.getTrueValue() : copied.getFalseValue());
      copied.erase();
    }
    made->removeAttr("llvm.loop_annotation");
    annotateMap(made);
    loop->moveBefore(choice.elseYield());
    return made;
  }

  /// The loop with one way of its branch.
  static scf::ForOp copy(OpBuilder &builder, scf::ForOp loop, scf::IfOp branch, bool taken) {
    IRMapping map;
    auto made = cast<scf::ForOp>(builder.clone(*loop, map));
    auto copied = cast<scf::IfOp>(map.lookup(branch.getOperation()));
    Region &chosen = taken ? copied.getThenRegion() : copied.getElseRegion();
    if (!chosen.empty()) {
      Block &block = chosen.front();
      copied.replaceAllUsesWith(block.getTerminator()->getOperands());
      block.getTerminator()->erase();
      copied->getBlock()->getOperations().splice(copied->getIterator(), block.getOperations());
    }
    copied.erase();
    made->removeAttr("llvm.loop_annotation");
    annotateMap(made);
    return made;
  }
};
} // namespace
