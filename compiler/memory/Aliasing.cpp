// Which arrays may share memory.
//
// An array is followed back to where it comes from: first to the array that it is a view of (getRoot), then through
// loops and branches to all the arrays that it may be (getOrigins). An origin is a new array, which nothing else can
// name; an argument of the function, which only another argument can overlap; or something that nothing is known of,
// which may be any argument and any other such thing. An array that the runtime kept under a number may be any that the
// function or those that it calls have kept.
#include "compiler/memory/Aliasing.h"
#include "compiler/memory/Incoming.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Memory.h"
#include "dialects/Np/Threads.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace npcc::np;

namespace npcc {

static bool isArray(Type type) { return isa<ArrayType, BaseMemRefType>(type); }

/// What an operation gives a view of; null if its result is no view.
static Value getViewedArray(Value array) {
  Operation *op = array.getDefiningOp();
  if (!op)
    return Value();
  if (auto view = dyn_cast<ViewLikeOpInterface>(op))
    return view.getViewSource(); // memref's own: reinterpret_cast, cast, subview
  if (isa<ViewOp, ReshapeOp, PartOp, RebaseOp, memref::ExtractStridedMetadataOp>(op))
    return op->getOperand(0);
  // While npcc-fuse works, a cast stands for an array that is memory already.
  if (isa<UnrealizedConversionCastOp>(op) && op->getNumOperands() == 1)
    return op->getOperand(0);
  return Value();
}

Value getRoot(Value array) {
  while (Value viewed = getViewedArray(array))
    array = viewed;
  return array;
}

/// An array that did not exist before its operation ran.
static bool isFresh(Value root) {
  if (auto own = root.getDefiningOp<ThreadArrayOp>())
    // All of dynamic memory is one, and fields are other names of a record's bytes.
    return own.getKind() != ThreadArrayKind::dynamic && !own.getRecords();
  return isa_and_nonnull<NewOp, EmptyOp, AllocOp, MirrorOp, memref::AllocOp, memref::AllocaOp, ub::PoisonOp>(
      root.getDefiningOp());
}

/// An array of no elements, which none can have in common: what stands for an array on a path where there is none.
static bool isWithoutElements(Value root) {
  if (root.getDefiningOp<ub::PoisonOp>())
    return true;
  auto alloc = root.getDefiningOp<AllocOp>();
  return alloc && llvm::any_of(alloc->getOperands(), [](Value extent) { return matchPattern(extent, m_Zero()); });
}

static bool isFunctionArgument(Value root) {
  auto argument = dyn_cast<BlockArgument>(root);
  return argument && isa<FunctionOpInterface>(argument.getOwner()->getParentOp()) &&
         argument.getOwner()->isEntryBlock();
}

/// What a loop-carried or chosen array may be: all values that flow into it.
void Aliasing::getSources(Value root, SmallVectorImpl<Value> &sources) {
  llvm::append_range(sources, getIncoming(root));
  if (!sources.empty() || isa<BlockArgument>(root))
    return;
  auto result = cast<OpResult>(root);
  unsigned k = result.getResultNumber();
  if (isa<KeptOp>(result.getOwner())) {
    for (Operation *op : getKeeping(result.getOwner()->getParentOfType<func::FuncOp>()))
      llvm::copy_if(op->getOperands(), std::back_inserter(sources), [](Value each) { return isArray(each.getType()); });
    return;
  }
  // These give the array, or a view of it, or a new one, which is the operation's own and aliases nothing else.
  if (auto reshape = dyn_cast<ReshapeStridedOp>(result.getOwner()))
    sources.push_back(reshape.getSource());
  else if (auto reshape = dyn_cast<CallReshapeOp>(result.getOwner()))
    sources.push_back(reshape.getSource());
  else if (auto room = dyn_cast<MakeRoomOp>(result.getOwner()))
    sources.push_back(room.getArray());
  else if (auto call = dyn_cast<func::CallOp>(result.getOwner())) {
    // What is given back may be an argument, or the same array twice.
    for (Value operand : call.getOperands())
      if (isArray(operand.getType()))
        sources.push_back(operand);
    for (Value earlier : call.getResults().take_front(k))
      if (isArray(earlier.getType()))
        sources.push_back(earlier);
  } else if (auto select = dyn_cast<arith::SelectOp>(result.getOwner())) {
    sources.push_back(select.getTrueValue());
    sources.push_back(select.getFalseValue());
  } else if (result.getOwner()->getNumRegions()) {
    for (Region &region : result.getOwner()->getRegions())
      if (!region.empty() && k < region.front().getTerminator()->getNumOperands())
        sources.push_back(region.front().getTerminator()->getOperand(k));
  }
}

ArrayRef<Operation *> Aliasing::getKeeping(Operation *function) {
  auto [known, isNew] = keeping.try_emplace(function);
  if (isNew)
    function->walk([&](Operation *op) {
      if (isa<KeepOp, func::CallOp>(op))
        known->second.push_back(op);
    });
  return known->second;
}

const llvm::SetVector<Value> &Aliasing::getOrigins(Value root) {
  std::unique_ptr<llvm::SetVector<Value>> &found = origins[root];
  if (found)
    return *found;
  found = std::make_unique<llvm::SetVector<Value>>();
  llvm::SetVector<Value> seen;
  SmallVector<Value> open{root};
  while (!open.empty()) {
    Value value = getRoot(open.pop_back_val());
    if (!seen.insert(value))
      continue;
    SmallVector<Value> sources;
    if (!isFresh(value))
      getSources(value, sources);
    // What was kept by others is known nowhere.
    if (sources.empty() || value.getDefiningOp<KeptOp>())
      found->insert(value);
    open.append(sources);
  }
  return *found;
}

/// The array as a loop carries it: the body of a `while` has it from the condition.
static Value getCarried(Value array) {
  array = getRoot(array);
  auto argument = dyn_cast<BlockArgument>(array);
  auto loop = argument ? dyn_cast<scf::WhileOp>(argument.getOwner()->getParentOp()) : scf::WhileOp();
  bool isOfBody = loop && argument.getOwner() == loop.getAfterBody();
  return isOfBody ? getRoot(loop.getConditionOp().getArgs()[argument.getArgNumber()]) : array;
}

bool Aliasing::areCarriedDistinct(Value a, Value b) {
  auto first = dyn_cast<BlockArgument>(getCarried(a)), second = dyn_cast<BlockArgument>(getCarried(b));
  if (!first || !second || first == second || first.getOwner() != second.getOwner())
    return false;
  Operation *loop = first.getOwner()->getParentOp();
  ValueRange before, after;
  if (auto counted = dyn_cast<scf::ForOp>(loop))
    before = counted.getInitArgs(), after = counted.getYieldedValues();
  else if (auto conditional = dyn_cast<scf::WhileOp>(loop))
    before = conditional.getInits(), after = conditional.getYieldOp()->getOperands();
  else
    return false;
  llvm::SmallDenseSet<Value> handedOn;
  SmallVector<Value> inits;
  for (auto [init, handed] : llvm::zip_equal(before, after)) {
    if (!isArray(init.getType()))
      continue;
    Value yielded = getCarried(handed);
    bool carriedHere = isa<BlockArgument>(yielded) && cast<BlockArgument>(yielded).getOwner() == first.getOwner();
    bool madeHere = isFresh(yielded) && loop->isProperAncestor(yielded.getDefiningOp());
    if ((!carriedHere && !madeHere) || !handedOn.insert(yielded).second)
      return false;
    inits.push_back(init);
  }
  for (size_t j = 0; j < inits.size(); ++j)
    for (size_t k = j + 1; k < inits.size(); ++k)
      if (mayAlias(inits[j], inits[k]))
        return false;
  return true;
}

bool Aliasing::mayAlias(Value a, Value b) {
  a = getRoot(a);
  b = getRoot(b);
  if (a == b)
    return true;
  if (isFresh(a) && isFresh(b))
    return false;
  if (auto known = answers.find({a, b}); known != answers.end())
    return known->second;
  bool answer = mayRootsAlias(a, b);
  answers[{a, b}] = answers[{b, a}] = answer;
  return answer;
}

bool Aliasing::mayRootsAlias(Value a, Value b) {
  if (areCarriedDistinct(a, b))
    return false;
  // What a loop carries was there before an array that its body makes, though it may be the one that the last iteration
  // made.
  auto wasThere = [](Value value, Value made) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && isFresh(made) && argument.getOwner()->findAncestorOpInBlock(*made.getDefiningOp());
  };
  if (wasThere(a, b) || wasThere(b, a))
    return false;
  const llvm::SetVector<Value> &first = getOrigins(a), &second = getOrigins(b);
  for (Value x : first)
    for (Value y : second) {
      if (x == y && !isWithoutElements(x))
        return true;
      if (isFresh(x) || isFresh(y))
        continue;
      if (general || !isFunctionArgument(x) || !isFunctionArgument(y))
        return true;
    }
  return false;
}

