// npcc-group-updates: a loop of the host whose iterations update elements at positions that memory gives, where the
// order shows (sums of floats, a[p] = v). One thread would have to run it. Instead, the updates are sorted by position,
// those of equal positions in their order. Then a thread goes through the updates of each position:
//
//   scf.for %i = 0 to %n {                        if %n is not small (else the loop stays):
//     %p = memref.load %bin[%i]                     for all %i:  %keys[%i] = %p
//     %old = memref.load %out[%p]            ->     np.call_sort %keys below %size into %order positions true
//     %new = arith.addf %old, %w[%i]                for all %t:  %sorted[%t] = %keys[%order[%t]]
//     memref.store %new, %out[%p]                                %value[%t] = %w[%order[%t]]
//   }                                               for all %t where %sorted[%t - 1] is another position:
//                                                     %out[%sorted[%t]] += %value[%t], %value[%t + 1], ...
//
// Each element gets what the loop gives it, in the loop's order, so the bits are the same.
//
// An iteration may update a row (a[p] += b[i]), which is a kernel that the loop launches again and again. Then it is
// rows that are sorted, and a thread has one element of a row. What is added is read where it lies:
//
//   np.kernel map (%j) = (%m) { ... }    ->    for all %t, %j where %sorted[%t - 1] is another position:
//                                                %out[%sorted[%t], %j] += %b[%order[%t], %j], %b[%order[%t + 1], %j],
//                                                ...
//
// Where there are not many more positions than updates, it is told for each of them where its updates begin and end,
// and each has a thread, so that none is there for nothing:
//
//   for all %t where %sorted[%t - 1] is another position:  %first[%sorted[%t]] = %t      (%end likewise)
//   for all %p:  %out[%p] += %value[%first[%p]], ... up to %end[%p]
//
// Few positions with many iterations each, whose values are summed, are not sorted (SumUpdates.cpp).
//
// Where an update does not read what was there before (a[p] = v), only the last one of each position counts. If the
// array is not large, that one is found without sorting:
//
//   for all %i:  %last[%p] = -1
//   for all %i:  %last[%p] = max(%last[%p], %i)
//   for all %i where %last[%p] = %i:  %a[%p] = %v
//
// Iterations may update on a condition (a[p[mask]] = v[mask]): those that do not are sorted behind all positions.
#include "compiler/gpu/Gpu.h"
#include "compiler/gpu/OrderedUpdate.h"
#include "compiler/kernels/Updates.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Choice.h"
#include "dialects/Np/Memory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_GROUPUPDATES
#include "compiler/gpu/Passes.h.inc"
namespace {

// Updates of one position whose values are loaded together.
constexpr int64_t batchSize = 16;

class Grouping : UpdateCode {
public:
  using UpdateCode::UpdateCode;

  void emit() {
    auto type = cast<MemRefType>(update.store.getMemRef().getType());
    for (int64_t axis = 0; axis < type.getRank(); ++axis)
      if (!update.isAlongRow(update.store.getIndices()[axis]))
        sizes.push_back(builder.createOrFold<memref::DimOp>(loc, update.store.getMemRef(), axis));
    // Fewer iterations are done by one thread, or by so many launches, before the others are made.
    const Tuning &tuning = getTargetProperties(update.nest.front()).tuning;
    int64_t least = update.row ? tuning.leastSortedRows : tuning.leastSorted;
    Value isWorth = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, count, math().constant(least));
    auto offer = np::AlternativesOp::create(builder, loc, TypeRange(), "updates sorted by position", isWorth);
    scf::ForOp loop = update.nest.front();
    builder.setInsertionPointToStart(offer.getOfferedBlock());
    emitAssertions();
    if (update.olds.empty()) {
      auto owned = np::AlternativesOp::create(builder, loc, TypeRange(), "the last iteration to store", emitCanOwn());
      builder.setInsertionPointToStart(owned.getOfferedBlock());
      emitLast();
      builder.setInsertionPointToStart(owned.getGeneralBlock());
    }
    if (isFloatSum(update) && !update.branch) {
      auto summed =
          np::AlternativesOp::create(builder, loc, TypeRange(), "updates summed in parts", emitCanSumParts(*this));
      builder.setInsertionPointToStart(summed.getOfferedBlock());
      emitPartSums(*this);
      builder.setInsertionPointToStart(summed.getGeneralBlock());
    }
    emitGroups();
    offer.setGeneral(loop);
  }

private:
  /// Whether the array is small enough for one of its extents that names iterations.
  Value emitCanOwn() {
    const Tuning &tuning = getTargetProperties(update.nest.front()).tuning;
    IndexMath m = math();
    Value most = m.max(m.mul(count, tuning.ownedPerIteration), m.constant(tuning.mostOwned));
    return m.compare(arith::CmpIPredicate::sle, emitPlaces(), most);
  }

