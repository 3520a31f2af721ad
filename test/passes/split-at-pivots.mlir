// RUN: npcc-opt %s --npcc-split-at-pivots | FileCheck %s

// The element that others of its row read, and the row that others read: three parts of each loop, in order.
// CHECK-LABEL: func @paths
// CHECK:         scf.for %[[K:.*]] = %c0 to %[[N:.*]] step
// CHECK:           scf.for %[[I:.*]] = %c0 to %[[K]] step
// CHECK:             scf.for %[[J:.*]] = %c0 to %[[K]] step
// CHECK:               memref.store %{{.*}}, %{{.*}}[%[[I]], %[[J]]]
// CHECK:             memref.store %{{.*}}, %{{.*}}[%[[I]], %[[K]]]
// CHECK:             scf.for %{{.*}} = %{{.*}} to %[[N]]
// CHECK:           scf.for %[[J:.*]] = %c0 to %[[K]] step
// CHECK:             memref.store %{{.*}}, %{{.*}}[%[[K]], %[[J]]]
// CHECK:           memref.store %{{.*}}, %{{.*}}[%[[K]], %[[K]]]
// CHECK:           scf.for %{{.*}} = %{{.*}} to %[[N]]
// CHECK:           scf.for %[[I:.*]] = %{{.*}} to %[[N]]
// CHECK:             scf.for %{{.*}} = %c0 to %[[K]] step
func.func @paths(%d: memref<?x?xf64>, %n: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %n step %c1 {
        %a = memref.load %d[%i, %k] : memref<?x?xf64>
        %b = memref.load %d[%k, %j] : memref<?x?xf64>
        %t = arith.addf %a, %b : f64
        %old = memref.load %d[%i, %j] : memref<?x?xf64>
        %less = arith.minimumf %t, %old : f64
        memref.store %less, %d[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}

// A pivot that may lie outside: the loop stays.
// CHECK-LABEL: func @elsewhere
// CHECK:         scf.for
// CHECK:           scf.for %{{.*}} = %c0 to %{{.*}} step
// CHECK-NOT:       scf.for
// CHECK:         return
func.func @elsewhere(%d: memref<?xf64>, %n: index, %m: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %m step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %a = memref.load %d[%k] : memref<?xf64>
      %b = memref.load %d[%j] : memref<?xf64>
      %t = arith.addf %a, %b : f64
      memref.store %t, %d[%j] : memref<?xf64>
    }
  }
  return
}

// An iteration needs the one before, on both sides of the pivot.
// CHECK-LABEL: func @recurrence
// CHECK:         scf.for
// CHECK:           scf.for %{{.*}} = %c1 to %{{.*}} step
// CHECK-NOT:       scf.for
// CHECK:         return
func.func @recurrence(%d: memref<?xf64>, %n: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c1 to %n step %c1 {
    scf.for %j = %c1 to %n step %c1 {
      %p = arith.subi %j, %c1 : index
      %a = memref.load %d[%k] : memref<?xf64>
      %b = memref.load %d[%p] : memref<?xf64>
      %t = arith.addf %a, %b : f64
      memref.store %t, %d[%j] : memref<?xf64>
    }
  }
  return
}
