#include "compiler/gpu/emit/RowLengths.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
namespace npcc::cuda {

/// Whether a number is computed, in the kernel, of what was loaded.
static bool isLoaded(Value value, Operation *kernel, llvm::SmallDenseSet<Value> &seen) {
  Operation *op = value.getDefiningOp();
  if (isInvariant(value, kernel) || !op || !seen.insert(value).second)
    return false;
  return isa<memref::LoadOp>(op) ||
         llvm::any_of(op->getOperands(), [&](Value operand) { return isLoaded(operand, kernel, seen); });
}

Value emitMeanLength(HostSide &host, scf::ParallelOp inner, Value rows) {
  Operation *kernel = host.getKernel();
  IndexMath h = host.math();
  Value position = inner.getInductionVars().back(), shortest;
  for (Operation *op : host.getAccesses().getOps()) {
    const Stream &stream = *host.getAccesses().lookup(op).stream;
    int64_t axis = inner->isAncestor(op) ? stream.getUnitAxis(position) : -1;
    if (axis < 0)
      continue;
    Value length = host.getExtent(stream.memref, axis);
    llvm::SmallDenseSet<Value> seen;
    if (llvm::any_of(stream.terms[axis], [&](const Term &term) { return isLoaded(term.leaf, kernel, seen); }))
      length = h.ceilDiv(length, h.max(rows, h.constant(1)));
    shortest = shortest ? h.min(shortest, length) : length;
  }
  return shortest;
}

Value emitEnd(HostSide &host, Value number, bool most) {
  IndexMath h = host.math();
  if (std::optional<int64_t> known = getConstantIntValue(number))
    return h.constant(*known);
  if (isInvariant(number, host.getKernel()))
    return number.getType().isIndex()
               ? number
               : Value(arith::IndexCastOp::create(h.builder, h.loc, h.builder.getIndexType(), number));
  if (auto position = dyn_cast<BlockArgument>(number)) {
    auto loop = dyn_cast<scf::ForOp>(position.getOwner()->getParentOp());
    if (!loop || position != loop.getInductionVar())
      return Value();
    Value end = emitEnd(host, most ? loop.getUpperBound() : loop.getLowerBound(), most);
    return end && most ? h.sub(end, 1) : end;
  }
  Operation *op = number.getDefiningOp();
  if (isa<arith::IndexCastOp>(op))
    return emitEnd(host, op->getOperand(0), most);
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MinSIOp, arith::MaxSIOp>(op))
    return Value();
  Value a = emitEnd(host, op->getOperand(0), most),
        b = emitEnd(host, op->getOperand(1), isa<arith::SubIOp>(op) ? !most : most);
  if (isa<arith::MinSIOp, arith::MaxSIOp>(op)) {
    bool isOfEither = isa<arith::MinSIOp>(op) == most; // each of the two is an end then
    if (!a || !b)
      return isOfEither ? (a ? a : b) : Value();
    return isa<arith::MinSIOp>(op) ? h.min(a, b) : h.max(a, b);
  }
  if (!a || !b)
    return Value();
  return isa<arith::AddIOp>(op) ? h.add(a, b) : h.sub(a, b);
}

bool hoistLength(Value number, Operation *kernel) {
  if (isInvariant(number, kernel))
    return true;
  auto hoistAll = [&](ValueRange values) {
    return llvm::all_of(values, [&](Value value) { return hoistLength(value, kernel); });
  };
  if (auto position = dyn_cast<BlockArgument>(number)) {
    Operation *owner = position.getOwner()->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(owner))
      return position == loop.getInductionVar() && hoistAll({loop.getLowerBound(), loop.getUpperBound()});
    auto loop = dyn_cast<scf::ParallelOp>(owner);
    return owner == kernel || (loop && llvm::is_contained(loop.getInductionVars(), position) &&
                               hoistAll(loop.getLowerBound()) && hoistAll(loop.getUpperBound()));
  }
  Operation *op = number.getDefiningOp();
  if (!isa<arith::ArithDialect>(op->getDialect()) || !hoistAll(op->getOperands()))
    return false;
  if (!llvm::all_of(op->getOperands(), [&](Value operand) { return isInvariant(operand, kernel); }))
    return true;
  if (!isSpeculatable(op))
    return false;
  op->moveBefore(kernel);
  return true;
}

Value emitIsMultiple(HostSide &host, Value number, int64_t power) {
  IndexMath h = host.math();
  Operation *op = number.getDefiningOp();
  auto ask = [&](unsigned operand) { return emitIsMultiple(host, op->getOperand(operand), power); };
  auto askBoth = [&](unsigned first, unsigned second) {
    Value left = ask(first), right = left ? ask(second) : Value();
    return right ? h.both(left, right) : Value();
  };
  if (isInvariant(number, host.getKernel())) {
    // The least of several is one of them, and may be one that is always a multiple. Of a product's factors the last
    // one decides, which is the extent of the last axis: vectors ask for that anyway.
    if (isa_and_nonnull<arith::MinSIOp, arith::MaxSIOp>(op))
      return askBoth(0, 1);
    if (isa_and_nonnull<arith::MulIOp>(op) && !getConstantIntValue(op->getOperand(1)))
      return ask(1);
    return h.isMultiple(number, power);
  }
  if (isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::MinSIOp, arith::MaxSIOp>(op))
    return askBoth(0, 1);
  if (isa_and_nonnull<arith::SelectOp>(op))
    return askBoth(1, 2);
  if (isa_and_nonnull<arith::MulIOp>(op)) {
    // What is the same in all iterations can be asked.
    unsigned operand = isInvariant(op->getOperand(0), host.getKernel()) ? 0 : 1;
    return ask(operand);
  }
  return {};
}

} // namespace npcc::cuda
