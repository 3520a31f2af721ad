// npcc-split-scans: a block of threads is too little for a running reduction along a long line, and a thread for one
// down a column. Where there are few of them (known when the launch is made), parts of them are for threads side by
// side.
//
//   np.kernel scan (%i) = (1) {
//     np.fold any neutral %n init(-0.0) { %x[%k] } combine { arith.addf } each { memref.store %s, %y[%k] }
//   }
// becomes, where there are very many elements, a kernel of the whole grid, whose blocks hand on totals of their parts
// (compiler/gpu/emit/ScanChain.h):
//   np.kernel scan (%i) = (1) by grid { np.fold ... }
//
// Where %n is large, of columns, and where there is much to do for an element, parts are summed up side by side, then
// the parts' totals run, then each part runs from the total before it:
//   %totals = np.alloc(1, %parts)
//   np.kernel rows (%i, %c) = (1, %parts) {
//     memref.store (scf.parallel (%j) ... %x[%c * %length + %j] ...), %totals[%i, %c]
//   }
//   np.kernel (%i) = (1) { np.fold any neutral %parts ... %totals[%i, %c] = running total }
//   np.kernel (%i, %c) = (1, %parts) {
//     np.fold any %length init(%totals[%i, %c - 1]) ... %y[%c * %length + %j]
//   }
//   np.release %totals
//
// Parts of columns come before the columns in the kernels' extents, so that neighbours load neighbours still:
// (%c, %i) = (%parts, %columns).
#include "compiler/gpu/Gpu.h"
#include "compiler/gpu/emit/BodyEmitter.h"
#include "compiler/gpu/emit/ScanChain.h"
#include "compiler/kernels/Folds.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Choice.h"
#include "dialects/Np/Memory.h"
#include "dialects/Np/Ufunc.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
namespace npcc {
#define GEN_PASS_DEF_SPLITSCANS
#include "compiler/gpu/Passes.h.inc"
namespace {

// Fewer elements are not worth the time that ptxas takes for the code of the grid: 0.1 to 0.2 s.
constexpr int64_t leastOfGrid = int64_t(1) << 21;

class ScanSplitter {
public:
  ScanSplitter(np::KernelOp kernel, np::FoldOp fold)
      : kernel(kernel), fold(fold), builder(kernel), loc(kernel.getLoc()), tuning(getTargetProperties(kernel).tuning),
        areColumns(kernel.getKind() == np::KernelKind::map) {}

  void split() {
    IndexMath m = math();
    Value extent = fold.getExtent(), lines = m.product(kernel.getExtents());
    int64_t few = areColumns ? tuning.columnThreads / 16 : tuning.fewLines;
    int64_t most = areColumns ? tuning.columnThreads : tuning.mostParts;
    int64_t least = areColumns ? tuning.leastPartOfColumn : tuning.leastPartOfLine;
    int64_t step = areColumns ? 8 : 1024; // what a thread or a block of threads takes at once
    Value isFew = m.compare(arith::CmpIPredicate::sle, lines, m.constant(few));
    Value isLong = m.compare(arith::CmpIPredicate::sge, extent, m.constant(areColumns ? 8 * least : tuning.longLine));
    if (!areColumns && suitsGrid())
      offerGrid(m.both(m.both(isFew, isLong),
                       m.compare(arith::CmpIPredicate::sge, m.mul(lines, extent), m.constant(leastOfGrid))));
    auto offer = np::AlternativesOp::create(builder, loc, TypeRange(), "lines in parts", m.both(isFew, isLong));
    builder.setInsertionPointToStart(offer.getOfferedBlock());
    emitInThreeKernels(lines, extent, most, least, step);
    offer.setGeneral(kernel);
  }

private:
  IndexMath math() { return {builder, loc}; }

  /// Whether threads may have many elements in registers, and the code for them is worth its time in ptxas.
  bool suitsGrid() {
    auto isLittle = [](Region &region) {
      bool isStraight = llvm::all_of(region.front(), [](Operation &op) { return op.getNumRegions() == 0; });
      return isStraight && cuda::chooseUnroll(region.front(), 1, 16) == 16;
    };
    return cuda::ScanChain::canHold(fold.getInitial()[0].getType()) && isLittle(fold.getElement()) &&
           isLittle(fold.getEach());
  }

