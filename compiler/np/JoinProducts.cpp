// npcc-join-products: products that a loop makes of one matrix with several others, which are the same in all
// iterations, are one product with those side by side (or below one another), which are put there before the loop.
//
//   scf.for ... {                                        %ws = np.empty(%k, %n0 + %n1)
//     %y = np.matmul %x, %w0                             np.store %w0, (np.view %ws offsets [0, 0])
//     %z = np.matmul %x, %w1                       ->    np.store %w1, (np.view %ws offsets [0, %n0])
//     ...                                                scf.for ... {
//   }                                                      %p = np.matmul %x, (np.load %ws)
//                                                          %y = np.view %p offsets [0, 0]
//                                                          %z = np.view %p offsets [0, %n0]
//                                                          ...
//                                                        }
//
// The gates of a recurrent network are such products. On a device one product takes about as long as each of them,
// while they are too small to fill it. Large matrices are worth a call each, and no copy; a host calls at once, and
// stays as it is.
#include "compiler/memory/Extents.h"
#include "compiler/memory/FirstCall.h"
#include "compiler/np/LoopBlocks.h"
#include "compiler/np/Moving.h"
#include "compiler/np/Passes.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Values.h"
#include "llvm/ADT/MapVector.h"

namespace npcc {
#define GEN_PASS_DEF_JOINPRODUCTS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
// Elements of one of the matrices side by side that are too many to copy, if the call that the code is compiled for
// says how many there are.
constexpr int64_t mostElements = int64_t(1) << 22;

struct Product {
  MatmulOp op;
  MovingPart matrix; // the operand that is the same in all iterations
};

class Joiner {
public:
  Joiner(scf::ForOp loop, FirstCall &first, bool general) : loop(loop), first(first), general(general) {}

  void join() {
    for (int side : {0, 1}) { // the operand that the products share
      llvm::MapVector<Value, SmallVector<MatmulOp>> groups;
      for (auto op : loop.getBody()->getOps<MatmulOp>())
        if (getRank(op.getType()) == 2)
          groups[op->getOperand(side)].push_back(op);
      for (auto &[shared, ops] : groups)
        if (ops.size() > 1)
          join(shared, ops, side);
    }
  }

private:
  void join(Value shared, ArrayRef<MatmulOp> ops, int side) {
    std::vector<Product> products;
    for (MatmulOp op : ops) {
      auto matrix = getMovingPart(op->getOperand(1 - side), -1, loop, general);
      if (!matrix || matrix->kind != MovingPart::Fixed || isLarge(matrix->part))
        continue;
      if (products.empty() || getElementType(op.getType()) == getElementType(products.front().op.getType()))
        products.push_back({op, *matrix});
    }
    if (products.size() < 2)
      return;
    int64_t axis = 1 - side; // along which the matrices, and their products, lie side by side
    SmallVector<Value> starts;
    Value all = emitMatrices(products, axis, starts);
    // What they share stands before the first of them.
    builder.setInsertionPoint(products.front().op);
    Value operands[] = {shared, LoadOp::create(builder, loc, all)};
    if (side == 1)
      std::swap(operands[0], operands[1]);
    SmallVector<int64_t> shape{getShape(operands[0].getType())[0], getShape(operands[1].getType())[1]};
    Type element = getElementType(products.front().op.getType());
    auto joined = MatmulOp::create(builder, loc, RankedTensorType::get(shape, element), operands[0], operands[1]);
    for (auto [product, start] : llvm::zip_equal(products, starts)) {
      builder.setInsertionPoint(product.op);
      Value extents[2], offsets[2] = {zero, zero};
      extents[axis] = product.matrix.part.extents[axis];
      extents[1 - axis] = getExtent(builder, loc, shared, side);
      offsets[axis] = start;
      Value mine = ViewOp::create(builder, loc, product.op.getType(), joined.getResult(), offsets,
                                  ArrayRef<int64_t>{0, 1}, extents, ValueRange{one, one});
      product.op.replaceAllUsesWith(mine);
      product.op.erase();
    }
  }

  bool isLarge(const Part &matrix) {
    IntegerAttr rows = first.evaluate(matrix.extents[0]), columns = first.evaluate(matrix.extents[1]);
    return rows && columns && rows.getInt() * columns.getInt() > mostElements;
  }

  /// The array of all matrices, before the loop; `starts`: where along `axis` each of them begins.
  Value emitMatrices(ArrayRef<Product> products, int64_t axis, SmallVector<Value> &starts) {
    builder.setInsertionPoint(loop);
    zero = arith::ConstantIndexOp::create(builder, loc, 0);
    one = arith::ConstantIndexOp::create(builder, loc, 1);
    Positions before{loop, {}};
    before.known.map(loop.getInductionVar(), loop.getLowerBound());
    std::vector<Part> parts;
    Value terms, end = zero;
    for (const Product &product : products) {
      Part part = product.matrix.part;
      for (SmallVector<Value> *numbers : {&part.offsets, &part.extents, &part.steps})
        for (Value &number : *numbers)
          number = emitAt(number, before, &builder);
      // Of extents that checks in the loop find equal: what is inside of all.
      Value mine = part.extents[1 - axis];
      terms = !terms || terms == mine ? mine : builder.createOrFold<arith::MinSIOp>(loc, terms, mine);
      starts.push_back(end);
      end = builder.createOrFold<arith::AddIOp>(loc, end, part.extents[axis]);
      parts.push_back(part);
    }
    auto arrayType = [&](bool isContiguous) {
      SmallVector<int64_t> shape(2, ShapedType::kDynamic);
      return ArrayType::get(builder.getContext(), shape, getElementType(parts.front().root.getType()), isContiguous);
    };
    Value extents[2];
    extents[axis] = end;
    extents[1 - axis] = terms;
    Value all = EmptyOp::create(builder, loc, arrayType(true), extents);
    for (auto [part, start] : llvm::zip_equal(parts, starts)) {
      part.extents[1 - axis] = terms;
      Value offsets[2] = {zero, zero};
      offsets[axis] = start;
      Value place = ViewOp::create(builder, loc, arrayType(false), all, offsets, ArrayRef<int64_t>{0, 1}, part.extents,
                                   ValueRange{one, one});
      StoreOp::create(builder, loc, emitValue(builder, loc, part), place);
    }
    return all;
  }

  scf::ForOp loop;
  FirstCall &first;
  bool general;
  Location loc = loop.getLoc();
  OpBuilder builder{loop.getContext()};
  Value zero, one;
};

struct JoinProducts : impl::JoinProductsBase<JoinProducts> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function->hasAttr("np.thread") || getTargetProperties(function).hostSharesMemory)
      return;
    bool general = function->hasAttr("np.general");
    for (scf::ForOp loop : getLoops(function)) {
      FirstCall first(function); // anew, as the one before erased operations
      Joiner(loop, first, general).join();
    }
  }
};
} // namespace
} // namespace npcc
