// Makes broadcasts explicit and equal extents one value.
//
//   %c = np.ufunc "add"(%a, %b) : (tensor<?x?xf64>, tensor<?xf64>)
//   -> %b2 = np.broadcast %b extents [%n, %m]        %c = np.ufunc "add"(%a, %b2)
//
// 1. An array carried through a loop has the extents it came with, if every iteration hands on one of the same extents
//    (assumed for all, then disproved until nothing changes: so a swap keeps them). An array that a branch gives has
//    the extents that both sides have. Those that change may still be equal to each other (`z, c = z[m], c[m]`), which
//    is assumed and disproved in the same way.
// 2. Two arguments' extents that meet in a broadcast are taken for equal in the fast version, and said in `np.guards`
//    (argument, axis, argument, axis, ...), which the call checks. An argument's extent that meets a constant (the 3 of
//    positions in space) is taken for that constant: -1 and the constant are in the first argument's place. Where the
//    first call is known, what differs in it is not taken for equal in branches, and an extent that is 1 in it is taken
//    for the constant 1. In the general version, and for other extents, np.broadcast_extent decides at run time and
//    raises NumPy's ValueError.
// 3. Extents that an np.assert before says are equal (operands of a product) are one: the operand becomes a view of
//    itself with the other's.
// 4. Every operand of np.ufunc and of stores is stretched by np.broadcast to the extents of the result.
#include "compiler/memory/Extents.h"
#include "compiler/np/Passes.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Values.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/CSE.h"

namespace npcc {
#define GEN_PASS_DEF_RESOLVEEXTENTS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
class Resolver {
public:
  Resolver(func::FuncOp function, bool general)
      : function(function), builder(function.getContext()), general(general) {}

  void run(bool guardsOnly) {
    // From an earlier run.
    if (auto known = function->getAttrOfType<DenseI64ArrayAttr>("np.guards")) {
      llvm::append_range(guards, known.asArrayRef());
      origins.setUnified(ExtentOrigins(function).getUnified());
    }
    // Arguments that meet in a loop as what it carries: if they are taken for equal the loop may keep their extents,
    // which shows that they are. Where it makes arrays shorter they meet in the first iteration at least, and what the
    // first call says is taken for all.
    if (!general) {
      origins.resolveLoops(function, /*isOptimistic=*/true);
      ExtentOrigins::Origins unified = origins.getUnified();
      size_t known = guards.size();
      if (unifyArguments() && !origins.resolveLoops(function) && !holdInFirstCall(ArrayRef(guards).drop_front(known))) {
        origins.setUnified(std::move(unified));
        guards.truncate(known);
      }
    }
    for (int round = 0; round < 8; ++round) {
      origins.resolveLoops(function);
      shareExtents();
      if (general || !unifyArguments())
        break;
    }
    if (!guards.empty())
      function->setAttr("np.guards", builder.getDenseI64ArrayAttr(guards));
    if (guardsOnly)
      return;
    origins.resolveLoops(function); // what was assumed may have become another value
    function.walk([&](AssertOp op) {
      if (auto compare = op.getCondition().getDefiningOp<arith::CmpIOp>();
          compare && compare.getPredicate() == arith::CmpIPredicate::eq)
        assertions.push_back({op, compare});
    });
    function.walk([&](UfuncOp op) {
      restateAsserted(op);
      makeExplicit(op);
      // The walk is in the order of the program: nothing that this result goes into was asked for yet.
      origins.forget(op.getResult());
    });
    function.walk([&](Operation *op) {
      if (isa<StoreOp, StoreMaskedOp>(op))
        makeStoreExplicit(op);
    });
    shareExtents();
  }

private:
  /// Every np.dim becomes the one value of its origin; then equal expressions are one value.
  void shareExtents() {
    SmallVector<DimOp> dims;
    function.walk([&](DimOp op) { dims.push_back(op); });
    for (DimOp dim : dims) {
      ExtentOrigin origin = origins.of(dim.getSource(), dim.getAxis());
      if (origin.axis >= 0 && origin.value == dim.getSource() && origin.axis == static_cast<int64_t>(dim.getAxis()))
        continue;
      builder.setInsertionPoint(dim);
      if (origin.constant < 0 && !dominates(origin.value, dim))
        continue;
      dim.replaceAllUsesWith(materializeExtent(builder, dim.getLoc(), origin));
      dim.erase();
    }
    IRRewriter rewriter(function.getContext());
    DominanceInfo dominance(function);
    eliminateCommonSubExpressions(rewriter, dominance, function);
    origins.forget();
  }
  bool dominates(Value value, Operation *user) { return DominanceInfo(function).properlyDominates(value, user); }

