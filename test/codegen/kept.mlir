// RUN: npcc-opt %s --npcc-convert-host-to-llvm | FileCheck %s

// The runtime is given and gives an npcc_array: dtype and rank are known, the rest comes back.
// CHECK-LABEL: llvm.func @keep
// CHECK: %[[N:.*]] = llvm.call @npcc_rt_keep(%{{.*}}) : (!llvm.ptr) -> i64
// CHECK: llvm.return %[[N]]
func.func @keep(%a: memref<?xf64>) -> i64 {
  %n = np.keep %a unsigned false : memref<?xf64>
  return %n : i64
}

// CHECK-LABEL: llvm.func @kept
// CHECK-SAME: %[[N:.*]]: i64
// CHECK: llvm.call @npcc_rt_kept(%[[N]], %[[RECORD:.*]]) : (i64, !llvm.ptr) -> ()
// CHECK: llvm.load
func.func @kept(%n: i64) -> index {
  %c1 = arith.constant 1 : index
  %a = np.kept %n unsigned true : memref<?x?xi8, strided<[?, ?], offset: ?>>
  %extent = memref.dim %a, %c1 : memref<?x?xi8, strided<[?, ?], offset: ?>>
  return %extent : index
}
