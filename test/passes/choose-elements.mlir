// RUN: npcc-opt %s --npcc-choose-elements | FileCheck %s

// y = x[i] / s if s > 0 else x[i]: an array that is only read.
// CHECK-LABEL: func.func @array
// CHECK:       scf.for
// CHECK:         %[[S:.*]] = np.reduce "add"
// CHECK:         %[[IS:.*]] = np.ufunc "greater"(%[[S]]
// CHECK-NOT:     scf.if
// CHECK:         %[[Q:.*]] = np.ufunc "divide"
// CHECK:         %[[V:.*]] = np.ufunc "where"(%[[IS]],
// CHECK:         np.store %[[V]]
func.func @array(%x: !np.array<?x?xf64>, %y: !np.array<?x?xf64>, %n: index, %m: index) {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %row = np.view %x offsets[%i, %c0] axes [1] extents[%m] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
    %out = np.view %y offsets[%i, %c0] axes [1] extents[%m] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
    %v = np.load %row : !np.array<?xf64> -> tensor<?xf64>
    %s = np.reduce "add" %v axes [0] : tensor<?xf64> -> tensor<f64>
    %is = np.ufunc "greater"(%s, %zero) : (tensor<f64>, f64) -> tensor<i1>
    %c = np.item %is : tensor<i1> -> i1
    %r = scf.if %c -> (!np.array<?xf64>) {
      %q = np.ufunc "divide"(%v, %s) : (tensor<?xf64>, tensor<f64>) -> tensor<?xf64>
      %new = np.new %q : tensor<?xf64> -> !np.array<?xf64>
      scf.yield %new : !np.array<?xf64>
    } else {
      scf.yield %row : !np.array<?xf64>
    }
    %e = np.load %r : !np.array<?xf64> -> tensor<?xf64>
    np.store %e, %out : tensor<?xf64>, !np.array<?xf64>
  }
  return
}

// Both sides store into the same place, and one of them a number.
// CHECK-LABEL: func.func @stores
// CHECK-NOT:   scf.if
// CHECK:       %[[V:.*]] = np.ufunc "where"({{.*}}) : (tensor<i1>, tensor<?xf64>, f64)
// CHECK:       np.store %[[V]]
func.func @stores(%x: !np.array<?x?xf64>, %y: !np.array<?x?xf64>, %n: index, %m: index) {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %row = np.view %x offsets[%i, %c0] axes [1] extents[%m] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
    %v = np.load %row : !np.array<?xf64> -> tensor<?xf64>
    %s = np.reduce "add" %v axes [0] : tensor<?xf64> -> tensor<f64>
    %is = np.ufunc "greater"(%s, %zero) : (tensor<f64>, f64) -> tensor<i1>
    %c = np.item %is : tensor<i1> -> i1
    scf.if %c {
      %q = np.ufunc "divide"(%v, %s) : (tensor<?xf64>, tensor<f64>) -> tensor<?xf64>
      %out = np.view %y offsets[%i, %c0] axes [1] extents[%m] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
      np.store %q, %out : tensor<?xf64>, !np.array<?xf64>
    } else {
      %out = np.view %y offsets[%i, %c0] axes [1] extents[%m] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
      np.store %zero, %out : f64, !np.array<?xf64>
    }
  }
  return
}

// What the array may be a view of changes before it is read; and arrays of other extents; and a part at a position that
// the branch asks about; and a number that the host has.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-4: scf.if
func.func @others(%x: !np.array<?x?xf64>, %y: !np.array<?x?xf64>, %n: index, %m: index, %k: index, %b: i1) {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %row = np.view %x offsets[%i, %c0] axes [1] extents[%m] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
    %out = np.view %y offsets[%i, %c0] axes [1] extents[%m] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
    %short = np.view %y offsets[%i, %c0] axes [1] extents[%k] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
    %v = np.load %row : !np.array<?xf64> -> tensor<?xf64>
    %s = np.reduce "add" %v axes [0] : tensor<?xf64> -> tensor<f64>
    %is = np.ufunc "greater"(%s, %zero) : (tensor<f64>, f64) -> tensor<i1>
    %c = np.item %is : tensor<i1> -> i1
    %changed = scf.if %c -> (!np.array<?xf64>) {
      %new = np.new %v : tensor<?xf64> -> !np.array<?xf64>
      scf.yield %new : !np.array<?xf64>
    } else {
      scf.yield %row : !np.array<?xf64>
    }
    np.store %zero, %row : f64, !np.array<?xf64>
    %e = np.load %changed : !np.array<?xf64> -> tensor<?xf64>
    np.store %e, %out : tensor<?xf64>, !np.array<?xf64>
    %shorter = scf.if %c -> (!np.array<?xf64>) {
      %new = np.new %v : tensor<?xf64> -> !np.array<?xf64>
      scf.yield %new : !np.array<?xf64>
    } else {
      scf.yield %short : !np.array<?xf64>
    }
    %f = np.load %shorter : !np.array<?xf64> -> tensor<?xf64>
    %t = np.reduce "add" %f axes [0] : tensor<?xf64> -> tensor<f64>
    np.store %t, %out : tensor<f64>, !np.array<?xf64>
    %before = scf.if %c -> (!np.array<?xf64>) {
      %other = np.view %x offsets[%k, %c0] axes [1] extents[%m] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
      scf.yield %other : !np.array<?xf64>
    } else {
      scf.yield %row : !np.array<?xf64>
    }
    %g = np.load %before : !np.array<?xf64> -> tensor<?xf64>
    np.store %g, %out : tensor<?xf64>, !np.array<?xf64>
    %known = scf.if %b -> (!np.array<?xf64>) {
      %new = np.new %v : tensor<?xf64> -> !np.array<?xf64>
      scf.yield %new : !np.array<?xf64>
    } else {
      scf.yield %row : !np.array<?xf64>
    }
    %h = np.load %known : !np.array<?xf64> -> tensor<?xf64>
    np.store %h, %out : tensor<?xf64>, !np.array<?xf64>
  }
  return
}
