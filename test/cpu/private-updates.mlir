// RUN: npcc-opt %s --npcc-private-updates --mlir-print-local-scope | FileCheck %s

// Many elements for each bin: chunks sum into copies of their own, which are summed in order. Otherwise the loop in order.
// CHECK-LABEL: func.func @count
// CHECK:       %[[BINS:.*]] = memref.dim %arg1
// CHECK:       %[[LEAST:.*]] = arith.maxui
// CHECK:       %[[MOST:.*]] = arith.divui %{{.*}}, %[[LEAST]]
// CHECK:       %[[CHUNKS:.*]] = arith.minui %[[MOST]], %c64
// CHECK:       np.alternatives {{.*}}
// CHECK:         %[[SIZE:.*]] = arith.muli %[[CHUNKS]], %[[BINS]]
// CHECK:         %[[OWN:.*]] = np.alloc(%[[SIZE]]) : memref<?xi64>
// CHECK:         np.kernel (%[[C:.*]]) = (%[[CHUNKS]])
// CHECK:           scf.for
// CHECK:             memref.store %c0_i64, %[[OWN]]
// CHECK:           scf.for
// CHECK:             %[[BIN:.*]] = memref.load %arg0
// CHECK:             %[[OLD:.*]] = memref.load %[[OWN]]
// CHECK:             arith.addi %[[OLD]]
// CHECK:             memref.store %{{.*}}, %[[OWN]]
// CHECK:         np.kernel ({{.*}}) = (%[[BINS]])
// CHECK:           %[[FIRST:.*]] = memref.load %arg1
// CHECK:           %[[SUM:.*]] = scf.for {{.*}} to %[[CHUNKS]] {{.*}} iter_args(%{{.*}} = %[[FIRST]])
// CHECK:           memref.store %[[SUM]], %arg1
// CHECK:         np.release %[[OWN]]
// CHECK:       } or {
// CHECK-NOT:     np.kernel
// CHECK:         scf.for
// CHECK:           memref.load %arg1
// CHECK:           memref.store %{{.*}}, %arg1
// CHECK-NOT:   memref.atomic_rmw
func.func @count(%x: memref<?xindex>, %out: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 1 : i64
  %n = memref.dim %x, %c0 : memref<?xindex>
  np.kernel (%i) = (%n) {
    %p = memref.load %x[%i] : memref<?xindex>
    %old = memref.atomic_rmw addi %v, %out[%p] : (i64, memref<?xi64>) -> i64
  }
  return
}

// The least of each bin begins with the greatest number. Two arrays, two axes.
// CHECK-LABEL: func.func @two
// CHECK:         np.kernel
// CHECK:           memref.store %c127_i8
// CHECK:           memref.store %c0_i32
// CHECK:             arith.divui
// CHECK:             scf.if
// CHECK:               arith.minsi
// CHECK:             arith.ori
// CHECK:       } or {
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK-NOT:   memref.atomic_rmw
func.func @two(%x: memref<?x?xindex>, %low: memref<?x3xi8>, %bits: memref<i32>, %v: i8, %w: i32, %some: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x?xindex>
  %m = memref.dim %x, %c1 : memref<?x?xindex>
  np.kernel (%i, %j) = (%n, %m) {
    %p = memref.load %x[%i, %j] : memref<?x?xindex>
    scf.if %some {
      %old = memref.atomic_rmw mins %v, %low[%p, %c1] : (i8, memref<?x3xi8>) -> i8
    }
    %old = memref.atomic_rmw ori %w, %bits[] : (i32, memref<i32>) -> i32
  }
  return
}
