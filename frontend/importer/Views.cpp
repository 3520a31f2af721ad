// Views that keep all elements: transposition, new axes, reshape.
#include "frontend/importer/Views.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Names.h"
#include "dialects/Np/Values.h"
#include "frontend/importer/Interpreter.h"
#include "frontend/importer/Known.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace npcc::frontend {

Value NpBuilder::makeView(Value source, ArrayRef<AxisIndex> given, bool isObject) {
  int64_t rank = np::getRank(source.getType());
  SmallVector<AxisIndex> indices(given);
  int64_t used = llvm::count_if(indices, [](const AxisIndex &one) { return one.kind != AxisIndex::NewAxis; });
  for (; used < rank; ++used)
    indices.push_back({AxisIndex::Whole, {}, {}, {}, {}});
  // All of an array is another object where the program sees it; that of one which the function has made shows to
  // nobody.
  bool isOther = isObject && isa<np::ArrayType>(source.getType()) &&
                 !isa_and_nonnull<np::NewOp, np::EmptyOp>(source.getDefiningOp());
  if (!isOther && llvm::all_of(indices, [](const AxisIndex &one) { return one.kind == AxisIndex::Whole; }))
    return source;

  Value zero = index(0), one = index(1);
  SmallVector<Value> offsets, extents, steps;
  SmallVector<int64_t> axes, shape;
  ArrayRef<int64_t> sourceShape = np::getShape(source.getType());
  int64_t axis = 0;
  // Contiguous in, positions on leading axes, at most one slice by one, the rest whole: contiguous out.
  auto array = dyn_cast<np::ArrayType>(source.getType());
  bool isContiguous = array && array.getContiguous(), inside = false;
  for (const AxisIndex &item : indices) {
    switch (item.kind) {
    case AxisIndex::Position:
      offsets.push_back(item.offset);
      isContiguous &= !inside;
      break;
    case AxisIndex::Whole:
      offsets.push_back(zero);
      axes.push_back(axis);
      extents.push_back(dim(source, axis));
      steps.push_back(one);
      shape.push_back(sourceShape[axis]);
      inside = true;
      break;
    case AxisIndex::NewAxis:
      axes.push_back(-1);
      extents.push_back(one);
      steps.push_back(one);
      shape.push_back(1);
      continue;
    default:
      offsets.push_back(item.offset);
      axes.push_back(axis);
      extents.push_back(item.extent);
      steps.push_back(item.step);
      shape.push_back(ShapedType::kDynamic);
      isContiguous &= !inside && matchPattern(item.step, m_One());
      inside = true;
      break;
    }
    ++axis;
  }
  Type element = np::getElementType(source.getType());
  Type type = array ? Type(np::ArrayType::get(getContext(), shape, element, isContiguous))
                    : RankedTensorType::get(shape, element);
  return np::ViewOp::create(*this, type, source, offsets, axes, extents, steps);
}

Value NpBuilder::permute(Value source, ArrayRef<int64_t> order) {
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
  Type type = array ? Type(np::ArrayType::get(getContext(), shape, element, isIdentity && array.getContiguous()))
                    : RankedTensorType::get(shape, element);
  return np::ViewOp::create(*this, type, source, offsets, order, extents, steps);
}

Value NpBuilder::turned(Value source) {
  SmallVector<int64_t> order = llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, np::getRank(source.getType()))));
  return order.size() < 2 ? source : permute(source, order);
}

Value NpBuilder::expandDims(Value source, ArrayRef<int64_t> positions) {
  int64_t rank = np::getRank(source.getType()) + positions.size();
  SmallVector<AxisIndex> axes;
  for (int64_t axis = 0; axis < rank; ++axis)
    axes.push_back({llvm::is_contained(positions, axis) ? AxisIndex::NewAxis : AxisIndex::Whole, {}, {}, {}, {}});
  return makeView(source, axes, /*isObject=*/true);
}

/// What is known of the extents, if nothing was said.
static SmallVector<int64_t> knownShape(ArrayRef<Value> extents, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> known(shape);
  if (known.empty())
    for (Value extent : extents)
      known.push_back(matchPattern(extent, m_One()) ? 1 : ShapedType::kDynamic);
  return known;
}

