// RUN: npcc-opt %s --npcc-hoist-invariants | FileCheck %s

// The sum of squares of an array that the loop does not change is computed before it; the product of the loop stays.
// CHECK-LABEL: func.func @sum_of_squares
// CHECK:       %[[X:.*]] = np.load %{{.*}} : !np.array<?xf64> -> tensor<?xf64>
// CHECK:       %[[SQUARES:.*]] = np.ufunc "multiply"(%[[X]], %[[X]])
// CHECK:       %[[SUM:.*]] = np.reduce "add" %[[SQUARES]]
// CHECK:       scf.for
// CHECK-NOT:   np.reduce
// CHECK:         np.ufunc "multiply"(%{{.*}}, %[[SUM]])
func.func @sum_of_squares(%x: !np.array<?xf64>, %y: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%z = %y) -> (tensor<?xf64>) {
    %v = np.load %x : !np.array<?xf64> -> tensor<?xf64>
    %squares = np.ufunc "multiply"(%v, %v) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %sum = np.reduce "add" %squares axes [0] : tensor<?xf64> -> tensor<f64>
    %next = np.ufunc "multiply"(%z, %sum) : (tensor<?xf64>, tensor<f64>) -> tensor<?xf64>
    scf.yield %next : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// An array that the loop stores to is summed anew in each iteration.
// CHECK-LABEL: func.func @stored
// CHECK:       scf.for
// CHECK:         np.reduce
func.func @stored(%x: !np.array<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = np.load %x : !np.array<?xf64> -> tensor<?xf64>
    %sum = np.reduce "add" %v axes [0] : tensor<?xf64> -> tensor<f64>
    np.store %sum, %x : tensor<f64>, !np.array<?xf64>
  }
  return
}

// In the general version of a function, two arguments may be one array.
// CHECK-LABEL: func.func @perhaps_stored
// CHECK:       scf.for
// CHECK:         np.reduce
func.func @perhaps_stored(%x: !np.array<?xf64>, %y: !np.array<?xf64>, %n: index) attributes {np.general} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = np.load %x : !np.array<?xf64> -> tensor<?xf64>
    %sum = np.reduce "add" %v axes [0] : tensor<?xf64> -> tensor<f64>
    np.store %sum, %y : tensor<f64>, !np.array<?xf64>
  }
  return
}

// Out of both loops; what is computed of single elements is no work for a kernel of its own, and neither is what only
// some iterations compute.
// CHECK-LABEL: func.func @nested
// CHECK:       np.matmul
// CHECK:       scf.for
// CHECK-NOT:   np.matmul
// CHECK:         scf.for
// CHECK:           np.ufunc "exp"
// CHECK:           scf.if
// CHECK:             np.sort
func.func @nested(%a: tensor<?x?xf64>, %y: !np.array<?x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %product = np.matmul %a, %a : tensor<?x?xf64>, tensor<?x?xf64> -> tensor<?x?xf64>
      %e = np.ufunc "exp"(%a) : (tensor<?x?xf64>) -> tensor<?x?xf64>
      %s = np.ufunc "add"(%product, %e) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
      np.store %s, %y : tensor<?x?xf64>, !np.array<?x?xf64>
      %is = arith.cmpi eq, %i, %j : index
      scf.if %is {
        %sorted = np.sort %a positions false : tensor<?x?xf64> -> tensor<?x?xf64>
        np.store %sorted, %y : tensor<?x?xf64>, !np.array<?x?xf64>
      }
    }
  }
  return
}

// Behind a check of extents nothing leaves the loop: the product may read what is not there.
// CHECK-LABEL: func.func @checked
// CHECK:       scf.for
// CHECK:         np.assert
// CHECK:         np.matmul
func.func @checked(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %y: !np.array<?x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = np.dim %a, 1 : tensor<?x?xf64>
  %l = np.dim %b, 0 : tensor<?x?xf64>
  %agree = arith.cmpi eq, %k, %l : index
  scf.for %i = %c0 to %n step %c1 {
    np.assert %agree, "ValueError" "they do not fit"()
    %product = np.matmul %a, %b : tensor<?x?xf64>, tensor<?x?xf64> -> tensor<?x?xf64>
    np.store %product, %y : tensor<?x?xf64>, !np.array<?x?xf64>
  }
  return
}

// A maximum of no element is an error in the loop, but harmless before it.
// CHECK-LABEL: func.func @perhaps_empty
// CHECK:       np.reduce
// CHECK:       scf.for
// CHECK:         np.assert
func.func @perhaps_empty(%x: tensor<?xf64>, %y: !np.array<f64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = np.dim %x, 0 : tensor<?xf64>
  %some = arith.cmpi ne, %k, %c0 : index
  scf.for %i = %c0 to %n step %c1 {
    np.assert %some, "ValueError" "nothing"()
    %m = np.reduce "maximum" %x axes [0] : tensor<?xf64> -> tensor<f64>
    np.store %m, %y : tensor<f64>, !np.array<f64>
  }
  return
}

// What is computed before a loop for two of its operations is taken for neither of them: the view is one of the places,
// though the operation that makes these may have the memory of one that has left the loop.
// CHECK-LABEL: func.func @two
// CHECK:       %[[SUM:.*]] = np.reduce "add" %{{.*}} -> tensor<ui64>
// CHECK:       %[[PLACES:.*]] = np.scan
// CHECK:       np.view %[[PLACES]] offsets
// CHECK:       scf.for
func.func @two(%b: !np.array<1xui8>, %a: !np.array<1xui64>, %c: !np.array<1xi64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = np.load %b : !np.array<1xui8> -> tensor<1xui8>
    %wide = np.cast %x : tensor<1xui8> -> tensor<1xui64>
    %sum = np.reduce "add" %wide axes [0] : tensor<1xui64> -> tensor<ui64>
    np.store %sum, %a : tensor<ui64>, !np.array<1xui64>
    %mask = np.cast %x : tensor<1xui8> -> tensor<1xi1>
    %ones = np.cast %mask : tensor<1xi1> -> tensor<1xi64>
    %places = np.scan "add" %ones axis 0 : tensor<1xi64> -> tensor<1xi64>
    %last = np.view %places offsets[%c0] axes [0] extents[%c1] steps[%c1] : tensor<1xi64> -> tensor<?xi64>
    %count = np.reduce "add" %last axes [0] : tensor<?xi64> -> tensor<i64>
    np.store %count, %c : tensor<i64>, !np.array<1xi64>
  }
  return
}
