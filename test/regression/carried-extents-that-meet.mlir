// Two arrays that a loop carries and adds: taken for equal, the loop keeps their extents; not, each step would ask again.
// RUN: npcc-opt %s --npcc-resolve-extents | FileCheck %s
// CHECK-LABEL: func.func @f
// CHECK-SAME:    np.guards = array<i64: 0, 0, 1, 0>
// CHECK:       scf.for
// CHECK-NOT:     np.broadcast
// CHECK:         scf.yield
func.func @f(%a: !np.array<?xf64>, %b: !np.array<?xf64>, %n: index) -> !np.array<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %a, %v = %b) -> (!np.array<?xf64>, !np.array<?xf64>) {
    %x = np.load %u : !np.array<?xf64> -> tensor<?xf64>
    %y = np.load %v : !np.array<?xf64> -> tensor<?xf64>
    %s = np.ufunc "add"(%x, %y) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %d = np.ufunc "subtract"(%y, %x) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %w = np.new %s : tensor<?xf64> -> !np.array<?xf64>
    %z = np.new %d : tensor<?xf64> -> !np.array<?xf64>
    scf.yield %w, %z : !np.array<?xf64>, !np.array<?xf64>
  }
  return %r#0 : !np.array<?xf64>
}

// A loop that shortens its array keeps no extents: nothing is taken for granted.
// CHECK-LABEL: func.func @shrinks
// CHECK-NOT:     np.guards
// CHECK:         np.broadcast_extent
func.func @shrinks(%a: !np.array<?xf64>, %b: !np.array<?xf64>, %n: index) -> !np.array<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%u = %a) -> (!np.array<?xf64>) {
    %h = np.dim %u, 0 : !np.array<?xf64>
    %less = arith.subi %h, %c1 : index
    %x = np.load %u : !np.array<?xf64> -> tensor<?xf64>
    %y = np.load %b : !np.array<?xf64> -> tensor<?xf64>
    %s = np.ufunc "add"(%x, %y) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %w = np.new %s : tensor<?xf64> -> !np.array<?xf64>
    %v = np.view %w offsets[%c1] axes [0] extents[%less] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64>
    scf.yield %v : !np.array<?xf64>
  }
  return %r : !np.array<?xf64>
}
