// RUN: npcc-opt %s --npcc-resolve-extents --canonicalize --cse | FileCheck %s

// Two arguments that meet are taken for equal, which the call checks: argument 0, axis 0 and argument 1, axis 0.
// CHECK-LABEL: func @arguments
// CHECK-SAME: np.guards = array<i64: 0, 0, 1, 0>
// CHECK-NOT: np.broadcast
func.func @arguments(%a: !np.array<?xf64>, %b: !np.array<?xf64>) -> tensor<?xf64> {
  %x = np.load %a : !np.array<?xf64> -> tensor<?xf64>
  %y = np.load %b : !np.array<?xf64> -> tensor<?xf64>
  %z = np.ufunc "add"(%x, %y) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %z : tensor<?xf64>
}

// The general version decides at run time.
// CHECK-LABEL: func @general
// CHECK-NOT: np.guards
// CHECK: %[[N:.*]] = np.broadcast_extent "ufunc"
// CHECK: np.broadcast %{{.*}} extents[%[[N]]]
// CHECK: np.broadcast %{{.*}} extents[%[[N]]]
func.func @general(%a: !np.array<?xf64>, %b: !np.array<?xf64>) -> tensor<?xf64> attributes {np.general} {
  %x = np.load %a : !np.array<?xf64> -> tensor<?xf64>
  %y = np.load %b : !np.array<?xf64> -> tensor<?xf64>
  %z = np.ufunc "add"(%x, %y) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %z : tensor<?xf64>
}

// A row is stretched over the rows of a matrix.
// CHECK-LABEL: func @row
// CHECK: %[[N:.*]] = np.dim %arg0, 0
// CHECK: np.broadcast %{{.*}} extents[%[[N]], %{{.*}}] : tensor<?xf64> -> tensor<?x?xf64>
func.func @row(%a: !np.array<?x?xf64>, %b: !np.array<?xf64>) -> tensor<?x?xf64> {
  %x = np.load %a : !np.array<?x?xf64> -> tensor<?x?xf64>
  %y = np.load %b : !np.array<?xf64> -> tensor<?xf64>
  %z = np.ufunc "add"(%x, %y) : (tensor<?x?xf64>, tensor<?xf64>) -> tensor<?x?xf64>
  return %z : tensor<?x?xf64>
}

// Through a swap both carried arrays keep the extent they started with.
// CHECK-LABEL: func @swap
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %arg0, %[[B:.*]] = %{{.*}})
// CHECK-NOT: np.broadcast
// CHECK: np.store
func.func @swap(%u: !np.array<?xf64>, %n: index) -> !np.array<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = np.load %u : !np.array<?xf64> -> tensor<?xf64>
  %v = np.new %x : tensor<?xf64> -> !np.array<?xf64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %u, %b = %v) -> (!np.array<?xf64>, !np.array<?xf64>) {
    %y = np.load %a : !np.array<?xf64> -> tensor<?xf64>
    np.store %y, %b : tensor<?xf64>, !np.array<?xf64>
    scf.yield %b, %a : !np.array<?xf64>, !np.array<?xf64>
  }
  return %r#0 : !np.array<?xf64>
}

