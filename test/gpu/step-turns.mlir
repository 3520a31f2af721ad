// Arrays that go round in a loop that the grid runs have two places, which take turns; nothing is copied when an iteration ends.
// RUN: npcc-opt %s --npcc-enclose-steps | FileCheck %s

// CHECK-LABEL: func.func @turns
// CHECK:       np.alternatives "steps on the grid"
// CHECK:         %[[KEPT:.*]] = np.alloc(%{{.*}}) : memref<?xf64>
// CHECK:         %[[PAIR:.*]] = np.alloc(%{{.*}}) : memref<2x?xf64>
// CHECK:         np.kernel steps {{.*}} by grid {
// CHECK:           scf.parallel (%[[P:.*]]) =
// CHECK:             memref.load %[[KEPT]][%[[P]]]
// CHECK:             memref.store %{{.*}}, %[[PAIR]][%c0{{.*}}, %[[P]]]
// CHECK:           scf.for
// CHECK:             %[[TURN:.*]] = arith.andi %{{.*}}, %c1
// CHECK:             %[[OTHER:.*]] = arith.subi %c1{{.*}}, %[[TURN]]
// CHECK:             scf.parallel (%[[I:.*]]) =
// CHECK:               memref.load %[[PAIR]][%[[TURN]], %{{.*}}]
// CHECK:               memref.store %{{.*}}, %[[PAIR]][%[[OTHER]], %[[I]]]
// CHECK-NOT:         scf.parallel
// CHECK:           scf.parallel (%[[P:.*]]) =
// CHECK:             memref.load %[[PAIR]][%{{.*}}, %[[P]]]
// CHECK:             memref.store %{{.*}}, %[[KEPT]][%[[P]]]
// CHECK:         np.release %[[PAIR]]
// CHECK:         scf.yield %[[KEPT]]
func.func @turns(%x: memref<?xf64>, %steps: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  np.retain %x : memref<?xf64>
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%a = %x) -> (memref<?xf64>) {
    %b = np.alloc(%n) : memref<?xf64>
    np.kernel (%i) = (%n) {
      %j = arith.subi %n, %i : index
      %l = arith.subi %j, %c1 : index
      %u = memref.load %a[%l] : memref<?xf64>
      %v = math.sqrt %u : f64
      memref.store %v, %b[%i] : memref<?xf64>
    }
    np.release %a : memref<?xf64>
    scf.yield %b : memref<?xf64>
  }
  return %r : memref<?xf64>
}

// What the iteration began with is read after the new array has been written: it has one place, into which the new one is copied.
// CHECK-LABEL: func.func @reads_again
// CHECK-NOT:   memref<2x?xf64>
func.func @reads_again(%x: memref<?xf64>, %y: memref<?xf64>, %steps: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  np.retain %x : memref<?xf64>
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%a = %x) -> (memref<?xf64>) {
    %b = np.alloc(%n) : memref<?xf64>
    np.kernel (%i) = (%n) {
      %u = memref.load %a[%i] : memref<?xf64>
      %v = math.sqrt %u : f64
      memref.store %v, %b[%i] : memref<?xf64>
    }
    np.kernel (%i) = (%n) {
      %u = memref.load %a[%i] : memref<?xf64>
      memref.store %u, %y[%i] : memref<?xf64>
    }
    np.release %a : memref<?xf64>
    scf.yield %b : memref<?xf64>
  }
  return %r : memref<?xf64>
}

// Each thread needs its own elements only: nobody waits for others, and there is one place.
// CHECK-LABEL: func.func @own
// CHECK-NOT:   memref<2x?xf64>
func.func @own(%x: memref<?xf64>, %steps: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  %sums = np.alloc(%steps) : memref<?xf64>
  np.retain %x : memref<?xf64>
  %r = scf.for %k = %c0 to %steps step %c1 iter_args(%a = %x) -> (memref<?xf64>) {
    %b = np.alloc(%n) : memref<?xf64>
    np.kernel (%u) = (%c1) {
      %s = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%z) -> f64 {
        %e = memref.load %a[%i] : memref<?xf64>
        scf.reduce(%e : f64) { ^bb0(%l: f64, %m: f64):
          %t = arith.addf %l, %m : f64
          scf.reduce.return %t : f64 }
      }
      memref.store %s, %sums[%k] : memref<?xf64>
    }
    np.kernel (%i) = (%n) {
      %u = memref.load %a[%i] : memref<?xf64>
      %s = memref.load %sums[%k] : memref<?xf64>
      %v = arith.divf %u, %s : f64
      memref.store %v, %b[%i] : memref<?xf64>
    }
    np.release %a : memref<?xf64>
    scf.yield %b : memref<?xf64>
  }
  np.release %sums : memref<?xf64>
  return %r : memref<?xf64>
}
