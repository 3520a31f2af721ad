// npcc-place-on-host: arrays that the host goes through element by element lie in its memory.
//
//   %t = np.alloc(%n) : memref<?xi64>                      %t = np.alloc(%n) : memref<?xi64, "host">
//   np.kernel (%i) = (%n) {                                scf.for %i = %c0 to %n step %c1 {
//     memref.store %c0, %t[%i] }                             memref.store %c0, %t[%i] }
//   scf.while ... {                                   ->   scf.while ... {
//     %x = memref.load %t[%k] ... }                          %x = memref.load %t[%k] ... }
//   np.kernel (%i) = (%n) {                                %d = np.alloc(%n)   memref.copy %t, %d
//     ... memref.load %t[%i]                               np.kernel (%i) = (%n) {
//     memref.store ..., %a[%i] }                             ... memref.load %d[%i], memref.store ..., %a[%i] }
//
// In the memory of a device, a load by the host waits for all that was launched and takes about 10 us, and a store 2.
// Lists, dicts and tables that a loop of the host fills and looks up are such arrays: what could become a kernel is one
// by now, and what is left is the host's. Kernels that touch arrays of the host alone become loops of the host, where
// these are short. Where another kernel or a library needs such an array, it gets a copy, and the array gets back what
// was stored: if accesses by the host come more often.
//
// It runs twice. `wholeLoops`: before loops of the host become kernels of one thread or one block, only arrays whose
// outermost loops send nothing to the device. Later, also those in loops that stayed with the host.
#include "compiler/gpu/ArrayNames.h"
#include "compiler/gpu/Gpu.h"
#include "compiler/gpu/HostCopies.h"
#include "compiler/gpu/SerialLoops.h"
#include "compiler/kernels/HostLoops.h"
#include "compiler/memory/FirstCall.h"
#include "compiler/target/HostMemory.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Host.h"
#include "dialects/Np/Memory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_PLACEONHOST
#include "compiler/gpu/Passes.h.inc"

namespace {
/// A class of arrays (ArrayNames), and what is done with it.
struct Group {
  ArrayRef<Value> members;
  SmallVector<Operation *> accesses;          // loads and stores of the host
  llvm::SmallSetVector<Operation *, 4> users; // of the device: kernels and calls of libraries
  func::ReturnOp returned;                    // which gives one of them to the caller
};

Operation *getHostLoop(Operation *op) { return op->getParentOfType<LoopLikeOpInterface>(); }
bool isContiguous(Value array) { return cast<MemRefType>(array.getType()).getLayout().isIdentity(); }

class Placer {
public:
  Placer(func::FuncOp function, bool wholeLoops)
      : names(function), first(function), tuning(getTargetProperties(function).tuning), wholeLoops(wholeLoops) {
    for (auto &[leader, members] : names.getClasses()) {
      Group group{members, {}, {}, {}};
      if (examine(group))
        groups.insert({leader, group});
    }
    keepUseful([](Operation *) { return true; });
    // A kernel that is no longer the host's, because of one group, may be too often for copies of another one.
    while (dropIf([&](Group &group) { return !isWorthIt(group); })) {
    }
    keepUseful([&](Operation *user) { return becomesLoops(user); });
  }

  void apply() {
    llvm::SetVector<Operation *> users;
    for (auto &[leader, group] : groups)
      users.insert_range(group.users);
    // Asked before anything changes.
    SmallVector<Operation *> ofHost, ofDevice;
    for (Operation *user : users)
      (becomesLoops(user) ? ofHost : ofDevice).push_back(user);
    llvm::for_each(ofDevice, [&](Operation *user) { giveCopies(user); });
    for (auto &[leader, group] : groups)
      if (group.returned)
        returnCopy(group);
    llvm::for_each(ofHost, [](Operation *kernel) { makeHostLoops(cast<np::KernelOp>(kernel)); });
    for (auto &[leader, group] : groups)
      for (Value member : group.members)
        member.setType(putInHostMemory(member.getType()));
  }

private:
  using Groups = llvm::MapVector<Value, Group>;

