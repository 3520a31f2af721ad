// RUN: npcc-opt %s --npcc-copy-carried-parts | FileCheck %s

// CHECK-LABEL: func.func @rows
// CHECK:       scf.for
// CHECK:         %[[NEXT:.*]] = np.new
// CHECK:         %[[ROW:.*]] = np.view %arg0
// CHECK:         %[[VALUE:.*]] = np.load %[[ROW]]
// CHECK:         %[[COPY:.*]] = np.new %[[VALUE]]
// CHECK:         scf.yield %[[NEXT]], %[[COPY]]
func.func @rows(%a: !np.array<?x?xf64>, %x: !np.array<?xf64>, %v: !np.array<?xf64>, %n: index, %m: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x, %q = %v) -> (!np.array<?xf64>, !np.array<?xf64>) {
    %f = np.load %p : !np.array<?xf64> -> tensor<?xf64>
    %g = np.load %q : !np.array<?xf64> -> tensor<?xf64>
    %s = np.ufunc "add"(%f, %g) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %next = np.new %s : tensor<?xf64> -> !np.array<?xf64>
    %row = np.view %a offsets[%i, %c0] axes [1] extents[%m] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
    scf.yield %next, %row : !np.array<?xf64>, !np.array<?xf64>
  }
  %t = np.load %r#0 : !np.array<?xf64> -> tensor<?xf64>
  return %t : tensor<?xf64>
}

// Who gets the part itself would see what becomes of the array.
// CHECK-LABEL: func.func @returned
// CHECK:         %[[NEXT:.*]] = np.new
// CHECK:         %[[ROW:.*]] = np.view %arg0
// CHECK-NEXT:    scf.yield %[[NEXT]], %[[ROW]]
func.func @returned(%a: !np.array<?x?xf64>, %x: !np.array<?xf64>, %v: !np.array<?xf64>, %n: index, %m: index) -> !np.array<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x, %q = %v) -> (!np.array<?xf64>, !np.array<?xf64>) {
    %f = np.load %p : !np.array<?xf64> -> tensor<?xf64>
    %next = np.new %f : tensor<?xf64> -> !np.array<?xf64>
    %row = np.view %a offsets[%i, %c0] axes [1] extents[%m] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
    scf.yield %next, %row : !np.array<?xf64>, !np.array<?xf64>
  }
  return %r#1 : !np.array<?xf64>
}

// What is changed behind the loop is read there as it is then.
// CHECK-LABEL: func.func @changed_behind
// CHECK:         %[[ROW:.*]] = np.view %arg0
// CHECK-NEXT:    scf.yield %{{.*}}, %[[ROW]]
func.func @changed_behind(%a: !np.array<?x?xf64>, %x: !np.array<?xf64>, %v: !np.array<?xf64>, %n: index, %m: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x, %q = %v) -> (!np.array<?xf64>, !np.array<?xf64>) {
    %f = np.load %p : !np.array<?xf64> -> tensor<?xf64>
    %next = np.new %f : tensor<?xf64> -> !np.array<?xf64>
    %row = np.view %a offsets[%i, %c0] axes [1] extents[%m] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
    scf.yield %next, %row : !np.array<?xf64>, !np.array<?xf64>
  }
  np.store %zero, %a : f64, !np.array<?x?xf64>
  %t = np.load %r#1 : !np.array<?xf64> -> tensor<?xf64>
  return %t : tensor<?xf64>
}

// A sum in the loop would keep it from being a kernel of each position's own steps.
// CHECK-LABEL: func.func @sums
// CHECK:         %[[ROW:.*]] = np.view %arg0
// CHECK-NEXT:    scf.yield %{{.*}}, %[[ROW]]
func.func @sums(%a: !np.array<?x?xf64>, %x: !np.array<?xf64>, %v: !np.array<?xf64>, %n: index, %m: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x, %q = %v) -> (!np.array<?xf64>, !np.array<?xf64>) {
    %f = np.load %p : !np.array<?xf64> -> tensor<?xf64>
    %sum = np.reduce "add" %f axes [0] : tensor<?xf64> -> tensor<f64>
    %s = np.ufunc "add"(%f, %sum) : (tensor<?xf64>, tensor<f64>) -> tensor<?xf64>
    %next = np.new %s : tensor<?xf64> -> !np.array<?xf64>
    %row = np.view %a offsets[%i, %c0] axes [1] extents[%m] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
    scf.yield %next, %row : !np.array<?xf64>, !np.array<?xf64>
  }
  %t = np.load %r#0 : !np.array<?xf64> -> tensor<?xf64>
  return %t : tensor<?xf64>
}
