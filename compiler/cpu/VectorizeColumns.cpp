// npcc-vectorize-columns: a kernel with a few columns (5 to 32), whose reductions of a few terms run down these, goes
// over its other axes and computes all columns as whole vectors.
//
//   np.kernel columns (%b, %i, %j) = (%n, %m, %c8) {             np.kernel map (%b, %i) = (%n, %m) {
//     %s = scf.parallel (%k) = (0) to (%c6) init (%zero) {         %s = scf.for %k = 0 to 6 iter_args(%zeros) {
//       %x = memref.load %a[%b, %i, %k]                              %x = memref.load %a[%b, %i, %k]
//       %y = memref.load %c[%b, %k, %j]                      ->      %y = vector.load %c[%b, %k, 0] : vector<8xf64>
//       scf.reduce(%x * %y) {addf}                                   scf.yield %s + broadcast(%x) * %y
//     }                                                            }
//     memref.store %s, %out[%b, %i, %j]                            vector.store %s, %out[%b, %i, 0]
//   }                                                            }
//
// Rows that read the same vectors (%c above) are computed together, as many as leave registers: each vector is loaded
// once for them, and their sums do not wait for each other.
//
// Products of stacks of small matrices are such kernels, and sums over a short axis of a stack. The blocks of 512
// columns that npcc-column-reductions makes would hold 8 of them, with arrays on the stack between. 10 columns are
// a vector of 8 and one of 2. The terms are added in their order, of which there are so few that a tree of sums gains
// no digits.
//
// How many columns and terms there are is taken from the call that the code is compiled for, and asked in others.
#include "compiler/cpu/CpuPasses.h"
#include "compiler/cpu/Loops.h"
#include "compiler/cpu/VectorBody.h"
#include "compiler/kernels/Combiner.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace npcc {
#define GEN_PASS_DEF_VECTORIZECOLUMNS
#include "compiler/cpu/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
constexpr int64_t mostTerms = 32;
constexpr int64_t mostRows = 8; // that are computed together

class ColumnVectorizer {
public:
  ColumnVectorizer(KernelOp kernel, FirstCall &first, unsigned vectorBytes)
      : kernel(kernel), first(first), body(kernel.getInductionVars().back()), vectorBytes(vectorBytes) {}

  bool canVectorize() {
    columns = first.evaluate(kernel.getExtents().back());
    if (kernel.getKind() != KernelKind::columns || kernel.getNumLoops() < 2 || !columns ||
        columns.getInt() < VectorBody::leastElements || columns.getInt() > VectorBody::mostElements ||
        !hasManyPositions(kernel.getExtents().drop_back(), first) || callsMathFunctions(kernel.getBody()))
      return false;
    for (Operation &op : kernel.getBody()->without_terminator()) {
      auto loop = dyn_cast<scf::ParallelOp>(op);
      if (++operations > VectorBody::mostOperations || !(loop ? takeLoop(loop) : body.take(&op)))
        return false;
    }
    return !terms.empty();
  }

  void vectorize() {
    first.requireEqual(kernel.getExtents().back(), columns);
    for (auto [loop, count] : terms)
      first.requireEqual(loop.getUpperBound()[0], count);
    OpBuilder builder(kernel);
    Location loc = kernel.getLoc();
    SmallVector<Value> extents(kernel.getExtents().drop_back());
    int64_t rows = countRows();
    if (rows > 1) {
      IntegerAttr all = first.evaluate(extents.back());
      first.requireEqual(extents.back(), all);
      extents.back() = arith::ConstantIndexOp::create(builder, loc, all.getInt() / rows);
    }
    auto shorter = KernelOp::create(builder, loc, extents);
    shorter.setKind(KernelKind::map);
    builder.setInsertionPoint(shorter.getBody()->getTerminator());
    SmallVector<IRMapping> places(rows); // of each row
    for (auto [row, map] : llvm::enumerate(places)) {
      map.map(kernel.getInductionVars().drop_back(), shorter.getInductionVars());
      if (rows == 1)
        break;
      auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value).getResult(); };
      Value before = arith::MulIOp::create(builder, loc, shorter.getInductionVars().back(), constant(rows));
      map.map(kernel.getInductionVars().drop_back().back(),
              arith::AddIOp::create(builder, loc, before, constant(row)).getResult());
    }
    for (auto [at, width] : getVectorParts(columns.getInt())) {
      SmallVector<IRMapping> maps(places);
      Value position = arith::ConstantIndexOp::create(builder, loc, at);
      for (IRMapping &map : maps)
        map.map(kernel.getInductionVars().back(), position);
      for (Operation &op : kernel.getBody()->without_terminator())
        if (auto loop = dyn_cast<scf::ParallelOp>(op))
          emitLoop(builder, loop, maps, width);
        else
          for (IRMapping &map : maps)
            body.emit(builder, &op, map, width);
    }
    kernel.erase();
  }

