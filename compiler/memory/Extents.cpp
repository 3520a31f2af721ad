// Where an extent comes from.
#include "compiler/memory/Extents.h"
#include "compiler/memory/FirstCall.h"
#include "compiler/memory/Incoming.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Values.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"
#include <map>

using namespace mlir;
using namespace npcc::np;

namespace npcc {

SmallVector<int64_t> getEqualExtents(func::FuncOp function) {
  SmallVector<int64_t> numbers;
  for (StringRef name : {"np.guards", "np.equal_extents"})
    if (auto list = function->getAttrOfType<DenseI64ArrayAttr>(name))
      llvm::append_range(numbers, list.asArrayRef());
  return numbers;
}

std::optional<std::pair<int64_t, int64_t>> ExtentOrigin::getArgument() const {
  auto argument = dyn_cast_if_present<BlockArgument>(value);
  if (axis < 0 || !argument || !argument.getOwner()->isEntryBlock() ||
      !isa<func::FuncOp>(argument.getOwner()->getParentOp()))
    return std::nullopt;
  return std::pair<int64_t, int64_t>(argument.getArgNumber(), axis);
}

std::optional<int64_t> getInFirstCall(func::FuncOp function, const ExtentOrigin &extent) {
  if (extent.constant >= 0)
    return extent.constant;
  FirstCall first(function);
  IntegerAttr known = extent.axis < 0 ? first.evaluate(extent.value) : first.evaluateExtent(extent.value, extent.axis);
  return known ? std::optional<int64_t>(known.getInt()) : std::nullopt;
}

Value getAllocatedExtent(Value memref, int64_t axis) {
  auto alloc = memref.getDefiningOp<AllocOp>();
  if (!alloc || !alloc.getType().isDynamicDim(axis))
    return {};
  return alloc.getExtents()[alloc.getType().getDynamicDimIndex(axis)];
}

bool takeForEqual(ExtentOrigins &origins, ExtentOrigin one, ExtentOrigin other, SmallVectorImpl<int64_t> &guards) {
  using Place = std::pair<int64_t, int64_t>;
  auto placeOf = [](const ExtentOrigin &origin) {
    return origin.constant >= 0 ? Place(-1, origin.constant) : *origin.getArgument();
  };
  // Constants before arguments, and arguments in their order: the first one stands for both.
  if (placeOf(other) < placeOf(one))
    std::swap(one, other);
  if (one == other || origins.isUnified(other))
    return false;
  for (Place place : {placeOf(one), placeOf(other)})
    guards.append({place.first, place.second});
  origins.unify(other, one);
  return true;
}

ExtentOrigins::ExtentOrigins(Operation *op) : isResolved(true) {
  auto function = dyn_cast<func::FuncOp>(op);
  if (!function)
    function = op->getParentOfType<func::FuncOp>();
  unresolved = function;
  SmallVector<int64_t> numbers = getEqualExtents(function);
  for (ArrayRef<int64_t> list = numbers; list.size() >= 4; list = list.drop_front(4))
    unified[{function.getArgument(list[2]), list[3]}] =
        list[0] < 0 ? ExtentOrigin{Value(), -1, list[1]} : ExtentOrigin{function.getArgument(list[0]), list[1], -1};
}

ExtentOrigin ExtentOrigins::ofIndex(Value index) {
  // A negative extent stands behind the check that refuses it.
  APInt constant;
  if (matchPattern(index, m_ConstantInt(&constant)) && !constant.isNegative())
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
    for (auto [inside, result] : llvm::zip(loop.getRegionIterArgs(), loop.getResults()))
      carried.push_back({inside, result, getIncoming(inside)});
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    for (Value inside : loop.getBeforeArguments())
      carried.push_back({inside, Value(), getIncoming(inside)});
    for (auto [inside, result] : llvm::zip(loop.getAfterArguments(), loop.getResults()))
      carried.push_back({inside, result, getIncoming(inside)});
  }
  llvm::erase_if(carried, [](const CarriedArray &each) { return getRank(each.inside.getType()) == 0; });
  return carried;
}

/// What has no value has any extents.
static bool isPoison(Value value) { return value.getDefiningOp<ub::PoisonOp>(); }

void *ExtentOrigins::JoinedAxis::place() const {
  auto argument = dyn_cast<BlockArgument>(array.inside);
  return argument ? static_cast<void *>(argument.getOwner()) : array.inside.getDefiningOp();
}

void ExtentOrigins::appendJoined(SmallVectorImpl<JoinedAxis> &joined, const CarriedArray &array) {
  SmallVector<Value> incoming = array.incoming;
  llvm::stable_sort(incoming, [](Value one, Value other) { return !isPoison(one) && isPoison(other); });
  for (int64_t axis = 0; axis < getRank(array.inside.getType()); ++axis)
    joined.push_back({array, axis, incoming, true});
}

