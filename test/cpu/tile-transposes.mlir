// RUN: npcc-opt %s --npcc-tile-transposes --mlir-print-local-scope | FileCheck %s

// CHECK-LABEL: func.func @transpose
// CHECK-SAME: %[[N:[a-z0-9]+]]: index, %[[M:[a-z0-9]+]]: index
// CHECK: %[[TN:.*]] = arith.ceildivui %[[N]], %c32
// CHECK: %[[TM:.*]] = arith.ceildivui %[[M]], %c32
// CHECK: np.kernel (%{{.*}}, %{{.*}}) = (%[[TN]], %[[TM]])
// CHECK: scf.for %[[I:.*]] =
// CHECK: scf.for %[[J:.*]] =
// CHECK: memref.load %{{.*}}[%[[J]], %[[I]]]
// CHECK: memref.store %{{.*}}[%[[I]], %[[J]]]
// CHECK: llvm.loop_annotation
// CHECK: np.trips = 1024
func.func @transpose(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  np.kernel (%i, %j) = (%n, %m) {
    %x = memref.load %a[%j, %i] : memref<?x?xf64>
    memref.store %x, %b[%i, %j] : memref<?x?xf64>
  }
  return
}

// One column against all: nothing to tile.
// CHECK-LABEL: func.func @column
// CHECK-NOT: scf.for
// CHECK: return
func.func @column(%a: memref<?xf64>, %b: memref<?x?xf64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  np.kernel (%i, %j) = (%n, %m) {
    %x = memref.load %a[%i] : memref<?xf64>
    memref.store %x, %b[%i, %j] : memref<?x?xf64>
  }
  return
}
