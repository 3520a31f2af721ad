// Updates whose iterations are parts, each with bins of its own: a block takes a part, and each of its warps sums into
// a copy of the bins in shared memory.
//
//   np.kernel updates (%part) = (parts) {                        for each block (part, range of bins):
//     scf.parallel (%k) = (0) to (%n) {                            own[warp][bin] = 0
//       memref.atomic_rmw addf %v, %own[%part, %p] } }     ->      for each 32 elements of a warp: own[warp][%p] += %v
//                                                                  for each bin: out[part][bin] += own[0][bin] +
//                                                                                                  own[1][bin] + ...
//
// Lanes of a warp that have the same bin find each other (match), their values are summed by a tree, and the first of
// them adds the sum. No two lanes add to one place at once, so sums of floats are made in the same order in every run.
// More bins than fit are taken by several blocks, which all go over the part and leave the others' bins alone.
#include "compiler/gpu/emit/BodyEmitter.h"
#include "compiler/gpu/emit/Emitters.h"
#include "compiler/gpu/emit/TeamReduce.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
namespace npcc::cuda {
namespace {

/// Bytes of a block's copies: seven blocks on a multiprocessor. Most copies, and so warps of a block, and fewest: fewer
/// would leave multiprocessors idle, rather are bins taken by several blocks.
constexpr int64_t bytesOfCopies = 32768, mostCopies = 8, fewestCopies = 2, warp = 32;

class SumsEmitter : public BodyEmitter {
public:
  using BodyEmitter::BodyEmitter;

  /// Host values: the extents of the bins, how many a copy holds, and how many copies there are.
  SmallVector<Value> extents;
  Value bins, slots, copies, out; // out: where the array begins

  void emitPart(np::KernelOp kernel, gpu::LaunchOp launch, Type element) {
    this->element = element;
    part = kernel.getInductionVars().front();
    IndexMath m = math();
    auto space = gpu::AddressSpaceAttr::get(builder.getContext(), gpu::AddressSpace::Workgroup);
    int64_t places = bytesOfCopies / (element.getIntOrFloatBitWidth() / 8);
    own = launch.addWorkgroupAttribution(MemRefType::get({places}, element, MemRefLayoutAttrInterface(), space), loc);
    thread = launch.getThreadIds().x;
    threads = launch.getBlockSize().x;
    lane = m.bitAnd(thread, m.constant(warp - 1));
    copy = m.mul(m.div(thread, m.constant(warp)), slots);
    firstBin = m.mul(launch.getBlockIds().y, slots);
    used = m.min(slots, m.sub(bins, firstBin));
    Lane only;
    setPosition(only, part, launch.getBlockIds().x, 0);
    emitBlock(*kernel.getBody(), only);
  }

protected:
  void emitParallel(scf::ParallelOp op, Lanes lanes) override {
    IndexMath m = math();
    Lane &outer = lanes.front();
    Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
    forThreads(m.mul(slots, copies), [&](Value place) { memref::StoreOp::create(builder, loc, zero, own, place); });
    gpu::BarrierOp::create(builder, loc);

    SmallVector<Value> ends;
    Value total = m.constant(1);
    for (Value bound : op.getUpperBound()) {
      ends.push_back(outer.values.lookupOrDefault(bound));
      total = m.mul(total, ends.back());
    }
    int64_t unroll = chooseUnroll(*op.getBody(), 1, 4);
    Value start = m.sub(thread, lane), stride = m.mul(threads, m.constant(unroll));
    Value whole = m.mul(m.div(total, stride), stride);
    auto emitElements = [&](Value from, Value to, int64_t count, Value most) {
      auto loop = scf::ForOp::create(builder, loc, from, to, m.mul(threads, m.constant(count)));
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(loop.getBody());
      SmallVector<Lane> copies(count, outer);
      Value at = m.add(loop.getInductionVar(), lane);
      isInside = most ? m.compare(arith::CmpIPredicate::slt, at, most) : Value();
      at = most ? m.min(at, m.sub(most, m.constant(1))) : at;
      for (Lane &each : copies) {
        for (auto [name, position] : llvm::zip_equal(op.getInductionVars(), m.unravel(at, ends)))
          setPosition(each, name, position, 0);
        at = m.add(at, threads);
      }
      forget();
      emitBlock(*op.getBody(), copies);
      forget();
    };
    // All lanes of a warp stay together: the last ones of a part repeat its last element, and add nothing.
    emitElements(start, whole, unroll, Value());
    emitElements(m.add(whole, start), total, 1, total);
    gpu::BarrierOp::create(builder, loc);
    forThreads(used, [&](Value bin) { emitTotal(bin, outer); });
  }

