// Rows that each meet many others: one of the two arrays is turned first.
// RUN: npcc-opt %s --npcc-turn-operands | FileCheck %s

// CHECK-LABEL: func.func @distances
// CHECK:         %[[T:.*]] = np.alloc(%[[D:.*]], %[[M:.*]]) : memref<?x?xf64>
// CHECK:         np.kernel (%[[K:.*]], %[[J:.*]]) = (%[[D]], %[[M]]) {
// CHECK-NEXT:      %[[E:.*]] = memref.load %arg1[%[[J]], %[[K]]]
// CHECK-NEXT:      memref.store %[[E]], %[[T]][%[[K]], %[[J]]]
// CHECK:         np.kernel (%[[I:.*]], %[[L:.*]]) =
// CHECK:           scf.parallel (%[[P:.*]]) =
// CHECK-NEXT:        memref.load %arg0[%[[I]], %[[P]]]
// CHECK-NEXT:        memref.load %[[T]][%[[P]], %[[L]]]
func.func @distances(%x: memref<?x?xf64> {np.first = array<i64: 1000, 16, 0>}, %y: memref<?x?xf64> {np.first = array<i64: 1000, 16, 0>}, %z: memref<?x?xf64>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %m = memref.dim %y, %c0 : memref<?x?xf64>
  %d = memref.dim %x, %c1 : memref<?x?xf64>
  np.kernel (%i, %j) = (%n, %m) {
    %s = scf.parallel (%k) = (%c0) to (%d) step (%c1) init (%zero) -> f64 {
      %a = memref.load %x[%i, %k] : memref<?x?xf64>
      %b = memref.load %y[%j, %k] : memref<?x?xf64>
      %e = arith.subf %a, %b : f64
      %f = math.absf %e : f64
      scf.reduce(%f : f64) {
      ^bb0(%p: f64, %q: f64):
        %r = arith.addf %p, %q : f64
        scf.reduce.return %r : f64
      }
    }
    memref.store %s, %z[%i, %j] : memref<?x?xf64>
  }
  return
}

// A weight for each pair and each number is read along the loop; few rows are not worth turning; what the kernel
// writes is not turned; without a first call nothing is known of the rows.
// CHECK-LABEL: func.func @weighted
// CHECK-NOT:     np.alloc
func.func @weighted(%x: memref<?x?xf64> {np.first = array<i64: 1000, 16, 0>}, %y: memref<?x?xf64> {np.first = array<i64: 1000, 16, 0>}, %w: memref<?x?x?xf64>, %z: memref<?x?xf64>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %m = memref.dim %y, %c0 : memref<?x?xf64>
  %d = memref.dim %x, %c1 : memref<?x?xf64>
  np.kernel (%i, %j) = (%n, %m) {
    %s = scf.parallel (%k) = (%c0) to (%d) step (%c1) init (%zero) -> f64 {
      %a = memref.load %w[%i, %j, %k] : memref<?x?x?xf64>
      %b = memref.load %y[%j, %k] : memref<?x?xf64>
      %e = arith.subf %a, %b : f64
      scf.reduce(%e : f64) {
      ^bb0(%p: f64, %q: f64):
        %r = arith.addf %p, %q : f64
        scf.reduce.return %r : f64
      }
    }
    memref.store %s, %z[%i, %j] : memref<?x?xf64>
  }
  return
}

// CHECK-LABEL: func.func @few
// CHECK-NOT:     np.alloc
func.func @few(%x: memref<?x?xf64> {np.first = array<i64: 10, 1600, 0>}, %y: memref<?x?xf64> {np.first = array<i64: 1000, 1600, 0>}, %z: memref<?x?xf64>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %m = memref.dim %y, %c0 : memref<?x?xf64>
  %d = memref.dim %x, %c1 : memref<?x?xf64>
  np.kernel (%i, %j) = (%n, %m) {
    %s = scf.parallel (%k) = (%c0) to (%d) step (%c1) init (%zero) -> f64 {
      %a = memref.load %x[%i, %k] : memref<?x?xf64>
      %b = memref.load %y[%j, %k] : memref<?x?xf64>
      %e = arith.subf %a, %b : f64
      scf.reduce(%e : f64) {
      ^bb0(%p: f64, %q: f64):
        %r = arith.addf %p, %q : f64
        scf.reduce.return %r : f64
      }
    }
    memref.store %s, %z[%i, %j] : memref<?x?xf64>
  }
  return
}

// CHECK-LABEL: func.func @unknown
// CHECK-NOT:     np.alloc
func.func @unknown(%x: memref<?x?xf64>, %y: memref<?x?xf64>, %z: memref<?x?xf64>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?x?xf64>
  %m = memref.dim %y, %c0 : memref<?x?xf64>
  %d = memref.dim %x, %c1 : memref<?x?xf64>
  np.kernel (%i, %j) = (%n, %m) {
    %s = scf.parallel (%k) = (%c0) to (%d) step (%c1) init (%zero) -> f64 {
      %a = memref.load %x[%i, %k] : memref<?x?xf64>
      %b = memref.load %y[%j, %k] : memref<?x?xf64>
      %e = arith.subf %a, %b : f64
      scf.reduce(%e : f64) {
      ^bb0(%p: f64, %q: f64):
        %r = arith.addf %p, %q : f64
        scf.reduce.return %r : f64
      }
    }
    memref.store %s, %z[%i, %j] : memref<?x?xf64>
  }
  return
}
