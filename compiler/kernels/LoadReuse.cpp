// Loads of what is known already.
#include "compiler/kernels/LoadReuse.h"
#include "compiler/memory/Aliasing.h"
#include "dialects/Np/Kernels.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace npcc;

namespace {
/// What an element holds.
struct Known {
  Value memory;
  SmallVector<Value> indices;
  Value value;
};

class LoadReuse {
public:
  explicit LoadReuse(Aliasing &aliasing) : aliasing(aliasing) {}

  void visit(Block &block, SmallVector<Known> known) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (auto load = dyn_cast<memref::LoadOp>(op)) {
        auto it = llvm::find_if(known, [&](Known &each) {
          return each.memory == load.getMemRef() && llvm::equal(each.indices, load.getIndices());
        });
        if (it != known.end() && it->value.getType() == load.getType()) {
          load.replaceAllUsesWith(it->value);
          load.erase();
        } else {
          remember(known, {load.getMemRef(), SmallVector<Value>(load.getIndices()), load.getResult()});
        }
        continue;
      }
      for (Region &region : op.getRegions())
        for (Block &inside : region)
          visit(inside, getKnownInside(&op, known));
      if (op.getNumRegions() == 0 && isMemoryEffectFree(&op))
        continue;
      llvm::erase_if(known, [&](Known &each) { return aliasing.mayWriteTo(&op, each.memory); });
      if (auto store = dyn_cast<memref::StoreOp>(op))
        remember(known, {store.getMemRef(), SmallVector<Value>(store.getIndices()), store.getValueToStore()});
    }
  }

private:
  // Each is asked about at each store.
  static constexpr size_t most = 128;

  static void remember(SmallVector<Known> &known, Known one) {
    if (known.size() == most)
      known.erase(known.begin());
    known.push_back(std::move(one));
  }

  SmallVector<Known> getKnownInside(Operation *op, ArrayRef<Known> known) {
    SmallVector<Known> inside;
    if (isa<np::KernelOp>(op) || isa<FunctionOpInterface>(op))
      return inside;
    for (const Known &each : known)
      if (isa<scf::IfOp>(op) || !aliasing.mayWriteTo(op, each.memory))
        inside.push_back(each);
    return inside;
  }

  Aliasing &aliasing;
};
} // namespace

void npcc::reuseLoads(Block &block, Aliasing &aliasing) { LoadReuse(aliasing).visit(block, {}); }
