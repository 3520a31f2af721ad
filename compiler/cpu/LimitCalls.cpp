// npcc-limit-calls: code of the host that stands in for a GPU's is for calls that are not much larger than the first.
//
//   func.func @f(%a: memref<?xf64> {np.first = array<i64: 100>}, %n: i64 {np.first = array<i64: 50>})
//     ... scf.for %i = %c0 to %n ...                        -> asks for dim %a, 0 <= 400 and %n <= 200   (times = 4)
//
// Whether the host is sooner was decided for the first call's extents and numbers. Asked for is every extent of an
// argument, and every integer that says how often something is done or how large an array is made: others, such as the
// seed of a generator, may be what they like. Calls that are larger are looked at anew (compiler/gpu/CallTimes.h).
#include "compiler/cpu/CpuPasses.h"
#include "compiler/memory/FirstCall.h"
#include "dialects/Np/Kernels.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_LIMITCALLS
#include "compiler/cpu/Passes.h.inc"
namespace {
/// Smaller numbers make no difference.
constexpr int64_t leastLimit = 16;

class Limiter {
public:
  Limiter(func::FuncOp function, int64_t times)
      : function(function), times(times), first(function), builder(&function.getBody().front().front()) {}

  void apply() {
    llvm::SetVector<Value> counts = findCounts();
    for (BlockArgument argument : function.getArguments()) {
      if (auto type = dyn_cast<MemRefType>(argument.getType()))
        for (int64_t axis = 0; axis < type.getRank(); ++axis) {
          if (type.isDynamicDim(axis))
            limit(memref::DimOp::create(builder, function.getLoc(), argument, axis));
        }
      else if (counts.contains(argument))
        limit(argument);
    }
  }

private:
  void limit(Value number) {
    IntegerAttr known = first.evaluate(number);
    if (!known)
      return;
    int64_t most = std::max(known.getInt() * times, leastLimit);
    Value bound = arith::ConstantOp::create(builder, function.getLoc(), builder.getIntegerAttr(number.getType(), most));
    first.require(arith::CmpIPredicate::sle, number, bound);
  }

  /// The integer arguments that extents, bounds of loops and their conditions are computed of.
  llvm::SetVector<Value> findCounts() {
    llvm::SetVector<Operation *> slice;
    llvm::SetVector<Value> counts;
    auto follow = [&](ValueRange values) {
      for (Value value : values) {
        if (isa<MemRefType>(value.getType()))
          continue;
        if (auto argument = dyn_cast<BlockArgument>(value); argument && argument.getOwner()->getParentOp() == function)
          counts.insert(argument);
        BackwardSliceOptions options;
        options.inclusive = true;
        options.omitUsesFromAbove = false;
        options.filter = [&](Operation *op) { return op != function; };
        (void)getBackwardSlice(value, &slice, options);
      }
    };
    function.walk([&](Operation *op) {
      if (auto kernel = dyn_cast<np::KernelOp>(op))
        follow(kernel.getExtents());
      else if (auto loop = dyn_cast<scf::ForOp>(op))
        follow({loop.getLowerBound(), loop.getUpperBound()});
      else if (auto shared = dyn_cast<scf::ParallelOp>(op))
        follow(shared.getUpperBound());
      else if (auto condition = dyn_cast<scf::ConditionOp>(op))
        follow(condition.getCondition());
      else if (auto made = dyn_cast<np::AllocOp>(op))
        follow(made.getExtents());
    });
    for (Operation *op : slice)
      for (Value operand : op->getOperands())
        if (auto argument = dyn_cast<BlockArgument>(operand);
            argument && argument.getOwner()->getParentOp() == function && argument.getType().isIntOrIndex() &&
            !argument.getType().isInteger(1))
          counts.insert(argument);
    return counts;
  }

  func::FuncOp function;
  int64_t times;
  FirstCall first;
  OpBuilder builder;
};

struct LimitCalls : impl::LimitCallsBase<LimitCalls> {
  using LimitCallsBase::LimitCallsBase;
  void runOnOperation() override {
    SmallVector<func::FuncOp> functions;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (FirstCall::isKnown(function))
        functions.push_back(function);
    for (func::FuncOp function : functions)
      Limiter(function, times).apply();
  }
};
} // namespace
} // namespace npcc