  /// The kernel itself, by all blocks, which hand on the totals of their parts (compiler/gpu/emit/ScanChain.h).
  void offerGrid(Value suits) {
    auto offer = np::AlternativesOp::create(builder, loc, TypeRange(), "lines for the grid", suits);
    builder.setInsertionPointToStart(offer.getOfferedBlock());
    auto shared = cast<np::KernelOp>(builder.clone(*kernel));
    shared.setKind(np::KernelKind::scan);
    shared.setRunner(np::Runner::grid);
    offer.setGeneral(kernel);
    builder.setInsertionPoint(kernel);
  }

  void emitInThreeKernels(Value lines, Value extent, int64_t most, int64_t least, int64_t step) {
    IndexMath m = math();
    Value one = m.constant(1);
    Value mostOfLine = m.max(one, m.div(m.constant(most), m.max(one, lines)));
    Value wanted = m.max(one, m.min(mostOfLine, m.ceilDiv(extent, m.constant(least))));
    length = m.mul(m.max(one, m.ceilDiv(extent, m.mul(wanted, m.constant(step)))), step);
    parts = m.max(one, m.ceilDiv(extent, length));
    SmallVector<Value> extents(kernel.getExtents());
    extents.push_back(parts);
    Type type = fold.getInitial()[0].getType();
    Type memory = type.isInteger(1) ? builder.getI8Type() : type;
    totals = np::AllocOp::create(builder, loc, MemRefType::get(SmallVector<int64_t>(extents.size(), ShapedType::kDynamic), memory), extents);
    emitTotals(extents);
    emitRunningTotals();
    emitParts(extents);
    np::ReleaseOp::create(builder, loc, totals);
  }

  np::KernelOp beginKernel(ValueRange extents) {
    auto made = np::KernelOp::create(builder, loc, extents);
    made.setCut(np::Cut::never);
    builder.setInsertionPointToStart(made.getBody());
    return made;
  }

  /// A kernel of all parts of all lines; and the positions of one: the line's, then the part's.
  std::pair<np::KernelOp, SmallVector<Value>> beginParts(ArrayRef<Value> extents) {
    SmallVector<Value> ordered(extents);
    if (areColumns)
      std::rotate(ordered.begin(), ordered.end() - 1, ordered.end());
    np::KernelOp made = beginKernel(ordered);
    SmallVector<Value> positions(made.getInductionVars());
    if (areColumns)
      std::rotate(positions.begin(), positions.begin() + 1, positions.end());
    return {made, positions};
  }

  Value load(ValueRange indices) {
    Value loaded = memref::LoadOp::create(builder, loc, totals, indices);
    Type type = fold.getInitial()[0].getType();
    return loaded.getType() == type ? loaded : arith::TruncIOp::create(builder, loc, type, loaded).getResult();
  }
  void store(Value value, ValueRange indices) {
    if (value.getType().isInteger(1))
      value = arith::ExtUIOp::create(builder, loc, builder.getI8Type(), value);
    memref::StoreOp::create(builder, loc, value, totals, indices);
  }

  /// Where a part starts and how long it is.
  std::pair<Value, Value> getPart(Value number) {
    IndexMath m = math();
    Value start = m.mul(number, length);
    return {start, m.min(length, m.sub(fold.getExtent(), start))};
  }

  void emitTotals(ArrayRef<Value> extents) {
    OpBuilder::InsertionGuard guard(builder);
    auto [made, positions] = beginParts(extents);
    if (!areColumns) // whatever its accesses look like: the elements of an array of several axes, one by one
      made.setKind(np::KernelKind::rows);
    IRMapping mapping = cloneAround(builder, fold, ValueRange(positions).drop_back());
    auto [start, count] = getPart(positions.back());
    store(emitTotal(builder, loc, fold, start, count, mapping), positions);
  }