// Arrays whose extents change in each iteration, but stay equal to each other; a branch hands nothing on (poison).
// CHECK-LABEL: func @changing
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %arg0, %[[B:.*]] = %{{.*}})
// CHECK: %[[N:.*]] = np.dim %[[A]], 0
// CHECK-NOT: np.dim
// CHECK-NOT: np.broadcast
// CHECK: return
func.func @changing(%u: !np.array<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %none = ub.poison : !np.array<?xf64>
  %x = np.load %u : !np.array<?xf64> -> tensor<?xf64>
  %v = np.new %x : tensor<?xf64> -> !np.array<?xf64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %u, %b = %v) -> (!np.array<?xf64>, !np.array<?xf64>) {
    %m = np.dim %b, 0 : !np.array<?xf64>
    %y = np.load %a : !np.array<?xf64> -> tensor<?xf64>
    np.store %y, %b : tensor<?xf64>, !np.array<?xf64>
    %less = arith.subi %m, %c2 : index
    %isLeft = arith.cmpi sgt, %less, %c0 : index
    %next:2 = scf.if %isLeft -> (!np.array<?xf64>, !np.array<?xf64>) {
      %p = np.empty(%less) : !np.array<?xf64>
      %q = np.empty(%less) : !np.array<?xf64>
      scf.yield %p, %q : !np.array<?xf64>, !np.array<?xf64>
    } else {
      scf.yield %none, %none : !np.array<?xf64>, !np.array<?xf64>
    }
    scf.yield %next#0, %next#1 : !np.array<?xf64>, !np.array<?xf64>
  }
  return
}

// Where one has no value the other one has: the extents of one are not those of the other.
// CHECK-LABEL: func @unset
// CHECK: np.broadcast_extent
func.func @unset(%u: !np.array<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %none = ub.poison : !np.array<?xf64>
  %x = np.load %u : !np.array<?xf64> -> tensor<?xf64>
  %v = np.new %x : tensor<?xf64> -> !np.array<?xf64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %u, %b = %v) -> (!np.array<?xf64>, !np.array<?xf64>) {
    %m = np.dim %b, 0 : !np.array<?xf64>
    %y = np.load %a : !np.array<?xf64> -> tensor<?xf64>
    np.store %y, %b : tensor<?xf64>, !np.array<?xf64>
    %less = arith.subi %m, %c2 : index
    %isLeft = arith.cmpi sgt, %less, %c0 : index
    %p = scf.if %isLeft -> !np.array<?xf64> {
      %new = np.empty(%less) : !np.array<?xf64>
      scf.yield %new : !np.array<?xf64>
    } else {
      scf.yield %none : !np.array<?xf64>
    }
    %q = np.empty(%less) : !np.array<?xf64>
    scf.yield %p, %q : !np.array<?xf64>, !np.array<?xf64>
  }
  return
}

// One of two that change becomes shorter than the other one: they meet by a broadcast.
// CHECK-LABEL: func @parting
// CHECK: np.broadcast_extent
func.func @parting(%u: !np.array<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = np.load %u : !np.array<?xf64> -> tensor<?xf64>
  %v = np.new %x : tensor<?xf64> -> !np.array<?xf64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %u, %b = %v) -> (!np.array<?xf64>, !np.array<?xf64>) {
    %m = np.dim %b, 0 : !np.array<?xf64>
    %y = np.load %a : !np.array<?xf64> -> tensor<?xf64>
    np.store %y, %b : tensor<?xf64>, !np.array<?xf64>
    %one = arith.subi %m, %c1 : index
    %two = arith.subi %m, %c2 : index
    %p = np.empty(%one) : !np.array<?xf64>
    %q = np.empty(%two) : !np.array<?xf64>
    scf.yield %p, %q : !np.array<?xf64>, !np.array<?xf64>
  }
  return
}

// The sides of a branch give arrays of one extent.
// CHECK-LABEL: func @branch
// CHECK-NOT: np.broadcast
// CHECK: return
func.func @branch(%u: !np.array<?xf64>, %which: i1) {
  %n = np.dim %u, 0 : !np.array<?xf64>
  %x = np.load %u : !np.array<?xf64> -> tensor<?xf64>
  %v = scf.if %which -> !np.array<?xf64> {
    %p = np.new %x : tensor<?xf64> -> !np.array<?xf64>
    scf.yield %p : !np.array<?xf64>
  } else {
    %q = np.empty(%n) : !np.array<?xf64>
    scf.yield %q : !np.array<?xf64>
  }
  np.store %x, %v : tensor<?xf64>, !np.array<?xf64>
  return
}

