// npcc-vectorize-rows: a row of a few elements (5 to 32) is computed as whole vectors, not by a loop.
//
//   np.kernel rows (%i) = (%n) {                                 np.kernel rows (%i) = (%n) {
//     %s = scf.parallel (%k) = (0) to (%m) init (%zero) {          %a = vector.load %x[%i, 0] : vector<8xf64>
//       %a = memref.load %x[%i, %k]                          ->    %b = vector.load %x[%i, 8] : vector<2xf64>
//       scf.reduce(%a) {addf}                                      // 10 elements: 8 are added to 4, to 2, and to %b's 2
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
#include "compiler/kernels/Combiner.h"
#include "compiler/memory/FirstCall.h"
#include "dialects/Np/Kernels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace npcc {
#define GEN_PASS_DEF_VECTORIZEROWS
#include "compiler/cpu/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
constexpr int64_t leastElements = 5, mostElements = 32; // fewer are expressions, see npcc-expand-reductions
constexpr int64_t leastRows = 64;                       // in the first call
constexpr int64_t mostOperations = 32;                  // of the loop, which has a copy for each vector

class RowVectorizer {
public:
  RowVectorizer(scf::ParallelOp loop, FirstCall &first)
      : loop(loop), first(first), position(loop.getInductionVars()[0]) {}

  bool canVectorize() {
    extent = loop.getUpperBound()[0];
    count = first.evaluate(extent);
    if (!matchPattern(loop.getLowerBound()[0], m_Zero()) || !matchPattern(loop.getStep()[0], m_One()) || !count ||
        count.getInt() < leastElements || count.getInt() > mostElements || isShort(loop) ||
        callsMathFunctions(loop.getBody()))
      return false;
    int64_t operations = 0;
    for (Operation &op : loop.getBody()->without_terminator())
      if (++operations > mostOperations || !take(&op))
        return false;
    // What is combined varies along the row, and no half floats: they are combined as wider numbers.
    SmallVector<Combiner> combiners = getCombiners(loop);
    return llvm::all_of(llvm::zip_equal(combiners, loop.getBody()->getTerminator()->getOperands()), [&](auto each) {
      auto [combiner, value] = each;
      return varies(value) && combiner.getType() == value.getType() && isElement(value.getType());
    });
  }

  void vectorize() {
    first.requireEqual(extent, count);
    OpBuilder builder(loop);
    Location loc = loop.getLoc();
    SmallVector<Combiner> combiners = getCombiners(loop);
    SmallVector<Value> totals;
    int64_t width = llvm::bit_floor(uint64_t(count.getInt()));
    for (int64_t at = 0, left = width; left > 0; left /= 2) {
      if (!totals.empty() && left < width) // halves of what there is so far
        for (auto [combiner, total] : llvm::zip_equal(combiners, totals))
          total = combiner.combine(builder, loc, slice(builder, total, 0, left), slice(builder, total, left, left));
      if (!(count.getInt() & left))
        continue;
      SmallVector<Value> part = compute(builder, at, left);
      at += left;
      if (totals.empty())
        totals = part;
      else
        for (auto [combiner, total, more] : llvm::zip_equal(combiners, totals, part))
          total = combiner.combine(builder, loc, total, more);
    }
    for (auto [combiner, total, start, result] :
         llvm::zip_equal(combiners, totals, loop.getInitVals(), loop.getResults())) {
      Value whole = vector::ExtractOp::create(builder, loc, total, ArrayRef<int64_t>{0});
      result.replaceAllUsesWith(combiner.combine(builder, loc, start, whole));
    }
    loop.erase();
  }

private:
  static bool isElement(Type type) { return type.isF32() || type.isF64() || type.isSignlessInteger(); }
  bool varies(Value value) const { return value == position || varying.contains(value); }

  /// Whether the operation has a form for vectors: elements that lie side by side, and functions of elements.
  bool take(Operation *op) {
    bool isVarying = llvm::any_of(op->getOperands(), [&](Value operand) { return varies(operand); });
    if (!isVarying)
      return op->getNumRegions() == 0 && (isa<memref::LoadOp>(op) || isMemoryEffectFree(op));
    varying.insert_range(op->getResults());
    if (auto load = dyn_cast<memref::LoadOp>(op))
      return isElement(load.getType()) && isAlongRow(load.getMemref(), load.getIndices());
    if (auto store = dyn_cast<memref::StoreOp>(op))
      return isElement(store.getValue().getType()) && isAlongRow(store.getMemref(), store.getIndices());
    return op->getNumRegions() == 0 && OpTrait::hasElementwiseMappableTraits(op) &&
           llvm::all_of(op->getOperandTypes(), isElement) && llvm::all_of(op->getResultTypes(), isElement) &&
           !llvm::is_contained(op->getOperands(), position);
  }

