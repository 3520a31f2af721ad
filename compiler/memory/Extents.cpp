// Where an extent comes from.
#include "compiler/memory/Extents.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Values.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace npcc::np;

namespace npcc {

ExtentOrigins::ExtentOrigins(Operation *op) : isResolved(true) {
  auto function = dyn_cast<func::FuncOp>(op);
  if (!function)
    function = op->getParentOfType<func::FuncOp>();
  unresolved = function;
  auto guards = function->getAttrOfType<DenseI64ArrayAttr>("np.guards");
  if (!guards)
    return;
  ArrayRef<int64_t> list = guards.asArrayRef();
  for (; list.size() >= 4; list = list.drop_front(4))
    unified[{function.getArgument(list[2]), list[3]}] =
        list[0] < 0 ? ExtentOrigin{Value(), -1, list[1]} : ExtentOrigin{function.getArgument(list[0]), list[1], -1};
}

ExtentOrigin ExtentOrigins::ofIndex(Value index) {
  APInt constant;
  if (matchPattern(index, m_ConstantInt(&constant)))
    return {Value(), -1, constant.getSExtValue()};
  if (auto dim = index.getDefiningOp<DimOp>())
    return of(dim.getSource(), dim.getAxis());
  return {index, -1, -1};
}

ExtentOrigin ExtentOrigins::of(Value value, int64_t axis) {
  if (auto it = known.find({value, axis}); it != known.end())
    return it->second;
  ExtentOrigin origin = follow(value, axis);
  while (origin.axis >= 0) {
    auto it = unified.find({origin.value, origin.axis});
    if (it == unified.end())
      break;
    origin = it->second;
  }
  known[{value, axis}] = origin;
  return origin;
}

void ExtentOrigins::forget(Value value) {
  for (int64_t axis = 0; axis < getRank(value.getType()); ++axis)
    known.erase({value, axis});
}

void ExtentOrigins::unify(const ExtentOrigin &origin, const ExtentOrigin &with) {
  unified[{origin.value, origin.axis}] = with;
  forget();
}

void ExtentOrigins::setUnified(Origins origins) {
  unified = std::move(origins);
  forget();
}

ExtentOrigin ExtentOrigins::follow(Value value, int64_t axis) {
  int64_t known = getShape(value.getType())[axis];
  if (!ShapedType::isDynamic(known))
    return {Value(), -1, known};
  if (auto it = assumed.find({value, axis}); it != assumed.end())
    return it->second;
  Operation *producer = value.getDefiningOp();
  bool isCarried = producer ? isa<scf::ForOp, scf::WhileOp>(producer) : !isa<func::FuncOp>(cast<BlockArgument>(value).getOwner()->getParentOp());
  if (isCarried && unresolved) {
    resolveLoops(std::exchange(unresolved, {}));
    return follow(value, axis);
  }
  if (!producer)
    return {value, axis, -1};
  if (auto op = dyn_cast<ValueOpInterface>(producer))
    if (ExtentSource source = op.getExtentSource(axis); source.value != value)
      return source.axis < 0 ? ofIndex(source.value) : of(source.value, source.axis);
  if (auto op = dyn_cast<PartOp>(producer))
    return ofIndex(op.getExtents()[axis]);
  if (auto op = dyn_cast<ReshapeStridedOp>(producer))
    return ofIndex(op.getExtents()[axis]);
  if (auto op = dyn_cast<MakeRoomOp>(producer); op && axis > 0)
    return ofIndex(op.getExtents()[axis - 1]);
  if (auto op = dyn_cast<EmptyOp>(producer)) {
    ArrayRef<int64_t> shape = getShape(op.getArray().getType());
    return ofIndex(op.getExtents()[llvm::count(shape.take_front(axis), ShapedType::kDynamic)]);
  }
  if (auto op = dyn_cast<NewOp>(producer))
    return of(op.getValue(), axis);
  if (auto op = dyn_cast<LoadOp>(producer))
    return of(op.getArray(), axis);
  if (auto op = dyn_cast<UfuncOp>(producer)) {
    // All operands agree, or it is the broadcast of two unknowns and an origin of its own.
    ExtentOrigin common;
    for (Value input : op.getInputs()) {
      int64_t inputAxis = axis - (getRank(value.getType()) - getRank(input.getType()));
      if (inputAxis < 0)
        continue;
      ExtentOrigin origin = of(input, inputAxis);
      if (origin.constant == 1)
        continue;
      if (!common.isKnown())
        common = origin;
      else if (!(common == origin) && !isResolved)
        return {value, axis, -1};
    }
    return common.isKnown() ? common : ExtentOrigin{Value(), -1, 1};
  }
  return {value, axis, -1};
}

//===---- Loops ----------------------------------------------------------------------------------------------------===//

SmallVector<CarriedArray> getCarriedArrays(Operation *op) {
  SmallVector<CarriedArray> carried;
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    for (auto [inside, init, result, yielded] :
         llvm::zip(loop.getRegionIterArgs(), loop.getInitArgs(), loop.getResults(), loop.getYieldedValues()))
      carried.push_back({inside, init, result, {yielded}});
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    auto condition = loop.getConditionOp();
    auto yield = loop.getYieldOp();
    for (auto [inside, init, yielded] : llvm::zip(loop.getBeforeArguments(), loop.getInits(), yield.getOperands()))
      carried.push_back({inside, init, Value(), {yielded}});
    for (auto [inside, given, result] : llvm::zip(loop.getAfterArguments(), condition.getArgs(), loop.getResults()))
      carried.push_back({inside, given, result, {}});
  }
  llvm::erase_if(carried, [](const CarriedArray &each) { return getRank(each.inside.getType()) == 0; });
  return carried;
}