Value NpBuilder::reshape(Value source, ArrayRef<Value> extents, ArrayRef<int64_t> shape, bool ravel) {
  SmallVector<int64_t> known = knownShape(extents, shape);
  Type element = np::getElementType(source.getType());
  auto array = dyn_cast<np::ArrayType>(source.getType());
  if (array && !array.getContiguous())
    return np::ReshapeStridedOp::create(*this, np::ArrayType::get(getContext(), known, element, false), source, extents,
                                        /*transposed=*/Value(), ravel);
  Type type =
      array ? Type(np::ArrayType::get(getContext(), known, element, true)) : RankedTensorType::get(known, element);
  return np::ReshapeOp::create(*this, type, source, extents);
}

Value NpBuilder::reshapeAsNumpy(Value source, ArrayRef<Value> extents, ArrayRef<int64_t> shape, bool ravel) {
  auto array = dyn_cast<np::ArrayType>(source.getType());
  Value isTransposed = array && array.getContiguous() ? isTransposedInNumpy(*this, source) : Value();
  if (!isTransposed)
    return reshape(source, extents, shape, ravel);
  Type type = np::ArrayType::get(getContext(), knownShape(extents, shape), array.getElementType(), false);
  return np::ReshapeStridedOp::create(*this, type, source, extents, isTransposed, ravel);
}

Value NpBuilder::viewUnlessCopied(Value source) {
  Value view = makeView(source, {}, /*isObject=*/true);
  if (auto made = view.getDefiningOp<np::ViewOp>()) // the source itself where nobody else sees it
    made.setMayCopy(true);
  return view;
}

Value NpBuilder::part(StringRef kind, Value source) {
  auto type = cast<np::ArrayType>(source.getType());
  SmallVector<Value> extents = dims(source);
  SmallVector<int64_t> shape(type.getShape());
  Type element = type.getElementType();
  if (kind == "diagonal") {
    Value columns = extents.pop_back_val();
    int64_t width = shape.pop_back_val();
    shape.back() = shape.back() == 1 && width == 1 ? 1 : ShapedType::kDynamic; // the other one may be 0
    extents.back() = shape.back() == 1 ? index(1) : createOrFold<arith::MinSIOp>(extents.back(), columns);
  } else if (kind != "read_only") {
    element = cast<ComplexType>(element).getElementType();
  }
  bool isContiguous = kind == "read_only" && type.getContiguous();
  return np::PartOp::create(*this, np::ArrayType::get(getContext(), shape, element, isContiguous),
                            *np::symbolizePartKind(kind), source,
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
  return part && part.getKind() == np::PartKind::read_only;
}

bool meetsItself(Operation *producer) {
  auto view = dyn_cast<np::ViewOp>(producer);
  if (!view)
    return false;
  SmallVector<int64_t> seen;
  for (auto [axis, extent, step] : llvm::zip(view.getAxes(), view.getExtents(), view.getSteps())) {
    if (matchPattern(extent, m_One()))
      continue;
    // The step of an axis that may be stretched is chosen at run time.
    if (axis < 0 || llvm::is_contained(seen, axis) || matchPattern(step, m_Zero()) ||
        isa_and_nonnull<arith::SelectOp>(step.getDefiningOp()))
      return true;
    seen.push_back(axis);
  }
  return false;
}
} // namespace

Value viewedArray(Value array) {
  return followViews(array, [](Operation *) {});
}

bool mayMeet(Value array) {
  bool found = false;
  followViews(array, [&](Operation *producer) { found |= meetsItself(producer); });
  return found;
}

/// A new array of the same type of elements and extents.
static Value emptyLike(OpBuilder &builder, Location loc, Value array) {
  auto type = cast<np::ArrayType>(array.getType());
  SmallVector<Value> dynamic;
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    if (ShapedType::isDynamic(type.getShape()[axis]))
      dynamic.push_back(np::getExtent(builder, loc, array, axis));
  return np::EmptyOp::create(
      builder, loc, np::ArrayType::get(builder.getContext(), type.getShape(), type.getElementType(), true), dynamic);
}

/// The scatter of all of `values` into the array, row after row.
static void scatterInOrder(OpBuilder &builder, Location loc, Value values, Value array) {
  Type i64 = builder.getI64Type();
  auto number = [&](int64_t value) {
    return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
  };
  int64_t rows = np::getShape(array.getType()).front();
  Value all = np::ArangeOp::create(builder, loc, RankedTensorType::get({rows}, i64), number(0), number(1),
                                   np::getExtent(builder, loc, array, 0));
  np::ScatterOp::create(builder, loc, np::LoadOp::create(builder, loc, values), array, all,
                        builder.getDenseI64ArrayAttr({0}));
}

