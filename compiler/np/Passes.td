#ifndef NPCC_COMPILER_NP_PASSES_TD
#define NPCC_COMPILER_NP_PASSES_TD
include "mlir/Pass/PassBase.td"

def KeepChecks : Pass<"npcc-keep-checks", "::mlir::func::FuncOp"> {
  let summary = "Keep the errors of operations whose results nobody uses";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}
def RaiseNames : Pass<"npcc-raise-names", "::mlir::func::FuncOp"> {
  let summary = "Names to SSA values, basic blocks to structured control flow";
  let description = "Upstream's mem2reg and lift-cf-to-scf, then loops as they were written: `scf.for` where they count, `scf.while` otherwise.";
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect", "::mlir::ub::UBDialect", "::mlir::cf::ControlFlowDialect"];
}
def MaskPositions : Pass<"npcc-mask-positions", "::mlir::func::FuncOp"> {
  let summary = "Positions at which a mask is true are the mask itself where they index arrays of its extents";
}
def FindDistinct : Pass<"npcc-find-distinct", "::mlir::func::FuncOp"> {
  let summary = "Stores at positions that are known to occur once, inside the array, need no order and no checks";
}
def MoveSelections : Pass<"npcc-move-selections", "::mlir::func::FuncOp"> {
  let summary = "What is computed with elements that a mask selects is computed with all, and selected afterwards";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}
def ExpandSelections : Pass<"npcc-expand-selections", "::mlir::func::FuncOp"> {
  let summary = "Elements that a mask selects come into an array, or out of one, by a running count of the mask";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::arith::ArithDialect"];
}
def SimplifyIntegers : Pass<"npcc-simplify-integers", "::mlir::func::FuncOp"> {
  let summary = "Drop checks of Python's integers that cannot fail";
  let description = "By ranges, by counters that change by small steps, and, where it helps, by taking integer arguments for small (`np.small_integers`).";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}
def CountIterations : Pass<"npcc-count-iterations", "::mlir::func::FuncOp"> {
  let summary = "Integers that each iteration of a loop adds the same to are computed from its position";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}
def ContractLists : Pass<"npcc-contract-lists", "::mlir::func::FuncOp"> {
  let summary = "Lists that one loop makes and the next one goes through: one loop, and no list";
}
def GrowArrays : Pass<"npcc-grow-arrays", "::mlir::func::FuncOp"> {
  let summary = "Arrays that the iterations of a loop make longer become lists, which have room for more";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}
def GrowInBlocks : Pass<"npcc-grow-in-blocks", "::mlir::func::FuncOp"> {
  let summary = "A `while` that appends to lists goes round in blocks of iterations for which there is room";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}
def CarryMasks : Pass<"npcc-carry-masks", "::mlir::func::FuncOp"> {
  let summary = "Arrays that iterations select from keep their elements, and a mask of what is left goes round";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}
def ShrinkArrays : Pass<"npcc-shrink-arrays", "::mlir::func::FuncOp"> {
  let summary = "Arrays that a loop makes shorter keep their extents, and how much of them is used is handed on";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}
def ReserveLists : Pass<"npcc-reserve-lists", "::mlir::func::FuncOp"> {
  let summary = "Lists that grow by the same in each iteration of a loop get room for all of it before";
  let description = "Takes `np.make_room` away: what other lists have no room for becomes a branch.";
  let options = [Option<"keepOthers", "keep-others", "bool", "false", "leave other lists as they are, for a later run that may know more">];
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}
def CopyReshapes : Pass<"npcc-copy-reshapes", "::mlir::func::FuncOp"> {
  let summary = "Reshapes of strided arrays become values where nobody could tell a view from a copy";
}
def SimplifyPositions : Pass<"npcc-simplify-positions", "::mlir::func::FuncOp"> {
  let summary = "Clamps and comparisons of positions that loops decide";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}
def ResolveExtents : Pass<"npcc-resolve-extents", "::mlir::func::FuncOp"> {
  let summary = "Make broadcasts explicit and equal extents one value";
  let options = [Option<"guardsOnly", "guards-only", "bool", "false", "take arguments' extents for equal where that makes others equal, and no more">];
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}
def AssumeExtents : Pass<"npcc-assume-extents"> {
  let summary = "What clamps and broadcasts do in the call that the code is compiled for, they do";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect"];
}
def PeelLoops : Pass<"npcc-peel-loops", "::mlir::func::FuncOp"> {
  let summary = "A loop's first iteration, which binds a name to an array, stands before the loop over all others";
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}
def UnrollLoops : Pass<"npcc-unroll-loops"> {
  let summary = "Short loops that accumulate parts of arrays become straight code";
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}
def ExpandReductions : Pass<"npcc-expand-reductions", "::mlir::func::FuncOp"> {
  let summary = "Reductions along an axis of a few elements become expressions of them";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}
def ExpandSorts : Pass<"npcc-expand-sorts", "::mlir::func::FuncOp"> {
  let summary = "Places of short sorted lines become minima and maxima of their elements";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}
