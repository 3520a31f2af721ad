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
// Arrays from before a loop that sends work to the device, most of all arguments, stay where they are. Where nothing in
// the loop stores to them, the host gets a copy before it, a mirror, if the first call's extents say that this costs
// less than a wait in each iteration. So kernels of a few elements that read them, and from which the host reads what
// it goes on with (the corners of a triangle, the position of a particle), are loops of the host, too:
//
//   scf.for %f ... {                                       %m = np.alloc : "host"    memref.copy %corners, %m
//     %t = np.alloc : memref<3xf64>                        scf.for %f ... {
//     np.kernel (%i) = (3) {                                 %t = np.alloc : memref<3xf64, "host">
//       ... memref.load %corners[%f, %i] ...                 scf.for %i ... { ... memref.load %m[%f, %i] ... }
//     %x = memref.load %t[0]                         ->      %x = memref.load %t[0]
//     np.kernel (%p) = (%n) {                                %y = memref.load %t[1]
//       ... %x ... memref.load %t[1] ... }                   np.kernel (%p) = (%n) { ... %x ... %y ... }
//   }                                                      }
//
// It runs twice. `wholeLoops`: before loops of the host become kernels of one thread or one block, only arrays whose
// outermost loops send nothing to the device. Later, also those in loops that stayed with the host.
#include "compiler/gpu/Gpu.h"
#include "compiler/gpu/HostCopies.h"
#include "compiler/gpu/HostGroups.h"
#include "compiler/gpu/SerialLoops.h"
#include "compiler/kernels/HostLoops.h"
#include "compiler/kernels/IndexMath.h"
#include "compiler/memory/FirstCall.h"
#include "compiler/target/HostMemory.h"
#include "compiler/target/Target.h"
#include "dialects/Np/ElementBytes.h"
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
Operation *getHostLoop(Operation *op) { return op->getParentOfType<LoopLikeOpInterface>(); }

class Placer {
public:
  Placer(func::FuncOp function, bool wholeLoops)
      : names(function), first(function), tuning(getTargetProperties(function).tuning), wholeLoops(wholeLoops) {
    for (auto &[leader, members] : names.getClasses())
      if (std::optional<HostGroup> group = findHostGroup(members))
        groups.insert({{leader, nullptr}, *group});
      else if (!wholeLoops)
        for (HostGroup &mirror : findMirrors(members, function))
          groups.insert({{leader, mirror.loop}, mirror});
    keepUseful([](Operation *) { return true; });
    // A kernel that is no longer the host's, because of one group, may be too often for copies of another one.
    while (dropIf([&](HostGroup &group) { return !isWorthIt(group); })) {
    }
    keepUseful([&](Operation *user) { return becomesLoops(user); });
  }

  void apply() {
    llvm::SetVector<Operation *> users;
    for (auto &[place, group] : groups)
      users.insert_range(group.users);
    // Asked before anything changes.
    llvm::SetVector<Operation *> ofHost, ofDevice;
    for (Operation *user : users)
      (becomesLoops(user) ? ofHost : ofDevice).insert(user);
    llvm::for_each(ofDevice, [&](Operation *user) { giveCopies(user); });
    for (auto &[place, group] : groups) {
      if (group.returned)
        returnCopy(group);
      if (group.loop)
        makeMirror(group, [&](Operation *user) { return ofHost.contains(user); });
    }
    llvm::for_each(ofHost, [](Operation *kernel) { makeHostLoops(cast<np::KernelOp>(kernel)); });
    for (auto &[place, group] : groups)
      if (!group.loop)
        for (Value member : group.members)
          member.setType(putInHostMemory(member.getType()));
  }

private:
  /// By the class of their arrays and, of mirrors, the loop.
  using Place = std::pair<Value, Operation *>;
  using Groups = llvm::MapVector<Place, HostGroup>;

