#ifndef NPCC_DIALECTS_NP_NPITERATION_TD
#define NPCC_DIALECTS_NP_NPITERATION_TD
include "dialects/Np/NpTypes.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Np_FailureOfIteration : Resource<"::npcc::np::Failure">;

def Np_IterationOp : Op<Np_Dialect, "iteration", [MemoryEffects<[MemWrite<Np_FailureOfIteration>]>, SameVariadicOperandSize]> {
  let summary = "where the program has the checks that follow: which of several that fail counts";
  let description = [{
    Iterations of a kernel run at once, and several of them may fail. The error is that of the check that the program makes first. Each check has a place in the
    program's order: the list of `positions`, compared from the first one on, each of which is less than the number in `extents` beside it and not negative.

    In a kernel (np.kernel) it says so of all checks behind it in its block, and of those in what follows there; without it, the order is that of the kernel's positions.
    In a launch it stands directly before the check.
  }];
  let arguments = (ins Variadic<Index>:$positions, Variadic<Index>:$extents);
  let assemblyFormat = "`(` $positions `)` `in` `(` $extents `)` attr-dict";
  let hasCanonicalizeMethod = 1;
}
#endif
