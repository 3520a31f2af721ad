// npcc-update-in-place: an array that each iteration of a loop makes anew, every element of it of the last one's
// element at the same position, is one array that the iterations update.
//
//   %a = scf.for ... iter_args(%old = %first) {                %a = np.alloc  ... = %first[%i]
//     %new = np.alloc                                          scf.for ... {
//     np.kernel (%i) = (%n) {                                    np.kernel (%i) = (%n) {
//       store f(%old[%i]), %new[%i]                    ->          store f(%a[%i]), %a[%i]
//     }                                                          }
//     scf.yield %new                                           }
//   }
//
// Such are the steps of x = x + dt * f(x), of map iterations and of `where` in a loop. An iteration then touches one
// array and not two, and where launches are costly the loop goes into the kernel (npcc-interchange-loops) and the
// elements into registers (npcc-carry-elements). What the loop begins with is copied, unless nobody else needs it;
// without iterations the result is what it was. So the loop must not store to what it begins with by another name: the
// first iteration would see it.
//
// Arrays that hand on what they hold (p, q = f(p, q), p: recurrences over orders, filters, steps of two levels) are
// moved element by element in the same kernel, where all that the loop does is element by element: then the loop goes
// into the kernel, and what is handed on are registers. Otherwise the names change places, which costs nothing.
#include "compiler/kernels/IndexMath.h"
#include "compiler/kernels/Passes.h"
#include "compiler/memory/Aliasing.h"
#include "compiler/memory/Extents.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Choice.h"
#include "dialects/Np/Kernels.h"
#include "dialects/Np/Memory.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include <map>

namespace npcc {
#define GEN_PASS_DEF_UPDATEINPLACE
#include "compiler/kernels/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
/// An array that the loop carries, by its number among what it carries.
struct Carried {
  unsigned number;
  AllocOp made; // by each iteration
  memref::StoreOp store;
  SmallVector<unsigned> behind; // take over what this one held, each what the one before it held
};

struct ByAddress {
  bool operator()(ArrayRef<Value> left, ArrayRef<Value> right) const {
    auto isLess = [](Value a, Value b) { return a.getAsOpaquePointer() < b.getAsOpaquePointer(); };
    return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end(), isLess);
  }
};

class Updater {
public:
  Updater(scf::ForOp loop, bool general) : loop(loop), builder(loop), loc(loop.getLoc()), aliasing(general) {}

  bool apply() {
    for (unsigned number = 0; number < loop.getNumRegionIterArgs(); ++number)
      if (std::optional<Carried> one = getCarried(number))
        carried.push_back(*one);
    if (carried.empty())
      return false;
    size_t count = 0;
    for (const Carried &one : carried) {
      SmallVector<unsigned> numbers{one.number};
      llvm::append_range(numbers, one.behind);
      count += numbers.size();
      for (unsigned number : numbers)
        if (isOwn(loop.getInitArgs()[number]))
          own.insert(number);
    }
    if (own.size() == count)
      rewrite();
    else
      rewriteWhereIterated();
    return true;
  }

private:
  Operation *getYield() { return loop.getBody()->getTerminator(); }

  std::optional<Carried> getCarried(unsigned number) {
    Value old = loop.getRegionIterArg(number), first = loop.getInitArgs()[number];
    auto made = getYield()->getOperand(number).getDefiningOp<AllocOp>();
    if (!made || made->getParentOp() != loop || made.getBuffer().getType() != old.getType() ||
        llvm::count(getYield()->getOperands(), made.getBuffer()) != 1 || !hasExtentsOf(first, made) ||
        isHandedOut(made.getBuffer()) || isHandedOut(old) || isChanged(first))
      return std::nullopt;
    memref::StoreOp store = getStore(made);
    if (!store)
      return std::nullopt;
    auto kernel = cast<KernelOp>(store->getParentOp());
    if (isReadElsewhere(old, kernel))
      return std::nullopt;
    Carried one{number, made, store, {}};
    while (isReadBefore(old, kernel)) {
      std::optional<unsigned> next = getNext(old);
      if (!next)
        return one.behind.empty() || isElementwise(kernel) ? std::optional(one) : std::nullopt;
      if (*next == number || llvm::is_contained(one.behind, *next) || !hasExtentsOf(loop.getInitArgs()[*next], made) ||
          isChanged(loop.getInitArgs()[*next]))
        break;
      one.behind.push_back(*next);
      old = loop.getRegionIterArg(*next);
      if (isHandedOut(old))
        break;
    }
    return std::nullopt;
  }