  /// The arguments' extents that must be equal for two extents to be: themselves, or those that they are computed from
  /// in the same way (the inside of two arrays, a[1:-1] and b[1:-1]). `seen`: the expressions that were compared
  /// already (an extent n + n that was added to itself ten times has a thousand n). One that differs ends the
  /// comparison, so all of them are alike.
  bool collectPairs(ExtentOrigin a, ExtentOrigin b, SmallVectorImpl<std::pair<ExtentOrigin, ExtentOrigin>> &pairs,
                    llvm::SmallDenseSet<std::pair<Value, Value>> &seen) {
    if (a == b)
      return true;
    if (a.constant >= 0 || b.constant >= 0) {
      if (a.constant < 0)
        std::swap(a, b);
      // An extent of 1 is stretched, and no other one meets it unchanged.
      if (a.constant <= 1 || a.constant > std::numeric_limits<int16_t>::max() || !b.getArgument())
        return false;
      pairs.push_back({a, b});
      return true;
    }
    if (a.getArgument() && b.getArgument()) {
      pairs.push_back({a, b});
      return true;
    }
    if (a.axis < 0 && b.axis < 0 && !seen.insert({a.value, b.value}).second)
      return true;
    Operation *first = a.axis < 0 ? a.value.getDefiningOp() : nullptr,
              *second = b.axis < 0 ? b.value.getDefiningOp() : nullptr;
    if (!first || !second || first->getName() != second->getName() || first->getAttrs() != second->getAttrs() ||
        !isPure(first) || first->getNumRegions() > 0 || first->getNumOperands() != second->getNumOperands() ||
        first->getNumOperands() == 0)
      return false;
    return llvm::all_of(llvm::zip(first->getOperands(), second->getOperands()), [&](auto operands) {
      auto [x, y] = operands;
      return x == y || (x.getType().isIndex() && y.getType().isIndex() &&
                        collectPairs(origins.ofIndex(x), origins.ofIndex(y), pairs, seen));
    });
  }

  /// Whether the first call is known to have the extents that these guards ask for.
  bool holdInFirstCall(ArrayRef<int64_t> asked) {
    for (; !asked.empty(); asked = asked.drop_front(4)) {
      auto find = [&](int64_t argument, int64_t axis) {
        return argument < 0 ? std::optional(axis)
                            : getInFirstCall(function, {function.getArgument(argument), axis, -1});
      };
      std::optional<int64_t> one = find(asked[0], asked[1]), other = find(asked[2], asked[3]);
      if (!one || one != other)
        return false;
    }
    return true;
  }

  /// False where the first call shows that two extents differ that meet in a branch, so that every call like it would
  /// go to the general version: such calls do not reach the operation. (Elsewhere they fail, and others need not suffer
  /// for it.) But of two extents that meet, the one of 1 is taken for constant, and stretched.
  bool agreeWithFirstCall(Operation *op, const ExtentOrigin &a, const ExtentOrigin &b,
                          SmallVectorImpl<std::pair<ExtentOrigin, ExtentOrigin>> &pairs) {
    auto areDifferent = [&](auto &pair) {
      std::optional<int64_t> first = getInFirstCall(function, pair.first),
                             second = getInFirstCall(function, pair.second);
      return first && second && *first != *second;
    };
    if (llvm::none_of(pairs, areDifferent))
      return true;
    ExtentOrigin one{Value(), -1, 1};
    for (const ExtentOrigin &origin : {a, b})
      if (origin.getArgument() && getInFirstCall(function, origin) == 1) {
        pairs.assign({{one, origin}});
        return true;
      }
    return !op->getParentOfType<scf::IfOp>();
  }

