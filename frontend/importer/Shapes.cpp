// Views that keep all elements: transposition, new axes, reshape.
#include "frontend/importer/FunctionImporter.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace npcc::frontend {

Value FunctionImporter::permute(Value source, ArrayRef<int64_t> order) {
  bool isIdentity = true;
  for (auto [k, axis] : llvm::enumerate(order))
    isIdentity &= static_cast<int64_t>(k) == axis;
  auto array = dyn_cast<np::ArrayType>(source.getType());
  if (isIdentity && !array)
    return source;
  SmallVector<Value> offsets, extents, steps;
  SmallVector<int64_t> shape;
  ArrayRef<int64_t> sourceShape = np::getShape(source.getType());
  for (int64_t axis : order) {
    offsets.push_back(index(0));
    steps.push_back(index(1));
    extents.push_back(dim(source, axis));
    shape.push_back(sourceShape[axis]);
  }
  Type element = np::getElementType(source.getType());
  Type type = array ? Type(np::ArrayType::get(context, shape, element, isIdentity && array.getContiguous())) : RankedTensorType::get(shape, element);
  auto view = np::ViewOp::create(builder, here(), type, source, offsets, order, extents, steps);
  if (!isIdentity && llvm::is_sorted(llvm::reverse(order))) // how it lies in memory follows (Layouts.cpp)
    view->setAttr("np.transposition", builder.getUnitAttr());
  return view;
}

Value FunctionImporter::expandDims(Value source, ArrayRef<int64_t> positions) {
  int64_t rank = np::getRank(source.getType()) + positions.size();
  SmallVector<AxisIndex> axes;
  for (int64_t axis = 0; axis < rank; ++axis)
    axes.push_back({llvm::is_contained(positions, axis) ? AxisIndex::NewAxis : AxisIndex::Whole, {}, {}, {}, {}});
  return makeView(source, axes, /*isObject=*/true);
}

Value FunctionImporter::reshape(Value source, ArrayRef<Value> extents, ArrayRef<int64_t> shape, bool ravel) {
  SmallVector<int64_t> known(shape);
  if (known.empty())
    for (Value extent : extents)
      known.push_back(matchPattern(extent, m_One()) ? 1 : ShapedType::kDynamic);
  Type element = np::getElementType(source.getType());
  auto array = dyn_cast<np::ArrayType>(source.getType());
  if (array && !array.getContiguous())
    return np::ReshapeStridedOp::create(builder, here(), np::ArrayType::get(context, known, element, false), source, extents, ravel);
  Type type = array ? Type(np::ArrayType::get(context, known, element, true)) : RankedTensorType::get(known, element);
  return np::ReshapeOp::create(builder, here(), type, source, extents);
}

Value FunctionImporter::part(StringRef kind, Value source) {
  auto type = cast<np::ArrayType>(source.getType());
  SmallVector<Value> extents = dims(source);
  SmallVector<int64_t> shape(type.getShape());
  Type element = type.getElementType();
  if (kind == "diagonal") {
    Value columns = extents.pop_back_val();
    int64_t width = shape.pop_back_val();
    shape.back() = shape.back() == 1 || width == 1 ? 1 : ShapedType::kDynamic;
    extents.back() =
        shape.back() == 1 ? index(1) : builder.createOrFold<arith::MinSIOp>(here(), extents.back(), columns);
  } else if (kind != "read_only") {
    element = cast<ComplexType>(element).getElementType();
  }
  bool isContiguous = kind == "read_only" && type.getContiguous();
  return np::PartOp::create(builder, here(), np::ArrayType::get(context, shape, element, isContiguous), kind, source,
                            extents);
}

namespace {
/// What a view is made of, from the view itself to the array that it is a view of.
template <typename Visit> Value followViews(Value array, Visit visit) {
  while (Operation *producer = array.getDefiningOp()) {
    if (!isa<np::ViewOp, np::ReshapeOp, np::ReshapeStridedOp, np::PartOp>(producer))
      break;
    visit(producer);
    array = producer->getOperand(0);
  }
  return array;
}
bool isReadOnly(Operation *producer) {
  auto part = dyn_cast<np::PartOp>(producer);
  return part && part.getKind() == "read_only";
}
} // namespace

void FunctionImporter::checkWritable(Value array, StringRef words) {
  // A reshape of an array that may not be contiguous is a view or a copy, which is new: that shows at run time.
  bool mayBeCopy = false, asks = function->hasAttr("np.general"), refuses = false;
  Value root = followViews(array, [&](Operation *producer) {
    mayBeCopy |= isa<np::ReshapeStridedOp>(producer);
    if (isReadOnly(producer))
      (mayBeCopy ? asks : refuses) = true;
  });
  if (refuses)
    return check(arith::ConstantOp::create(builder, here(), builder.getBoolAttr(false)), "ValueError", words);
  if (!asks || (isa_and_nonnull<np::NewOp, np::EmptyOp>(root.getDefiningOp()) && !mayBeCopy))
    return;
  Value yes = arith::ConstantOp::create(builder, here(), builder.getBoolAttr(true));
  Value readOnly = np::IsReadOnlyOp::create(builder, here(), builder.getI1Type(), array);
  check(arith::XOrIOp::create(builder, here(), readOnly, yes), "ValueError", words);
}

/// Names that control flow joins hide whether they are read-only views: stores into what they hold ask at run time.
void FunctionImporter::checkHiddenViews() {
  llvm::SetVector<Value> slots;
  auto mayBeReadOnly = [&](Value array) {
    bool found = false;
    Value root = followViews(array, [&](Operation *producer) { found |= isReadOnly(producer); });
    auto get = root.getDefiningOp<np::GetOp>();
    return found || (get && slots.contains(get.getSlot()));
  };
  for (bool changed = true; changed;) {
    changed = false;
    function.walk([&](np::SetOp op) {
      if (isa<np::ArrayType>(op.getValue().getType()) && mayBeReadOnly(op.getValue()))
        changed |= slots.insert(op.getSlot());
    });
  }
  if (slots.empty() || function->hasAttr("np.general"))
    return;
  function.walk([&](Operation *op) {
    Value array;
    if (isa<np::StoreOp, np::StoreMaskedOp>(op))
      array = op->getOperands().back();
    else if (auto scatter = dyn_cast<np::ScatterOp>(op))
      array = scatter.getArray();
    auto get = array ? followViews(array, [](Operation *) {}).getDefiningOp<np::GetOp>() : np::GetOp();
    if (!get || !slots.contains(get.getSlot()))
      return;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(op);
    Value yes = arith::ConstantOp::create(builder, op->getLoc(), builder.getBoolAttr(true));
    Value readOnly = np::IsReadOnlyOp::create(builder, op->getLoc(), builder.getI1Type(), array);
    np::AssertOp::create(builder, op->getLoc(), arith::XOrIOp::create(builder, op->getLoc(), readOnly, yes),
                         builder.getStringAttr("ValueError"),
                         builder.getStringAttr("assignment destination is read-only"), ValueRange());
  });
}

} // namespace npcc::frontend
