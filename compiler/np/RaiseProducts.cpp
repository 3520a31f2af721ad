// npcc-raise-products: products that a loop makes of one row after the other become one product of all rows, made
// before the loop, in which each iteration takes its row of the result.
//
//   scf.for %i = %c0 to %n step %c1 {                            %p = np.matmul %a, %b
//     %x = np.load (np.view %a offsets [%i, 0] ...)              scf.for %i = %c0 to %n step %c1 {
//     %y = np.matmul %x, %b                               ->       %y = np.view %p offsets [%i, 0] ...
//     ...                                                          ...
//   }                                                            }
//
// So a loop of products of a matrix with a vector is a product of matrices, which reads the matrix once and not in
// every iteration; and a nest of two loops around sums of products of two vectors is one as well. The other operand is
// the same in all iterations, or its rows or columns are those from a position on that moves with the loop (or up to
// one): then the product is made in blocks of iterations, each with what its first (or last) iteration takes. Blocks
// also bound the memory that the products take.
//
// Nothing in the loop may change an operand. The product reads nothing outside of the operands, whatever positions the
// iterations would have: those that are out of bounds end the program before their rows are asked for.
#include "compiler/np/LoopBlocks.h"
#include "compiler/np/Moving.h"
#include "compiler/np/Passes.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Ufunc.h"
#include "dialects/Np/Values.h"
#include "mlir/IR/Matchers.h"

namespace npcc {
#define GEN_PASS_DEF_RAISEPRODUCTS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
/// A product of an iteration: `matmul`, or the sum of products of two vectors.
struct Product {
  Operation *op;
  scf::ForOp loops[2]; // what moves the left and the right operand
  std::optional<MovingPart> parts[2];
};

class Raiser {
public:
  Raiser(scf::ForOp loop, bool general) : loop(loop), general(general) {}

  bool raise() {
    if (!countsByOne(loop))
      return false;
    for (Operation &op : loop.getBody()->without_terminator()) {
      if (auto product = dyn_cast<MatmulOp>(op); product && getRank(product.getType()) == 2)
        find(product);
      if (auto sum = dyn_cast<ReduceOp>(op))
        find(sum);
      // A nest of two loops around one sum for each pair of positions.
      if (auto inner = dyn_cast<scf::ForOp>(op))
        for (ReduceOp sum : inner.getBody()->getOps<ReduceOp>())
          find(sum, inner);
    }
    if (products.empty())
      return false;
    makeBlocks();
    for (Product &product : products)
      emit(product);
    return true;
  }

private:
  void find(MatmulOp op) {
    Product product{
        op, {loop, loop}, {getMovingPart(op.getLhs(), 0, loop, general), getMovingPart(op.getRhs(), 1, loop, general)}};
    if (!product.parts[0] || !product.parts[1])
      return;
    if ((product.parts[0]->kind == MovingPart::Stack) != (product.parts[1]->kind == MovingPart::Stack))
      products.push_back(std::move(product));
  }

  /// The two factors that `op` sums the products of.
  static std::optional<std::pair<Value, Value>> getFactors(ReduceOp op) {
    auto multiply = op.getInput().getDefiningOp<UfuncOp>();
    if (!op.getProduct() || !multiply || multiply.getName() != Ufunc::multiply ||
        multiply->getBlock() != op->getBlock())
      return std::nullopt;
    return std::pair(multiply.getInputs()[0], multiply.getInputs()[1]);
  }

  /// The vector that is the same in all rows of a matrix.
  static Value getRepeated(Value matrix) {
    Operation *op = matrix.getDefiningOp();
    if (!isa_and_nonnull<BroadcastOp, ViewOp>(op) || getRank(op->getOperand(0).getType()) != 1)
      return Value();
    auto view = dyn_cast<ViewOp>(op);
    bool isWhole = !view || (view.getAxes() == ArrayRef<int64_t>{-1, 0} &&
                             matchPattern(view.getOffsets()[0], m_Zero()) && matchPattern(view.getSteps()[1], m_One()));
    return isWhole ? op->getOperand(0) : Value();
  }

  /// A matrix times a vector.
  void find(ReduceOp op) {
    auto factors = getFactors(op);
    if (!factors || getRank(op.getInput().getType()) != 2 || op.getAxes() != ArrayRef<int64_t>{1})
      return;
    for (auto [matrix, repeated] : {*factors, std::pair(factors->second, factors->first)}) {
      Value vector = getRepeated(repeated);
      if (!vector)
        continue;
      Product product{
          op, {loop, loop}, {getMovingPart(matrix, 0, loop, general), getMovingPart(vector, -1, loop, general)}};
      if (product.parts[0] && product.parts[1] && product.parts[0]->kind != MovingPart::Stack &&
          product.parts[1]->kind == MovingPart::Stack) {
        products.push_back(std::move(product));
        return;
      }
    }
  }

