// np.kernel: its form, and the axes that it does not need.
// RUN: npcc-opt %s | npcc-opt | FileCheck %s
// RUN: npcc-opt %s --canonicalize | FileCheck %s --check-prefix=CANONICAL

// CHECK-LABEL: func.func @map
// CHECK:       np.kernel (%[[I:.*]], %[[J:.*]]) = (%{{.*}}, %{{.*}}) {
// CHECK-NEXT:    memref.load %{{.*}}[%[[I]], %[[J]]]
// CHECK:       }
// CANONICAL-LABEL: func.func @map
// CANONICAL:       np.kernel (%[[J:.*]]) = (%{{.*}}) {
// CANONICAL-NEXT:    memref.load %{{.*}}[%c0, %[[J]]]
func.func @map(%x: memref<?x?xf64>, %n: index) {
  %c1 = arith.constant 1 : index
  np.kernel (%i, %j) = (%c1, %n) {
    %v = memref.load %x[%i, %j] : memref<?x?xf64>
    %w = arith.addf %v, %v : f64
    memref.store %w, %x[%i, %j] : memref<?x?xf64>
  }
  return
}

// CHECK-LABEL: func.func @full
// CHECK:       np.kernel rows (%{{.*}}, %{{.*}}) = (%{{.*}}, %{{.*}}) cut never cold {
// CHECK:       } {note = 3 : i64}
// The last axis stays, even if it is one iteration.
// CANONICAL-LABEL: func.func @full
// CANONICAL:       np.kernel rows (%{{.*}}) = (%c1) cut never cold {
// CANONICAL:         memref.store %{{.*}}, %{{.*}}[%c0]
func.func @full(%x: memref<?xf64>, %y: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  np.kernel rows (%i, %j) = (%c1, %c1) cut never cold {
    %s = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%z) -> f64 {
      %v = memref.load %x[%k] : memref<?xf64>
      scf.reduce(%v : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %b, %a : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %s, %y[%j] : memref<?xf64>
  } {note = 3}
  return
}

// CHECK-LABEL: func.func @steps
// CHECK:       np.kernel steps (%{{.*}}) = (%{{.*}}) by grid {
// CHECK:       np.kernel steps (%{{.*}}) = (%{{.*}}) by rows beside begins {
// CHECK:       np.kernel steps (%{{.*}}) = (%{{.*}}) beside joins {
func.func @steps(%x: memref<?xf64>, %n: index, %z: f64) {
  np.kernel steps (%i) = (%n) by grid {
    memref.store %z, %x[%i] : memref<?xf64>
  }
  np.kernel steps (%i) = (%n) by rows beside begins {
    memref.store %z, %x[%i] : memref<?xf64>
  }
  np.kernel steps (%i) = (%n) by block beside joins {
    memref.store %z, %x[%i] : memref<?xf64>
  }
  return
}

// What stores nothing is not needed.
// CANONICAL-LABEL: func.func @empty
// CANONICAL-NEXT:  return
func.func @empty(%x: memref<?xf64>, %n: index) {
  np.kernel (%i) = (%n) {
    %v = memref.load %x[%i] : memref<?xf64>
  }
  return
}
