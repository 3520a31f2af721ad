#ifndef NPCC_COMPILER_NP_LOOPEXTENTS_H
#define NPCC_COMPILER_NP_LOOPEXTENTS_H
#include "compiler/memory/Extents.h"
#include "compiler/memory/FirstCall.h"
#include "mlir/IR/BuiltinOps.h"

namespace npcc {

/// The extents of arrays and values that go round loops, where it takes the first call to know that they stay.
///
/// An array that a loop carries (`p = f @ p @ f.T + q`) has the extents that it came with if every iteration hands on
/// one of the same extents. ResolveExtents shows that where the same SSA values say so. Here it is shown by numbers: all
/// are assumed to keep their extents, the extents of what is handed on are evaluated for the first call, and what turns
/// out to change is dropped, until nothing changes. Other calls ask for the same in the choice function: extents that
/// were equal are, so that the induction holds there too.
class LoopExtents {
public:
  LoopExtents(mlir::func::FuncOp function, FirstCall &first) : function(function), first(first) {}

  /// From here on `np.dim` of such an array inside the loop and behind it is its extent before the loop.
  void assume();

  /// Between the two extents may be replaced by others: this takes those for them, before what was replaced is erased.
  void follow();

  /// Says so of the values that are handed on, where their extents are other SSA values still: when the pass has taken
  /// for granted what it can.
  void restate();

private:
  struct Axis {
    CarriedArray array;
    int64_t axis;
    mlir::Value extent; // from before the loop
    mlir::UnrealizedConversionCastOp anchor; // of the extent, while others may replace it
  };

  mlir::Value getExtentBefore(mlir::Operation *loop, mlir::Value init, int64_t axis, ExtentOrigins &origins);
  mlir::IntegerAttr evaluate(const ExtentOrigin &origin);
  void drop(const Axis &kept);
  void unify(const ExtentOrigin &origin, mlir::Value extent);
  void preferHandedOn(Axis &entry, ExtentOrigins &origins);

  mlir::func::FuncOp function;
  FirstCall &first;
  mlir::SmallVector<Axis> kept;
};

} // namespace npcc
#endif
