// Kernels with one reduction across the contiguous axis: sum(a, axis=0).
//
//   block (bx, by, bz), bx as wide as the columns need, bx * by * bz up to 256
//   thread (x, y, z): V neighbouring columns of an iteration z of the outer axes
//   inner loop: thread y takes every by-th iteration, U at a time; what the threads of a column have is combined in
//     shared memory
//   outer code: before the loop in every thread, after it in the threads of y = 0, which alone store there
//
// Few columns of few terms, but many of them (the middle axis of a large stack), would leave most threads of a block
// without work: it takes several iterations of the outer axes then (bz).
//
// A tall array needs more blocks than its columns make: npcc-split-launches cuts the loop into parts first, with an
// axis of the kernel (grid y) for them.
#include "compiler/gpu/emit/BodyEmitter.h"
#include "compiler/gpu/emit/Emitters.h"
#include "compiler/target/Target.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
namespace npcc::cuda {
namespace {

constexpr int64_t fewTermsOfColumn = 16; // that one thread adds up without company
// Outer iterations of one thread, what they all may cost, and the bytes of shared memory for their sums.
constexpr int64_t mostOuterLanes = 4, mostWorkOfLanes = 192, mostSharedOfColumns = 32768;
constexpr int64_t fewMembersOfColumn = 8; // whose sums one thread adds up in less time than barriers take

class ColumnsEmitter : public BodyEmitter {
public:
  using BodyEmitter::BodyEmitter;
  gpu::LaunchOp launch;
  Value member, size, teamColumn, teams; // y, by, x, bx
  Value owner;                           // whether this thread's columns are no repetition of the last ones
  Value shelf;                           // where the row of this thread begins in shared memory: z * by * bx
  Value isShared;                        // by > 1
  Value half;                            // of the least power of two that is at least by
  SmallVector<Value> joins;

protected:
  void emitParallel(scf::ParallelOp op, Lanes lanes) override {
    if (op->getParentOfType<gpu::LaunchOp>() || op->getParentOfType<scf::ParallelOp>())
      return BodyEmitter::emitParallel(op, lanes);
    IndexMath m = math();
    SmallVector<Value> accumulators;
    for (Lane &lane : lanes)
      for (Value init : op.getInitVals())
        accumulators.push_back(lane.values.lookupOrDefault(init));
    SmallVector<Value> extents;
    for (Value bound : op.getUpperBound())
      extents.push_back(lanes.front().values.lookupOrDefault(bound));
    extents = joinExtents(m, joins, extents);
    {
      llvm::SaveAndRestore<Value> all(leader, owner); // every thread stores at positions of its own
      emitAxis(op, lanes, extents, 0, accumulators);
    }
    SmallVector<Value> results = emitColumnReduce(op, accumulators);
    unsigned count = op.getNumResults();
    for (auto [number, lane] : llvm::enumerate(lanes))
      lane.values.map(op.getResults(), ArrayRef<Value>(results).slice(number * count, count));
  }

private:
  void emitAxis(scf::ParallelOp op, Lanes lanes, ArrayRef<Value> extents, unsigned axis,
                SmallVector<Value> &accumulators) {
    IndexMath m = math();
    bool isLast = axis + 1 == op.getNumLoops();
    auto emitRounds = [&](Value from, Value to, Value step, int64_t unroll, Value distance) {
      emitLoop(from, to, step, accumulators, [&](Value position, SmallVector<Value> &inside) {
        SmallVector<Lane> copies;
        for (int64_t copy = 0; copy < unroll; ++copy, position = m.add(position, distance))
          for (Lane &lane : lanes) {
            copies.push_back(lane);
            setPosition(copies.back(), op.getInductionVars()[axis], position, 0);
          }
        if (isLast)
          emitIterations(op, copies, inside);
        else
          emitAxis(op, copies, extents, axis + 1, inside);
      });
    };
    Value zero = m.constant(0), one = m.constant(1), extent = extents[axis];
    if (!isLast)
      return emitRounds(zero, extent, one, 1, one);
    // What is left of the rounds is gone through in halves of a round, so that its loads are under way together, too.
    Value start = zero;
    for (int64_t unroll = chooseUnroll(*op.getBody(), lanes.size(), roundOfColumn); unroll > 1; unroll /= 2) {
      Value stride = m.mul(size, unroll), end = m.mul(m.div(extent, stride), stride);
      emitRounds(m.add(start, member), end, stride, unroll, size);
      start = end;
    }
    emitRounds(m.add(start, member), extent, size, 1, size);
  }

