// Elements of reductions: loops inside the kernel.
#include "compiler/kernels/ElementModels.h"
#include "compiler/kernels/Elements.h"
#include "compiler/kernels/ScalarOps.h"
#include "compiler/memory/FirstCall.h"
#include "compiler/target/Target.h"
#include "dialects/Np/ElementBytes.h"
#include "dialects/Np/NarrowFloats.h"
#include "dialects/Np/Ufunc.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace npcc::np;

namespace npcc {

/// An inner loop over the axes of the input with one reduction; `element` computes what is combined.
static Value reduceLoop(ElementEmitter &elements, Location loc, ReduceOp op, Ufunc combiner, Type type,
                        ArrayRef<Value> position, llvm::function_ref<Value(ArrayRef<Value>, ValueRange)> element) {
  OpBuilder &builder = elements.getBuilder();
  SmallVector<Value> extents = getResolvedExtents(builder, loc, op.getInput(), elements.getOrigins());
  SmallVector<Value> lower, upper, step;
  for (int64_t axis : op.getAxes()) {
    lower.push_back(arith::ConstantIndexOp::create(builder, loc, 0));
    upper.push_back(extents[axis]);
    step.push_back(arith::ConstantIndexOp::create(builder, loc, 1));
  }
  Value neutral = emitNeutral(builder, loc, combiner, type);
  auto loop = scf::ParallelOp::create(builder, loc, lower, upper, step, ValueRange{neutral});
  if (op.getProduct())
    loop->setAttr("np.product", builder.getUnitAttr());
  OpBuilder::InsertionGuard guard(builder);
  Block *body = loop.getBody();
  if (!body->empty() && body->back().hasTrait<OpTrait::IsTerminator>())
    body->back().erase();
  builder.setInsertionPointToEnd(body);
  elements.inScope([&] {
    SmallVector<Value> inner;
    size_t outerNext = 0, innerNext = 0;
    for (int64_t axis = 0; axis < getRank(op.getInput().getType()); ++axis)
      inner.push_back(llvm::is_contained(op.getAxes(), axis) ? loop.getBody()->getArguments()[innerNext++]
                                                             : position[outerNext++]);
    Value combined = element(inner, loop.getBody()->getArguments());
    auto reduction = scf::ReduceOp::create(builder, loc, combined);
    Block &combine = reduction.getReductions().front().front();
    builder.setInsertionPointToEnd(&combine);
    Value result = emitCombine(builder, loc, combiner, combine.getArgument(0), combine.getArgument(1), type);
    scf::ReduceReturnOp::create(builder, loc, result);
  });
  return loop.getResult(0);
}

static Value reduce(ElementEmitter &elements, Location loc, ReduceOp op, ArrayRef<Value> position) {
  OpBuilder &builder = elements.getBuilder();
  Type type = getElementType(op.getInput().getType());
  // Half precision is summed in single, as NumPy does; bfloat16 too, where ml_dtypes rounds each partial sum.
  bool widen = isNarrowFloat(type);
  Type computed = widen ? builder.getF32Type() : type;
  Ufunc combiner = getCombiner(op.getKind());
  Value result = reduceLoop(elements, loc, op, combiner, computed, position, [&](ArrayRef<Value> inner, ValueRange) {
    return emitCast(builder, loc, elements.emit(loc, op.getInput(), inner), type, computed);
  });
  return emitCast(builder, loc, result, computed, type);
}

/// Whether an extremum and its position are found together. Elements of fewer bytes are so many for each access that
/// two plain reductions take less time than the work on keys.
static bool isFoundByKeys(ReduceOp op, Type type) {
  return !getTargetProperties(op).hostSharesMemory && type.isIntOrFloat() && getElementBytes(type) >= 4;
}

/// Whether 32 bits hold each position along the axis in the call that the code is for, which it then takes for granted.
static bool isShortAxis(ElementEmitter &elements, Location loc, ReduceOp op) {
  OpBuilder &builder = elements.getBuilder();
  Value extent = getResolvedExtents(builder, loc, op.getInput(), elements.getOrigins())[op.getAxes().front()];
  FirstCall first(op->getParentOfType<func::FuncOp>());
  IntegerAttr known = first.evaluate(extent);
  constexpr int64_t limit = int64_t(1) << 32;
  if (!known || known.getInt() > limit)
    return false;
  first.require(arith::CmpIPredicate::sle, extent, arith::ConstantIndexOp::create(builder, loc, limit));
  return true;
}

/// The extremum and its position as one number: the element's bits, so that they compare as integers do, above its
/// position. One reduction finds the first of equal elements, or the first NaN, and reads memory once. A key of 64 bits
/// takes half of the registers, and less than half of the instructions, of one of 128.
static Value findByKeys(ElementEmitter &elements, Location loc, ReduceOp op, ArrayRef<Value> position) {
  OpBuilder &builder = elements.getBuilder();
  Type type = getElementType(op.getInput().getType());
  bool isLeast = op.getKind() == Reduction::argmin;
  unsigned width = type.getIntOrFloatBitWidth();
  unsigned half = width <= 32 && isShortAxis(elements, loc, op) ? 32 : 64;
  Type bitsType = builder.getIntegerType(width), i64 = builder.getI64Type();
  Type key = builder.getIntegerType(2 * half), indexType = builder.getIntegerType(half);
  auto constant = [&](Type of, const APInt &value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(of, value));
  };
  Value found = reduceLoop(
      elements, loc, op, getCombiner(op.getKind()), key, position,
      [&](ArrayRef<Value> inner, ValueRange loop) -> Value {
        Value element = elements.emit(loc, op.getInput(), inner), bits = element;
        if (isa<FloatType>(type)) {
          // -0.0 equals 0.0. Negative numbers have the sign and the magnitude: the smaller the magnitude, the greater.
          Value zero = emitConstant(builder, loc, type, 0);
          bits = arith::BitcastOp::create(builder, loc, bitsType, arith::AddFOp::create(builder, loc, element, zero));
          Value sign = arith::ShRSIOp::create(builder, loc, bits, constant(bitsType, APInt(width, width - 1)));
          Value magnitude = constant(bitsType, APInt::getSignedMaxValue(width));
          bits = arith::XOrIOp::create(builder, loc, bits, arith::AndIOp::create(builder, loc, sign, magnitude));
          // The first NaN is the extremum.
          Value beyond =
              constant(bitsType, isLeast ? APInt::getSignedMinValue(width) : APInt::getSignedMaxValue(width));
          Value isNan = emitUfunc(builder, loc, Ufunc::isnan, {element}, type);
          bits = arith::SelectOp::create(builder, loc, isNan, beyond, bits);
        } else if (type.isUnsignedInteger()) {
          bits = arith::XOrIOp::create(builder, loc, bits, constant(bitsType, APInt::getSignedMinValue(width)));
        }
        Value index = arith::IndexCastOp::create(builder, loc, indexType, loop[0]);
        if (!isLeast) // the first of equal elements has the greater key
          index = arith::XOrIOp::create(builder, loc, index, constant(indexType, APInt::getAllOnes(half)));
        Value high = arith::ShLIOp::create(builder, loc, arith::ExtSIOp::create(builder, loc, key, bits),
                                           constant(key, APInt(2 * half, half)));
        return arith::OrIOp::create(builder, loc, high, arith::ExtUIOp::create(builder, loc, key, index));
      });
  Value index = arith::TruncIOp::create(builder, loc, indexType, found);
  if (!isLeast)
    index = arith::XOrIOp::create(builder, loc, index, constant(indexType, APInt::getAllOnes(half)));
  return half == 64 ? index : arith::ExtUIOp::create(builder, loc, i64, index).getResult();
}

