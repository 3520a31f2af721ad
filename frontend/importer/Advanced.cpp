// Indexing with masks and integer arrays.
//
// a[mask] = f(a[mask], b[mask]) is an elementwise store under a mask: the selections are computed after f, of the same mask (emitUfunc), and a store
// through that mask takes what was selected from. Everything else becomes gather and scatter by positions.
#include "frontend/importer/FunctionImporter.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace npcc::frontend {

bool FunctionImporter::sameValue(Value left, Value right, unsigned level) {
  if (left == right)
    return true;
  Operation *mine = left.getDefiningOp(), *other = right.getDefiningOp();
  if (!mine || !other || level > 16 || mine->getName() != other->getName() || !isMemoryEffectFree(mine) || mine->getNumRegions() ||
      mine->getNumOperands() != other->getNumOperands() || left.getType() != right.getType() ||
      mine->getAttrDictionary() != other->getAttrDictionary())
    return false;
  for (auto [a, b] : llvm::zip(mine->getOperands(), other->getOperands()))
    if (!sameValue(a, b, level + 1))
      return false;
  return true;
}

using AxisIndex = FunctionImporter::AxisIndex;

/// The extents several values broadcast to.
static void broadcastExtents(FunctionImporter &importer, ArrayRef<Value> values, SmallVectorImpl<Value> &extents, SmallVectorImpl<int64_t> &shape) {
  for (Value value : values) {
    SmallVector<Value> mine = importer.dims(value);
    ArrayRef<int64_t> known = np::getShape(value.getType());
    SmallVector<Value> shapes(extents.begin(), extents.end());
    int64_t leftRank = shapes.size();
    shapes.append(mine);
    while (extents.size() < mine.size()) {
      extents.insert(extents.begin(), importer.index(1));
      shape.insert(shape.begin(), 1);
    }
    for (size_t k = 0; k < mine.size(); ++k) {
      size_t axis = extents.size() - mine.size() + k;
      if (shape[axis] == 1) {
        extents[axis] = mine[k];
        shape[axis] = known[k];
      } else if (known[k] != 1 && mine[k] != extents[axis]) {
        extents[axis] = np::BroadcastExtentOp::create(importer.builder, importer.here(), extents[axis], mine[k], "ufunc", shapes, leftRank);
      }
    }
  }
}

/// A value stretched to extents it must broadcast to.
static Value stretch(FunctionImporter &importer, Value value, ArrayRef<Value> extents, ArrayRef<int64_t> shape,
                     StringRef words = "store") {
  if (!isa<RankedTensorType>(value.getType()))
    return value;
  SmallVector<Value> mine = importer.dims(value);
  ArrayRef<int64_t> known = np::getShape(value.getType());
  if (mine.size() > extents.size())
    return {};
  SmallVector<Value> shapes(mine);
  shapes.append(extents.begin(), extents.end());
  SmallVector<Value> checked(extents);
  bool same = mine.size() == extents.size();
  for (size_t k = 0; k < mine.size(); ++k) {
    size_t axis = extents.size() - mine.size() + k;
    same &= mine[k] == extents[axis];
    if (known[k] != 1 && mine[k] != extents[axis])
      checked[axis] = np::BroadcastExtentOp::create(importer.builder, importer.here(), mine[k], extents[axis], words, shapes,
                                                    static_cast<int64_t>(mine.size()));
  }
  return same ? value : importer.broadcastTo(value, checked, shape);
}

/// Checks that a mask has the extents of the axes it covers.
static void checkMask(FunctionImporter &importer, Value mask, Value array, int64_t firstAxis) {
  for (auto [k, extent] : llvm::enumerate(importer.dims(mask))) {
    int64_t axis = firstAxis + k;
    Value size = importer.dim(array, axis);
    if (extent != size)
      importer.check(importer.compareIndex(arith::CmpIPredicate::eq, extent, size), "IndexError",
                     "boolean index did not match indexed array along axis " + Twine(axis) + "; size of axis is {0} but size of corresponding boolean axis is {1}",
                     {size, extent});
  }
}

