// npcc-carry-masks: arrays of which each iteration selects what the next one goes on with keep all their elements, and
// the loop hands on a mask of those that are left.
//
//   scf.for ... iter_args(%z = %z0) {              %true = np.new (np.full true)
//     %a = np.load %z                              scf.for ... iter_args(%all = %z0, %left = %true) {
//     %b = f(%a)                                     %m = np.load %left
//     %keep = g(%b)                                  %z = np.new (np.compress (np.load %all), %m)
//     %c = np.compress %b, %keep            ->       ...
//     %next = np.new %c                              %more = np.new (np.load %all)
//     scf.yield %next                                np.store_masked %b, %m, %more selected
//   }                                                ... and %keep into a new mask ...
//                                                    scf.yield %more, %masked
//                                                  }
//
// Points that have escaped, roots that are found and particles that have left are taken out of all the arrays of such a
// program (`z, c, ids = z[keep], c[keep], ids[keep]`). That makes four launches of each array, and the host waits for
// each length. npcc-move-selections then computes with all elements what is computed with those that are left, so that
// an iteration is elementwise. An array that iterations only select from is not handed on at all.
//
// Only where everything that an iteration computes with these arrays is elementwise, or ends in reductions and in
// stores at selected positions. The arrays must begin with equal extents, and are selected by one mask. Where launches
// are costly only: on the CPU it pays to go on with fewer elements.
#include "compiler/memory/Aliasing.h"
#include "compiler/memory/Extents.h"
#include "compiler/np/Canonicalizer.h"
#include "compiler/np/CarriedNames.h"
#include "compiler/np/ElementSelection.h"
#include "compiler/np/Passes.h"
#include "compiler/np/Positions.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Ufunc.h"
#include "dialects/Np/Values.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/PassManager.h"

namespace npcc {
#define GEN_PASS_DEF_CARRYMASKS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
/// One array of which iterations select.
class SelectedArray {
public:
  SelectedArray(Operation *loop, unsigned index) : names(loop, index), init(names.getGiven().get()) {}

  /// Finds all its names. False if iterations do anything but select it by one mask, or hand on what they do to it.
  bool collect();
  Value getInit() const { return init; }
  /// What it is selected by.
  Value getMask() const { return mask; }
  ArrayRef<NewOp> getMade() const { return made; }
  /// Its names that no selection makes: what the loop and its branches are given, and give.
  SmallVector<Value> getGivenNames() const;
  /// Whether iterations store to what they are given.
  bool isStoredTo() const;
  /// Whether what they store goes on in selections only, and under no other name.
  bool isSelectedOnceStored() const;
  /// Whether somebody may tell what the loop leaves from a copy: without an iteration it is what the loop was given.
  bool isLeftToOthers() const;
  /// Whether iterations do nothing with it but select.
  bool isKept(Aliasing &aliasing) const;