  /// Step 2. True if some two extents became one.
  bool unifyArguments() {
    bool changed = false;
    auto meet = [&](Operation *op, ExtentOrigin a, ExtentOrigin b) {
      SmallVector<std::pair<ExtentOrigin, ExtentOrigin>> pairs;
      llvm::SmallDenseSet<std::pair<Value, Value>> seen;
      if (!collectPairs(a, b, pairs, seen) || !agreeWithFirstCall(op, a, b, pairs))
        return;
      for (auto [x, y] : pairs)
        changed |= takeForEqual(origins, x, y, guards);
    };
    function.walk([&](Operation *op) {
      SmallVector<Value> operands;
      if (auto ufunc = dyn_cast<UfuncOp>(op))
        operands.append(ufunc.getInputs().begin(), ufunc.getInputs().end());
      else if (auto store = dyn_cast<StoreOp>(op))
        operands.append({store.getArray(), store.getValue()});
      else if (auto store = dyn_cast<StoreMaskedOp>(op))
        operands.append({store.getArray(), store.getValue()});
      for (size_t k = 1; k < operands.size(); ++k)
        for (size_t j = 0; j < k; ++j) {
          int64_t lhsRank = getRank(operands[j].getType()), rhsRank = getRank(operands[k].getType());
          for (int64_t fromEnd = 1; fromEnd <= std::min(lhsRank, rhsRank); ++fromEnd)
            meet(op, origins.of(operands[j], lhsRank - fromEnd), origins.of(operands[k], rhsRank - fromEnd));
        }
      if (auto check = dyn_cast<BroadcastExtentOp>(op))
        meet(op, origins.ofIndex(check.getLhs()), origins.ofIndex(check.getRhs()));
    });
    return changed;
  }

  Value extentOf(Value value, int64_t axis, Operation *user) {
    ExtentOrigin origin = origins.of(value, axis);
    if (origin.constant < 0 && !dominates(origin.value, user))
      return DimOp::create(builder, user->getLoc(), value, axis);
    return materializeExtent(builder, user->getLoc(), origin);
  }
  static bool isOne(Value extent) { return matchPattern(extent, m_One()); }
  /// SSA equality up to constants and to np.dim operations not yet shared.
  bool same(Value a, Value b) { return origins.ofIndex(a) == origins.ofIndex(b); }

  bool isAsserted(Value a, Value b, Operation *user) {
    return llvm::any_of(assertions, [&](auto &assertion) {
      auto [assertOp, compare] = assertion;
      bool isSame = (same(compare.getLhs(), a) && same(compare.getRhs(), b)) ||
                    (same(compare.getLhs(), b) && same(compare.getRhs(), a));
      return isSame && DominanceInfo(function).properlyDominates(assertOp, user);
    });
  }

  /// Step 3. Operands of an elementwise function with the same rank and extents that are known to be the first
  /// operand's.
  void restateAsserted(UfuncOp op) {
    if (assertions.empty() || op.getInputs().size() < 2 || !isa<RankedTensorType>(op.getInputs()[0].getType()))
      return;
    builder.setInsertionPoint(op);
    Value first = op.getInputs()[0];
    for (unsigned number = 1; number < op.getInputs().size(); ++number) {
      Value other = op.getInputs()[number];
      auto type = dyn_cast<RankedTensorType>(other.getType());
      if (!type || type.getRank() != getRank(first.getType()))
        continue;
      SmallVector<Value> extents, zeros, ones;
      SmallVector<int64_t> axes;
      bool restated = false;
      for (int64_t axis = 0; axis < type.getRank(); ++axis) {
        Value wanted = extentOf(first, axis, op), own = extentOf(other, axis, op);
        bool isKnown = !isOne(wanted) && !isOne(own) && !same(wanted, own) && isAsserted(wanted, own, op);
        restated |= isKnown;
        extents.push_back(isKnown ? wanted : own);
        zeros.push_back(arith::ConstantIndexOp::create(builder, op.getLoc(), 0));
        ones.push_back(arith::ConstantIndexOp::create(builder, op.getLoc(), 1));
        axes.push_back(axis);
      }
      if (restated)
        op->setOperand(number, ViewOp::create(builder, op.getLoc(), type, other, zeros, axes, extents, ones));
    }
  }

