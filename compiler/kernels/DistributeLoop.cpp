#include "compiler/kernels/DistributeLoop.h"
#include "compiler/kernels/KernelChecks.h"
#include "compiler/kernels/LoopTest.h"
#include "compiler/kernels/TripCounts.h"
#include "compiler/memory/Aliasing.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Checks.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace npcc;
using namespace npcc::np;

namespace {
class Distribution {
public:
  Distribution(scf::ForOp loop, bool general) : loop(loop), general(general) {}

  /// A part for each loop inside, and for what is between two of them.
  bool findNests() {
    bool hasAxis = false;
    for (Operation &op : loop.getBody()->without_terminator()) {
      bool isAxis = isAxisLoop(op);
      hasAxis |= isAxis;
      if (isAxis || parts.empty() || isAxisLoop(*parts.back().back()))
        parts.emplace_back();
      add(&op, parts.size() - 1);
    }
    return hasAxis && parts.size() > 1 && !makesChecks(loop) && canKeepAll();
  }

  /// A part for each array that is stored into, where no part reads the array of another one.
  bool findArrays() {
    SmallVector<Value> arrays;
    SmallVector<std::pair<Operation *, size_t>> storing;
    for (Operation &op : loop.getBody()->without_terminator()) {
      std::optional<size_t> number;
      bool isOne = true;
      op.walk([&](memref::StoreOp store) {
        Value array = getRoot(store.getMemRef());
        auto place = llvm::find(arrays, array);
        size_t mine = place - arrays.begin();
        if (place == arrays.end())
          arrays.push_back(array);
        isOne &= !number || *number == mine;
        number = mine;
      });
      if (!isOne)
        return false;
      if (number)
        storing.push_back({&op, *number});
    }
    for (size_t j = 0; j < arrays.size(); ++j)
      for (size_t k = 0; k < j; ++k)
        if (mayAlias(arrays[j], arrays[k], general))
          return false;
    // Where an error ends the loop, others than the first part would not have come as far.
    if (arrays.size() < 2 ||
        (makesChecks(loop) && !llvm::all_of(arrays, [](Value array) { return array.getDefiningOp<AllocOp>(); })))
      return false;
    parts.resize(arrays.size());
    for (auto [op, number] : storing)
      partOf[op] = number;
    // What stores nothing is in the first part that needs it.
    for (Operation &op : llvm::reverse(loop.getBody()->without_terminator())) {
      if (partOf.contains(&op))
        continue;
      size_t first = arrays.size();
      for (Operation *user : op.getUsers())
        if (Operation *top = loop.getBody()->findAncestorOpInBlock(*user); top && partOf.contains(top))
          first = std::min(first, partOf.lookup(top));
      partOf[&op] = first == arrays.size() ? 0 : first;
    }
    for (Operation &op : loop.getBody()->without_terminator())
      parts[partOf.lookup(&op)].push_back(&op);
    return readsOwnArrays(arrays) && canKeepAll();
  }

  SmallVector<scf::ForOp> distribute() {
    OpBuilder builder(loop);
    SmallVector<scf::ForOp> made;
    mappings.resize(parts.size());
    for (size_t part = 0; part < parts.size(); ++part) {
      if (!hasEffect(part))
        continue;
      made.push_back(
          scf::ForOp::create(builder, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(), loop.getStep()));
      fill(made.back(), part);
    }
    loop.erase();
    return made;
  }

private:
  void add(Operation *op, size_t part) {
    parts[part].push_back(op);
    partOf[op] = part;
  }

  bool readsOwnArrays(ArrayRef<Value> arrays) {
    for (auto [number, part] : llvm::enumerate(parts))
      for (Operation *op : part) {
        WalkResult result = op->walk([&](memref::LoadOp load) {
          for (auto [other, array] : llvm::enumerate(arrays))
            if (other != number && mayAlias(array, load.getMemRef(), general))
              return WalkResult::interrupt();
          return WalkResult::advance();
        });
        if (result.wasInterrupted())
          return false;
      }
    return true;
  }

  bool isAxisLoop(Operation &op) {
    auto inner = dyn_cast<scf::ForOp>(op);
    if (!inner || inner.getNumResults())
      return false;
    for (Value bound : {inner.getLowerBound(), inner.getUpperBound(), inner.getStep()})
      if (!loop.isDefinedOutsideOfLoop(bound))
        return false;
    std::optional<APInt> count = inner.getStaticTripCount();
    return !(count && count->ult(getTargetProperties(loop).tuning.leastOfAxis)) &&
           LoopTest(inner, loop, general).isIndependent();
  }

