// npcc-group-updates: a loop of the host whose iterations meet at positions that memory gives, where the order shows (sums of floats, a[p] = v). One
// thread would run it. Sorted by position, with equal ones in their order, every position is a line of its own:
//
//   scf.for %i = 0 to %n {                     if %n is not small (else the loop):
//     %p = memref.load %bin[%i]                  for all %i:  %keys[%i] = position
//     %old = memref.load %out[%p]          ->    np.call_sort %keys into %order positions true
//     %new = arith.addf %old, %w[%i]             for all %t:  %sorted[%t] = %keys[%order[%t]], %value[%t] = %w[%order[%t]]
//     memref.store %new, %out[%p] }              for all %t where %sorted[%t - 1] is another: %out[%sorted[%t]] += %value[%t], %value[%t + 1], ...
//
// So each element gets what the loop gives it, in the loop's order: the same bits.
//
// Where what was there before does not matter (a[p] = v), the last iteration that stores is found without sorting, if the array is not large:
//
//   for all %i:  %last[%p] = -1;   for all %i:  %last[%p] = max(%last[%p], %i);   for all %i with %last[%p] = %i:  %a[%p] = %v
#include "compiler/gpu/Gpu.h"
#include "compiler/kernels/Updates.h"
#include "compiler/memory/Aliasing.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Choice.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_GROUPUPDATES
#include "compiler/gpu/Passes.h.inc"
namespace {

struct OrderedUpdate {
  SmallVector<scf::ForOp> nest;
  memref::StoreOp store;
  SmallVector<memref::LoadOp> olds;           // loads of what is stored to
  llvm::SetVector<Operation *> chain;         // what depends on them, in order
  llvm::SetVector<Value> inputs;              // what the chain takes from an iteration

  Block *getBody() { return nest.back().getBody(); }
  bool isInside(Value value) { return value.getParentRegion() && nest.front()->isAncestor(value.getParentRegion()->getParentOp()); }
};

/// A perfect nest, rectangular, that carries nothing.
SmallVector<scf::ForOp> getNest(scf::ForOp outer) {
  SmallVector<scf::ForOp> nest{outer};
  while (auto inner = dyn_cast<scf::ForOp>(nest.back().getBody()->front())) {
    bool isPerfect = inner->getNextNode() == nest.back().getBody()->getTerminator() && inner.getNumResults() == 0;
    for (Value bound : {inner.getLowerBound(), inner.getUpperBound(), inner.getStep()})
      isPerfect &= !outer->isAncestor(bound.getParentRegion()->getParentOp());
    if (!isPerfect)
      break;
    nest.push_back(inner);
  }
  return nest;
}

std::optional<OrderedUpdate> findOrderedUpdate(scf::ForOp loop, bool general) {
  if (loop.getNumResults())
    return std::nullopt;
  OrderedUpdate update;
  update.nest = getNest(loop);
  SmallVector<memref::LoadOp> loads;
  for (Operation &op : update.getBody()->without_terminator()) {
    if (auto store = dyn_cast<memref::StoreOp>(op)) {
      if (update.store)
        return std::nullopt;
      update.store = store;
    } else if (auto load = dyn_cast<memref::LoadOp>(op)) {
      loads.push_back(load);
    } else if (op.getNumRegions() || (!isPure(&op) && !isa<np::CheckIndexOp>(op))) {
      return std::nullopt;
    }
  }
  if (!update.store || update.isInside(update.store.getMemRef()))
    return std::nullopt;
  llvm::DenseSet<Value> changing;
  for (memref::LoadOp load : loads) {
    if (!mayAlias(load.getMemRef(), update.store.getMemRef(), general))
      continue;
    if (load.getMemRef() != update.store.getMemRef() || !llvm::equal(load.getIndices(), update.store.getIndices()))
      return std::nullopt;
    update.olds.push_back(load);
    changing.insert(load.getResult());
  }
  for (Operation &op : update.getBody()->without_terminator()) {
    if (&op == update.store || !llvm::any_of(op.getOperands(), [&](Value operand) { return changing.contains(operand); }))
      continue;
    if (!isPure(&op))
      return std::nullopt; // a position that depends on what is stored
    update.chain.insert(&op);
    changing.insert_range(op.getResults());
  }
  if (llvm::any_of(update.store.getIndices(), [&](Value index) { return changing.contains(index); }))
    return std::nullopt;
  auto addInput = [&](Value value) {
    if (!changing.contains(value) && update.isInside(value))
      update.inputs.insert(value);
  };
  for (Operation *op : update.chain)
    for (Value operand : op->getOperands())
      addInput(operand);
  addInput(update.store.getValueToStore());
  bool isSimple = llvm::all_of(update.inputs, [](Value value) { return isa<IntegerType, IndexType, FloatType, ComplexType>(value.getType()); });
  bool isMoving = llvm::any_of(update.store.getIndices(), [&](Value index) { return update.isInside(index); });
  return isSimple && isMoving ? std::optional(update) : std::nullopt;
}

// Updates of one position whose values are loaded together.
constexpr int64_t batchSize = 16;

class Grouping {
public:
  Grouping(OrderedUpdate &update) : update(update), builder(update.nest.front()), loc(update.nest.front().getLoc()) {}