void storeInOrder(Interpreter &in, Value stored, Value array, bool isOutput) {
  // All values are computed, and have the view's extents, before the first one is stored.
  in.ir.checkStored(stored, array, isOutput);
  Value values = emptyLike(in.ir, in.ir.getLoc(), array);
  np::StoreOp::create(in.ir, stored, values, /*as_output=*/isOutput);
  in.ir.clobber();
  scatterInOrder(in.ir, in.ir.getLoc(), values, array);
  in.ir.clobber();
}

bool NpBuilder::checkWritable(Value array, StringRef words) {
  // A reshape of an array that may not be contiguous is a view or a copy, which is new: that shows at run time.
  bool mayBeCopy = false, asks = function->hasAttr("np.general"), refuses = false;
  Value root = followViews(array, [&](Operation *producer) {
    mayBeCopy |= isa<np::ReshapeStridedOp>(producer);
    if (isReadOnly(producer)) {
      (mayBeCopy ? asks : refuses) = true;
      refused.insert(producer);
    }
  });
  if (refuses) {
    check(boolean(false), "ValueError", words);
    return false;
  }
  // What was kept may be a view of something read-only.
  asks |= isa_and_nonnull<np::KeptOp>(root.getDefiningOp());
  if (!asks || (isa_and_nonnull<np::NewOp, np::EmptyOp>(root.getDefiningOp()) && !mayBeCopy))
    return true;
  Value yes = boolean(true);
  Value readOnly = np::IsReadOnlyOp::create(*this, getI1Type(), array);
  check(arith::XOrIOp::create(*this, readOnly, yes), "ValueError", words);
  return true;
}

/// The slots that may hold a view of this kind: control flow joins names and hides which views they are.
static llvm::SetVector<Value> slotsOfViews(func::FuncOp function, bool (*isKind)(Operation *)) {
  llvm::SetVector<Value> slots;
  auto mayBe = [&](Value array) {
    bool found = false;
    Value root = followViews(array, [&](Operation *producer) { found |= isKind(producer); });
    auto get = root.getDefiningOp<np::GetOp>();
    return found || (get && slots.contains(get.getSlot()));
  };
  for (bool changed = true; changed;) {
    changed = false;
    function.walk([&](np::SetOp op) {
      if (isa<np::ArrayType>(op.getValue().getType()) && mayBe(op.getValue()))
        changed |= slots.insert(op.getSlot());
    });
  }
  return slots;
}

/// Stores into what such names hold ask at run time whether it is read-only. Where two positions may be one element,
/// all values are computed before the first is stored; which of several values for one element stays is open there.
void NpBuilder::checkHiddenViews() {
  llvm::SetVector<Value> readOnlySlots = slotsOfViews(function, isReadOnly),
                         meeting = slotsOfViews(function, meetsItself);
  if (function->hasAttr("np.general"))
    readOnlySlots.clear();
  if (readOnlySlots.empty() && meeting.empty())
    return;
  SmallVector<Operation *> replaced;
  function.walk([&](Operation *op) {
    Value array;
    if (isa<np::StoreOp, np::StoreMaskedOp>(op))
      array = op->getOperands().back();
    else if (auto scatter = dyn_cast<np::ScatterOp>(op))
      array = scatter.getArray();
    auto get = array ? followViews(array, [](Operation *) {}).getDefiningOp<np::GetOp>() : np::GetOp();
    if (!get)
      return;
    OpBuilder::InsertionGuard guard(*this);
    setInsertionPoint(op);
    if (auto store = dyn_cast<np::StoreOp>(op);
        store && meeting.contains(get.getSlot()) && np::getRank(store.getValue().getType()) > 0) {
      Value values = emptyLike(*this, op->getLoc(), array);
      auto first = cast<np::StoreOp>(clone(*op));
      first.getArrayMutable().assign(values);
      scatterInOrder(*this, op->getLoc(), values, array);
      replaced.push_back(op);
      op = first;
    }
    if (!readOnlySlots.contains(get.getSlot()))
      return;
    setInsertionPoint(op);
    Value yes = arith::ConstantOp::create(*this, op->getLoc(), getBoolAttr(true));
    Value readOnly = np::IsReadOnlyOp::create(*this, op->getLoc(), getI1Type(), array);
    np::AssertOp::create(*this, op->getLoc(), arith::XOrIOp::create(*this, op->getLoc(), readOnly, yes),
                         getStringAttr("ValueError"), getStringAttr("assignment destination is read-only"),
                         ValueRange());
  });
  for (Operation *op : replaced)
    op->erase();
}

} // namespace npcc::frontend