bool ExtentOrigins::resolveLoops(func::FuncOp function, bool isOptimistic) {
  assumed.clear();
  forget();
  SmallVector<Operation *> loops;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<scf::ForOp, scf::WhileOp>(op))
      loops.push_back(op);
  });
  SmallVector<std::pair<CarriedArray, int64_t>> open;
  for (Operation *loop : loops)
    for (CarriedArray &carried : getCarriedArrays(loop))
      for (int64_t axis = 0; axis < getRank(carried.inside.getType()); ++axis) {
        // What was found stays right: an array that comes into a loop is made of loops before and around it, which are
        // assumed already.
        ExtentOrigin origin = of(carried.init, axis);
        // What a `while` finds in its condition nobody sees behind it.
        if (origin.value && loop->isAncestor(origin.value.getParentRegion()->getParentOp())) {
          assumed[{carried.inside, axis}] = {carried.inside, axis, -1};
          assumed[{carried.result, axis}] = {carried.result, axis, -1};
          continue;
        }
        assumed[{carried.inside, axis}] = origin;
        if (carried.result)
          assumed[{carried.result, axis}] = origin;
        open.push_back({carried, axis});
      }
  bool allHold = true;
  for (bool changed = !isOptimistic; changed;) {
    changed = false;
    llvm::erase_if(open, [&](auto &entry) {
      auto &[carried, axis] = entry;
      auto holds = [&, axis = axis, &carried = carried] {
        ExtentOrigin origin = assumed[{carried.inside, axis}];
        if (!(of(carried.init, axis) == origin))
          return false;
        return llvm::all_of(carried.handedOn, [&](Value next) {
          return getRank(next.getType()) == getRank(carried.inside.getType()) && of(next, axis) == origin;
        });
      };
      if (holds())
        return false;
      changed = true;
      allHold = false;
      assumed[{carried.inside, axis}] = {carried.inside, axis, -1};
      if (carried.result)
        assumed[{carried.result, axis}] = {carried.result, axis, -1};
      forget();
      return true;
    });
  }
  return allHold;
}

Value materializeExtent(OpBuilder &builder, Location loc, const ExtentOrigin &origin) {
  if (origin.constant >= 0)
    return arith::ConstantIndexOp::create(builder, loc, origin.constant);
  if (origin.axis < 0)
    return origin.value;
  return DimOp::create(builder, loc, origin.value, origin.axis);
}

} // namespace npcc