  void emit() {
    zero = index(0), one = index(1);
    Value count = one;
    for (scf::ForOp loop : update.nest) {
      Value span = builder.createOrFold<arith::SubIOp>(loc, loop.getUpperBound(), loop.getLowerBound());
      Value trips = toIndex(builder.createOrFold<arith::CeilDivSIOp>(loc, span, loop.getStep()));
      extents.push_back(builder.createOrFold<arith::MaxSIOp>(loc, trips, zero));
      count = multiply(count, extents.back());
    }
    auto type = cast<MemRefType>(update.store.getMemRef().getType());
    for (int64_t axis = 0; axis < type.getRank(); ++axis)
      sizes.push_back(builder.createOrFold<memref::DimOp>(loc, update.store.getMemRef(), axis));
    // Fewer iterations are done by one thread before the launches are made.
    int64_t least = getTargetProperties(update.nest.front()).tuning.leastSorted;
    Value isWorth = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, count, index(least));
    isWorth = np::ChoiceOp::create(builder, loc, "updates sorted by position", isWorth);
    auto choice = scf::IfOp::create(builder, loc, isWorth, /*withElseRegion=*/true);
    scf::ForOp loop = update.nest.front();
    builder.setInsertionPointToStart(choice.thenBlock());
    if (update.olds.empty()) {
      auto owned = scf::IfOp::create(builder, loc, emitCanOwn(count), /*withElseRegion=*/true);
      builder.setInsertionPointToStart(owned.thenBlock());
      emitLast(count);
      builder.setInsertionPointToStart(owned.elseBlock());
    }
    emitGroups(count);
    loop->moveBefore(choice.elseBlock(), choice.elseBlock()->begin());
  }

private:
  /// Whether the array is small enough for one of its extents that names iterations.
  Value emitCanOwn(Value count) {
    const Tuning &tuning = getTargetProperties(update.nest.front()).tuning;
    Value elements = one;
    for (Value size : sizes)
      elements = multiply(elements, size);
    Value most = arith::MaxSIOp::create(builder, loc, multiply(count, index(tuning.ownedPerIteration)), index(tuning.mostOwned));
    Value canOwn = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle, elements, most);
    return np::ChoiceOp::create(builder, loc, "the last iteration to store", canOwn);
  }

  /// The last iteration of those that store at a position stores.
  void emitLast(Value count) {
    Type i64 = builder.getI64Type();
    SmallVector<int64_t> shape(sizes.size(), ShapedType::kDynamic);
    Value last = np::AllocOp::create(builder, loc, MemRefType::get(shape, i64), sizes);
    auto forAll = [&](ValueRange wanted, function_ref<void(Value, IRMapping &, ValueRange)> emitBody) {
      emitKernel(count, [&](Value at) {
        IRMapping map;
        emitIteration(at, map, wanted);
        SmallVector<Value> positions;
        for (Value position : update.store.getIndices())
          positions.push_back(map.lookupOrDefault(position));
        emitBody(toI64(at), map, positions);
      });
    };
    SmallVector<Value> positions(update.store.getIndices()), all(positions);
    all.push_back(update.store.getValueToStore());
    forAll(positions, [&](Value, IRMapping &, ValueRange at) {
      memref::StoreOp::create(builder, loc, arith::ConstantIntOp::create(builder, loc, -1, 64), last, at);
    });
    forAll(positions, [&](Value number, IRMapping &, ValueRange at) {
      memref::AtomicRMWOp::create(builder, loc, arith::AtomicRMWKind::maxs, number, last, at);
    });
    forAll(all, [&](Value number, IRMapping &map, ValueRange at) {
      Value known = memref::LoadOp::create(builder, loc, last, at);
      Value isLast = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, known, number);
      auto store = scf::IfOp::create(builder, loc, isLast, /*withElseRegion=*/false);
      builder.setInsertionPoint(store.thenYield());
      memref::StoreOp::create(builder, loc, map.lookupOrDefault(update.store.getValueToStore()), update.store.getMemRef(), at);
    });
    np::ReleaseOp::create(builder, loc, last);
  }

  void emitGroups(Value count) {
    auto line = [&](Type type) -> Value {
      return np::AllocOp::create(builder, loc, MemRefType::get({ShapedType::kDynamic}, type), ValueRange{count});
    };
    Type i64 = builder.getI64Type();
    Value keys = line(i64), order = line(i64), sorted = line(i64);
    SmallVector<Value> values;
    for (Value input : update.inputs)
      values.push_back(line(getMovedType(input.getType())));
    emitKernel(count, [&](Value at) {
      IRMapping map;
      emitIteration(at, map, update.store.getIndices());
      Value key = zero;
      for (auto [position, size] : llvm::zip_equal(update.store.getIndices(), sizes))
        key = add(multiply(key, size), map.lookupOrDefault(position));
      memref::StoreOp::create(builder, loc, toI64(key), keys, at);
    });
    np::CallSortOp::create(builder, loc, keys, order, /*positions=*/true, /*is_unsigned=*/false);
    emitKernel(count, [&](Value at) {
      Value from = toIndex(memref::LoadOp::create(builder, loc, order, at));
      memref::StoreOp::create(builder, loc, memref::LoadOp::create(builder, loc, keys, from), sorted, at);
      IRMapping map;
      emitIteration(from, map, update.inputs.getArrayRef());
      for (auto [input, memory] : llvm::zip_equal(update.inputs, values))
        memref::StoreOp::create(builder, loc, toMoved(map.lookupOrDefault(input)), memory, at);
    });
    emitKernel(count, [&](Value at) { emitLine(at, count, sorted, values); });
    for (Value memory : {keys, order, sorted})
      np::ReleaseOp::create(builder, loc, memory);
    for (Value memory : values)
      np::ReleaseOp::create(builder, loc, memory);
  }

  /// From the first of equal positions on: all that belongs to it.
  void emitLine(Value at, Value count, Value sorted, ArrayRef<Value> values) {
    Value key = memref::LoadOp::create(builder, loc, sorted, at);
    Value before = arith::MaxSIOp::create(builder, loc, arith::SubIOp::create(builder, loc, at, one), zero);
    Value other = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, memref::LoadOp::create(builder, loc, sorted, before), key);
    Value start = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, at, zero);
    auto head = scf::IfOp::create(builder, loc, arith::OrIOp::create(builder, loc, start, other), /*withElseRegion=*/false);
    builder.setInsertionPoint(head.thenYield());
    SmallVector<Value> positions(sizes.size());
    Value rest = toIndex(key);
    for (size_t axis = sizes.size(); axis-- > 0;) {
      positions[axis] = axis ? Value(arith::RemUIOp::create(builder, loc, rest, sizes[axis])) : rest;
      rest = axis ? Value(arith::DivUIOp::create(builder, loc, rest, sizes[axis])) : rest;
    }
    Value memory = update.store.getMemRef(), old = memref::LoadOp::create(builder, loc, memory, positions);
    Value end = emitEnd(at, key, count, sorted);
    // Loads of several iterations are under way at once; what is made of them keeps its order.
    Value length = arith::SubIOp::create(builder, loc, end, at), batch = index(batchSize);
    Value whole = add(at, multiply(arith::DivUIOp::create(builder, loc, length, batch), batch));
    Value first = emitUpdates(at, whole, batchSize, old, values), second = emitUpdates(whole, end, 1, first, values);
    memref::StoreOp::create(builder, loc, second, memory, positions);
  }

  /// What becomes of `old` by the updates from one position to another, so many of them in each iteration.
  Value emitUpdates(Value from, Value to, int64_t together, Value old, ArrayRef<Value> values) {
    auto emitIteration = [&](OpBuilder &, Location, Value at, ValueRange carried) {
      SmallVector<SmallVector<Value>> loaded(together);
      for (int64_t number = 0; number < together; ++number)
        for (auto [input, memory] : llvm::zip_equal(update.inputs, values)) {
          Value element = memref::LoadOp::create(builder, loc, memory, add(at, index(number)));
          loaded[number].push_back(fromMoved(element, input.getType()));
        }
      Value current = carried[0];
      for (ArrayRef<Value> inputs : loaded) {
        IRMapping map;
        for (memref::LoadOp load : update.olds)
          map.map(load.getResult(), current);
        map.map(update.inputs.getArrayRef(), inputs);
        for (Operation *op : update.chain)
          builder.clone(*op, map);
        current = map.lookupOrDefault(update.store.getValueToStore());
      }
      scf::YieldOp::create(builder, loc, current);
    };
    OpBuilder::InsertionGuard guard(builder);
    auto loop = scf::ForOp::create(builder, loc, from, to, index(together), old);
    if (loop.getBody()->mightHaveTerminator())
      loop.getBody()->getTerminator()->erase();
    builder.setInsertionPointToEnd(loop.getBody());
    emitIteration(builder, loc, loop.getInductionVar(), loop.getRegionIterArgs());
    return loop.getResult(0);
  }

  /// Behind the last of the equal positions that begin at `at`: by steps that double, and by halving the last one.
  Value emitEnd(Value at, Value key, Value count, Value sorted) {
    Type type = builder.getIndexType();
    Value two = index(2);
    auto compare = [&](arith::CmpIPredicate predicate, Value a, Value b) -> Value {
      return arith::CmpIOp::create(builder, loc, predicate, a, b);
    };
    auto isSame = [&](Value position) { return compare(arith::CmpIPredicate::eq, memref::LoadOp::create(builder, loc, sorted, position), key); };
    Value last = arith::SubIOp::create(builder, loc, count, one);
    auto doubling = scf::WhileOp::create(
        builder, loc, TypeRange{type, type}, ValueRange{at, one},
        [&](OpBuilder &, Location, ValueRange carried) {
          Value next = add(carried[0], carried[1]);
          Value inside = compare(arith::CmpIPredicate::slt, next, count);
          Value same = isSame(arith::MinSIOp::create(builder, loc, next, last));
          scf::ConditionOp::create(builder, loc, arith::AndIOp::create(builder, loc, inside, same), carried);
        },
        [&](OpBuilder &, Location, ValueRange carried) {
          scf::YieldOp::create(builder, loc, ValueRange{add(carried[0], carried[1]), multiply(carried[1], two)});
        });
    Value low = doubling.getResult(0), high = arith::MinSIOp::create(builder, loc, add(low, doubling.getResult(1)), count);
    auto halving = scf::WhileOp::create(
        builder, loc, TypeRange{type, type}, ValueRange{low, high},
        [&](OpBuilder &, Location, ValueRange carried) {
          Value length = arith::SubIOp::create(builder, loc, carried[1], carried[0]);
          scf::ConditionOp::create(builder, loc, compare(arith::CmpIPredicate::sgt, length, one), carried);
        },
        [&](OpBuilder &, Location, ValueRange carried) {
          Value middle = arith::DivUIOp::create(builder, loc, add(carried[0], carried[1]), two), same = isSame(middle);
          scf::YieldOp::create(builder, loc,
                               ValueRange{arith::SelectOp::create(builder, loc, same, middle, carried[0]),
                                          arith::SelectOp::create(builder, loc, same, carried[1], middle)});
        });
    return halving.getResult(1);
  }

  void emitKernel(Value count, function_ref<void(Value)> emitBody) {
    auto kernel = np::KernelOp::create(builder, loc, count);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(kernel.getBody()->getTerminator());
    emitBody(kernel.getInductionVars()[0]);
  }

  /// What computes `wanted` in iteration `number` of the nest.
  void emitIteration(Value number, IRMapping &map, ValueRange wanted) {
    Value rest = number;
    for (size_t axis = update.nest.size(); axis-- > 0;) {
      scf::ForOp loop = update.nest[axis];
      Value position = axis ? Value(arith::RemUIOp::create(builder, loc, rest, extents[axis])) : rest;
      rest = axis ? Value(arith::DivUIOp::create(builder, loc, rest, extents[axis])) : rest;
      Type type = loop.getInductionVar().getType();
      if (!type.isIndex())
        position = arith::IndexCastOp::create(builder, loc, type, position);
      position = builder.createOrFold<arith::MulIOp>(loc, position, loop.getStep());
      map.map(loop.getInductionVar(), builder.createOrFold<arith::AddIOp>(loc, position, loop.getLowerBound()));
    }
    llvm::SetVector<Operation *> slice;
    for (Value value : wanted)
      collect(value, slice);
    for (Operation *op : slice)
      builder.clone(*op, map);
  }

  void collect(Value value, llvm::SetVector<Operation *> &slice) {
    Operation *op = value.getDefiningOp();
    if (!op || !update.isInside(value) || slice.contains(op))
      return;
    for (Value operand : op->getOperands())
      collect(operand, slice);
    slice.insert(op);
  }

  /// bool lies in memory as a byte, positions as 64 bits.
  Type getMovedType(Type type) {
    return type.isInteger(1) ? Type(builder.getI8Type()) : type.isIndex() ? Type(builder.getI64Type()) : type;
  }
  Value toMoved(Value value) {
    if (value.getType().isInteger(1))
      return arith::ExtUIOp::create(builder, loc, builder.getI8Type(), value);
    return value.getType().isIndex() ? toI64(value) : value;
  }
  Value fromMoved(Value value, Type type) {
    if (type.isInteger(1))
      return arith::TruncIOp::create(builder, loc, type, value);
    return type.isIndex() ? toIndex(value) : value;
  }

  Value index(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }
  Value add(Value x, Value y) { return builder.createOrFold<arith::AddIOp>(loc, x, y); }
  Value multiply(Value x, Value y) { return builder.createOrFold<arith::MulIOp>(loc, x, y); }
  Value toIndex(Value value) {
    return value.getType().isIndex() ? value : Value(arith::IndexCastOp::create(builder, loc, builder.getIndexType(), value));
  }
  Value toI64(Value value) { return arith::IndexCastOp::create(builder, loc, builder.getI64Type(), value); }

  OrderedUpdate &update;
  OpBuilder builder;
  Location loc;
  Value zero, one;
  SmallVector<Value> extents, sizes;
};

