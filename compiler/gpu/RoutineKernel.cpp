// The kernel that a RoutineGroup becomes.
#include "compiler/gpu/RoutineGroup.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Matrices.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
namespace npcc::cuda {

/// What stands between the members is made before them, and released behind.
void RoutineGroup::gatherBetween() {
  SmallVector<Operation *> before, behind;
  for (Operation *op = members.front(); op != members.back(); op = op->getNextNode())
    if (!llvm::is_contained(members, op))
      (isa<np::ReleaseOp>(op) ? behind : before).push_back(op);
  for (Operation *op : before)
    op->moveBefore(members.front());
  for (Operation *op : llvm::reverse(behind))
    op->moveAfter(members.back());
}

/// A loop over a row of this shape, which the lanes of a team share out.
void RoutineGroup::emitWalk(OpBuilder &builder, ArrayRef<int64_t> shape, Value position,
                            function_ref<void(OpBuilder &, ValueRange)> body) {
  Location loc = routine.getLoc();
  auto constants = [&](ArrayRef<int64_t> numbers) {
    return llvm::map_to_vector(
        numbers, [&](int64_t number) -> Value { return arith::ConstantIndexOp::create(builder, loc, number); });
  };
  SmallVector<int64_t> zeros(shape.size(), 0), ones(shape.size(), 1);
  auto walk = scf::ParallelOp::create(builder, loc, constants(zeros), constants(shape), constants(ones));
  OpBuilder inside(walk.getBody()->getTerminator());
  SmallVector<Value> positions{position};
  llvm::append_range(positions, walk.getInductionVars());
  body(inside, positions);
}

void RoutineGroup::emitMember(OpBuilder &builder, np::KernelOp kernel, np::KernelOp fused) {
  IRMapping mapping;
  // What is known is written out, so that loops have constant ends.
  for (Value extent : known)
    if (std::optional<int64_t> number = getKnown(extent))
      mapping.map(extent, arith::ConstantIndexOp::create(builder, routine.getLoc(), *number));
  SmallVector<int64_t> shape;
  for (Value extent : kernel.getExtents().drop_front())
    shape.push_back(*getKnown(extent));
  auto emit = [&](OpBuilder &inside, ValueRange positions) {
    mapping.map(kernel.getInductionVars(), positions);
    for (Operation &op : kernel.getBody()->without_terminator())
      inside.clone(op, mapping);
  };
  Value position = fused.getInductionVars()[0];
  if (shape.empty())
    emit(builder, position);
  else
    emitWalk(builder, shape, position, emit);
}

void RoutineGroup::emitRoutine(OpBuilder &builder, const Factor &factor, np::KernelOp fused) {
  np::RoutineOp routine = factor.routine;
  Location loc = routine.getLoc();
  Value position = fused.getInductionVars()[0];
  const Rows &copy = arrays[factor.copy];
  if (factor.matrix) // the caller's, or one that is read again behind its factors
    emitWalk(builder, copy.shape, position, [&](OpBuilder &inside, ValueRange positions) {
      Rows *own = lookup(factor.matrix);
      Value element = own ? memref::LoadOp::create(inside, loc, own->tile, positions.drop_front())
                          : memref::LoadOp::create(inside, loc, factor.matrix, positions);
      memref::StoreOp::create(inside, loc, element, copy.tile, positions.drop_front());
    });
  SmallVector<Value> tiles;
  for (Value input : routine.getInputs())
    tiles.push_back(input == factor.matrix ? copy.tile : lookup(input)->tile);
  for (Value output : routine.getOutputs())
    tiles.push_back(lookup(output)->tile);
  if (factor.scratch) {
    auto space = gpu::AddressSpaceAttr::get(builder.getContext(), gpu::AddressSpace::Workgroup);
    Type element = cast<MemRefType>(tiles.front().getType()).getElementType();
    auto type = MemRefType::get({factor.scratch}, element, MemRefLayoutAttrInterface(), space);
    tiles.push_back(memref::AllocaOp::create(builder, loc, type));
  }
  Value good = np::FactorOp::create(builder, loc, builder.getI1Type(), routine.getRoutine(), tiles);
  if (StringAttr error = routine.getErrorAttr(); error && mayFail(routine))
    np::AssertOp::create(builder, loc, good, error, routine.getMessageAttr(), ValueRange());
  for (Value output : routine.getOutputs())
    if (Rows &found = *lookup(output); found.isReadBehind)
      emitWalk(builder, found.shape, position, [&](OpBuilder &inside, ValueRange positions) {
        Value element = memref::LoadOp::create(inside, loc, found.tile, positions.drop_front());
        memref::StoreOp::create(inside, loc, element, found.array, positions);
      });
}

/// Elements of the team's arrays are there, and not in memory, unless somebody else reads them.
void RoutineGroup::useTiles(Operation *op) {
  for (const Access &access : getAccesses(op)) {
    Rows *found = lookup(access.memory);
    if (!found)
      continue;
    RowView view = *getRowView(access.memory);
    OpBuilder builder(access.op);
    Location loc = access.op->getLoc();
    SmallVector<Value> place(found->shape.size());
    for (auto [axes, index] : llvm::zip_equal(view.axes, access.indices.drop_front()))
      for (int64_t axis : axes)
        place[axis] = place[axis] ? builder.createOrFold<arith::AddIOp>(loc, place[axis], index) : index;
    for (Value &index : place)
      if (!index)
        index = arith::ConstantIndexOp::create(builder, loc, 0);
    if (auto load = dyn_cast<memref::LoadOp>(access.op)) {
      load.replaceAllUsesWith(memref::LoadOp::create(builder, loc, found->tile, place).getResult());
      load.erase();
      continue;
    }
    memref::StoreOp::create(builder, loc, cast<memref::StoreOp>(access.op).getValueToStore(), found->tile, place);
    if (!found->isReadBehind)
      access.op->erase();
  }
}

static void eraseWithUsers(Operation *op) {
  while (!op->use_empty())
    eraseWithUsers(*op->user_begin());
  op->erase();
}

bool RoutineGroup::enclose() {
  known.clear(); // of kernels that were not taken
  for (Operation *member : members)
    if (auto kernel = dyn_cast<np::KernelOp>(member))
      isSimple(kernel);
    else
      inspect(cast<np::RoutineOp>(member));
  for (Operation *op = members.front(); op != members.back(); op = op->getNextNode())
    if (!llvm::is_contained(members, op))
      mayMove(op);
  if (!findRows())
    return false;
  for (Value extent : known)
    first.requireEqual(extent, first.evaluate(extent));
  gatherBetween();
  OpBuilder outside(members.front());
  Location loc = routine.getLoc();
  auto fused = np::KernelOp::create(outside, loc, count);
  fused.setKind(np::KernelKind::rows);
  OpBuilder builder(fused.getBody()->getTerminator());
  auto space = gpu::AddressSpaceAttr::get(builder.getContext(), gpu::AddressSpace::Workgroup);
  for (Rows &each : arrays) {
    auto type = MemRefType::get(each.shape, each.element, MemRefLayoutAttrInterface(), space);
    each.tile = memref::AllocaOp::create(builder, loc, type);
  }
  for (Rows &each : arrays)
    if (each.isFilledBefore)
      emitWalk(builder, each.shape, fused.getInductionVars()[0], [&](OpBuilder &inside, ValueRange positions) {
        Value element = memref::LoadOp::create(inside, loc, each.array, positions);
        memref::StoreOp::create(inside, loc, element, each.tile, positions.drop_front());
      });
  // The walks above and those of the routine copy between the arrays and the tiles: only kernels' accesses change.
  SmallVector<Operation *> redirected;
  for (Operation *member : members)
    if (auto kernel = dyn_cast<np::KernelOp>(member)) {
      Operation *last = fused.getBody()->getTerminator()->getPrevNode();
      emitMember(builder, kernel, fused);
      for (Operation *op = last ? last->getNextNode() : &fused.getBody()->front(); op; op = op->getNextNode())
        redirected.push_back(op);
    } else {
      emitRoutine(builder, *llvm::find_if(factors, [&](Factor &factor) { return factor.routine == member; }), fused);
    }
  for (Operation *op : redirected)
    useTiles(op);
  for (Operation *member : members)
    member->erase();
  for (Rows &each : arrays)
    if (each.array && !each.isFilledBefore && !each.isReadBehind)
      eraseWithUsers(each.array);
  return true;
}

} // namespace npcc::cuda
