// Loops and reductions that all threads of the grid share out.
#include "compiler/gpu/emit/GridEmitter.h"
#include "dialects/Np/Memory.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
namespace npcc::cuda {

constexpr int64_t threads = threadsOfGrid;

SmallVector<Value> GridEmitter::emitCombined(scf::ParallelOp op, ValueRange values, Value size, Value isSeveralWarps,
                                             int64_t most) {
  auto reduce = cast<scf::ReduceOp>(op.getBody()->getTerminator());
  return emitTeamReduce(
      builder, loc, launch, size, isSeveralWarps, values,
      [&](unsigned number, Value left, Value right) {
        return emitCombine(reduce.getReductions()[number], left, right);
      },
      threads, most);
}

SmallVector<Value> GridEmitter::lookUp(ValueRange values, Lane &lane) {
  return llvm::map_to_vector(values, [&](Value value) { return lane.values.lookupOrDefault(value); });
}

Value GridEmitter::product(ArrayRef<Value> extents) {
  Value all = math().product(extents);
  return all;
}

/// The elements are shared out over the blocks that are wanted: those that there are take their parts too.
void GridEmitter::emitParts(function_ref<void(Value, Value)> emit, function_ref<void(Value)> finish, bool isEdge) {
  IndexMath m = math();
  Value one = m.constant(1), number = isEdge ? m.select(hasFewEdges, one, wanted) : wanted;
  auto parts = scf::ForOp::create(builder, loc, block, number, blocks);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(parts.getBody());
  Value part = parts.getInductionVar();
  emit(m.add(m.mul(part, m.constant(threads)), thread), m.mul(number, threads));
  if (finish)
    finish(part);
}

/// The positions of an element: along the last axis first. Loops of the grid have far fewer elements than 32 bits
/// count, and divisions of these are several times cheaper.
void GridEmitter::emitPosition(Lane &lane, scf::ParallelOp op, ArrayRef<Value> extents, Value element) {
  Type i32 = builder.getI32Type(), index = builder.getIndexType();
  if (extents.size() == 1)
    return setPosition(lane, op.getInductionVars()[0], element, 0);
  Value rest = arith::IndexCastOp::create(builder, loc, i32, element);
  for (unsigned axis = extents.size(); axis-- > 0;) {
    Value position = rest;
    if (axis) {
      Value extent = arith::IndexCastOp::create(builder, loc, i32, extents[axis]);
      Value above = arith::DivUIOp::create(builder, loc, rest, extent);
      position = arith::SubIOp::create(builder, loc, rest, arith::MulIOp::create(builder, loc, above, extent));
      rest = above;
    }
    setPosition(lane, op.getInductionVars()[axis], arith::IndexCastOp::create(builder, loc, index, position), 0);
  }
}

/// Whether no thread has more than one element of a loop that all of them share out, in the call that the code is
/// compiled for.
bool GridEmitter::hasThreadForEach(scf::ParallelOp op) {
  if (teamSize || !llvm::all_of(op.getUpperBound(), [&](Value bound) { return isInvariant(bound, kernel); }))
    return false;
  IndexMath h = host.math();
  Value elements = h.product(op.getUpperBound()),
        all = barriers.isRepeated(op) ? h.constant(threads) : h.mul(wanted, threads);
  if (barriers.isEdge(op))
    all = h.select(hasFewEdges, h.constant(threads), all);
  return host.holdsInFirstCall("a thread for each element", h.compare(arith::CmpIPredicate::sle, elements, all));
}

/// The elements first, first + stride, ..: `unroll` at a time while there are so many, each into accumulators of its
/// own.
void GridEmitter::emitElements(scf::ParallelOp op, Lane &lane, ArrayRef<Value> extents, Value first, Value stride,
                               SmallVector<Value> &accumulators, int64_t unroll) {
  IndexMath m = math();
  Value total = product(extents);
  auto emitLanes = [&](Value element, int64_t lanes, SmallVector<Value> &inside) {
    SmallVector<Lane> copies;
    for (int64_t copy = 0; copy < lanes; ++copy, element = m.add(element, stride)) {
      copies.push_back(lane);
      emitPosition(copies.back(), op, extents, element);
    }
    emitIterations(op, copies, inside);
  };
  if (unroll > 1) {
    // The element that follows is carried, so that nobody has to divide to find where the last round ends.
    Value round = m.mul(stride, unroll), end = m.sub(total, m.mul(stride, unroll - 1));
    accumulators.push_back(first);
    emitLoop(first, end, round, accumulators, [&](Value element, SmallVector<Value> &inside) {
      Value next = m.add(inside.pop_back_val(), round);
      emitLanes(element, unroll, inside);
      inside.push_back(next);
    });
    first = accumulators.pop_back_val();
  }
  emitLoop(first, total, stride, accumulators, [&](Value element, SmallVector<Value> &inside) { emitLanes(element, 1, inside); });
}

/// Whether an iteration can be run once more than it has to be.
static bool onlyLoads(scf::ParallelOp op) {
  return !op.getBody()
              ->walk([](Operation *inside) {
                return isa<memref::LoadOp>(inside) || inside->hasTrait<OpTrait::IsTerminator>() || isPure(inside)
                           ? WalkResult::advance()
                           : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// The same for a reduction, where a round may hold elements behind the last one: the last one is loaded instead and
/// its value not used. So all loads of a round are on their way together, and a thread with few elements has one round.
void GridEmitter::emitMaskedRounds(scf::ParallelOp op, Lane &lane, ArrayRef<Value> extents, Value first, Value stride,
                                   SmallVector<Value> &accumulators, int64_t unroll) {
  IndexMath m = math();
  Value total = product(extents), last = m.sub(total, 1);
  emitLoop(first, total, m.mul(stride, unroll), accumulators, [&](Value element, SmallVector<Value> &inside) {
    SmallVector<Lane> copies(unroll, lane);
    SmallVector<Value> isElement{Value()};
    for (int64_t copy = 0; copy < unroll; ++copy) {
      if (copy) {
        element = m.add(element, stride);
        isElement.push_back(m.compare(arith::CmpIPredicate::slt, element, total));
      }
      emitPosition(copies[copy], op, extents, copy ? m.min(element, last) : element);
    }
    SmallVector<Value> before(inside);
    emitIterations(op, copies, inside);
    int64_t count = op.getNumResults();
    for (int64_t number = count; number < unroll * count; ++number)
      inside[number] = arith::SelectOp::create(builder, loc, isElement[number / count], inside[number], before[number]);
  });
}

/// This thread's part of a loop; of a reduction one value for each result.
SmallVector<Value> GridEmitter::emitOwnPart(scf::ParallelOp op, Lane &lane, ArrayRef<Value> extents, Value first,
                                            Value stride) {
  SmallVector<Value> inits = lookUp(op.getInitVals(), lane), accumulators;
  int64_t count = inits.size(), copies = hasThreadForEach(op) ? 1 : 4;
  while (copies > 1 && copies * countOps(*op.getBody()) > (count ? 192 : 128))
    copies /= 2;
  for (int64_t copy = 0; copy < copies; ++copy)
    llvm::append_range(accumulators, inits);
  if (count && onlyLoads(op))
    emitMaskedRounds(op, lane, extents, first, stride, accumulators, copies);
  else
    emitElements(op, lane, extents, first, stride, accumulators, copies);
  auto reduce = count ? cast<scf::ReduceOp>(op.getBody()->getTerminator()) : scf::ReduceOp();
  for (; copies > 1; copies /= 2)
    for (int64_t copy = 0; copy < copies / 2 * count; ++copy)
      accumulators[copy] = BodyEmitter::emitCombine(reduce.getReductions()[copy % count], accumulators[copy],
                                                    accumulators[copy + copies / 2 * count]);
  accumulators.resize(count);
  return accumulators;
}

// What a block goes through in about the time that all blocks wait for each other and fetch each other's parts.
constexpr int64_t repeatedElements = 4 * threads;

/// Reductions of few elements: each block computes them for itself, and nobody waits for the parts of others. Not where
/// all would wait for each other anyway, before something overwrites what the blocks read.
llvm::DenseSet<Operation *> GridEmitter::findRepeated() {
  llvm::DenseSet<Operation *> repeated;
  IndexMath h = host.math();
  int64_t waits = GridBarriers(kernel, host.getAccesses(), repeated).countWaits();
  kernel.walk<WalkOrder::PreOrder>([&](scf::ParallelOp op) {
    bool isKnown = llvm::all_of(op.getUpperBound(), [&](Value bound) { return isInvariant(bound, kernel); });
    if (op.getNumResults() == 0 || !isKnown || !onlyLoads(op))
      return WalkResult::skip();
    repeated.insert(op);
    int64_t fewer = GridBarriers(kernel, host.getAccesses(), repeated).countWaits();
    Value elements = h.product(op.getUpperBound());
    Value isFew = h.compare(arith::CmpIPredicate::sle, elements, h.constant(repeatedElements));
    if (fewer < waits && host.holdsInFirstCall("each block sums by itself", isFew))
      waits = fewer;
    else
      repeated.erase(op);
    return WalkResult::skip();
  });
  return repeated;
}

SmallVector<Value> GridEmitter::emitReduction(scf::ParallelOp op, Lane &lane, ArrayRef<Value> extents) {
  IndexMath m = math();
  Type i64 = builder.getI64Type();
  Value isFirst = m.compare(arith::CmpIPredicate::eq, thread, m.constant(0)), all = m.constant(threads),
        isBlock = m.truth(true);
  if (barriers.isRepeated(op))
    return emitCombined(op, emitOwnPart(op, lane, extents, thread, all), all, isBlock, threads);
  SmallVector<Value> inits = lookUp(op.getInitVals(), lane), memory;
  OpBuilder &outside = host.getBuilder();
  auto getStored = [&](Type type) -> Type {
    Type component = ElementLayout(type).component;
    return component.isIndex() ? i64 : component.isInteger(1) ? builder.getI8Type() : component;
  };
  for (Value init : inits) {
    // Two halves: what one reduction leaves others may still read while the next one writes.
    Value elements = host.math().mul(wanted, 2 * ElementLayout(init.getType()).components);
    auto type = MemRefType::get({ShapedType::kDynamic}, getStored(init.getType()));
    buffers.push_back(np::AllocOp::create(outside, loc, type, ValueRange{elements}));
    memory.push_back(getPointer(buffers.back()));
  }
  Value half = LLVM::LoadOp::create(builder, loc, i64, turn);
  LLVM::StoreOp::create(
      builder, loc, arith::XOrIOp::create(builder, loc, half, arith::ConstantIntOp::create(builder, loc, 1, 64)), turn);
  Value start = m.mul(arith::IndexCastOp::create(builder, loc, builder.getIndexType(), half), wanted);
  auto address = [&](unsigned result, Value part, int64_t component) -> Value {
    int64_t components = ElementLayout(inits[result].getType()).components;
    Value at = m.add(m.mul(m.add(start, part), components), component);
    Value bits = arith::IndexCastOp::create(builder, loc, i64, at);
    return LLVM::GEPOp::create(builder, loc, memory[result].getType(), getStored(inits[result].getType()),
                               memory[result], ValueRange{bits});
  };
  SmallVector<Value> own;
  auto emitPart = [&](Value first, Value stride) {
    Lane inside = lane;
    own = emitCombined(op, emitOwnPart(op, inside, extents, first, stride), all, isBlock, threads);
  };
  emitParts(emitPart, [&](Value part) {
    auto store = scf::IfOp::create(builder, loc, isFirst, /*withElseRegion=*/false);
    builder.setInsertionPointToStart(store.thenBlock());
    for (auto [result, value] : llvm::enumerate(own)) {
      SmallVector<Value> components{value};
      if (isa<ComplexType>(value.getType()))
        components = {complex::ReOp::create(builder, loc, value), complex::ImOp::create(builder, loc, value)};
      for (auto [component, stored] : llvm::enumerate(components)) {
        if (stored.getType().isIndex())
          stored = arith::IndexCastOp::create(builder, loc, i64, stored);
        else if (stored.getType().isInteger(1))
          stored = arith::ExtUIOp::create(builder, loc, builder.getI8Type(), stored);
        LLVM::StoreOp::create(builder, loc, stored, address(result, part, component));
      }
    }
  });
  emitBarrier();
  auto load = scf::IfOp::create(builder, loc, ValueRange(inits).getTypes(),
                                m.compare(arith::CmpIPredicate::slt, thread, wanted), true, true);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(load.elseBlock());
    scf::YieldOp::create(builder, loc, inits);
    builder.setInsertionPointToStart(load.thenBlock());
    SmallVector<Value> values;
    for (auto [result, init] : llvm::enumerate(inits)) {
      Type type = init.getType(), stored = getStored(type);
      Value value = LLVM::LoadOp::create(builder, loc, stored, address(result, thread, 0));
      if (isa<ComplexType>(type))
        value = complex::CreateOp::create(builder, loc, type, value,
                                          LLVM::LoadOp::create(builder, loc, stored, address(result, thread, 1)));
      else if (type.isIndex())
        value = arith::IndexCastOp::create(builder, loc, type, value);
      else if (type.isInteger(1))
        value = arith::TruncIOp::create(builder, loc, type, value);
      values.push_back(value);
    }
    scf::YieldOp::create(builder, loc, values);
  }
  return emitCombined(op, load.getResults(), all, isBlock, threads);
}

} // namespace npcc::cuda
