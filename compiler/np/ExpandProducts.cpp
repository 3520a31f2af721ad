// npcc-expand-products: small products inside loops become sums that fuse with what is around them, and that go where
// the loop goes: into a kernel of all iterations, or of one block. A library is called from the host only.
//
//   scf.for %i ... {                                         np.alternatives %areSmall {
//     ... np.matmul %a, %b                                     scf.for %i ... {
//   }                                                            ... np.reduce "add" (%a[:, None] * %b.T[None]) axes
//   [2]
//                                                      ->      }
//                                                            } or {
//                                                              scf.for %i ... { ... np.matmul %a, %b }
//                                                            }
//
// How large the products are is asked before the loop. A product with a vector reads each element of the matrix once,
// as a sum does: it may be larger. On a device, products of a few terms (points by a rotation) are sums everywhere, if
// the call that the code is compiled for says how many there are; and so are those of few rows and columns and very
// many terms (the sums of each cluster's points), which threads share out.
#include "compiler/memory/Extents.h"
#include "compiler/memory/FirstCall.h"
#include "compiler/np/ExpandReductions.h"
#include "compiler/np/Moving.h"
#include "compiler/np/Passes.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Choice.h"
#include "dialects/Np/Ufunc.h"
#include "dialects/Np/Values.h"
#include "mlir/IR/Matchers.h"

namespace npcc {
#define GEN_PASS_DEF_EXPANDPRODUCTS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
bool isWithVector(MatmulOp product) {
  return getShape(product.getLhs().getType())[0] == 1 || getShape(product.getRhs().getType())[1] == 1;
}

/// Extents of the products of a loop, as numbers before it; or nothing, where one of them has no bound there.
class Sizes {
public:
  Sizes(scf::ForOp loop, ExtentOrigins &origins) : loop(loop), origins(origins), builder(loop), loc(loop.getLoc()) {}

  /// Whether all products of the loop are small, or, with a vector, of a small or slim matrix: null if it is not known.
  Value emitAreSmall(ArrayRef<MatmulOp> products, const Tuning &tuning) {
    for (MatmulOp product : products)
      for (auto [value, axis] : axesOf(product))
        if (!emitBound(value, axis, nullptr))
          return Value();
    Value all;
    for (MatmulOp product : products) {
      Value size, side;
      auto isAtMost = [&](Value extent, int64_t most) {
        return builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::sle, extent,
                                                   arith::ConstantIndexOp::create(builder, loc, most));
      };
      for (auto [value, axis] : axesOf(product)) {
        Value extent = emitBound(value, axis, &builder);
        size = size ? builder.createOrFold<arith::MulIOp>(loc, size, extent) : extent;
        if (getShape(value.getType())[axis] != 1) // of the matrix
          side = side ? builder.createOrFold<arith::MinSIOp>(loc, side, extent) : extent;
      }
      bool withVector = isWithVector(product);
      Value isSmall = isAtMost(size, tuning.smallProduct * (withVector ? tuning.factorOfVector : 1));
      if (withVector && tuning.slimMatrix && side)
        isSmall = builder.createOrFold<arith::OrIOp>(loc, isSmall, isAtMost(side, tuning.slimMatrix));
      all = all ? builder.createOrFold<arith::AndIOp>(loc, all, isSmall) : isSmall;
    }
    return all;
  }

private:
  static std::array<std::pair<Value, int64_t>, 3> axesOf(MatmulOp product) {
    return {{{product.getLhs(), 0}, {product.getLhs(), 1}, {product.getRhs(), 1}}};
  }

