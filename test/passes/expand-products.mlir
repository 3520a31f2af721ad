// RUN: npcc-opt %s --npcc-expand-products --canonicalize --cse | FileCheck %s

// How large the products are is asked before the loop.
// CHECK-LABEL: func.func @small
// CHECK:       %[[SMALL:.*]] = arith.cmpi sle, %{{.*}}, %c512
// CHECK:       np.alternatives "small products in a loop" %[[SMALL]] {
// CHECK:         scf.for
// CHECK:           %[[A:.*]] = np.view %{{.*}} axes [0, -1, 1]
// CHECK:           %[[B:.*]] = np.view %{{.*}} axes [-1, 1, 0]
// CHECK:           %[[AB:.*]] = np.ufunc "multiply"(%[[A]], %[[B]])
// CHECK:           np.reduce "add" %[[AB]] axes [2] {product}
// CHECK:       } or {
// CHECK:         scf.for
// CHECK:           np.matmul
func.func @small(%a: !np.array<?x?x?xf64>, %out: !np.array<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = np.dim %a, 0 : !np.array<?x?x?xf64>
  %m = np.dim %a, 1 : !np.array<?x?x?xf64>
  %k = np.dim %a, 2 : !np.array<?x?x?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %one = np.view %a offsets[%i, %c0, %c0] axes [1, 2] extents[%m, %k] steps[%c1, %c1] : !np.array<?x?x?xf64> -> !np.array<?x?xf64>
    %x = np.load %one : !np.array<?x?xf64> -> tensor<?x?xf64>
    %p = np.matmul %x, %x : tensor<?x?xf64>, tensor<?x?xf64> -> tensor<?x?xf64>
    np.store %p, %out : tensor<?x?xf64>, !np.array<?x?xf64>
  }
  return
}

// Known extents need no question; a product that stands before a loop which takes its rows is left to a library.
// CHECK-LABEL: func.func @known
// CHECK-NOT:   scf.if
// CHECK:       np.reduce "add"
// CHECK-NOT:   scf.if
// CHECK:       np.matmul
func.func @known(%a: !np.array<4x4xf64>, %b: !np.array<?x?xf64>, %r: !np.array<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = np.load %a : !np.array<4x4xf64> -> tensor<4x4xf64>
    %p = np.matmul %x, %x : tensor<4x4xf64>, tensor<4x4xf64> -> tensor<4x4xf64>
    np.store %p, %a : tensor<4x4xf64>, !np.array<4x4xf64>
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = np.load %b : !np.array<?x?xf64> -> tensor<?x?xf64>
    %p = np.matmul %x, %x : tensor<?x?xf64>, tensor<?x?xf64> -> tensor<?x?xf64>
    scf.for %j = %c0 to %n step %c1 {
      %row = np.view %p offsets[%j, %c0] axes [1] extents[%n] steps[%c1] : tensor<?x?xf64> -> tensor<?xf64>
      np.store %row, %r : tensor<?xf64>, !np.array<?xf64>
    }
  }
  return
}

// On a device also where the loop carries something, and a product with a vector where it is larger.
// CHECK-LABEL: func.func @carried
// CHECK-DAG:   %[[MOST:.*]] = arith.constant 524288 : index
// CHECK:       arith.cmpi sle, %{{.*}}, %[[MOST]]
// CHECK:       %[[SUM:.*]] = np.alternatives {{.*}}
// CHECK:         %[[SHORT:.*]] = scf.for
// CHECK:           np.reduce "add"
// CHECK:         np.yield %[[SHORT]]
// CHECK:       } or {
// CHECK:         %[[LONG:.*]] = scf.for
// CHECK:           np.matmul
// CHECK:         np.yield %[[LONG]]
// CHECK:       return %[[SUM]]
// CHECK-LABEL: func.func @carried_on_the_host
// CHECK-NOT:   np.choice
func.func @carried(%a: !np.array<?x?xf64>, %v: !np.array<?x1xf64>, %out: !np.array<?x1xf64>, %n: index, %dt: f64) -> f64 attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%time = %zero) -> f64 {
    %x = np.load %a : !np.array<?x?xf64> -> tensor<?x?xf64>
    %y = np.load %v : !np.array<?x1xf64> -> tensor<?x1xf64>
    %p = np.matmul %x, %y : tensor<?x?xf64>, tensor<?x1xf64> -> tensor<?x1xf64>
    np.store %p, %out : tensor<?x1xf64>, !np.array<?x1xf64>
    %next = arith.addf %time, %dt : f64
    scf.yield %next : f64
  }
  return %t : f64
}
func.func @carried_on_the_host(%a: !np.array<?x?xf64>, %out: !np.array<?x?xf64>, %n: index, %dt: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%time = %zero) -> f64 {
    %x = np.load %a : !np.array<?x?xf64> -> tensor<?x?xf64>
    %p = np.matmul %x, %x : tensor<?x?xf64>, tensor<?x?xf64> -> tensor<?x?xf64>
    np.store %p, %out : tensor<?x?xf64>, !np.array<?x?xf64>
    %next = arith.addf %time, %dt : f64
    scf.yield %next : f64
  }
  return %t : f64
}
