// Elements of elementwise values.
#include "compiler/kernels/ElementModels.h"
#include "compiler/kernels/Elements.h"
#include "compiler/kernels/ScalarOps.h"
#include "dialects/Np/Ufunc.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace npcc::np;

namespace npcc {
namespace {

struct LoadElement : ElementOpInterface::ExternalModel<LoadElement, LoadOp> {
  Value emitElement(Operation *op, ElementEmitter &elements, Location loc, ArrayRef<Value> position) const {
    return elements.load(loc, cast<LoadOp>(op).getArray(), position);
  }
};

struct UfuncElement : ElementOpInterface::ExternalModel<UfuncElement, UfuncOp> {
  Value emitElement(Operation *producer, ElementEmitter &elements, Location loc, ArrayRef<Value> position) const {
    auto op = cast<UfuncOp>(producer);
    // Scalars have no position.
    auto emit = [&](Value input) {
      return elements.emit(loc, input, getRank(input.getType()) ? position : ArrayRef<Value>());
    };
    if (elements.isBranch(op))
      return emitBranch(op, elements, loc, emit);
    SmallVector<Value> operands = llvm::map_to_vector(op.getInputs(), emit);
    // Scalars are signless by now: a value says whether integers are unsigned.
    Type computed = getElementType(op.getInputs().back().getType());
    for (Value input : op.getInputs().drop_front(op.getName() == Ufunc::where ? 1 : 0))
      if (isa<RankedTensorType>(input.getType()))
        computed = getElementType(input.getType());
    if (Value result = emitUfunc(elements.getBuilder(), op.getLoc(), op.getName(), operands, computed))
      return result;
    return elements.refuse(op, "numpy." + stringifyUfunc(op.getName()) + " of complex numbers cannot be compiled");
  }

  static Value emitBranch(UfuncOp op, ElementEmitter &elements, Location loc, llvm::function_ref<Value(Value)> emit) {
    OpBuilder &builder = elements.getBuilder();
    Value mask = emit(op.getInputs()[0]);
    auto branch = scf::IfOp::create(builder, op.getLoc(), getRegisterType(getElementType(op.getType())), mask,
                                    /*withElseRegion=*/true);
    for (auto [block, chosen] :
         {std::pair(branch.thenBlock(), op.getInputs()[1]), std::pair(branch.elseBlock(), op.getInputs()[2])}) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToEnd(block);
      elements.inScope([&] { scf::YieldOp::create(builder, loc, emit(chosen)); });
    }
    return branch.getResult(0);
  }
};

struct CastElement : ElementOpInterface::ExternalModel<CastElement, CastOp> {
  Value emitElement(Operation *producer, ElementEmitter &elements, Location loc, ArrayRef<Value> position) const {
    auto op = cast<CastOp>(producer);
    Type from = getElementType(op.getInput().getType()), to = getElementType(op.getType());
    return emitCast(elements.getBuilder(), op.getLoc(), elements.emit(loc, op.getInput(), position), from, to);
  }
};

struct FullElement : ElementOpInterface::ExternalModel<FullElement, FullOp> {
  Value emitElement(Operation *op, ElementEmitter &, Location, ArrayRef<Value>) const {
    return cast<FullOp>(op).getValue();
  }
};

struct ArangeElement : ElementOpInterface::ExternalModel<ArangeElement, ArangeOp> {
  Value emitElement(Operation *producer, ElementEmitter &elements, Location loc, ArrayRef<Value> position) const {
    auto op = cast<ArangeOp>(producer);
    OpBuilder &builder = elements.getBuilder();
    Type type = getElementType(op.getType());
    Value index = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), position[0]);
    Value i = emitCast(builder, loc, index, builder.getI64Type(), type);
    Value scaled = emitUfunc(builder, loc, Ufunc::multiply, {i, op.getStep()}, type);
    Value element = emitUfunc(builder, loc, Ufunc::add, {op.getStart(), scaled}, type);
    if (!isa<FloatType>(type))
      return element;
    // The first is `start` itself, which may be -0.0, and the step infinite.
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, position[0], zero);
    return arith::SelectOp::create(builder, loc, isFirst, op.getStart(), element);
  }
};

/// A NumPy scalar that a branch chose: max(a[i], a[j]).
struct SelectElement : ElementOpInterface::ExternalModel<SelectElement, arith::SelectOp> {
  Value emitElement(Operation *producer, ElementEmitter &elements, Location loc, ArrayRef<Value> position) const {
    auto op = cast<arith::SelectOp>(producer);
    if (!position.empty())
      return elements.refuse(op, "internal: a choice between arrays has no element form");
    Value chosen = elements.emit(loc, op.getTrueValue(), {}), other = elements.emit(loc, op.getFalseValue(), {});
    return arith::SelectOp::create(elements.getBuilder(), loc, op.getCondition(), chosen, other);
  }
};

/// A name that is not bound on some path holds this there, and nothing reads it.
struct PoisonElement : ElementOpInterface::ExternalModel<PoisonElement, ub::PoisonOp> {
  Value emitElement(Operation *op, ElementEmitter &elements, Location loc, ArrayRef<Value>) const {
    return elements.makePoison(loc, getElementType(op->getResult(0).getType()));
  }
};

} // namespace

void registerElementModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, NpDialect *) {
    LoadOp::attachInterface<LoadElement>(*context);
    UfuncOp::attachInterface<UfuncElement>(*context);
    CastOp::attachInterface<CastElement>(*context);
    FullOp::attachInterface<FullElement>(*context);
    ArangeOp::attachInterface<ArangeElement>(*context);
    attachMoves(context);
    attachReductions(context);
    attachSearch(context);
    attachRandom(context);
  });
  registry.addExtension(
      +[](MLIRContext *context, arith::ArithDialect *) { arith::SelectOp::attachInterface<SelectElement>(*context); });
  registry.addExtension(
      +[](MLIRContext *context, ub::UBDialect *) { ub::PoisonOp::attachInterface<PoisonElement>(*context); });
}

} // namespace npcc