  /// An extent, or one that it does not exceed: that of the array which the value is a part of.
  Value emitBound(Value value, int64_t axis, OpBuilder *at) {
    Positions outside{loop, {}};
    ExtentOrigin origin = origins.of(value, axis);
    if (origin.value && origin.axis < 0) {
      if (Value known = emitAt(origin.value, outside, at))
        return known;
    } else if (origin.isKnown() && (!origin.value || loop.isDefinedOutsideOfLoop(origin.value))) {
      return at ? materializeExtent(*at, loc, origin) : value;
    }
    while (Operation *op = value.getDefiningOp()) {
      if (auto view = dyn_cast<ViewOp>(op)) {
        bool isPlain = view.getAxes()[axis] >= 0 && matchPattern(view.getSteps()[axis], m_One());
        if (!isPlain)
          return Value();
        axis = view.getAxes()[axis];
        value = view.getSource();
      } else if (isa<LoadOp, CastOp>(op)) {
        value = op->getOperand(0);
      } else if (auto ufunc = dyn_cast<UfuncOp>(op)) {
        auto whole = llvm::find_if(ufunc.getInputs(),
                                   [&](Value input) { return getRank(input.getType()) == getRank(value.getType()); });
        if (whole == ufunc.getInputs().end())
          return Value();
        value = *whole;
      } else {
        return Value();
      }
      if (!loop.isDefinedOutsideOfLoop(value))
        continue;
      ExtentOrigin whole = origins.of(value, axis);
      // A computed value has the extents of what it is computed from; none of its own is left behind npcc-fuse.
      if (whole.axis >= 0 && isa<RankedTensorType>(whole.value.getType()))
        return Value();
      return at ? materializeExtent(*at, loc, whole) : value;
    }
    return Value();
  }

  scf::ForOp loop;
  ExtentOrigins &origins;
  OpBuilder builder;
  Location loc;
};

void expand(MatmulOp product) {
  OpBuilder builder(product);
  Location loc = product.getLoc();
  auto type = cast<RankedTensorType>(product.getType());
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value left = product.getLhs(), right = product.getRhs();
  SmallVector<Value> extents{getExtent(builder, loc, left, 0), getExtent(builder, loc, right, 1),
                             getExtent(builder, loc, left, 1)};
  SmallVector<int64_t> shape(type.getShape());
  shape.push_back(getShape(left.getType())[1]);
  auto wide = RankedTensorType::get(shape, type.getElementType());
  auto spread = [&](Value matrix, ArrayRef<int64_t> axes) -> Value {
    return ViewOp::create(builder, loc, wide, matrix, SmallVector<Value>(2, zero), axes, extents,
                          SmallVector<Value>(3, one));
  };
  Value products = UfuncOp::create(builder, loc, wide, Ufunc::multiply,
                                   ValueRange{spread(left, {0, -1, 1}), spread(right, {-1, 1, 0})});
  auto sum = ReduceOp::create(builder, loc, type, Reduction::add, products, ArrayRef<int64_t>{2}, /*product=*/true);
  product.replaceAllUsesWith(sum.getResult());
  product.erase();
}

/// A product of so few terms, and so few rows or columns, that it fuses; or one whose sums are so long and so few that
/// it is read as fast as memory gives it, by threads that share out the sums' terms (`x.T @ y` of many points). A
/// library has a block for each part of the result, and the parts of the sums come last.
void expandFew(MatmulOp product) {
  OpBuilder builder(product);
  Location loc = product.getLoc();
  FirstCall first(product->getParentOfType<func::FuncOp>());
  Value left = product.getLhs(), right = product.getRhs(), terms = getExtent(builder, loc, left, 1);
  Value rows = getExtent(builder, loc, left, 0), columns = getExtent(builder, loc, right, 1);
  auto constant = [&](int64_t number) { return arith::ConstantIndexOp::create(builder, loc, number); };
  auto find = [&](Value extent) {
    IntegerAttr known = first.evaluate(extent);
    return known ? known.getInt() : 0;
  };
  auto isFew = [&](Value extent) { return find(extent) >= 1 && find(extent) <= fewTerms; };
  const Tuning &tuning = getTargetProperties(product).tuning;
  int64_t sums = find(rows) * find(columns), leastTerms = std::max(tuning.longSum, sums * tuning.termsPerSum);
  bool areFew = sums >= 1 && sums <= tuning.fewSums && std::max(find(rows), find(columns)) <= tuning.fewRowsOfSums;
  if (areFew && find(terms) >= leastTerms) {
    for (Value extent : {rows, columns})
      first.require(arith::CmpIPredicate::sle, extent, constant(llvm::PowerOf2Ceil(find(extent))));
    first.require(arith::CmpIPredicate::sge, terms, constant(leastTerms));
    return expand(product);
  }
  Value side = isFew(columns) ? columns : rows;
  if (!isFew(terms) || !isFew(side))
    return;
  for (Value extent : {terms, side})
    first.require(arith::CmpIPredicate::sle, extent, constant(fewTerms));
  expand(product);
}