/// Adds what the operation writes or frees itself, without what those in its regions do. Resources other than memory (a
/// failure, what is printed) are none.
static void addWrites(Operation *op, Aliasing::Writes &writes) {
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface) {
    writes.isAnywhere |= !op->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
    return;
  }
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects) {
    bool changes = isa<MemoryEffects::Write, MemoryEffects::Free>(effect.getEffect());
    if (!changes || !isa<SideEffects::DefaultResource>(effect.getResource()))
      continue;
    if (effect.getValue())
      writes.arrays.insert(getRoot(effect.getValue()));
    else
      writes.isAnywhere = true;
  }
}

const Aliasing::Writes &Aliasing::getWrites(Operation *op) {
  std::unique_ptr<Writes> &found = writes[op];
  if (!found) {
    auto all = std::make_unique<Writes>();
    op->walk([&](Operation *inner) {
      addWrites(inner, *all);
      return all->isAnywhere ? WalkResult::interrupt() : WalkResult::advance();
    });
    found = std::move(all);
  }
  return *found;
}

bool Aliasing::mayWriteTo(Operation *op, Value array) {
  const Writes &all = getWrites(op);
  return all.isAnywhere || llvm::any_of(all.arrays, [&](Value each) { return mayAlias(each, array); });
}

bool Aliasing::mayWriteToOthers(Operation *op) {
  auto writes = [&](Operation *inner) {
    if (isa<ReleaseOp>(inner)) // whoever else has the array keeps it
      return WalkResult::advance();
    Writes own;
    addWrites(inner, own);
    bool isOther = own.isAnywhere ||
                   llvm::any_of(own.arrays, [&](Value array) { return !llvm::all_of(getOrigins(array), isFresh); });
    return isOther ? WalkResult::interrupt() : WalkResult::advance();
  };
  return op->walk(writes).wasInterrupted();
}

bool mayAlias(Value a, Value b, bool general) { return Aliasing(general).mayAlias(a, b); }

bool mayWriteTo(Operation *op, Value array, bool general) { return Aliasing(general).mayWriteTo(op, array); }

} // namespace npcc
