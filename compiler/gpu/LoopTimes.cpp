// Who would take how long for a loop of the host (npcc-leave-to-host).
#include "compiler/gpu/LoopTimes.h"
#include "compiler/gpu/OrderedUpdate.h"
#include "compiler/gpu/emit/BodyEmitter.h"
#include "compiler/kernels/Folds.h"
#include "compiler/kernels/Updates.h"
#include "compiler/memory/Aliasing.h"
#include "compiler/target/Target.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
namespace npcc {

/// Iterations that a loop is taken to have where nothing says how many; and the part of the elements of an array that a
/// loop goes through if it stores to it until something holds.
static constexpr int64_t usualTrips = 8, partOfStored = 4, mostTrips = int64_t(1) << 40;

LoopTimes::LoopTimes(Operation *loop, OpBuilder &builder)
    : loop(loop), builder(builder), tuning(getTargetProperties(loop).tuning) {}

/// About the greatest or the least that a number is in the loop, by what is known before it: what memory gives counts
/// as nothing. Null if nothing is known.
Value LoopTimes::emitAbout(Value number, bool isGreatest) {
  IndexMath m = math();
  if (!number.getType().isIntOrIndex())
    return {};
  if (isFromOutside(number))
    return builder.createOrFold<arith::IndexCastOp>(loop->getLoc(), builder.getIndexType(), number);
  if (std::optional<int64_t> constant = getConstantIntValue(number))
    return m.constant(*constant);
  if (auto argument = dyn_cast<BlockArgument>(number)) {
    auto inner = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!inner || argument != inner.getInductionVar())
      return {};
    Value end = emitAbout(isGreatest ? inner.getUpperBound() : inner.getLowerBound(), isGreatest);
    return end && isGreatest ? m.sub(end, 1) : end;
  }
  Operation *op = number.getDefiningOp();
  if (isa<arith::IndexCastOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(op))
    return emitAbout(op->getOperand(0), isGreatest);
  if (isa<memref::DimOp>(op) && isFromOutside(op->getOperand(0)) && getConstantIntValue(op->getOperand(1)))
    return builder.createOrFold<memref::DimOp>(loop->getLoc(), op->getOperand(0),
                                               *getConstantIntValue(op->getOperand(1)));
  if (isa<arith::MaxSIOp>(op))
    return combine(op, isGreatest, [&](Value a, Value b) { return m.max(a, b); });
  if (isa<arith::MinSIOp>(op))
    return combine(op, isGreatest, [&](Value a, Value b) { return m.min(a, b); });
  if (isa<arith::AddIOp>(op))
    return combine(op, isGreatest, [&](Value a, Value b) { return m.add(a, b); });
  if (isa<arith::SelectOp>(op))
    return combine(op, isGreatest, [&](Value a, Value b) { return isGreatest ? m.max(a, b) : m.min(a, b); });
  if (isa<arith::SubIOp>(op)) {
    Value a = emitAbout(op->getOperand(0), isGreatest), b = emitAbout(op->getOperand(1), !isGreatest);
    return a && b ? m.sub(a, b) : a;
  }
  bool isQuotient = isa<arith::DivSIOp, arith::FloorDivSIOp, arith::CeilDivSIOp, arith::DivUIOp>(op);
  if (!isQuotient && !isa<arith::MulIOp>(op))
    return {};
  Value a = emitAbout(op->getOperand(0), isGreatest), b = emitAbout(op->getOperand(1), isGreatest);
  if (!a || !b)
    return {};
  return isQuotient ? m.div(a, m.max(b, m.constant(1))) : m.mul(a, b);
}

/// Of the last two operands, of which one may be unknown.
Value LoopTimes::combine(Operation *op, bool isGreatest, function_ref<Value(Value, Value)> both) {
  unsigned count = op->getNumOperands();
  Value a = emitAbout(op->getOperand(count - 2), isGreatest), b = emitAbout(op->getOperand(count - 1), isGreatest);
  return a && b ? both(a, b) : a ? a : b;
}

Value LoopTimes::emitTrips(scf::ForOp counted) {
  IndexMath m = math();
  Value bounds[] = {counted.getLowerBound(), counted.getUpperBound(), counted.getStep()};
  Value first = emitAbout(bounds[0], /*isGreatest=*/false), last = emitAbout(bounds[1], /*isGreatest=*/true);
  Value step = emitAbout(bounds[2], /*isGreatest=*/false);
  if (!first || !last || !step)
    return m.constant(usualTrips);
  Value trips = m.ceilDiv(m.max(m.sub(last, first), m.constant(0)), m.max(step, m.constant(1)));
  // Triangles: half of the most, in the mean.
  bool isSame = llvm::all_of(bounds, [&](Value bound) { return isFromOutside(bound) || getConstantIntValue(bound); });
  return isSame ? trips : m.ceilDiv(trips, m.constant(2));
}

/// The elements of the largest array that is stored to.
Value LoopTimes::emitStoredElements(Operation *inner) {
  IndexMath m = math();
  Value most;
  inner->walk([&](memref::StoreOp store) {
    Value array = store.getMemRef();
    if (!isFromOutside(array) || store.getIndices().empty())
      return;
    Value elements = m.constant(1);
    for (int64_t axis = 0; axis < store.getMemRefType().getRank(); ++axis)
      elements = m.mul(elements, builder.createOrFold<memref::DimOp>(loop->getLoc(), array, axis));
    most = most ? m.max(most, elements) : elements;
  });
  return most;
}

