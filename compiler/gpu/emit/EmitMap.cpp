// Kernels in which each thread computes iterations of its own: R rows of V neighbours.
//
//   block (bx, by, bz) of 256 threads: bx as wide as the last axis needs, of the others by as many as rows need, so
//   that small matrices of a stack share a block
//   thread (x, y): columns [c, c + V), V elements of 16 bytes or less; rows [r, r + R), R > 1 where rows share loads
//
// Where a first call has fewer elements than the device has threads, V and R are 1: nothing of the other code would
// run. Vectors of narrow elements are not longer than leave the device enough threads.
//
// Threads whose elements are all away from the borders (Borders.h) run code without tests, in vectors or not.
//
// Where the last axis is short (three coordinates, the channels of a picture), a thread has all of it, of as many rows
// as vectors need: what a row has in common is computed once, and no thread divides by a short extent. Then the axis
// before is what is called columns here.
//
// One flag, computed by the host, says whether vectors are aligned for every array (and strides that must be 1 are 1).
// Then whole tiles take the fast path; the others go element by element with bounds tests. Without the flag
// neighbouring threads take neighbouring elements.
#include "compiler/gpu/emit/BodyEmitter.h"
#include "compiler/gpu/emit/Borders.h"
#include "compiler/gpu/emit/Emitters.h"
#include "compiler/memory/FirstCall.h"
#include "compiler/target/Target.h"
#include <numeric>