  CarriedNames names;

private:
  Value init, mask;
  SmallVector<NewOp> made;
};

bool SelectedArray::collect() {
  auto type = dyn_cast<ArrayType>(init.getType());
  if (!type || type.getRank() == 0 || !type.getContiguous() || !ShapedType::isDynamic(type.getShape()[0]) ||
      init.getDefiningOp<ub::PoisonOp>() || !names.takePassing(names.getGiven()))
    return false;
  Operation *loop = names.getLoop();
  auto isMade = [&](Operation *op) {
    if (isa<ub::PoisonOp>(op)) // where there is no iteration
      return true;
    if (!isa<NewOp>(op))
      return false;
    ElementSelection selection(op->getResult(0));
    if (!selection || op->getParentOfType<LoopLikeOpInterface>() != loop || (mask && selection.getMask() != mask))
      return false;
    mask = selection.getMask();
    made.push_back(cast<NewOp>(op));
    return true;
  };
  for (size_t k = 0; k < names.getValues().size(); k++) {
    Value value = names.getValues()[k];
    Operation *owner = value.getDefiningOp() ? value.getDefiningOp() : value.getParentBlock()->getParentOp();
    bool isInnerLoop = owner != loop && isa<LoopLikeOpInterface>(owner);
    if (value.getType() != type || isInnerLoop || isa<arith::SelectOp>(owner) || !names.takeSources(value, isMade))
      return false;
    if (!names.isLeft(value) && !isa<ub::PoisonOp>(owner))
      for (OpOperand &use : value.getUses())
        if (handsOn(use.getOwner()) && !names.takePassing(use))
          return false;
  }
  // What is stored to a selection belongs to the next iteration.
  return mask && llvm::all_of(made, isOnlyRead) && names.hasOneOfEach();
}

SmallVector<Value> SelectedArray::getGivenNames() const {
  return llvm::filter_to_vector(names.getValues(),
                                [](Value name) { return !isa_and_present<NewOp, ub::PoisonOp>(name.getDefiningOp()); });
}

/// Those that store to an array, or may do so through a view.
SmallVector<Operation *> getStores(Value array) {
  return llvm::filter_to_vector(array.getUsers(),
                                [](Operation *user) { return !isa<LoadOp, DimOp>(user) && !handsOn(user); });
}

/// Whether two operations are in different branches of one.
bool areExclusive(Operation *one, Operation *other) {
  Block *block = one->getBlock();
  while (!block->findAncestorOpInBlock(*other))
    block = block->getParentOp()->getBlock();
  Operation *first = block->findAncestorOpInBlock(*one);
  return first != one && isa<scf::IfOp>(first) && first == block->findAncestorOpInBlock(*other);
}

bool SelectedArray::isStoredTo() const {
  return llvm::any_of(getGivenNames(), [&](Value name) { return !names.isLeft(name) && !getStores(name).empty(); });
}

bool SelectedArray::isLeftToOthers() const {
  return !llvm::all_of(names.getLoop()->getResult(names.getIndex()).getUsers(), llvm::IsaPred<LoadOp, DimOp>);
}

bool SelectedArray::isSelectedOnceStored() const {
  return llvm::all_of(getGivenNames(), [&](Value name) {
    SmallVector<Operation *> stores = names.isLeft(name) ? SmallVector<Operation *>() : getStores(name);
    auto isApart = [&](Operation *user) {
      return !handsOn(user) || llvm::all_of(stores, [&](Operation *store) { return areExclusive(store, user); });
    };
    return stores.empty() || (isa<BlockArgument>(name) && llvm::all_of(name.getUsers(), isApart));
  });
}

bool SelectedArray::isKept(Aliasing &aliasing) const {
  return !isStoredTo() && !aliasing.mayWriteTo(names.getLoop(), init) && llvm::all_of(made, [&](NewOp op) {
    Value source = ElementSelection(op).getSource();
    auto load = source ? source.getDefiningOp<LoadOp>() : LoadOp();
    return load && names.contains(load.getArray()) && !load.getArray().getDefiningOp<NewOp>();
  });
}

/// What iterations do with the elements of arrays that are selected together.
class ElementUses {
public:
  ElementUses(Operation *loop, ArrayRef<SelectedArray> arrays) : loop(loop), arrays(arrays) {}

  /// Whether none of that needs an array of the elements that are left, and the mask is computed of them.
  bool areElementwise() {
    for (const SelectedArray &array : arrays)
      for (Value name : array.getGivenNames())
        if (!array.names.isLeft(name))
          take(name);
    while (!open.empty()) {
      Value value = open.pop_back_val();
      if (!llvm::all_of(value.getUses(), [&](OpOperand &use) { return take(use); }))
        return false;
    }
    return elements.contains(arrays.front().getMask());
  }

private:
  bool take(Value value) {
    if (elements.insert(value).second)
      open.push_back(value);
    return true;
  }

  /// Whether a value is what is left of numbers that count (np.arange(n)).
  bool isPosition(Value value) {
    for (const SelectedArray &array : arrays)
      if (array.names.contains(value) && !value.getDefiningOp<NewOp>()) {
        auto made = array.getInit().getDefiningOp<NewOp>();
        return made && getCountFromZero(made.getValue()) &&
               llvm::all_of(array.getMade(), [](NewOp next) { return ElementSelection(next).getSource(); });
      }
    Operation *op = value.getDefiningOp();
    return isa_and_present<NewOp, LoadOp, CompressOp>(op) && isPosition(op->getOperand(0));
  }