  void emitUpdate(memref::AtomicRMWOp op, Lanes lanes) override {
    IndexMath m = math();
    for (Lane &each : lanes) {
      Value bin = m.constant(0);
      for (auto [index, extent] : llvm::zip_equal(op.getIndices().drop_front(), extents))
        bin = m.add(m.mul(bin, extent), each.values.lookupOrDefault(index));
      bin = m.sub(bin, firstBin);
      Value isOwn = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, bin, used);
      isOwn = isInside ? m.both(isOwn, isInside) : isOwn;
      auto some = scf::IfOp::create(builder, loc, vote(NVVM::VoteSyncKind::any, isOwn), /*withElseRegion=*/false);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(some.thenYield());
      emitSum(bin, isOwn, each.values.lookupOrDefault(op.getValue()));
    }
    forget();
  }

private:
  Value number(int64_t value) { return arith::ConstantIntOp::create(builder, loc, value, 32); }
  Value vote(NVVM::VoteSyncKind kind, Value predicate) {
    Type type = kind == NVVM::VoteSyncKind::ballot ? builder.getI32Type() : builder.getI1Type();
    return NVVM::VoteSyncOp::create(builder, loc, type, number(-1), predicate, kind);
  }

  void forThreads(Value count, function_ref<void(Value)> emitBody) {
    auto loop = scf::ForOp::create(builder, loc, thread, count, threads);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    emitBody(loop.getInductionVar());
  }