using namespace mlir;
namespace npcc::cuda {
namespace {

/// Whether `value` is made of the kernel's position `from`, or of what is known inside only, such as a number that a
/// loop carries.
bool isMadeOf(Value value, Value from, np::KernelOp kernel, llvm::DenseSet<Value> &seen) {
  if (value == from)
    return true;
  if (!kernel->isAncestor(value.getParentRegion()->getParentOp()))
    return false;
  if (!seen.insert(value).second)
    return false;
  Operation *op = value.getDefiningOp();
  if (!op) {
    auto loop = dyn_cast<LoopLikeOpInterface>(cast<BlockArgument>(value).getOwner()->getParentOp());
    std::optional<SmallVector<Value>> positions = loop ? loop.getLoopInductionVars() : std::nullopt;
    return loop && !(positions && llvm::is_contained(*positions, value));
  }
  return op->getNumRegions() ||
         llvm::any_of(op->getOperands(), [&](Value operand) { return isMadeOf(operand, from, kernel, seen); });
}

/// Whether an inner loop is as long as the position `lane` says, or its own numbers. Such loops run for one lane after
/// the other, with code for each, and share no loads.
bool hasLoopOf(Value lane, np::KernelOp kernel) {
  return kernel.getBody()
      ->walk([&](LoopLikeOpInterface loop) {
        if (isa<scf::WhileOp>(loop))
          return WalkResult::interrupt();
        SmallVector<OpFoldResult> bounds = loop.getLoopUpperBounds().value_or(SmallVector<OpFoldResult>());
        llvm::append_range(bounds, loop.getLoopLowerBounds().value_or(SmallVector<OpFoldResult>()));
        llvm::DenseSet<Value> seen;
        bool isOfLane = llvm::any_of(bounds, [&](OpFoldResult bound) {
          auto value = dyn_cast<Value>(bound);
          return value && isMadeOf(value, lane, kernel, seen);
        });
        return isOfLane ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// What a thread computes together, in instructions: with more of them it has so many registers that too few threads
/// are there to hide the latency of loads.
constexpr int64_t mostTile = 256;
/// Arrays of so many elements do not fit into the device's cache. Of smaller ones loads are cheap, and more threads are
/// worth more than fewer loads; so they are for volumes, of which rows share few loads.
constexpr int64_t manyElements = int64_t(1) << 22;

/// Lanes that a thread has of 4-byte elements. Of narrower ones it has more only where the device has threads enough.
constexpr int64_t fewLanes = 4;

/// The longest last axis of which a thread has all elements, and the instructions that it has for them.
constexpr int64_t longestShortAxis = 8, mostOfShortAxes = 512;

/// Rows that a thread computes together: more than one if they have a row in common that is broadcast, or neighbours.
/// `inside`: what an element costs away from the borders; `hasManyElements`: asked where that matters.
int64_t chooseRows(np::KernelOp kernel, KernelAccesses &accesses, int64_t width, int64_t inside,
                   function_ref<bool()> hasManyElements) {
  if (kernel.getNumLoops() < 2)
    return 1;
  Value row = kernel.getInductionVars()[kernel.getNumLoops() - 2], column = kernel.getInductionVars().back();
  bool isBroadcast = false, hasNeighbours = false;
  // A position may be made of the row: the one before, or the last one of all; or it is loaded for some rows only.
  auto dependsOnRow = [&](Operation *op, const Stream &stream) {
    auto isOfRow = [&](Value value) {
      llvm::DenseSet<Value> seen;
      return isMadeOf(value, row, kernel, seen);
    };
    for (Operation *parent = op->getParentOp(); parent != kernel; parent = parent->getParentOp())
      if (auto choice = dyn_cast<scf::IfOp>(parent); choice && isOfRow(choice.getCondition()))
        return true;
    return llvm::any_of(stream.terms, [&](ArrayRef<Term> terms) {
      return llvm::any_of(terms, [&](const Term &term) { return isOfRow(term.leaf); });
    });
  };
  llvm::DenseMap<const Stream *, SmallVector<int64_t>> seen;
  for (Operation *op : accesses.getOps()) {
    const KernelAccess &access = accesses.lookup(op);
    if (access.isStore)
      continue;
    if (access.stream->uses(column) && !dependsOnRow(op, *access.stream))
      isBroadcast = true;
    for (auto [axis, terms] : llvm::enumerate(access.stream->terms))
      for (const Term &term : terms)
        if (term.leaf == row && term.factor == 1 && (!term.scale || term.isSwitch())) {
          auto [known, isNew] = seen.try_emplace(access.stream, access.constants);
          hasNeighbours |= !isNew && known->second[axis] != access.constants[axis];
        }
  }
  bool isShared = isBroadcast || (hasNeighbours && kernel.getNumLoops() == 2);
  int64_t rows = isShared && !hasLoopOf(row, kernel) ? 4 : 1;
  while (rows > 1 && (rows * width * inside > mostTile || rows * countOps(*kernel.getBody()) > 1024))
    rows /= 2;
  return rows == 1 || isBroadcast || hasManyElements() ? rows : 1;
}

class MapEmitter {
public:
  MapEmitter(np::KernelOp kernel, KernelAccesses &accesses)
      : kernel(kernel), host(kernel, accesses), builder(kernel), body(host, builder, kernel.getLoc()), borders(kernel),
        rank(kernel.getNumLoops()), column(kernel.getInductionVars().back()) {}

  void emit() {
    IndexMath h = host.math();
    Value shift = h.constant(0);
    if (!hasFewElements("a thread for each element", 1) && !takeShortAxis())
      chooseTile();
    body.endsAtChecks = kernel.isUnit();
    extents = findExtents();
    Value columns = extents.back();
    aligned = h.truth(false);
    if (mode.position) {
      Value first = mode.row ? shift : emitShift(host, mode);
      aligned = emitAlignment(first);
      aligned = host.choose("vectors", aligned);
      shift = h.select(aligned, first, shift);
      // The code for single elements and single rows is as long as that for vectors of several rows.
      auto areWhole = [&](Value extent, int64_t part) {
        return h.compare(arith::CmpIPredicate::eq, h.rem(extent, h.constant(part)), h.constant(0));
      };
      Value isWhole = h.compare(arith::CmpIPredicate::eq, shift, h.constant(0));
      isWhole = h.both(h.both(aligned, isWhole), areWhole(columns, across));
      if (rank > 1)
        isWhole = h.both(isWhole, areWhole(extents[rank - 2], rows));
      onlyWhole = borders.tests.empty() && host.holdsInFirstCall("whole vectors", isWhole);
    }
    Value blockX = h.constant(threadsPerBlock);
    if (rank > 1)
      blockX = h.powerOfTwo(h.ceilDiv(columns, h.constant(across)), 1, threadsPerBlock);
    Value blockY = rank > 1 ? h.div(h.constant(threadsPerBlock), blockX) : h.constant(1), blockZ = h.constant(1);
    if (rank > 2) {
      Value ofOthers = blockY, needed = h.ceilDiv(extents[rank - 2], h.constant(rows));
      blockY = h.min(blockY, h.powerOfTwo(needed, 1, threadsPerBlock));
      blockZ = h.min(h.div(ofOthers, blockY), h.constant(maxBlockDepth));
    }
    Value gridX = h.ceilDiv(h.add(columns, shift), h.mul(blockX, across));
    Value gridY = h.constant(1), gridZ = h.constant(1), rowTiles, outer;
    if (rank > 1) {
      rowTiles = h.ceilDiv(extents[rank - 2], h.mul(blockY, rows));
      gridY = h.min(rowTiles, h.constant(maxGridRows));
    }
    if (rank > 2) {
      outer = extents[0];
      for (int64_t axis = 1; axis < rank - 2; ++axis)
        outer = h.mul(outer, extents[axis]);
      gridZ = h.min(h.ceilDiv(outer, blockZ), h.constant(maxGridRows));
    }
    StringRef name = mode.position && rows > 1 ? "tile" : "map";
    auto launch = beginLaunch(host, builder, {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, name);
    IndexMath m = body.math();
    gpu::KernelDim3 thread = launch.getThreadIds(), block = launch.getBlockIds(), grid = launch.getGridSize();
    Value tile = m.sub(m.mul(block.x, m.mul(blockX, across)), shift);
    columnBase = m.add(tile, m.select(aligned, m.mul(thread.x, across), thread.x));
    columnStep = m.select(aligned, m.constant(1), blockX);
    SmallVector<Value> outerPositions;
    OpBuilder::InsertionGuard guard(builder);
    if (rank > 2)
      outerPositions = enterOuterLoop(m.add(m.mul(block.z, blockZ), thread.z), outer, m.mul(grid.z, blockZ));
    rowBase = m.constant(0);
    if (rank > 1) {
      auto loop = scf::ForOp::create(builder, kernel.getLoc(), block.y, rowTiles, grid.y);
      builder.setInsertionPointToStart(loop.getBody());
      rowBase = m.mul(m.add(m.mul(loop.getInductionVar(), blockY), thread.y), rows);
    }
    emitTile(outerPositions);
    // In loops pointers go along, which is less than to make one of a position each time.
    if (!hasLoops())
      markSmallPositions(host, launch);
  }

private:
  /// Of the kernel's axes but a short one.
  SmallVector<Value> findExtents() {
    auto positions = ValueRange(kernel.getInductionVars()).take_front(rank);
    auto all = ValueRange(kernel.getExtents()).take_front(rank);
    return joinExtents(host.math(), emitJoins(host, positions, all), all);
  }

  Value emitAlignment(Value shift) {
    SmallVector<Value> extents = findExtents();
    return emitAlignmentTest(host, mode, shift, [&](Value leaf) -> Value {
      for (auto [position, extent] : llvm::zip(kernel.getInductionVars(), extents))
        if (position == leaf)
          return extent;
      return Value();
    });
  }

  Value emitElements() {
    IndexMath h = host.math();
    Value elements = h.product(kernel.getExtents());
    return elements;
  }

  /// Whether the first call has no more elements than the device has threads, if each has `lanes` of them.
  bool hasFewElements(StringRef what, int64_t lanes) {
    IndexMath h = host.math();
    Value most = h.constant(lanes * getTargetProperties(kernel).tuning.fewElements);
    return host.holdsInFirstCall(what, h.compare(arith::CmpIPredicate::sle, emitElements(), most));
  }

  bool hasManyElements() {
    IndexMath h = host.math();
    return host.holdsInFirstCall("several rows to a thread",
                                 h.compare(arith::CmpIPredicate::sge, emitElements(), h.constant(manyElements)));
  }

  bool hasLoops() {
    return kernel.getBody()->walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); }).wasInterrupted();
  }

  /// Whether the code is repeated for threads that are away from the borders, where vectors do not ask for that:
  /// without branches all loads of an element are on their way together. Threads of a warp that meet at a border go
  /// both ways one after the other, which loops would make long.
  bool hasCheapInside() {
    return !borders.tests.empty() && !hasLoops() && borders.countInside(kernel.getBodyRegion()) <= mostTile;
  }

  /// Gives each thread the whole last axis, if it is short in the first call. Its elements are under way together, so
  /// half of the threads that a device has do.
  bool takeShortAxis() {
    IndexMath h = host.math();
    if (rank < 2 || hasLoops())
      return false;
    Value length = kernel.getExtents().back(), position = kernel.getInductionVars().back();
    IntegerAttr known = FirstCall(kernel->getParentOfType<func::FuncOp>()).evaluate(length);
    int64_t count = known ? known.getInt() : getConstantIntValue(length).value_or(0);
    int64_t inside = borders.countInside(kernel.getBodyRegion());
    if (count < 2 || count > longestShortAxis || count * inside > mostOfShortAxes)
      return false;
    if (llvm::any_of(borders.tests, [&](const Borders::Test &test) { return test.position == position; }))
      return false;
    // Whole vectors of one row are as good.
    int64_t width = chooseVector(host.getAccesses(), kernel, position, fewLanes).width;
    if (width > 1 && count % width == 0)
      return false;
    auto joins = emitJoins(host, kernel.getInductionVars(), kernel.getExtents());
    Value isOwn = h.compare(arith::CmpIPredicate::eq, joins.back(), h.truth(false));
    Value isShort = h.compare(arith::CmpIPredicate::eq, length, h.constant(count));
    if (!host.holdsInFirstCall("an axis that is not joined", isOwn) ||
        !host.holdsInFirstCall("a short last axis", isShort))
      return false;
    lanesOfShortAxis = count;
    column = kernel.getInductionVars()[--rank - 1];
    for (int64_t most = fewLanes; most > 1; most /= 2) {
      mode = chooseVectorOfRows(host.getAccesses(), kernel, column, position, count, most);
      across = mode.width / std::gcd(mode.width, count);
      bool isSmall = across * count * inside <= mostOfShortAxes;
      if (mode.width > 1 && isSmall && !hasFewElements("fewer rows to a thread", across * count / 2)) {
        if (host.holdsInFirstCall("vectors of rows", emitAlignment(h.constant(0))))
          return true;
        break;
      }
    }
    mode = VectorMode();
    across = 1;
    return true;
  }

  void chooseTile() {
    int64_t most = hasLoopOf(column, kernel) ? 1 : 16;
    // Borders are the code of one element at a time.
    int64_t inside = borders.countInside(kernel.getBodyRegion());
    while (most > 1 && most * inside > 512)
      most /= 2;
    mode = chooseVector(host.getAccesses(), kernel, column, most);
    // Vectors of narrow elements hold many.
    while (mode.width > fewLanes && hasFewElements("fewer elements to a thread", mode.width / 2))
      mode = chooseVector(host.getAccesses(), kernel, column, mode.width / 2);
    bool hasComplex = llvm::any_of(host.getAccesses().getStreams(), [](const Stream &stream) {
      return isa<ComplexType>(stream.getType().getElementType());
    });
    if (mode.width == 1 && !hasComplex)
      mode = VectorMode();
    across = mode.width;
    rows = chooseRows(kernel, host.getAccesses(), mode.width, inside, [&] { return hasManyElements(); });
  }

  /// The axes before the last two, as one loop.
  SmallVector<Value> enterOuterLoop(Value from, Value to, Value step) {
    IndexMath m = body.math();
    auto loop = scf::ForOp::create(builder, kernel.getLoc(), from, to, step);
    builder.setInsertionPointToStart(loop.getBody());
    return m.unravel(loop.getInductionVar(), ArrayRef(extents).take_front(rank - 2));
  }

  SmallVector<Lane> makeLanes(ArrayRef<Value> outer, Value row, int64_t rowCount, Value firstColumn,
                              int64_t columnCount) {
    SmallVector<Lane> lanes;
    Value zero = body.math().constant(0);
    for (int64_t r = 0; r < rowCount; ++r)
      for (int64_t c = 0; c < columnCount; ++c)
        for (int64_t s = 0; s < std::max<int64_t>(lanesOfShortAxis, 1); ++s) {
          Lane &lane = lanes.emplace_back();
          for (auto [axis, position] : llvm::enumerate(outer))
            body.setPosition(lane, kernel.getInductionVars()[axis], position, 0);
          if (rank > 1)
            body.setPosition(lane, kernel.getInductionVars()[rank - 2], row, r);
          body.setPosition(lane, column, firstColumn, c);
          if (lanesOfShortAxis)
            body.setPosition(lane, kernel.getInductionVars().back(), zero, s);
        }
    return lanes;
  }

  void emitLanes(ArrayRef<Value> outer, Value row, int64_t rowCount, Value firstColumn, int64_t columnCount) {
    SmallVector<Lane> lanes = makeLanes(outer, row, rowCount, firstColumn, columnCount);
    body.vector = mode;
    body.vector.aligned = columnCount == across && mode.position && isFast;
    body.forget();
    body.emitBlock(*kernel.getBody(), lanes);
  }

  void emitTile(ArrayRef<Value> outer) {
    IndexMath m = body.math();
    Location loc = kernel.getLoc();
    Value zero = m.constant(0), one = m.constant(1);
    Value rowCount = rank > 1 ? extents[rank - 2] : one;
    Value columns = extents.back();
    auto atMost = [&](Value a, Value b) { return m.compare(arith::CmpIPredicate::sle, a, b); };
    auto below = [&](Value a, Value b) { return m.compare(arith::CmpIPredicate::slt, a, b); };
    Value rowsFit = rank > 1 ? atMost(m.add(rowBase, rows), rowCount) : m.truth(true);
    if (onlyWhole) {
      Value fits = below(columnBase, columns);
      if (rank > 1)
        fits = m.both(fits, below(rowBase, rowCount));
      builder.setInsertionPointToStart(scf::IfOp::create(builder, loc, fits, /*withElseRegion=*/false).thenBlock());
      isFast = true;
      emitLanes(outer, rowBase, rows, columnBase, across);
      return;
    }
    if (mode.position || hasCheapInside()) {
      Value fits = m.both(rowsFit, atMost(m.add(columnBase, across), columns));
      if (mode.position)
        fits = m.both(m.both(aligned, atMost(zero, columnBase)), fits);
      for (auto [axis, position] : llvm::enumerate(outer))
        fits = m.both(fits, borders.emitInside(builder, loc, kernel.getInductionVars()[axis], position, 1));
      if (rank > 1)
        fits = m.both(fits, borders.emitInside(builder, loc, kernel.getInductionVars()[rank - 2], rowBase, rows));
      fits = m.both(fits, borders.emitInside(builder, loc, column, columnBase, across));
      for (const Borders::Test &test : borders.tests)
        body.assumed[test.op] = test.inside;
      auto whole = scf::IfOp::create(builder, loc, fits, /*withElseRegion=*/true);
      builder.setInsertionPointToStart(whole.thenBlock());
      isFast = true;
      emitLanes(outer, rowBase, rows, columnBase, across);
      isFast = false;
      body.assumed.clear();
      builder.setInsertionPointToStart(whole.elseBlock());
    }
    if (across > 1) {
      auto loop = scf::ForOp::create(builder, loc, zero, m.constant(across), one);
      builder.setInsertionPointToStart(loop.getBody());
      columnBase = m.add(columnBase, m.mul(loop.getInductionVar(), columnStep));
    }
    Value inside = below(columnBase, columns);
    if (mode.position) // the first vector may begin before the first column
      inside = m.both(atMost(zero, columnBase), inside);
    if (rank > 1)
      inside = m.both(inside, below(rowBase, rowCount));
    auto guarded = scf::IfOp::create(builder, loc, inside, /*withElseRegion=*/false);
    builder.setInsertionPointToStart(guarded.thenBlock());
    if (rows == 1) {
      emitLanes(outer, rowBase, 1, columnBase, 1);
      return;
    }
    auto whole = scf::IfOp::create(builder, loc, rowsFit, /*withElseRegion=*/true);
    builder.setInsertionPointToStart(whole.thenBlock());
    emitLanes(outer, rowBase, rows, columnBase, 1);
    builder.setInsertionPointToStart(whole.elseBlock());
    auto loop = scf::ForOp::create(builder, loc, rowBase, rowCount, one);
    builder.setInsertionPointToStart(loop.getBody());
    emitLanes(outer, loop.getInductionVar(), 1, columnBase, 1);
  }

  np::KernelOp kernel;
  HostSide host;
  OpBuilder builder;
  BodyEmitter body;
  Borders borders;
  int64_t rank, rows = 1, across = 1; // of the axes that threads share, and what each thread has of the last two
  int64_t lanesOfShortAxis = 0;       // 0: all axes are shared
  Value column;
  VectorMode mode;
  bool isFast = false;
  bool onlyWhole = false; // in the call that the code is compiled for, there are only vectors, of whole tiles of rows
  SmallVector<Value> extents;
  Value aligned, columnBase, columnStep, rowBase;
};

} // namespace

void emitMap(np::KernelOp kernel, KernelAccesses &accesses) { MapEmitter(kernel, accesses).emit(); }

} // namespace npcc::cuda
