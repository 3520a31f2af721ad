// Kernels whose threads update elements that others update too. Where they are sums into one small array, each block
// sums in shared memory first:
//
//   bins, elements: known to the host            otherwise, or where there are few elements for each bin:
//   for each block: own = 0                        a map, with one update in global memory for each element
//     for each of its elements: own[bin] += v
//     for each bin: out[bin] += own[bin]
//
// Sums of 64 bits are two words in shared memory, for which the hardware has additions: the low word's carry goes into
// the high word, which most elements (counts) never touch.
#include "compiler/gpu/emit/BodyEmitter.h"
#include "compiler/gpu/emit/Emitters.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Choice.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
namespace npcc::cuda {
namespace {

/// 32 KB of words for 64 bits: seven blocks of them on a multiprocessor. Tuning::mostBins is no more.
constexpr int64_t mostBins = 4096;

/// The array, if all updates are sums into one whose elements are numbered as they lie in memory.
Value getOnlySum(np::KernelOp kernel) {
  Value memory;
  bool isOne = true;
  kernel.getBody()->walk([&](memref::AtomicRMWOp op) {
    auto type = cast<MemRefType>(op.getMemref().getType());
    isOne &= op.getKind() == arith::AtomicRMWKind::addi && (!memory || memory == op.getMemref()) &&
             type.getLayout().isIdentity() && type.getElementTypeBitWidth() <= 64;
    memory = op.getMemref();
  });
  return isOne ? memory : Value();
}

class UpdateEmitter : public BodyEmitter {
public:
  using BodyEmitter::BodyEmitter;

  void begin(gpu::LaunchOp launch, MemRefType type, ArrayRef<Value> extents) {
    this->extents.assign(extents.begin(), extents.end());
    element = type.getElementType();
    isWide = type.getElementTypeBitWidth() == 64;
    auto space = gpu::AddressSpaceAttr::get(builder.getContext(), gpu::AddressSpace::Workgroup);
    words = launch.addWorkgroupAttribution(
        MemRefType::get({isWide ? 2 * mostBins : mostBins}, builder.getI32Type(), MemRefLayoutAttrInterface(), space),
        loc);
    Value bits = memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, words);
    bits = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), bits);
    pointer = LLVM::IntToPtrOp::create(builder, loc, LLVM::LLVMPointerType::get(builder.getContext(), 3), bits);
  }

  void emitZero(Value bin) {
    Value zero = arith::ConstantIntOp::create(builder, loc, 0, 32);
    memref::StoreOp::create(builder, loc, zero, words, bin);
    if (isWide)
      memref::StoreOp::create(builder, loc, zero, words, math().add(bin, mostBins));
  }

  Value emitTotal(Value bin) {
    Value low = memref::LoadOp::create(builder, loc, words, bin);
    if (!isWide)
      return element == low.getType() ? low : arith::TruncIOp::create(builder, loc, element, low);
    Value high = memref::LoadOp::create(builder, loc, words, math().add(bin, mostBins));
    Type i64 = builder.getI64Type();
    Value shift = arith::ConstantIntOp::create(builder, loc, 32, 64);
    high = arith::ShLIOp::create(builder, loc, arith::ExtUIOp::create(builder, loc, i64, high), shift);
    return arith::OrIOp::create(builder, loc, high, arith::ExtUIOp::create(builder, loc, i64, low));
  }

protected:
  void emitUpdate(memref::AtomicRMWOp op, Lanes lanes) override {
    for (Lane &lane : lanes) {
      Value bin;
      for (auto [index, extent] : llvm::zip_equal(op.getIndices(), extents)) {
        Value position = lane.values.lookupOrDefault(index);
        bin = bin ? math().add(math().mul(bin, extent), position) : position;
      }
      bin = bin ? bin : math().constant(0);
      emitSum(bin, lane.values.lookupOrDefault(op.getValue()));
    }
    forget();
  }

private:
  Value emitAtomicAdd(Value word, Value value) {
    Value position = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), word);
    Value address =
        LLVM::GEPOp::create(builder, loc, pointer.getType(), builder.getI32Type(), pointer, ValueRange{position});
    return LLVM::AtomicRMWOp::create(builder, loc, LLVM::AtomicBinOp::add, address, value,
                                     LLVM::AtomicOrdering::monotonic, "block");
  }

  void emitSum(Value bin, Value value) {
    Type i32 = builder.getI32Type();
    if (!isWide) {
      emitAtomicAdd(bin, element == i32 ? value : arith::ExtUIOp::create(builder, loc, i32, value));
      return;
    }
    Value shift = arith::ConstantIntOp::create(builder, loc, 32, 64),
          zero = arith::ConstantIntOp::create(builder, loc, 0, 32);
    Value low = arith::TruncIOp::create(builder, loc, i32, value);
    Value high = arith::TruncIOp::create(builder, loc, i32, arith::ShRUIOp::create(builder, loc, value, shift));
    Value sum = arith::AddIOp::create(builder, loc, emitAtomicAdd(bin, low), low);
    Value carries = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, sum, low);
    high = arith::AddIOp::create(builder, loc, high, arith::ExtUIOp::create(builder, loc, i32, carries));
    Value some = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, high, zero);
    auto branch = scf::IfOp::create(builder, loc, some, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(branch.thenYield());
    emitAtomicAdd(math().add(bin, mostBins), high);
  }

  SmallVector<Value> extents;
  Type element;
  Value words, pointer;
  bool isWide = false;
};