  /// One sum for each pair of positions: a factor moves with the outer loop only, the other one with the inner loop
  /// only.
  void find(ReduceOp op, scf::ForOp inner) {
    auto factors = getFactors(op);
    if (!factors || getRank(op.getInput().getType()) != 1 || !countsByOne(inner) || !getSpan(inner, nullptr))
      return;
    for (auto [left, right] : {*factors, std::pair(factors->second, factors->first)}) {
      // In neither loop anything may change them.
      if (!getPart(left, loop, general) || !getPart(right, loop, general))
        continue;
      Product product{
          op, {loop, inner}, {getMovingPart(left, -1, loop, general), getMovingPart(right, -1, inner, general)}};
      if (isStackOf(product.parts[0], inner) && isStackOf(product.parts[1], loop)) {
        products.push_back(std::move(product));
        return;
      }
    }
  }

  /// Whether a part has a position of its own in each iteration of its loop, and the same ones in all iterations of the
  /// other loop.
  bool isStackOf(const std::optional<MovingPart> &moving, scf::ForOp other) {
    if (!moving || moving->kind != MovingPart::Stack)
      return false;
    auto isSame = [&](Value value) { return !movesWith(value, other, loop); };
    return llvm::all_of(moving->part.offsets, isSame) && llvm::all_of(moving->part.extents, isSame) &&
           llvm::all_of(moving->part.steps, isSame);
  }

  /// The positions of a loop inside, over all iterations of a block: from the first to behind the last.
  std::optional<std::pair<Value, Value>> getSpan(scf::ForOp inner, OpBuilder *builder) {
    Value first = builder ? begin : loop.getInductionVar(), last = first;
    if (builder)
      last = sub(end, one);
    auto bound = [&](Value value, bool most) -> Value {
      Trend trend = getTrend(value, loop);
      Positions at{loop, {}};
      at.known.map(loop.getInductionVar(), (trend == Trend::Up) == most ? last : first);
      return trend == Trend::Unknown ? Value() : emitAt(value, at, builder);
    };
    Value from = bound(inner.getLowerBound(), false), to = bound(inner.getUpperBound(), true);
    return from && to ? std::optional(std::pair(from, to)) : std::nullopt;
  }

  Value sub(Value a, Value b) { return builder.createOrFold<arith::SubIOp>(loc, a, b); }
  Value least(Value a, Value b) { return builder.createOrFold<arith::MinSIOp>(loc, a, b); }
  Value most(Value a, Value b) { return builder.createOrFold<arith::MaxSIOp>(loc, a, b); }
  Value constant(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }

  /// A loop over blocks of iterations around the loop.
  void makeBlocks() {
    builder.setInsertionPoint(loop);
    zero = constant(0);
    one = constant(1);
    const Tuning &tuning = getTargetProperties(loop).tuning;
    Value from = loop.getLowerBound(), to = loop.getUpperBound();
    Value count = most(sub(to, from), one), length = count;
    for (Product &product : products) {
      bool isPart = false;
      // The elements of a row of the product are no more than the whole root has along that axis.
      Value width = one;
      for (int side : {0, 1}) {
        const MovingPart &moving = *product.parts[side];
        isPart |= moving.kind == MovingPart::Prefix || moving.kind == MovingPart::Suffix;
        bool isRow = moving.kind == MovingPart::Stack && product.loops[side] == loop;
        int64_t axis = moving.kind == MovingPart::Stack ? moving.rootAxis : isRow ? -1 : moving.part.axes[moving.outer];
        if (!isRow && axis >= 0)
          width = getExtent(builder, loc, moving.part.root, axis);
      }
      Value fits = arith::DivSIOp::create(builder, loc, constant(tuning.productElements), most(width, one));
      length = least(length, most(fits, constant(tuning.productIterations)));
      if (isPart) {
        Value eighth = arith::CeilDivSIOp::create(builder, loc, count, constant(8));
        length = least(length, most(eighth, constant(tuning.productIterationsOfParts)));
      }
    }
    LoopBlock block = splitIntoBlocks(loop, length, builder);
    begin = block.begin;
    end = block.end;
  }

  /// An operand for all iterations, and where along its axis an iteration finds its own.
  struct Whole {
    Value value;
    Value start;
  };

  /// What a number is in the first iteration of the block, and where `inner` is at `position`.
  Value emitBefore(Value value, scf::ForOp inner, Value position) {
    Positions at{loop, {}};
    at.known.map(loop.getInductionVar(), begin);
    at.known.map(inner.getInductionVar(), position);
    return emitAt(value, at, &builder);
  }

