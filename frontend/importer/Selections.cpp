// Selections by mask that need an array of their own: positions by a running count, then a scatter.
//
//   %s = np.compress %x, %m : tensor<?xf64>, tensor<?xi1> -> tensor<?xf64>
// becomes
//   %k = np.scan "add" (np.cast %m)                       // 1 at the first true element, 2 at the second, ...
//   %n = np.item (np.reduce "add" (np.cast %m))
//   %a = np.empty(%n)
//   np.scatter %x, %a[np.ufunc "where"(%m, %k - 1, %n)] distinct   // what is not selected is left out
//   %s = np.load %a
#include "frontend/importer/Selections.h"
#include "dialects/Np/Ufunc.h"
#include "dialects/Np/Values.h"

#include "frontend/importer/NpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace npcc::frontend {

bool NpBuilder::sameValue(Value left, Value right, unsigned level) {
  if (left == right)
    return true;
  Operation *mine = left.getDefiningOp(), *other = right.getDefiningOp();
  if (!mine || !other || level > 16 || mine->getName() != other->getName() || !isMemoryEffectFree(mine) ||
      mine->getNumRegions() || mine->getNumOperands() != other->getNumOperands() || left.getType() != right.getType() ||
      mine->getAttrDictionary() != other->getAttrDictionary())
    return false;
  for (auto [a, b] : llvm::zip(mine->getOperands(), other->getOperands()))
    if (!sameValue(a, b, level + 1))
      return false;
  return true;
}

SmallVector<Value> NpBuilder::positionsOf(Value mask) {
  SmallVector<Value> extents = dims(mask), result;
  SmallVector<int64_t> shape(np::getShape(mask.getType()));
  Type i64 = getI64Type();
  for (size_t axis = 0; axis < extents.size(); ++axis) {
    Value counts = np::ArangeOp::create(*this, RankedTensorType::get({ShapedType::kDynamic}, i64),
                                        constantInteger(i64, 0), constantInteger(i64, 1), extents[axis]);
    SmallVector<int64_t> later;
    for (size_t k = axis + 1; k < extents.size(); ++k)
      later.push_back(k - axis);
    Value along = extents.size() == 1 ? counts : broadcastTo(expandDims(counts, later), extents, shape);
    result.push_back(np::CompressOp::create(*this, RankedTensorType::get({ShapedType::kDynamic}, i64), along, mask));
  }
  return result;
}

/// What stands between an operand and the rest when selected elements are computed with before they are selected.
static np::CompressOp selectionOf(Value operand) { return operand.getDefiningOp<np::CompressOp>(); }

Value NpBuilder::emitUfunc(StringRef name, ArrayRef<Value> operands) {
  checkMeeting(operands);
  np::CompressOp first;
  for (Value operand : operands)
    if (auto compress = selectionOf(operand); compress && !first)
      first = compress;
  if (first) {
    int64_t trailing = np::getRank(first.getType()) - 1;
    SmallVector<Value> sources;
    for (Value operand : operands) {
      auto compress = selectionOf(operand);
      bool isSelected =
          compress && sameValue(compress.getMask(), first.getMask()) && np::getRank(operand.getType()) == trailing + 1;
      if (!isSelected && np::getRank(operand.getType()) > trailing)
        return np::UfuncOp::create(*this, getStringAttr(name), operands);
      sources.push_back(isSelected ? compress.getSource() : operand);
    }
    Value whole = emitUfunc(name, sources);
    SmallVector<int64_t> shape{ShapedType::kDynamic};
    int64_t maskRank = np::getRank(first.getMask().getType());
    llvm::append_range(shape, np::getShape(whole.getType()).drop_front(maskRank));
    return np::CompressOp::create(*this, RankedTensorType::get(shape, np::getElementType(whole.getType())), whole,
                                  first.getMask());
  }
  return createOrFold<np::UfuncOp>(getStringAttr(name), operands);
}

Value countTrue(OpBuilder &builder, Location loc, Value mask) {
  auto type = cast<RankedTensorType>(mask.getType());
  SmallVector<int64_t> axes;
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    axes.push_back(axis);
  Type i64 = builder.getI64Type();
  Value ones = np::CastOp::create(builder, loc, RankedTensorType::get(type.getShape(), i64), mask);
  Value count = np::ReduceOp::create(builder, loc, np::Reduction::add, ones, builder.getDenseI64ArrayAttr(axes));
  Value scalar = np::ItemOp::create(builder, loc, i64, count);
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(), scalar);
}

/// The last of running totals, 0 where there are none.
static Value getLast(OpBuilder &builder, Location loc, Value totals) {
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
  Value zero = constant(0), one = constant(1), extent = np::getExtent(builder, loc, totals, 0);
  Value before = builder.createOrFold<arith::SubIOp>(loc, extent, one),
        position = builder.createOrFold<arith::MaxSIOp>(loc, before, zero),
        length = builder.createOrFold<arith::MinSIOp>(loc, extent, one);
  auto type = RankedTensorType::get({ShapedType::kDynamic}, np::getElementType(totals.getType()));
  Value last = np::ViewOp::create(builder, loc, type, totals, ValueRange{position}, ArrayRef<int64_t>{0},
                                  ValueRange{length}, ValueRange{one});
  Value total = np::ReduceOp::create(builder, loc, np::Reduction::add, last, builder.getDenseI64ArrayAttr({0}));
  return np::ItemOp::create(builder, loc, type.getElementType(), total);
}