  /// All lanes of the warp come here. `bin`: from the first of this block's; lanes that have no part in it have no bin
  /// of it.
  void emitSum(Value bin, Value isOwn, Value value) {
    Type i32 = builder.getI32Type();
    auto isNot = [&](Value x, Value y) -> Value {
      return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, x, y);
    };
    Value zero = number(0), one = number(1);
    Value key =
        arith::SelectOp::create(builder, loc, isOwn, arith::IndexCastOp::create(builder, loc, i32, bin), number(-1));
    Value peers = NVVM::MatchSyncOp::create(builder, loc, i32, number(-1), key, NVVM::MatchSyncKind::any);
    Value before = NVVM::LaneMaskLtOp::create(builder, loc, i32), after = NVVM::LaneMaskGtOp::create(builder, loc, i32);
    Value rank = math::CtPopOp::create(builder, loc, arith::AndIOp::create(builder, loc, peers, before));
    Value rest = arith::AndIOp::create(builder, loc, peers, after);
    rest = arith::SelectOp::create(builder, loc, isOwn, rest, zero);
    Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, rank, zero);
    // Neighbours among the peers, then every second one's neighbours, and so on: rank 0 has the sum of all.
    auto tree = scf::WhileOp::create(
        builder, loc, TypeRange{value.getType(), i32, i32}, ValueRange{value, rest, rank},
        [&](OpBuilder &, Location, ValueRange carried) {
          scf::ConditionOp::create(builder, loc, vote(NVVM::VoteSyncKind::any, isNot(carried[1], zero)), carried);
        },
        [&](OpBuilder &, Location, ValueRange carried) {
          Value next = arith::AndIOp::create(builder, loc, math::CountTrailingZerosOp::create(builder, loc, carried[1]),
                                             number(warp - 1));
          Value other = emitShuffle(builder, loc, carried[0], next, gpu::ShuffleMode::IDX);
          Value sum = arith::AddFOp::create(builder, loc, carried[0], other);
          sum = arith::SelectOp::create(builder, loc, isNot(carried[1], zero), sum, carried[0]);
          Value isEven = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                               arith::AndIOp::create(builder, loc, carried[2], one), zero);
          Value left = arith::AndIOp::create(builder, loc, carried[1], vote(NVVM::VoteSyncKind::ballot, isEven));
          Value half = arith::ShRUIOp::create(builder, loc, carried[2], one);
          scf::YieldOp::create(builder, loc, ValueRange{sum, left, half});
        });
    auto adds = scf::IfOp::create(builder, loc, math().both(isOwn, isFirst), /*withElseRegion=*/false);
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(adds.thenYield());
      Value place = math().add(copy, bin);
      Value old = memref::LoadOp::create(builder, loc, own, place);
      memref::StoreOp::create(builder, loc, arith::AddFOp::create(builder, loc, old, tree.getResult(0)), own, place);
    }
    NVVM::SyncWarpOp::create(builder, loc, number(-1)); // before another lane of the warp adds to the same bin
  }

  void emitTotal(Value bin, Lane &outer) {
    IndexMath m = math();
    Value first = memref::LoadOp::create(builder, loc, own, bin);
    auto sum = scf::ForOp::create(builder, loc, m.constant(1), copies, m.constant(1), first,
                                  [&](OpBuilder &, Location, Value number, ValueRange carried) {
                                    Value next =
                                        memref::LoadOp::create(builder, loc, own, m.add(m.mul(number, slots), bin));
                                    next = arith::AddFOp::create(builder, loc, carried[0], next);
                                    scf::YieldOp::create(builder, loc, next);
                                  });
    // The array lies as it was allocated, part after part.
    Value place = m.add(m.mul(outer.values.lookupOrDefault(part), bins), m.add(firstBin, bin));
    place = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), place);
    Value address = LLVM::GEPOp::create(builder, loc, out.getType(), element, out, ValueRange{place});
    Value old = LLVM::LoadOp::create(builder, loc, element, address);
    LLVM::StoreOp::create(builder, loc, arith::AddFOp::create(builder, loc, old, sum.getResult(0)), address);
  }

  Value part, own, thread, threads, lane, copy, firstBin, used, isInside;
  Type element;
};

} // namespace

void emitSums(np::KernelOp kernel, KernelAccesses &accesses, Value memory) {
  Location loc = kernel.getLoc();
  HostSide host(kernel, accesses);
  OpBuilder builder(kernel);
  SumsEmitter body(host, builder, loc);
  IndexMath h = host.math();
  auto type = cast<MemRefType>(memory.getType());
  body.bins = h.constant(1);
  for (int64_t axis = 1; axis < type.getRank(); ++axis) {
    body.extents.push_back(host.getExtent(memory, axis));
    body.bins = h.mul(body.bins, body.extents.back());
  }
  Value places = h.constant(bytesOfCopies / (type.getElementTypeBitWidth() / 8));
  Value least = h.constant(fewestCopies), most = h.constant(mostCopies), one = h.constant(1);
  Value fitting = h.div(places, h.max(body.bins, one));
  body.copies = h.max(least, h.min(fitting, most));
  body.slots = h.div(places, body.copies);
  Value ranges = h.ceilDiv(body.bins, body.slots);
  Value threads = h.mul(body.copies, h.constant(warp));
  body.out = emitFirstPointer(host.getBuilder(), loc, memory);
  auto launch = beginLaunch(host, builder, {kernel.getExtents().front(), ranges, one}, {threads, one, one}, "sums");
  body.emitPart(kernel, launch, type.getElementType());
}

} // namespace npcc::cuda
