// npcc-stack-products: a product of matrices that a loop makes in each iteration, and that depends on nothing the loop
// computes, is one product of a stack of matrices before the loop, of which each iteration takes its own.
//
//   scf.for %i = %c0 to %n step %c1 {                            %p = np.matmul %x, %ws : tensor<?x?x?xf32>
//     %a = np.load (np.view %x offsets [%i, 0, 0] axes [1, 2])   scf.for %i = %c0 to %n step %c1 {
//     %y = np.matmul %a, %w                               ->       %y = np.view %p offsets [%i, 0, 0] axes [1, 2]
//     %z = np.matmul %carried, %u                                  %z = np.matmul %carried, %u
//     ...                                                          ...
//   }                                                            }
//
// So the steps of a recurrent network, of a filter or a scan over samples launch only what depends on the step before.
// An operand is a matrix of its own for each iteration, at positions that follow each other along an axis of an array,
// or the same in all of them. Small products are sums by now (npcc-expand-products). On a host a call costs little, and
// what it has just made is in the cache: there the loop stays as it is.
//
// The stack is made in blocks of iterations, which bound its memory; or at once, where that is few enough in the call
// that the code is compiled for. It reads nothing outside of the operands, whatever
// positions the iterations would have: those that are out of bounds end the program before their product is asked for.
#include "compiler/memory/FirstCall.h"
#include "compiler/np/LoopBlocks.h"
#include "compiler/np/Moving.h"
#include "compiler/np/Passes.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Values.h"

namespace npcc {
#define GEN_PASS_DEF_STACKPRODUCTS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
// Elements of the products of one block.
constexpr int64_t mostElements = int64_t(1) << 26;

struct Product {
  MatmulOp op;
  MovingPart parts[2];
};

class Stacker {
public:
  Stacker(scf::ForOp loop, FirstCall &first, bool general) : loop(loop), first(first), general(general) {}

  void stack() {
    if (!countsByOne(loop))
      return;
    for (auto op : loop.getBody()->getOps<MatmulOp>())
      find(op);
    if (products.empty())
      return;
    makeBlocks();
    for (Product &product : products)
      emit(product);
  }

private:
  void find(MatmulOp op) {
    if (getRank(op.getType()) != 2)
      return;
    auto left = getMovingPart(op.getLhs(), -1, loop, general), right = getMovingPart(op.getRhs(), -1, loop, general);
    auto isPlain = [](const std::optional<MovingPart> &part) {
      return part && (part->kind == MovingPart::Stack || part->kind == MovingPart::Fixed);
    };
    if (isPlain(left) && isPlain(right) && (left->kind == MovingPart::Stack || right->kind == MovingPart::Stack))
      products.push_back({op, {*left, *right}});
  }

  Value sub(Value a, Value b) { return builder.createOrFold<arith::SubIOp>(loc, a, b); }
  Value mul(Value a, Value b) { return builder.createOrFold<arith::MulIOp>(loc, a, b); }
  Value least(Value a, Value b) { return builder.createOrFold<arith::MinSIOp>(loc, a, b); }
  Value most(Value a, Value b) { return builder.createOrFold<arith::MaxSIOp>(loc, a, b); }
  Value constant(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }

  /// What a number is in the first iteration of the block, or of the loop while there are no blocks yet.
  Value emitBefore(Value value) {
    Positions at{loop, {}};
    at.known.map(loop.getInductionVar(), begin ? begin : loop.getLowerBound());
    return emitAt(value, at, &builder);
  }

  void makeBlocks() {
    builder.setInsertionPoint(loop);
    zero = constant(0);
    one = constant(1);
    Value count = most(sub(loop.getUpperBound(), loop.getLowerBound()), one), length = count;
    for (Product &product : products) {
      Value elements = mul(emitBefore(product.parts[0].part.extents[0]), emitBefore(product.parts[1].part.extents[1]));
      Value fits = arith::DivSIOp::create(builder, loc, constant(mostElements), most(elements, one));
      length = least(length, most(fits, one));
    }
    IntegerAttr knownCount = first.evaluate(count), knownLength = first.evaluate(length);
    if (knownCount && knownLength && knownCount.getInt() == knownLength.getInt()) {
      first.require(arith::CmpIPredicate::sle, count, length);
      begin = loop.getLowerBound();
      end = loop.getUpperBound();
      return;
    }
    LoopBlock block = splitIntoBlocks(loop, length, builder);
    begin = block.begin;
    end = block.end;
  }

  /// Brings what a stack is read from to the block, and returns how many of its matrices the block has.
  Value emitPart(MovingPart &moving) {
    Part &part = moving.part;
    for (SmallVector<Value> *numbers : {&part.offsets, &part.extents, &part.steps})
      for (Value &number : *numbers)
        number = emitBefore(number);
    Value count = most(sub(end, begin), zero);
    if (moving.kind == MovingPart::Fixed)
      return count;
    return least(emitInside(builder, loc, moving, part.offsets[moving.rootAxis]), count);
  }

  Value emitStack(const MovingPart &moving, Value count) {
    Part part = moving.part;
    bool isStack = moving.kind == MovingPart::Stack;
    part.axes.insert(part.axes.begin(), isStack ? moving.rootAxis : -1);
    part.extents.insert(part.extents.begin(), count);
    part.steps.insert(part.steps.begin(), isStack ? constant(moving.factor) : one);
    return emitValue(builder, loc, part);
  }

  void emit(Product &product) {
    builder.setInsertionPoint(loop);
    Value rows = product.parts[0].part.extents[0], columns = product.parts[1].part.extents[1]; // as the loop has them
    Value count = emitPart(product.parts[0]);
    count = least(count, emitPart(product.parts[1]));
    // Of two extents that a check in the loop finds equal: what is inside of both.
    Value &left = product.parts[0].part.extents[1], &right = product.parts[1].part.extents[0];
    left = right = left == right ? left : least(left, right);
    Value stacks[] = {emitStack(product.parts[0], count), emitStack(product.parts[1], count)};
    ArrayRef<int64_t> leftShape = getShape(stacks[0].getType()), rightShape = getShape(stacks[1].getType());
    auto resultType = cast<RankedTensorType>(product.op.getType());
    auto type = RankedTensorType::get({leftShape[0], leftShape[1], rightShape[2]}, resultType.getElementType());
    auto all = MatmulOp::create(builder, loc, type, stacks[0], stacks[1]);
    builder.setInsertionPoint(product.op);
    SmallVector<Value> offsets{sub(loop.getInductionVar(), begin), zero, zero};
    Value mine = ViewOp::create(builder, loc, resultType, all.getResult(), offsets, ArrayRef<int64_t>{1, 2},
                                ValueRange{rows, columns}, ValueRange{one, one});
    product.op.replaceAllUsesWith(mine);
    product.op.erase();
  }

  scf::ForOp loop;
  FirstCall &first;
  bool general;
  Location loc = loop.getLoc();
  OpBuilder builder{loop.getContext()};
  std::vector<Product> products;
  Value begin, end, zero, one; // of the block's iterations
};

struct StackProducts : impl::StackProductsBase<StackProducts> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function->hasAttr("np.thread") || getTargetProperties(function).hostSharesMemory)
      return;
    bool general = function->hasAttr("np.general");
    for (scf::ForOp loop : getLoops(function)) {
      FirstCall first(function); // anew, as the one before erased operations
      Stacker(loop, first, general).stack();
    }
  }
};
} // namespace
} // namespace npcc
