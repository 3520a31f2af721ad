// npcc-turn-operands: where a reduction meets each row of an array with each of another one (distances of points), one
// of the two is turned first, so that neighbouring threads load neighbouring elements of it.
//
//   np.kernel (%i, %j) = (%n, %m) {                    %t = np.alloc(%d, %m)
//     %s = scf.parallel (%k) to (%d) ...               np.kernel (%k, %j) = (%d, %m) { store (load %y[%j, %k]), %t[%k,
//     %j] }
//       %a = memref.load %x[%i, %k]             ->     np.kernel (%i, %j) = (%n, %m) {
//       %b = memref.load %y[%j, %k]                      %s = scf.parallel (%k) to (%d) ...
//       ...                                                %a = memref.load %x[%i, %k]
//     store %s, %z[%i, %j] }                               %b = memref.load %t[%k, %j]
//                                                          ...
//                                                        store %s, %z[%i, %j] }
//
// As it was, a team of threads would go along the two rows of each pair, and every number would be loaded for every
// pair. Now the kernel is one of columns: a thread has neighbouring %j of several %i, and what these have in common is
// loaded once. Turning costs as much as the elements of one array, which many rows of the other one read; that there
// are many is asked of the first call.
#include "compiler/kernels/IndexMath.h"
#include "compiler/kernels/Passes.h"
#include "compiler/memory/Accesses.h"
#include "compiler/memory/Aliasing.h"
#include "compiler/memory/FirstCall.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Memory.h"
#include "llvm/ADT/MapVector.h"

namespace npcc {
#define GEN_PASS_DEF_TURNOPERANDS
#include "compiler/kernels/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
// Rows that read each turned element, columns beside each other, and elements that are loaded in all: for less a kernel
// more is not worth it.
constexpr int64_t fewestReaders = 32, fewestColumns = 64, fewestLoads = int64_t(1) << 22;

class Turner {
public:
  Turner(KernelOp kernel, FirstCall &call, bool general) : kernel(kernel), call(call), general(general) {}

  void apply() {
    auto loops = kernel.getBody()->getOps<scf::ParallelOp>();
    if (kernel.getNumLoops() < 2 || !llvm::hasSingleElement(loops))
      return;
    loop = *loops.begin();
    column = kernel.getInductionVars().back();
    bool hasOthers = kernel.getBody()
                         ->walk([&](LoopLikeOpInterface other) {
                           return other == loop ? WalkResult::advance() : WalkResult::interrupt();
                         })
                         .wasInterrupted();
    if (hasOthers || loop.getNumLoops() != 1 || loop.getNumResults() == 0 ||
        !isInvariant(loop.getUpperBound().front(), kernel) || !collect() || !isWorthIt())
      return;
    for (auto &[memref, loads] : turned)
      turn(memref, loads);
  }

private:
  /// The loads that threads side by side would have far apart, by array; false if there are none, or where others go
  /// along the loop for each pair.
  bool collect() {
    position = loop.getInductionVars().front();
    auto uses = [](Operation *load, Value value) {
      return llvm::any_of(cast<memref::LoadOp>(load).getIndices(),
                          [&](Value index) { return dependsOn(index, value); });
    };
    bool isPlain = true;
    loop.getBody()->walk([&](Operation *op) {
      isPlain &= op == loop.getBody()->getTerminator() || isa<memref::LoadOp>(op) || isMemoryEffectFree(op) ||
                 op->getParentOp() != loop;
      auto load = dyn_cast<memref::LoadOp>(op);
      if (!load || !uses(op, position) || !uses(op, column))
        return;
      auto indices = load.getIndices();
      bool isRow = indices.size() >= 2 && indices.back() == position && llvm::count(indices, column) == 1 &&
                   llvm::all_of(indices.drop_back(), [&](Value index) {
                     return isInvariant(index, kernel) || llvm::is_contained(kernel.getInductionVars(), index);
                   });
      auto layout = load.getMemRefType();
      bool isAlong = layout.getLayout().isIdentity() && isInvariant(load.getMemRef(), kernel) &&
                     !isa<ComplexType>(layout.getElementType());
      bool isAlways = op->getParentOp() == loop;
      if (!isRow || !isAlong || !isAlways || isWritten(load.getMemRef()))
        isPlain = false;
      else
        turned[load.getMemRef()].push_back(load);
    });
    return isPlain && !turned.empty() && llvm::all_of(turned, [](auto &entry) {
             return llvm::all_of(entry.second, [&](memref::LoadOp load) {
               return load.getIndices() == entry.second.front().getIndices();
             });
           });
  }

