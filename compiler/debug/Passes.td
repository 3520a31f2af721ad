#ifndef NPCC_COMPILER_DEBUG_PASSES_TD
#define NPCC_COMPILER_DEBUG_PASSES_TD
include "mlir/Pass/PassBase.td"

def ShuffleIterations : Pass<"npcc-shuffle-iterations", "::mlir::ModuleOp"> {
  let summary = "Kernels, and the loops in them that a device may run at once: serial loops in random order";
  let description = [{
    The runtime draws the order (`npcc_rt_debug_begin`, `npcc_rt_debug_next`, `npcc_rt_debug_end`), and so it knows at each access which iteration it is in.

    ```mlir
    np.kernel map (%i, %j) = (%n, %m) { body }
    ```
    becomes
    ```mlir
    llvm.call @npcc_rt_debug_begin(%n * %m, ordered = 0)
    scf.for %t = %c0 to %n * %m step %c1 {
      %p = llvm.call @npcc_rt_debug_next()
      body at %i = %p / %m, %j = %p % %m
    }
    llvm.call @npcc_rt_debug_end()
    ```
    A reduction carries its results from one iteration to the next; a sum of floats carries totals of three sizes, so
    that it is rounded about as rarely as NumPy's. A fold keeps its order, which is part of what it computes; that its
    positions do not need each other otherwise is checked as for the rest. Iterations that may raise an error run in
    the program's order, so that the first of several is raised.
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect"];
}
def CheckAccesses : Pass<"npcc-check-accesses", "::mlir::ModuleOp"> {
  let summary = "Tell the runtime of each access to an array, and check its position";
  let description = [{
    ```mlir
    %x = memref.load %a[%i] : memref<?xf64>
    ```
    becomes
    ```mlir
    np.assert %i < %size, "IndexError" "index {0} is out of bounds for axis 0 with size {1}"(%i, %size)
    llvm.call @npcc_rt_debug_read(address of %a[%i], 8, file, line)
    %x = memref.load %a[%i] : memref<?xf64>
    ```
    New arrays are told of as not written yet, released ones as gone. What the runtime's own functions read and write (products, sorting, linear algebra)
    is told of as whole arrays.
  }];
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::LLVM::LLVMDialect"];
}
def CheckUndefined : Pass<"npcc-check-undefined", "::mlir::ModuleOp"> {
  let summary = "RuntimeError where something is computed of an element that was never written";
  let description = [{
    The runtime knows of each element in memory whether it was ever written (`npcc_rt_debug_is_written`). Where `npcc-promote-arrays` has made an array of numpy.empty
    a value, its elements are `np.undefined` where nothing was stored. Choices, branches and casts hand on whether what they give is defined; a store of what is not
    leaves an element that was never written; all else needs its operands.

    ```mlir
    %u = np.undefined : f64
    %x = arith.select %c, %one, %u : f64
    %y = arith.addf %x, %one : f64
    ```
    becomes
    ```mlir
    %x = arith.select %c, %one, %zero : f64
    %defined = arith.select %c, %true, %false : i1
    np.assert %defined, "RuntimeError" "an element is read that was never written"()
    %y = arith.addf %x, %one : f64
    ```
  }];
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect", "::mlir::complex::ComplexDialect", "::mlir::LLVM::LLVMDialect"];
}
def CheckNans : Pass<"npcc-check-nans", "::mlir::func::FuncOp"> {
  let summary = "FloatingPointError where an operation makes a NaN of operands without one";
  let description = [{
    What one expression of the program became is one operation here: operations of one location are looked at together, since what they compute between
    them may well be a NaN that none of them gives (`x ** y` tries several ways and takes one).

    ```mlir
    %y = math.sqrt %x : f64
    ```
    becomes
    ```mlir
    %y = math.sqrt %x : f64
    %made = arith.andi (%y is NaN), not (%x is NaN)
    np.assert not %made, "FloatingPointError" "NaN made of operands without one"()
    ```
  }];
  let dependentDialects = ["::npcc::np::NpDialect", "::mlir::arith::ArithDialect", "::mlir::complex::ComplexDialect"];
}
#endif