  /// What this thread has, and what another one of its column left in shared memory.
  SmallVector<Value> emitCombineWith(scf::ReduceOp reduce, ArrayRef<Value> memories, ValueRange values, Value other) {
    IndexMath m = math();
    Value place = m.add(shelf, m.add(m.mul(other, teams), teamColumn));
    SmallVector<Value> results;
    for (auto [number, memory] : llvm::enumerate(memories)) {
      Value theirs = memref::LoadOp::create(builder, loc, memory, place);
      Region &combiner = reduce.getReductions()[number % reduce.getReductions().size()];
      results.push_back(BodyEmitter::emitCombine(combiner, values[number], theirs));
    }
    return results;
  }

  /// Brings the sums of a column's upper half of threads to its lower half, until few are left: what this thread has
  /// then.
  SmallVector<Value> emitHalves(scf::ReduceOp reduce, ArrayRef<Value> memories, ArrayRef<Value> values, Value own) {
    IndexMath m = math();
    SmallVector<Value> carried{half};
    llvm::append_range(carried, values);
    auto halves = scf::WhileOp::create(
        builder, loc, ValueRange(carried).getTypes(), carried,
        [&](OpBuilder &, Location, ValueRange arguments) {
          Value goesOn = m.compare(arith::CmpIPredicate::sge, arguments[0], m.constant(fewMembersOfColumn));
          scf::ConditionOp::create(builder, loc, goesOn, arguments);
        },
        [&](OpBuilder &, Location, ValueRange arguments) {
          Value other = m.add(member, arguments[0]);
          Value hasOther = m.both(m.compare(arith::CmpIPredicate::slt, member, arguments[0]),
                                  m.compare(arith::CmpIPredicate::slt, other, size));
          ValueRange mine = arguments.drop_front();
          auto combined = scf::IfOp::create(builder, loc, mine.getTypes(), hasOther, true, true);
          {
            OpBuilder::InsertionGuard inner(builder);
            builder.setInsertionPointToStart(combined.elseBlock());
            scf::YieldOp::create(builder, loc, mine);
            builder.setInsertionPointToStart(combined.thenBlock());
            SmallVector<Value> sums = emitCombineWith(reduce, memories, mine, other);
            for (auto [memory, sum] : llvm::zip_equal(memories, sums))
              memref::StoreOp::create(builder, loc, sum, memory, own);
            scf::YieldOp::create(builder, loc, sums);
          }
          gpu::BarrierOp::create(builder, loc);
          SmallVector<Value> next{m.div(arguments[0], m.constant(2))};
          llvm::append_range(next, combined.getResults());
          scf::YieldOp::create(builder, loc, next);
        });
    return SmallVector<Value>(halves.getResults().drop_front());
  }

