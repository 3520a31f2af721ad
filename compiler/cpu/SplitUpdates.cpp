// npcc-split-updates: where computing which element is updated takes long, that is a loop of its own.
//
//   np.kernel (%i) = (%n) {                            %at = np.alloc(%n)
//     %q = arith.divf %x, %width                       np.kernel (%i) = (%n) {
//     %p = arith.fptosi %q                 ->            ... %q, %p, store %p, %at[%i] }   // no update: the least
//     integer scf.if %isInside {                               np.kernel (%i) = (%n) {
//       memref.atomic_rmw addi %v, %out[%p] } }          %p = load %at[%i]
//                                                        scf.if (%p is one) { memref.atomic_rmw addi %v, %out[%p] } }
//
// The first one computes several positions at a time in vector registers, which updates by computed positions prevent.
#include "compiler/cpu/CpuPasses.h"
#include "compiler/memory/Aliasing.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Kernels.h"
#include "dialects/Np/Memory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include <limits>

using namespace mlir;
using namespace npcc;

namespace npcc {
#define GEN_PASS_DEF_SPLITUPDATES
#include "compiler/cpu/Passes.h.inc"
} // namespace npcc

// So many operations take longer than to store their result and to load it.
static constexpr size_t many = 16;

namespace {
/// What a kernel's only update needs to know where it is.
class Place {
public:
  Place(np::KernelOp kernel, bool general) : kernel(kernel), general(general) {}

  /// Whether there is one update, at a position that is worth a loop of its own.
  bool find() {
    if (kernel.getNumLoops() != 1 || !findUpdate() || update.getMemRefType().getRank() != 1)
      return false;
    check = update.getIndices()[0].getDefiningOp<np::CheckIndexOp>();
    position = check ? check.getPosition() : update.getIndices()[0];
    if (!needs(position) || slice.empty())
      return false;
    for (Operation *op = update->getParentOp(); op != kernel; op = op->getParentOp()) {
      auto condition = dyn_cast<scf::IfOp>(op);
      if (!condition || condition.getNumResults() || !needs(condition.getCondition()))
        return false;
      conditions.push_back(condition);
    }
    return slice.size() >= many || llvm::any_of(slice, isLong);
  }

  void split() {
    OpBuilder builder(kernel);
    Location loc = kernel.getLoc();
    Type i64 = builder.getI64Type();
    Value extent = kernel.getExtents()[0];
    Value none = arith::ConstantIntOp::create(builder, loc, std::numeric_limits<int64_t>::min(), 64);
    Value places = np::AllocOp::create(builder, loc, MemRefType::get({ShapedType::kDynamic}, i64), ValueRange{extent});
    auto first = np::KernelOp::create(builder, loc, ValueRange{extent});
    builder.setInsertionPoint(first.getBody()->getTerminator());
    IRMapping map;
    map.map(kernel.getInductionVars(), first.getInductionVars());
    for (Operation *op : slice)
      builder.clone(*op, map);
    Value place = arith::IndexCastOp::create(builder, loc, i64, map.lookupOrDefault(position));
    for (scf::IfOp condition : conditions) {
      Value holds = map.lookupOrDefault(condition.getCondition());
      bool isThen = condition.getThenRegion().isAncestor(update->getParentRegion());
      place = arith::SelectOp::create(builder, loc, holds, isThen ? place : none, isThen ? none : place);
    }
    memref::StoreOp::create(builder, loc, place, places, first.getInductionVars());

    builder.setInsertionPointToStart(kernel.getBody());
    Value known = memref::LoadOp::create(builder, loc, places, kernel.getInductionVars());
    Value is = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, known, none);
    Value isNot = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, known, none);
    known = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), known);
    if (check)
      check.getPositionMutable().assign(known);
    else
      update.getIndicesMutable().assign(known);
    for (scf::IfOp condition : conditions)
      condition.getConditionMutable().assign(condition.getThenRegion().isAncestor(update->getParentRegion()) ? is
                                                                                                             : isNot);
    builder.setInsertionPointAfter(kernel);
    np::ReleaseOp::create(builder, loc, places);
  }

private:
  bool findUpdate() {
    WalkResult result = kernel.getBody()->walk([&](Operation *op) {
      if (auto found = dyn_cast<memref::AtomicRMWOp>(op)) {
        bool isFirst = !update;
        update = found;
        return isFirst ? WalkResult::advance() : WalkResult::interrupt();
      }
      bool isOfUpdate = isa<np::CheckIndexOp>(op) &&
                        llvm::all_of(op->getUsers(), [](Operation *user) { return isa<memref::AtomicRMWOp>(user); });
      bool isKnown = isa<scf::IfOp, scf::YieldOp, memref::LoadOp, np::EndOp>(op) || isOfUpdate;
      return isKnown || (!op->getNumRegions() && isMemoryEffectFree(op)) ? WalkResult::advance()
                                                                         : WalkResult::interrupt();
    });
    return update && !result.wasInterrupted();
  }

  /// Adds what computes the value to the slice; false where that cannot be done in every iteration.
  bool needs(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return llvm::is_contained(kernel.getInductionVars(), value) || !isInside(value.getParentRegion());
    if (!isInside(op->getParentRegion()) || slice.contains(op))
      return true;
    if (auto load = dyn_cast<memref::LoadOp>(op)) {
      if (op->getBlock() != kernel.getBody() || mayAlias(load.getMemRef(), update.getMemref(), general))
        return false;
    } else if (op->getNumRegions() || !isPure(op)) {
      return false;
    }
    if (!llvm::all_of(op->getOperands(), [&](Value operand) { return needs(operand); }))
      return false;
    slice.insert(op);
    return true;
  }

  bool isInside(Region *region) { return kernel.getRegion().isAncestor(region); }

  static bool isLong(Operation *op) {
    return isa<arith::DivFOp>(op) || (isa<math::MathDialect>(op->getDialect()) && !isa<math::AbsFOp>(op));
  }

  np::KernelOp kernel;
  bool general;
  memref::AtomicRMWOp update;
  np::CheckIndexOp check;
  Value position;
  SmallVector<scf::IfOp> conditions; // around the update, from the inside
  llvm::SetVector<Operation *> slice;
};

struct SplitUpdates : npcc::impl::SplitUpdatesBase<SplitUpdates> {
  void runOnOperation() override {
    SmallVector<np::KernelOp> kernels;
    getOperation().walk([&](np::KernelOp kernel) { kernels.push_back(kernel); });
    for (np::KernelOp kernel : kernels) {
      Place place(kernel, getOperation()->hasAttr("np.general"));
      if (place.find())
        place.split();
    }
  }
};
} // namespace
