#ifndef NPCC_DIALECTS_NP_NPKERNELS_TD
#define NPCC_DIALECTS_NP_NPKERNELS_TD
// Kernels, and the folds inside of them.
include "dialects/Np/NpBase.td"

def Np_KernelKind : I32EnumAttr<"KernelKind", "how the iterations of a kernel meet memory", [
    I32EnumAttrCase<"map", 0>, I32EnumAttrCase<"rows", 1>, I32EnumAttrCase<"columns", 2>, I32EnumAttrCase<"scan", 3>,
    I32EnumAttrCase<"transpose", 4>, I32EnumAttrCase<"updates", 5>, I32EnumAttrCase<"steps", 6>]> {
  let cppNamespace = "::npcc::np";
}
def Np_Cut : I32EnumAttr<"Cut", "whether the loops inside a kernel are cut into parts that kernels of their own compute", [
    I32EnumAttrCase<"ask", 0>, I32EnumAttrCase<"always", 1>, I32EnumAttrCase<"never", 2>]> {
  let cppNamespace = "::npcc::np";
}

def Np_Runner : I32EnumAttr<"Runner", "who goes through the steps of a kernel", [
    I32EnumAttrCase<"block", 0>, I32EnumAttrCase<"rows", 1>, I32EnumAttrCase<"grid", 2>]> {
  let cppNamespace = "::npcc::np";
}
def Np_Beside : I32EnumAttr<"Beside", "which kernels may run at the same time", [
    I32EnumAttrCase<"alone", 0>, I32EnumAttrCase<"begins", 1>, I32EnumAttrCase<"joins", 2>]> {
  let cppNamespace = "::npcc::np";
}

def Np_KernelOp : Np_Op<"kernel", [RecursiveMemoryEffects, AutomaticAllocationScope, SingleBlockImplicitTerminator<"EndOp">,
    DeclareOpInterfaceMethods<LoopLikeOpInterface,
      ["getLoopInductionVars", "getLoopLowerBounds", "getLoopUpperBounds", "getLoopSteps"]>]> {
  let summary = "what a device runs at once: independent iterations over a space, on memory";
  let description = [{
    An iteration has one position along each axis, from 0 to below the axis' extent. It gives no values, it stores. What
    is used inside and defined outside is a parameter: scalars and memrefs. No iteration touches an element that another
    one stores, with one exception: `memref.atomic_rmw`, an update that iterations may meet in: of integers, which leave
    the same in any order. Kernels do not hold kernels, and what stands outside of every kernel is host code.

    The body is scalar code, loads and stores, `scf.for`, `scf.if`, `scf.while`, checks, and inner `scf.parallel` loops
    from 0 in steps of 1: walks, which give nothing, and reductions, whose `scf.reduce` combines by one operation on its
    two arguments, beginning with its neutral element.

    `kind` says which emitter takes the kernel; `npcc-classify-kernels` gives it to those that were made without:

    | kind | an iteration ... |
    |---|---|
    | map | computes elements at its own position, and whatever has no kind of its own |
    | rows | holds loops along the contiguous axis; of a full reduction there is one |
    | columns | holds one reduction across the contiguous axis, along which its neighbours lie |
    | scan | is a running reduction along a line |
    | transpose | loads along one axis what it stores along another |
    | updates | updates elements that others may update too; or: is one part of them, an inner loop that updates `a[iteration, ...]` |
    | steps | is a loop of the host with all of its kernels, or one of its iterations: a block's threads take parts of the loops inside |

    `cut`: whether passes may cut its loops into parts: by the extents at run time (ask), in any case (always: the
    extents have been asked already), or not (it is a part itself). `cold`: not worth much code, its time goes into
    functions that it calls. `by`, of steps: a block's threads (block), a team of threads for each iteration, which
    needs its own row of the arrays only (rows), or all threads of all blocks, which wait for each other (grid; the
    extent is the number of blocks that have something to do). `beside`: a kernel that joins may run at the same time as
    those before it, from the one on that begins. `guarded`: it stores into what the caller sees, and stands behind
    checks of other kernels that nobody has waited for: where one has failed, it does nothing.

    ```mlir
    np.kernel rows (%i) = (%n) {                                                    // norms: sqrt(sum(x**2, -1))
      %s = scf.parallel (%k) = (%c0) to (%m) step (%c1) init (%zero) -> f64 {
        %x = memref.load %a[%i, %k] : memref<?x?xf64>
        %q = arith.mulf %x, %x : f64
        scf.reduce(%q : f64) { ^bb0(%l: f64, %r: f64): %t = arith.addf %l, %r : f64  scf.reduce.return %t : f64 }
      }
      %r = math.sqrt %s : f64
      memref.store %r, %out[%i] : memref<?xf64>
    }
    ```
  }];
  let arguments = (ins Variadic<Index>:$extents, OptionalAttr<Np_KernelKind>:$kind, DefaultValuedAttr<Np_Cut, "::npcc::np::Cut::ask">:$cut,
                       UnitAttr:$cold, DefaultValuedAttr<Np_Runner, "::npcc::np::Runner::block">:$runner,
                       DefaultValuedAttr<Np_Beside, "::npcc::np::Beside::alone">:$beside,
                       UnitAttr:$guarded);
  let regions = (region SizedRegion<1>:$region);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$extents)>];
  let extraClassDeclaration = [{
    unsigned getNumLoops() { return getExtents().size(); }
    ::mlir::Block::BlockArgListType getInductionVars() { return getBody()->getArguments(); }
    /// Whether there is one iteration, by constant extents.
    bool isUnit();
  }];
}
def Np_EndOp : Np_Op<"end", [Pure, Terminator, HasParent<"KernelOp">]> {
  let summary = "the end of a kernel's body";
  let assemblyFormat = "attr-dict";
}