  /// Whether there was any.
  bool dropIf(function_ref<bool(Group &)> isRefused) {
    SmallVector<Value> refused;
    for (auto &[leader, group] : groups)
      if (isRefused(group))
        refused.push_back(leader);
    for (Value leader : refused)
      groups.erase(leader);
    sharing.clear();
    return !refused.empty();
  }

  /// Groups that the host accesses in loops, and those that meet them in such users.
  void keepUseful(function_ref<bool(Operation *)> countsToo) {
    SmallVector<Group *> open;
    llvm::SmallDenseSet<Group *> useful;
    auto add = [&](Group *group) {
      if (group && useful.insert(group).second)
        open.push_back(group);
    };
    for (auto &[leader, group] : groups)
      if (llvm::any_of(group.accesses, getHostLoop))
        add(&group);
    while (!open.empty())
      for (Operation *user : open.pop_back_val()->users)
        if (countsToo(user))
          for (Value array : getArrays(user))
            add(getGroup(array));
    dropIf([&](Group &group) { return !useful.contains(&group); });
  }

  /// Collects the uses of a class. False if something else than the host's code and kernels has to do with it.
  static bool examine(Group &group) {
    for (Value member : group.members) {
      Operation *op = member.getDefiningOp();
      bool isMadeHere = op ? isa<np::AllocOp>(op) || handsOnArrays(op)
                           : handsOnArrays(cast<BlockArgument>(member).getOwner()->getParentOp());
      if (!isMadeHere || cast<MemRefType>(member.getType()).getMemorySpace())
        return false;
      for (Operation *user : member.getUsers())
        if (!take(group, user))
          return false;
    }
    return true;
  }

  static bool take(Group &group, Operation *user) {
    bool isAccess = isa<memref::LoadOp, memref::StoreOp>(user);
    if (auto kernel = user->getParentOfType<np::KernelOp>()) {
      group.users.insert(kernel);
      return isAccess || isa<memref::DimOp>(user);
    }
    if (isa<np::CallSortOp, np::CallMatmulOp, np::RoutineOp>(user))
      return group.users.insert(user), true;
    if (auto returned = dyn_cast<func::ReturnOp>(user)) {
      if (group.returned)
        return false;
      group.returned = returned;
      return llvm::count_if(returned.getOperands(),
                            [&](Value value) { return llvm::is_contained(group.members, value); }) == 1;
    }
    if (isAccess)
      group.accesses.push_back(user);
    return isAccess || handsOnArrays(user) || isa<memref::DimOp, np::RetainOp, np::ReleaseOp>(user);
  }

  Group *getGroup(Value array) {
    auto found = groups.find(names.getClass(array));
    return found == groups.end() ? nullptr : &found->second;
  }

  /// The arrays that a kernel loads from or stores to, from outside, or that a library gets.
  ArrayRef<Value> getArrays(Operation *user) {
    std::unique_ptr<llvm::SmallSetVector<Value, 8>> &found = arraysOf[user];
    if (found)
      return found->getArrayRef();
    found = std::make_unique<llvm::SmallSetVector<Value, 8>>();
    user->walk([&](Operation *op) {
      for (Value operand : op->getOperands())
        if (isa<MemRefType>(operand.getType()) && !user->isAncestor(operand.getParentBlock()->getParentOp()))
          found->insert(operand);
    });
    return found->getArrayRef();
  }

  bool isWorthIt(Group &group) {
    if (wholeLoops && llvm::any_of(group.accesses, [&](Operation *access) { return sharesLoop(access); }))
      return false;
    if (group.returned && !llvm::all_of(group.returned.getOperands(), [&](Value value) {
          return !llvm::is_contained(group.members, value) || isContiguous(value);
        }))
      return false;
    return llvm::all_of(group.users, [&](Operation *user) {
      return becomesLoops(user) || (isRare(user, group) && canCopy(user, group));
    });
  }

  /// Whether the outermost loop around an access sends work to the device, or should become such.
  bool sharesLoop(Operation *access) {
    Operation *outermost = getOutermostLoop(access);
    auto [answer, isNew] = sharing.try_emplace(outermost, false);
    if (isNew && outermost)
      answer->second = hasToDoWithDevice(outermost);
    return answer->second;
  }

