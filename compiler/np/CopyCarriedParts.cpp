// npcc-copy-carried-parts: a loop of elementwise steps that hands on a part of an array, which stays what it is, hands
// on a copy.
//
//   for t in range(n):                          scf.for %t iter_args(%v = ..., %x = ...) {
//     x = x + v * dt                              %next = np.new(%x + %v * %dt)
//     v = given[t]                      ->        %copy = np.new (np.load (np.view %given[%t, :]))
//                                                 scf.yield %copy, %next
//                                               }
//
// Handing on the part itself costs nothing, but where it lies is known to the host alone, so the host launches each
// iteration. Of a copy each position needs its own element only: the loop becomes a kernel (npcc-update-in-place,
// npcc-interchange-loops), and the copy a register. Only where all else that the loop hands on is made anew by
// elementwise steps, and where nobody can tell the part from its copy.
#include "compiler/memory/Aliasing.h"
#include "compiler/np/Passes.h"
#include "dialects/Np/Arrays.h"
#include "dialects/Np/Values.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace npcc {
#define GEN_PASS_DEF_COPYCARRIEDPARTS
#include "compiler/np/Passes.h.inc"

using namespace mlir;
using namespace np;

namespace {
class CarriedParts {
public:
  CarriedParts(scf::ForOp loop, func::FuncOp function)
      : loop(loop), function(function), aliasing(function->hasAttr("np.general")) {}

  bool copy() {
    if (!llvm::all_of(loop.getBody()->without_terminator(), isElementwise))
      return false;
    SmallVector<OpOperand *> parts;
    for (auto [yielded, argument, result] :
         llvm::zip_equal(loop.getYieldedValuesMutable().value(), loop.getRegionIterArgs(), loop.getResults())) {
      if (!isa<ArrayType>(argument.getType()))
        continue;
      if (isPart(yielded.get(), result) && isOnlyRead(argument))
        parts.push_back(&yielded);
      else if (!yielded.get().getDefiningOp<NewOp>())
        return false;
    }
    for (OpOperand *part : parts) {
      OpBuilder builder(part->getOwner());
      Location loc = part->get().getLoc();
      part->set(NewOp::create(builder, loc, LoadOp::create(builder, loc, part->get())));
    }
    return !parts.empty();
  }

private:
  /// Whether an operation of the loop's body costs each position only its own work.
  static bool isElementwise(Operation &op) {
    return op.getNumRegions() == 0 && getElementCost(&op) < ElementCost::Walk &&
           (isa<LoadOp, NewOp>(op) || isMemoryEffectFree(&op));
  }

  /// Whether this is a part of an array that stays as it is while anybody reads it by this name.
  bool isPart(Value array, Value result) {
    if (!array.getDefiningOp<ViewOp>() || !loop.isDefinedOutsideOfLoop(getRoot(array)))
      return false;
    bool isReadBehind = !llvm::all_of(result.getUsers(), [](Operation *user) { return isa<DimOp>(user); });
    return isOnlyRead(result) && !aliasing.mayWriteTo(isReadBehind ? function : loop.getOperation(), array);
  }

  static bool isOnlyRead(Value array) {
    return llvm::all_of(array.getUsers(), [](Operation *user) { return isa<LoadOp, DimOp>(user); });
  }

  scf::ForOp loop;
  func::FuncOp function;
  Aliasing aliasing;
};

struct CopyCarriedParts : impl::CopyCarriedPartsBase<CopyCarriedParts> {
  void runOnOperation() override {
    bool hasChanged = false;
    getOperation()->walk([&](scf::ForOp loop) { hasChanged |= CarriedParts(loop, getOperation()).copy(); });
    if (!hasChanged)
      markAllAnalysesPreserved();
  }
};
} // namespace
} // namespace npcc