  bool take(OpOperand &use) {
    Operation *user = use.getOwner();
    if (handsOn(user))
      return llvm::any_of(arrays, [&](const SelectedArray &array) { return array.names.contains(use.get()); });
    if (user->getParentOfType<LoopLikeOpInterface>() != loop)
      return false; // a loop inside would go through the elements that are not left, too
    if (isa<DimOp>(user))
      return true;
    if (isa<LoadOp, UfuncOp, CastOp, BroadcastOp, CompressOp, NewOp>(user))
      return take(user->getResult(0));
    if (auto view = dyn_cast<ViewOp>(user))
      return !view.getAxes().empty() && view.getAxes().front() == 0 &&
             !llvm::is_contained(view.getAxes().drop_front(), 0) && matchPattern(view.getOffsets()[0], m_Zero()) &&
             matchPattern(view.getSteps()[0], m_One()) && take(view.getResult());
    if (auto reduce = dyn_cast<ReduceOp>(user))
      return reduce.getAxes().front() == 0 ? !np::isPosition(reduce.getKind()) : take(reduce.getResult());
    // Elements at the positions that are left. Other positions would be selected anew each time.
    if (auto gather = dyn_cast<GatherOp>(user))
      return gather.getIndices().size() == 1 && isPosition(gather.getIndices()[0]) && use.get() != gather.getSource() &&
             take(gather.getResult());
    if (auto scatter = dyn_cast<ScatterOp>(user))
      return use.get() != scatter.getArray() && scatter.getIndices().size() == 1 && isPosition(scatter.getIndices()[0]);
    auto store = dyn_cast<StoreOp>(user);
    return store && elements.contains(store.getArray());
  }

  Operation *loop;
  ArrayRef<SelectedArray> arrays;
  DenseSet<Value> elements;
  SmallVector<Value> open;
};

/// Arrays of one loop that are selected by one mask.
class Group {
public:
  Group(Operation *loop, std::vector<SelectedArray> arrays, Aliasing &aliasing)
      : loop(loop), arrays(std::move(arrays)), aliasing(aliasing) {}

  bool canCarryMask();
  void carryMask();

private:
  /// Where a name comes from: the mask that selects it, or the block or operation that gives it.
  static const void *getOrigin(Value name) {
    if (ElementSelection selection(name); selection)
      return selection.getMask().getAsOpaquePointer();
    if (name.getDefiningOp<ub::PoisonOp>())
      return nullptr;
    return name.getDefiningOp() ? static_cast<const void *>(name.getDefiningOp()) : name.getParentBlock();
  }
  bool stayTogether(const CarriedNames &one, const CarriedNames &other);
  /// The name that the iteration of this operation was given.
  static Value getBegin(const CarriedNames &names, Operation *op);
  bool isRead(OpOperand &use) const { return !handsOn(use.getOwner()) && !ofAll.contains(use.getOwner()); }
  void findPlaces();
  /// The mask's value that goes with a name, where all of an iteration can use it.
  Value loadMask(Value name);
  void addMask();
  void replace(SelectedArray &array, bool isKept);

