// RUN: npcc-opt %s --npcc-column-reductions --canonicalize --mlir-print-local-scope | FileCheck %s

// CHECK-LABEL: func.func @columns
// CHECK: np.choice "rows of columns in parts"
// CHECK: np.release
// CHECK: } else {
// Few columns: as it was.
// CHECK: np.kernel (%[[I:.*]]) =
// CHECK: scf.parallel (%[[K:.*]]) = {{.*}} init
// CHECK: memref.load %{{.*}}[%[[K]], %[[I]]]
// CHECK: } else {
// CHECK: np.kernel (%{{.*}}) =
// CHECK-DAG: %[[SUMS:.*]] = memref.alloca() : memref<512xf64>
// CHECK-DAG: %[[PENDING:.*]] = memref.alloca() : memref<20480xf64>
// Leaves of rows, with the columns inside.
// CHECK: scf.for %{{.*}} step %c16 iter_args
// CHECK: scf.for %[[ROW:.*]] = %{{.*}} step %c4
// CHECK: scf.for %[[COLUMN:.*]] = %{{.*}}
// CHECK: memref.load %{{.*}}[%[[ROW]], %[[COLUMN]]] {llvm.access_groups
// CHECK: arith.addf
// CHECK: llvm.loop_annotation
// CHECK: scf.while
// The epilogue over the block.
// CHECK: math.sqrt
// CHECK: memref.store {{.*}} {llvm.access_groups
func.func @columns(%a: memref<?x?xf64>, %out: memref<?xf64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  np.kernel (%i) = (%n) {
    %s = scf.parallel (%k) = (%c0) to (%m) step (%c1) init (%zero) -> f64 {
      %x = memref.load %a[%k, %i] : memref<?x?xf64>
      scf.reduce(%x : f64) {
      ^bb0(%l: f64, %r: f64):
        %t = arith.addf %l, %r : f64
        scf.reduce.return %t : f64
      }
    }
    %r = math.sqrt %s : f64
    memref.store %r, %out[%i] : memref<?xf64>
  }
  return
}

// Many rows: parts of them, each of which is a kernel over columns, and the parts' sums.
// CHECK-LABEL: func.func @rows_in_parts
// CHECK: %[[SPLIT:.*]] = np.choice "rows of columns in parts"
// CHECK: scf.if %[[SPLIT]] {
// CHECK: %[[PARTIALS:.*]] = np.alloc(%{{.*}}, %{{.*}}) : memref<?x?xf32>
// CHECK: np.kernel
// CHECK: llvm.loop_annotation
// CHECK: memref.store %{{.*}}, %[[PARTIALS]]
// CHECK: np.kernel
// CHECK: memref.load %[[PARTIALS]]
// CHECK: npcc.short
// CHECK: np.release %[[PARTIALS]]
// CHECK: } else {
// CHECK: np.choice "few columns"
// Four rows at a time go into the sums.
// CHECK: scf.for {{.*}} step %c4
// CHECK: scf.for
// CHECK: arith.addf
// CHECK: arith.addf
// CHECK: arith.addf
// CHECK: arith.addf
func.func @rows_in_parts(%a: memref<?x?xf32>, %out: memref<?xf32>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  np.kernel (%i) = (%n) {
    %s = scf.parallel (%k) = (%c0) to (%m) step (%c1) init (%zero) -> f32 {
      %x = memref.load %a[%k, %i] : memref<?x?xf32>
      scf.reduce(%x : f32) {
      ^bb0(%l: f32, %r: f32):
        %t = arith.addf %l, %r : f32
        scf.reduce.return %t : f32
      }
    }
    memref.store %s, %out[%i] : memref<?xf32>
  }
  return
}
