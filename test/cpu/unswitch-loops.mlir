// A branch that all iterations of a kernel's innermost loop take is taken before the loop.
// RUN: npcc-opt %s --npcc-outline-kernels --npcc-unswitch-loops | FileCheck %s

// CHECK-LABEL: func.func private @{{.*}}choose
// CHECK:         scf.for
// CHECK:           arith.cmpi slt
// CHECK:           scf.if
// CHECK:             memref.load {{.*}} memref<?xi8>
// CHECK:             scf.if
// CHECK-NEXT:          scf.for
// CHECK:                 math.sqrt
// CHECK-NOT:             scf.if
// CHECK:                 memref.store
// CHECK:             } else {
// CHECK-NEXT:          scf.for
// CHECK:                 arith.addf
// CHECK-NOT:             scf.if
// CHECK:                 memref.store
func.func @choose(%x: memref<?x?xf64>, %m: memref<?xi8>, %y: memref<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i8
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %l = memref.dim %x, %c1 : memref<?x?xf64>
  np.kernel (%i, %j) = (%n, %l) {
    %k = memref.load %m[%i] : memref<?xi8>
    %c = arith.cmpi ne, %k, %z : i8
    %u = memref.load %x[%i, %j] : memref<?x?xf64>
    %v = scf.if %c -> f64 {
      %s = math.sqrt %u : f64
      scf.yield %s : f64
    } else {
      %s = arith.addf %u, %u : f64
      scf.yield %s : f64
    }
    memref.store %v, %y[%i, %j] : memref<?x?xf64>
  }
  return
}

// A branch for each element stays where it is.
// CHECK-LABEL: func.func private @{{.*}}elements
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             memref.load {{.*}} memref<?x?xi8>
// CHECK:             scf.if
func.func @elements(%x: memref<?x?xf64>, %m: memref<?x?xi8>, %y: memref<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i8
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %l = memref.dim %x, %c1 : memref<?x?xf64>
  np.kernel (%i, %j) = (%n, %l) {
    %k = memref.load %m[%i, %j] : memref<?x?xi8>
    %c = arith.cmpi ne, %k, %z : i8
    %u = memref.load %x[%i, %j] : memref<?x?xf64>
    %v = scf.if %c -> f64 {
      %s = math.sqrt %u : f64
      scf.yield %s : f64
    } else {
      scf.yield %u : f64
    }
    memref.store %v, %y[%i, %j] : memref<?x?xf64>
  }
  return
}

// Positions that are 0 where an extent is 1: both are asked for before the loop, which then reads by its own position.
// CHECK-LABEL: func.func private @{{.*}}broadcast
// CHECK:         %[[SOME:.*]] = arith.xori
// CHECK:         %[[OWN:.*]] = arith.andi %[[SOME]]
// CHECK:         scf.if %[[OWN]]
// CHECK-NEXT:      scf.for %[[J:.*]] =
// CHECK-NOT:         arith.select
// CHECK:             memref.load %{{.*}}[%[[J]]]
// CHECK-NEXT:        memref.load %{{.*}}[%[[J]]]
// CHECK:         } else {
// CHECK-NEXT:      scf.for
// CHECK:             arith.select
// CHECK:             arith.select
func.func @broadcast(%x: memref<?xf64>, %y: memref<?xf64>, %z: memref<?xf64>, %one: i1, %many: i1) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %z, %c0 : memref<?xf64>
  np.kernel (%j) = (%n) {
    %p = arith.select %one, %c0, %j : index
    %q = arith.select %many, %p, %c0 : index
    %u = memref.load %x[%p] : memref<?xf64>
    %v = memref.load %y[%q] : memref<?xf64>
    %s = arith.addf %u, %v : f64
    memref.store %s, %z[%j] : memref<?xf64>
  }
  return
}
