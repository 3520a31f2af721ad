// Arrays that change places stay, and iterations take turns.
// RUN: npcc-opt %s --npcc-alternate-steps | FileCheck %s

// CHECK-LABEL: func.func @two
// CHECK:       scf.for %[[K:.*]] = %c0 to %arg2 step %c1 {
// CHECK:         %[[TURN:.*]] = arith.remui %{{.*}}, %c2
// CHECK:         %[[FIRST:.*]] = arith.cmpi eq, %[[TURN]], %c0
// CHECK:         scf.if %[[FIRST]] {
// CHECK:           memref.load %arg0
// CHECK:           memref.store %{{.*}}, %arg1
// CHECK:         } else {
// CHECK:           memref.load %arg1
// CHECK:           memref.store %{{.*}}, %arg0
// An even number of iterations: as before.
// CHECK:       %[[LAST:.*]] = arith.remui
// CHECK:       %[[EVEN:.*]] = arith.cmpi eq, %[[LAST]], %c0
// CHECK:       %[[A:.*]] = scf.if %[[EVEN]] -> (memref<?xf64>) {
// CHECK-NEXT:    scf.yield %arg0
// CHECK:         scf.yield %arg1
// CHECK:       return %[[A]]
func.func @two(%x: memref<?xf64>, %y: memref<?xf64>, %steps: index, %n: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %k = %c0 to %steps step %c1 iter_args(%a = %x, %b = %y) -> (memref<?xf64>, memref<?xf64>) {
    np.kernel (%i) = (%n) {
      %u = memref.load %a[%i] : memref<?xf64>
      memref.store %u, %b[%i] : memref<?xf64>
    }
    scf.yield %b, %a : memref<?xf64>, memref<?xf64>
  }
  return %r#0 : memref<?xf64>
}

// A while counts its turns. The number that goes round in memory is made before the turns part.
// CHECK-LABEL: func.func @until
// CHECK:       %[[R:.*]] = scf.while (%[[E:.*]] = %arg2, %[[T:.*]] = %c0{{.*}}) : (memref<f64>, index) -> index {
// CHECK:         scf.condition(%{{.*}}) %[[T]] : index
// CHECK:       ^bb0(%[[T:.*]]: index):
// CHECK:         %[[NEW:.*]] = np.alloc() : memref<f64>
// CHECK:         scf.if
// CHECK:           memref.store %{{.*}}, %[[NEW]]
// CHECK:         } else {
// CHECK:           memref.store %{{.*}}, %[[NEW]]
// CHECK:         %[[NEXT:.*]] = arith.remui
// CHECK:         scf.yield %[[NEW]], %[[NEXT]]
// CHECK:       arith.cmpi eq, %[[R]], %c0
func.func @until(%x: memref<?xf64>, %y: memref<?xf64>, %error: memref<f64>, %n: index, %least: f64) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %r:2 = scf.while (%a = %x, %b = %y, %e = %error) : (memref<?xf64>, memref<?xf64>, memref<f64>) -> (memref<?xf64>, memref<?xf64>) {
    %now = memref.load %e[] : memref<f64>
    np.release %e : memref<f64>
    %more = arith.cmpf oge, %now, %least : f64
    scf.condition(%more) %a, %b : memref<?xf64>, memref<?xf64>
  } do {
  ^bb0(%a: memref<?xf64>, %b: memref<?xf64>):
    %e = np.alloc() : memref<f64>
    np.kernel (%i) = (%n) {
      %u = memref.load %a[%i] : memref<?xf64>
      memref.store %u, %b[%i] : memref<?xf64>
    }
    %u = memref.load %b[%c0] : memref<?xf64>
    memref.store %u, %e[] : memref<f64>
    scf.yield %b, %a, %e : memref<?xf64>, memref<?xf64>, memref<f64>
  }
  return %r#0 : memref<?xf64>
}

// One that is given back does not only change its place.
// CHECK-LABEL: func.func @given_back
// CHECK:       iter_args
func.func @given_back(%x: memref<?xf64>, %y: memref<?xf64>, %steps: index, %n: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %k = %c0 to %steps step %c1 iter_args(%a = %x, %b = %y) -> (memref<?xf64>, memref<?xf64>) {
    %t = np.alloc(%n) : memref<?xf64>
    np.kernel (%i) = (%n) {
      %u = memref.load %a[%i] : memref<?xf64>
      memref.store %u, %t[%i] : memref<?xf64>
    }
    np.release %a : memref<?xf64>
    scf.yield %b, %t : memref<?xf64>, memref<?xf64>
  }
  np.release %r#1 : memref<?xf64>
  return %r#0 : memref<?xf64>
}