/// All of a function, each behind what it is made of: of what a loop hands on nothing is known yet.
SmallVector<ExtentOrigins::JoinedAxis> ExtentOrigins::collectJoined(func::FuncOp function) {
  SmallVector<JoinedAxis> joined;
  function->walk([&](Operation *op, const WalkStage &stage) {
    if (auto branch = dyn_cast<scf::IfOp>(op); branch && branch.getNumResults() > 0 && stage.isAfterAllRegions())
      for (Value result : branch.getResults())
        if (getRank(result.getType()) > 0)
          appendJoined(joined, {result, Value(), getIncoming(result)});
    // What the condition of a `while` hands its body stands behind what is computed in the condition.
    for (const CarriedArray &carried : getCarriedArrays(op)) {
      bool isOfBody = isa<scf::WhileOp>(op) && carried.result;
      if (isOfBody ? stage.isBeforeRegion(1) : stage.isBeforeAllRegions())
        appendJoined(joined, carried);
    }
  });
  return joined;
}

void ExtentOrigins::assume(const CarriedArray &array, int64_t axis, const ExtentOrigin &inside,
                           const ExtentOrigin &result) {
  assumed[{array.inside, axis}] = inside;
  if (array.result)
    assumed[{array.result, axis}] = result;
}

/// Finds the joined arrays that may have no value on some path.
void ExtentOrigins::findUnset(ArrayRef<JoinedAxis> joined) {
  unset.clear();
  for (bool changed = true; changed;) {
    changed = false;
    for (const JoinedAxis &entry : joined) {
      bool isUnset =
          llvm::any_of(entry.incoming, [&](Value value) { return isPoison(value) || unset.contains(value); });
      if (!isUnset || !unset.try_emplace(entry.array.inside, &entry).second)
        continue;
      changed = true;
      if (entry.array.result)
        unset.try_emplace(entry.array.result, &entry);
    }
  }
}

/// Equal for two values that are there on the same paths.
unsigned ExtentOrigins::setClassOf(Value value) const {
  enum : unsigned { everywhere, nowhere };
  if (isPoison(value))
    return nowhere;
  auto found = setClasses.find(value);
  return found == setClasses.end() ? unsigned(everywhere) : found->second;
}

/// Parts the joined arrays that may have no value by the paths on which they have one: by the place where they are
/// joined and the classes of what comes in. They stand behind what they are made of, so one walk parts most of them,
/// and the next ones only those that depend on what a loop hands on, which is taken for one class at first.
void ExtentOrigins::classifyUnset(ArrayRef<JoinedAxis> joined) {
  constexpr unsigned unknown = 2, firstClass = 3;
  setClasses.clear();
  for (auto [value, entry] : unset)
    setClasses[value] = unknown;
  llvm::DenseMap<void *, unsigned> places;
  for (bool changed = !unset.empty(); changed;) {
    changed = false;
    std::map<SmallVector<unsigned>, unsigned> classes; // a class has the number of its first array
    for (auto [number, entry] : llvm::enumerate(joined)) {
      auto found = unset.find(entry.array.inside);
      if (found == unset.end() || found->second != &entry)
        continue;
      SmallVector<unsigned> mine{places.try_emplace(entry.place(), places.size()).first->second};
      for (Value next : entry.array.incoming)
        mine.push_back(setClassOf(next));
      unsigned own = classes.try_emplace(std::move(mine), firstClass + number).first->second;
      if (std::exchange(setClasses[entry.array.inside], own) == own)
        continue;
      changed = true;
      if (entry.array.result)
        setClasses[entry.array.result] = own;
    }
  }
}

namespace {
/// Writes down how an extent is computed, so that two extents which are computed in the same way of equal ones compare
/// equal: of two arrays that a loop makes shorter by one, say, each has its own difference.
class ExtentText {
public:
  using Part = std::tuple<unsigned, const void *, int64_t, int64_t>;
  explicit ExtentText(ExtentOrigins &origins) : origins(origins) {}

  std::vector<Part> of(const ExtentOrigin &origin) {
    std::vector<Part> leaf{{0, origin.value.getAsOpaquePointer(), origin.axis, origin.constant}};
    Operation *op = origin.axis < 0 && origin.value ? origin.value.getDefiningOp() : nullptr;
    if (!op || ++operations > mostOperations)
      return leaf;
    APInt constant;
    if (matchPattern(origin.value, m_ConstantInt(&constant)))
      return {{1, nullptr, 0, constant.getSExtValue()}};
    if (auto meet = dyn_cast<BroadcastExtentOp>(op)) { // of equal ones
      std::vector<Part> lhs = of(origins.ofIndex(meet.getLhs()));
      return lhs == of(origins.ofIndex(meet.getRhs())) ? lhs : leaf;
    }
    if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::MaxSIOp, arith::MinSIOp, arith::DivSIOp,
             arith::DivUIOp, arith::IndexCastOp>(op))
      return leaf;
    std::vector<Part> whole{{2, op->getName().getAsOpaquePointer(), 0, 0}};
    for (Value operand : op->getOperands())
      llvm::append_range(whole,
                         of(operand.getType().isIndex() ? origins.ofIndex(operand) : ExtentOrigin{operand, -1, -1}));
    return whole;
  }

private:
  static constexpr unsigned mostOperations = 32; // an extent may be used twice in another one, and so on
  ExtentOrigins &origins;
  unsigned operations = 0;
};
} // namespace

