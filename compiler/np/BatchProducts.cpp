// npcc-batch-products: products of stacks of matrices, which are imported as sums that fuse, go to a library where the
// matrices are large enough for it.
//
//   %c = np.reduce "add" (%a[..., None, :] * %b.T[..., None, :, :]) axes [3] {product}
//   ->
//   %c = np.alternatives %areLarge { np.matmul %a, %b : tensor<?x?x?xf64> ... } or { np.reduce ... }
//
// Products of a few terms, of stacks or not, are written out as expressions on a device.
//
// How large they are is asked at run time unless it is known, from the call that the code is compiled for or at all. A
// stack that is the same along an axis is a view that does not move along it.
#include "compiler/memory/Extents.h"
#include "compiler/memory/FirstCall.h"
#include "compiler/np/ExpandReductions.h"
#include "compiler/np/Passes.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Choice.h"
#include "dialects/Np/Kernels.h"
#include "dialects/Np/Ufunc.h"
#include "dialects/Np/Values.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

namespace npcc {
#define GEN_PASS_DEF_BATCHPRODUCTS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
// Rows and columns, multiplications of one product, and its longest extent, from which a call is faster than a sum for
// each element; on a device, where a loop may become a kernel, and elsewhere. The runtime has a kernel for stacks of
// small matrices, but the smallest ones cost less than the passes over memory that a call needs around it: operands
// and results in the order that it takes, in arrays of their own.
struct Least {
  int64_t rows, multiplications, longest;
};
constexpr Least onHost{4, 512, 0}, onDevice{2, 8, fewTerms + 1}, inLoopOnDevice{4, 64, fewTerms + 1};
// The same on a host where the first call has so few columns and terms that they are computed as vectors
// (npcc-vectorize-columns).
constexpr Least ofVectors{4, 20 * 20 * 20 + 1, 0};
constexpr int64_t leastColumns = 5, mostColumns = 32, mostTerms = 32;

/// One factor as it was before it was spread over the rows or columns of the other one.
struct Factor {
  BroadcastOp broadcast;
  ViewOp view;
};

std::optional<Factor> getFactor(Value value) {
  auto broadcast = value.getDefiningOp<BroadcastOp>();
  auto view = broadcast ? broadcast.getSource().getDefiningOp<ViewOp>() : ViewOp();
  if (!view || getRank(view.getType()) != getRank(value.getType()))
    return std::nullopt;
  // Of every axis it is known whether it is stretched.
  for (auto [axis, extent] : llvm::enumerate(broadcast.getExtents()))
    if (getShape(view.getType())[axis] != 1 && view.getExtents()[axis] != extent)
      return std::nullopt;
  return Factor{broadcast, view};
}

/// Whether a value is a part of an array, or becomes one as each of its elements takes a loop.
bool isInMemory(Value value) {
  while (isa_and_nonnull<ViewOp, BroadcastOp, ReshapeOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return isa_and_nonnull<LoadOp, ReduceOp>(value.getDefiningOp());
}

/// A sum of a few products is an expression.
void expandFew(ReduceOp sum, ExtentOrigins &origins) {
  if (!sum.getProduct() || sum.getAxes().size() != 1 || getRank(sum.getType()) == 0)
    return;
  auto function = sum->getParentOfType<func::FuncOp>();
  OpBuilder builder(sum);
  ExtentOrigin origin = origins.of(sum.getInput(), sum.getAxes()[0]);
  if (!origin.isKnown())
    return;
  FirstCall first(function);
  Value count = materializeExtent(builder, sum.getLoc(), origin);
  IntegerAttr known = first.evaluate(count);
  // More terms are a loop, unless they are elements of matrices in memory: computing each of them for every row or
  // column takes longer.
  auto multiply = sum.getInput().getDefiningOp<UfuncOp>();
  bool areElements = multiply && llvm::all_of(multiply.getInputs(), isInMemory);
  if (!known || known.getInt() < 2 || known.getInt() > (areElements ? fewTerms : fewElements))
    return;
  first.requireEqual(count, known);
  expandReduction(sum, sum.getAxes()[0], known.getInt());
}

class Batcher {
public:
  Batcher(ReduceOp sum, Least least, FirstCall &first)
      : sum(sum), least(least), first(first), rank(getRank(sum.getInput().getType())) {}

  void batch() {
    auto multiply = sum.getInput().getDefiningOp<UfuncOp>();
    Type element = getElementType(sum.getType());
    bool isBlasType = element.isF32() || element.isF64() || isa<ComplexType>(element);
    if (!sum.getProduct() || rank < 4 || sum.getAxes() != ArrayRef<int64_t>{rank - 1} || !multiply ||
        multiply.getName() != Ufunc::multiply || !isBlasType)
      return;
    std::optional<Factor> left = getFactor(multiply.getInputs()[0]), right = getFactor(multiply.getInputs()[1]);
    if (least.longest == onHost.longest && !isa<ComplexType>(element) && left && areFew(left->broadcast.getExtents()))
      least = ofVectors;
    if (!left || !right || isSpread(*left, rank - 3) || !isSpread(*left, rank - 2) || !isSpread(*right, rank - 3) ||
        isSpread(*right, rank - 2))
      return;
    Value areLarge = emitAreLarge(left->broadcast.getExtents());
    APInt known;
    bool isKnown = matchPattern(areLarge, m_ConstantInt(&known));
    if (!isKnown)
      if (IntegerAttr inFirst = first.evaluate(areLarge)) {
        first.requireEqual(areLarge, inFirst);
        known = inFirst.getValue();
        isKnown = true;
      }
    if (isKnown && known.isZero())
      return;
    Value a = emitStack(*left, rank - 3, rank - 1), b = emitStack(*right, rank - 1, rank - 2);
    if (isKnown) {
      sum.replaceAllUsesWith(MatmulOp::create(builder, loc, sum.getType(), a, b).getResult());
      sum.erase();
      return;
    }
    // Where the result is only cast, or only becomes an array, each version does that.
    auto cast = onlyReader<CastOp>(sum.getResult());
    Value last = cast ? cast.getResult() : sum.getResult();
    auto made = onlyReader<NewOp>(last);
    Type type = made ? made.getArray().getType() : last.getType();
    auto versions = AlternativesOp::create(builder, loc, TypeRange{type}, "stacks of large products", areLarge);
    if (made) {
      made.getArray().replaceAllUsesWith(versions.getResult(0));
      made.erase();
    } else {
      last.replaceAllUsesWith(emitExtents(versions.getResult(0), left->broadcast.getExtents()));
    }
    auto finish = [&](Block *block, function_ref<Value()> make) {
      builder.setInsertionPointToEnd(block);
      Value result = make();
      if (cast)
        result = CastOp::create(builder, loc, cast.getType(), result);
      if (made)
        result = NewOp::create(builder, loc, type, result);
      YieldOp::create(builder, loc, result);
    };
    finish(versions.getOfferedBlock(), [&]() -> Value { return MatmulOp::create(builder, loc, sum.getType(), a, b); });
    finish(versions.getGeneralBlock(), [&]() -> Value {
      // With what it sums, which is computed nowhere else.
      IRMapping copies;
      for (Operation *op : {left->view.getOperation(), left->broadcast.getOperation(), right->view.getOperation(),
                            right->broadcast.getOperation(), multiply.getOperation()})
        builder.clone(*op, copies);
      return builder.clone(*sum, copies)->getResult(0);
    });
    if (cast)
      cast.erase();
    sum.erase();
  }

private:
  /// The operation that alone reads the sum's result, if it is of this kind and beside the sum.
  template <typename Op> Op onlyReader(Value value) {
    auto reader = value.hasOneUse() ? dyn_cast<Op>(*value.user_begin()) : Op();
    return reader && reader->getBlock() == sum->getBlock() ? reader : Op();
  }

  static bool isSpread(const Factor &factor, int64_t axis) {
    ViewOp view = factor.view;
    return view.getAxes()[axis] < 0;
  }

  bool areFew(ValueRange extents) {
    IntegerAttr columns = first.evaluate(extents[rank - 2]), terms = first.evaluate(extents[rank - 1]);
    return columns && terms && columns.getInt() >= leastColumns && columns.getInt() <= mostColumns &&
           terms.getInt() <= mostTerms;
  }

  /// A value whose extents are told, as nothing is known of what a branch gives.
  Value emitExtents(Value value, ValueRange all) {
    SmallVector<Value> extents(all.drop_back());
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
    return ViewOp::create(builder, loc, value.getType(), value, SmallVector<Value>(rank - 1, zero),
                          llvm::to_vector(llvm::seq<int64_t>(0, rank - 1)), extents, SmallVector<Value>(rank - 1, one));
  }

  Value emitAreLarge(ValueRange extents) {
    auto atLeast = [&](Value value, int64_t bound) {
      return builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::sge, value,
                                                 arith::ConstantIndexOp::create(builder, loc, bound));
    };
    Value m = extents[rank - 3], n = extents[rank - 2], k = extents[rank - 1];
    Value rows = builder.createOrFold<arith::AndIOp>(loc, atLeast(m, least.rows), atLeast(n, least.rows));
    Value size = builder.createOrFold<arith::MulIOp>(loc, builder.createOrFold<arith::MulIOp>(loc, m, n), k);
    Value longest = m;
    for (Value extent : {n, k})
      longest = builder.createOrFold<arith::MaxSIOp>(loc, longest, extent);
    rows = builder.createOrFold<arith::AndIOp>(loc, rows, atLeast(longest, least.longest));
    return builder.createOrFold<arith::AndIOp>(loc, rows, atLeast(size, least.multiplications));
  }

  /// The stack with these two axes as rows and columns.
  Value emitStack(Factor factor, int64_t rows, int64_t columns) {
    ViewOp view = factor.view;
    SmallVector<int64_t> axes, shape;
    SmallVector<Value> extents, steps;
    auto add = [&](int64_t axis) {
      bool isStretched = getShape(view.getType())[axis] == 1;
      axes.push_back(isStretched ? -1 : view.getAxes()[axis]);
      extents.push_back(factor.broadcast.getExtents()[axis]);
      steps.push_back(view.getSteps()[axis]);
      shape.push_back(getShape(factor.broadcast.getType())[axis]);
    };
    for (int64_t axis = 0; axis < rank - 3; ++axis)
      add(axis);
    add(rows);
    add(columns);
    Type element = getElementType(view.getType());
    // A library takes any strides: a view of the array, loaded when the array is.
    if (auto load = view.getSource().getDefiningOp<LoadOp>()) {
      OpBuilder at(load);
      bool areBefore =
          llvm::all_of(llvm::concat<Value>(extents, steps, SmallVector<Value>(view.getOffsets())), [&](Value value) {
            Operation *op = value.getDefiningOp();
            return !op || op->getBlock() != load->getBlock() || op->isBeforeInBlock(load) || isMovable(op, load);
          });
      if (areBefore) {
        for (Value value : llvm::concat<Value>(extents, steps, SmallVector<Value>(view.getOffsets())))
          moveBefore(value.getDefiningOp(), load);
        auto type = ArrayType::get(builder.getContext(), shape, element, /*contiguous=*/false);
        Value part = ViewOp::create(at, loc, type, load.getArray(), view.getOffsets(), axes, extents, steps);
        return LoadOp::create(at, loc, part);
      }
    }
    return ViewOp::create(builder, loc, RankedTensorType::get(shape, element), view.getSource(), view.getOffsets(),
                          axes, extents, steps);
  }

  /// Whether a number can be computed before an operation of its block.
  static bool isMovable(Operation *op, Operation *before) {
    return isPure(op) && op->getNumRegions() == 0 && llvm::all_of(op->getOperands(), [&](Value operand) {
             Operation *maker = operand.getDefiningOp();
             return !maker || maker->getBlock() != before->getBlock() || maker->isBeforeInBlock(before) ||
                    (maker != before && isMovable(maker, before));
           });
  }
  static void moveBefore(Operation *op, Operation *before) {
    if (!op || op->getBlock() != before->getBlock() || op->isBeforeInBlock(before))
      return;
    for (Value operand : op->getOperands())
      moveBefore(operand.getDefiningOp(), before);
    op->moveBefore(before);
  }

  ReduceOp sum;
  Least least;
  FirstCall &first;
  int64_t rank;
  OpBuilder builder{sum};
  Location loc = sum.getLoc();
};

struct BatchProducts : impl::BatchProductsBase<BatchProducts> {
  void runOnOperation() override {
    if (getOperation()->hasAttr("np.thread"))
      return;
    bool isHost = getTargetProperties(getOperation()).hostSharesMemory;
    SmallVector<ReduceOp> sums;
    getOperation()->walk([&](ReduceOp op) { sums.push_back(op); });
    for (ReduceOp sum : sums) {
      FirstCall first(getOperation()); // anew, as the one before erased operations
      Least onTarget = isHost ? onHost : sum->getParentOfType<LoopLikeOpInterface>() ? inLoopOnDevice : onDevice;
      Batcher(sum, onTarget, first).batch();
    }
    if (isHost)
      return;
    sums.clear();
    getOperation()->walk([&](ReduceOp op) { sums.push_back(op); });
    ExtentOrigins origins(getOperation()); // anew: products have been batched
    for (ReduceOp sum : sums) {
      expandFew(sum, origins);
      origins.forget();
    }
  }
};
} // namespace
} // namespace npcc