def Np_Grouping : I32EnumAttr<"Grouping", "in which order a fold may combine", [I32EnumAttrCase<"ordered", 0>, I32EnumAttrCase<"any", 1>]> {
  let cppNamespace = "::npcc::np";
}
def Np_FoldOp : Np_Op<"fold", [RecursiveMemoryEffects, TypesMatchWith<"totals are of the types of the initial values", "totals", "initial", "$_self",
                               "std::equal_to<TypeRange>()">, DeclareOpInterfaceMethods<LoopLikeOpInterface>]> {
  let summary = "what a loop carries, apart from what it does beside: sums, running sums, recurrences";
  let description = [{
    For each position from 0 to below the extent, in order: `element` computes values at it that do not depend on what
    is carried; `combine` makes the new totals of the totals and these, by scalar code alone; and `each` may store what
    it makes of the new totals. The results are the last totals.

    So elements, and what `each` does, are computed for many positions at once. `any` says that totals may be grouped in
    any way too: `combine` is then one associative operation on each total and its element. No position reads what
    another one stores. `neutral`: the initial totals change nothing, so that every part of the line may begin with
    them.

    ```mlir
    %s = np.fold any %n init(%z) {                                   // y = cumsum(x), s = sum(x)
    ^bb0(%k: index):
      %x = memref.load %a[%k] : memref<?xf64>
      np.yield %x : f64
    } combine {
    ^bb0(%total: f64, %x: f64):
      %next = arith.addf %total, %x : f64
      np.yield %next : f64
    } each {
    ^bb0(%k: index, %total: f64):
      memref.store %total, %y[%k] : memref<?xf64>
      np.yield
    } : f64
    ```
  }];
  let arguments = (ins Np_Grouping:$grouping, UnitAttr:$neutral, Index:$extent, Variadic<AnyType>:$initial);
  let results = (outs Variadic<AnyType>:$totals);
  let regions = (region SizedRegion<1>:$element, SizedRegion<1>:$combine, SizedRegion<1>:$each);
  let assemblyFormat = "$grouping (`neutral` $neutral^)? $extent `init` `(` $initial `)` attr-dict-with-keyword $element `combine` $combine `each` $each `:` type($totals)";
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The position, in the two regions that have one.
    ::mlir::BlockArgument getPosition() { return getElement().getArgument(0); }
    ::mlir::BlockArgument getEachPosition() { return getEach().getArgument(0); }
    unsigned getNumElements() { return getElement().front().getTerminator()->getNumOperands(); }
    /// Whether `each` does anything.
    bool isRunning() { return !getEach().front().without_terminator().empty(); }
    /// The code of `combine` at the builder.
    ::llvm::SmallVector<::mlir::Value> emitCombine(::mlir::OpBuilder &builder, ::mlir::ValueRange totals, ::mlir::ValueRange elements);
  }];
}
def Np_YieldOp : Np_Op<"yield", [Pure, Terminator, ParentOneOf<["FoldOp", "AlternativesOp"]>]> {
  let summary = "what a region of a fold or of alternatives gives";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}
#endif
