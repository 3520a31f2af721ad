// Updates that sum floats into few bins, in an order that follows from the extents alone:
//
//   for %i: %out[%p] += %w[%i]   ->   %own = np.alloc(parts, bins), cleared
//                                     np.kernel updates (%part) = (parts) {
//                                       scf.parallel (%k) = (0) to (iterations of the part) {
//                                         memref.atomic_rmw addf %w[%i], %own[%part, %p] } }
//                                     np.kernel (%bin): %out[%bin] += the sum of %own[%part, %bin] over %part
//
// Nothing is sorted, and what is summed is read once. A bin's sum is grouped by parts, so its last bits are not those
// of the loop, but they are the same in every run.
#include "compiler/gpu/OrderedUpdate.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Memory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
namespace npcc {

bool isFloatSum(OrderedUpdate &update) {
  if (update.olds.size() != 1 || update.chain.size() != 1 || !update.olds.front()->hasOneUse())
    return false;
  Operation *combine = update.chain.front();
  Type type = combine->getResult(0).getType();
  bool isSum = isa<arith::AddFOp>(combine) ||
               (isa<arith::SubFOp>(combine) && combine->getOperand(0) == update.olds.front().getResult());
  return isSum && (type.isF32() || type.isF64()) && update.store.getValueToStore() == combine->getResult(0) &&
         update.inputs.size() == 1;
}

static Value emitBins(UpdateCode &code) {
  Value memory = code.update.store.getMemRef(), bins = code.one;
  for (int64_t axis = 0; axis < cast<MemRefType>(memory.getType()).getRank(); ++axis)
    bins = code.math().mul(bins, code.builder.createOrFold<memref::DimOp>(code.loc, memory, axis));
  return bins;
}

static Value emitElements(UpdateCode &code) { return code.math().product(code.getBounds()); }

Value emitCanSumParts(UpdateCode &code) {
  const Tuning &tuning = getTargetProperties(code.update.nest.front()).tuning;
  IndexMath m = code.math();
  Value bins = emitBins(code);
  Value least = m.max(m.constant(tuning.leastSummed), m.mul(bins, tuning.elementsPerSum));
  Value isFew = m.compare(arith::CmpIPredicate::sle, bins, m.constant(tuning.mostSums));
  Value isMany = m.compare(arith::CmpIPredicate::sge, emitElements(code), least);
  return m.both(isFew, isMany);
}

void emitPartSums(UpdateCode &code) {
  OrderedUpdate &update = code.update;
  OpBuilder &builder = code.builder;
  Location loc = code.loc;
  const Tuning &tuning = getTargetProperties(update.nest.front()).tuning;
  Value out = update.store.getMemRef();
  auto type = cast<MemRefType>(out.getType());
  IndexMath m = code.math();

  // As many parts as a device runs at once, of which blocks for ranges of the bins are some, but each with more to sum
  // than its bins are.
  Value bins = emitBins(code);
  Value leastPart = m.max(m.constant(tuning.leastPart), m.mul(bins, tuning.elementsPerSum));
  Value atOnce =
      m.div(m.constant(tuning.mostSumParts * tuning.sumsPerBlock), m.max(bins, m.constant(tuning.sumsPerBlock)));
  Value parts = m.min(m.ceilDiv(emitElements(code), leastPart), atOnce);
  Value length = m.ceilDiv(code.count, parts);

  SmallVector<Value> sizes{parts};
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    sizes.push_back(builder.createOrFold<memref::DimOp>(loc, out, axis));
  SmallVector<int64_t> shape(sizes.size(), ShapedType::kDynamic);
  Value own = np::AllocOp::create(builder, loc, MemRefType::get(shape, type.getElementType()), sizes);
  Value nothing = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type.getElementType()));
  code.emitKernel(sizes, [&](ValueRange at) { memref::StoreOp::create(builder, loc, nothing, own, at); });

  code.emitKernel(parts, [&](ValueRange part) {
    cast<np::KernelOp>(builder.getInsertionBlock()->getParentOp()).setKind(np::KernelKind::updates);
    Value from = m.mul(part[0], length);
    SmallVector<Value> ends = code.getBounds();
    ends[0] = m.max(m.min(length, m.sub(code.count, from)), code.zero);
    SmallVector<Value> starts(ends.size(), code.zero), steps(ends.size(), code.one);
    auto all = scf::ParallelOp::create(builder, loc, starts, ends, steps);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(all.getBody()->getTerminator());
    IRMapping map;
    if (update.row)
      map.map(update.row.getInductionVars(), ValueRange(all.getInductionVars()).drop_front());
    SmallVector<Value> wanted(update.store.getIndices());
    wanted.push_back(update.inputs.front());
    code.emitIteration(m.add(from, all.getInductionVars()[0]), map, wanted);
    Value value = map.lookupOrDefault(update.inputs.front());
    if (isa<arith::SubFOp>(update.chain.front()))
      value = arith::NegFOp::create(builder, loc, value);
    SmallVector<Value> bin{part[0]};
    for (Value index : update.store.getIndices())
      bin.push_back(map.lookupOrDefault(index));
    memref::AtomicRMWOp::create(builder, loc, arith::AtomicRMWKind::addf, value, own, bin);
  });

  code.emitKernel(ArrayRef(sizes).drop_front(), [&](ValueRange at) {
    auto all = scf::ParallelOp::create(
        builder, loc, code.zero, parts, code.one, nothing, [&](OpBuilder &, Location, ValueRange part, ValueRange) {
          SmallVector<Value> bin{part[0]};
          llvm::append_range(bin, at);
          Value sum = memref::LoadOp::create(builder, loc, own, bin);
          auto reduce = scf::ReduceOp::create(builder, loc, sum);
          Block &body = reduce.getReductions().front().front();
          OpBuilder inside = OpBuilder::atBlockEnd(&body);
          Value total = arith::AddFOp::create(inside, loc, body.getArgument(0), body.getArgument(1));
          scf::ReduceReturnOp::create(inside, loc, total);
        });
    Value old = memref::LoadOp::create(builder, loc, out, at);
    memref::StoreOp::create(builder, loc, arith::AddFOp::create(builder, loc, old, all.getResult(0)), out, at);
  });
  np::ReleaseOp::create(builder, loc, own);
}

} // namespace npcc
