#include "compiler/gpu/emit/ScanChain.h"
#include "compiler/gpu/emit/Emitters.h"
#include "compiler/gpu/emit/TeamReduce.h"
#include "compiler/gpu/emit/TeamScan.h"
#include "dialects/Np/Memory.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
namespace npcc::cuda {

static constexpr int64_t warp = 32; // also how many parts a group has, and groups a section
static constexpr int64_t mark = int64_t(1) << 32;
static constexpr char scope[] = "device";

/// A kernel of its own stores zeros: the first word is the number of parts that have been taken.
static void clear(OpBuilder &builder, Location loc, Value memory, Value count) {
  auto kernel = np::KernelOp::create(builder, loc, ValueRange{count});
  kernel.setKind(np::KernelKind::map);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(kernel.getBody());
    Value zero = arith::ConstantIntOp::create(builder, loc, 0, 64);
    memref::StoreOp::create(builder, loc, zero, memory, kernel.getInductionVars());
  }
  KernelAccesses accesses(kernel);
  emitMap(kernel, accesses);
  kernel.erase();
}

ScanChain::ScanChain(HostSide &host, Type type, Value lines, Value parts)
    : loc(host.getKernel()->getLoc()), type(type), lines(lines), parts(parts) {
  OpBuilder &builder = host.getBuilder();
  IndexMath h = host.math();
  bits = builder.getIntegerType(type.getIntOrFloatBitWidth());
  words = llvm::divideCeil(type.getIntOrFloatBitWidth(), 32);
  groups = h.ceilDiv(parts, h.constant(warp));
  Value sections = h.add(h.div(groups, h.constant(warp)), 1); // and what is before one more
  wordsOfLine = h.mul(h.add(h.add(parts, groups), sections), words);
  Value count = h.add(h.mul(lines, wordsOfLine), 1);
  memory = np::AllocOp::create(builder, loc, MemRefType::get({ShapedType::kDynamic}, builder.getI64Type()), count);
  clear(builder, loc, memory, count);
  pointer = emitFirstPointer(builder, loc, memory);
}

void ScanChain::release(gpu::LaunchOp launch) {
  OpBuilder behind(launch->getContext());
  behind.setInsertionPointAfter(launch);
  np::ReleaseOp::create(behind, loc, memory);
}

Value ScanChain::getShared(Type type) {
  auto space = gpu::AddressSpaceAttr::get(launch.getContext(), gpu::AddressSpace::Workgroup);
  return launch.addWorkgroupAttribution(MemRefType::get({1}, type, MemRefLayoutAttrInterface(), space), loc);
}

Value ScanChain::isFirstThread() {
  return math().compare(arith::CmpIPredicate::eq, launch.getThreadIds().x, math().constant(0));
}

Value ScanChain::isInFirstWarp() {
  return math().compare(arith::CmpIPredicate::slt, launch.getThreadIds().x, math().constant(warp));
}

void ScanChain::begin(OpBuilder &builder, gpu::LaunchOp of) {
  device = &builder;
  launch = of;
  sharedNumber = getShared(builder.getI64Type());
  sharedTotal = getShared(type);
}

Value ScanChain::take() {
  OpBuilder &builder = *device;
  auto first = scf::IfOp::create(builder, loc, builder.getI64Type(), isFirstThread(), true, true);
  OpBuilder::InsertionGuard guard(builder);
  auto number = [&](int64_t value) { return arith::ConstantIntOp::create(builder, loc, value, 64); };
  builder.setInsertionPointToStart(first.thenBlock());
  Value taken = LLVM::AtomicRMWOp::create(builder, loc, LLVM::AtomicBinOp::add, pointer, number(1),
                                          LLVM::AtomicOrdering::monotonic, scope);
  scf::YieldOp::create(builder, loc, taken);
  builder.setInsertionPointToStart(first.elseBlock());
  scf::YieldOp::create(builder, loc, number(0).getResult());
  return first.getResult(0);
}

Value ScanChain::share(Value taken) {
  OpBuilder &builder = *device;
  Value zero = math().constant(0);
  emitIf(isFirstThread(), [&] { memref::StoreOp::create(builder, loc, taken, sharedNumber, zero); });
  gpu::BarrierOp::create(builder, loc);
  Value number = memref::LoadOp::create(builder, loc, sharedNumber, zero);
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(), number);
}

