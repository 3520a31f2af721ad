// npcc-unroll-axes: a kernel whose last axis has a few positions (colours, coordinates) goes over the others, and
// computes the few elements one after the other.
//
//   np.kernel map (%i, %k) = (%n, %c3) {                         np.kernel map (%i) = (%n) {
//     %x = load %a[%i, %k]                                         %y = load %b[%i]        // once
//     %y = load %b[%i]                                  ->         %x = load %a[%i, 0] ... store %x * %y, %out[%i, 0]
//     store %x * %y, %out[%i, %k]                                  ... %a[%i, 1] ...       ... %a[%i, 2] ...
//   }                                                            }
//
// A loop of three elements would fill three lanes of a vector. Over the other axis all lanes are filled, and what does
// not depend on the last one is computed once. Where all arrays are contiguous along both axes, npcc-merge-axes has
// made one long axis of them before.
//
// How many elements there are is taken from the call that the code is compiled for, and asked in others. The arrays get
// it as part of their type: with strides that are known, LLVM takes the elements of a vector apart by shuffles.
#include "compiler/cpu/CpuPasses.h"
#include "compiler/cpu/Loops.h"
#include "compiler/memory/Accesses.h"
#include "compiler/memory/Extents.h"
#include "compiler/memory/FirstCall.h"
#include "dialects/Np/Kernels.h"
#include "dialects/Np/Memory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace npcc {
#define GEN_PASS_DEF_UNROLLAXES
#include "compiler/cpu/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
constexpr int64_t mostOperations = 256; // of all copies of a body

class Unroller {
public:
  Unroller(KernelOp kernel, FirstCall &first) : kernel(kernel), first(first), last(kernel.getInductionVars().back()) {}

  bool canUnroll() {
    if (kernel.getKind() != KernelKind::map || kernel.getNumLoops() < 2)
      return false;
    IntegerAttr extent = first.evaluate(kernel.getExtents().back());
    if (!extent || extent.getInt() < 2 || extent.getInt() > fewElements ||
        !hasManyPositions(kernel.getExtents().drop_back(), first))
      return false;
    count = extent;
    int64_t operations = 0;
    for (Operation &op : kernel.getBody()->without_terminator()) {
      ++operations;
      bool isAccess = isa<memref::LoadOp, memref::StoreOp>(op);
      if (op.getNumRegions() > 0 || (!isAccess && !isMemoryEffectFree(&op)))
        return false;
      if (llvm::any_of(op.getOperands(), [&](Value operand) { return varies(operand); }))
        for (Value result : op.getResults())
          varying.insert(result);
      if (isAccess && !takeAccess(&op))
        return false;
    }
    return operations * count.getInt() <= mostOperations;
  }

  void unroll() {
    first.requireEqual(kernel.getExtents().back(), count);
    OpBuilder builder(kernel);
    Location loc = kernel.getLoc();
    IRMapping shared;
    for (Value memref : toCast) {
      auto type = cast<MemRefType>(memref.getType());
      first.requireEqual(makeLastExtent(memref), count);
      SmallVector<int64_t> shape(type.getShape());
      shape.back() = count.getInt();
      auto known = MemRefType::get(shape, type.getElementType(), MemRefLayoutAttrInterface(), type.getMemorySpace());
      shared.map(memref, memref::CastOp::create(builder, loc, known, memref).getResult());
    }
    auto shorter = KernelOp::create(builder, loc, SmallVector<Value>(kernel.getExtents().drop_back()));
    shorter.setKindAttr(kernel.getKindAttr());
    shared.map(kernel.getInductionVars().drop_back(), shorter.getInductionVars());
    builder.setInsertionPoint(shorter.getBody()->getTerminator());
    auto isShared = [&](Operation &op) {
      return llvm::none_of(op.getOperands(), [&](Value one) { return varies(one); });
    };
    for (Operation &op : kernel.getBody()->without_terminator())
      if (isShared(op))
        builder.clone(op, shared);
    for (int64_t number = 0; number < count.getInt(); ++number) {
      IRMapping mapping = shared;
      mapping.map(last, arith::ConstantIndexOp::create(builder, loc, number).getResult());
      for (Operation &op : kernel.getBody()->without_terminator())
        if (!isShared(op))
          builder.clone(op, mapping);
    }
    kernel.erase();
  }

private:
  bool varies(Value value) const { return value == last || varying.contains(value); }

  /// Whether the access stays one that is vectorised: not along the axis, or with as many elements as it has in the
  /// array. A store must be along it: others would be the same element for all positions.
  bool takeAccess(Operation *op) {
    auto [memref, indices] = getAccess(op);
    auto type = cast<MemRefType>(memref.getType());
    if (llvm::none_of(indices, [&](Value index) { return varies(index); }))
      return isa<memref::LoadOp>(op);
    if (indices.size() == 1)
      return isa<memref::LoadOp>(op);
    bool isAlong =
        varies(indices.back()) && llvm::none_of(indices.drop_back(), [&](Value index) { return varies(index); });
    if (!isAlong || !type.getLayout().isIdentity() || !kernel.isDefinedOutsideOfLoop(memref))
      return false;
    if (!type.isDynamicDim(type.getRank() - 1))
      return true;
    if (first.evaluate(makeLastExtent(memref)) != count)
      return false;
    if (!llvm::is_contained(toCast, memref))
      toCast.push_back(memref);
    return true;
  }

  Value makeLastExtent(Value memref) {
    OpBuilder builder(kernel);
    return memref::DimOp::create(builder, kernel.getLoc(), memref, cast<MemRefType>(memref.getType()).getRank() - 1);
  }

  KernelOp kernel;
  FirstCall &first;
  Value last;
  IntegerAttr count;
  llvm::SmallDenseSet<Value> varying; // values that depend on the last position
  SmallVector<Value> toCast;          // arrays whose last extent is to be known
};

struct UnrollAxes : impl::UnrollAxesBase<UnrollAxes> {
  void runOnOperation() override {
    visitKernels(getOperation(), [](KernelOp kernel, FirstCall &first) {
      if (Unroller unroller(kernel, first); unroller.canUnroll())
        unroller.unroll();
    });
  }
};
} // namespace
} // namespace npcc