  /// Over the threads of a column; all of them get the result.
  SmallVector<Value> emitColumnReduce(scf::ParallelOp op, ArrayRef<Value> values) {
    IndexMath m = math();
    auto reduce = cast<scf::ReduceOp>(op.getBody()->getTerminator());
    Value mine = m.add(shelf, teamColumn);
    auto choice = scf::IfOp::create(builder, loc, ValueRange(values).getTypes(), isShared, true, true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(choice.elseBlock());
    scf::YieldOp::create(builder, loc, values);
    builder.setInsertionPointToStart(choice.thenBlock());
    auto space = gpu::AddressSpaceAttr::get(builder.getContext(), gpu::AddressSpace::Workgroup);
    Value own = m.add(shelf, m.add(m.mul(member, teams), teamColumn));
    SmallVector<Value> memories;
    for (Value value : values) {
      auto type = MemRefType::get({threadsPerBlock}, value.getType(), MemRefLayoutAttrInterface(), space);
      memories.push_back(launch.addWorkgroupAttribution(type, loc));
      memref::StoreOp::create(builder, loc, value, memories.back(), own);
    }
    gpu::BarrierOp::create(builder, loc);
    SmallVector<Value> sums = emitHalves(reduce, memories, values, own);
    // What is left of a column, one after the other.
    Value isFirst = m.compare(arith::CmpIPredicate::eq, member, m.constant(0));
    auto first = scf::IfOp::create(builder, loc, isFirst, /*withElseRegion=*/false);
    {
      OpBuilder::InsertionGuard inner(builder);
      builder.setInsertionPointToStart(first.thenBlock());
      auto loop =
          scf::ForOp::create(builder, loc, m.constant(1), m.min(size, m.constant(fewMembersOfColumn)), m.constant(1),
                             sums, [&](OpBuilder &, Location, Value other, ValueRange carried) {
                               scf::YieldOp::create(builder, loc, emitCombineWith(reduce, memories, carried, other));
                             });
      for (auto [memory, result] : llvm::zip_equal(memories, loop.getResults()))
        memref::StoreOp::create(builder, loc, result, memory, m.add(shelf, teamColumn));
    }
    gpu::BarrierOp::create(builder, loc);
    SmallVector<Value> results;
    for (Value memory : memories)
      results.push_back(memref::LoadOp::create(builder, loc, memory, mine));
    scf::YieldOp::create(builder, loc, results);
    return SmallVector<Value>(choice.getResults());
  }
};

/// How many threads go down a column together: as many as keep the device busy, and no fewer than have a few terms
/// each.
Value getMembersOfColumn(HostSide &host, Value columns, Value terms) {
  IndexMath h = host.math();
  const Tuning &tuning = getTargetProperties(host.getKernel()).tuning;
  Value one = h.constant(1), busy = h.ceilDiv(h.constant(tuning.columnThreads), h.max(columns, one));
  Value members = h.max(busy, h.ceilDiv(terms, h.constant(fewTermsOfColumn)));
  return h.max(h.min(members, terms), one);
}

/// How many iterations of the outer axis beside the columns a thread has: several where they load the same elements
/// along the loop (a product, whose rows all meet the same columns), which it loads once then.
int64_t chooseOuterLanes(HostSide &host, KernelAccesses &accesses, np::KernelOp kernel, scf::ParallelOp inner,
                         ArrayRef<Value> extents, int64_t width) {
  if (extents.size() < 2)
    return 1;
  Value position = kernel.getInductionVars().drop_back().back(), column = kernel.getInductionVars().back();
  bool isShared = llvm::any_of(accesses.getOps(), [&](Operation *op) {
    const KernelAccess &access = accesses.lookup(op);
    return inner->isAncestor(op) && !access.isStore && access.stream->uses(inner.getInductionVars().back()) &&
           access.stream->uses(column) && !access.stream->uses(position);
  });
  int64_t bytes = 0;
  for (Type type : inner.getResultTypes())
    bytes += ElementLayout(type).bytes;
  IndexMath h = host.math();
  for (int64_t lanes = mostOuterLanes; isShared && lanes > 1; lanes /= 2) {
    if (lanes * width * countOps(*inner.getBody()) > mostWorkOfLanes ||
        lanes * width * bytes * threadsPerBlock > mostSharedOfColumns)
      continue;
    Value rest = h.rem(extents[extents.size() - 2], h.constant(lanes));
    if (host.holdsInFirstCall("outer iterations together", h.compare(arith::CmpIPredicate::eq, rest, h.constant(0))))
      return lanes;
  }
  return 1;
}

} // namespace

Value areColumnsInVectors(IndexMath h, Value columns, int64_t width) {
  Value areWhole = h.compare(arith::CmpIPredicate::eq, h.rem(columns, h.constant(width)), h.constant(0));
  return h.either(areWhole, h.compare(arith::CmpIPredicate::sge, columns, h.constant(32 * width)));
}

ColumnBlocks getColumnBlocks(IndexMath h, Value vectors) {
  Value grid = h.ceilDiv(vectors, h.constant(threadsPerBlock)), side = h.ceilDiv(vectors, grid);
  return {grid, side, h.div(h.constant(threadsPerBlock), side)};
}

void emitColumns(np::KernelOp kernel, KernelAccesses &accesses) {
  Location loc = kernel.getLoc();
  HostSide host(kernel, accesses);
  OpBuilder builder(kernel);
  ColumnsEmitter body(host, builder, loc);
  IndexMath h = host.math();
  int64_t rank = kernel.getNumLoops();
  auto inner = *kernel.getBody()->getOps<scf::ParallelOp>().begin();
  Value column = kernel.getInductionVars().back();
  int64_t most = mostColumnsOfThread;
  while (most > 1 && most * countOps(*kernel.getBody()) > 128)
    most /= 2;
  VectorMode mode = chooseVector(accesses, kernel, column, most);
  // Results are few: the loads of the loop say where vectors begin.
  VectorMode loads = chooseVector(accesses, inner, column, most);
  if (loads.position) {
    mode.frame = loads.frame;
    mode.width = loads.width;
  }
  if (mode.width == 1)
    mode = VectorMode();

  SmallVector<Value> extents =
      joinExtents(h, emitJoins(host, kernel.getInductionVars(), kernel.getExtents()), kernel.getExtents());
  body.joins = emitJoins(host, inner.getInductionVars(), inner.getUpperBound());
  Value aligned = h.truth(false);
  if (mode.position)
    aligned = emitAlignmentTest(host, mode, Value(), [&](Value leaf) -> Value {
      for (auto [position, extent] : llvm::zip_equal(kernel.getInductionVars(), extents))
        if (position == leaf)
          return extent;
      return Value();
    });
  aligned = host.choose("vectors", aligned);
  int64_t outerLanes = chooseOuterLanes(host, accesses, kernel, inner, extents, mode.width);
  if (outerLanes > 1)
    extents[rank - 2] = h.div(extents[rank - 2], h.constant(outerLanes));
  Value columns = extents.back(), one = h.constant(1), width = h.constant(mode.width);
  if (mode.position) {
    Value areVectors = host.choose("columns in vectors", areColumnsInVectors(h, columns, mode.width));
    width = h.select(areVectors, width, one);
    aligned = h.both(aligned, areVectors);
  }
  Value vectors = h.max(h.ceilDiv(columns, width), one);
  auto [gridX, blockX, blockY] = getColumnBlocks(h, vectors);
  Value blockZ = one;
  Value outer = one;
  for (int64_t axis = 0; axis + 1 < rank; ++axis)
    outer = h.mul(outer, extents[axis]);
  Value terms = inner.getUpperBound().back();
  if (rank > 1 && isInvariant(terms, kernel)) {
    Value members = getMembersOfColumn(host, h.mul(outer, vectors), terms);
    blockY = h.min(blockY, members);
    blockZ = h.max(h.min(h.div(h.constant(threadsPerBlock), h.mul(blockX, blockY)), outer), one);
    blockZ = h.min(blockZ, h.constant(maxBlockDepth));
  }
  Value gridY = h.min(h.ceilDiv(outer, blockZ), h.constant(maxGridRows));
  // Without columns there is no last one whose work other threads could repeat: no blocks, and no launch.
  gridX = h.min(gridX, columns);
  auto launch = beginLaunch(host, builder, {gridX, gridY, one}, {blockX, blockY, blockZ}, "columns");
  IndexMath m = body.math();
  gpu::KernelDim3 thread = launch.getThreadIds(), block = launch.getBlockIds(), grid = launch.getGridSize();
  body.launch = launch;
  body.member = thread.y;
  body.size = blockY;
  body.teamColumn = thread.x;
  body.teams = blockX;
  body.shelf = m.mul(thread.z, m.mul(blockY, blockX));
  body.half = h.div(h.powerOfTwo(blockY, 1, threadsPerBlock), h.constant(2));
  body.isShared = host.choose("several threads for a column", h.compare(arith::CmpIPredicate::sgt, blockY, one));
  Value zero = m.constant(0);
  Value isFirst = m.compare(arith::CmpIPredicate::eq, thread.y, zero);

  // Every thread of a block comes to every barrier: the loop over the outer axes and the columns beyond the last are
  // the same for all.
  Value shelves = h.ceilDiv(outer, blockZ);
  auto rows = scf::ForOp::create(builder, loc, block.y, shelves, grid.y);
  builder.setInsertionPointToStart(rows.getBody());
  Value row = m.add(m.mul(rows.getInductionVar(), blockZ), thread.z);
  Value isOwnRow = m.compare(arith::CmpIPredicate::slt, row, outer);
  row = m.min(row, m.sub(outer, 1));
  SmallVector<Value> positions = m.unravel(row, ArrayRef(extents).take_front(rank - 1));
  Value tile = m.mul(block.x, m.mul(blockX, width));
  auto emitLanes = [&](Value first, int64_t count, bool isAligned, Value isInside) {
    SmallVector<Lane> lanes(count * outerLanes);
    Value firstOuter = outerLanes > 1 ? m.mul(positions.back(), outerLanes) : Value();
    for (auto [number, lane] : llvm::enumerate(lanes)) {
      for (auto [axis, position] : llvm::enumerate(positions))
        body.setPosition(lane, kernel.getInductionVars()[axis], position, 0);
      if (outerLanes > 1)
        body.setPosition(lane, kernel.getInductionVars()[rank - 2], firstOuter, number / count);
      body.setPosition(lane, column, first, number % count);
    }
    body.vector = mode;
    body.vector.aligned = isAligned;
    body.owner = m.both(isOwnRow, isInside);
    body.leader = m.both(isFirst, body.owner);
    body.forget();
    body.emitBlock(*kernel.getBody(), lanes);
  };
  // A block is of one kind: whole vectors for all threads, or one column after the other for all. Threads beyond the
  // last column compute what the last vector or column has, too.
  if (mode.position) {
    Value end = m.add(tile, m.mul(blockX, mode.width));
    Value areWhole = m.compare(arith::CmpIPredicate::eq, m.rem(columns, width), zero);
    areWhole = m.either(areWhole, m.compare(arith::CmpIPredicate::sle, end, columns));
    auto whole = scf::IfOp::create(builder, loc, m.both(aligned, areWhole), /*withElseRegion=*/true);
    builder.setInsertionPointToStart(whole.thenBlock());
    Value mine = m.add(tile, m.mul(thread.x, mode.width));
    Value isInside = m.compare(arith::CmpIPredicate::slt, mine, columns);
    emitLanes(m.min(mine, m.sub(columns, mode.width)), mode.width, true, isInside);
    gpu::BarrierOp::create(builder, loc); // before the shared memory is used again
    builder.setInsertionPointToStart(whole.elseBlock());
  }
  if (mode.width > 1) {
    auto loop = scf::ForOp::create(builder, loc, zero, width, m.constant(1));
    builder.setInsertionPointToStart(loop.getBody());
    tile = m.add(tile, m.mul(loop.getInductionVar(), blockX));
  }
  Value mine = m.add(tile, thread.x);
  Value isInside = m.compare(arith::CmpIPredicate::slt, mine, columns);
  emitLanes(m.min(mine, m.sub(columns, 1)), 1, false, isInside);
  gpu::BarrierOp::create(builder, loc);
}

} // namespace npcc::cuda