Value ScanChain::isPart(Value number) {
  return math().compare(arith::CmpIPredicate::slt, number, math().mul(lines, parts));
}

void ScanChain::setPart(Value number) {
  IndexMath m = math();
  line = m.div(number, parts);
  part = m.sub(number, m.mul(line, parts));
  firstWord = m.add(m.mul(line, wordsOfLine), 1);
}

void ScanChain::emitIf(Value condition, function_ref<void()> emit) {
  auto made = scf::IfOp::create(*device, loc, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(*device);
  device->setInsertionPointToStart(made.thenBlock());
  emit();
}

Value ScanChain::isLast(Value number) {
  IndexMath m = math();
  return m.compare(arith::CmpIPredicate::eq, m.bitAnd(number, m.constant(warp - 1)), m.constant(warp - 1));
}

void ScanChain::publishTotal(np::FoldOp fold, Value total, Value neutral) {
  IndexMath m = math();
  emitIf(isFirstThread(), [&] { publish(total, ofPart(part)); });
  emitIf(m.both(isInFirstWarp(), isLast(part)), [&] {
    auto combine = [&](Value left, Value right) { return fold.emitCombine(*device, left, right)[0]; };
    Value group = m.div(part, m.constant(warp)), ofThis = combine(emitTotals(fold, neutral, true, false)[0], total);
    emitIf(isFirstThread(), [&] { publish(ofThis, ofGroup(group)); });
    emitIf(isLast(group), [&] {
      Value before = combine(emitTotals(fold, neutral, false, true)[0], ofThis);
      Value next = m.add(m.div(group, m.constant(warp)), 1);
      emitIf(isFirstThread(), [&] { publish(before, beforeSection(next)); });
    });
  });
}

Value ScanChain::getPlace(Value number, int64_t word) {
  Type i64 = device->getI64Type();
  Value place = arith::IndexCastOp::create(*device, loc, i64, math().add(number, word));
  return LLVM::GEPOp::create(*device, loc, pointer.getType(), i64, pointer, LLVM::GEPArg(place));
}

void ScanChain::publish(Value total, Value first) {
  Type i64 = device->getI64Type();
  auto number = [&](int64_t value) { return arith::ConstantIntOp::create(*device, loc, value, 64); };
  Value whole = type == bits ? total : arith::BitcastOp::create(*device, loc, bits, total).getResult();
  if (bits != i64)
    whole = arith::ExtUIOp::create(*device, loc, i64, whole);
  for (int64_t word = 0; word < words; ++word) {
    Value half = word ? arith::ShRUIOp::create(*device, loc, whole, number(32)).getResult() : whole;
    half = arith::AndIOp::create(*device, loc, half, number(mark - 1));
    Value marked = arith::OrIOp::create(*device, loc, half, number(mark));
    LLVM::StoreOp::create(*device, loc, marked, getPlace(first, word), /*alignment=*/8, /*isVolatile=*/false,
                          /*isNonTemporal=*/false, /*isInvariantGroup=*/false, LLVM::AtomicOrdering::monotonic, scope);
  }
}

SmallVector<Value> ScanChain::await(ArrayRef<Value> firsts, ArrayRef<Value> isNeeded) {
  OpBuilder &builder = *device;
  Type i64 = builder.getI64Type();
  auto number = [&](int64_t value) { return arith::ConstantIntOp::create(builder, loc, value, 64); };
  SmallVector<Type> types(firsts.size() * words, i64);
  auto wait = scf::WhileOp::create(builder, loc, types, ValueRange());
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&wait.getBefore());
    SmallVector<Value> loaded;
    Value isThere = math().truth(true);
    for (auto [first, needed] : llvm::zip_equal(firsts, isNeeded))
      for (int64_t word = 0; word < words; ++word) {
        loaded.push_back(LLVM::LoadOp::create(builder, loc, i64, getPlace(first, word), /*alignment=*/8,
                                              /*isVolatile=*/false, /*isNonTemporal=*/false, /*isInvariant=*/false,
                                              /*isInvariantGroup=*/false, LLVM::AtomicOrdering::monotonic, scope));
        Value isMarked = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, loaded.back(), number(mark));
        Value isNot = arith::XOrIOp::create(builder, loc, needed, math().truth(true));
        isThere = math().both(isThere, math().either(isMarked, isNot));
      }
    Value isMissing = arith::XOrIOp::create(builder, loc, isThere, math().truth(true));
    scf::ConditionOp::create(builder, loc, isMissing, loaded);
    builder.createBlock(&wait.getAfter(), {}, types, SmallVector<Location>(types.size(), loc));
    scf::YieldOp::create(builder, loc);
  }
  SmallVector<Value> totals;
  for (size_t index = 0; index < firsts.size(); ++index) {
    Value whole = arith::AndIOp::create(builder, loc, wait.getResult(index * words), number(mark - 1));
    if (words > 1) {
      Value high = arith::ShLIOp::create(builder, loc, wait.getResult(index * words + 1), number(32));
      whole = arith::OrIOp::create(builder, loc, whole, high);
    }
    if (bits != i64)
      whole = arith::TruncIOp::create(builder, loc, bits, whole);
    totals.push_back(type == bits ? whole : arith::BitcastOp::create(builder, loc, type, whole).getResult());
  }
  return totals;
}

