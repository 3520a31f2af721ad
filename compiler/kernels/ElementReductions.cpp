// Elements of reductions: loops inside the kernel.
#include "compiler/kernels/ElementModels.h"
#include "compiler/kernels/Elements.h"
#include "compiler/kernels/ScalarOps.h"
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
  if (op->hasAttr("np.product"))
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

/// The extremum first, then the first position that holds it (or a NaN): two reductions, both deterministic.
static Value findExtremum(ElementEmitter &elements, Location loc, ReduceOp op, ArrayRef<Value> position) {
  OpBuilder &builder = elements.getBuilder();
  Type type = getElementType(op.getInput().getType());
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
