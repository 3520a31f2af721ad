// RUN: npcc-opt %s --npcc-lower-checks | FileCheck %s

// CHECK-DAG: llvm.mlir.global internal constant @[[$FILE:.*]]("script.py\00")
// CHECK-DAG: llvm.mlir.global internal constant @{{.*}}("shape mismatch: indexing arrays could not be broadcast together with shapes ({0},) ({1},{2}) \00")
// CHECK-DAG: llvm.mlir.global internal constant @{{.*}}("negative dimensions {0}\00")
// CHECK-DAG: llvm.func @npcc_rt_fail_index(i64, i64, i64, !llvm.ptr, i32) attributes {passthrough = ["noreturn", "cold"]}

// CHECK-LABEL: func.func @index
// CHECK-SAME: %[[I:.*]]: index, %[[N:.*]]: index
// CHECK: %[[NEGATIVE:.*]] = arith.cmpi slt, %[[I]], %c0{{.*}}
// CHECK: %[[WRAPPED:.*]] = arith.addi %[[I]], %[[N]]
// CHECK: %[[P:.*]] = arith.select %[[NEGATIVE]], %[[WRAPPED]], %[[I]]
// CHECK: %[[OUTSIDE:.*]] = arith.cmpi uge, %[[P]], %[[N]]
// CHECK: scf.if %[[OUTSIDE]] {
// CHECK: llvm.mlir.addressof @[[$FILE]]
// CHECK: llvm.mlir.constant(7 : i32)
// CHECK: llvm.call @npcc_rt_fail_index
// CHECK: return %[[P]]
func.func @index(%i: index, %n: index) -> index {
  %p = np.check_index %i of %n axis 1 loc("script.py":7:3)
  return %p : index
}

// CHECK-LABEL: func.func @broadcast
// CHECK: llvm.call @npcc_rt_fail_broadcast(
// CHECK: llvm.call @npcc_rt_fail_broadcast_store(
// CHECK: llvm.mlir.constant(1 : i32)
// CHECK: llvm.call @npcc_rt_fail_format(
func.func @broadcast(%n: index, %m: index) -> (index, index, index) {
  %a = np.broadcast_extent "ufunc" %n, %m shapes [%n, %m] lhs_rank 1
  %b = np.broadcast_extent "store" %n, %m shapes [%n, %m] lhs_rank 1
  %c = np.broadcast_extent "indices" %n, %m shapes [%n, %n, %m] lhs_rank 1
  return %a, %b, %c : index, index, index
}

// CHECK-LABEL: func.func @assert
// CHECK: scf.if
// CHECK: llvm.mlir.constant(2 : i32)
// CHECK: llvm.call @npcc_rt_fail_format
func.func @assert(%good: i1, %n: index) {
  np.assert %good, "ValueError" "negative dimensions {0}"(%n) : index
  return
}

// CHECK-LABEL: func.func @print
// CHECK: llvm.call @npcc_rt_print
func.func @print(%x: f64) {
  np.print ["x = ", [0, ".3f"], "\n"](%x) : f64
  return
}

// The pieces of a string are those of a print(); a string's number is one of them.
// CHECK-LABEL: func.func @text
// CHECK: %[[NUMBER:.*]] = llvm.call @npcc_rt_text(
// CHECK: return %[[NUMBER]]
func.func @text(%x: f64, %s: i64) -> i64 {
  %t = np.text ["x = ", [0, ".3f"], [1, "", "text"]](%x, %s) : f64, i64
  return %t : i64
}
