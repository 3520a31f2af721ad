#ifndef NPCC_DIALECTS_NP_NPMATRICES_TD
#define NPCC_DIALECTS_NP_NPMATRICES_TD
// What the threads of a kernel do together with a small matrix.
include "dialects/Np/NpTypes.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Np_FactorOp : Op<Np_Dialect, "factor", []> {
  let summary = "factors of one small matrix, or a solution with it, inside of a kernel";
  let description = [{
    `factor` does in a kernel of kind `rows` what `np.routine` does for each matrix of a stack: the threads of a team,
    one for each row, do it together for the matrix of their iteration. The arrays are the team's own, in shared memory.

    | routine | arrays |
    |---|---|
    | solve_rows | a square matrix row by row, which its factors replace; right sides as rows, which are then solved |
    | lu | a square matrix column by column, which becomes its factors; one number, 1 or -1, the sign of the exchanges |
    | cholesky | a square matrix column by column, whose lower triangle becomes the factor; the rest stays as it is |
    | qr_raw | a matrix column by column, which becomes R, and below it reflections; their factors |
    | eigh, eigvalsh | a Hermitian matrix column by column, whose lower triangle is read and which becomes the |
    | | eigenvectors; its eigenvalues; memory to work with |
    | eigh_upper, eigvalsh_upper | the same of the upper triangle |
    | qr | reflections, and their factors, as qr_raw leaves them; the first columns of Q |

    `succeeded` says whether there is a result: otherwise it is NaN. `lu`, `qr_raw` and `qr` always succeed.

    ```mlir
    np.kernel rows (%i) = (%n) {
      %m = memref.alloca() : !matrix // memref<8x8xf64, #gpu.address_space<workgroup>>
      %x = memref.alloca() : !sides  // memref<1x8xf64, #gpu.address_space<workgroup>>
      ...                                                                      // fills both
      %good = np.factor "solve_rows"(%m, %x) : !matrix, !sides
      np.assert %good, "LinAlgError" "Singular matrix"()
      ...                                                                      // stores what is made of %x
    }
    ```
  }];
  let arguments = (ins StrAttr:$routine, Arg<Variadic<AnyMemRef>, "", [MemRead, MemWrite]>:$arrays);
  let results = (outs I1:$succeeded);
  let assemblyFormat = "$routine `(` $arrays `)` attr-dict `:` type($arrays)";
}
#endif