  bool hasToDoWithDevice(Operation *loop) {
    if (sendsWork(loop, [&](Operation *kernel) { return !becomesLoops(kernel); }))
      return true;
    // As a whole it could be a kernel of one thread.
    return isSerialLoop(loop) && loop->walk([&](Operation *op) {
                                       bool isAccess = isa<memref::LoadOp, memref::StoreOp>(op);
                                       return isAccess && !getGroup(op->getOperand(isa<memref::LoadOp>(op) ? 0 : 1))
                                                  ? WalkResult::interrupt()
                                                  : WalkResult::advance();
                                     })
                                     .wasInterrupted();
  }

  /// Whether the host accesses the arrays in a loop that runs each time that the user does.
  static bool isRare(Operation *user, const Group &group) {
    Operation *around = getHostLoop(user);
    return llvm::any_of(group.accesses, [&](Operation *access) {
      Operation *loop = getHostLoop(access);
      for (; loop && loop != around; loop = getHostLoop(loop))
        if (!loop->isProperAncestor(user) && (!around || around->isProperAncestor(loop)))
          return true;
      return false;
    });
  }

  bool becomesLoops(Operation *user) {
    auto kernel = dyn_cast<np::KernelOp>(user);
    ArrayRef<Value> arrays = getArrays(user);
    if (!kernel || arrays.empty() || !llvm::all_of(arrays, [&](Value array) { return getGroup(array); }))
      return false;
    auto [found, isNew] = possible.try_emplace(kernel);
    if (isNew)
      found->second = canBeHostLoops(kernel);
    return found->second && isShort(kernel, *getGroup(arrays.front()));
  }

  /// The number of elements of a space, if the first call's is known.
  std::optional<int64_t> countElements(ValueRange extents, int64_t elements = 1) {
    for (Value extent : extents) {
      IntegerAttr known = first.evaluate(extent);
      if (!known)
        return std::nullopt;
      int64_t most = 2 * tuning.hostElementsOnce;
      elements = std::min(elements * std::clamp<int64_t>(known.getInt(), 1, most), most);
    }
    return elements;
  }

  /// No array of the group has more.
  std::optional<int64_t> countElements(const Group &group) {
    int64_t most = 0;
    for (Value member : group.members)
      if (auto made = member.getDefiningOp<np::AllocOp>()) {
        int64_t fixed = 1;
        for (int64_t extent : made.getType().getShape())
          fixed *= ShapedType::isDynamic(extent) ? 1 : extent;
        std::optional<int64_t> elements = countElements(made.getExtents(), fixed);
        if (!elements)
          return std::nullopt;
        most = std::max(most, *elements);
      }
    return most;
  }

  /// Whether the host goes through the kernel's iterations in little time, as far as is known.
  bool isShort(np::KernelOp kernel, const Group &group) {
    std::optional<int64_t> elements = countElements(kernel.getExtents());
    bool hasLoops = false;
    kernel.getBody()->walk([&](scf::ParallelOp loop) {
      hasLoops = true;
      elements = elements ? countElements(loop.getUpperBound(), *elements) : std::nullopt;
    });
    if (!hasLoops && kernel.isUnit()) // one thread's
      return true;
    // Each iteration stores to an element of its own.
    bool stores = llvm::any_of(group.members, [&](Value member) { return storesTo(kernel, member); });
    if (!elements && !hasLoops && stores)
      elements = countElements(group);
    bool isOnce = isRare(kernel, group);
    if (!elements)
      return isOnce || makesRoom(kernel) || growsAround(kernel);
    return *elements <= (isOnce ? tuning.hostElementsOnce : tuning.hostElements);
  }

  /// Whether the kernel fills an array that is made in a branch and takes the place of another one: so a list grows, to
  /// twice its length, after as many accesses.
  bool makesRoom(Operation *kernel) {
    Operation *end = kernel->getBlock()->getTerminator();
    return isa<np::KernelOp>(kernel) && isa<scf::IfOp>(end->getParentOp()) &&
           llvm::any_of(getArrays(kernel), [&](Value array) {
             auto made = array.getDefiningOp<np::AllocOp>();
             return made && made->getBlock() == kernel->getBlock() && llvm::is_contained(end->getOperands(), array);
           });
  }