private:
  bool takeLoop(scf::ParallelOp loop) {
    IntegerAttr count = isFromZero(loop) ? first.evaluate(loop.getUpperBound()[0]) : nullptr;
    if (!count || count.getInt() > mostTerms || loop.getNumResults() == 0 ||
        !kernel.isDefinedOutsideOfLoop(loop.getUpperBound()[0]))
      return false;
    for (Operation &op : loop.getBody()->without_terminator())
      if (++operations > VectorBody::mostOperations || isa<memref::StoreOp>(op) || !body.take(&op))
        return false;
    terms.push_back({loop, count});
    body.setVarying(loop.getResults());
    // No half floats: they are combined as wider numbers.
    return llvm::all_of(llvm::zip_equal(getCombiners(loop), loop.getResultTypes()), [](auto each) {
      auto [combiner, type] = each;
      return combiner.getType() == type && VectorBody::isElement(type);
    });
  }

  /// How many rows are computed together: a divisor of their number, if they share what they read of the columns.
  int64_t countRows() {
    Value row = kernel.getInductionVars().drop_back().back();
    bool doShare = false;
    for (auto [loop, count] : terms)
      for (auto load : loop.getBody()->getOps<memref::LoadOp>())
        doShare |= body.varies(load.getResult()) && !llvm::is_contained(load.getIndices(), row);
    IntegerAttr all = doShare ? first.evaluate(kernel.getExtents().drop_back().back()) : nullptr;
    // Half of the registers hold sums: of 32 with AVX-512, of 16 else.
    int64_t rows = 1, sums = (vectorBytes == 64 ? 16 : 8) * vectorBytes / getWidestBytes(kernel.getBody());
    for (int64_t some = 2; all && some <= mostRows && some * columns.getInt() <= sums; ++some)
      if (all.getInt() > 0 && all.getInt() % some == 0)
        rows = some;
    return rows;
  }

  /// One term after the other, of all columns of a vector, for each row.
  void emitLoop(OpBuilder &builder, scf::ParallelOp loop, MutableArrayRef<IRMapping> maps, int64_t width) {
    Location loc = loop.getLoc();
    auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value).getResult(); };
    int64_t count = first.evaluate(loop.getUpperBound()[0]).getInt();
    SmallVector<Value> start;
    for (IRMapping &map : maps)
      for (Value init : loop.getInitVals())
        start.push_back(body.emitWhole(builder, init, map, width));
    auto serial = scf::ForOp::create(builder, loc, constant(0), constant(count), constant(1), start);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(serial.getBody());
    SmallVector<Value> next;
    unsigned each = loop.getNumResults();
    for (auto [row, map] : llvm::enumerate(maps)) {
      IRMapping inside = map;
      inside.map(loop.getInductionVars()[0], serial.getInductionVar());
      for (Operation &op : loop.getBody()->without_terminator())
        body.emit(builder, &op, inside, width);
      for (auto [combiner, total, value] :
           llvm::zip_equal(getCombiners(loop), serial.getRegionIterArgs().slice(row * each, each),
                           loop.getBody()->getTerminator()->getOperands()))
        next.push_back(combiner.combine(builder, loc, total, body.emitWhole(builder, value, inside, width)));
      map.map(loop.getResults(), serial.getResults().slice(row * each, each));
    }
    if (loop->hasAttr("np.product"))
      for (Value sum : next)
        contract(sum);
    scf::YieldOp::create(builder, loc, next);
  }

  /// What a program writes as products may be added up as a library does it: a product and a sum with one rounding.
  static void contract(Value sum) {
    auto add = sum.getDefiningOp<arith::AddFOp>();
    auto multiply = add ? add.getRhs().getDefiningOp<arith::MulFOp>() : arith::MulFOp();
    if (!multiply)
      return;
    add.setFastmath(add.getFastmath() | arith::FastMathFlags::contract);
    multiply.setFastmath(multiply.getFastmath() | arith::FastMathFlags::contract);
  }

  KernelOp kernel;
  FirstCall &first;
  VectorBody body;
  unsigned vectorBytes;
  IntegerAttr columns;
  int64_t operations = 0;
  SmallVector<std::pair<scf::ParallelOp, IntegerAttr>> terms; // the reductions, and how many terms they have
};

struct VectorizeColumns : impl::VectorizeColumnsBase<VectorizeColumns> {
  using VectorizeColumnsBase::VectorizeColumnsBase;

  void runOnOperation() override {
    visitKernels(getOperation(), [&](KernelOp kernel, FirstCall &first) {
      if (ColumnVectorizer columns(kernel, first, vectorBytes); columns.canVectorize())
        columns.vectorize();
    });
  }
};
} // namespace
} // namespace npcc
