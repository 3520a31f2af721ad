// Elements of values, asked for from the sink's side.
#include "compiler/kernels/Elements.h"
#include "compiler/kernels/ScalarOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace npcc::np;

#include "compiler/kernels/ElementInterface.cpp.inc"

namespace npcc {

SmallVector<Value> getResolvedExtents(OpBuilder &builder, Location loc, Value value, ExtentOrigins &origins) {
  SmallVector<Value> extents;
  for (int64_t axis = 0; axis < getRank(value.getType()); ++axis)
    extents.push_back(materializeExtent(builder, loc, origins.of(value, axis)));
  return extents;
}

void ElementEmitter::inScope(llvm::function_ref<void()> body) {
  scopes.emplace_back();
  body();
  SmallVector<Value> ended = scopes.pop_back_val();
  for (Value value : ended)
    known[value].pop_back();
}

Value ElementEmitter::emit(Location loc, Value value, ArrayRef<Value> position) {
  if (!isa<RankedTensorType>(value.getType()))
    return value;
  for (const Element &each : known[value])
    if (ArrayRef(each.position) == position)
      return each.element;
  SmallVector<Value, 4> at(position);
  Operation *producer = value.getDefiningOp();
  auto model = dyn_cast<ElementOpInterface>(producer);
  Value element = model ? model.emitElement(*this, loc, position)
                        : refuse(producer, "internal: " + producer->getName().getStringRef() + " has no element form");
  known[value].push_back({std::move(at), element});
  scopes.back().push_back(value);
  return element;
}

std::pair<Value, SmallVector<Value>> ElementEmitter::locate(Location loc, Value array, ArrayRef<Value> position) {
  SmallVector<Value> at(position);
  for (;;) {
    if (Value buffer = buffers.lookup(array))
      return {buffer, at};
    if (auto view = array.getDefiningOp<ViewOp>()) {
      at = throughView(loc, view, at);
      array = view.getSource();
    } else if (auto reshape = array.getDefiningOp<ReshapeOp>()) {
      if (Value memory = reshaped(loc, array, reshape.getExtents()))
        return {memory, at};
      at = throughReshape(loc, reshape, at);
      array = reshape.getSource();
    } else {
      return {array, at};
    }
  }
}

Value ElementEmitter::load(Location loc, Value array, ArrayRef<Value> position) {
  Type type = getElementType(array.getType());
  auto [buffer, at] = locate(loc, array, position);
  return fromMemory(builder, loc, memref::LoadOp::create(builder, loc, buffer, at), type);
}

void ElementEmitter::store(Location loc, Value element, Value array, ArrayRef<Value> position) {
  Type type = getElementType(array.getType());
  auto [buffer, at] = locate(loc, array, position);
  memref::StoreOp::create(builder, loc, toMemory(builder, loc, element, type), buffer, at);
}

Value ElementEmitter::refuse(Operation *producer, const Twine &what) {
  producer->emitError(what);
  failed = true;
  return makePoison(producer->getLoc(), getElementType(producer->getResult(0).getType()));
}

Value ElementEmitter::makePoison(Location loc, Type type) {
  return ub::PoisonOp::create(builder, loc, getRegisterType(type), ub::PoisonAttr::get(builder.getContext()));
}

} // namespace npcc