/// Equal for two of one place that have equal extents: they have a value on the same paths, and on each an extent that
/// comes from one place or is computed in one way. The paths stand in their own order: one of two arrays may have a
/// value where the other has none.
ExtentOrigins::JoinedKey ExtentOrigins::keyOf(const JoinedAxis &entry) {
  JoinedKey key;
  for (Value value : entry.array.incoming) {
    key.emplace_back(setClassOf(value), nullptr, 0, 0);
    if (!isPoison(value))
      llvm::append_range(key, ExtentText(*this).of(of(value, entry.axis)));
  }
  return key;
}

/// Arrays whose extents change but stay equal to each other (`z, c = z[m], c[m]`): all that stand in one place are
/// assumed to, and parted where they are not, until nothing changes. The first one of a group is the origin of all.
void ExtentOrigins::shareChanging(ArrayRef<JoinedAxis> joined) {
  using Group = SmallVector<const JoinedAxis *>;
  findUnset(joined);
  classifyUnset(joined);
  llvm::MapVector<void *, Group> places;
  for (const JoinedAxis &entry : joined)
    if (!entry.isKept)
      places[entry.place()].push_back(&entry);
  SmallVector<Group> groups;
  for (auto &[place, group] : places)
    if (group.size() > 1) {
      llvm::stable_sort(group, [](auto one, auto other) {
        return llvm::count_if(one->incoming, isPoison) < llvm::count_if(other->incoming, isPoison);
      });
      groups.push_back(std::move(group));
    }
  for (bool changed = !groups.empty(); changed;) {
    changed = false;
    for (const Group &group : groups)
      for (const JoinedAxis *entry : group) {
        const JoinedAxis &first = *group.front();
        assume(entry->array, entry->axis, {first.array.inside, first.axis, -1}, {first.array.result, first.axis, -1});
      }
    forget();
    SmallVector<Group> parts;
    for (const Group &group : groups) {
      std::map<JoinedKey, size_t> numbers;
      size_t before = parts.size();
      for (const JoinedAxis *entry : group) {
        auto [number, isNew] = numbers.try_emplace(keyOf(*entry), parts.size());
        if (isNew)
          parts.emplace_back();
        parts[number->second].push_back(entry);
      }
      changed |= parts.size() > before + 1;
    }
    groups = std::move(parts);
  }
  unset.clear();
  setClasses.clear();
}

bool ExtentOrigins::resolveLoops(func::FuncOp function, bool isOptimistic) {
  unresolved = {};
  assumed.clear();
  forget();
  SmallVector<JoinedAxis> joined = collectJoined(function);
  auto isLoops = [](const JoinedAxis &entry) { return isa<BlockArgument>(entry.array.inside); };
  auto standAlone = [&](JoinedAxis &entry) {
    entry.isKept = false;
    assume(entry.array, entry.axis, {entry.array.inside, entry.axis, -1}, {entry.array.result, entry.axis, -1});
  };
  for (JoinedAxis &entry : joined) {
    // What was found stays right: what comes in first is made of what stands before and around it, which is assumed
    // already.
    ExtentOrigin origin = of(entry.incoming.front(), entry.axis);
    Operation *op =
        isLoops(entry) ? entry.array.inside.getParentRegion()->getParentOp() : entry.array.inside.getDefiningOp();
    // What a branch or the condition of a `while` computes nobody sees behind it.
    if (origin.value && op->isAncestor(origin.value.getParentRegion()->getParentOp()))
      standAlone(entry);
    else
      assume(entry.array, entry.axis, origin, origin);
  }
  forget();
  bool allHold = true;
  for (bool changed = !isOptimistic; changed;) {
    changed = false;
    for (JoinedAxis &entry : joined) {
      ExtentOrigin origin = assumed[{entry.array.inside, entry.axis}];
      auto holds = [&](Value value) {
        return isPoison(value) ||
               (getRank(value.getType()) == getRank(entry.array.inside.getType()) && of(value, entry.axis) == origin);
      };
      if (!entry.isKept || llvm::all_of(entry.incoming, holds))
        continue;
      changed = true;
      allHold &= !isLoops(entry);
      standAlone(entry);
    }
    if (changed)
      forget();
  }
  shareChanging(joined);
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