def StackKept : Pass<"npcc-stack-kept", "::mlir::func::FuncOp"> {
  let summary = "A list of arrays of one shape that the runtime keeps becomes one array";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::arith::ArithDialect"];
}
def ChooseElements : Pass<"npcc-choose-elements", "::mlir::func::FuncOp"> {
  let summary = "Branches of loops that decide between the elements of two arrays become choices for each element";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::arith::ArithDialect"];
}
def DropUnreadResults : Pass<"npcc-drop-unread-results", "::mlir::func::FuncOp"> {
  let summary = "Routines of libraries whose results nobody reads are dropped, or called for fewer of them";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}
def SimplifyChecks : Pass<"npcc-simplify-checks", "::mlir::func::FuncOp"> {
  let summary = "Drop checks that cannot fail or were made already";
}
def ComposeViews : Pass<"npcc-compose-views", "::mlir::func::FuncOp"> {
  let summary = "A view of a view becomes one view of the root";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}
def RotateLoops : Pass<"npcc-rotate-loops", "::mlir::func::FuncOp"> {
  let summary = "Loops over arrays that may be left in the middle ask for the next iteration where one ends";
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}
def CountRotated : Pass<"npcc-count-rotated", "::mlir::func::FuncOp"> {
  let summary = "Rotated loops that turn out not to be left in the middle count up to a bound";
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}
def AlternateArrays : Pass<"npcc-alternate-arrays", "::mlir::func::FuncOp"> {
  let summary = "Arrays that each iteration of a loop makes anew of themselves get a second one, and iterations take turns";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}
def PromoteArrays : Pass<"npcc-promote-arrays", "::mlir::func::FuncOp"> {
  let summary = "Arrays that nobody else sees become values";
  let dependentDialects = ["::mlir::complex::ComplexDialect", "::mlir::arith::ArithDialect"];
}
def SplitParts : Pass<"npcc-split-parts", "::mlir::func::FuncOp"> {
  let summary = "Values that are put together of a few parts are computed part by part";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}
def RaiseProducts : Pass<"npcc-raise-products", "::mlir::func::FuncOp"> {
  let summary = "Products that loops make row by row become products of all rows";
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}
def RaiseDraws : Pass<"npcc-raise-draws", "::mlir::func::FuncOp"> {
  let summary = "Random numbers that loops draw in each iteration are drawn for many iterations at once";
  let options = [Option<"mostAxes", "most-axes", "int64_t", "16", "the number of axes that the runtime describes">];
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}
def RaiseCalls : Pass<"npcc-raise-calls", "::mlir::func::FuncOp"> {
  let summary = "Sorts and routines of libraries that loops call in each iteration become one call";
  let options = [Option<"mostAxes", "most-axes", "int64_t", "16", "the number of axes that the runtime describes">];
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect",
                           "::mlir::complex::ComplexDialect"];
}
def BatchProducts : Pass<"npcc-batch-products", "::mlir::func::FuncOp"> {
  let summary = "Products of stacks of large matrices go to a library";
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}
def JoinProducts : Pass<"npcc-join-products", "::mlir::func::FuncOp"> {
  let summary = "Products of one matrix with several that a loop does not change become one product on a device";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::arith::ArithDialect"];
}
def StackProducts : Pass<"npcc-stack-products", "::mlir::func::FuncOp"> {
  let summary = "Products of matrices that loops make in each iteration become one product of stacks on a device";
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}
def NarrowProducts : Pass<"npcc-narrow-products", "::mlir::func::FuncOp"> {
  let summary = "Products of f32 that were narrow floats, or may be, as products of those";
  let options = [Option<"precision", "precision", "std::string", "\"exact\"", "how exact products of f32 are: exact, tf32 or bf16">];
}
def FuseEpilogues : Pass<"npcc-fuse-epilogues", "::mlir::func::FuncOp"> {
  let summary = "Factors, addends, biases and relu of a device's products, and what a host's are added to, go to the library with them";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::arith::ArithDialect"];
}
def DeferItems : Pass<"npcc-defer-items", "::mlir::func::FuncOp"> {
  let summary = "Numbers that only values need stay values";
}
def AskInBlocks : Pass<"npcc-ask-in-blocks", "::mlir::func::FuncOp"> {
  let summary = "Loops that are left once a mask has no element ask for that once in a block of iterations";
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}
def CopyCarriedParts : Pass<"npcc-copy-carried-parts", "::mlir::func::FuncOp"> {
  let summary = "Loops of elementwise steps hand on copies of parts of arrays";
  let dependentDialects = ["::npcc::np::NpDialect"];
}
def HoistInvariants : Pass<"npcc-hoist-invariants", "::mlir::func::FuncOp"> {
  let summary = "Sums, products and sorts that are the same in all iterations: computed before the loop";
}
def ExpandProducts : Pass<"npcc-expand-products", "::mlir::func::FuncOp"> {
  let summary = "Small products inside loops become sums of products";
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}
def VersionExtents : Pass<"npcc-version-extents", "::mlir::func::FuncOp"> {
  let summary = "Extents that meet in every iteration of a loop and do not change: compared before it";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}
def VersionWindows : Pass<"npcc-version-windows", "::mlir::func::FuncOp"> {
  let summary = "Give loops over windows a version in which all of them end inside of the array";
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}
def Distribute : Pass<"npcc-distribute", "::mlir::func::FuncOp"> {
  let summary = "One device's part of the program";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}
#endif