  /// How many positions there are to sort by.
  Value emitPlaces() {
    Value places = one;
    for (Value size : sizes)
      places = math().mul(places, size);
    return places;
  }

  /// The last iteration of those that store at a position stores.
  void emitLast() {
    Type i64 = builder.getI64Type();
    SmallVector<int64_t> shape(sizes.size(), ShapedType::kDynamic);
    Value last = np::AllocOp::create(builder, loc, MemRefType::get(shape, i64), sizes);
    SmallVector<Value> key = getKey(), all(key);
    all.push_back(update.store.getValueToStore());
    auto forAll = [&](ValueRange bounds, ValueRange wanted,
                      function_ref<void(Value, IRMapping &, ValueRange)> emitBody) {
      emitKernel(bounds, [&](ValueRange at) {
        IRMapping map;
        if (at.size() > 1)
          map.map(update.row.getInductionVars(), at.drop_front());
        enterWhereUpdated(at[0], map);
        emitIteration(at[0], map, wanted);
        SmallVector<Value> positions;
        for (Value position : key)
          positions.push_back(map.lookupOrDefault(position));
        emitBody(toI64(at[0]), map, positions);
      });
    };
    forAll(count, key, [&](Value, IRMapping &, ValueRange at) {
      memref::StoreOp::create(builder, loc, arith::ConstantIntOp::create(builder, loc, -1, 64), last, at);
    });
    forAll(count, key, [&](Value number, IRMapping &, ValueRange at) {
      memref::AtomicRMWOp::create(builder, loc, arith::AtomicRMWKind::maxs, number, last, at);
    });
    forAll(getBounds(), all, [&](Value number, IRMapping &map, ValueRange at) {
      Value known = memref::LoadOp::create(builder, loc, last, at);
      Value isLast = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, known, number);
      auto store = scf::IfOp::create(builder, loc, isLast, /*withElseRegion=*/false);
      builder.setInsertionPoint(store.thenYield());
      Value stored = map.lookupOrDefault(update.store.getValueToStore());
      memref::StoreOp::create(
          builder, loc, stored, update.store.getMemRef(),
          llvm::map_to_vector(update.store.getIndices(), [&](Value index) { return map.lookupOrDefault(index); }));
    });
    np::ReleaseOp::create(builder, loc, last);
  }

  void emitGroups() {
    auto line = [&](Type type) -> Value {
      return np::AllocOp::create(builder, loc, MemRefType::get({ShapedType::kDynamic}, type), ValueRange{count});
    };
    Type i64 = builder.getI64Type();
    Value keys = line(i64), order = line(i64), sorted = line(i64);
    SmallVector<Value> values;
    if (!update.row)
      for (Value input : update.inputs)
        values.push_back(line(getMovedType(input.getType())));
    // Iterations that do not update come last: their key is behind all places.
    Value places = emitPlaces(), bound = update.branch ? math().add(places, one) : places;
    emitKernel(count, [&](ValueRange at) {
      if (update.branch)
        memref::StoreOp::create(builder, loc, toI64(places), keys, at);
      IRMapping map;
      enterWhereUpdated(at[0], map);
      emitIteration(at[0], map, getKey());
      Value key = zero;
      for (auto [position, size] : llvm::zip_equal(getKey(), sizes))
        key = math().add(math().mul(key, size), map.lookupOrDefault(position));
      memref::StoreOp::create(builder, loc, toI64(key), keys, at);
    });
    np::CallSortOp::create(builder, loc, keys, order, bound, /*positions=*/true, /*is_unsigned=*/false);
    emitKernel(count, [&](ValueRange at) {
      Value from = toIndex(memref::LoadOp::create(builder, loc, order, at));
      Value key = memref::LoadOp::create(builder, loc, keys, from);
      memref::StoreOp::create(builder, loc, key, sorted, at);
      if (update.row)
        return;
      enterWhereSome(toIndex(key), places);
      IRMapping map;
      emitIteration(from, map, update.inputs.getArrayRef());
      for (auto [input, memory] : llvm::zip_equal(update.inputs, values))
        memref::StoreOp::create(builder, loc, toMoved(map.lookupOrDefault(input)), memory, at);
    });
    Lines lines{order, sorted, values};
    IndexMath m = math();
    Value areFew =
        m.compare(arith::CmpIPredicate::sle, emitPlaces(),
                  m.mul(count, m.constant(getTargetProperties(update.nest.front()).tuning.positionsPerUpdate)));
    auto offer = np::AlternativesOp::create(builder, loc, TypeRange(), "a thread for each position", areFew);
    builder.setInsertionPointToStart(offer.getOfferedBlock());
    emitPositions(lines);
    builder.setInsertionPointToStart(offer.getGeneralBlock());
    emitKernel(getBounds(), [&](ValueRange at) { emitLine(at, lines); });
    builder.setInsertionPointAfter(offer);
    for (Value memory : {keys, order, sorted})
      np::ReleaseOp::create(builder, loc, memory);
    for (Value memory : values)
      np::ReleaseOp::create(builder, loc, memory);
  }

  /// Goes on where the key is that of a place: iterations that update have one.
  void enterWhereSome(Value key, Value places) {
    if (!update.branch)
      return;
    auto some = scf::IfOp::create(builder, loc, math().compare(arith::CmpIPredicate::slt, key, places),
                                  /*withElseRegion=*/false);
    builder.setInsertionPoint(some.thenYield());
  }

  /// The numbers of iterations by position, their positions, and what they update with, if that was moved.
  struct Lines {
    Value order, sorted;
    ArrayRef<Value> values;
  };

  /// What of the position the rows, or the elements, are sorted by.
  SmallVector<Value> getKey() {
    return llvm::filter_to_vector(update.store.getIndices(), [&](Value index) { return !update.isAlongRow(index); });
  }

  /// Whether the update at `at` is of another position than the one at `neighbour`, or there is none as `at` is `edge`.
  Value emitDiffers(Value sorted, Value at, Value neighbour, Value edge) {
    auto load = [&](Value position) { return memref::LoadOp::create(builder, loc, sorted, position).getResult(); };
    IndexMath m = math();
    return m.either(m.compare(arith::CmpIPredicate::eq, at, edge),
                    m.compare(arith::CmpIPredicate::ne, load(at), load(neighbour)));
  }

  /// Every position has a thread, or one for each place of its row: it is told where its updates are.
  void emitPositions(Lines lines) {
    IndexMath m = math();
    Value places = emitPlaces(), last = m.sub(count, one);
    auto make = [&]() -> Value {
      return np::AllocOp::create(builder, loc, MemRefType::get({ShapedType::kDynamic}, builder.getI64Type()), places);
    };
    Value first = make(), end = make();
    emitKernel(places, [&](ValueRange at) {
      for (Value memory : {first, end})
        memref::StoreOp::create(builder, loc, toI64(zero), memory, at);
    });
    emitKernel(count, [&](ValueRange at) {
      Value position = toIndex(memref::LoadOp::create(builder, loc, lines.sorted, at));
      enterWhereSome(position, places);
      auto store = [&](Value isHere, Value number, Value memory) {
        auto here = scf::IfOp::create(builder, loc, isHere, /*withElseRegion=*/false);
        OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPoint(here.thenYield());
        memref::StoreOp::create(builder, loc, toI64(number), memory, position);
      };
      Value next = math().add(at[0], one);
      store(emitDiffers(lines.sorted, at[0], math().max(math().sub(at[0], one), zero), zero), at[0], first);
      store(emitDiffers(lines.sorted, at[0], math().min(next, last), last), next, end);
    });
    SmallVector<Value> bounds = getBounds();
    bounds[0] = places;
    emitKernel(bounds, [&](ValueRange place) {
      Value from = toIndex(memref::LoadOp::create(builder, loc, first, place[0])),
            to = toIndex(memref::LoadOp::create(builder, loc, end, place[0]));
      auto some = scf::IfOp::create(builder, loc, math().compare(arith::CmpIPredicate::slt, from, to),
                                    /*withElseRegion=*/false);
      builder.setInsertionPoint(some.thenYield());
      emitWalk(place[0], from, to, place.drop_front(), lines);
    });
    for (Value memory : {first, end})
      np::ReleaseOp::create(builder, loc, memory);
  }

  /// From the first of equal positions on: all that belongs to it, or to it and to this place of a row.
  void emitLine(ValueRange place, Lines lines) {
    Value at = place[0], sorted = lines.sorted;
    Value isFirst = emitDiffers(sorted, at, math().max(math().sub(at, one), zero), zero);
    auto head = scf::IfOp::create(builder, loc, isFirst, /*withElseRegion=*/false);
    builder.setInsertionPoint(head.thenYield());
    Value key = memref::LoadOp::create(builder, loc, sorted, at);
    enterWhereSome(toIndex(key), emitPlaces());
    emitWalk(toIndex(key), at, emitEnd(at, key, sorted), place.drop_front(), lines);
  }

  /// The updates from one to another, all of the position with this number.
  void emitWalk(Value key, Value at, Value end, ValueRange ofRow, Lines lines) {
    SmallVector<Value> found = math().unravel(key, sizes), positions;
    IRMapping along;
    if (update.row)
      along.map(update.row.getInductionVars(), ofRow);
    for (size_t next = 0; Value index : update.store.getIndices())
      positions.push_back(update.isAlongRow(index) ? along.lookup(index) : found[next++]);
    Value memory = update.store.getMemRef(), old = memref::LoadOp::create(builder, loc, memory, positions);
    // Loads of several iterations are under way at once; what is made of them keeps its order.
    Value length = arith::SubIOp::create(builder, loc, end, at), batch = math().constant(batchSize);
    Value whole = math().add(at, math().mul(math().div(length, batch), batch));
    Value first = emitUpdates(at, whole, batchSize, old, lines, along),
          second = emitUpdates(whole, end, 1, first, lines, along);
    memref::StoreOp::create(builder, loc, second, memory, positions);
  }

  /// What becomes of `old` by the updates from one position to another, so many of them in each iteration.
  Value emitUpdates(Value from, Value to, int64_t together, Value old, Lines lines, const IRMapping &along) {
    auto emitBatch = [&](OpBuilder &, Location, Value at, ValueRange carried) {
      SmallVector<SmallVector<Value>> loaded(together);
      for (int64_t number = 0; number < together; ++number) {
        Value place = math().add(at, number);
        if (update.row) {
          IRMapping map(along);
          emitIteration(toIndex(memref::LoadOp::create(builder, loc, lines.order, place)), map,
                        update.inputs.getArrayRef());
          for (Value input : update.inputs)
            loaded[number].push_back(map.lookupOrDefault(input));
          continue;
        }
        for (auto [input, memory] : llvm::zip_equal(update.inputs, lines.values))
          loaded[number].push_back(fromMoved(memref::LoadOp::create(builder, loc, memory, place), input.getType()));
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
    auto loop = scf::ForOp::create(builder, loc, from, to, math().constant(together), old);
    if (loop.getBody()->mightHaveTerminator())
      loop.getBody()->getTerminator()->erase();
    builder.setInsertionPointToEnd(loop.getBody());
    emitBatch(builder, loc, loop.getInductionVar(), loop.getRegionIterArgs());
    return loop.getResult(0);
  }

  /// Behind the last of the equal positions that begin at `at`: by steps that double, and by halving the last one.
  Value emitEnd(Value at, Value key, Value sorted) {
    Type type = builder.getIndexType();
    IndexMath m = math();
    Value two = m.constant(2);
    auto isSame = [&](Value position) {
      return m.compare(arith::CmpIPredicate::eq, memref::LoadOp::create(builder, loc, sorted, position), key);
    };
    Value last = arith::SubIOp::create(builder, loc, count, one);
    auto doubling = scf::WhileOp::create(
        builder, loc, TypeRange{type, type}, ValueRange{at, one},
        [&](OpBuilder &, Location, ValueRange carried) {
          Value next = m.add(carried[0], carried[1]);
          Value inside = m.compare(arith::CmpIPredicate::slt, next, count);
          Value same = isSame(arith::MinSIOp::create(builder, loc, next, last));
          scf::ConditionOp::create(builder, loc, arith::AndIOp::create(builder, loc, inside, same), carried);
        },
        [&](OpBuilder &, Location, ValueRange carried) {
          scf::YieldOp::create(builder, loc, ValueRange{m.add(carried[0], carried[1]), m.mul(carried[1], two)});
        });
    Value low = doubling.getResult(0),
          high = arith::MinSIOp::create(builder, loc, m.add(low, doubling.getResult(1)), count);
    auto halving = scf::WhileOp::create(
        builder, loc, TypeRange{type, type}, ValueRange{low, high},
        [&](OpBuilder &, Location, ValueRange carried) {
          Value length = arith::SubIOp::create(builder, loc, carried[1], carried[0]);
          scf::ConditionOp::create(builder, loc, m.compare(arith::CmpIPredicate::sgt, length, one), carried);
        },
        [&](OpBuilder &, Location, ValueRange carried) {
          Value middle = arith::DivUIOp::create(builder, loc, m.add(carried[0], carried[1]), two),
                same = isSame(middle);
          scf::YieldOp::create(builder, loc,
                               ValueRange{arith::SelectOp::create(builder, loc, same, middle, carried[0]),
                                          arith::SelectOp::create(builder, loc, same, carried[1], middle)});
        });
    return halving.getResult(1);
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

  SmallVector<Value> sizes; // of what the rows, or the elements, are sorted by
};

struct GroupUpdates : impl::GroupUpdatesBase<GroupUpdates> {
  void runOnOperation() override {
    if (getOperation()->hasAttr("np.thread")) // it runs on the device as it is
      return;
    bool general = getOperation()->hasAttr("np.general");
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (!loop->getParentOfType<np::KernelOp>() && isGivenByMemory(loop))
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops)
      hoistFromRow(loop, general);
    loops.clear();
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
    return loop
        .walk([&](memref::StoreOp store) {
          bool isGiven =
              llvm::any_of(store.getIndices(), [&](Value index) { return isPositionGivenByMemory(loop, index); });
          return isGiven ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }
};

} // namespace
} // namespace npcc
