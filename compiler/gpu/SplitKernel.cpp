#include "compiler/gpu/SplitKernel.h"
#include "compiler/gpu/emit/BodyEmitter.h"
#include "compiler/gpu/emit/Emitters.h"
#include "dialects/Np/ElementBytes.h"
#include "dialects/Np/Memory.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
namespace npcc::cuda {

static constexpr int64_t leastRoundsOfLong = 4; // of a long column's part
/// Where there are more parts of rows than run at once, they come in waves: the most waves, and the elements that a
/// part has then. It has fewer of them where the code of an element has more than `shortCode` instructions, which need
/// so many registers that a multiprocessor has room for few blocks.
static constexpr int64_t mostWaves = 8, elementsOfWaves = 16384, elementsOfLongCode = 4096, shortCode = 32;
static constexpr int64_t mostThreadsMore = 4; // times as many where elements are so small that loads bring little

SplitKernel::SplitKernel(np::KernelOp kernel, KernelAccesses &accesses, bool isColumns)
    : kernel(kernel), host(kernel, accesses), builder(kernel), loc(kernel.getLoc()), isColumns(isColumns),
      tuning(getTargetProperties(kernel).tuning) {}

bool SplitKernel::canSplit(np::KernelOp kernel, KernelAccesses &accesses) {
  llvm::SmallDenseSet<Value> written;
  for (Operation *op : accesses.getOps())
    if (accesses.lookup(op).isStore)
      written.insert(accesses.lookup(op).stream->memref);
  bool hasStored = false, hasReduction = false;
  for (Operation &op : kernel.getBody()->without_terminator()) {
    if (auto loop = dyn_cast<scf::ParallelOp>(op)) {
      if (!llvm::all_of(loop.getUpperBound(), [&](Value bound) { return isInvariant(bound, kernel); }))
        return false;
      bool isNested = loop.getBody()->walk([](scf::ParallelOp) { return WalkResult::interrupt(); }).wasInterrupted();
      if (isNested || (loop.getNumResults() > 0 && hasStored))
        return false;
      hasReduction |= loop.getNumResults() > 0;
    } else {
      if (op.walk([](scf::ParallelOp) { return WalkResult::interrupt(); }).wasInterrupted())
        return false;
      bool reads = op.walk([&](memref::LoadOp load) {
                       return written.contains(load.getMemref()) ? WalkResult::interrupt() : WalkResult::advance();
                     }).wasInterrupted();
      if (reads)
        return false;
      hasStored |= cuda::mayWrite(&op);
    }
  }
  return hasReduction;
}

Value SplitKernel::emitLongest() {
  IndexMath m = math();
  Value longest;
  for (auto loop : kernel.getBody()->getOps<scf::ParallelOp>()) {
    Value length = m.product(loop.getUpperBound());
    longest = longest ? m.max(longest, length) : length;
  }
  return longest;
}

void SplitKernel::split() {
  scf::ParallelOp lastReduction;
  for (auto loop : kernel.getBody()->getOps<scf::ParallelOp>())
    if (loop.getNumResults() > 0)
      lastReduction = loop;
  for (Operation &op : kernel.getBody()->without_terminator()) {
    auto loop = dyn_cast<scf::ParallelOp>(op);
    if (!loop)
      continue;
    if (loop.getNumResults() == 0)
      emitWalk(loop);
    else
      emitReduction(loop, loop == lastReduction);
  }
  for (Value buffer : buffers)
    np::ReleaseOp::create(builder, loc, buffer);
}

np::KernelOp SplitKernel::beginKernel(ArrayRef<Value> extents) {
  auto made = np::KernelOp::create(builder, loc, extents);
  made.setCut(np::Cut::never);
  builder.setInsertionPointToStart(made.getBody());
  return made;
}

/// What the operations in `needed` use of the outer code, in order, without what writes; results of inner loops come
/// from memory.
void SplitKernel::cloneOuterCode(ArrayRef<Value> needed, IRMapping &mapping, ValueRange positions) {
  llvm::SetVector<Operation *> slice;
  SmallVector<Value> work(needed);
  while (!work.empty()) {
    Value value = work.pop_back_val();
    Operation *maker = value.getDefiningOp();
    if (!maker || mapping.contains(value) || isInvariant(value, kernel))
      continue;
    while (maker->getBlock() != kernel.getBody())
      maker = maker->getParentOp();
    if (auto loop = dyn_cast<scf::ParallelOp>(maker)) {
      unsigned number = cast<OpResult>(value).getResultNumber();
      Value memory = finished.at(loop)[number];
      Value loaded = memref::LoadOp::create(builder, loc, memory, positions);
      mapping.map(value, fromMemory(loaded, value.getType()));
    } else if (slice.insert(maker)) {
      maker->walk([&](Operation *inside) { llvm::append_range(work, inside->getOperands()); });
    }
  }
  for (Operation &op : kernel.getBody()->without_terminator())
    if (slice.contains(&op))
      builder.clone(op, mapping);
}

static SmallVector<Value> getUsed(Operation *op) {
  SmallVector<Value> used;
  op->walk([&](Operation *inside) {
    for (Value value : inside->getOperands())
      if (!op->isAncestor(value.getParentRegion()->getParentOp()))
        used.push_back(value);
  });
  return used;
}

static Type getMemoryType(Type type) { return type.isInteger(1) ? IntegerType::get(type.getContext(), 8) : type; }

Value SplitKernel::toMemory(Value value) {
  return value.getType().isInteger(1) ? arith::ExtUIOp::create(builder, loc, builder.getI8Type(), value).getResult()
                                      : value;
}

Value SplitKernel::fromMemory(Value value, Type type) {
  return value.getType() == type ? value : arith::TruncIOp::create(builder, loc, type, value).getResult();
}

Value SplitKernel::allocate(Type element, ValueRange extents) {
  auto type = MemRefType::get(SmallVector<int64_t>(extents.size(), ShapedType::kDynamic), getMemoryType(element));
  buffers.push_back(np::AllocOp::create(builder, loc, type, extents));
  return buffers.back();
}

void SplitKernel::emitWalk(scf::ParallelOp loop) {
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Value> extents(kernel.getExtents());
  llvm::append_range(extents, loop.getUpperBound());
  auto made = beginKernel(extents);
  unsigned outerRank = kernel.getNumLoops();
  IRMapping mapping;
  SmallVector<Value> all(made.getInductionVars());
  ValueRange positions = ValueRange(all).take_front(outerRank);
  mapping.map(kernel.getInductionVars(), positions);
  mapping.map(loop.getInductionVars(), ValueRange(all).drop_front(outerRank));
  cloneOuterCode(getUsed(loop), mapping, positions);
  for (Operation &op : loop.getBody()->without_terminator())
    builder.clone(op, mapping);
}

/// Of all loads of an iteration.
static int64_t getLoadedBytes(scf::ParallelOp loop) {
  int64_t bytes = 0;
  loop.getBody()->walk([&](memref::LoadOp load) { bytes += getElementBytes(load.getMemRefType().getElementType()); });
  return bytes;
}

SplitKernel::Parts SplitKernel::getColumnParts(scf::ParallelOp loop, Value last) {
  IndexMath m = math();
  Value columns = m.product(kernel.getExtents()), one = m.constant(1);
  // A block goes down few columns with several threads each.
  auto joins = cuda::emitJoins(host, kernel.getInductionVars(), kernel.getExtents());
  Value neighbouring = cuda::joinExtents(m, joins, kernel.getExtents()).back();
  int64_t bytes = 1;
  for (Type type : loop.getResultTypes())
    bytes = std::max<int64_t>(bytes, getElementBytes(type));
  int64_t most = std::clamp<int64_t>(16 / bytes, 1, cuda::mostColumnsOfThread);
  Value width = m.select(cuda::areColumnsInVectors(m, neighbouring, most), m.constant(most), one);
  auto [grid, side, members] = cuda::getColumnBlocks(m, m.max(m.ceilDiv(neighbouring, width), one));
  Value threads = m.max(columns, m.div(m.mul(columns, members), width));
  Value wanted = m.div(m.constant(tuning.columnThreads), m.max(threads, one));
  // Whole rounds for the threads of a column: what is left of a round takes as long as all of it.
  Value round = m.mul(members, cuda::roundOfColumn);
  // Parts of many rounds wait for memory alone, and half as many threads ask for as much of it, if each asks for
  // enough. All of them are at work from the beginning then, also where a thread needs so many registers that a
  // multiprocessor holds half of them: the last ones would run alone.
  Value areLong = m.compare(arith::CmpIPredicate::sge, last, m.mul(wanted, m.mul(round, leastRoundsOfLong)));
  int64_t underWay = most * getLoadedBytes(loop) * cuda::roundOfColumn;
  int64_t more = std::clamp<int64_t>(tuning.bytesUnderWay / std::max<int64_t>(underWay, 1), 1, mostThreadsMore);
  Value ofVectors = m.mul(m.div(columns, width), m.max(members, m.constant(2)));
  Value half = m.div(m.constant(more * tuning.columnThreads / 2), m.max(ofVectors, one));
  wanted = m.select(areLong, half, wanted);
  Value parts = m.max(one, m.min(m.min(wanted, m.constant(tuning.mostParts)), m.div(last, m.constant(32))));
  Value length = m.max(m.ceilDiv(last, parts), one);
  Value isLong = m.compare(arith::CmpIPredicate::sgt, m.mul(length, 2), round);
  length = m.select(isLong, m.mul(m.ceilDiv(length, round), round), length);
  return {m.max(m.ceilDiv(last, length), one), length};
}

/// The most blocks, all rows together. Where there is more than a device's threads have at once, blocks come in waves:
/// if a multiprocessor has no room for as many as were counted on (for the registers that they need), one wave and a
/// part of another would take as long as two.
Value SplitKernel::countBlocks(scf::ParallelOp loop, Value elements) {
  IndexMath m = math();
  int64_t elementsOfPart = countOps(*loop.getBody()) > shortCode ? elementsOfLongCode : elementsOfWaves;
  Value inWaves = m.min(m.div(elements, m.constant(elementsOfPart)), m.constant(mostWaves * tuning.mostParts));
  return m.max(m.constant(tuning.mostParts), inWaves);
}

void SplitKernel::emitReduction(scf::ParallelOp loop, bool isLast) {
  IndexMath m = math();
  // Parts of the whole loop: axes that are one run in memory are one axis.
  SmallVector<Value> extents =
      cuda::joinExtents(m, cuda::emitJoins(host, loop.getInductionVars(), loop.getUpperBound()), loop.getUpperBound());
  Value last = extents.back(), one = m.constant(1), zero = m.constant(0);
  SmallVector<Parts> parts(extents.size());
  if (isColumns) {
    parts.back() = getColumnParts(loop, last);
  } else {
    Value teams = m.product(kernel.getExtents());
    Value most = m.max(one, m.div(countBlocks(loop, m.mul(teams, m.product(extents))), m.max(one, teams)));
    // The first axes are cut as long as there are not parts enough. Which of them are joined to the next one, and so of
    // extent 1, is known at run time only.
    for (auto [extent, part] : llvm::zip(ArrayRef(extents).drop_back(), parts)) {
      if (getConstantIntValue(extent) == 1)
        continue;
      part.length = m.max(one, m.ceilDiv(extent, most));
      part.count = m.max(one, m.ceilDiv(extent, part.length));
      most = m.max(one, m.div(most, part.count));
    }
    // Whole vectors for whole blocks: as many parts as may be, none of them too short.
    const int64_t round = 1024; // elements of a block's threads, in vectors
    Value least = m.constant(llvm::divideCeil(tuning.leastPart, round));
    Parts &ofLast = parts.back();
    ofLast.length = m.mul(m.max(m.ceilDiv(last, m.mul(most, round)), least), round);
    ofLast.count = m.ceilDiv(last, ofLast.length);
    if (!isLong)
      ofLast.count = m.max(one, ofLast.count);
    if (llvm::any_of(ArrayRef(parts).drop_back(), [](Parts part) { return bool(part.count); })) // rows may be shorter
      ofLast.length = m.min(ofLast.length, last);
  }
  Value allParts = parts.back().count;
  for (Parts part : llvm::reverse(ArrayRef(parts).drop_back()))
    allParts = part.count ? m.mul(part.count, allParts) : allParts;
  SmallVector<Value> partialExtents(kernel.getExtents());
  partialExtents.push_back(allParts);
  SmallVector<Value> partials;
  for (Type type : loop.getResultTypes())
    partials.push_back(allocate(type, partialExtents));
  emitPartials(loop, extents, parts, partials);

  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Value> results;
  if (!isLast || hasUseAfter(loop))
    for (Type type : loop.getResultTypes())
      results.push_back(allocate(type, kernel.getExtents()));
  finished[loop] = results;
  auto made = beginKernel(SmallVector<Value>(kernel.getExtents()));
  SmallVector<Value> positions(made.getInductionVars());
  IRMapping mapping;
  mapping.map(kernel.getInductionVars(), positions);
  cloneOuterCode(SmallVector<Value>(loop.getInitVals()), mapping, positions);
  SmallVector<Value> inits;
  for (Value init : loop.getInitVals())
    inits.push_back(mapping.lookupOrDefault(init));
  auto combine = scf::ParallelOp::create(builder, loc, ValueRange{zero}, ValueRange{allParts}, ValueRange{one}, inits);
  {
    OpBuilder::InsertionGuard inner(builder);
    builder.setInsertionPointToStart(combine.getBody());
    SmallVector<Value> indices(positions), values;
    indices.push_back(combine.getInductionVars()[0]);
    for (auto [partial, type] : llvm::zip_equal(partials, loop.getResultTypes()))
      values.push_back(fromMemory(memref::LoadOp::create(builder, loc, partial, indices), type));
    cloneReduce(loop, values);
  }
  for (auto [memory, result] : llvm::zip(results, combine.getResults()))
    memref::StoreOp::create(builder, loc, toMemory(result), memory, positions);
  mapping.map(loop.getResults(), combine.getResults());
  if (!isLast)
    return;
  // What writes, after the last reduction.
  for (Operation &op : kernel.getBody()->without_terminator())
    if (!isa<scf::ParallelOp>(op) && cuda::mayWrite(&op)) {
      cloneOuterCode(getUsed(&op), mapping, positions);
      builder.clone(op, mapping);
    }
}

bool SplitKernel::hasUseAfter(scf::ParallelOp loop) {
  // By a walk; what the outer code computes from the last reduction is computed in its own kernel.
  for (auto other : kernel.getBody()->getOps<scf::ParallelOp>())
    if (loop->isBeforeInBlock(other))
      return true;
  return false;
}

void SplitKernel::cloneReduce(scf::ParallelOp loop, ValueRange values) {
  Block *block = builder.getInsertionBlock();
  if (block->mightHaveTerminator())
    block->getTerminator()->erase();
  builder.setInsertionPointToEnd(block);
  auto original = cast<scf::ReduceOp>(loop.getBody()->getTerminator());
  auto reduce = scf::ReduceOp::create(builder, loc, values);
  for (auto [to, from] : llvm::zip_equal(reduce.getReductions(), original.getReductions())) {
    IRMapping inner;
    to.getBlocks().clear();
    from.cloneInto(&to, inner);
  }
}

void SplitKernel::emitPartials(scf::ParallelOp loop, ArrayRef<Value> extents, ArrayRef<Parts> parts,
                               ArrayRef<Value> partials) {
  OpBuilder::InsertionGuard guard(builder);
  // Parts of columns come before the columns (grid y), parts of the one row after what is 1.
  SmallVector<Value> outer;
  unsigned rank = kernel.getNumLoops();
  if (!isColumns)
    llvm::append_range(outer, kernel.getExtents());
  for (Parts part : parts)
    if (part.count)
      outer.push_back(part.count);
  if (isColumns)
    llvm::append_range(outer, kernel.getExtents());
  auto made = beginKernel(outer);
  if (!isColumns) // whatever the positions look like, in a part of a row they lie as in the row
    made.setKind(np::KernelKind::rows);
  IndexMath m = math();
  SmallVector<Value> positions(made.getInductionVars());
  unsigned numCut = positions.size() - rank;
  ValueRange columns = ValueRange(positions).slice(isColumns ? numCut : 0, rank);
  ValueRange cutPositions = ValueRange(positions).slice(isColumns ? 0 : rank, numCut);
  Value zero = m.constant(0), one = m.constant(1), number; // number: of the part, among all
  IRMapping mapping;
  mapping.map(kernel.getInductionVars(), columns);
  cloneOuterCode(getUsed(loop), mapping, columns);
  SmallVector<Value> bounds(extents), starts(extents.size(), zero);
  for (auto [part, start, bound] : llvm::zip_equal(parts, starts, bounds)) {
    if (!part.count)
      continue;
    Value position = cutPositions.front();
    cutPositions = cutPositions.drop_front();
    start = m.mul(position, part.length);
    bound = m.min(part.length, m.sub(bound, start));
    number = number ? m.add(m.mul(number, part.count), position) : position;
  }
  SmallVector<Value> inits;
  for (Value init : loop.getInitVals())
    inits.push_back(mapping.lookupOrDefault(init));
  SmallVector<Value> zeros(bounds.size(), zero), ones(bounds.size(), one);
  auto cut = scf::ParallelOp::create(builder, loc, zeros, bounds, ones, inits);
  {
    OpBuilder::InsertionGuard inner(builder);
    builder.setInsertionPointToStart(cut.getBody());
    for (auto [axis, position] : llvm::enumerate(cut.getInductionVars()))
      mapping.map(loop.getInductionVars()[axis], m.add(starts[axis], position));
    auto original = cast<scf::ReduceOp>(loop.getBody()->getTerminator());
    for (Operation &op : loop.getBody()->without_terminator())
      builder.clone(op, mapping);
    SmallVector<Value> values;
    for (Value value : original.getOperands())
      values.push_back(mapping.lookupOrDefault(value));
    cloneReduce(loop, values);
  }
  SmallVector<Value> indices(columns);
  indices.push_back(number);
  for (auto [partial, result] : llvm::zip_equal(partials, cut.getResults()))
    memref::StoreOp::create(builder, loc, toMemory(result), partial, indices);
}

} // namespace npcc::cuda