struct ExpandProducts : impl::ExpandProductsBase<ExpandProducts> {
  void runOnOperation() override {
    if (getOperation()->hasAttr("np.thread"))
      return;
    isOnHost = getTargetProperties(getOperation()).hostSharesMemory;
    auto &origins = getAnalysis<ExtentOrigins>();
    SmallVector<scf::ForOp> loops;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      auto loop = dyn_cast<scf::ForOp>(op);
      if (!loop || !canExpandIn(loop))
        return WalkResult::advance();
      loops.push_back(loop);
      return WalkResult::skip();
    });
    for (scf::ForOp loop : loops)
      if (!expandIn(loop, origins))
        // Loops inside may know more: what is computed in each iteration of this one.
        loop.getBody()->walk([&](scf::ForOp inner) {
          if (canExpandIn(inner) && inner->getParentOfType<scf::ForOp>() == loop)
            expandIn(inner, origins);
        });
    if (isOnHost)
      return;
    SmallVector<MatmulOp> products;
    getOperation()->walk([&](MatmulOp product) {
      if (getRank(product.getType()) == 2)
        products.push_back(product);
    });
    for (MatmulOp product : products)
      expandFew(product);
  }

  bool isOnHost = true;

  /// On the host loops that carry something are left alone.
  bool canExpandIn(scf::ForOp loop) { return !loop.getNumResults() || !isOnHost; }

  /// Whether loops beside the product take parts of it, and nothing else does.
  static bool isTakenByLoopsInside(MatmulOp product) {
    auto isTaken = [&](Operation *user) {
      auto inner = user->getParentOfType<scf::ForOp>();
      return isa<ViewOp>(user) && inner && inner != product->getParentOfType<scf::ForOp>();
    };
    return !product->use_empty() && llvm::all_of(product->getUsers(), isTaken);
  }

  bool expandIn(scf::ForOp loop, ExtentOrigins &origins) {
    auto collect = [](scf::ForOp in) {
      SmallVector<MatmulOp> products;
      in.walk([&](MatmulOp product) {
        if (getRank(product.getType()) == 2)
          products.push_back(product);
      });
      return products;
    };
    SmallVector<MatmulOp> products = collect(loop);
    // A product of all iterations of a loop inside, which stands before that one, is not what the loop spends its time
    // on.
    bool areRaised = llvm::all_of(products, [&](MatmulOp product) {
      return product->getParentOfType<scf::ForOp>() == loop && isTakenByLoopsInside(product);
    });
    const Tuning &tuning = getTargetProperties(getOperation()).tuning;
    Value areSmall = areRaised ? Value() : Sizes(loop, origins).emitAreSmall(products, tuning);
    APInt known;
    if (!areSmall || (matchPattern(areSmall, m_ConstantInt(&known)) && known.isZero()))
      return false;
    if (!matchPattern(areSmall, m_ConstantInt(&known))) {
      OpBuilder builder(loop);
      auto versions =
          AlternativesOp::create(builder, loop.getLoc(), loop.getResultTypes(), "small products in a loop", areSmall);
      loop->replaceAllUsesWith(versions.getResults());
      versions.setGeneral(builder.clone(*loop));
      versions.setOffered(loop);
    }
    for (MatmulOp product : products)
      expand(product);
    return true;
  }
};
} // namespace
} // namespace npcc
