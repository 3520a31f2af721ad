#include "compiler/gpu/emit/CheckOrder.h"
#include "dialects/Np/Checks.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
namespace npcc::cuda {
namespace {

/// Bits of a place that say where in a launch it is (npcc-lower-device-checks), with one to spare.
constexpr int64_t bitsInLaunch = 45;

/// Of other loops, and of what a `while` does, the order within an iteration is left open.
bool hasDigit(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  return isa<scf::ParallelOp, np::FoldOp>(op) || (loop && loop.getInductionVar().getType().isIndex());
}

/// Where a loop begins, if that is not 0 or a constant above it.
Value getStart(Operation *loop) {
  auto serial = dyn_cast<scf::ForOp>(loop);
  bool isPlain = !serial || getConstantIntValue(serial.getLowerBound()).value_or(-1) >= 0;
  return isPlain ? Value() : serial.getLowerBound();
}

SmallVector<Value> getEnds(Operation *loop) {
  if (auto parallel = dyn_cast<scf::ParallelOp>(loop))
    return SmallVector<Value>(parallel.getUpperBound());
  if (auto fold = dyn_cast<np::FoldOp>(loop))
    return {fold.getExtent()};
  return {cast<scf::ForOp>(loop).getUpperBound()};
}

/// As the code around an operation in the loop names them.
SmallVector<Value> getPositions(Operation *loop, Operation *inside) {
  if (auto fold = dyn_cast<np::FoldOp>(loop))
    return {inside->getParentRegion() == &fold.getEach() ? fold.getEachPosition() : fold.getPosition()};
  if (auto parallel = dyn_cast<scf::ParallelOp>(loop))
    return SmallVector<Value>(parallel.getInductionVars());
  return {cast<scf::ForOp>(loop).getInductionVar()};
}

} // namespace

CheckOrder::CheckOrder(np::KernelOp kernel) : kernel(kernel) {
  llvm::DenseSet<Operation *> holders;
  kernel.walk([&](Operation *op) {
    if (!isa<np::CheckIndexOp, np::AssertOp>(op))
      return;
    for (Operation *place = op; place != kernel && holders.insert(place).second;)
      place = place->getParentOp();
  });
  visit(*kernel.getBody(), holders, kernel.getBody(), 0);
}

void CheckOrder::visit(Block &block, const llvm::DenseSet<Operation *> &holders, Block *root, unsigned level) {
  if (!block.getOps<np::IterationOp>().empty()) {
    root = &block;
    level = 0;
  }
  SmallVector<Level> &levels = roots[root].levels;
  if (levels.size() <= level)
    levels.resize(level + 1);
  int64_t number = 0;
  for (Operation &op : block) {
    if (!holders.contains(&op))
      continue;
    statements[&op] = {root, level, number++};
    if (hasDigit(&op))
      roots[root].levels[level].loops.push_back(&op);
    for (Region &region : op.getRegions())
      for (Block &inside : region)
        visit(inside, holders, root, level + 1);
  }
  int64_t &most = roots[root].levels[level].statements;
  most = std::max(most, number);
}

Value CheckOrder::emitMost(IndexMath m, ArrayRef<Operation *> loops, Map map) {
  Value most = m.constant(1);
  for (Operation *loop : loops) {
    if (getStart(loop))
      return {};
    Value count = m.constant(1);
    for (Value end : getEnds(loop)) {
      if (kernel.getRegion().isAncestor(end.getParentRegion()))
        return {};
      count = m.mul(count, map(end));
    }
    most = m.max(most, count);
  }
  return most;
}

SmallVector<Value> CheckOrder::emitBases(IndexMath m, const Root &root, ValueRange iterations, Map map) {
  SmallVector<Value> bases;
  Value taken = m.product(iterations);
  unsigned open = 0;
  for (const Level &level : root.levels) {
    bases.push_back(level.loops.empty() ? m.constant(1) : emitMost(m, level.loops, map));
    taken = m.mul(taken, m.constant(level.statements));
    if (bases.back())
      taken = m.mul(taken, bases.back());
    else
      ++open;
  }
  if (!open)
    return bases;
  // The highest power of two that leaves room for the others.
  Type i64 = m.builder.getI64Type();
  Value number = arith::IndexCastOp::create(m.builder, m.loc, i64, taken);
  Value free = arith::IndexCastOp::create(m.builder, m.loc, m.builder.getIndexType(),
                                          math::CountLeadingZerosOp::create(m.builder, m.loc, number));
  Value bits = m.max(m.sub(free, m.constant(64 - bitsInLaunch)), m.constant(0));
  Value base = arith::ShLIOp::create(m.builder, m.loc, m.constant(1), m.div(bits, m.constant(open)));
  for (Value &each : bases)
    each = each ? each : base;
  return bases;
}

void CheckOrder::emit(OpBuilder &builder, Location loc, Operation *check, IRMapping &values) {
  IndexMath m{builder, loc};
  const Root &root = roots[statements[check].root];
  np::IterationOp known = np::findIteration(check, kernel);
  ValueRange names = known ? known.getPositions() : ValueRange(kernel.getInductionVars());
  ValueRange ends = known ? known.getExtents() : ValueRange(kernel.getExtents());
  SmallVector<Value> positions, extents;
  auto add = [&](Value position, Value extent) {
    if (position && position.getType().isIndex()) {
      positions.push_back(position);
      extents.push_back(extent);
    }
  };
  auto map = [&](Value value) { return values.lookupOrDefault(value); };
  for (auto [name, end] : llvm::zip_equal(names, ends)) // those that the code does not use have no value in it
    add(values.lookupOrNull(name), map(end));
  SmallVector<Value> bases = emitBases(m, root, llvm::map_to_vector(ends, map), map);

  SmallVector<Operation *> path;
  for (Operation *place = check;; place = place->getParentOp()) {
    path.push_back(place);
    if (statements[place].level == 0)
      break;
  }
  std::reverse(path.begin(), path.end());
  for (auto [k, level] : llvm::enumerate(root.levels)) {
    Operation *statement = k < path.size() ? path[k] : nullptr;
    if (level.statements > 1)
      add(m.constant(statement ? statements[statement].number : 0), m.constant(level.statements));
    if (level.loops.empty())
      continue;
    Value position = m.constant(0);
    if (statement && hasDigit(statement) && statement != check)
      for (auto [name, end] : llvm::zip_equal(getPositions(statement, path[k + 1]), getEnds(statement)))
        if (Value here = values.lookupOrNull(name); here && here.getType().isIndex())
          position =
              m.add(m.mul(position, map(end)), getStart(statement) ? m.sub(here, map(getStart(statement))) : here);
    add(m.min(position, m.sub(bases[k], m.constant(1))), bases[k]);
  }
  np::IterationOp::create(builder, loc, positions, extents);
}

Value CheckOrder::emitPlacesOfStatement(OpBuilder &builder, Location loc) {
  IndexMath m{builder, loc};
  const Root &root = roots[kernel.getBody()];
  Value places = m.product(emitBases(m, root, kernel.getExtents(), [](Value value) { return value; }));
  for (const Level &level : llvm::drop_begin(root.levels))
    places = m.mul(places, m.constant(level.statements));
  return places;
}

void endAtCheck(Operation *check) {
  if (auto assertion = dyn_cast<np::AssertOp>(check))
    assertion.setEnds(true);
  else
    cast<np::CheckIndexOp>(check).setEnds(true);
}

} // namespace npcc::cuda