  void emitRunningTotals() {
    OpBuilder::InsertionGuard guard(builder);
    auto made = beginKernel(kernel.getExtents());
    SmallVector<Value> positions(made.getInductionVars());
    IRMapping mapping = cloneAround(builder, fold, positions);
    Value init = mapping.lookupOrDefault(fold.getInitial()[0]);
    emitFold(parts, init, [&](Value part) {
      positions.push_back(part);
      Value total = load(positions);
      positions.pop_back();
      return total;
    }, [&](Value part, Value total) {
      positions.push_back(part);
      store(total, positions);
    }, mapping);
  }

  void emitParts(ArrayRef<Value> extents) {
    OpBuilder::InsertionGuard guard(builder);
    auto [made, positions] = beginParts(extents);
    Value number = positions.back();
    IRMapping mapping = cloneAround(builder, fold, ValueRange(positions).drop_back());
    auto [start, count] = getPart(number);
    IndexMath m = math();
    Value zero = m.constant(0);
    SmallVector<Value> before(positions);
    before.back() = m.max(m.sub(number, 1), zero);
    Value init = mapping.lookupOrDefault(fold.getInitial()[0]), isFirst = m.compare(arith::CmpIPredicate::eq, number, zero);
    init = arith::SelectOp::create(builder, loc, isFirst, init, load(before));
    auto clone = [&](Region &region) {
      for (Operation &op : region.front().without_terminator())
        builder.clone(op, mapping);
    };
    emitFold(count, init, [&, start = start](Value position) {
      mapping.map(fold.getPosition(), math().add(start, position));
      clone(fold.getElement());
      return mapping.lookupOrDefault(fold.getElement().front().getTerminator()->getOperand(0));
    }, [&, start = start](Value position, Value total) {
      mapping.map(fold.getEachPosition(), math().add(start, position));
      mapping.map(fold.getEach().getArgument(1), total);
      clone(fold.getEach());
    }, mapping);
  }

  /// A fold like the original one.
  void emitFold(Value extent, Value init, function_ref<Value(Value)> emitElement, function_ref<void(Value, Value)> emitEach, IRMapping &mapping) {
    Type type = init.getType(), index = builder.getIndexType();
    auto made = np::FoldOp::create(builder, loc, type, np::Grouping::any, /*neutral=*/false, extent, init);
    OpBuilder::InsertionGuard guard(builder);
    Block *element = builder.createBlock(&made.getElement(), {}, index, loc);
    np::YieldOp::create(builder, loc, emitElement(element->getArgument(0)));
    fold.getCombine().cloneInto(&made.getCombine(), mapping);
    Block *each = builder.createBlock(&made.getEach(), {}, {index, type}, {loc, loc});
    emitEach(each->getArgument(0), each->getArgument(1));
    np::YieldOp::create(builder, loc, ValueRange());
  }

  np::KernelOp kernel;
  np::FoldOp fold;
  OpBuilder builder;
  Location loc;
  const Tuning &tuning;
  bool areColumns; // lines across the contiguous axis: a thread takes one, or a part of it
  Value length, parts, totals;
};

struct SplitScans : impl::SplitScansBase<SplitScans> {
  void runOnOperation() override {
    if (getOperation()->hasAttr("np.thread")) // it runs on the device as it is
      return;
    SmallVector<np::KernelOp> kernels;
    getOperation()->walk([&](np::KernelOp kernel) { kernels.push_back(kernel); });
    for (np::KernelOp kernel : kernels) {
      auto folds = kernel.getBody()->getOps<np::FoldOp>();
      bool isAlone = llvm::hasSingleElement(folds) && llvm::all_of(kernel.getBody()->without_terminator(), [](Operation &op) {
                       return isa<np::FoldOp>(op) || op.getNumRegions() == 0;
                     });
      if (kernel.getCut() == np::Cut::never || !isAlone)
        continue;
      np::FoldOp fold = *folds.begin();
      if (fold.getNeutral() && fold.getGrouping() == np::Grouping::any && fold->use_empty() && isInvariant(fold.getExtent(), kernel))
        ScanSplitter(kernel, fold).split();
    }
  }
};

} // namespace
} // namespace npcc
