// Where a mask is the same along the last axis, one arm of numpy.where is computed, so that both may compute the same expensive value.
// RUN: npcc-opt %s --npcc-materialize --npcc-fuse | FileCheck %s

// CHECK-LABEL: func.func @mirror
// CHECK-COUNT-1: np.alloc
// CHECK:         np.kernel
// CHECK:           %[[MASK:.*]] = arith.cmpi ne
// CHECK:           scf.if %[[MASK]]
// CHECK-COUNT-1:     math.exp
// CHECK:           } else {
// CHECK-COUNT-1:     math.exp
// CHECK-NOT:     np.kernel
func.func @mirror(%x: !np.array<?x?xf64>, %m: !np.array<?xi1>) -> !np.array<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %back = arith.constant -1 : index
  %n = np.dim %x, 0 : !np.array<?x?xf64>
  %l = np.dim %x, 1 : !np.array<?x?xf64>
  %last = arith.subi %l, %c1 : index
  %a = np.load %x : !np.array<?x?xf64> -> tensor<?x?xf64>
  %e = np.ufunc "exp"(%a) : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %r = np.view %e offsets[%c0, %last] axes [0, 1] extents[%n, %l] steps[%c1, %back] : tensor<?x?xf64> -> tensor<?x?xf64>
  %k = np.load %m : !np.array<?xi1> -> tensor<?xi1>
  %b = np.view %k offsets[%c0] axes [0, -1] extents[%n, %l] steps[%c1, %c1] : tensor<?xi1> -> tensor<?x?xi1>
  %w = np.ufunc "where"(%b, %r, %e) : (tensor<?x?xi1>, tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  %y = np.new %w : tensor<?x?xf64> -> !np.array<?x?xf64>
  return %y : !np.array<?x?xf64>
}

// A mask of its own for each element: both are computed, without branches, and the expensive value once.
// CHECK-LABEL: func.func @elements
// CHECK-COUNT-1: math.exp
// CHECK-NOT:     scf.if
// CHECK:         arith.select
func.func @elements(%x: !np.array<?xf64>, %m: !np.array<?xi1>) -> !np.array<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %back = arith.constant -1 : index
  %l = np.dim %x, 0 : !np.array<?xf64>
  %last = arith.subi %l, %c1 : index
  %a = np.load %x : !np.array<?xf64> -> tensor<?xf64>
  %e = np.ufunc "exp"(%a) : (tensor<?xf64>) -> tensor<?xf64>
  %r = np.view %e offsets[%last] axes [0] extents[%l] steps[%back] : tensor<?xf64> -> tensor<?xf64>
  %k = np.load %m : !np.array<?xi1> -> tensor<?xi1>
  %w = np.ufunc "where"(%k, %r, %e) : (tensor<?xi1>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %y = np.new %w : tensor<?xf64> -> !np.array<?xf64>
  return %y : !np.array<?xf64>
}

// An array whose inside is changed by what it holds: each element is computed in one of the two ways, in one kernel.
// CHECK-LABEL: func.func @inside
// CHECK-COUNT-1: np.alloc
// CHECK:         np.kernel
// CHECK:           scf.if
// CHECK-COUNT-1:     math.exp
// CHECK:           } else {
// CHECK-COUNT-1:     math.exp
// CHECK-NOT:     np.kernel
func.func @inside(%x: !np.array<?xf64>) -> !np.array<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %l = np.dim %x, 0 : !np.array<?xf64>
  %less = arith.subi %l, %c2 : index
  %m = arith.maxsi %less, %c0 : index
  %a = np.load %x : !np.array<?xf64> -> tensor<?xf64>
  %e = np.ufunc "exp"(%a) : (tensor<?xf64>) -> tensor<?xf64>
  %v = np.view %e offsets[%c1] axes [0] extents[%m] steps[%c1] : tensor<?xf64> -> tensor<?xf64>
  %d = np.ufunc "negative"(%v) : (tensor<?xf64>) -> tensor<?xf64>
  %i = np.insert %d into %e offsets[%c1] axes [0] extents[%m] steps[%c1] : tensor<?xf64> into tensor<?xf64> -> tensor<?xf64>
  %y = np.new %i : tensor<?xf64> -> !np.array<?xf64>
  return %y : !np.array<?xf64>
}
