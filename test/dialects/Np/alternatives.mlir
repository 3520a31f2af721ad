// What a pass offers beside the general code.
// RUN: npcc-opt %s | npcc-opt | FileCheck %s
// RUN: npcc-opt %s --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @stored
// CHECK:         np.alternatives "large" %arg1 {
// CHECK-NEXT:      memref.store
// CHECK-NEXT:    } or {
// CHECK-NEXT:    }
func.func @stored(%a: memref<f64>, %is: i1, %x: f64) {
  np.alternatives "large" %is {
    memref.store %x, %a[] : memref<f64>
  } or {
  }
  return
}

// CHECK-LABEL: func.func @given
// CHECK:         %[[R:.*]]:2 = np.alternatives "large" known_only needed %arg0 -> (f64, f64) {
// CHECK-NEXT:      np.yield %arg1, %arg2 : f64, f64
// CHECK-NEXT:    } or {
// CHECK-NEXT:      np.yield %arg2, %arg1 : f64, f64
// CHECK-NEXT:    }
func.func @given(%is: i1, %x: f64, %y: f64) -> (f64, f64) {
  %r:2 = np.alternatives "large" known_only needed %is -> (f64, f64) {
    np.yield %x, %y : f64, f64
  } or {
    np.yield %y, %x : f64, f64
  }
  return %r#0, %r#1 : f64, f64
}