void emitShared(np::KernelOp kernel, Value memory) {
  Location loc = kernel.getLoc();
  KernelAccesses accesses(kernel);
  HostSide host(kernel, accesses);
  OpBuilder builder(kernel);
  UpdateEmitter body(host, builder, loc);
  IndexMath h = host.math();
  auto type = cast<MemRefType>(memory.getType());
  SmallVector<Value> extents;
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    extents.push_back(host.getExtent(memory, axis));
  Value bins = h.product(extents), total = h.product(kernel.getExtents()), one = h.constant(1);
  Value threads = h.constant(threadsPerBlock);
  const Tuning &tuning = getTargetProperties(kernel).tuning;
  Value blocks = h.min(h.ceilDiv(total, h.constant(tuning.updatesOfBlock)), h.constant(tuning.mostUpdateBlocks));
  Value out = emitFirstPointer(host.getBuilder(), loc, memory);

  auto launch = beginLaunch(host, builder, {blocks, one, one}, {threads, one, one}, "updates");
  IndexMath m = body.math();
  Value thread = launch.getThreadIds().x;
  body.begin(launch, type, extents);
  auto forBins = [&](function_ref<void(Value)> emitBin) {
    auto loop = scf::ForOp::create(builder, loc, thread, bins, threads);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    emitBin(loop.getInductionVar());
  };
  forBins([&](Value bin) { body.emitZero(bin); });
  gpu::BarrierOp::create(builder, loc);

  // Neighbouring threads take neighbouring elements, all blocks together one part of them after the other.
  Value first = m.add(m.mul(launch.getBlockIds().x, threads), thread), step = m.mul(launch.getGridSize().x, threads);
  int64_t unroll = chooseUnroll(*kernel.getBody(), 1, 4);
  auto emitElements = [&](Value from, Value to, Value by, int64_t count) {
    auto loop = scf::ForOp::create(builder, loc, from, to, by);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    SmallVector<Lane> lanes(count);
    Value element = loop.getInductionVar();
    for (Lane &lane : lanes) {
      for (auto [name, position] : llvm::zip_equal(kernel.getInductionVars(), m.unravel(element, kernel.getExtents())))
        body.setPosition(lane, name, position, 0);
      element = m.add(element, step);
    }
    body.forget();
    body.emitBlock(*kernel.getBody(), lanes);
    body.forget();
  };
  Value all = m.mul(step, unroll), whole = m.mul(m.div(total, all), all);
  if (unroll > 1)
    emitElements(first, whole, all, unroll);
  emitElements(unroll > 1 ? m.add(whole, first) : first, total, step, 1);
  gpu::BarrierOp::create(builder, loc);

  forBins([&](Value bin) {
    Value sum = body.emitTotal(bin);
    Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(sum.getType()));
    Value some = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, sum, zero);
    auto branch = scf::IfOp::create(builder, loc, some, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(branch.thenYield());
    Value position = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), bin);
    Value address = LLVM::GEPOp::create(builder, loc, out.getType(), sum.getType(), out, ValueRange{position});
    LLVM::AtomicRMWOp::create(builder, loc, LLVM::AtomicBinOp::add, address, sum, LLVM::AtomicOrdering::monotonic,
                              "device");
  });
}

} // namespace

void emitUpdates(np::KernelOp kernel, KernelAccesses &accesses) {
  Value own;
  kernel.getBody()->walk([&](memref::AtomicRMWOp op) {
    if (op->getParentOfType<scf::ParallelOp>())
      own = op.getMemref();
  });
  if (own)
    return emitSums(kernel, accesses, own);
  Value memory = getOnlySum(kernel);
  if (!memory)
    return emitMap(kernel, accesses);
  OpBuilder builder(kernel);
  Location loc = kernel.getLoc();
  IndexMath h{builder, loc};
  Value bins = h.constant(1), elements = h.product(kernel.getExtents());
  {
    HostSide host(kernel, accesses);
    for (int64_t axis = 0; axis < cast<MemRefType>(memory.getType()).getRank(); ++axis)
      bins = h.mul(bins, host.getExtent(memory, axis));
  }
  const Tuning &tuning = getTargetProperties(kernel).tuning;
  Value isSmall = h.compare(arith::CmpIPredicate::sle, bins, h.constant(std::min(tuning.mostBins, mostBins)));
  Value isFull = h.compare(arith::CmpIPredicate::sge, elements, h.mul(bins, tuning.elementsPerBin));
  auto offer = np::AlternativesOp::create(builder, loc, TypeRange(), "sums in shared memory", h.both(isSmall, isFull));
  auto emit = [&](Block *block, function_ref<void(np::KernelOp)> emitCopy) {
    builder.setInsertionPointToStart(block);
    auto copy = cast<np::KernelOp>(builder.clone(*kernel));
    emitCopy(copy);
    copy.erase();
  };
  emit(offer.getOfferedBlock(), [&](np::KernelOp copy) { emitShared(copy, memory); });
  emit(offer.getGeneralBlock(), [&](np::KernelOp copy) {
    KernelAccesses inside(copy);
    emitMap(copy, inside);
  });
}

} // namespace npcc::cuda
