// A loop of the host with all of its kernels, by the whole grid: one cooperative launch, in which all blocks run at
// once.
//
//   outer code: every thread computes it; the first one stores
//   loop inside: thread t of T takes the elements t, t + T, ..; where iterations hold loops of their own, a team of up
//                to 128 threads takes an iteration, and its threads parts of the loops inside
//   reduction: virtual blocks, as many as the extents ask for, compute parts; after a barrier every block combines
//   them.
//                One of few elements every block computes for itself
//
// Threads of all blocks wait for each other where GridBarriers says so: at a counter in memory, or, where the blocks
// are so few that the runtime makes one cluster of them, at the cluster's own barrier, which takes a fraction of the
// time. The order in which a reduction combines depends on extents only, not on how many blocks the device runs at
// once.
#include "compiler/gpu/emit/GridEmitter.h"
#include "dialects/Np/Memory.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
namespace npcc::cuda {
namespace {
constexpr int64_t threads = threadsOfGrid;

bool holdsParallel(Operation *op) {
  return op->walk([&](scf::ParallelOp inner) { return inner != op ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}
} // namespace

GridEmitter::GridEmitter(HostSide &host, OpBuilder &builder, Location loc, np::KernelOp kernel, bool hasClusters)
    : BodyEmitter(host, builder, loc), kernel(kernel), barriers(kernel, host.getAccesses(), findRepeated()),
      hasClusters(hasClusters) {
  endsAtChecks = true;
}

void GridEmitter::prepare(Operation &op) {
  if (!isShared && barriers.waitsBefore(&op))
    emitBarrier();
  else if (!isShared && barriers.waitsAtEdge(&op))
    emitEdgeBarrier();
}

void GridEmitter::finish(Operation &op) {
  bool isOwn = isShared && teamSize && (isa<memref::StoreOp>(op) ? bool(leader) : isa<scf::ParallelOp>(op));
  bool isRead = isOwn && op.walk([&](memref::StoreOp store) {
                             return isLoaded(store.getMemref()) ? WalkResult::interrupt() : WalkResult::advance();
                           }).wasInterrupted();
  if (isRead)
    LLVM::CallIntrinsicOp::create(builder, loc, builder.getStringAttr("llvm.nvvm.bar.warp.sync"),
                                  ValueRange{arith::ConstantIntOp::create(builder, loc, -1, 32)});
}

Type GridEmitter::getNumberType(Type type) { return type.isIndex() ? builder.getI64Type() : type; }

Value GridEmitter::getPointer(Value memref) {
  return emitFirstPointer(host.getBuilder(), loc, memref);
}

void GridEmitter::begin() {
  wanted = kernel.getExtents()[0];
  hasFewEdges = host.choose("edges for the first block", emitHasFewEdges());
  Value one = host.math().constant(1);
  launch = beginLaunch(host, builder, {wanted, one, one}, {host.math().constant(threads), one, one}, "grid");
  launch->setAttr("np.cooperative", builder.getUnitAttr());
  launch->setAttr("np.fitted", builder.getUnitAttr());
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

/// Whether nothing has written to the array when the kernel begins.
static bool isUnwritten(Value memref, Operation *kernel) {
  auto alloc = memref.getDefiningOp<np::AllocOp>();
  if (!alloc || alloc->getBlock() != kernel->getBlock())
    return false;
  return llvm::all_of(memref.getUsers(), [&](Operation *user) {
    Operation *inBlock = kernel->getBlock()->findAncestorOpInBlock(*user);
    return inBlock == kernel || kernel->isBeforeInBlock(inBlock);
  });
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
    bool isNew = isUnwritten(stream.memref, kernel); // before its address is used
    Value start = isNew ? LLVM::ZeroOp::create(builder, loc, type).getResult()
                        : LLVM::LoadOp::create(builder, loc, type, host.getPointer(stream)).getResult();
    LLVM::StoreOp::create(builder, loc, start, place);
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