SmallVector<Value> FunctionImporter::positionsOf(Value mask) {
  SmallVector<Value> extents = dims(mask), result;
  SmallVector<int64_t> shape(np::getShape(mask.getType()));
  Type i64 = builder.getI64Type();
  for (size_t axis = 0; axis < extents.size(); ++axis) {
    Value counts = np::ArangeOp::create(builder, here(), RankedTensorType::get({ShapedType::kDynamic}, i64),
                                        constantInteger(i64, 0), constantInteger(i64, 1), extents[axis]);
    SmallVector<int64_t> later;
    for (size_t k = axis + 1; k < extents.size(); ++k)
      later.push_back(k - axis);
    Value along = extents.size() == 1 ? counts : broadcastTo(expandDims(counts, later), extents, shape);
    result.push_back(np::CompressOp::create(builder, here(), RankedTensorType::get({ShapedType::kDynamic}, i64), along, mask));
  }
  return result;
}

namespace {
/// A base with everything basic applied, and index arrays for adjacent axes of it.
struct GatherPlan {
  Value source;
  SmallVector<Value> indices;
  SmallVector<int64_t> axes;
  SmallVector<Value> extents;  // of the result
  SmallVector<int64_t> shape;
};
} // namespace

static bool planGather(FunctionImporter &importer, Value base, ArrayRef<AxisIndex> given, GatherPlan &plan) {
  SmallVector<AxisIndex> basic;
  SmallVector<int64_t> advanced;  // axes of the basic view
  SmallVector<Value> arrays;
  int64_t axis = 0, sourceAxis = 0;
  Type i64 = importer.builder.getI64Type();
  for (const AxisIndex &one : given) {
    if (one.kind == AxisIndex::Mask) {
      Value mask = importer.valueOf(one.array);
      checkMask(importer, mask, base, sourceAxis);
      for (Value positions : importer.positionsOf(mask)) {
        basic.push_back({AxisIndex::Whole, {}, {}, {}, {}});
        advanced.push_back(axis++);
        arrays.push_back(positions);
        ++sourceAxis;
      }
      continue;
    }
    if (one.kind == AxisIndex::Positions || one.kind == AxisIndex::Position) {
      Value positions = one.kind == AxisIndex::Positions
                            ? importer.operandAs(one.array, i64)
                            : importer.rankZero(arith::IndexCastOp::create(importer.builder, importer.here(), i64, one.offset));
      if (!positions)
        return false;
      basic.push_back({AxisIndex::Whole, {}, {}, {}, {}});
      advanced.push_back(axis++);
      arrays.push_back(positions);
      ++sourceAxis;
      continue;
    }
    sourceAxis += one.kind != AxisIndex::NewAxis;
    basic.push_back(one);
    ++axis;
  }
  plan.source = importer.makeView(base, basic);
  bool isAdjacent = advanced.back() - advanced.front() + 1 == static_cast<int64_t>(advanced.size());
  if (!isAdjacent) {
    // Separated by slices: their axes come first in the result.
    SmallVector<int64_t> order(advanced);
    for (int64_t k = 0; k < axis; ++k)
      if (!llvm::is_contained(advanced, k))
        order.push_back(k);
    plan.source = importer.permute(plan.source, order);
    for (auto [k, one] : llvm::enumerate(advanced))
      one = k;
  }
  plan.axes = advanced;
  SmallVector<Value> indexExtents;
  SmallVector<int64_t> indexShape;
  broadcastExtents(importer, arrays, indexExtents, indexShape);
  for (Value array : arrays)
    plan.indices.push_back(arrays.size() == 1 ? array : stretch(importer, array, indexExtents, indexShape));
  ArrayRef<int64_t> sourceShape = np::getShape(plan.source.getType());
  for (int64_t k = 0; k < axis; ++k) {
    if (k == plan.axes.front()) {
      plan.extents.append(indexExtents);
      plan.shape.append(indexShape);
    }
    if (llvm::is_contained(plan.axes, k))
      continue;
    plan.extents.push_back(importer.dim(plan.source, k));
    plan.shape.push_back(sourceShape[k]);
  }
  return true;
}

/// The mask of an index that is a leading mask and otherwise basic, and the array with the basic rest applied.
static std::optional<std::pair<Value, Value>> leadingMask(FunctionImporter &importer, Value base, ArrayRef<AxisIndex> axes) {
  if (axes.empty() || axes[0].kind != AxisIndex::Mask)
    return std::nullopt;
  SmallVector<AxisIndex> rest(axes[0].axes, AxisIndex{AxisIndex::Whole, {}, {}, {}, {}});
  for (const AxisIndex &one : axes.drop_front()) {
    // A position beside a mask is an advanced index itself; its place in the result is the same only if nothing stands between.
    if (one.kind == AxisIndex::Mask || one.kind == AxisIndex::Positions || one.kind == AxisIndex::NewAxis)
      return std::nullopt;
    rest.push_back(one);
  }
  Value mask = importer.valueOf(axes[0].array);
  checkMask(importer, mask, base, 0);
  return std::make_pair(mask, importer.makeView(base, rest));
}