struct GroupUpdates : impl::GroupUpdatesBase<GroupUpdates> {
  void runOnOperation() override {
    if (getOperation()->hasAttr("np.thread")) // it runs on the device as it is
      return;
    bool general = getOperation()->hasAttr("np.general");
    SmallVector<scf::ForOp> loops;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<np::KernelOp>(op))
        return WalkResult::skip();
      auto loop = dyn_cast<scf::ForOp>(op);
      if (!loop || !isGivenByMemory(loop))
        return WalkResult::advance();
      if (!findOrderedUpdate(loop, general))
        return WalkResult::advance();
      loops.push_back(loop);
      return WalkResult::skip();
    });
    for (scf::ForOp loop : loops) {
      OrderedUpdate update = *findOrderedUpdate(loop, general);
      bool isLost = update.store.getMemRef().getDefiningOp<np::AllocOp>() != nullptr;
      if (!isLost && !checkPositionsBefore(loop, update.nest.back(), /*releases=*/true))
        continue;
      // Without the checks.
      update = *findOrderedUpdate(loop, general);
      Grouping(update).emit();
    }
  }

  /// Does memory give the position of a store?
  static bool isGivenByMemory(scf::ForOp loop) {
    return loop.walk([&](memref::StoreOp store) {
                 bool isGiven = llvm::any_of(store.getIndices(), [&](Value index) { return isPositionGivenByMemory(loop, index); });
                 return isGiven ? WalkResult::interrupt() : WalkResult::advance();
               }).wasInterrupted();
  }
};

} // namespace
} // namespace npcc