  /// Whether the kernel stands in a loop in which such an array grows: lengths that are not known begin with nothing.
  bool growsAround(np::KernelOp kernel) {
    Operation *loop = getHostLoop(kernel);
    return loop && llvm::any_of(groups, [&](auto &entry) {
             return llvm::any_of(entry.second.users,
                                 [&](Operation *other) { return loop->isProperAncestor(other) && makesRoom(other); });
           });
  }

  static bool storesTo(Operation *user, Value array) {
    if (auto calls = dyn_cast<MemoryEffectOpInterface>(user); calls && !isa<np::KernelOp>(user))
      return calls.getEffectOnValue<MemoryEffects::Write>(array).has_value();
    return llvm::any_of(array.getUsers(),
                        [&](Operation *op) { return isa<memref::StoreOp>(op) && user->isProperAncestor(op); });
  }

  /// Whether the user can work with copies: of what it stores to, it knows one name, and the copy has its layout.
  bool canCopy(Operation *user, const Group &group) {
    SmallVector<Value> used;
    for (Value array : getArrays(user))
      if (llvm::is_contained(group.members, array))
        used.push_back(array);
    return llvm::all_of(
        used, [&](Value array) { return !storesTo(user, array) || (isContiguous(array) && used.size() == 1); });
  }

  /// The elements of a view, together in the memory of the host.
  static Value makeContiguous(OpBuilder &builder, Location loc, Value array) {
    auto type = cast<MemRefType>(array.getType());
    Value made = emitLike(builder, loc, array, /*onHost=*/true);
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
    OpBuilder::InsertionGuard guard(builder);
    SmallVector<Value> positions;
    for (int64_t axis = 0; axis < type.getRank(); ++axis) {
      auto loop = scf::ForOp::create(builder, loc, zero, memref::DimOp::create(builder, loc, array, axis), one);
      positions.push_back(loop.getInductionVar());
      builder.setInsertionPointToStart(loop.getBody());
    }
    memref::StoreOp::create(builder, loc, memref::LoadOp::create(builder, loc, array, positions), made, positions);
    return made;
  }

  static Value makeCopy(OpBuilder &builder, Location loc, Value array) {
    Value source = isContiguous(array) ? array : makeContiguous(builder, loc, array);
    Value copy = emitLike(builder, loc, array, /*onHost=*/false);
    memref::CopyOp::create(builder, loc, source, copy);
    if (source != array)
      np::ReleaseOp::create(builder, loc, source);
    return copy;
  }

  void giveCopies(Operation *user) {
    Location loc = user->getLoc();
    for (Value array : getArrays(user)) {
      if (!getGroup(array))
        continue;
      bool isStored = storesTo(user, array);
      OpBuilder builder(user);
      Value copy = makeCopy(builder, loc, array);
      array.replaceUsesWithIf(copy, [&](OpOperand &use) { return user->isAncestor(use.getOwner()); });
      builder.setInsertionPointAfter(user);
      if (isStored)
        memref::CopyOp::create(builder, loc, copy, array);
      np::ReleaseOp::create(builder, loc, copy);
    }
  }

  static void returnCopy(Group &group) {
    OpBuilder builder(group.returned);
    for (OpOperand &operand : group.returned->getOpOperands()) {
      Value array = operand.get();
      if (!llvm::is_contained(group.members, array))
        continue;
      operand.set(makeCopy(builder, group.returned.getLoc(), array));
      np::ReleaseOp::create(builder, group.returned.getLoc(), array);
    }
  }

  ArrayNames names;
  llvm::DenseMap<Operation *, std::unique_ptr<llvm::SmallSetVector<Value, 8>>> arraysOf;
  llvm::DenseMap<Operation *, bool> possible; // of kernels: canBeHostLoops
  llvm::DenseMap<Operation *, bool> sharing;  // of outermost loops: hasToDoWithDevice, for the groups there are
  FirstCall first;
  const Tuning &tuning;
  bool wholeLoops;
  Groups groups;
};

struct PlaceOnHost : impl::PlaceOnHostBase<PlaceOnHost> {
  using PlaceOnHostBase::PlaceOnHostBase;
  void runOnOperation() override {
    if (!getOperation()->hasAttr("np.thread")) // it runs on the device as it is
      Placer(getOperation(), wholeLoops).apply();
  }
};
} // namespace
} // namespace npcc
