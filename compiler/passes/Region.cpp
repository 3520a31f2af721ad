// Which arrays and regions may name the same elements.
#include "compiler/passes/Region.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace npcc::np;

namespace npcc {

Value getRoot(Value array) {
  for (;;) {
    if (auto view = array.getDefiningOp<ViewOp>())
      array = view.getSource();
    else if (auto reshape = array.getDefiningOp<ReshapeOp>())
      array = reshape.getSource();
    else
      return array;
  }
}

static bool isFresh(Value root) { return isa_and_nonnull<NewOp, EmptyOp>(root.getDefiningOp()); }

/// What a loop-carried or chosen array may be: all values that flow into it.
static void getSources(Value root, SmallVectorImpl<Value> &sources) {
  if (auto argument = dyn_cast<BlockArgument>(root)) {
    Operation *op = argument.getOwner()->getParentOp();
    unsigned k = argument.getArgNumber();
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      if (k > 0) {
        sources.push_back(loop.getInitArgs()[k - 1]);
        sources.push_back(loop.getYieldedValues()[k - 1]);
      }
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      if (argument.getOwner() == loop.getBeforeBody()) {
        sources.push_back(loop.getInits()[k]);
        sources.push_back(loop.getYieldOp().getOperand(k));
      } else {
        sources.push_back(loop.getConditionOp().getArgs()[k]);
      }
    }
    return;
  }
  auto result = cast<OpResult>(root);
  unsigned k = result.getResultNumber();
  if (auto reshape = dyn_cast<ReshapeStridedOp>(result.getOwner()))
    sources.push_back(reshape.getSource()); // or a new array
  else if (auto loop = dyn_cast<scf::ForOp>(result.getOwner())) {
    sources.push_back(loop.getInitArgs()[k]);
    sources.push_back(loop.getYieldedValues()[k]);
  } else if (auto loop = dyn_cast<scf::WhileOp>(result.getOwner())) {
    sources.push_back(loop.getConditionOp().getArgs()[k]);
  } else if (auto branch = dyn_cast<scf::IfOp>(result.getOwner())) {
    sources.push_back(branch.thenYield().getOperand(k));
    if (branch.elseBlock())
      sources.push_back(branch.elseYield().getOperand(k));
  } else if (auto select = dyn_cast<arith::SelectOp>(result.getOwner())) {
    sources.push_back(select.getTrueValue());
    sources.push_back(select.getFalseValue());
  } else if (result.getOwner()->getNumRegions()) {
    for (Region &region : result.getOwner()->getRegions())
      if (!region.empty() && k < region.front().getTerminator()->getNumOperands())
        sources.push_back(region.front().getTerminator()->getOperand(k));
  }
}

/// The arguments and new arrays that a root may be.
static void getOrigins(Value root, llvm::SetVector<Value> &origins) {
  llvm::SetVector<Value> seen;
  SmallVector<Value> open{root};
  while (!open.empty()) {
    Value value = getRoot(open.pop_back_val());
    if (!seen.insert(value))
      continue;
    SmallVector<Value> sources;
    if (!isFresh(value))
      getSources(value, sources);
    if (sources.empty())
      origins.insert(value);
    open.append(sources);
  }
}

/// Two arrays carried by one loop stay distinct if they start distinct and each iteration hands on every one of them at most
/// once, and new arrays otherwise (induction over the iterations).
static bool areCarriedDistinct(Value a, Value b, bool general) {
  auto first = dyn_cast<BlockArgument>(a), second = dyn_cast<BlockArgument>(b);
  if (!first || !second || first.getOwner() != second.getOwner())
    return false;
  auto loop = dyn_cast<scf::ForOp>(first.getOwner()->getParentOp());
  if (!loop)
    return false;
  llvm::SmallDenseSet<Value> handedOn;
  SmallVector<Value> inits;
  for (auto [init, yielded] : llvm::zip(loop.getInitArgs(), loop.getYieldedValues())) {
    if (!isa<ArrayType>(init.getType()))
      continue;
    bool carriedHere = isa<BlockArgument>(yielded) && cast<BlockArgument>(yielded).getOwner() == loop.getBody();
    bool madeHere = isFresh(yielded) && loop->isProperAncestor(yielded.getDefiningOp());
    if ((!carriedHere && !madeHere) || !handedOn.insert(yielded).second)
      return false;
    inits.push_back(init);
  }
  for (size_t j = 0; j < inits.size(); ++j)
    for (size_t k = j + 1; k < inits.size(); ++k)
      if (mayAlias(getRoot(inits[j]), getRoot(inits[k]), general))
        return false;
  return true;
}

bool mayAlias(Value a, Value b, bool general) {
  if (a == b)
    return true;
  if (areCarriedDistinct(a, b, general))
    return false;
  // What a loop carries was there before an array that its body makes, though it may be the one that the last iteration made.
  auto wasThere = [](Value value, Value made) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && isFresh(made) && argument.getOwner()->findAncestorOpInBlock(*made.getDefiningOp());
  };
  if (wasThere(a, b) || wasThere(b, a))
    return false;
  llvm::SetVector<Value> first, second;
  getOrigins(a, first);
  getOrigins(b, second);
  for (Value x : first)
    for (Value y : second) {
      if (x == y)
        return true;
      if (general && !isFresh(x) && !isFresh(y))
        return true;
    }
  return false;
}

bool isSameRegion(Value a, Value b) {
  if (a == b)
    return true;
  auto first = a.getDefiningOp<ViewOp>(), second = b.getDefiningOp<ViewOp>();
  return first && second && first.getSource() == second.getSource() && first.getAxes() == second.getAxes() &&
         llvm::equal(first.getOffsets(), second.getOffsets()) && llvm::equal(first.getExtents(), second.getExtents()) &&
         llvm::equal(first.getSteps(), second.getSteps());
}

/// Do the two views pick one row each, and different ones, along some axis?
static bool areDisjoint(ViewOp a, ViewOp b) {
  for (int64_t axis = 0; axis < getRank(a.getSource().getType()); ++axis) {
    if (llvm::is_contained(a.getAxes(), axis) || llvm::is_contained(b.getAxes(), axis))
      continue;
    APInt x, y;
    if (matchPattern(a.getOffsets()[axis], m_ConstantInt(&x)) && matchPattern(b.getOffsets()[axis], m_ConstantInt(&y)) && x != y)
      return true;
  }
  return false;
}

bool mayOverlap(Value a, Value b, bool general) {
  if (!mayAlias(getRoot(a), getRoot(b), general))
    return false;
  auto first = a.getDefiningOp<ViewOp>(), second = b.getDefiningOp<ViewOp>();
  return !(first && second && first.getSource() == second.getSource() && areDisjoint(first, second));
}

void collectAccesses(Operation *op, SmallVectorImpl<Value> &read, SmallVectorImpl<Value> &written) {
  op->walk([&](Operation *inner) {
    if (auto load = dyn_cast<LoadOp>(inner))
      read.push_back(load.getArray());
    else if (isa<StoreOp, StoreMaskedOp>(inner))
      written.push_back(inner->getOperands().back());
    else if (auto scatter = dyn_cast<ScatterOp>(inner))
      written.push_back(scatter.getArray());
    else if (auto routine = dyn_cast<LinearAlgebraOp>(inner)) {
      llvm::append_range(read, routine.getOperands());
      llvm::append_range(written, routine.getOperands());
    } else if (auto exchange = dyn_cast<ExchangeHaloOp>(inner)) {
      read.push_back(exchange.getTile());
      written.push_back(exchange.getTile());
    }
  });
}

} // namespace npcc
