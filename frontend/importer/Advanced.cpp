// Indexing with masks and integer arrays.
//
// A leading mask selects elements (np.compress), and elements are stored through it in their order (np.store_masked
// with `selected`): npcc-move-selections makes elementwise stores of those that go back to where they came from.
// Everything else becomes gather and scatter by positions.
#include "dialects/Np/Checks.h"
#include "dialects/Np/Values.h"
#include "frontend/importer/Lists.h"
#include "frontend/importer/Subscripts.h"
#include "frontend/importer/Values.h"
#include "frontend/importer/Views.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace npcc::frontend {

using AxisIndex = AxisIndex;

/// The extents several values broadcast to.
static void broadcastExtents(Interpreter &in, ArrayRef<Value> values, SmallVectorImpl<Value> &extents,
                             SmallVectorImpl<int64_t> &shape) {
  for (Value value : values) {
    SmallVector<Value> mine = in.ir.dims(value);
    ArrayRef<int64_t> known = np::getShape(value.getType());
    SmallVector<Value> shapes(extents.begin(), extents.end());
    int64_t leftRank = shapes.size();
    shapes.append(mine);
    while (extents.size() < mine.size()) {
      extents.insert(extents.begin(), in.ir.index(1));
      shape.insert(shape.begin(), 1);
    }
    for (size_t k = 0; k < mine.size(); ++k) {
      size_t axis = extents.size() - mine.size() + k;
      if (shape[axis] == 1) {
        extents[axis] = mine[k];
        shape[axis] = known[k];
      } else if (known[k] != 1 && mine[k] != extents[axis]) {
        extents[axis] =
            np::BroadcastExtentOp::create(in.ir, extents[axis], mine[k], np::BroadcastKind::indices, shapes, leftRank);
      }
    }
  }
}

/// A value for positions without axes that it has before theirs, which must have an extent of 1. `shapes`: its own
/// extents, and behind them those of the positions.
static Value dropLeadingAxes(Interpreter &in, Value value, ArrayRef<Value> shapes, size_t count) {
  size_t rank = np::getRank(value.getType());
  auto words = [&](size_t from, size_t to) {
    std::string text = "(";
    for (size_t k = from; k < to; ++k)
      text += (k > from ? ",{" : "{") + std::to_string(k) + "}";
    return text + (to == from + 1 ? ",)" : ")");
  };
  for (size_t axis = 0; axis < count; ++axis) {
    in.ir.check(in.ir.compareIndex(arith::CmpIPredicate::eq, shapes[axis], in.ir.index(1)), "ValueError",
                "shape mismatch: value array of shape " + words(0, rank) +
                    " could not be broadcast to indexing result of shape " + words(rank, shapes.size()),
                shapes);
    value = in.ir.makeView(value, {AxisIndex{AxisIndex::Position, in.ir.index(0), {}, {}, {}}});
  }
  return value;
}

Value stretch(Interpreter &in, Value value, ArrayRef<Value> extents, ArrayRef<int64_t> shape, np::BroadcastKind kind) {
  if (!isa<RankedTensorType>(value.getType()))
    return value;
  SmallVector<Value> mine = in.ir.dims(value);
  size_t rank = mine.size();
  SmallVector<Value> shapes(mine);
  shapes.append(extents.begin(), extents.end());
  if (rank > extents.size()) {
    if (kind != np::BroadcastKind::positions)
      return {};
    value = dropLeadingAxes(in, value, shapes, rank - extents.size());
    mine = in.ir.dims(value);
  }
  ArrayRef<int64_t> known = np::getShape(value.getType());
  SmallVector<Value> checked(extents);
  bool same = mine.size() == extents.size();
  for (size_t k = 0; k < mine.size(); ++k) {
    size_t axis = extents.size() - mine.size() + k;
    same &= mine[k] == extents[axis];
    if (known[k] != 1 && mine[k] != extents[axis])
      checked[axis] =
          np::BroadcastExtentOp::create(in.ir, mine[k], extents[axis], kind, shapes, static_cast<int64_t>(rank));
  }
  return same ? value : in.ir.broadcastTo(value, checked, shape);
}

