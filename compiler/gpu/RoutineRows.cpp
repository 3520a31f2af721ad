// The arrays of a group of routines of which each position has its own row: how a view lies in the rows, and which
// arrays are the team's.
#include "compiler/gpu/RoutineGroup.h"
#include "compiler/gpu/emit/Emitters.h"
#include "compiler/gpu/emit/MatrixTeam.h"
#include "compiler/memory/Region.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/ElementBytes.h"
#include "dialects/Np/Matrices.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
namespace npcc::cuda {

// Arrays of a team, in elements.
static constexpr int64_t mostOfRow = 32 * 32;
static constexpr int64_t mostBytes = 48 * 1024; // of the teams of a block

static int64_t countElements(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

/// Whether nobody but views of the array uses what is asked of its layout.
static bool isOfViews(memref::ExtractStridedMetadataOp layout) {
  return llvm::all_of(layout->getUsers(), [&](Operation *user) {
    auto view = dyn_cast<memref::ReinterpretCastOp>(user);
    return view && getRoot(view.getSource()) == layout.getSource();
  });
}

/// Whether an axis of the view is that of the array.
bool RoutineGroup::isWhole(RowView view) {
  if (view.axes.size() + 1 != view.array.getExtents().size())
    return false;
  for (auto [axis, along] : llvm::enumerate(view.axes)) {
    bool isOne = getKnown(view.array.getExtents()[axis + 1]) == 1;
    if (!isOne && along != SmallVector<int64_t>{int64_t(axis)})
      return false;
  }
  return true;
}

/// The array itself, whole views of it whose rows are its rows, in any order of their axes, and diagonals.
std::optional<RoutineGroup::RowView> RoutineGroup::getRowView(Value memory) {
  while (auto cast = memory.getDefiningOp<memref::CastOp>())
    memory = cast.getSource();
  RowView view;
  if (auto array = memory.getDefiningOp<np::AllocOp>()) {
    view.array = array;
    for (unsigned axis = 1; axis < array.getExtents().size(); ++axis)
      view.axes.push_back({axis - 1});
    return array.getExtents().empty() ? std::nullopt : std::optional(view);
  }
  if (auto part = memory.getDefiningOp<np::PartOp>()) {
    auto found = getRowView(part.getSource());
    if (found && part.getKind() == np::PartKind::diagonal && found->axes.size() >= 2) {
      auto last = found->axes.pop_back_val();
      llvm::append_range(found->axes.back(), last);
      return found;
    }
    return part.getKind() == np::PartKind::read_only ? found : std::nullopt;
  }
  // The same extents of a contiguous array are no copy.
  if (auto reshape = memory.getDefiningOp<np::CallReshapeOp>()) {
    auto found = getRowView(reshape.getSource());
    bool isSame = found && isWhole(*found) && reshape.getExtents().size() == found->array.getExtents().size();
    for (unsigned axis = 0; isSame && axis < reshape.getExtents().size(); ++axis) {
      Value extent = reshape.getExtents()[axis], own = found->array.getExtents()[axis];
      isSame = extent == own || (getKnown(extent) && getKnown(extent) == getKnown(own));
    }
    return isSame ? found : std::nullopt;
  }
  auto cut = memory.getDefiningOp<memref::ReinterpretCastOp>();
  return cut ? getRowView(cut) : std::nullopt;
}

/// A view by offsets, sizes and strides, all of which are known but those of whole rows.
std::optional<RoutineGroup::RowView> RoutineGroup::getRowView(memref::ReinterpretCastOp cut) {
  RowView view;
  Value source = cut.getSource();
  while (auto cast = source.getDefiningOp<memref::CastOp>())
    source = cast.getSource();
  view.array = source.getDefiningOp<np::AllocOp>();
  if (!view.array || view.array.getExtents().empty())
    return std::nullopt;
  SmallVector<int64_t> shape, strides;
  for (Value extent : view.array.getExtents().drop_front()) {
    std::optional<int64_t> size = getKnown(extent);
    if (!size || *size < 1)
      return std::nullopt;
    shape.push_back(*size);
  }
  strides.resize(shape.size(), 1);
  for (int64_t axis = int64_t(shape.size()) - 2; axis >= 0; --axis)
    strides[axis] = strides[axis + 1] * shape[axis + 1];
  auto asKnown = [&](OpFoldResult number) -> std::optional<int64_t> {
    auto value = dyn_cast<Value>(number);
    if (!value)
      return getConstantIntValue(number);
    // The layout of the array: its first stride is a row, the others are those of a row.
    auto layout = value.getDefiningOp<memref::ExtractStridedMetadataOp>();
    if (layout && layout.getSource() == view.array.getBuffer())
      for (auto [axis, stride] : llvm::enumerate(layout.getStrides()))
        if (stride == value)
          return axis == 0 ? countElements(shape) : strides[axis - 1];
    return getKnown(value);
  };
  auto sizes = cut.getMixedSizes(), steps = cut.getMixedStrides();
  if (sizes.empty() || asKnown(cut.getMixedOffsets()[0]) != 0 || asKnown(steps[0]) != countElements(shape))
    return std::nullopt;
  SmallVector<int64_t> furthest(shape.size(), 0);
  for (unsigned axis = 1; axis < sizes.size(); ++axis) {
    std::optional<int64_t> size = asKnown(sizes[axis]), step = asKnown(steps[axis]);
    if (!size || !step || *step < 0)
      return std::nullopt;
    SmallVector<int64_t> &along = view.axes.emplace_back();
    if (*size <= 1)
      continue;
    for (unsigned own = 0; own < shape.size(); ++own)
      if (shape[own] > 1 && *step >= strides[own]) {
        *step -= strides[own];
        along.push_back(own);
        furthest[own] += *size - 1;
      }
    if (*step != 0)
      return std::nullopt;
  }
  for (auto [last, extent] : llvm::zip_equal(furthest, shape))
    if (last >= extent)
      return std::nullopt;
  return view;
}

/// Who else touches the array, or a view of it.
void RoutineGroup::findUsers(Value memory, Rows &found) {
  for (Operation *user : memory.getUsers()) {
    bool isOfGroup = llvm::any_of(members, [&](Operation *member) { return member->isAncestor(user); });
    if (isOfGroup || isa<np::ReleaseOp>(user))
      continue;
    auto layout = dyn_cast<memref::ExtractStridedMetadataOp>(user);
    if (layout && isOfViews(layout))
      continue;
    if (isa<memref::ReinterpretCastOp, memref::CastOp, np::PartOp, np::CallReshapeOp>(user)) {
      findUsers(user->getResult(0), found);
      continue;
    }
    Operation *here = routine->getBlock()->findAncestorOpInBlock(*user);
    found.isFilledBefore |= !here || here->isBeforeInBlock(members.front());
    found.isReadBehind |= !here || !here->isBeforeInBlock(members.front());
  }
}

/// Whether a later member of the group reads what the routine only reads, whose factors take its place.
bool RoutineGroup::isReadBehind(np::AllocOp array, np::RoutineOp routine) {
  for (Operation *member : llvm::make_range(llvm::find(members, routine.getOperation()) + 1, members.end()))
    for (const Access &access : getAccesses(member))
      if (getBase(access.memory) == array.getBuffer())
        return true;
  return false;
}

/// Elements that a team works with besides its arrays: the columns with room for whole chunks of them, pairs of
/// vectors, and two numbers for each lane (runtime/cuda/kernels/Hermitian.cuh).
int64_t RoutineGroup::countScratch(Factor &factor, int64_t lanes) {
  if (!factor.routine.getRoutine().starts_with("eig"))
    return 0;
  constexpr int64_t chunk = 4;
  int64_t stride = llvm::alignTo(factor.rows, chunk) + 1;
  return factor.rows * stride + 2 * (stride + chunk) + 2 * lanes;
}

/// Makes an array the team's, if there is room for it; false where there is none and it is needed. One that is not
/// needed is the team's only if nobody else touches it.
bool RoutineGroup::addRows(np::AllocOp array, Type type, ArrayRef<int64_t> shape, bool isNeeded) {
  Rows found{array, type, SmallVector<int64_t>(shape), false, false, {}};
  int64_t step = shape.empty() ? 1 : MatrixTile::getStep(shape.back());
  int64_t size = (shape.size() > 1 ? shape.front() : 1) * step * getElementBytes(type);
  if (array)
    findUsers(array, found);
  bool isOwn = !found.isFilledBefore && !found.isReadBehind;
  int64_t lanes = llvm::PowerOf2Ceil(rows), teams = countTeamsOfMatrices(lanes, bytes + size);
  if (teams * lanes < mostRows || teams * (bytes + size) > mostBytes)
    return !isNeeded;
  if (isNeeded || isOwn) {
    // What is released in another block lives on there.
    bool isElsewhere = array && array->getBlock() != routine->getBlock();
    found.isFilledBefore |= isElsewhere;
    found.isReadBehind |= isElsewhere;
    bytes += size;
    arrays.push_back(found);
  }
  return true;
}

/// The array of a routine's operand; false where the team cannot have it.
bool RoutineGroup::addOperand(Factor &factor, Value memory) {
  auto type = cast<MemRefType>(memory.getType());
  SmallVector<int64_t> shape;
  for (int64_t axis = 1; axis < type.getRank(); ++axis) {
    std::optional<int64_t> size = getKnown(getExtent(memory, axis));
    if (!size)
      return false;
    shape.push_back(*size);
  }
  auto view = getRowView(memory);
  bool isOverwritten = memory == factor.matrix;
  bool isArray = view && isWhole(*view) && !(isOverwritten && isReadBehind(view->array, factor.routine));
  if (isArray && isOverwritten)
    factor.matrix = Value();
  if (isArray && lookup(view->array))
    return true;
  if (!isArray && !isOverwritten)
    return false;
  factor.copy = isArray ? factor.copy : unsigned(arrays.size());
  return addRows(isArray ? view->array : np::AllocOp(), type.getElementType(), shape, /*isNeeded=*/true);
}

/// The arrays that only the group touches, as far as there is room.
void RoutineGroup::addOwnRows() {
  llvm::SetVector<Operation *> seen;
  for (Operation *member : members)
    for (const Access &access : getAccesses(member))
      if (auto array = getBase(access.memory).getDefiningOp<np::AllocOp>())
        seen.insert(array);
  for (Operation *op : seen) {
    auto array = cast<np::AllocOp>(op);
    unsigned rank = array.getExtents().size();
    if (lookup(array) || rank < 2 || rank > 3 || array->getBlock() != routine->getBlock() ||
        !isCount(array.getExtents()[0]) || array.getType().getMemorySpace())
      continue;
    SmallVector<int64_t> shape;
    for (Value extent : array.getExtents().drop_front())
      shape.push_back(getKnown(extent).value_or(mostOfRow + 1));
    bool areRows = countElements(shape) <= mostOfRow;
    for (Operation *member : members)
      for (const Access &access : getAccesses(member))
        if (getBase(access.memory) == array.getBuffer())
          areRows &= isInRow(access) && getRowView(access.memory);
    if (areRows)
      addRows(array, array.getType().getElementType(), shape, /*isNeeded=*/false);
  }
}

/// The arrays of the routines, and those that only the group touches: they are the team's, if there is room for them.
bool RoutineGroup::findRows() {
  for (Factor &factor : factors) {
    factor.scratch = countScratch(factor, llvm::PowerOf2Ceil(rows));
    if (factor.scratch)
      bytes +=
          factor.scratch * getElementBytes(cast<MemRefType>(factor.routine.getOutputs()[0].getType()).getElementType());
    for (ValueRange operands : {ValueRange(factor.routine.getInputs()), ValueRange(factor.routine.getOutputs())})
      if (!llvm::all_of(operands, [&](Value operand) { return addOperand(factor, operand); }))
        return false;
  }
  addOwnRows();
  // Every access to a tile is in its row, by a view that is understood.
  for (Operation *member : members)
    for (const Access &access : getAccesses(member))
      if (auto array = getBase(access.memory).getDefiningOp<np::AllocOp>(); array && lookup(array))
        if (!getRowView(access.memory) || !isInRow(access))
          return false;
  return true;
}

RoutineGroup::Rows *RoutineGroup::lookup(Value memory) {
  auto array = getBase(memory).getDefiningOp<np::AllocOp>();
  auto found = llvm::find_if(arrays, [&](Rows &each) { return array && each.array == array; });
  return found == arrays.end() ? nullptr : &*found;
}

} // namespace npcc::cuda