  /// Whether there was any.
  bool dropIf(function_ref<bool(HostGroup &)> isRefused) {
    SmallVector<Place> refused;
    for (auto &[place, group] : groups)
      if (isRefused(group))
        refused.push_back(place);
    for (Place place : refused)
      groups.erase(place);
    sharing.clear();
    return !refused.empty();
  }

  /// Groups that the host accesses in loops, and those that meet them in such users.
  void keepUseful(function_ref<bool(Operation *)> countsToo) {
    SmallVector<HostGroup *> open;
    llvm::SmallDenseSet<HostGroup *> useful;
    auto add = [&](HostGroup *group) {
      if (group && useful.insert(group).second)
        open.push_back(group);
    };
    for (auto &[place, group] : groups)
      if (llvm::any_of(group.accesses, getHostLoop))
        add(&group);
    while (!open.empty())
      for (Operation *user : open.pop_back_val()->users)
        if (countsToo(user))
          for (Value array : getArrays(user))
            add(getGroup(array, user));
    dropIf([&](HostGroup &group) { return !useful.contains(&group); });
  }

  /// The group of an array where `user` stands.
  HostGroup *getGroup(Value array, Operation *user) {
    Value leader = names.getClass(array);
    auto found = groups.find({leader, nullptr});
    if (found == groups.end() && !wholeLoops)
      found = groups.find({leader, getOutermostLoop(user)});
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

  bool isWorthIt(HostGroup &group) {
    if (group.loop)
      return isWorthMirroring(group);
    if (wholeLoops && llvm::any_of(group.accesses, [&](Operation *access) { return sharesLoop(access); }))
      return false;
    if (group.returned && !llvm::all_of(group.returned.getOperands(), [&](Value value) {
          return !llvm::is_contained(group.members, value) || isContiguous(value);
        }))
      return false;
    return llvm::all_of(group.users, [&](Operation *user) {
      return becomesLoops(user) || readsFew(user, group) || (isRare(user, group) && canCopy(user, group));
    });
  }

  /// Whether it takes less to copy the arrays of a mirror once than to wait for an element of them in each iteration,
  /// of which kernels are launched, too: elements that are read one after the other come together.
  bool isWorthMirroring(HostGroup &group) {
    bool isUsed = llvm::any_of(group.accesses, getHostLoop) ||
                  llvm::any_of(group.users, [&](Operation *user) { return becomesLoops(user); });
    if (!isUsed || !sendsWork(group.loop, [](Operation *) { return true; }))
      return false;
    int64_t bytes = 0;
    for (Value member : group.members)
      if (group.isFromBefore(member)) {
        std::optional<int64_t> elements = countElements(member);
        if (!elements)
          return false;
        bytes += *elements * getElementBytes(cast<MemRefType>(member.getType()).getElementType());
      }
    return bytes <= tuning.bytesPerNanosecond * tuning.readByHost * countTrips(group.loop) / 2;
  }

  /// The iterations of a loop in the first call, if they are known.
  int64_t countTrips(Operation *loop) {
    constexpr int64_t usualTrips = 16, mostTrips = int64_t(1) << 32;
    auto counted = dyn_cast<scf::ForOp>(loop);
    if (!counted)
      return usualTrips;
    IntegerAttr from = first.evaluate(counted.getLowerBound()), to = first.evaluate(counted.getUpperBound());
    IntegerAttr step = first.evaluate(counted.getStep());
    if (!from || !to || !step || step.getInt() <= 0)
      return usualTrips;
    return std::clamp<int64_t>((to.getInt() - from.getInt()) / step.getInt(), 0, mostTrips);
  }

  /// Whether a kernel reads few elements that the host has made and looks at as often: it takes less to send them than
  /// to wait for them.
  bool readsFew(Operation *user, const HostGroup &group) {
    constexpr int64_t mostSent = 512; // elements
    Operation *around = getHostLoop(user);
    if (wholeLoops || !around || !isa<np::KernelOp>(user))
      return false;
    auto isLookedAt = [&](const HostGroup &other) {
      return llvm::any_of(other.accesses, [&](Operation *access) {
        return isa<memref::LoadOp>(access) && around->isProperAncestor(access);
      });
    };
    // The host may look at what a kernel that is its own has made of them.
    bool isWaitedFor =
        isLookedAt(group) || llvm::any_of(group.users, [&](Operation *other) {
          return around->isProperAncestor(other) && becomesLoops(other) &&
                 llvm::any_of(getArrays(other), [&](Value array) { return isLookedAt(*getGroup(array, other)); });
        });
    bool isStored = llvm::any_of(group.members, [&](Value member) { return storesTo(user, member); });
    std::optional<int64_t> elements = countElements(group);
    return isWaitedFor && !isStored && elements && *elements <= mostSent;
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
                                       return isAccess && !getGroup(op->getOperand(isa<memref::LoadOp>(op) ? 0 : 1), op)
                                                  ? WalkResult::interrupt()
                                                  : WalkResult::advance();
                                     })
                                     .wasInterrupted();
  }

  /// Whether the host accesses the arrays in a loop that runs each time that the user does.
  static bool isRare(Operation *user, const HostGroup &group) {
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
    if (!kernel || arrays.empty() || !llvm::all_of(arrays, [&](Value array) { return getGroup(array, user); }))
      return false;
    auto [found, isNew] = possible.try_emplace(kernel);
    if (isNew)
      found->second = canBeHostLoops(kernel);
    return found->second && isShort(kernel, *getGroup(arrays.front(), user));
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

  std::optional<int64_t> countElements(Value array) {
    auto type = cast<MemRefType>(array.getType());
    int64_t fixed = 1;
    for (int64_t extent : type.getShape())
      fixed *= ShapedType::isDynamic(extent) ? 1 : extent;
    if (auto made = array.getDefiningOp<np::AllocOp>())
      return countElements(made.getExtents(), fixed);
    for (int64_t axis = 0; axis < type.getRank(); ++axis)
      if (type.isDynamicDim(axis)) {
        IntegerAttr known = first.evaluateExtent(array, axis);
        if (!known)
          return std::nullopt;
        fixed *= std::max<int64_t>(known.getInt(), 1);
      }
    return fixed;
  }

  /// No array of the group has more.
  std::optional<int64_t> countElements(const HostGroup &group) {
    int64_t most = 0;
    for (Value member : group.members)
      if (member.getDefiningOp<np::AllocOp>()) {
        std::optional<int64_t> elements = countElements(member);
        if (!elements)
          return std::nullopt;
        most = std::max(most, *elements);
      }
    return most;
  }

  /// Whether the host goes through the kernel's iterations in little time, as far as is known.
  bool isShort(np::KernelOp kernel, const HostGroup &group) {
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
  bool canCopy(Operation *user, const HostGroup &group) {
    SmallVector<Value> used;
    for (Value array : getArrays(user))
      if (llvm::is_contained(group.members, array))
        used.push_back(array);
    return llvm::all_of(
        used, [&](Value array) { return !storesTo(user, array) || (isContiguous(array) && used.size() == 1); });
  }

  void giveCopies(Operation *user) {
    Location loc = user->getLoc();
    for (Value array : getArrays(user)) {
      HostGroup *group = getGroup(array, user);
      if (!group || group->loop || giveElements(user, array)) // the array of a mirror is the device's, too
        continue;
      bool isStored = storesTo(user, array);
      OpBuilder builder(user);
      Value copy = makeDeviceCopy(builder, loc, array);
      array.replaceUsesWithIf(copy, [&](OpOperand &use) { return user->isAncestor(use.getOwner()); });
      builder.setInsertionPointAfter(user);
      if (isStored)
        memref::CopyOp::create(builder, loc, copy, array);
      np::ReleaseOp::create(builder, loc, copy);
    }
  }

  /// Elements of an array of the host at positions that are known before the kernel are numbers that it is given. False
  /// if there are others, or many.
  static bool giveElements(Operation *user, Value array) {
    constexpr size_t mostElements = 16;
    if (!isa<np::KernelOp>(user)) // a library takes arrays
      return false;
    SmallVector<memref::LoadOp> loads;
    for (Operation *op : array.getUsers()) {
      if (!user->isProperAncestor(op))
        continue;
      auto load = dyn_cast<memref::LoadOp>(op);
      if (!load || !llvm::all_of(load.getIndices(), [&](Value index) {
            return getConstantIntValue(index) || !user->isAncestor(index.getParentRegion()->getParentOp());
          }))
        return false;
      loads.push_back(load);
    }
    if (loads.size() > mostElements || isa<ComplexType>(getElementTypeOrSelf(array.getType())))
      return false;
    for (memref::LoadOp load : loads)
      giveElement(user, load);
    return true;
  }

  /// The kernel may have no iterations, or read the element on a condition: it need not be there.
  static void giveElement(Operation *user, memref::LoadOp load) {
    OpBuilder builder(user);
    IndexMath m{builder, load.getLoc()};
    SmallVector<Value> positions;
    Value isThere = m.truth(true);
    for (auto [axis, index] : llvm::enumerate(load.getIndices())) {
      std::optional<int64_t> constant = getConstantIntValue(index);
      positions.push_back(constant ? m.constant(*constant) : index);
      Value extent = builder.createOrFold<memref::DimOp>(m.loc, load.getMemref(), axis);
      isThere = m.both(isThere, m.compare(arith::CmpIPredicate::ult, positions.back(), extent));
    }
    auto read = scf::IfOp::create(builder, m.loc, load.getType(), isThere, /*withElseRegion=*/true);
    builder.setInsertionPointToStart(read.thenBlock());
    scf::YieldOp::create(builder, m.loc,
                         memref::LoadOp::create(builder, m.loc, load.getMemref(), positions).getResult());
    builder.setInsertionPointToStart(read.elseBlock());
    TypedAttr zero = builder.getZeroAttr(load.getType());
    scf::YieldOp::create(builder, m.loc, arith::ConstantOp::create(builder, m.loc, zero).getResult());
    load.replaceAllUsesWith(read.getResult(0));
    load.erase();
  }

  /// Copies the arrays from before the loop, and lets what becomes the host's use the copies and views of them.
  static void makeMirror(HostGroup &group, function_ref<bool(Operation *)> isOfHost) {
    OpBuilder builder(group.loop);
    Location loc = group.loop->getLoc();
    IRMapping mirrored;
    SmallVector<Value> made;
    for (Value member : group.members)
      if (group.isFromBefore(member)) {
        made.push_back(emitLike(builder, loc, member, /*onHost=*/true));
        memref::CopyOp::create(builder, loc, member, made.back());
        mirrored.map(member, made.back());
      }
    SmallVector<Operation *> accesses(group.accesses);
    for (Operation *user : group.users)
      if (isOfHost(user))
        user->walk([&](Operation *op) { accesses.push_back(op); });
    for (Value member : group.members)
      if (!group.isFromBefore(member)) {
        builder.setInsertionPointAfterValue(member);
        Operation *view = builder.clone(*member.getDefiningOp(), mirrored);
        view->getResult(0).setType(putInHostMemory(member.getType()));
      }
    for (Operation *op : accesses)
      for (OpOperand &operand : op->getOpOperands())
        if (Value copy = mirrored.lookupOrNull(operand.get()))
          operand.set(copy);
    builder.setInsertionPointAfter(group.loop);
    for (Value copy : made)
      np::ReleaseOp::create(builder, loc, copy);
  }

  static void returnCopy(HostGroup &group) {
    OpBuilder builder(group.returned);
    for (OpOperand &operand : group.returned->getOpOperands()) {
      Value array = operand.get();
      if (!llvm::is_contained(group.members, array))
        continue;
      operand.set(makeDeviceCopy(builder, group.returned.getLoc(), array));
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