/// `value` with its first `count` axes made one.
static Value mergeAxes(OpBuilder &builder, Location loc, Value value, int64_t count) {
  if (count == 1)
    return value;
  SmallVector<Value> extents = np::getExtents(builder, loc, value), merged;
  Value product = extents[0];
  for (int64_t axis = 1; axis < count; ++axis)
    product = builder.createOrFold<arith::MulIOp>(loc, product, extents[axis]);
  merged.push_back(product);
  merged.append(extents.begin() + count, extents.end());
  SmallVector<int64_t> shape{ShapedType::kDynamic};
  llvm::append_range(shape, np::getShape(value.getType()).drop_front(count));
  Type type = RankedTensorType::get(shape, np::getElementType(value.getType()));
  return np::ReshapeOp::create(builder, loc, type, value, merged);
}

static void expand(np::CompressOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  MLIRContext *context = op.getContext();
  Type i64 = builder.getI64Type(), element = np::getElementType(op.getType());
  int64_t maskRank = np::getRank(op.getMask().getType());
  Value mask = mergeAxes(builder, loc, op.getMask(), maskRank),
        source = mergeAxes(builder, loc, op.getSource(), maskRank);
  auto line = RankedTensorType::get(np::getShape(mask.getType()), i64);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
  };

  Value numbers = np::CastOp::create(builder, loc, line, mask);
  Value ordinals = np::ScanOp::create(builder, loc, np::Ufunc::add, numbers, int64_t(0));
  Value rest = getLast(builder, loc, ordinals);
  Value count = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), rest);
  Value before = np::UfuncOp::create(builder, loc, np::Ufunc::subtract, ValueRange{ordinals, constant(1)});
  Value positions = np::UfuncOp::create(builder, loc, np::Ufunc::where, ValueRange{mask, before, rest});

  SmallVector<Value> extents = np::getExtents(builder, loc, source), dynamic;
  SmallVector<int64_t> shape{ShapedType::kDynamic};
  llvm::append_range(shape, np::getShape(source.getType()).drop_front());
  extents[0] = count;
  for (auto [extent, known] : llvm::zip(extents, shape))
    if (ShapedType::isDynamic(known))
      dynamic.push_back(extent);
  Type arrayType = np::ArrayType::get(context, shape, element, /*contiguous=*/true);
  Value array = np::EmptyOp::create(builder, loc, arrayType, dynamic);
  auto scatter = np::ScatterOp::create(builder, loc, source, array, positions, builder.getDenseI64ArrayAttr({0}));
  scatter.setDistinct(true);

  for (OpOperand &use : llvm::make_early_inc_range(op->getUses()))
    if (auto dim = dyn_cast<np::DimOp>(use.getOwner()); dim && dim.getAxis() == 0) {
      dim.replaceAllUsesWith(count);
      dim.erase();
    }
  // A name for it alone needs no second array.
  if (op->hasOneUse())
    if (auto made = dyn_cast<np::NewOp>(*op->user_begin());
        made && made->getBlock() == op->getBlock() && made.getType() == array.getType()) {
      made.replaceAllUsesWith(array);
      made.erase();
      op.erase();
      return;
    }
  op.replaceAllUsesWith(Value(np::LoadOp::create(builder, loc, array)));
  op.erase();
}

/// Whether the operation is made of a selection. Whatever else is unused is left to npcc-keep-checks, for its errors.
static bool isOfSelection(Operation *op, llvm::SmallPtrSetImpl<Operation *> &seen) {
  if (isa<np::CompressOp>(op))
    return true;
  if (!isa<np::NewOp, np::LoadOp, np::DimOp, np::ViewOp, np::UfuncOp, np::CastOp, np::BroadcastOp>(op) || !seen.insert(op).second)
    return false;
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return operand.getDefiningOp() && isOfSelection(operand.getDefiningOp(), seen);
  });
}

/// Whether the operation computes with a selection and with something whose extents need not be the selection's.
static bool mayNotMeet(Operation *op) {
  auto isArray = [](Value operand) { return np::getRank(operand.getType()) > 0; };
  return isa<np::UfuncOp>(op) && llvm::count_if(op->getOperands(), isArray) > 1;
}

void expandSelections(Operation *function) {
  // What only served to build an expression that was then moved before the selection is dead.
  auto eraseDead = [&] {
    for (bool changed = true; changed;) {
      SmallVector<Operation *> dead;
      function->walk([&](Operation *op) {
        llvm::SmallPtrSet<Operation *, 8> seen;
        if (op->use_empty() && !mayNotMeet(op) && isOfSelection(op, seen))
          dead.push_back(op);
      });
      for (Operation *op : dead)
        op->erase();
      changed = !dead.empty();
    }
  };
  eraseDead();
  SmallVector<np::CompressOp> all;
  function->walk([&](np::CompressOp op) { all.push_back(op); });
  for (np::CompressOp op : all) {
    // A name for what is only counted and reduced is no array.
    auto onlyCounts = [](Value value) {
      return llvm::all_of(value.getUsers(),
                          [](Operation *user) { return isa<np::DimOp>(user) && cast<np::DimOp>(user).getAxis() == 0; });
    };
    bool isCounted = llvm::all_of(op->getUsers(), [&](Operation *user) {
      return isa<np::NewOp>(user) ? onlyCounts(user->getResult(0))
                                  : isa<np::DimOp>(user) && cast<np::DimOp>(user).getAxis() == 0;
    });
    if (!isCounted) {
      expand(op);
      continue;
    }
    OpBuilder builder(op);
    Value count = countTrue(builder, op.getLoc(), op.getMask());
    for (Operation *user : llvm::make_early_inc_range(op->getUsers())) {
      for (Operation *dim : llvm::make_early_inc_range(user->getUsers())) {
        if (isa<np::NewOp>(user)) {
          dim->getResult(0).replaceAllUsesWith(count);
          dim->erase();
        }
      }
      if (isa<np::DimOp>(user))
        user->getResult(0).replaceAllUsesWith(count);
      user->erase();
    }
    op.erase();
  }
}

} // namespace npcc::frontend