/// The extremum first, then the first position that holds it (or a NaN): two reductions, both deterministic.
static Value findExtremum(ElementEmitter &elements, Location loc, ReduceOp op, ArrayRef<Value> position) {
  OpBuilder &builder = elements.getBuilder();
  Type type = getElementType(op.getInput().getType());
  if (isFoundByKeys(op, type))
    return findByKeys(elements, loc, op, position);
  Value extremum =
      reduceLoop(elements, loc, op, getCombiner(op.getKind()), type, position,
                 [&](ArrayRef<Value> inner, ValueRange) { return elements.emit(loc, op.getInput(), inner); });
  Type i64 = builder.getI64Type();
  return reduceLoop(
      elements, loc, op, Ufunc::minimum, i64, position, [&](ArrayRef<Value> inner, ValueRange loop) -> Value {
        Value element = elements.emit(loc, op.getInput(), inner);
        Value hit = emitUfunc(builder, loc, Ufunc::equal, {element, extremum}, type);
        if (isa<FloatType, ComplexType>(type))
          hit = arith::OrIOp::create(builder, loc, hit, emitUfunc(builder, loc, Ufunc::isnan, {element}, type));
        Value index = arith::IndexCastOp::create(builder, loc, i64, loop[0]);
        Value none = emitNeutral(builder, loc, Ufunc::minimum, i64);
        return arith::SelectOp::create(builder, loc, hit, index, none);
      });
}

namespace {
struct ReduceElement : ElementOpInterface::ExternalModel<ReduceElement, ReduceOp> {
  Value emitElement(Operation *op, ElementEmitter &elements, Location, ArrayRef<Value> position) const {
    auto reduction = cast<ReduceOp>(op);
    return isPosition(reduction.getKind()) ? findExtremum(elements, op->getLoc(), reduction, position)
                                           : reduce(elements, op->getLoc(), reduction, position);
  }
};
} // namespace

void attachReductions(MLIRContext *context) { ReduceOp::attachInterface<ReduceElement>(*context); }

} // namespace npcc
