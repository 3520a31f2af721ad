#include "compiler/gpu/ThreadLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

constexpr int32_t atATime = 4;

static bool isInnermost(scf::ForOp loop) {
  return !loop.getBody()->walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); }).wasInterrupted();
}

/// Whether the loop's counter is multiplied by a number that is known when it runs.
static bool hasOpenDistance(scf::ForOp loop) {
  SmallVector<Value> counters{loop.getInductionVar()};
  for (Operation *user : loop.getInductionVar().getUsers())
    if (auto cast = dyn_cast<arith::IndexCastOp>(user))
      counters.push_back(cast.getResult());
  for (Value counter : counters)
    for (Operation *user : counter.getUsers()) {
      auto product = dyn_cast<arith::MulIOp>(user);
      if (!product)
        continue;
      Value distance = product.getLhs() == counter ? product.getRhs() : product.getLhs();
      if (loop.isDefinedOutsideOfLoop(distance) && !matchPattern(distance, m_Constant()))
        return true;
    }
  return false;
}

void npcc::boundUnrolling(func::FuncOp function) {
  MLIRContext *context = function.getContext();
  auto count = IntegerAttr::get(IntegerType::get(context, 32), atATime);
  auto unroll = LLVM::LoopUnrollAttr::get(context, nullptr, count, nullptr, nullptr, nullptr, nullptr, nullptr);
  auto annotation = LLVM::LoopAnnotationAttr::get(context, nullptr, nullptr, nullptr, unroll, nullptr, nullptr, nullptr,
                                                  nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, {});
  function.walk([&](scf::ForOp loop) {
    if (isInnermost(loop) && hasOpenDistance(loop))
      loop->setAttr("llvm.loop_annotation", annotation);
  });
}