  /// Whether the loop may store to an array from before it.
  bool isChanged(Value first) { return !isOwn(first) && aliasing.mayWriteTo(loop, first); }

  /// Whether somebody may have the array, or a view of it, when the iteration is over.
  static bool isHandedOut(Value memory) {
    return llvm::any_of(memory.getUsers(), [](Operation *user) {
      bool isView = isa<ViewLikeOpInterface>(user) && isa<MemRefType>(user->getResult(0).getType());
      return isa<KeepOp, func::CallOp>(user) || (isView && isHandedOut(user->getResult(0)));
    });
  }

  /// The number under which the next iteration has this array, which is not the one that it has now.
  std::optional<unsigned> getNext(Value old) {
    for (OpOperand &use : old.getUses())
      if (use.getOwner() == getYield())
        return use.getOperandNumber();
    return std::nullopt;
  }

  /// Whether the loop holds kernels over the same positions alone, each of which touches what the loop changes at its
  /// own position.
  bool isElementwise(KernelOp like) {
    // npcc-interchange-loops takes blocks of straight code there.
    bool isStraight = getTargetProperties(loop).hostSharesMemory;
    SmallVector<Value> changed(loop.getRegionIterArgs());
    loop.walk([&](memref::StoreOp store) { changed.push_back(store.getMemRef()); });
    WalkResult result = loop.getBody()->walk([&](Operation *op) {
      if (auto kernel = dyn_cast<KernelOp>(op))
        return kernel.getExtents() == like.getExtents() && !holdsReduction(kernel) ? WalkResult::advance()
                                                                                   : WalkResult::interrupt();
      auto kernel = op->getParentOfType<KernelOp>();
      auto isOwnPosition = [&](Value memory, ValueRange indices) {
        bool isSame = kernel && isAtOwnPosition(indices, kernel);
        return isSame || !llvm::is_contained(changed, memory) ? WalkResult::advance() : WalkResult::interrupt();
      };
      if (auto load = dyn_cast<memref::LoadOp>(op))
        return isOwnPosition(load.getMemRef(), load.getIndices());
      if (auto store = dyn_cast<memref::StoreOp>(op))
        return isOwnPosition(store.getMemRef(), store.getIndices());
      bool isControl = isa<scf::IfOp, scf::ForOp, scf::YieldOp>(op) && !(kernel && isStraight);
      return isControl || isa<AllocOp, EndOp>(op) || isMemoryEffectFree(op) ? WalkResult::advance()
                                                                            : WalkResult::interrupt();
    });
    return !result.wasInterrupted();
  }

  /// Whether an array has the extents that `made` is made with, in each iteration.
  bool hasExtentsOf(Value first, AllocOp made) {
    auto type = cast<MemRefType>(made.getBuffer().getType());
    if (type.getNumDynamicDims() != size_t(type.getRank()))
      return false;
    auto alloc = first.getDefiningOp<AllocOp>();
    return llvm::all_of(llvm::enumerate(made.getExtents()), [&](auto extent) {
      Value value = extent.value();
      int64_t axis = extent.index();
      return loop.isDefinedOutsideOfLoop(value) &&
             (alloc ? alloc.getExtents()[axis] == value : isDim(value, first, axis));
    });
  }

  /// Whether `extent` is that of the array, or of an argument that has the same extent as this one.
  bool isDim(Value extent, Value array, int64_t axis) {
    auto dim = extent.getDefiningOp<memref::DimOp>();
    if (!dim || !dim.getConstantIndex())
      return false;
    int64_t otherAxis = *dim.getConstantIndex();
    if (dim.getSource() == array)
      return otherAxis == axis;
    auto function = loop->getParentOfType<func::FuncOp>();
    auto mine = dyn_cast<BlockArgument>(array), other = dyn_cast<BlockArgument>(dim.getSource());
    Block *entry = &function.getBody().front();
    if (!mine || !other || mine.getOwner() != entry || other.getOwner() != entry)
      return false;
    llvm::EquivalenceClasses<std::pair<int64_t, int64_t>> equal;
    SmallVector<int64_t> list = getEqualExtents(function);
    for (ArrayRef<int64_t> numbers = list; numbers.size() >= 4; numbers = numbers.drop_front(4))
      equal.unionSets({numbers[0], numbers[1]}, {numbers[2], numbers[3]});
    return equal.isEquivalent({mine.getArgNumber(), axis}, {other.getArgNumber(), otherAxis});
  }

  static bool isAtOwnPosition(ValueRange indices, KernelOp kernel) {
    return indices == ValueRange(kernel.getInductionVars());
  }