/// Until a number that the loop carries passes one that stays: as many as lie between them. Else by what it stores to.
Value LoopTimes::emitTrips(scf::WhileOp open) {
  IndexMath m = math();
  Value most;
  open.getBefore().walk([&](arith::CmpIOp comparison) {
    for (auto [carried, bound] :
         {std::pair(comparison.getLhs(), comparison.getRhs()), std::pair(comparison.getRhs(), comparison.getLhs())}) {
      auto argument = dyn_cast<BlockArgument>(carried);
      if (!argument || argument.getOwner() != open.getBeforeBody() || !carried.getType().isIntOrIndex() ||
          carried.getType().isInteger(1))
        continue;
      // The ends of what 64 bits hold are no bounds.
      if (std::optional<int64_t> constant = getConstantIntValue(bound); constant && std::abs(*constant) > mostTrips)
        continue;
      Value start = emitAbout(open.getInits()[argument.getArgNumber()], /*isGreatest=*/false);
      Value end = emitAbout(bound, /*isGreatest=*/true);
      if (!start || !end)
        continue;
      Value between = m.max(m.sub(end, start), m.sub(start, end));
      most = most ? m.max(most, between) : between;
    }
  });
  if (most)
    return most;
  Value stored = emitStoredElements(open);
  return stored ? m.ceilDiv(stored, m.constant(partOfStored)) : m.constant(usualTrips);
}

LoopTimes::Times LoopTimes::emitOfKernel(np::KernelOp kernel) {
  IndexMath m = math();
  Times body = emitOfBody(*kernel.getBody());
  Value elements = m.constant(1);
  for (Value extent : kernel.getExtents())
    if (Value about = emitAbout(extent, /*isGreatest=*/true))
      elements = m.mul(elements, m.max(about, m.constant(1)));
  // An element takes a thread as long as before; beyond what runs at once, others wait.
  Value device = m.add(body.device, m.div(m.mul(elements, body.device), m.constant(tuning.threadsAtOnce)));
  return {m.mul(elements, body.host), m.add(device, m.constant(tuning.sharingBegins))};
}

LoopTimes::Times LoopTimes::emitOf(Operation *inner) {
  IndexMath m = math();
  if (auto kernel = dyn_cast<np::KernelOp>(inner))
    return emitOfKernel(kernel);
  Value trips = m.constant(usualTrips);
  auto counted = dyn_cast<scf::ForOp>(inner);
  if (counted)
    trips = emitTrips(counted);
  else if (auto open = dyn_cast<scf::WhileOp>(inner))
    trips = emitTrips(open);
  else if (auto shared = dyn_cast<scf::ParallelOp>(inner))
    trips = emitTrips(shared.getUpperBound());
  Times all{m.constant(0), m.constant(0)};
  for (Region &region : inner->getRegions()) {
    Times more = emitOfBody(region.front());
    all = {m.add(all.host, more.host), m.add(all.device, more.device)};
  }
  all = {m.mul(all.host, trips), m.mul(all.device, trips)};
  // Sorted and grouped by their positions, updates take several kernels.
  if (counted && findOrderedUpdate(counted, /*general=*/false)) {
    Value begin = m.constant(tuning.kernelsOfUpdates * tuning.sharingBegins);
    return {all.host, m.add(begin, m.div(all.host, m.constant(tuning.groupedPerHost)))};
  }
  // Threads share it.
  bool isFoldLoop = counted && isFold(counted, /*general=*/false, /*ignoresChecks=*/true);
  bool inAnyOrder = isa<scf::ParallelOp>(inner) || (isFoldLoop && isReduction(counted, /*general=*/false));
  if (isFoldLoop || inAnyOrder) {
    Value share = m.constant(inAnyOrder ? tuning.sharedInAnyOrder : tuning.sharedInOrder);
    all.device = m.add(m.div(all.device, share), m.constant(tuning.sharingBegins));
  }
  return all;
}

Value LoopTimes::emitTrips(ValueRange upperBounds) {
  IndexMath m = math();
  Value trips = m.constant(1);
  for (Value bound : upperBounds) {
    Value about = emitAbout(bound, /*isGreatest=*/true);
    about = about ? m.max(about, m.constant(1)) : m.constant(usualTrips);
    trips = m.mul(trips, isFromOutside(bound) ? about : m.ceilDiv(about, m.constant(2)));
  }
  return trips;
}

static bool holdsLoops(Region &region) {
  return region.walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); }).wasInterrupted();
}

/// Loops on both sides are versions of one: the device's is the faster of them.
LoopTimes::Times LoopTimes::emitOfVersions(scf::IfOp branch) {
  Times a = emitOfBody(*branch.thenBlock()), b = emitOfBody(*branch.elseBlock());
  return {math().max(a.host, b.host), math().min(a.device, b.device)};
}

LoopTimes::Times LoopTimes::emitOfBody(Block &body) {
  IndexMath m = math();
  int64_t own = cuda::countOps(body);
  Times all{m.constant(0), m.constant(0)};
  body.walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto branch = dyn_cast<scf::IfOp>(op);
    bool areVersions = branch && branch.elseBlock() && llvm::all_of(branch->getRegions(), holdsLoops);
    if (!areVersions && !isa<LoopLikeOpInterface>(op))
      return WalkResult::advance();
    for (Region &region : op->getRegions())
      own -= cuda::countOps(region.front());
    Times more = areVersions ? emitOfVersions(branch) : emitOf(op);
    all = {m.add(all.host, more.host), m.add(all.device, more.device)};
    return WalkResult::skip();
  });
  own = std::max<int64_t>(own, 1);
  return {m.add(all.host, m.constant(1 + own * tuning.hostOperation / 16)),
          m.add(all.device, m.constant(own * tuning.threadOperation / 16))};
}

} // namespace npcc
