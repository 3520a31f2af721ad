// RUN: npcc-opt %s --npcc-lower-folds | FileCheck %s
// RUN: npcc-opt %s --npcc-lower-folds=keep-scans | FileCheck %s --check-prefix=KEEP

// CHECK-LABEL: func.func @running
// CHECK:       np.kernel scan
// CHECK-NEXT:    %[[ZERO:.*]] = arith.constant 0 : index
// CHECK:         %[[S:.*]]:2 = scf.for %[[K:.*]] = %[[ZERO]] to %{{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}) -> (f64, f64)
// CHECK-NEXT:      %[[X:.*]] = memref.load %{{.*}}[%[[K]]]
// CHECK-NEXT:      %[[P:.*]] = arith.addf %[[A]], %[[X]]
// CHECK-NEXT:      %[[Q:.*]] = arith.mulf %[[B]], %[[X]]
// CHECK-NEXT:      memref.store %[[P]], %{{.*}}[%[[K]]]
// CHECK-NEXT:      scf.yield %[[P]], %[[Q]]
// CHECK:         memref.store %[[S]]#1
// A scan's emitter takes it as it is.
// KEEP-LABEL: func.func @running
// KEEP:         np.fold ordered
func.func @running(%x: memref<?xf64>, %y: memref<?xf64>, %z: memref<f64>, %n: index) {
  %c1 = arith.constant 1 : index
  %none = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  np.kernel scan (%i) = (%c1) {
    %s:2 = np.fold ordered %n init(%none, %one) {
    ^bb0(%k: index):
      %u = memref.load %x[%k] : memref<?xf64>
      np.yield %u : f64
    } combine {
    ^bb0(%a: f64, %b: f64, %u: f64):
      %p = arith.addf %a, %u : f64
      %q = arith.mulf %b, %u : f64
      np.yield %p, %q : f64, f64
    } each {
    ^bb0(%k: index, %p: f64, %q: f64):
      memref.store %p, %y[%k] : memref<?xf64>
      np.yield
    } : f64, f64
    memref.store %s#1, %z[] : memref<f64>
  }
  return
}

// KEEP-LABEL: func.func @lines
// KEEP:       np.kernel map
// KEEP-NOT:     np.fold
func.func @lines(%x: memref<?x?xf64>, %y: memref<?xf64>, %n: index, %m: index) {
  %z = arith.constant 0.0 : f64
  np.kernel map (%i) = (%n) {
    %s = np.fold ordered %m init(%z) {
    ^bb0(%k: index):
      %u = memref.load %x[%i, %k] : memref<?x?xf64>
      np.yield %u : f64
    } combine {
    ^bb0(%t: f64, %u: f64):
      %v = arith.addf %t, %u : f64
      np.yield %v : f64
    } each {
    ^bb0(%k: index, %v: f64):
      np.yield
    } : f64
    memref.store %s, %y[%i] : memref<?xf64>
  }
  return
}