/// Of what a warp's threads hold, where they hold something.
Value ScanChain::emitSum(np::FoldOp fold, Value value, Value isThere, Value neutral) {
  OpBuilder &builder = *device;
  Value last = arith::ConstantIntOp::create(builder, loc, warp - 1, 32);
  value = arith::SelectOp::create(builder, loc, isThere, value, neutral);
  Value running = emitRunningInWarp(builder, loc, fold, value, launch.getThreadIds().x);
  return emitShuffle(builder, loc, running, last, gpu::ShuffleMode::IDX);
}

/// For the first warp: what comes before the part at hand, in its group, and before its group. A thread waits for one
/// part, and for one group.
SmallVector<Value> ScanChain::emitTotals(np::FoldOp fold, Value neutral, bool inGroup, bool beforeGroup) {
  IndexMath m = math();
  Value thread = launch.getThreadIds().x, width = m.constant(warp), group = m.div(part, width),
        section = m.div(group, width);
  auto isBefore = [&](Value left, Value right) { return m.compare(arith::CmpIPredicate::slt, left, right); };
  Value otherPart = m.add(m.mul(group, warp), thread), otherGroup = m.add(m.mul(section, warp), thread);
  SmallVector<Value> firsts, areNeeded, totals;
  auto need = [&](Value first, Value isNeeded) {
    firsts.push_back(first);
    areNeeded.push_back(isNeeded);
  };
  if (inGroup)
    need(ofPart(m.min(otherPart, part)), isBefore(otherPart, part));
  if (beforeGroup) {
    need(ofGroup(m.min(otherGroup, group)), isBefore(otherGroup, group));
    need(beforeSection(section), isBefore(m.constant(0), section));
  }
  SmallVector<Value> known = await(firsts, areNeeded);
  if (inGroup)
    totals.push_back(emitSum(fold, known.front(), areNeeded.front(), neutral));
  if (beforeGroup) {
    Value before = arith::SelectOp::create(*device, loc, areNeeded.back(), known.back(), neutral);
    Value ofGroups = emitSum(fold, known[inGroup], areNeeded[inGroup], neutral);
    totals.push_back(fold.emitCombine(*device, before, ofGroups)[0]);
  }
  return totals;
}

Value ScanChain::emitBefore(np::FoldOp fold, Value neutral) {
  OpBuilder &builder = *device;
  Value zero = math().constant(0);
  emitIf(isInFirstWarp(), [&] {
    SmallVector<Value> totals = emitTotals(fold, neutral, /*inGroup=*/true, /*beforeGroup=*/true);
    Value before = fold.emitCombine(builder, totals[1], totals[0])[0];
    emitIf(isFirstThread(), [&] { memref::StoreOp::create(builder, loc, before, sharedTotal, zero); });
  });
  gpu::BarrierOp::create(builder, loc);
  return memref::LoadOp::create(builder, loc, sharedTotal, zero);
}

} // namespace npcc::cuda