// An argument's extent that meets a constant is taken for it, which the call checks: argument 0, axis 1 is 3.
// CHECK-LABEL: func @positions
// CHECK-SAME: np.guards = array<i64: -1, 3, 0, 1>
// CHECK-NOT: np.broadcast
// CHECK: return
func.func @positions(%a: !np.array<?x?xf64>, %b: !np.array<?x3xf64>, %n: index) -> tensor<?x?xf64> {
  %m = np.dim %a, 0 : !np.array<?x?xf64>
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %x = np.load %a : !np.array<?x?xf64> -> tensor<?x?xf64>
  %y = np.full %zero extents [%m, %c3] : f64 -> tensor<?x?xf64>
  %z = np.ufunc "add"(%x, %y) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %z : tensor<?x?xf64>
}

// a += b has the extents of a: a's own elements are not stretched, and what b brings too much is said before.
// CHECK-LABEL: func.func @in_place
// CHECK:       %[[N:.*]] = np.dim %arg0, 0
// CHECK:       %[[MET:.*]] = np.broadcast_extent "ufunc" %[[N]], %{{.*}}
// CHECK:       np.broadcast_extent "output" %[[MET]], %[[N]]
// CHECK:       %[[B:.*]] = np.broadcast %{{.*}} extents[%[[N]]]
// CHECK:       np.ufunc "add"(%{{.*}}, %[[B]])
func.func @in_place(%a: !np.array<?xf64>, %b: !np.array<?xf64>) attributes {np.general} {
  %v = np.load %a : !np.array<?xf64> -> tensor<?xf64>
  %w = np.load %b : !np.array<?xf64> -> tensor<?xf64>
  %sum = np.ufunc "add"(%v, %w) {in_place} : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  np.store %sum, %a as_output : tensor<?xf64>, !np.array<?xf64>
  return
}

// What differs in the first call and meets in a branch is not taken for equal: such code would never run. An extent of 1
// is taken for the constant.
// CHECK-LABEL: func.func @differing
// CHECK-SAME:  np.guards = array<i64: 0, 1, 1, 1, -1, 1, 2, 1, 0, 0, 2, 0>
// CHECK:       np.broadcast_extent
func.func @differing(%a: !np.array<?x?xf64> {np.first = array<i64: 50, 3, 0>}, %b: !np.array<?x?xf64> {np.first = array<i64: 60, 3, 0>},
                     %c: !np.array<?x?xf64> {np.first = array<i64: 50, 1, 0>}, %which: i1) -> (tensor<?x?xf64>, tensor<?x?xf64>) {
  %x = np.load %a : !np.array<?x?xf64> -> tensor<?x?xf64>
  %y = np.load %b : !np.array<?x?xf64> -> tensor<?x?xf64>
  %z = np.load %c : !np.array<?x?xf64> -> tensor<?x?xf64>
  %s = scf.if %which -> tensor<?x?xf64> {
    %u = np.ufunc "add"(%x, %y) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
    scf.yield %u : tensor<?x?xf64>
  } else {
    scf.yield %x : tensor<?x?xf64>
  }
  %t = np.ufunc "add"(%x, %z) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  return %s, %t : tensor<?x?xf64>, tensor<?x?xf64>
}

// Elsewhere a call fails where they differ: the code is for others.
// CHECK-LABEL: func.func @failing
// CHECK-SAME:  np.guards = array<i64: 0, 0, 1, 0>
// CHECK-NOT:   np.broadcast_extent
func.func @failing(%a: !np.array<?xf64> {np.first = array<i64: 50, 0>}, %b: !np.array<?xf64> {np.first = array<i64: 60, 0>}) -> tensor<?xf64> {
  %x = np.load %a : !np.array<?xf64> -> tensor<?xf64>
  %y = np.load %b : !np.array<?xf64> -> tensor<?xf64>
  %s = np.ufunc "add"(%x, %y) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %s : tensor<?xf64>
}
