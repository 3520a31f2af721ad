// Views that keep all elements: transposition, new axes, reshape.
#include "frontend/importer/FunctionImporter.h"

#include "mlir/IR/Matchers.h"

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

void FunctionImporter::checkWritable(Value array, StringRef words) {
  while (Operation *producer = array.getDefiningOp()) {
    if (!isa<np::ViewOp, np::ReshapeOp>(producer))
      break;
    if (producer->hasAttr("np.read_only")) // np.broadcast_to
      check(arith::ConstantOp::create(builder, here(), builder.getBoolAttr(false)), "ValueError", words);
    array = producer->getOperand(0);
  }
  if (!function->hasAttr("np.general") || isa_and_nonnull<np::NewOp, np::EmptyOp>(array.getDefiningOp()))
    return;
  Value yes = arith::ConstantOp::create(builder, here(), builder.getBoolAttr(true));
  Value readOnly = np::IsReadOnlyOp::create(builder, here(), builder.getI1Type(), array);
  check(arith::XOrIOp::create(builder, here(), readOnly, yes), "ValueError", words);
}

} // namespace npcc::frontend
