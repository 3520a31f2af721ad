// npcc-materialize: decides which values are arrays in memory. Each of them becomes `np.load (np.new %value)`;
// everything else is computed where it is used.
//
//   %m = np.reduce "add" %x axes [1]                       %m = np.reduce ...   %b = np.new %m   %l = np.load %b
//   %s = np.broadcast %m ...                     ->        %s = np.broadcast %l ...
//
// A value becomes an array
// * if it is the result or an operand of an opaque operation, which a library or several kernels compute;
// * if it is a reduction, and elements at other positions than its own need it; or what is made of it with numbers
//   alone (the mean, of a sum), if all the rest is made of that;
// * if a loop would compute it again in each iteration, of several arrays or of one and its transpose; or if a loop on
//   the host goes to positions that are much work, which would not be vectorised there;
// * if it is expensive, and several kernels or all elements or rows of one would compute it again; several positions of
//   one kernel on a device only where that takes longer than the array (Copies.cpp);
// * if kernels would hold too many copies of its code, or if it ends a chain of too many operations (Copies.cpp);
// * if it holds a load of an array that something overwrites before the value is used. As much of the computation above
//   the load goes into the array as stands before the overwriting;
// * if it is stored to an array that it reads at other positions.
#include "compiler/explain/Remarks.h"
#include "compiler/kernels/CarriedValues.h"
#include "compiler/kernels/Copies.h"
#include "compiler/kernels/Ends.h"
#include "compiler/kernels/Passes.h"
#include "compiler/kernels/RepeatedValues.h"
#include "compiler/kernels/ScalarOps.h"
#include "compiler/kernels/Sinks.h"
#include "compiler/kernels/StaleLoads.h"
#include "compiler/kernels/StoredValues.h"
#include "compiler/memory/Extents.h"
#include "compiler/memory/FirstCall.h"
#include "compiler/memory/Region.h"
#include "compiler/target/Target.h"
#include "dialects/Np/ElementBytes.h"
#include "dialects/Np/Ufunc.h"
#include "llvm/ADT/SetVector.h"

namespace npcc {
#define GEN_PASS_DEF_MATERIALIZE
#include "compiler/kernels/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
/// The only user is already an np.new, whose array can serve, or a store of a product, which a library writes to any
/// array.
bool goesToArrayOnly(Value value) {
  if (!value.hasOneUse())
    return false;
  Operation *user = *value.user_begin();
  bool isStored = isa<StoreOp>(user) && value.getDefiningOp<MatmulOp>() && user->getBlock() == value.getParentBlock() &&
                  getRank(getWrittenArray(user).getType()) == getRank(value.getType());
  return isa<NewOp>(user) || isStored;
}

/// A load of a region whole axes of which are contiguous enough for a library: any view without a broken axis will do.
bool isPlainLoad(Value value) { return isa_and_nonnull<LoadOp>(value.getDefiningOp()); }
bool isContiguousLoad(Value value) {
  return cast<ArrayType>(value.getDefiningOp<LoadOp>().getArray().getType()).getContiguous();
}

/// Whether nothing but loads of the array, or of its views, is made of it.
bool isOnlyLoaded(Value array) {
  return llvm::all_of(array.getUsers(), [](Operation *user) {
    auto view = dyn_cast<ViewOp>(user);
    return isa<LoadOp, DimOp>(user) || (view && isOnlyLoaded(view.getResult()));
  });
}

bool isPlace(Operation *user) { return isSink(user) || isa<ItemOp, func::ReturnOp>(user); }
/// A number that no group and no other operation has.
int64_t nameOf(Operation *op) { return static_cast<int64_t>(reinterpret_cast<intptr_t>(op)); }

constexpr StringLiteral ofLibrary = "a library, or several kernels, make it";

struct Materialize : impl::MaterializeBase<Materialize> {
  bool general = false;
  ExtentOrigins extents;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    general = function->hasAttr("np.general");
    extents = ExtentOrigins(function);
    materializeCarried(function);
    materializeResults(function);
    materializeOpaque(function);
    materializeReadOften(function);
    materializeReductions(function);
    toArrays(collectValuesOfLoops(function), "a loop would compute it again in each iteration");
    if (!getTargetProperties(function).launchesAreCostly) // a scalar takes a kernel
      toArrays(collectScalarsOfElements(function), "each element would compute the number again");
    toArrays(collectStretchedRows(function), "each row would compute it again");
    boundChains(function, [&](Value value) { toArray(value, "it ends a chain of too many operations"); });
    materializeShared(function);
    materializeItems(function);
    materializeStale(function, general, [&](Value value, const Twine &reason) { return toArray(value, reason); });
  }

