// Running reductions: long lines are cut into parts, a team of threads takes a line; what is no scan stays a thread's loop.
// RUN: npcc-opt %s --npcc-classify-kernels --npcc-split-scans | FileCheck %s --check-prefix=SPLIT
// RUN: npcc-opt %s --npcc-classify-kernels --npcc-map-kernels --canonicalize --cse | FileCheck %s

// SPLIT-LABEL: func.func @cumsum
// SPLIT:       %[[LONG:.*]] = arith.cmpi sge, %{{.*}}, %c32768
// SPLIT:       scf.if
// SPLIT:         %[[TOTALS:.*]] = np.alloc(%c1{{[_0-9]*}}, %[[PARTS:.*]]) : memref<?x?xf64>
// SPLIT:         np.kernel (%{{.*}}, %{{.*}}) = (%c1{{[_0-9]*}}, %[[PARTS]])
// SPLIT:           scf.parallel {{.*}} -> f64
// SPLIT:           memref.store %{{.*}}, %[[TOTALS]]
// SPLIT:         np.kernel
// SPLIT:           scf.for {{.*}} to %[[PARTS]]
// SPLIT:             memref.store %{{.*}}, %[[TOTALS]]
// SPLIT:           } {np.scan}
// SPLIT:         np.kernel (%{{.*}}, %{{.*}}) = (%c1{{[_0-9]*}}, %[[PARTS]])
// SPLIT:           %[[BEFORE:.*]] = memref.load %[[TOTALS]]
// SPLIT:           %[[START:.*]] = arith.select %{{.*}}, %{{.*}}, %[[BEFORE]]
// SPLIT:           scf.for {{.*}} iter_args(%{{.*}} = %[[START]])
// SPLIT:             memref.store
// SPLIT:           } {np.scan}
// SPLIT:         np.release %[[TOTALS]]
// SPLIT:       } else {

// CHECK-LABEL: func.func @cumsum
// CHECK:       gpu.launch {{.*}} workgroup(%[[SHARED:.*]] : memref<8xf64, #gpu.address_space<workgroup>>)
// CHECK:         scf.for
// Four groups of elements at once, five shuffles each, and one for its total.
// CHECK-COUNT-4:   llvm.load
// CHECK-COUNT-5:   gpu.shuffle up
// CHECK:           gpu.shuffle idx
// CHECK-COUNT-5:   gpu.shuffle up
// CHECK:           gpu.barrier
// CHECK-COUNT-8:   memref.load %[[SHARED]]
// CHECK-COUNT-4:   llvm.store
// CHECK:       npcc.class = "scan"
func.func @cumsum(%x: memref<?xf64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  np.kernel (%i) = (%c1) {
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%t = %z) -> (f64) {
      %u = memref.load %x[%k] : memref<?xf64>
      %s = arith.addf %t, %u : f64
      memref.store %s, %y[%k] : memref<?xf64>
      scf.yield %s : f64
    } {np.scan}
  }
  return
}

// A program's own loop adds floats in its order.
// SPLIT-LABEL: func.func @in_order
// SPLIT-NOT:   scf.if
// CHECK-LABEL: func.func @in_order
// CHECK:       npcc.class = "map"
func.func @in_order(%x: memref<?xf64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  np.kernel (%i) = (%c1) {
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%t = %z) -> (f64) {
      %u = memref.load %x[%k] : memref<?xf64>
      %s = arith.addf %t, %u : f64
      memref.store %s, %y[%k] : memref<?xf64>
      scf.yield %s : f64
    }
  }
  return
}

// What it reads it has written elsewhere: a recurrence.
// SPLIT-LABEL: func.func @recurrence
// SPLIT-NOT:   scf.if
// CHECK-LABEL: func.func @recurrence
// CHECK:       npcc.class = "map"
func.func @recurrence(%x: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i64
  %n = memref.dim %x, %c0 : memref<?xi64>
  np.kernel (%i) = (%c1) {
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%t = %z) -> (i64) {
      %u = memref.load %x[%k] : memref<?xi64>
      %s = arith.addi %t, %u : i64
      %next = arith.addi %k, %c1 : index
      memref.store %s, %x[%next] : memref<?xi64>
      scf.yield %s : i64
    } {np.scan}
  }
  return
}

// Lines across the contiguous axis: a thread each, or each part of them.
// SPLIT-LABEL: func.func @columns
// SPLIT:       scf.if
// CHECK-LABEL: func.func @columns
// CHECK:       npcc.class = "map"
func.func @columns(%x: memref<?x?xf64>, %y: memref<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %m = memref.dim %x, %c1 : memref<?x?xf64>
  np.kernel (%i) = (%m) {
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%t = %z) -> (f64) {
      %u = memref.load %x[%k, %i] : memref<?x?xf64>
      %s = arith.addf %t, %u : f64
      memref.store %s, %y[%k, %i] : memref<?x?xf64>
      scf.yield %s : f64
    } {np.scan}
  }
  return
}
