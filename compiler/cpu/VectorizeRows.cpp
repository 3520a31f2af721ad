// npcc-vectorize-rows: a row of a few elements (5 to 32) is computed as whole vectors, not by a loop.
//
//   np.kernel rows (%i) = (%n) {                                 np.kernel rows (%i) = (%n) {
//     %s = scf.parallel (%k) = (0) to (%m) init (%zero) {          %a = vector.load %x[%i, 0] : vector<8xf64>
//       %a = memref.load %x[%i, %k]                          ->    %b = vector.load %x[%i, 8] : vector<2xf64>
//       scf.reduce(%a) {addf}                                      // 10 elements: 8 are added to 4, to 2, and to %b's
//       2
//     }                                                            // then to 1
//     memref.store %s, %y[%i]                                      memref.store %s, %y[%i]
//   }                                                            }
//
// A loop of so few iterations is one masked vector at best, with the counting and the tree of partial sums of a long
// one around it. Here a row has as many vectors as its length has bits: 10 = 8 + 2, 13 = 8 + 4 + 1. Sums are added by
// halves, in an order that the length says, so that equal rows give equal sums.
//
// How many elements a row has is taken from the call that the code is compiled for, and asked in others. Loops that
// call functions of the math library stay: LLVM has vector forms of these for loops only.
#include "compiler/cpu/CpuPasses.h"
#include "compiler/cpu/Loops.h"
#include "compiler/cpu/VectorBody.h"
#include "compiler/kernels/Combiner.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace npcc {
#define GEN_PASS_DEF_VECTORIZEROWS
#include "compiler/cpu/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
class RowVectorizer {
public:
  RowVectorizer(scf::ParallelOp loop, FirstCall &first)
      : loop(loop), first(first), body(loop.getInductionVars()[0]), extent(loop.getUpperBound()[0]) {}

  bool canVectorize() {
    count = first.evaluate(extent);
    if (!count || count.getInt() < VectorBody::leastElements || count.getInt() > VectorBody::mostElements ||
        isShort(loop) || callsMathFunctions(loop.getBody()))
      return false;
    int64_t operations = 0;
    for (Operation &op : loop.getBody()->without_terminator())
      if (++operations > VectorBody::mostOperations || !body.take(&op))
        return false;
    // What is combined varies along the row, and no half floats: they are combined as wider numbers.
    SmallVector<Combiner> combiners = getCombiners(loop);
    return llvm::all_of(llvm::zip_equal(combiners, loop.getBody()->getTerminator()->getOperands()), [&](auto each) {
      auto [combiner, value] = each;
      return body.varies(value) && combiner.getType() == value.getType() && VectorBody::isElement(value.getType());
    });
  }

  void vectorize() {
    first.requireEqual(extent, count);
    OpBuilder builder(loop);
    Location loc = loop.getLoc();
    SmallVector<Combiner> combiners = getCombiners(loop);
    SmallVector<Value> totals; // of what is done, as vectors
    int64_t width = 0;         // of these
    auto halve = [&] {
      width /= 2;
      for (auto [combiner, total] : llvm::zip_equal(combiners, totals))
        total = combiner.combine(builder, loc, slice(builder, total, 0, width), slice(builder, total, width, width));
    };
    for (auto [at, wide] : getVectorParts(count.getInt())) {
      while (width > wide)
        halve();
      SmallVector<Value> part = compute(builder, at, wide);
      for (auto [combiner, total, more] : llvm::zip(combiners, totals, part))
        more = combiner.combine(builder, loc, total, more);
      totals = part;
      width = wide;
    }
    while (width > 1)
      halve();
    for (auto [combiner, total, start, result] :
         llvm::zip_equal(combiners, totals, loop.getInitVals(), loop.getResults())) {
      Value whole = vector::ExtractOp::create(builder, loc, total, ArrayRef<int64_t>{0});
      result.replaceAllUsesWith(combiner.combine(builder, loc, start, whole));
    }
    loop.erase();
  }

private:
  /// The body for the elements [at, at + width); what it combines.
  SmallVector<Value> compute(OpBuilder &builder, int64_t at, int64_t width) {
    IRMapping map;
    map.map(loop.getInductionVars()[0], arith::ConstantIndexOp::create(builder, loop.getLoc(), at).getResult());
    for (Operation &op : loop.getBody()->without_terminator())
      body.emit(builder, &op, map, width);
    SmallVector<Value> values;
    for (Value value : loop.getBody()->getTerminator()->getOperands())
      values.push_back(body.emitWhole(builder, value, map, width));
    return values;
  }

  static Value slice(OpBuilder &builder, Value vector, int64_t from, int64_t width) {
    SmallVector<int64_t> places = llvm::to_vector(llvm::seq(from, from + width));
    return vector::ShuffleOp::create(builder, vector.getLoc(), vector, vector, places);
  }

  scf::ParallelOp loop;
  FirstCall &first;
  VectorBody body;
  Value extent;
  IntegerAttr count;
};

struct VectorizeRows : impl::VectorizeRowsBase<VectorizeRows> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (!FirstCall::isKnown(function))
      return;
    SmallVector<scf::ParallelOp> loops;
    function.walk([&](KernelOp kernel) {
      for (auto loop : kernel.getBody()->getOps<scf::ParallelOp>())
        if (isFromZero(loop))
          loops.push_back(loop);
    });
    for (scf::ParallelOp loop : loops) {
      FirstCall first(function); // a new one: the last loop is gone
      RowVectorizer row(loop, first);
      if (hasManyPositions(loop->getParentOfType<KernelOp>().getExtents(), first) && row.canVectorize())
        row.vectorize();
    }
  }
};
} // namespace
} // namespace npcc