  /// Puts a value into memory, where all who use it load it from then on.
  Value toArray(Value value, const Twine &reason) {
    Operation *keeper = getKeeper(value);
    if (!keeper) {
      remarkArray(value.getLoc(), reason);
      OpBuilder builder(value.getContext());
      builder.setInsertionPointAfterValue(value);
      keeper = NewOp::create(builder, value.getLoc(), value);
      numberInBlock(keeper);
    }
    return loadBehind(keeper, value);
  }

  void toArrays(ArrayRef<Value> values, const Twine &reason) {
    for (Value value : values)
      toArray(value, reason);
  }

  /// What puts the value into memory already, from where all can load it; null if nothing does.
  Operation *getKeeper(Value value) {
    extents.forget(); // values have changed
    return findKeeper(value, extents, general);
  }

  Value loadBehind(Operation *keeper, Value value) {
    OpBuilder builder(value.getContext());
    builder.setInsertionPointAfter(keeper);
    auto load = LoadOp::create(builder, value.getLoc(), getWrittenArray(keeper));
    numberInBlock(load);
    value.replaceAllUsesExcept(load.getValue(), keeper);
    return load.getValue();
  }

  /// NumPy scalars leave the function in memory of rank 0; the host reads computed ones from there too.
  void materializeResults(func::FuncOp function) {
    function.walk([&](func::ReturnOp op) {
      OpBuilder builder(op);
      for (OpOperand &operand : op->getOpOperands())
        if (isa<RankedTensorType>(operand.get().getType()))
          operand.set(NewOp::create(builder, op.getLoc(), operand.get()));
      function.setFunctionType(
          builder.getFunctionType(function.getFunctionType().getInputs(), TypeRange(op.getOperands())));
    });
  }

  /// After what loops read is memory: an element of it is no computation.
  void materializeItems(func::FuncOp function) {
    SmallVector<ItemOp> items;
    function.walk([&](ItemOp op) { items.push_back(op); });
    for (ItemOp op : items)
      if (op.getValue().getDefiningOp() && isExpensive(op.getValue())) {
        OpBuilder builder(op);
        auto array = NewOp::create(builder, op.getLoc(), op.getValue());
        op.getValueMutable().assign(LoadOp::create(builder, op.getLoc(), array.getArray()));
      }
  }

  /// What the value is made of by cheap functions of one operand, if that is no larger in memory: of
  /// `(~mask).astype(int)` the mask.
  static Value getNarrowest(Value value) {
    auto widthOf = [](Value one) { return getElementBytes(getElementType(one.getType())); };
    while (Operation *op = value.getDefiningOp()) {
      bool isUnary = isa<CastOp, UfuncOp>(op) && op->getNumOperands() == 1 && getElementCost(op) <= ElementCost::Cheap;
      Value operand = isUnary ? op->getOperand(0) : Value();
      if (!operand || !isOfElements(op, operand) || widthOf(operand) > widthOf(value))
        break;
      value = operand;
    }
    return value;
  }

  /// A product takes any strides: x.T of a computed x is a view of x's array.
  bool loadView(OpOperand &operand) {
    auto view = operand.get().getDefiningOp<ViewOp>();
    if (!view)
      return false;
    // A load is of what the array holds then: another one may stand here where nobody writes to the array, or nothing
    // to any before the product.
    auto load = view.getSource().getDefiningOp<LoadOp>();
    auto isNeverWritten = [](Value array) { return array.getDefiningOp<NewOp>() && isOnlyLoaded(array); };
    if (load && !isNeverWritten(load.getArray()) && !leaveArrays(load, operand.getOwner()))
      return false;
    Value array =
        load ? load.getArray() : toArray(view.getSource(), "a product takes it").getDefiningOp<LoadOp>().getArray();
    OpBuilder builder(view);
    auto type = cast<RankedTensorType>(view.getResult().getType());
    auto strided = ArrayType::get(view.getContext(), type.getShape(), type.getElementType(), /*contiguous=*/false);
    Value turned = ViewOp::create(builder, view.getLoc(), strided, array, view.getOffsets(), view.getAxes(),
                                  view.getExtents(), view.getSteps());
    operand.set(LoadOp::create(builder, view.getLoc(), turned));
    return true;
  }

