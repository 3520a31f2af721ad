// Loops of a kernel that go over the same positions one after the other, as one loop:
//
//   %a = scf.parallel (%j) = to (%n) { store f(%j), %t[%i, %j]    sum of .. }
//   %b = scf.parallel (%j) = to (%n) { load %t[%i, %j]            sum of .. }
//   ->
//   %ab:2 = scf.parallel (%j) = to (%n) { store f(%j), %t[%i, %j]    load %t[%i, %j]    both sums }
//
// So what both read is read once, and what the first one hands on stays in registers. Each position must need of the
// loop before only what that has at this position.
#include "compiler/kernels/InnerLoops.h"
#include "compiler/memory/Aliasing.h"
#include "dialects/Np/Checks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
namespace npcc {
namespace {

// More code than this runs out of registers.
constexpr int64_t mostOps = 300;

struct Access {
  Value memory;
  OperandRange indices;
  bool isStore;
};

class Pair {
public:
  Pair(scf::ParallelOp first, scf::ParallelOp second, bool general) : first(first), second(second), general(general) {}

  bool canMerge() {
    if (first.getUpperBound() != second.getUpperBound() || first.getNumLoops() != second.getNumLoops())
      return false;
    int64_t ops = 0;
    for (scf::ParallelOp loop : {first, second}) {
      bool isPlain = !loop->walk([&](Operation *op) {
                            ++ops;
                            return isa<np::CheckIndexOp, np::AssertOp, memref::AtomicRMWOp>(op)
                                       ? WalkResult::interrupt()
                                       : WalkResult::advance();
                          })
                          .wasInterrupted();
      if (!isPlain)
        return false;
    }
    return ops <= mostOps && isReady() && !meet();
  }

  scf::ParallelOp merge() {
    for (Operation *op : before)
      op->moveBefore(first);
    OpBuilder builder(first);
    SmallVector<Value> inits(first.getInitVals());
    llvm::append_range(inits, second.getInitVals());
    auto merged = scf::ParallelOp::create(builder, first.getLoc(), first.getLowerBound(), first.getUpperBound(),
                                          first.getStep(), inits);
    Block *body = merged.getBody();
    if (!body->empty())
      body->back().erase();
    SmallVector<Value> combined;
    SmallVector<Region *> combiners;
    for (scf::ParallelOp loop : {first, second}) {
      for (auto [from, to] : llvm::zip_equal(loop.getInductionVars(), merged.getInductionVars()))
        from.replaceAllUsesWith(to);
      auto reduce = cast<scf::ReduceOp>(loop.getBody()->getTerminator());
      llvm::append_range(combined, reduce.getOperands());
      for (Region &region : reduce.getReductions())
        combiners.push_back(&region);
      body->getOperations().splice(body->end(), loop.getBody()->getOperations(), loop.getBody()->begin(),
                                   reduce->getIterator());
    }
    builder.setInsertionPointToEnd(body);
    auto reduce = scf::ReduceOp::create(builder, first.getLoc(), combined);
    for (auto [to, from] : llvm::zip_equal(reduce.getReductions(), combiners))
      to.takeBody(*from);
    unsigned number = 0;
    for (scf::ParallelOp loop : {first, second})
      for (Value result : loop.getResults())
        result.replaceAllUsesWith(merged.getResult(number++));
    first.erase();
    second.erase();
    return merged;
  }

private:
  /// Whether the second loop can stand where the first one does: with numbers that are computed between them, it needs
  /// nothing of what happens there.
  bool isReady() {
    llvm::SetVector<Operation *> needed;
    auto need = [&](Operation *user) {
      user->walk([&](Operation *op) {
        for (Value operand : op->getOperands())
          if (Operation *maker = operand.getDefiningOp(); maker && maker->getBlock() == first->getBlock())
            needed.insert(maker);
      });
    };
    need(second);
    for (size_t k = 0; k < needed.size(); ++k) {
      if (needed[k] == first.getOperation())
        return false;
      if (needed[k]->isBeforeInBlock(first))
        continue;
      if (!isPure(needed[k]) || needed[k]->getNumRegions() > 0)
        return false;
      need(needed[k]);
    }
    for (Operation *op = first->getNextNode(); op != second; op = op->getNextNode()) {
      if (needed.contains(op))
        before.push_back(op);
      else if (mayMeet(getAccesses(op), getAccesses(second), /*atOnePosition=*/false))
        return false;
    }
    return true;
  }

  bool meet() { return mayMeet(getAccesses(first), getAccesses(second), /*atOnePosition=*/true); }

  static SmallVector<Access> getAccesses(Operation *within) {
    SmallVector<Access> accesses;
    within->walk([&](Operation *op) {
      if (auto load = dyn_cast<memref::LoadOp>(op))
        accesses.push_back({load.getMemRef(), load.getIndices(), false});
      else if (auto store = dyn_cast<memref::StoreOp>(op))
        accesses.push_back({store.getMemRef(), store.getIndices(), true});
    });
    return accesses;
  }

  /// Whether elements that one of them writes may be the other's; but for those of the same iteration, if these do not
  /// matter.
  bool mayMeet(ArrayRef<Access> of, ArrayRef<Access> others, bool atOnePosition) {
    return llvm::any_of(of, [&](const Access &a) {
      return llvm::any_of(others, [&](const Access &b) {
        return (a.isStore || b.isStore) && mayAlias(a.memory, b.memory, general) &&
               !(atOnePosition && isOneElement(a, b));
      });
    });
  }

  /// Whether the accesses are to one element in each iteration, and to another one in each of them.
  bool isOneElement(const Access &a, const Access &b) {
    SmallVector<Value> ours(first.getInductionVars()), others(second.getInductionVars());
    llvm::SmallDenseSet<Value> positions;
    for (auto [mine, theirs] : llvm::zip(a.indices, b.indices)) {
      auto position = llvm::find(ours, mine);
      if (position == ours.end() ? mine != theirs : others[position - ours.begin()] != theirs)
        return false;
      if (position != ours.end())
        positions.insert(mine);
    }
    return a.memory == b.memory && positions.size() == first.getNumLoops();
  }

  scf::ParallelOp first, second;
  bool general;
  SmallVector<Operation *> before; // what the second loop needs, in order
};

} // namespace

void mergeInnerLoops(np::KernelOp kernel, bool general) {
  SmallVector<scf::ParallelOp> loops(kernel.getBody()->getOps<scf::ParallelOp>());
  for (size_t k = 0; k + 1 < loops.size();) {
    Pair pair(loops[k], loops[k + 1], general);
    if (pair.canMerge()) {
      loops[k] = pair.merge();
      loops.erase(loops.begin() + k + 1);
    } else {
      ++k;
    }
  }
}

} // namespace npcc