  /// Reductions are cut into parts, which a kernel that changes what it reads is not.
  static bool holdsReduction(KernelOp kernel) {
    return kernel.getBody()
        ->walk([](Operation *op) {
          return isa<scf::ParallelOp, FoldOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// The store by which a kernel of the loop gives each element its value. Nothing before that kernel or in it looks at
  /// the array.
  memref::StoreOp getStore(AllocOp made) {
    memref::StoreOp store;
    for (Operation *user : made->getUsers())
      if (auto one = dyn_cast<memref::StoreOp>(user); one && !store)
        store = one;
    auto kernel = store ? dyn_cast<KernelOp>(store->getParentOp()) : KernelOp();
    if (!kernel || kernel->getParentOp() != loop || ValueRange(kernel.getExtents()) != ValueRange(made.getExtents()) ||
        !isAtOwnPosition(store.getIndices(), kernel) || holdsReduction(kernel))
      return {};
    bool areBehind = llvm::all_of(made->getUsers(), [&](Operation *user) {
      Operation *outer = loop.getBody()->findAncestorOpInBlock(*user);
      return user == store || isa<memref::DimOp>(user) || (outer && kernel->isBeforeInBlock(outer));
    });
    return areBehind ? store : memref::StoreOp();
  }

  /// Whether the last iteration's array is read before the kernel, and in it at its own positions, and nowhere else;
  /// and handed on under one name at most.
  bool isReadBefore(Value old, KernelOp kernel) {
    return llvm::count(getYield()->getOperands(), old) <= 1 && llvm::all_of(old.getUsers(), [&](Operation *user) {
             if (user == getYield())
               return true;
             auto load = dyn_cast<memref::LoadOp>(user);
             Operation *outer = loop.getBody()->findAncestorOpInBlock(*user);
             return isa<memref::DimOp>(user) || (load && outer &&
                                                 (outer->isBeforeInBlock(kernel) ||
                                                  (outer == kernel && isAtOwnPosition(load.getIndices(), kernel))));
           });
  }

  /// Whether the kernel makes the array anew without a look at the last one, which an earlier kernel of the same extents
  /// reads at other positions than its own: as x = (b - a @ x) / d does. The two could be one kernel, but not in place.
  static bool isReadElsewhere(Value old, KernelOp kernel) {
    bool isElsewhere = false;
    for (Operation *user : old.getUsers()) {
      auto load = dyn_cast<memref::LoadOp>(user);
      auto other = load ? load->getParentOfType<KernelOp>() : KernelOp();
      if (other == kernel && other)
        return false;
      isElsewhere |= other && other->getBlock() == kernel->getBlock() &&
                     ValueRange(other.getExtents()) == ValueRange(kernel.getExtents()) &&
                     !isAtOwnPosition(load.getIndices(), other);
    }
    return isElsewhere;
  }

  /// Whether the array is made in the same block and used before the loop only.
  bool isOwn(Value first) {
    auto alloc = first.getDefiningOp<AllocOp>();
    return alloc && alloc->getBlock() == loop->getBlock() && llvm::count(loop.getInitArgs(), first) == 1 &&
           llvm::all_of(alloc->getUsers(), [&](Operation *user) {
             Operation *outer = loop->getBlock()->findAncestorOpInBlock(*user);
             if (user == loop || isa<memref::DimOp>(user))
               return true;
             return outer && outer->isBeforeInBlock(loop) &&
                    llvm::none_of(user->getResultTypes(), [](Type type) { return isa<MemRefType>(type); }) &&
                    isa<memref::LoadOp, memref::StoreOp>(user);
           });
  }

  /// A loop without iterations gives what it begins with, itself; one with few of them may hand that on.
  void rewriteWhereIterated() {
    size_t longest = 0;
    for (const Carried &one : carried)
      longest = std::max(longest, one.behind.size());
    IndexMath m(builder, loc);
    Value begin = m.add(loop.getLowerBound(), m.mul(loop.getStep(), m.constant(longest)));
    Value hasIterations = m.compare(arith::CmpIPredicate::slt, begin, loop.getUpperBound());
    auto versions = AlternativesOp::create(builder, loc, loop.getResultTypes(), "iterations", hasIterations);
    versions.setNeeded(!longest);
    loop.replaceAllUsesWith(versions.getResults());
    if (longest) {
      versions.setGeneral(builder.clone(*loop));
    } else {
      builder.setInsertionPointToEnd(versions.getGeneralBlock());
      YieldOp::create(builder, loc, loop.getInitArgs());
    }
    versions.setOffered(loop);
    rewrite();
  }

  void rewrite() {
    builder.setInsertionPoint(loop);
    llvm::SmallDenseSet<unsigned> gone;
    for (Carried &one : carried) {
      one.store->moveBefore(one.store->getBlock()->getTerminator()); // behind all loads
      SmallVector<Value> arrays;
      SmallVector<unsigned> numbers{one.number};
      llvm::append_range(numbers, one.behind);
      for (unsigned number : numbers) {
        arrays.push_back(emitArray(one.made, number));
        gone.insert(number);
      }
      for (size_t place = one.behind.size(); place > 0; --place) { // from the last one on
        OpBuilder inside(one.store);
        memref::StoreOp::create(inside, loc, emitElement(loop.getRegionIterArg(numbers[place - 1]), one.store),
                                arrays[place], one.store.getIndices());
      }
      for (auto [array, number] : llvm::zip_equal(arrays, numbers)) {
        loop.getRegionIterArg(number).replaceUsesWithIf(array,
                                                        [&](OpOperand &use) { return use.getOwner() != getYield(); });
        loop.getResult(number).replaceAllUsesWith(array);
      }
      one.made.getBuffer().replaceAllUsesWith(arrays.front());
      one.made.erase();
    }
    SmallVector<Value> first, yielded;
    SmallVector<unsigned> kept;
    for (unsigned number = 0; number < loop.getNumRegionIterArgs(); ++number)
      if (!gone.contains(number)) {
        kept.push_back(number);
        first.push_back(loop.getInitArgs()[number]);
        yielded.push_back(getYield()->getOperand(number));
      }
    auto made = scf::ForOp::create(builder, loc, loop.getLowerBound(), loop.getUpperBound(), loop.getStep(), first);
    made->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    Block *body = made.getBody();
    if (body->mightHaveTerminator())
      body->getTerminator()->erase();
    getYield()->erase();
    body->getOperations().splice(body->end(), loop.getBody()->getOperations());
    loop.getInductionVar().replaceAllUsesWith(made.getInductionVar());
    for (auto [place, number] : llvm::enumerate(kept)) {
      loop.getRegionIterArg(number).replaceAllUsesWith(made.getRegionIterArg(place));
      loop.getResult(number).replaceAllUsesWith(made.getResult(place));
    }
    for (Value &value : yielded)
      if (auto argument = dyn_cast<BlockArgument>(value); argument && argument.getOwner() == loop.getBody())
        value = argument == loop.getInductionVar()
                    ? made.getInductionVar()
                    : made.getRegionIterArg(llvm::find(kept, argument.getArgNumber() - 1) - kept.begin());
    builder.setInsertionPointToEnd(body);
    scf::YieldOp::create(builder, loc, yielded);
    loop.erase();
  }

  /// What a carried array holds at the position of a store: as the kernel has loaded it already, where it has.
  Value emitElement(Value array, memref::StoreOp store) {
    for (Operation *user : array.getUsers())
      if (auto load = dyn_cast<memref::LoadOp>(user); load && load->getBlock() == store->getBlock())
        return load;
    OpBuilder inside(store);
    return memref::LoadOp::create(inside, loc, array, store.getIndices());
  }

  /// The array that iterations update. What others need too is copied, all of the same extents by one kernel.
  Value emitArray(AllocOp made, unsigned number) {
    Value first = loop.getInitArgs()[number];
    if (own.contains(number))
      return first;
    SmallVector<Value> extents(made.getExtents());
    Value array = AllocOp::create(builder, loc, cast<MemRefType>(first.getType()), extents);
    OpBuilder::InsertionGuard guard(builder);
    KernelOp &kernel = copies[extents];
    if (!kernel)
      kernel = KernelOp::create(builder, loc, extents);
    array.getDefiningOp()->moveBefore(kernel);
    builder.setInsertionPoint(kernel.getBody()->getTerminator());
    SmallVector<Value> positions(kernel.getInductionVars());
    memref::StoreOp::create(builder, loc, memref::LoadOp::create(builder, loc, first, positions), array, positions);
    return array;
  }

  scf::ForOp loop;
  OpBuilder builder;
  Location loc;
  Aliasing aliasing;
  SmallVector<Carried> carried;
  llvm::SmallDenseSet<unsigned> own;                        // nobody else needs what these begin with
  std::map<SmallVector<Value>, KernelOp, ByAddress> copies; // by extents
};

struct UpdateInPlace : impl::UpdateInPlaceBase<UpdateInPlace> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](scf::ForOp loop) {
      if (!loop->getParentOfType<KernelOp>())
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops)
      Updater(loop, getOperation()->hasAttr("np.general")).apply();
  }
};
} // namespace
} // namespace npcc