  bool isAlongRow(Value memref, ValueRange indices) {
    auto type = cast<MemRefType>(memref.getType());
    SmallVector<int64_t> strides;
    int64_t offset;
    return !indices.empty() && indices.back() == position &&
           llvm::none_of(indices.drop_back(), [&](Value index) { return varies(index); }) &&
           succeeded(type.getStridesAndOffset(strides, offset)) && strides.back() == 1;
  }

  /// The body for the elements [at, at + width); what it combines.
  SmallVector<Value> compute(OpBuilder &builder, int64_t at, int64_t width) {
    Location loc = loop.getLoc();
    IRMapping map;
    map.map(position, arith::ConstantIndexOp::create(builder, loc, at).getResult());
    auto wide = [&](Type type) { return VectorType::get({width}, type); };
    auto whole = [&](Value value) -> Value {
      Value mapped = map.lookupOrDefault(value);
      return varies(value) ? mapped : vector::BroadcastOp::create(builder, loc, wide(mapped.getType()), mapped);
    };
    for (Operation &op : loop.getBody()->without_terminator()) {
      bool isVarying = llvm::any_of(op.getOperands(), [&](Value operand) { return varies(operand); });
      if (!isVarying) {
        builder.clone(op, map);
        continue;
      }
      auto mapped = [&](ValueRange indices) {
        return llvm::map_to_vector(indices, [&](Value index) { return map.lookupOrDefault(index); });
      };
      if (auto load = dyn_cast<memref::LoadOp>(op)) {
        Value elements = vector::LoadOp::create(builder, op.getLoc(), wide(load.getType()), load.getMemref(),
                                                mapped(load.getIndices()));
        map.map(load.getResult(), elements);
      } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
        vector::StoreOp::create(builder, op.getLoc(), whole(store.getValue()), store.getMemref(),
                                mapped(store.getIndices()));
      } else {
        SmallVector<Type> types = llvm::map_to_vector(op.getResultTypes(), [&](Type type) -> Type { return wide(type); });
        Operation *made = builder.create(op.getLoc(), op.getName().getIdentifier(),
                                         llvm::map_to_vector(op.getOperands(), whole), types, op.getAttrs());
        map.map(op.getResults(), made->getResults());
      }
    }
    return llvm::map_to_vector(loop.getBody()->getTerminator()->getOperands(), whole);
  }

  static Value slice(OpBuilder &builder, Value vector, int64_t from, int64_t width) {
    SmallVector<int64_t> places = llvm::to_vector(llvm::seq(from, from + width));
    return vector::ShuffleOp::create(builder, vector.getLoc(), vector, vector, places);
  }

  scf::ParallelOp loop;
  FirstCall &first;
  Value position, extent;
  IntegerAttr count;
  llvm::SmallDenseSet<Value> varying; // values that depend on the position in the row
};

struct VectorizeRows : impl::VectorizeRowsBase<VectorizeRows> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (!FirstCall::isKnown(function))
      return;
    SmallVector<scf::ParallelOp> loops;
    function.walk([&](KernelOp kernel) {
      for (auto loop : kernel.getBody()->getOps<scf::ParallelOp>())
        if (loop.getNumLoops() == 1)
          loops.push_back(loop);
    });
    for (scf::ParallelOp loop : loops) {
      FirstCall first(function); // a new one: the last loop is gone
      if (RowVectorizer row(loop, first); areMany(loop->getParentOfType<KernelOp>(), first) && row.canVectorize())
        row.vectorize();
    }
  }

  static bool areMany(KernelOp kernel, FirstCall &first) {
    int64_t rows = 1;
    for (Value extent : kernel.getExtents()) {
      IntegerAttr known = first.evaluate(extent);
      rows = known ? std::min(rows * std::min(known.getInt(), leastRows), leastRows) : 0;
    }
    return rows >= leastRows;
  }
};
} // namespace
} // namespace npcc