  /// A library takes elements in order, whatever their extents: of a value with more axes than its reshape, the value
  /// goes into memory. A kernel that wrote the reshape would divide its positions by the extents of all those axes.
  bool loadReshaped(OpOperand &operand) {
    auto reshape = operand.get().getDefiningOp<ReshapeOp>();
    if (!reshape || getRank(reshape.getSource().getType()) <= getRank(reshape.getType()))
      return false;
    auto load = toArray(reshape.getSource(), "a library takes its elements").getDefiningOp<LoadOp>();
    OpBuilder builder(reshape);
    auto type = cast<RankedTensorType>(reshape.getType());
    auto contiguous = ArrayType::get(type.getContext(), type.getShape(), type.getElementType(), /*contiguous=*/true);
    Value array = ReshapeOp::create(builder, reshape.getLoc(), contiguous, load.getArray(), reshape.getExtents());
    reshape.getResult().replaceAllUsesWith(LoadOp::create(builder, reshape.getLoc(), array));
    reshape.erase();
    return true;
  }

  void materializeOpaque(func::FuncOp function) {
    SmallVector<Operation *> opaque;
    function.walk([&](Operation *op) {
      if (isOpaque(op))
        opaque.push_back(op);
    });
    for (Operation *op : opaque) {
      // Running reductions compute their elements, twice on a GPU. They convert what is narrower in memory (a mask).
      if (isa<ScanOp>(op)) {
        Value element = getNarrowest(op->getOperand(0));
        if (isExpensive(element))
          toArray(element, "a library, or several kernels, take it as an array");
        if (!goesToArrayOnly(op->getResult(0)))
          toArray(op->getResult(0), ofLibrary);
        continue;
      }
      for (OpOperand &operand : op->getOpOperands())
        if (isa<MatmulOp>(op) && (loadView(operand) || loadReshaped(operand)))
          continue;
        else if (isa<RankedTensorType>(operand.get().getType()) &&
                 (!isPlainLoad(operand.get()) || (isa<SortOp>(op) && !isContiguousLoad(operand.get()))))
          toArray(operand.get(), "a library, or several kernels, take it as an array");
      if (!goesToArrayOnly(op->getResult(0)))
        toArray(op->getResult(0), ofLibrary);
    }
  }

  /// What each element of another value reads much of.
  void materializeReadOften(func::FuncOp function) {
    SmallVector<Value> values;
    DenseMap<Value, bool> expensive;
    function.walk([&](ValueOpInterface op) {
      for (OpOperand &operand : op->getOpOperands())
        if (op.isReadOften(operand) && isExpensive(operand.get(), expensive))
          values.push_back(operand.get());
    });
    toArrays(values, "each element of another value reads much of it");
  }

  /// Whether it is made of numbers that the host has, and of nothing in memory.
  static bool isMadeOfNumbers(Value value) {
    SmallVector<TreeLoad> loads;
    collectLoads(value, loads);
    return loads.empty();
  }

  static bool isOfElements(Operation *user, Value value) {
    return isa<UfuncOp, CastOp>(user) && isa<RankedTensorType>(value.getType()) &&
           getRank(user->getResult(0).getType()) == getRank(value.getType());
  }

  /// The last value that is computed of this one, element by element, of which all the rest is made.
  static Value getOnlyHeir(Value value) {
    while (value.hasOneUse() && isOfElements(*value.user_begin(), value))
      value = (*value.user_begin())->getResult(0);
    return value;
  }

  /// The last such value that needs nothing but numbers beside it (the mean, of a sum), and is not larger in memory.
  static Value getOnlyHeirOfNumbers(Value value) {
    auto widthOf = [](Value one) { return getElementBytes(getElementType(one.getType())); };
    Value heir = value;
    while (value.hasOneUse() && isOfElements(*value.user_begin(), value)) {
      Operation *user = *value.user_begin();
      if (llvm::any_of(user->getOperands(), [&](Value operand) {
            return operand != value && isa<RankedTensorType>(operand.getType()) && !isMadeOfNumbers(operand);
          }))
        break;
      value = user->getResult(0);
      if (widthOf(value) <= widthOf(heir))
        heir = value;
    }
    return heir;
  }

  void materializeReductions(func::FuncOp function) {
    SmallVector<ReduceOp> reductions;
    function.walk([&](ReduceOp op) { reductions.push_back(op); });
    auto keyOf = [](Operation *user) { return isPlace(user) ? std::optional(nameOf(user)) : std::nullopt; };
    ExtentOrigins origins(function);
    Ends ends(keyOf, origins);
    for (ReduceOp op : reductions) {
      if (!ends.areSeveral(op.getResult()))
        continue;
      // What is made of it may be an array already, which all others can load.
      Value heir = getOnlyHeir(op.getResult());
      if (Operation *keeper = getKeeper(heir))
        loadBehind(keeper, heir);
      else
        toArray(getOnlyHeirOfNumbers(op.getResult()),
                "positions other than its own read the reduction, and each would compute it again");
    }
  }