  void makeExplicit(UfuncOp op) {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (!type || type.getRank() == 0)
      return;
    builder.setInsertionPoint(op);
    int64_t rank = type.getRank();
    SmallVector<SmallVector<Value>> extents;
    for (Value input : op.getInputs()) {
      SmallVector<Value> own;
      for (int64_t axis = 0; axis < getRank(input.getType()); ++axis)
        own.push_back(extentOf(input, axis, op));
      extents.push_back(std::move(own));
    }
    SmallVector<Value> result(rank), whole;
    int64_t wholeRank = 0;
    for (auto &own : extents) {
      SmallVector<Value> shapes(whole);
      shapes.append(own);
      for (auto [k, extent] : llvm::enumerate(own)) {
        Value &mine = result[rank - own.size() + k];
        if (!mine || isOne(mine))
          mine = extent;
        else if (!isOne(extent) && !same(mine, extent)) {
          // The error names the shapes of all operands, and of an array that is changed in place once more.
          bool isInPlace = op.getInPlace() && !extents[0].empty(), areThree = !isInPlace && extents.size() == 3;
          SmallVector<Value> named(areThree ? SmallVector<Value>() : shapes);
          for (auto &each : ArrayRef(extents).take_front(areThree ? 3 : isInPlace))
            named.append(each);
          auto check = BroadcastExtentOp::create(builder, op.getLoc(), mine, extent, BroadcastKind::ufunc, named,
                                                 areThree ? extents[0].size() : wholeRank);
          if (isInPlace || areThree)
            check.setOutputRank(extents[areThree ? 2 : 0].size());
          mine = check;
        }
      }
      if (!own.empty()) {
        whole.clear();
        for (Value extent : result)
          if (extent)
            whole.push_back(extent);
        wholeRank = whole.size();
      }
    }
    if (op.getInPlace())
      meetOutput(op.getLoc(), result, extents[0]);
    for (auto [k, own] : llvm::enumerate(extents))
      if (!own.empty())
        op->setOperand(k, stretch(op.getLoc(), op.getInputs()[k], own, result));
  }

  /// a += b has the extents of a, or raises: said here, so that no element of a is read at another position than its
  /// own.
  void meetOutput(Location loc, MutableArrayRef<Value> result, ArrayRef<Value> output) {
    if (result.size() != output.size())
      return; // the store raises
    SmallVector<Value> shapes(result);
    llvm::append_range(shapes, output);
    for (auto [mine, own] : llvm::zip(result, output)) {
      if (isOne(mine) || isOne(own) || same(mine, own))
        continue;
      BroadcastExtentOp::create(builder, loc, mine, own, BroadcastKind::output, shapes, output.size());
      mine = own;
    }
  }

  Value stretch(Location loc, Value value, ArrayRef<Value> own, ArrayRef<Value> wanted) {
    bool equal = own.size() == wanted.size();
    for (auto [mine, theirs] : llvm::zip(own, wanted))
      equal = equal && same(mine, theirs);
    if (equal)
      return value;
    SmallVector<int64_t> shape;
    for (Value extent : wanted) {
      APInt constant;
      shape.push_back(matchPattern(extent, m_ConstantInt(&constant)) && constant.isOne() ? 1 : ShapedType::kDynamic);
    }
    auto type = RankedTensorType::get(shape, getElementType(value.getType()));
    return BroadcastOp::create(builder, loc, type, value, wanted);
  }

  void makeStoreExplicit(Operation *op) {
    Value value = op->getOperand(0), array = op->getOperands().back();
    if (!isa<RankedTensorType>(value.getType()))
      return;
    auto store = dyn_cast<StoreOp>(op);
    bool isOutput = store && store.getAsOutput();
    builder.setInsertionPoint(op);
    SmallVector<Value> own, wanted;
    for (int64_t axis = 0; axis < getRank(value.getType()); ++axis)
      own.push_back(extentOf(value, axis, op));
    for (int64_t axis = 0; axis < getRank(array.getType()); ++axis)
      wanted.push_back(extentOf(array, axis, op));
    if (wanted.empty())
      return;
    SmallVector<Value> shapes(own);
    shapes.append(wanted);
    for (auto [k, extent] : llvm::enumerate(own)) {
      Value target = wanted[wanted.size() - own.size() + k];
      if (!isOne(extent) && !same(extent, target))
        BroadcastExtentOp::create(builder, op->getLoc(), extent, target,
                                  isOutput ? BroadcastKind::output : BroadcastKind::store, shapes, own.size());
    }
    op->setOperand(0, stretch(op->getLoc(), value, own, wanted));
  }

  func::FuncOp function;
  OpBuilder builder;
  bool general;
  ExtentOrigins origins;
  SmallVector<int64_t> guards;
  SmallVector<std::pair<AssertOp, arith::CmpIOp>> assertions;
};

struct ResolveExtents : impl::ResolveExtentsBase<ResolveExtents> {
  using ResolveExtentsBase::ResolveExtentsBase;
  void runOnOperation() override {
    if (getOperation().isDeclaration())
      return;
    // A thread's function has no other version for arrays that do not meet: where checks are wanted it asks them.
    bool isGeneral = getOperation()->hasAttr("np.general") || getOperation()->hasAttr("np.checked");
    Resolver(getOperation(), isGeneral).run(guardsOnly);
  }
};
} // namespace
} // namespace npcc