  Operation *loop;
  std::vector<SelectedArray> arrays;
  Aliasing &aliasing;
  DenseMap<const void *, Value> masks; // those that go with the names of each origin
  DenseMap<const void *, Value> loaded;
  DenseMap<const void *, Block *> places; // the innermost blocks that have all uses of the names of an origin
  DenseSet<Operation *> ofAll;            // loads of all elements
};

bool Group::stayTogether(const CarriedNames &one, const CarriedNames &other) {
  auto find = [](const CarriedNames &names, Operation *end) -> const void * {
    auto found = llvm::find_if(end->getOperands(), [&](Value value) { return names.contains(value); });
    return found == end->operand_end() ? end : getOrigin(*found);
  };
  return !loop->walk([&](Operation *op) {
                bool differ = handsOn(op) && find(one, op) != find(other, op);
                return differ ? WalkResult::interrupt() : WalkResult::advance();
              })
              .wasInterrupted();
}

bool Group::canCarryMask() {
  for (const SelectedArray &array : arrays) {
    // What an iteration stores would be seen in what the loop was given.
    bool isOwn = isa_and_present<NewOp, EmptyOp>(array.getInit().getDefiningOp()) && array.getInit().hasOneUse();
    if ((array.isStoredTo() && !(isOwn && array.isSelectedOnceStored())) || (array.isLeftToOthers() && !isOwn) ||
        !stayTogether(arrays.front().names, array.names))
      return false;
  }
  return ElementUses(loop, arrays).areElementwise();
}

Value Group::getBegin(const CarriedNames &names, Operation *op) {
  for (Block *block = op->getBlock(); block; block = block->getParentOp()->getBlock())
    for (Value argument : block->getArguments())
      if (names.contains(argument))
        return argument;
  llvm_unreachable("an iteration without the name");
}

/// In a branch, where only that needs it: what comes before it tells whether there is an iteration at all.
void Group::findPlaces() {
  auto add = [&](Value name, Operation *user) {
    Block *&place = places[getOrigin(name)];
    if (!place)
      place = user->getBlock();
    while (!place->findAncestorOpInBlock(*user))
      place = place->getParentOp()->getBlock();
  };
  for (const SelectedArray &array : arrays) {
    for (Value name : array.getGivenNames())
      for (OpOperand &use : name.getUses())
        if (isRead(use))
          add(name, use.getOwner());
    for (NewOp made : array.getMade())
      add(getBegin(array.names, made), made);
  }
}

Value Group::loadMask(Value name) {
  const void *origin = getOrigin(name);
  Value &value = loaded[origin];
  if (!value) {
    Value mask = masks[origin];
    OpBuilder builder(mask.getContext());
    Block *place = places.lookup(origin);
    if (place && place != mask.getParentBlock())
      builder.setInsertionPointToStart(place);
    else
      builder.setInsertionPointAfterValue(mask);
    value = LoadOp::create(builder, mask.getLoc(), mask);
  }
  return value;
}

/// Makes a mask go along with the names of the first array, and stores into the one of the next iteration.
void Group::addMask() {
  OpBuilder builder(loop);
  Location loc = loop->getLoc();
  CarriedNames &names = arrays.front().names;
  Value isLeft = arith::ConstantIntOp::create(builder, loc, true, 1);
  Value extent = getExtent(builder, loc, arrays.front().getInit(), 0);
  if (auto count = extent.getDefiningOp<arith::MaxSIOp>(); count && count.getLhs().getDefiningOp<DimOp>())
    extent = count.getLhs(); // np.arange(len(x)) numbers the elements of x
  auto type = RankedTensorType::get({ShapedType::kDynamic}, builder.getI1Type());
  Value all = FullOp::create(builder, loc, type, isLeft, extent);
  Value begin = NewOp::create(builder, loc, all);
  DenseMap<Operation *, NewOp> next;
  names.addNumbers(
      begin,
      [&](Value made) {
        if (made.getDefiningOp<ub::PoisonOp>())
          return SmallVector<Value>{begin};
        OpBuilder after(made.getContext());
        after.setInsertionPointAfterValue(made);
        next[made.getDefiningOp()] = NewOp::create(after, made.getLoc(), all); // of what, is said below
        return SmallVector<Value>{next[made.getDefiningOp()]};
      },
      [](Value, Value) {});
  loop = names.getLoop();
  for (Value name : names.getValues())
    if (const void *origin = getOrigin(name))
      masks[origin] = names.getNumbers(name).front();
  for (SelectedArray &array : arrays) { // their names are others now
    array = SelectedArray(loop, array.names.getIndex());
    array.collect();
  }
  findPlaces();
  for (NewOp made : arrays.front().getMade()) {
    NewOp mask = next[made];
    Value before = loadMask(getBegin(arrays.front().names, made));
    mask.getValueMutable().assign(before);
    builder.setInsertionPointAfter(mask);
    StoreMaskedOp::create(builder, made.getLoc(), arrays.front().getMask(), before, mask, /*selected=*/true);
  }
}

/// Makes the names selections of an array that keeps all elements.
void Group::replace(SelectedArray &array, bool isKept) {
  OpBuilder builder(loop);
  auto loadAll = [&](Location loc, Value name) -> Value {
    auto all = LoadOp::create(builder, loc, isKept ? array.getInit() : name);
    ofAll.insert(all);
    return all;
  };
  for (NewOp made : array.getMade()) {
    Value begin = getBegin(array.names, made), next = array.getInit();
    if (!isKept) {
      builder.setInsertionPointAfter(made);
      next = NewOp::create(builder, made.getLoc(), loadAll(made.getLoc(), begin));
      StoreMaskedOp::create(builder, made.getLoc(), ElementSelection(made).emitOfAll(builder), loadMask(begin), next,
                            /*selected=*/true);
    }
    made.getResult().replaceUsesWithIf(next, [](OpOperand &use) { return handsOn(use.getOwner()); });
  }
  for (Value name : array.getGivenNames()) {
    if (llvm::none_of(name.getUses(), [&](OpOperand &use) { return isRead(use); }))
      continue;
    Value mask = loadMask(name);
    builder.setInsertionPointAfterValue(mask);
    Type type = RankedTensorType::get(getShape(name.getType()), getElementType(name.getType()));
    Value left = CompressOp::create(builder, name.getLoc(), type, loadAll(name.getLoc(), name), mask);
    Value selected = NewOp::create(builder, name.getLoc(), left);
    name.replaceUsesWithIf(selected, [&](OpOperand &use) { return isRead(use); });
  }
}

void Group::carryMask() {
  SmallVector<bool> areKept;
  for (const SelectedArray &array : arrays)
    areKept.push_back(array.isKept(aliasing));
  addMask();
  for (auto [array, isKept] : llvm::zip_equal(arrays, areKept))
    replace(array, isKept);
}

struct CarryMasks : impl::CarryMasksBase<CarryMasks> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    llvm::SmallSetVector<Operation *, 4> loops;
    if (getTargetProperties(function).launchesAreCostly)
      function.walk([&](CompressOp selection) {
        if (Operation *loop = selection->getParentOfType<LoopLikeOpInterface>();
            isa_and_present<scf::ForOp, scf::WhileOp>(loop))
          loops.insert(loop);
      });
    bool hasChanged = false;
    for (Operation *loop : loops)
      hasChanged |= carryMask(loop, getAnalysis<ExtentOrigins>());
    if (!hasChanged)
      return markAllAnalysesPreserved();
    OpPassManager cleanup(func::FuncOp::getOperationName());
    addCleanup(cleanup);
    cleanup.addPass(createPromoteArrays()); // what is selected, and then stored to
    addCleanup(cleanup);
    cleanup.addPass(createMoveSelections());
    addCleanup(cleanup);
    if (failed(runPipeline(cleanup, function)))
      signalPassFailure();
  }

  /// The extent of the first axis, which numbers that count (np.arange(n)) have from a number.
  static ExtentOrigin getExtentOf(Value array, ExtentOrigins &origins) {
    auto made = array.getDefiningOp<NewOp>();
    ArangeOp count = made ? getCountFromZero(made.getValue()) : ArangeOp();
    return count ? origins.ofIndex(getCountExtent(count)) : origins.of(array, 0);
  }

  /// Gives each array that is none its own name, where there is no iteration.
  static void separateNone(Operation *loop) {
    loop->walk([](scf::YieldOp end) {
      OpBuilder builder(end);
      for (OpOperand &operand : end->getOpOperands())
        if (Operation *none = operand.get().getDefiningOp<ub::PoisonOp>();
            none && isa<ArrayType>(operand.get().getType()))
          operand.set(builder.clone(*none)->getResult(0));
    });
  }

  static bool carryMask(Operation *loop, ExtentOrigins &origins) {
    separateNone(loop);
    std::vector<SelectedArray> arrays;
    for (unsigned k = 0; k < cast<LoopLikeOpInterface>(loop).getInits().size(); k++) {
      SelectedArray array(loop, k);
      if (!array.collect())
        continue;
      ExtentOrigin extent = getExtentOf(array.getInit(), origins);
      if (arrays.empty() || (array.getMask() == arrays.front().getMask() && extent.isKnown() &&
                             extent == getExtentOf(arrays.front().getInit(), origins)))
        arrays.push_back(array);
    }
    Aliasing aliasing(loop->getParentOfType<func::FuncOp>()->hasAttr("np.general"));
    Group group(loop, arrays, aliasing);
    if (arrays.empty() || !group.canCarryMask())
      return false;
    group.carryMask();
    return true;
  }
};
} // namespace
} // namespace npcc