  static bool dependsOn(Value value, Value from) {
    if (value == from)
      return true;
    Operation *op = value.getDefiningOp();
    return op && llvm::any_of(op->getOperands(), [&](Value operand) { return dependsOn(operand, from); });
  }

  bool isWritten(Value memref) {
    return kernel.getBody()
        ->walk([&](Operation *op) {
          Value written;
          if (auto store = dyn_cast<memref::StoreOp>(op))
            written = store.getMemRef();
          return written && mayAlias(written, memref, general) ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// Of the kernel's positions, those that the load does not depend on are who reads the same elements.
  bool isWorthIt() {
    std::optional<int64_t> length = getExtent(loop.getUpperBound().front());
    int64_t fewest = std::numeric_limits<int64_t>::max(), loads = length.value_or(0);
    for (Value extent : kernel.getExtents())
      loads *= getExtent(extent).value_or(0);
    for (auto &[memref, group] : turned) {
      int64_t readers = 1;
      for (auto [own, extent] : llvm::zip_equal(kernel.getInductionVars(), kernel.getExtents()))
        if (!llvm::is_contained(group.front().getIndices(), own))
          readers *= getExtent(extent).value_or(0);
      fewest = std::min(fewest, readers);
    }
    return fewest >= fewestReaders && loads >= fewestLoads &&
           getExtent(kernel.getExtents().back()).value_or(0) >= fewestColumns;
  }

  std::optional<int64_t> getExtent(Value extent) {
    IntegerAttr known = call.evaluate(extent);
    return known ? std::optional(known.getInt()) : std::nullopt;
  }

  /// A copy whose last two axes are the loop's and the column's, behind those of the other positions that the loads
  /// depend on.
  void turn(Value memref, ArrayRef<memref::LoadOp> loads) {
    OpBuilder builder(kernel);
    memref::LoadOp first = loads.front();
    Location loc = first.getLoc();
    ValueRange indices = first.getIndices();
    SmallVector<Value> positions, extents;
    for (auto [own, extent] : llvm::zip_equal(kernel.getInductionVars().drop_back(), kernel.getExtents().drop_back()))
      if (llvm::is_contained(indices, own)) {
        positions.push_back(own);
        extents.push_back(extent);
      }
    positions.append({position, column});
    extents.append({loop.getUpperBound().front(), kernel.getExtents().back()});
    Type element = cast<MemRefType>(memref.getType()).getElementType();
    auto type = MemRefType::get(SmallVector<int64_t>(extents.size(), ShapedType::kDynamic), element);
    Value copy = AllocOp::create(builder, loc, type, extents);
    auto turning = KernelOp::create(builder, loc, extents);
    OpBuilder inside = OpBuilder::atBlockBegin(turning.getBody());
    SmallVector<Value> from(indices);
    for (Value &index : from)
      if (const Value *own = llvm::find(positions, index); own != positions.end())
        index = turning.getInductionVars()[own - positions.begin()];
    Value value = memref::LoadOp::create(inside, loc, memref, from);
    memref::StoreOp::create(inside, loc, value, copy, turning.getInductionVars());
    for (memref::LoadOp load : loads) {
      OpBuilder at(load);
      auto other = memref::LoadOp::create(at, load.getLoc(), copy, positions);
      load.getResult().replaceAllUsesWith(other.getResult());
      load.erase();
    }
  }

  KernelOp kernel;
  FirstCall &call;
  bool general;
  scf::ParallelOp loop;
  Value position, column; // of the loop, and the kernel's last one
  llvm::MapVector<Value, SmallVector<memref::LoadOp>> turned;
};

struct TurnOperands : impl::TurnOperandsBase<TurnOperands> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (!getTargetProperties(function).launchesAreCostly || function->hasAttr("np.thread") ||
        !FirstCall::isKnown(function))
      return;
    SmallVector<KernelOp> kernels;
    function.walk([&](KernelOp kernel) {
      if (!kernel->getParentOfType<KernelOp>())
        kernels.push_back(kernel);
    });
    FirstCall call(function);
    for (KernelOp kernel : kernels)
      Turner(kernel, call, function->hasAttr("np.general")).apply();
  }
};
} // namespace
} // namespace npcc