PyValue FunctionImporter::advancedRead(Value base, ArrayRef<AxisIndex> axes) {
  if (auto masked = leadingMask(*this, base, axes)) {
    auto [mask, view] = *masked;
    Value source = isa<np::ArrayType>(view.getType()) ? load(view) : view;
    SmallVector<int64_t> shape{ShapedType::kDynamic};
    llvm::append_range(shape, np::getShape(source.getType()).drop_front(np::getRank(mask.getType())));
    return PyValue::runtime(
        np::CompressOp::create(builder, here(), RankedTensorType::get(shape, np::getElementType(source.getType())), source, mask));
  }
  GatherPlan plan;
  if (!planGather(*this, base, axes, plan))
    return PyValue::poison();
  Value source = isa<np::ArrayType>(plan.source.getType()) ? load(plan.source) : plan.source;
  return PyValue::runtime(np::GatherOp::create(builder, here(), RankedTensorType::get(plan.shape, np::getElementType(source.getType())), source,
                                               plan.indices, plan.axes));
}

void FunctionImporter::advancedStore(Value base, ArrayRef<AxisIndex> axes, const PyValue &value) {
  Type element = np::getElementType(base.getType());
  Value stored = itemAs(value, element, /*isItem=*/false);
  if (!stored)
    return;
  if (isa<np::ArrayType>(stored.getType()))
    stored = load(stored);
  checkWritable(base);
  if (auto masked = leadingMask(*this, base, axes)) {
    auto [mask, target] = *masked;
    int64_t trailing = np::getRank(target.getType()) - np::getRank(mask.getType());
    auto storeMasked = [&](Value what) {
      np::StoreMaskedOp::create(builder, here(), what, mask, target);
      clobber();
    };
    if (auto selection = stored.getDefiningOp<np::CompressOp>(); selection && sameValue(selection.getMask(), mask) &&
                                                                 np::getRank(selection.getSource().getType()) == np::getRank(target.getType()))
      return storeMasked(selection.getSource());
    int64_t rank = np::getRank(stored.getType());
    if (trailing == 0 && rank > 1) {
      fail("TypeError: NumPy boolean array indexing assignment requires a 0 or 1-dimensional input, input has " + Twine(rank) + " dimensions");
      return;
    }
    while (rank > trailing && np::getShape(stored.getType())[0] == 1) {
      stored = makeView(stored, {AxisIndex{AxisIndex::Position, index(0), {}, {}, {}}});
      --rank;
    }
    if (rank > trailing + 1) {
      fail("ValueError: shape mismatch: value array with " + Twine(rank) + " axes could not be broadcast to indexing result with " + Twine(trailing + 1));
      return;
    }
    if (rank <= trailing)
      return storeMasked(stored);
    // As many elements as the mask has true ones, or one for all.
    SmallVector<Value> positions = positionsOf(mask);
    Value count = dim(positions[0], 0), given = dim(stored, 0);
    Value fits = builder.createOrFold<arith::OrIOp>(here(), compareIndex(arith::CmpIPredicate::eq, count, given),
                                                    compareIndex(arith::CmpIPredicate::eq, given, index(1)));
    check(fits, "ValueError",
          "NumPy boolean array indexing assignment cannot assign {0} input values to the {1} output values where the mask is true", {given, count});
    SmallVector<Value> wanted = dims(stored);
    wanted[0] = count;
    stored = broadcastTo(stored, wanted, np::getShape(stored.getType()));
    SmallVector<int64_t> positionAxes;
    for (size_t k = 0; k < positions.size(); ++k)
      positionAxes.push_back(k);
    np::ScatterOp::create(builder, here(), stored, target, positions, builder.getDenseI64ArrayAttr(positionAxes));
    clobber();
    return;
  }
  GatherPlan plan;
  if (!planGather(*this, base, axes, plan))
    return;
  Value whole = stretch(*this, stored, plan.extents, plan.shape, "positions");
  if (!whole) {
    fail("ValueError: shape mismatch: value array with " + Twine(np::getRank(stored.getType())) +
         " axes could not be broadcast to indexing result with " + Twine(plan.extents.size()));
    return;
  }
  np::ScatterOp::create(builder, here(), whole, plan.source, plan.indices, builder.getDenseI64ArrayAttr(plan.axes));
  clobber();
}

} // namespace npcc::frontend