/// Checks that a mask has the extents of the axes it covers. To NumPy one with an extent of 0 selects nothing, however
/// long the axis is. `asPositions`: the mask becomes positions, so that this holds here too. What is computed with all
/// elements and the mask needs the array's extents: there such a mask is a limit of compiled code.
static void checkMask(Interpreter &in, Value mask, Value array, int64_t firstAxis, bool asPositions) {
  for (auto [k, extent] : llvm::enumerate(in.ir.dims(mask))) {
    int64_t axis = firstAxis + k;
    Value size = in.ir.dim(array, axis);
    if (extent == size)
      continue;
    Value agrees = in.ir.compareIndex(arith::CmpIPredicate::eq, extent, size), zero = in.ir.index(0);
    if (asPositions)
      agrees = in.ir.createOrFold<arith::OrIOp>(agrees, in.ir.compareIndex(arith::CmpIPredicate::eq, extent, zero));
    else
      in.ir.checkOwnLimit(
          in.ir.createOrFold<arith::OrIOp>(agrees, in.ir.compareIndex(arith::CmpIPredicate::ne, extent, zero)),
          "a mask without elements selects from an axis of {0}", size);
    in.ir.check(agrees, "IndexError",
                "boolean index did not match indexed array along axis " + Twine(axis) +
                    "; size of axis is {0} but size of corresponding boolean axis is {1}",
                {size, extent});
  }
}

namespace {
/// A base with everything basic applied, and index arrays for adjacent axes of it.
struct GatherPlan {
  Value source;
  SmallVector<Value> indices;
  SmallVector<int64_t> axes;
  SmallVector<Value> extents; // of the result
  SmallVector<int64_t> shape;
};
} // namespace

/// Positions out of bounds show when the elements are read or stored, by a kernel. Where a clause of the program would
/// take that error, they are looked at before, so that it is a branch to the clause. False: the program does not go on.
static bool checkPositions(Interpreter &in, Value positions, Value base, int64_t axis) {
  if (!in.ir.isCaught || !in.ir.isCaught("IndexError", ""))
    return true;
  callInLibrary(
      in, "placing.check_positions",
      {PyValue::runtime(positions), fromIndex(in, in.ir.dim(base, axis)), PyValue::object(py::integer(axis))});
  return in.env.isReachable;
}

