// What nobody uses is dropped, but not the error that it would raise.
//
//   %t = np.ufunc "add"(%a, %b)   // unused            ->      np.broadcast_extent "ufunc" %n, %m ...
//
// Runs first: every later pass drops what is unused. A value is used if an operation with an effect needs it, through
// other values, and names that are read (np.get) for one need what they are bound to. Who only asks for an extent
// (np.dim) needs no element: the extent may follow from one operand, and the others would not be looked at.
#include "compiler/np/Passes.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Names.h"
#include "dialects/Np/Ufunc.h"
#include "dialects/Np/Values.h"
#include "llvm/ADT/SetVector.h"

namespace npcc {
#define GEN_PASS_DEF_KEEPCHECKS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
struct KeepChecks : impl::KeepChecksBase<KeepChecks> {
  /// Does the operation do something although its results may be unused?
  static bool hasEffect(Operation *op) {
    return op->hasTrait<OpTrait::IsTerminator>() ||
           (!isPure(op) && !isa<NewOp, EmptyOp, LoadOp, GetOp, SetOp, VarOp, GatherOp>(op));
  }

  void runOnOperation() override {
    llvm::SetVector<Operation *> used;
    getOperation().walk([&](Operation *op) {
      if (hasEffect(op))
        used.insert(op);
    });
    for (size_t k = 0; k < used.size(); ++k) {
      Operation *op = used[k];
      if (isa<DimOp>(op)) // computes nothing
        continue;
      if (auto get = dyn_cast<GetOp>(op))
        for (Operation *user : get.getSlot().getUsers())
          if (isa<SetOp>(user))
            used.insert(user);
      for (Value operand : op->getOperands())
        if (Operation *producer = operand.getDefiningOp())
          used.insert(producer);
    }
    SmallVector<Operation *> unused;
    getOperation().walk([&](Operation *op) {
      if (isa<UfuncOp, GatherOp>(op) && !used.contains(op) && getRank(op->getResult(0).getType()))
        unused.push_back(op);
    });
    for (Operation *op : unused) {
      OpBuilder builder(op);
      if (auto gather = dyn_cast<GatherOp>(op)) {
        for (auto [indices, axis] : llvm::zip(gather.getIndices(), gather.getAxes()))
          for (Reduction extremum : {Reduction::minimum, Reduction::maximum})
            checkIndex(builder, gather, indices, axis, extremum);
        continue;
      }
      ReifiedRankedShapedTypeDims extents; // makes the checks
      (void)cast<UfuncOp>(op).reifyResultShapes(builder, extents);
    }
  }

  /// The least or greatest of the positions, if any is looked at, is one of the axis.
  static void checkIndex(OpBuilder &builder, GatherOp op, Value indices, int64_t axis, Reduction extremum) {
    Location loc = op.getLoc();
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
    Value count = one, position = indices;
    for (Value extent : getExtents(builder, loc, indices))
      count = builder.createOrFold<arith::MulIOp>(loc, count, extent);
    if (int64_t rank = getRank(indices.getType()))
      position = ReduceOp::create(builder, loc, RankedTensorType::get({}, getElementType(indices.getType())), extremum, indices,
                                  llvm::to_vector(llvm::seq<int64_t>(0, rank)));
    position = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), ItemOp::create(builder, loc, builder.getI64Type(), position));
    if (op.getAsTaken())
      for (int64_t before = 0; before < op.getAxes().front(); ++before)
        count = builder.createOrFold<arith::MulIOp>(loc, count, getExtent(builder, loc, op.getSource(), before));
    Value isEmpty = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, count, zero);
    position = arith::SelectOp::create(builder, loc, isEmpty, zero, position);
    Value size = arith::SelectOp::create(builder, loc, isEmpty, one, getExtent(builder, loc, op.getSource(), axis));
    CheckIndexOp::create(builder, loc, builder.getIndexType(), position, size, axis);
  }
};
} // namespace
} // namespace npcc
