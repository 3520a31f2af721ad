// npcc-version-extents: extents that meet in every iteration of a loop, and do not change in it, are compared once
// before.
//
//   scf.for %j ... {                                         %same = arith.cmpi eq, %n, %m
//     ... extents[%n] ... extents[%m]                        np.alternatives "extents that are equal" %same {
//     %e = np.broadcast_extent "ufunc" %n, %m         ->       scf.for %j ... { ... extents[%m] ... extents[%m] }
//     np.broadcast ... extents[%e]                           } or {
//   }                                                          scf.for %j ... { as before }
//                                                            }
//
// Slices of run-time ends (u[j, 0:n - 2] and u[j, 1:n - 1]) have extents that nobody knows to be equal. Where they are,
// no element asks whether an axis is broadcast, and nothing keeps the loop's kernels from being one. Where launches are
// costly only; loops that give something are left alone.
#include "compiler/np/Passes.h"
#include "compiler/target/Target.h"
#include "dialects/Np/Checks.h"
#include "dialects/Np/Choice.h"
#include "llvm/ADT/MapVector.h"

namespace npcc {
#define GEN_PASS_DEF_VERSIONEXTENTS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
class Meetings {
public:
  explicit Meetings(scf::ForOp loop) : loop(loop) {}

  /// Whether there are any that the loop does not change.
  bool collect() {
    loop.walk([&](BroadcastExtentOp meet) {
      if (isKnown(meet.getLhs()) && isKnown(meet.getRhs())) {
        known[meet.getResult()] = getExtent(meet.getRhs());
        meets.push_back(meet);
      }
    });
    return llvm::any_of(meets,
                        [&](BroadcastExtentOp meet) { return getExtent(meet.getLhs()) != getExtent(meet.getRhs()); });
  }

  void makeVersions() {
    OpBuilder builder(loop);
    Location loc = loop.getLoc();
    Value areEqual;
    for (BroadcastExtentOp meet : meets) {
      Value lhs = getRepresentative(getExtent(meet.getLhs())), rhs = getRepresentative(getExtent(meet.getRhs()));
      if (lhs == rhs)
        continue;
      Value isEqual = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, lhs, rhs);
      areEqual = areEqual ? arith::AndIOp::create(builder, loc, areEqual, isEqual).getResult() : isEqual;
      representatives[lhs] = rhs;
    }
    auto versions = AlternativesOp::create(builder, loc, TypeRange(), "extents that are equal", areEqual);
    versions.setGeneral(builder.clone(*loop));
    versions.setOffered(loop);
    for (BroadcastExtentOp meet : meets) {
      meet.replaceAllUsesWith(getRepresentative(getExtent(meet.getRhs())));
      meet.erase();
    }
    for (auto [extent, other] : representatives) {
      Value representative = getRepresentative(extent);
      extent.replaceUsesWithIf(representative, [&](OpOperand &use) { return loop->isProperAncestor(use.getOwner()); });
    }
  }

private:
  bool isKnown(Value extent) { return loop.isDefinedOutsideOfLoop(extent) || known.contains(extent); }
  /// What the result of a meeting is where its operands are equal.
  Value getExtent(Value extent) {
    auto found = known.find(extent);
    return found == known.end() ? extent : found->second;
  }
  Value getRepresentative(Value extent) {
    for (auto found = representatives.find(extent); found != representatives.end();
         found = representatives.find(extent))
      extent = found->second;
    return extent;
  }

  scf::ForOp loop;
  SmallVector<BroadcastExtentOp> meets;
  DenseMap<Value, Value> known;
  llvm::MapVector<Value, Value> representatives; // of extents that are equal, another one
};

struct VersionExtents : impl::VersionExtentsBase<VersionExtents> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function->hasAttr("np.thread") || !getTargetProperties(function).launchesAreCostly)
      return;
    SmallVector<scf::ForOp> loops;
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      auto loop = dyn_cast<scf::ForOp>(op);
      if (!loop || loop.getNumResults())
        return WalkResult::advance();
      loops.push_back(loop);
      return WalkResult::skip();
    });
    for (scf::ForOp loop : loops) {
      Meetings meetings(loop);
      if (meetings.collect())
        meetings.makeVersions();
    }
  }
};
} // namespace
} // namespace npcc
