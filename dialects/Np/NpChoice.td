#ifndef NPCC_DIALECTS_NP_NPCHOICE_TD
#define NPCC_DIALECTS_NP_NPCHOICE_TD
include "dialects/Np/NpTypes.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Np_ChoiceOp : Op<Np_Dialect, "choice", [Pure, SameOperandsAndResultType]> {
  let summary = "a number of host code that decides which of several alternatives of the code runs";
  let description = [{
    The result is the operand, in every run. What depends on it is alternatives that are no two regions of code
    (`np.alternatives` offers these): a number of which there are few, such as the size of a team of threads; a
    condition that a kernel's emitter asks in many places; a condition of a function of the library, which Python's `if`
    asks. `npcc-plan-alternatives` takes it away. Where the extents of a first call are known it may put a constant in
    its place and have the runtime compare at each call, so that the other alternatives are not compiled until they are
    needed. `what` says in a few words what is decided.

    With `known_only` the alternative is offered for a known first call only: in code that is made for all calls the
    choice is false (i1), as nobody wants to compile so much for what may not be needed.

    Of the address of an array that the function makes, `value` may depend on the lowest six bits only: these are known
    to be zero.
  }];
  let arguments = (ins StrAttr:$what, UnitAttr:$known_only, AnyTypeOf<[I1, Index]>:$value);
  let results = (outs AnyTypeOf<[I1, Index]>:$result);
  let assemblyFormat = "$what (`known_only` $known_only^)? $value attr-dict `:` type($value)";
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$what, "::mlir::Value":$value), [{
    build($_builder, $_state, value.getType(), what, /*known_only=*/false, value);
  }]>];
}

def Np_AlternativesOp : Op<Np_Dialect, "alternatives", [RecursiveMemoryEffects, NoRegionArguments]> {
  let summary = "code that a pass offers beside the general code, and the condition under which it is taken";
  let description = [{
    Where `condition` holds when the code runs, the first region is taken, else the second one. This is how passes offer
    alternatives, on host code and inside of kernels: `npcc-plan-alternatives`, which runs behind each pass that offers,
    makes an `scf.if` of it, or keeps one region alone. It does the latter where the condition follows from a first
    call, and where the alternatives of a function would be more code than its target's `Tuning` allows.

    So the second region is the general code: it is right whatever the condition is. With `needed` it is not: each
    region is right only where it is taken, and the second one may be empty. `known_only` is as for `np.choice`: where
    no first call is known, the second region alone is kept. `what` says in a few words what is decided.

    ```mlir
    np.alternatives "rows as one kernel" %worth {
      np.kernel rows ...
    } or {
      np.kernel ...
      np.kernel ...
    }
    ```
  }];
  let arguments = (ins StrAttr:$what, UnitAttr:$known_only, UnitAttr:$needed, I1:$condition);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$offered, SizedRegion<1>:$general);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [
    OpBuilder<(ins "::mlir::TypeRange":$results, "::llvm::StringRef":$what, "::mlir::Value":$condition)>
  ];
  let extraClassDeclaration = [{
    ::mlir::Block *getOfferedBlock() { return &getOffered().front(); }
    ::mlir::Block *getGeneralBlock() { return &getGeneral().front(); }
    /// The ends of the regions. Those of alternatives with results have none until they are made.
    ::mlir::Operation *getOfferedEnd() { return getOfferedBlock()->getTerminator(); }
    ::mlir::Operation *getGeneralEnd() { return getGeneralBlock()->getTerminator(); }
    /// One operation is the code of a region, and its results are what the region gives.
    void setOffered(::mlir::Operation *op) { fill(getOfferedBlock(), op); }
    void setGeneral(::mlir::Operation *op) { fill(getGeneralBlock(), op); }

  private:
    void fill(::mlir::Block *block, ::mlir::Operation *op);
  }];
}
#endif