  /// Whether it gives the same in a later part, and is little to compute.
  bool canRepeat(Operation *op) {
    if (op->getNumRegions())
      return false;
    auto load = dyn_cast<memref::LoadOp>(op);
    if (!load)
      return isMemoryEffectFree(op) && llvm::all_of(op->getOperands(), [&](Value operand) {
               Operation *maker = operand.getDefiningOp();
               return loop.isDefinedOutsideOfLoop(operand) || !maker || canRepeat(maker);
             });
    return !mayWriteTo(loop, load.getMemRef(), general) && llvm::all_of(load.getIndices(), [&](Value index) {
      Operation *maker = index.getDefiningOp();
      return loop.isDefinedOutsideOfLoop(index) || !maker || canRepeat(maker);
    });
  }

  /// Values of earlier parts that a part uses.
  llvm::SetVector<Value> getNeeded(size_t part) {
    llvm::SetVector<Value> needed;
    for (Operation *top : parts[part])
      top->walk([&](Operation *op) {
        for (Value operand : op->getOperands())
          if (Operation *maker = operand.getDefiningOp())
            if (auto place = partOf.find(maker); place != partOf.end() && place->second != part)
              needed.insert(operand);
      });
    return needed;
  }

  bool canKeepAll() {
    for (size_t part = 0; part < parts.size(); ++part)
      for (Value value : getNeeded(part))
        if (!canRepeat(value.getDefiningOp()) && !value.getType().isIntOrIndexOrFloat())
          return false;
    return true;
  }

  /// A part that only computes is in those that need it.
  bool hasEffect(size_t part) {
    return !llvm::all_of(parts[part], [&](Operation *op) {
      return isMemoryEffectFree(op) || isa<memref::LoadOp>(op);
    }) || isKept(part);
  }
  bool isKept(size_t part) {
    for (size_t later = part + 1; later < parts.size(); ++later)
      for (Value value : getNeeded(later))
        if (partOf.lookup(value.getDefiningOp()) == part && !canRepeat(value.getDefiningOp()))
          return true;
    return false;
  }

  void fill(scf::ForOp made, size_t part) {
    IRMapping &mapping = mappings[part];
    mapping.map(loop.getInductionVar(), made.getInductionVar());
    OpBuilder builder(made.getBody()->getTerminator());
    for (Value value : getNeeded(part))
      provide(builder, mapping, value);
    for (Operation *op : parts[part])
      builder.clone(*op, mapping);
  }

  void provide(OpBuilder &builder, IRMapping &mapping, Value value) {
    if (mapping.contains(value) || loop.isDefinedOutsideOfLoop(value))
      return;
    Operation *maker = value.getDefiningOp();
    if (!canRepeat(maker)) {
      Value own = keep(value);
      mapping.map(value,
                  memref::LoadOp::create(builder, loop.getLoc(), own,
                                         emitIterationNumber(builder, loop, mapping.lookup(loop.getInductionVar())))
                      .getResult());
      return;
    }
    for (Value operand : maker->getOperands())
      provide(builder, mapping, operand);
    builder.clone(*maker, mapping);
  }

  /// An array with what the value is in each iteration.
  Value keep(Value value) {
    Value &own = kept[value];
    if (own)
      return own;
    IRMapping &mapping = mappings[partOf.lookup(value.getDefiningOp())];
    Value source = mapping.lookup(value), position = mapping.lookup(loop.getInductionVar());
    auto part = cast<scf::ForOp>(cast<BlockArgument>(position).getOwner()->getParentOp());
    OpBuilder builder(part);
    Location loc = loop.getLoc();
    Value count = emitTripCount(builder, loop);
    own = AllocOp::create(builder, loc, MemRefType::get({ShapedType::kDynamic}, value.getType()), count);
    builder.setInsertionPointAfterValue(source);
    memref::StoreOp::create(builder, loc, source, own, emitIterationNumber(builder, loop, position));
    return own;
  }

  scf::ForOp loop;
  bool general;
  SmallVector<SmallVector<Operation *>> parts;
  llvm::DenseMap<Operation *, size_t> partOf;
  SmallVector<IRMapping> mappings; // of each part: what its operations became
  llvm::DenseMap<Value, Value> kept;
};
} // namespace

SmallVector<scf::ForOp> npcc::distributeLoop(scf::ForOp loop, bool general) {
  Distribution distribution(loop, general);
  return distribution.findNests() ? distribution.distribute() : SmallVector<scf::ForOp>();
}

SmallVector<scf::ForOp> npcc::distributeOverArrays(scf::ForOp loop, bool general) {
  Distribution distribution(loop, general);
  return distribution.findArrays() ? distribution.distribute() : SmallVector<scf::ForOp>();
}