  /// `inner`: the extent of the axis that is summed over.
  Whole emitWhole(const Product &product, int side, Value inner) {
    const MovingPart &moving = *product.parts[side];
    scf::ForOp mine = product.loops[side];
    std::pair<Value, Value> span(begin, end);
    if (mine != loop)
      span = *getSpan(mine, &builder);
    auto [first, last] = span;
    Part part = moving.part;
    auto emit = [&](Value &value) { value = emitBefore(value, mine, first); };
    llvm::for_each(part.offsets, emit);
    llvm::for_each(part.steps, emit);
    for (auto [axis, extent] : llvm::enumerate(part.extents))
      if (int64_t(axis) != moving.outer)
        emit(extent);
    Value room = moving.rootAxis >= 0 ? getExtent(builder, loc, part.root, moving.rootAxis) : Value();
    Value start = zero;
    int64_t outer = side, sum = 1 - side;
    if (moving.outer < 0) { // a vector
      part.axes.insert(part.axes.begin() + outer, -1);
      part.steps.insert(part.steps.begin() + outer, one);
      part.extents.insert(part.extents.begin() + outer, one);
    }
    if (moving.kind == MovingPart::Stack) {
      Value &offset = part.offsets[moving.rootAxis];
      Value rows = emitInside(builder, loc, moving, offset), count = most(sub(last, first), zero);
      part.axes[outer] = moving.rootAxis;
      part.extents[outer] = least(rows, count);
      part.steps[outer] = constant(moving.factor);
      start = first;
    } else if (moving.kind == MovingPart::Suffix) {
      Value &offset = part.offsets[moving.rootAxis];
      offset = start = least(most(offset, zero), room);
      Value stop = least(emitBefore(moving.end, mine, first), room);
      part.extents[outer] = most(sub(stop, offset), zero);
    } else if (moving.kind == MovingPart::Prefix) {
      Value &offset = part.offsets[moving.rootAxis];
      offset = start = least(most(offset, zero), room);
      Value extent = emitBefore(part.extents[outer], mine, sub(end, one));
      part.extents[outer] = least(most(extent, zero), sub(room, offset));
    } else {
      emit(part.extents[outer]);
      start = moving.part.axes[moving.outer] < 0 ? zero : part.offsets[moving.part.axes[moving.outer]];
    }
    part.extents[sum] = inner;
    return {emitValue(builder, loc, part), start};
  }

  void emit(Product &product) {
    builder.setInsertionPoint(loop);
    // Of two extents that a check in the loop finds equal: what is inside of both.
    Value inner;
    for (int side : {0, 1}) {
      const MovingPart &moving = *product.parts[side];
      Value extent = moving.part.extents[moving.outer < 0 ? 0 : 1 - side];
      Value mine = emitBefore(extent, product.loops[side], begin);
      inner = inner && inner != mine ? least(inner, mine) : mine;
    }
    Whole wholes[] = {emitWhole(product, 0, inner), emitWhole(product, 1, inner)};
    auto type = RankedTensorType::get({getShape(wholes[0].value.getType())[0], getShape(wholes[1].value.getType())[1]},
                                      getElementType(wholes[0].value.getType()));
    auto all = MatmulOp::create(builder, loc, type, wholes[0].value, wholes[1].value);
    // What the iteration takes of it.
    builder.setInsertionPoint(product.op);
    auto resultType = cast<RankedTensorType>(product.op->getResult(0).getType());
    SmallVector<Value> offsets, extents, steps;
    SmallVector<int64_t> axes;
    for (int side : {0, 1}) {
      const MovingPart &moving = *product.parts[side];
      bool isStack = moving.kind == MovingPart::Stack;
      Value at = isStack                              ? product.loops[side].getInductionVar()
                 : moving.part.axes[moving.outer] < 0 ? zero
                                                      : moving.part.offsets[moving.part.axes[moving.outer]];
      offsets.push_back(moving.kind == MovingPart::Fixed ? zero : sub(at, wholes[side].start));
      if (side >= resultType.getRank())
        continue;
      axes.push_back(isStack ? -1 : side);
      extents.push_back(moving.part.extents[moving.outer]);
      steps.push_back(one);
    }
    Value row = ViewOp::create(builder, loc, resultType, all.getResult(), offsets, axes, extents, steps);
    product.op->replaceAllUsesWith(ValueRange{row});
    product.op->erase();
  }

  scf::ForOp loop;
  bool general;
  Location loc = loop.getLoc();
  OpBuilder builder{loop.getContext()};
  std::vector<Product> products;
  Value begin, end, zero, one; // of the block's iterations
};

struct RaiseProducts : impl::RaiseProductsBase<RaiseProducts> {
  void runOnOperation() override {
    if (getOperation()->hasAttr("np.thread"))
      return;
    bool general = getOperation()->hasAttr("np.general");
    for (scf::ForOp loop : getLoops(getOperation()))
      Raiser(loop, general).raise();
  }
};
} // namespace
} // namespace npcc