static bool planGather(Interpreter &in, Value base, ArrayRef<AxisIndex> given, GatherPlan &plan) {
  SmallVector<AxisIndex> basic;
  SmallVector<int64_t> advanced; // axes of the basic view
  SmallVector<Value> arrays;
  int64_t axis = 0, sourceAxis = 0;
  Type i64 = in.ir.getI64Type();
  for (const AxisIndex &one : given) {
    if (one.kind == AxisIndex::Mask) {
      Value mask = valueOf(in, PyValue::runtime(one.array));
      checkMask(in, mask, base, sourceAxis, /*asPositions=*/true);
      for (Value positions : in.ir.positionsOf(mask)) {
        basic.push_back({AxisIndex::Whole, {}, {}, {}, {}});
        advanced.push_back(axis++);
        arrays.push_back(positions);
        ++sourceAxis;
      }
      continue;
    }
    if (one.kind == AxisIndex::Positions || one.kind == AxisIndex::Position) {
      Value positions = one.kind == AxisIndex::Positions
                            ? operandAs(in, PyValue::runtime(one.array), i64)
                            : in.ir.rankZero(arith::IndexCastOp::create(in.ir, i64, one.offset));
      if (!positions || (one.kind == AxisIndex::Positions && !checkPositions(in, positions, base, sourceAxis)))
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
  plan.source = in.ir.makeView(base, basic);
  bool isAdjacent = advanced.back() - advanced.front() + 1 == static_cast<int64_t>(advanced.size());
  if (!isAdjacent) {
    // Separated by slices: their axes come first in the result.
    SmallVector<int64_t> order(advanced);
    for (int64_t k = 0; k < axis; ++k)
      if (!llvm::is_contained(advanced, k))
        order.push_back(k);
    plan.source = in.ir.permute(plan.source, order);
    for (auto [k, one] : llvm::enumerate(advanced))
      one = k;
  }
  plan.axes = advanced;
  SmallVector<Value> indexExtents;
  SmallVector<int64_t> indexShape;
  broadcastExtents(in, arrays, indexExtents, indexShape);
  for (Value array : arrays)
    plan.indices.push_back(arrays.size() == 1 ? array : stretch(in, array, indexExtents, indexShape));
  ArrayRef<int64_t> sourceShape = np::getShape(plan.source.getType());
  for (int64_t k = 0; k < axis; ++k) {
    if (k == plan.axes.front()) {
      plan.extents.append(indexExtents);
      plan.shape.append(indexShape);
    }
    if (llvm::is_contained(plan.axes, k))
      continue;
    plan.extents.push_back(in.ir.dim(plan.source, k));
    plan.shape.push_back(sourceShape[k]);
  }
  return true;
}

/// The mask of an index that is a leading mask and otherwise basic, and the array with the basic rest applied.
static std::optional<std::pair<Value, Value>> leadingMask(Interpreter &in, Value base, ArrayRef<AxisIndex> axes) {
  if (axes.empty() || axes[0].kind != AxisIndex::Mask)
    return std::nullopt;
  SmallVector<AxisIndex> rest(axes[0].axes, AxisIndex{AxisIndex::Whole, {}, {}, {}, {}});
  for (const AxisIndex &one : axes.drop_front()) {
    // A position beside a mask is an advanced index itself; its place in the result is the same only if nothing stands
    // between.
    if (one.kind == AxisIndex::Mask || one.kind == AxisIndex::Positions || one.kind == AxisIndex::NewAxis)
      return std::nullopt;
    rest.push_back(one);
  }
  Value mask = valueOf(in, PyValue::runtime(axes[0].array));
  checkMask(in, mask, base, 0, /*asPositions=*/false);
  return std::make_pair(mask, in.ir.makeView(base, rest));
}

PyValue advancedRead(Interpreter &in, Value base, ArrayRef<AxisIndex> axes) {
  if (auto masked = leadingMask(in, base, axes)) {
    auto [mask, view] = *masked;
    Value source = isa<np::ArrayType>(view.getType()) ? in.ir.load(view) : view;
    SmallVector<int64_t> shape{ShapedType::kDynamic};
    llvm::append_range(shape, np::getShape(source.getType()).drop_front(np::getRank(mask.getType())));
    return PyValue::runtime(np::CompressOp::create(
        in.ir, RankedTensorType::get(shape, np::getElementType(source.getType())), source, mask));
  }
  GatherPlan plan;
  if (!planGather(in, base, axes, plan))
    return PyValue::poison();
  Value source = isa<np::ArrayType>(plan.source.getType()) ? in.ir.load(plan.source) : plan.source;
  return PyValue::runtime(np::GatherOp::create(
      in.ir, RankedTensorType::get(plan.shape, np::getElementType(source.getType())), source, plan.indices, plan.axes));
}

void advancedStore(Interpreter &in, Value base, ArrayRef<AxisIndex> axes, const PyValue &value) {
  Type element = np::getElementType(base.getType());
  Value stored = itemAs(in, value, element, /*isItem=*/false);
  if (!stored)
    return;
  if (isa<np::ArrayType>(stored.getType()))
    stored = in.ir.load(stored);
  in.ir.checkWritable(base);
  if (auto masked = leadingMask(in, base, axes)) {
    auto [mask, target] = *masked;
    int64_t trailing = np::getRank(target.getType()) - np::getRank(mask.getType());
    auto storeMasked = [&](Value what, bool selected = false) {
      if (np::getRank(what.getType()) > 0 && mayMeet(target)) {
        in.fail("stores of an array at a mask cannot be compiled where one element has several places in the view");
        return;
      }
      np::StoreMaskedOp::create(in.ir, what, mask, target, selected);
      in.ir.clobber();
    };
    int64_t rank = np::getRank(stored.getType());
    if (trailing == 0 && rank > 1) {
      in.fail("TypeError: NumPy boolean array indexing assignment requires a 0 or 1-dimensional input, input has " +
              Twine(rank) + " dimensions");
      return;
    }
    while (rank > trailing && np::getShape(stored.getType())[0] == 1) {
      stored = in.ir.makeView(stored, {AxisIndex{AxisIndex::Position, in.ir.index(0), {}, {}, {}}});
      --rank;
    }
    if (rank <= trailing)
      return storeMasked(stored);
    // As many elements as the mask has true ones, or one for all.
    if (rank > trailing + 1) {
      SmallVector<Value> shapes = in.ir.dims(stored);
      auto line = RankedTensorType::get({ShapedType::kDynamic}, in.ir.getI1Type());
      shapes.push_back(in.ir.dim(np::CompressOp::create(in.ir, line, mask, mask), 0));
      llvm::append_range(shapes, ArrayRef<Value>(in.ir.dims(target)).take_back(trailing));
      stored = dropLeadingAxes(in, stored, shapes, rank - trailing - 1);
    }
    return storeMasked(stored, /*selected=*/true);
  }
  GatherPlan plan;
  if (!planGather(in, base, axes, plan))
    return;
  Value whole = stretch(in, stored, plan.extents, plan.shape, np::BroadcastKind::positions);
  if (!whole)
    return;
  np::ScatterOp::create(in.ir, whole, plan.source, plan.indices, in.ir.getDenseI64ArrayAttr(plan.axes));
  in.ir.clobber();
}

} // namespace npcc::frontend
