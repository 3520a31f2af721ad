// A loop of the host with all of its kernels, by the whole grid: one cooperative launch, in which all blocks run at
// once.
//
//   outer code: every thread computes it; the first one stores
//   loop inside: thread t of T takes the elements t, t + T, ..; where iterations hold loops of their own, a team of up
//                to 32 threads takes an iteration, and its threads parts of the loops inside
//   reduction: virtual blocks, as many as the extents ask for, compute parts; after a barrier every block combines them
//
// Threads of all blocks wait for each other where GridBarriers says so: at a counter in memory, or, where the blocks are so
// few that the runtime makes one cluster of them, at the cluster's own barrier, which takes a fraction of the time. The order in which a reduction combines depends
// on extents only, not on how many blocks the device runs at once.
#include "compiler/gpu/emit/BodyEmitter.h"
#include "compiler/gpu/emit/Emitters.h"
#include "compiler/gpu/emit/GridBarriers.h"
#include "compiler/gpu/emit/TeamReduce.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
namespace npcc::cuda {
namespace {

constexpr int64_t threads = threadsOfGrid, warp = 32;
// What a block goes through while all blocks would wait for each other.
constexpr int64_t edgeElements = 4 * threads;

bool holdsParallel(Operation *op) {
  return op->walk([&](scf::ParallelOp inner) { return inner != op ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

class GridEmitter : public BodyEmitter {
public:
  GridEmitter(HostSide &host, OpBuilder &builder, Location loc, np::KernelOp kernel, bool hasClusters)
      : BodyEmitter(host, builder, loc), kernel(kernel), barriers(kernel, host.getAccesses()), hasClusters(hasClusters) {
    endsAtChecks = true;
  }

  /// Makes the launch and what its threads need to wait for each other.
  void begin();
  void end();

protected:
  void prepare(Operation &op) override {
    if (!isShared && barriers.waitsBefore(&op))
      emitBarrier();
    else if (!isShared && barriers.waitsAtEdge(&op))
      emitEdgeBarrier();
  }
  /// What one thread of a team stored the others may read next.
  void finish(Operation &op) override {
    bool isOwn = isShared && teamSize && (isa<memref::StoreOp>(op) ? bool(leader) : isa<scf::ParallelOp>(op));
    bool isRead = isOwn && op.walk([&](memref::StoreOp store) {
                               return isLoaded(store.getMemref()) ? WalkResult::interrupt() : WalkResult::advance();
                             }).wasInterrupted();
    if (isRead)
      LLVM::CallIntrinsicOp::create(builder, loc, builder.getStringAttr("llvm.nvvm.bar.warp.sync"),
                                    ValueRange{arith::ConstantIntOp::create(builder, loc, -1, 32)});
  }
  void emitFor(scf::ForOp op, Lanes lanes) override;
  void emitLoad(memref::LoadOp op, Lanes lanes) override;
  void emitStore(memref::StoreOp op, Lanes lanes) override;
  void emitParallel(scf::ParallelOp op, Lanes lanes) override;

private:
  bool isLoaded(Value memref) {
    return llvm::any_of(accesses.getStreams(),
                        [&](const Stream &stream) { return stream.loaded && stream.memref == memref; });
  }
  Type getNumberType(Type type) { return type.isIndex() ? builder.getI64Type() : type; }
  void emitNumbers();
  Value emitHasFewEdges();
  Value getPointer(Value memref);
  void emitBarrier();
  void emitBarrierInMemory();
  void emitEdgeBarrier();
  void emitElements(scf::ParallelOp op, Lane &lane, ArrayRef<Value> extents, Value first, Value stride,
                    SmallVector<Value> &accumulators);
  void emitParts(function_ref<void(Value, Value)> emit, function_ref<void(Value)> finish, bool isEdge = false);
  void emitPosition(Lane &lane, scf::ParallelOp op, ArrayRef<Value> extents, Value number);
  SmallVector<Value> emitOwnPart(scf::ParallelOp op, Lane &lane, ArrayRef<Value> extents, Value first, Value stride);
  SmallVector<Value> emitReduction(scf::ParallelOp op, Lane &lane, ArrayRef<Value> extents);
  void emitTeams(scf::ParallelOp op, Lane &lane, ArrayRef<Value> extents);
  void emitTeamLoop(scf::ParallelOp op, Lane &lane);
  Value emitTeamSize(scf::ParallelOp op, ArrayRef<Value> extents);
  SmallVector<Value> emitCombined(scf::ParallelOp op, ValueRange values, Value size, int64_t most) {
    auto reduce = cast<scf::ReduceOp>(op.getBody()->getTerminator());
    Value isSeveralWarps = math().compare(arith::CmpIPredicate::sgt, size, math().constant(32));
    return emitTeamReduce(
        builder, loc, launch, size, isSeveralWarps, values,
        [&](unsigned number, Value left, Value right) {
          return emitCombine(reduce.getReductions()[number], left, right);
        },
        most);
  }
  SmallVector<Value> lookUp(ValueRange values, Lane &lane) {
    return llvm::map_to_vector(values, [&](Value value) { return lane.values.lookupOrDefault(value); });
  }
  Value product(ArrayRef<Value> extents) {
    Value all = math().constant(1);
    for (Value extent : extents)
      all = math().mul(all, extent);
    return all;
  }

  np::KernelOp kernel;
  gpu::LaunchOp launch;
  GridBarriers barriers;
  bool hasClusters;
  Value isCluster;             // all blocks are one; null if never
  SmallVector<Value> buffers;  // to be released after the launch
  Value wanted;                // blocks, by the extents
  Value thread, block, blocks; // in the block, in the grid, of the grid
  Value number, size;          // of this thread in the grid, of the grid
  Value counter, target, turn; // arrivals at barriers; how many the next one needs; which half of a buffer is free
  bool isShared = false;       // inside a loop that threads take parts of
  Value hasFewEdges;           // the first block alone has the loops over fewer axes
  Value teamSize, teamMember, isValid;
  llvm::DenseMap<Value, Value> numbersInMemory;
};

Value GridEmitter::getPointer(Value memref) {
  OpBuilder &outside = host.getBuilder();
  Value address = memref::ExtractAlignedPointerAsIndexOp::create(outside, loc, memref);
  Value bits = arith::IndexCastOp::create(outside, loc, outside.getI64Type(), address);
  return LLVM::IntToPtrOp::create(outside, loc, LLVM::LLVMPointerType::get(builder.getContext(), 1), bits);
}

Value GridEmitter::emitHasFewEdges() {
  IndexMath h = host.math();
  Value areFew = h.truth(true);
  kernel.walk([&](scf::ParallelOp loop) {
    if (!barriers.isEdge(loop))
      return;
    Value elements = h.constant(1);
    for (Value bound : loop.getUpperBound())
      elements = h.mul(elements, bound);
    areFew = h.both(areFew, h.compare(arith::CmpIPredicate::sle, elements, h.constant(edgeElements)));
  });
  return areFew;
}

void GridEmitter::begin() {
  wanted = kernel.getExtents()[0];
  hasFewEdges = emitHasFewEdges();
  Value one = host.math().constant(1);
  launch = beginLaunch(host, builder, {wanted, one, one}, {host.math().constant(threads), one, one}, "grid");
  launch->setAttr("npcc.cooperative", builder.getUnitAttr());
  launch->setAttr("npcc.fitted", builder.getUnitAttr());
  OpBuilder &outside = host.getBuilder();
  Type i64 = builder.getI64Type();
  buffers.push_back(np::AllocOp::create(outside, loc, MemRefType::get({1}, i64), ValueRange()));
  memref::StoreOp::create(outside, loc, arith::ConstantIntOp::create(outside, loc, 0, 64), buffers.back(),
                          ValueRange{host.math().constant(0)});
  counter = getPointer(buffers.back());
  IndexMath m = math();
  thread = launch.getThreadIds().x;
  block = launch.getBlockIds().x;
  blocks = launch.getGridSize().x;
  number = m.add(m.mul(block, m.constant(threads)), thread);
  size = m.mul(blocks, m.constant(threads));
  Value count = arith::ConstantIntOp::create(builder, loc, 1, 32),
        none = arith::ConstantIntOp::create(builder, loc, 0, 64);
  auto local = LLVM::LLVMPointerType::get(builder.getContext());
  for (Value *variable : {&target, &turn}) {
    *variable = LLVM::AllocaOp::create(builder, loc, local, i64, count);
    LLVM::StoreOp::create(builder, loc, none, *variable);
  }
  leader = m.compare(arith::CmpIPredicate::eq, number, m.constant(0));
  if (hasClusters) {
    Value inCluster = NVVM::ClusterDimBlocksXOp::create(builder, loc, builder.getI32Type());
    isCluster = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt, inCluster,
                                      arith::ConstantIntOp::create(builder, loc, 1, 32));
  }
  emitNumbers();
}

void GridEmitter::emitBarrier() {
  if (isCluster) {
    auto choice = scf::IfOp::create(builder, loc, isCluster, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(choice.thenBlock());
    NVVM::ClusterArriveOp::create(builder, loc, UnitAttr());
    NVVM::ClusterWaitOp::create(builder, loc, UnitAttr());
    builder.setInsertionPointToStart(choice.elseBlock());
    emitBarrierInMemory();
  } else {
    emitBarrierInMemory();
  }
  forget();
}

/// The first thread of each block says that its block has come, and asks until all have. LLVM prints an atomicrmw that
/// releases without the release, so the instructions are written out.
void GridEmitter::emitBarrierInMemory() {
  IndexMath m = math();
  Type i64 = builder.getI64Type();
  auto assemble = [&](TypeRange results, ValueRange operands, StringRef text, StringRef constraints) {
    return LLVM::InlineAsmOp::create(builder, loc, results, operands, text, constraints, /*has_side_effects=*/true,
                                     /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
                                     LLVM::AsmDialectAttr(), ArrayAttr());
  };
  gpu::BarrierOp::create(builder, loc);
  Value all = arith::IndexCastOp::create(builder, loc, i64, blocks);
  Value needed = arith::AddIOp::create(builder, loc, LLVM::LoadOp::create(builder, loc, i64, target), all);
  LLVM::StoreOp::create(builder, loc, needed, target);
  auto first = scf::IfOp::create(builder, loc, m.compare(arith::CmpIPredicate::eq, thread, m.constant(0)),
                                 /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(first.thenBlock());
    assemble({}, {counter}, "red.release.gpu.global.add.u64 [$0], 1;", "l,~{memory}");
    auto wait = scf::WhileOp::create(builder, loc, TypeRange(), ValueRange());
    builder.createBlock(&wait.getBefore());
    Value come = assemble({i64}, {counter}, "ld.acquire.gpu.global.u64 $0, [$1];", "=l,l,~{memory}").getResult(0);
    scf::ConditionOp::create(builder, loc, arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, come, needed),
                             ValueRange());
    builder.createBlock(&wait.getAfter());
    scf::YieldOp::create(builder, loc);
  }
  gpu::BarrierOp::create(builder, loc);
}

/// A number that every thread knows is in memory for the end only.
void GridEmitter::emitLoad(memref::LoadOp op, Lanes lanes) {
  if (!barriers.isOwn(op.getMemref()))
    return BodyEmitter::emitLoad(op, lanes);
  Type type = op.getType();
  Value number = LLVM::LoadOp::create(builder, loc, getNumberType(type), numbersInMemory.lookup(op.getMemref()));
  if (type.isIndex())
    number = arith::IndexCastOp::create(builder, loc, type, number);
  for (Lane &lane : lanes)
    lane.values.map(op.getResult(), number);
}

void GridEmitter::emitStore(memref::StoreOp op, Lanes lanes) {
  if (!barriers.isOwn(op.getMemref()))
    return BodyEmitter::emitStore(op, lanes);
  Value number = lanes.front().values.lookupOrDefault(op.getValueToStore());
  if (number.getType().isIndex())
    number = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), number);
  LLVM::StoreOp::create(builder, loc, number, numbersInMemory.lookup(op.getMemref()));
}

/// Each thread's own place for the numbers that every thread knows, with what they are before the loop.
void GridEmitter::emitNumbers() {
  Value count = arith::ConstantIntOp::create(builder, loc, 1, 32);
  auto local = LLVM::LLVMPointerType::get(builder.getContext());
  for (Stream &stream : accesses.getStreams()) {
    if (!barriers.isOwn(stream.memref) || numbersInMemory.contains(stream.memref))
      continue;
    Type type = getNumberType(stream.getType().getElementType());
    Value place = LLVM::AllocaOp::create(builder, loc, local, type, count);
    LLVM::StoreOp::create(builder, loc, LLVM::LoadOp::create(builder, loc, type, host.getPointer(stream)), place);
    numbersInMemory[stream.memref] = place;
  }
}

/// The first thread stores what they are in the end; by then the others have begun with what was there before.
void GridEmitter::end() {
  if (!numbersInMemory.empty()) {
    emitBarrier();
    auto first = scf::IfOp::create(builder, loc, leader, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(first.thenBlock());
    llvm::SmallDenseSet<Value> done;
    for (Stream &stream : accesses.getStreams()) {
      Value place = numbersInMemory.lookup(stream.memref);
      if (!place || !stream.stored || !done.insert(stream.memref).second)
        continue;
      Type type = getNumberType(stream.getType().getElementType());
      LLVM::StoreOp::create(builder, loc, LLVM::LoadOp::create(builder, loc, type, place), host.getPointer(stream));
    }
  }
  builder.setInsertionPointAfter(launch);
  for (Value buffer : buffers)
    np::ReleaseOp::create(builder, loc, buffer);
}

/// The first block alone has the edges where they are short: then its threads wait for each other, and nobody else.
void GridEmitter::emitEdgeBarrier() {
  auto isFew = scf::IfOp::create(builder, loc, hasFewEdges, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(isFew.thenBlock());
  gpu::BarrierOp::create(builder, loc);
  builder.setInsertionPointToStart(isFew.elseBlock());
  emitBarrier();
}

void GridEmitter::emitFor(scf::ForOp op, Lanes lanes) {
  if (isShared || !GridBarriers::isAlone(op))
    return BodyEmitter::emitFor(op, lanes);
  auto alone = scf::IfOp::create(builder, loc, leader, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(alone.thenBlock());
  llvm::SaveAndRestore<Value> all(leader, Value());
  llvm::SaveAndRestore<bool> shared(isShared, true);
  forget();
  BodyEmitter::emitFor(op, lanes);
  forget();
}

void GridEmitter::emitParallel(scf::ParallelOp op, Lanes lanes) {
  if (isShared && teamSize && leader)
    return emitTeamLoop(op, lanes.front());
  if (isShared)
    return BodyEmitter::emitParallel(op, lanes);
  Lane &lane = lanes.front();
  llvm::SaveAndRestore<bool> shared(isShared, true), exits(endsAtChecks, false);
  llvm::SaveAndRestore<Value> all(leader, Value());
  forget();
  SmallVector<Value> extents = lookUp(op.getUpperBound(), lane);
  if (op.getNumResults() > 0) {
    lane.values.map(op.getResults(), emitReduction(op, lane, extents));
  } else if (holdsParallel(op)) {
    emitTeams(op, lane, extents);
  } else {
    emitParts(
        [&](Value first, Value stride) {
          Lane inside = lane;
          emitOwnPart(op, inside, extents, first, stride);
        },
        nullptr, barriers.isEdge(op));
  }
  forget();
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

/// The elements first, first + stride, ..: several at a time while there are so many, each into accumulators of its
/// own.
void GridEmitter::emitElements(scf::ParallelOp op, Lane &lane, ArrayRef<Value> extents, Value first, Value stride,
                               SmallVector<Value> &accumulators) {
  IndexMath m = math();
  Value total = product(extents);
  unsigned count = op.getNumResults();
  int64_t unroll = count ? accumulators.size() / count : 4;
  while (!count && unroll > 1 && unroll * countOps(*op.getBody()) > 128)
    unroll /= 2;
  auto emitLoop = [&](Value from, Value to, Value step, int64_t lanes) {
    auto loop = scf::ForOp::create(builder, loc, from, to, step, accumulators);
    OpBuilder::InsertionGuard guard(builder);
    if (!loop.getBody()->empty())
      loop.getBody()->back().erase();
    builder.setInsertionPointToStart(loop.getBody());
    auto kept = loaded;
    SmallVector<Value> inside(loop.getRegionIterArgs().begin(), loop.getRegionIterArgs().end());
    SmallVector<Lane> copies;
    Value element = loop.getInductionVar();
    for (int64_t copy = 0; copy < lanes; ++copy, element = m.add(element, stride)) {
      copies.push_back(lane);
      emitPosition(copies.back(), op, extents, element);
    }
    emitBlock(*op.getBody(), copies);
    for (auto [copy, values] : llvm::enumerate(copies))
      BodyEmitter::emitCombine(op, values, MutableArrayRef<Value>(inside).slice(copy * count, count));
    scf::YieldOp::create(builder, loc, inside);
    loaded = kept;
    accumulators.assign(loop.getResults().begin(), loop.getResults().end());
  };
  Value start = m.constant(0);
  if (unroll > 1) {
    Value round = m.mul(stride, unroll);
    start = m.mul(m.div(total, round), round);
    emitLoop(first, start, round, unroll);
  }
  emitLoop(m.add(start, first), total, stride, 1);
}

/// This thread's part of a loop; of a reduction one value for each result.
SmallVector<Value> GridEmitter::emitOwnPart(scf::ParallelOp op, Lane &lane, ArrayRef<Value> extents, Value first,
                                            Value stride) {
  SmallVector<Value> inits = lookUp(op.getInitVals(), lane), accumulators;
  int64_t count = inits.size(), copies = count ? 4 : 0;
  while (copies > 1 && copies * countOps(*op.getBody()) > 192)
    copies /= 2;
  for (int64_t copy = 0; copy < copies; ++copy)
    llvm::append_range(accumulators, inits);
  emitElements(op, lane, extents, first, stride, accumulators);
  auto reduce = count ? cast<scf::ReduceOp>(op.getBody()->getTerminator()) : scf::ReduceOp();
  for (; copies > 1; copies /= 2)
    for (int64_t copy = 0; copy < copies / 2 * count; ++copy)
      accumulators[copy] = BodyEmitter::emitCombine(reduce.getReductions()[copy % count], accumulators[copy],
                                                    accumulators[copy + copies / 2 * count]);
  accumulators.resize(count);
  return accumulators;
}

SmallVector<Value> GridEmitter::emitReduction(scf::ParallelOp op, Lane &lane, ArrayRef<Value> extents) {
  IndexMath m = math();
  Type i64 = builder.getI64Type();
  Value isFirst = m.compare(arith::CmpIPredicate::eq, thread, m.constant(0)), all = m.constant(threads);
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
    own = emitCombined(op, emitOwnPart(op, inside, extents, first, stride), all, threads);
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
  return emitCombined(op, load.getResults(), all, threads);
}

/// Threads for an iteration: enough to be busy, few where there are many iterations. All 32 of a warp where threads of
/// a team wait for each other under a condition.
Value GridEmitter::emitTeamSize(scf::ParallelOp op, ArrayRef<Value> extents) {
  IndexMath h = host.math();
  Value longest;
  bool isKnown = llvm::all_of(extents, [&](Value extent) { return isInvariant(extent, launch); });
  op.getBody()->walk<WalkOrder::PreOrder>([&](scf::ParallelOp inner) {
    isKnown &= inner->getBlock() == op.getBody();
    Value length = h.constant(1);
    for (Value bound : inner.getUpperBound()) {
      isKnown &= isInvariant(bound, kernel);
      length = isKnown ? h.mul(length, bound) : length;
    }
    longest = longest ? h.max(longest, length) : length;
    return WalkResult::skip();
  });
  if (!isKnown || !longest)
    return math().constant(warp);
  Value rows = h.constant(1);
  for (Value extent : extents)
    rows = h.mul(rows, extent);
  Value most = h.div(h.mul(wanted, threads), h.max(rows, h.constant(1)));
  return h.powerOfTwo(h.max(h.constant(1), h.min(h.ceilDiv(longest, h.constant(2)), most)), 1, warp);
}

void GridEmitter::emitTeams(scf::ParallelOp op, Lane &lane, ArrayRef<Value> extents) {
  IndexMath m = math();
  Value zero = m.constant(0), one = m.constant(1), rows = product(extents);
  llvm::SaveAndRestore<Value> outerSize(teamSize, emitTeamSize(op, extents)), outerMember(teamMember, Value()),
      outerValid(isValid, Value()), outerLeader(leader, Value());
  teamMember = m.bitAnd(number, m.sub(teamSize, one));
  Value teams = m.div(size, teamSize), team = m.div(number, teamSize);
  // All teams go round equally often, for threads of a warp meet in shuffles: without an iteration of its own a team
  // repeats the last one and stores nothing.
  auto loop = scf::ForOp::create(builder, loc, zero, rows, teams);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value row = m.add(loop.getInductionVar(), team);
  isValid = m.compare(arith::CmpIPredicate::slt, row, rows);
  leader = m.both(isValid, m.compare(arith::CmpIPredicate::eq, teamMember, zero));
  Lane inside = lane;
  emitPosition(inside, op, extents, m.min(row, m.sub(rows, one)));
  forget();
  emitBlock(*op.getBody(), inside);
}

/// A loop inside an iteration that a team has.
void GridEmitter::emitTeamLoop(scf::ParallelOp op, Lane &lane) {
  IndexMath m = math();
  bool writes = mayWrite(op);
  SmallVector<Value> extents = lookUp(op.getUpperBound(), lane);
  if (writes) {
    forget();
    extents.front() = m.select(isValid, extents.front(), m.constant(0));
  }
  SmallVector<Value> results;
  {
    llvm::SaveAndRestore<Value> none(leader, Value());
    Lane inside = lane;
    results = emitOwnPart(op, inside, extents, teamMember, teamSize);
  }
  if (!results.empty())
    lane.values.map(op.getResults(), emitCombined(op, results, teamSize, warp));
}

} // namespace

void emitGrid(np::KernelOp kernel, KernelAccesses &accesses, bool hasClusters) {
  HostSide host(kernel, accesses);
  OpBuilder builder(kernel);
  GridEmitter body(host, builder, kernel.getLoc(), kernel, hasClusters);
  body.begin();
  Lane lane;
  body.setPosition(lane, kernel.getInductionVars()[0], body.math().constant(0), 0);
  body.emitBlock(*kernel.getBody(), lane);
  body.end();
}

} // namespace npcc::cuda