  /// Where a use ends: an arm of a branch (the operation and the operand), through code that only this use needs; null
  /// if it ends elsewhere.
  static std::pair<Operation *, unsigned> findArm(OpOperand &use) {
    OpOperand *last = &use;
    for (;;) {
      Operation *user = last->getOwner();
      if (auto where = dyn_cast<UfuncOp>(user); where && isBranch(where))
        return last->getOperandNumber() ? std::pair(user, last->getOperandNumber())
                                        : std::pair<Operation *, unsigned>();
      if (isa<InsertOp>(user))
        return {user, last->getOperandNumber()};
      bool isElementwise = isa<ViewOp, UfuncOp, CastOp>(user);
      if (!isElementwise || llvm::count_if(user->getUsers(), [](Operation *other) { return !isa<DimOp>(other); }) != 1)
        return {};
      for (OpOperand &next : user->getUses())
        if (!isa<DimOp>(next.getOwner()))
          last = &next;
    }
  }

  /// Both arms of a branch need the value, at the same position or others: one of them is computed.
  static bool isChosenOnce(Value value) {
    Operation *branch = nullptr;
    llvm::SmallDenseSet<unsigned> arms;
    for (OpOperand &use : value.getUses()) {
      if (isa<DimOp>(use.getOwner()))
        continue;
      auto [user, arm] = findArm(use);
      if (!user || (branch && user != branch) || !arms.insert(arm).second)
        return false;
      branch = user;
    }
    return arms.size() == 2 && branch->hasOneUse();
  }

  /// Expensive values that kernels of different groups need, or one kernel at several positions; then cheap ones of
  /// which kernels would hold too many copies.
  void materializeShared(func::FuncOp function) {
    DenseMap<Operation *, int64_t> groupOf;
    int64_t groups = 0;
    ExtentOrigins origins(function);
    function.walk([&](Block *block) {
      for (SinkGroup &group : groupSinks(*block, general, origins)) {
        for (Operation *sink : group.sinks)
          groupOf[sink] = groups;
        ++groups;
      }
    });
    // Users first: what ends in an array that is made for one of them ends there.
    SmallVector<Operation *> producers;
    function.walk([&](Operation *op) {
      if (op->getNumResults() == 1 && isa<RankedTensorType>(op->getResult(0).getType()))
        producers.push_back(op);
    });
    // What is known here stays right when a value becomes an array: in the first walk below nothing is known of its
    // users yet, in the second one nothing is asked of them any more.
    DenseMap<Value, bool> expensive;
    // A reduction goes over all elements once, but for those that look for a position.
    auto keyOf = [&](Operation *user) -> std::optional<int64_t> {
      if (auto reduce = dyn_cast<ReduceOp>(user); reduce && !isPosition(reduce.getKind()))
        return nameOf(user);
      return isPlace(user) ? std::optional(groupOf.lookup(user)) : std::nullopt;
    };
    Ends ends(keyOf, origins);
    auto makeArray = [&](Value value) {
      Operation *array = toArray(value, "several kernels, or several positions of one, would compute it again")
                             .getDefiningOp<LoadOp>()
                             .getArray()
                             .getDefiningOp();
      ends.setSingle(value, groups);
      groupOf[array] = groups++;
    };
    auto mayBeArray = [&](Operation *op) {
      Value value = op->getResult(0);
      bool isCandidate = !isa<LoadOp>(op) && getRank(value.getType()) > 0 && !value.hasOneUse() && !isMovedOnly(value);
      return isCandidate && isExpensive(value, expensive) && !isChosenOnce(value);
    };
    // On a device it depends on how many positions there are, and what an element costs: boundCopies asks for that.
    bool isDevice = getTargetProperties(function).launchesAreCostly;
    DenseMap<Value, bool> elements;
    auto isLeftToCopies = [&](Value value) {
      return isDevice && isMadeOfElements(value, elements) && ends.areOfOnePlace(value);
    };
    // From the first operation on: what is computed of such an array is not expensive because the array was.
    for (Operation *op : producers)
      if (Value value = op->getResult(0); mayBeArray(op) && ends.areSeveralAtOnce(value) && !isLeftToCopies(value))
        makeArray(value);
    for (Operation *op : llvm::reverse(producers))
      if (Value value = op->getResult(0); mayBeArray(op) && ends.areSeveral(value) && !isLeftToCopies(value))
        makeArray(value);
    boundCopies(function, groupOf, origins, makeArray);
  }
};
} // namespace
} // namespace npcc
