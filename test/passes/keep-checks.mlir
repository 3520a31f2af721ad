// RUN: npcc-opt %s --npcc-keep-checks | FileCheck %s
// RUN: npcc-opt %s --npcc-import-to-np | FileCheck %s --check-prefix=NP

// Nobody uses the sum: its check stays. In the fast version the two extents are one, and there is nothing to check.
// CHECK-LABEL: func @unused
// CHECK: np.broadcast_extent "ufunc"
// NP-LABEL: func @unused
// NP-SAME: np.guards = array<i64: 0, 0, 1, 0>
// NP-NOT: np.ufunc
// NP: return
func.func @unused(%a: !np.array<?xf64>, %b: !np.array<?xf64>) {
  %x = np.load %a : !np.array<?xf64> -> tensor<?xf64>
  %y = np.load %b : !np.array<?xf64> -> tensor<?xf64>
  %t = np.ufunc "add"(%x, %y) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %c = np.new %t : tensor<?xf64> -> !np.array<?xf64>
  %slot = np.var "c" : !np.slot<!np.array<?xf64>>
  np.set %c, %slot : !np.slot<!np.array<?xf64>>
  return
}

// CHECK-LABEL: func @unused_general
// NP-LABEL: func @unused_general
// NP: np.broadcast_extent "ufunc"
// NP-NOT: np.ufunc
// NP: return
func.func @unused_general(%a: !np.array<?xf64>, %b: !np.array<?xf64>) attributes {np.general} {
  %x = np.load %a : !np.array<?xf64> -> tensor<?xf64>
  %y = np.load %b : !np.array<?xf64> -> tensor<?xf64>
  %t = np.ufunc "add"(%x, %y) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return
}

// The first position that is none of the axis is checked, or the last one.
// CHECK-LABEL: func @unused_gather
// CHECK: %[[WRONG:.*]] = np.ufunc "logical_or"
// CHECK: %[[PLACES:.*]] = np.arange
// CHECK: np.ufunc "where"(%[[WRONG]], %[[PLACES]]
// CHECK: np.reduce "minimum"
// CHECK: np.ufunc "equal"(%[[PLACES]]
// CHECK: np.reduce "maximum"
// CHECK: np.check_index
// CHECK-NOT: np.check_index
// CHECK: return
func.func @unused_gather(%a: !np.array<?xf64>, %i: !np.array<?xi64>) {
  %x = np.load %a : !np.array<?xf64> -> tensor<?xf64>
  %k = np.load %i : !np.array<?xi64> -> tensor<?xi64>
  %g = np.gather %x[%k] axes [0] : tensor<?xf64>, tensor<?xi64> -> tensor<?xf64>
  return
}

// Nobody looks at the positions of what np.take takes out of nothing.
// CHECK-LABEL: func @unused_take
// CHECK: %[[ROWS:.*]] = np.dim %{{.*}} 0
// CHECK: %[[POSITIONS:.*]] = np.dim
// CHECK: %[[COUNT:.*]] = arith.muli {{.*}}%[[ROWS]]
// CHECK: arith.cmpi eq, %[[COUNT]]
// CHECK: np.check_index
func.func @unused_take(%a: !np.array<?x?xf64>, %i: !np.array<?xi64>) {
  %x = np.load %a : !np.array<?x?xf64> -> tensor<?x?xf64>
  %k = np.load %i : !np.array<?xi64> -> tensor<?xi64>
  %g = np.gather %x[%k] axes [1] as_taken : tensor<?x?xf64>, tensor<?xi64> -> tensor<?x?xf64>
  return
}

// What is used is checked where it is made.
// CHECK-LABEL: func @used
// CHECK-NOT: np.broadcast_extent
// CHECK: return
func.func @used(%a: !np.array<?xf64>, %b: !np.array<?xf64>) -> !np.array<?xf64> {
  %x = np.load %a : !np.array<?xf64> -> tensor<?xf64>
  %y = np.load %b : !np.array<?xf64> -> tensor<?xf64>
  %t = np.ufunc "add"(%x, %y) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %c = np.new %t : tensor<?xf64> -> !np.array<?xf64>
  return %c : !np.array<?xf64>
}

// Who asks for one extent of a sum, through a name or not, needs none of its elements: the checks of all axes stay.
// CHECK-LABEL: func @only_extent
// CHECK-COUNT-2: np.broadcast_extent "ufunc"
// CHECK: np.dim
func.func @only_extent(%a: !np.array<?x?xf64>, %b: !np.array<?x?xf64>) -> index {
  %x = np.load %a : !np.array<?x?xf64> -> tensor<?x?xf64>
  %y = np.load %b : !np.array<?x?xf64> -> tensor<?x?xf64>
  %t = np.ufunc "add"(%x, %y) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  %c = np.new %t : tensor<?x?xf64> -> !np.array<?x?xf64>
  %slot = np.var "c" : !np.slot<!np.array<?x?xf64>>
  np.set %c, %slot : !np.slot<!np.array<?x?xf64>>
  %d = np.get %slot : !np.slot<!np.array<?x?xf64>>
  %n = np.dim %d, 0 : !np.array<?x?xf64>
  return %n : index
}

// A name that is read before it is bound again does not need what it is bound to then.
// CHECK-LABEL: func @bound_behind
// CHECK: np.get
// CHECK: np.broadcast_extent "ufunc"
func.func @bound_behind(%a: !np.array<?xf64>, %b: !np.array<?xf64>) {
  %x = np.load %a : !np.array<?xf64> -> tensor<?xf64>
  %y = np.load %b : !np.array<?xf64> -> tensor<?xf64>
  %slot = np.var "c" : !np.slot<!np.array<?xf64>>
  np.set %a, %slot : !np.slot<!np.array<?xf64>>
  cf.br ^next
^next:
  %c = np.get %slot : !np.slot<!np.array<?xf64>>
  np.store %x, %c : tensor<?xf64>, !np.array<?xf64>
  %t = np.ufunc "add"(%x, %y) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %new = np.new %t : tensor<?xf64> -> !np.array<?xf64>
  np.set %new, %slot : !np.slot<!np.array<?xf64>>
  return
}

// In a loop it does.
// CHECK-LABEL: func @bound_for_the_next_iteration
// CHECK-NOT: np.broadcast_extent
// CHECK: return
func.func @bound_for_the_next_iteration(%a: !np.array<?xf64>, %b: !np.array<?xf64>, %again: i1) {
  %x = np.load %a : !np.array<?xf64> -> tensor<?xf64>
  %y = np.load %b : !np.array<?xf64> -> tensor<?xf64>
  %slot = np.var "c" : !np.slot<!np.array<?xf64>>
  np.set %a, %slot : !np.slot<!np.array<?xf64>>
  cf.br ^next
^next:
  %c = np.get %slot : !np.slot<!np.array<?xf64>>
  np.store %x, %c : tensor<?xf64>, !np.array<?xf64>
  %t = np.ufunc "add"(%x, %y) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %new = np.new %t : tensor<?xf64> -> !np.array<?xf64>
  np.set %new, %slot : !np.slot<!np.array<?xf64>>
  cf.cond_br %again, ^next, ^end
^end:
  return
}

// What only code needs that never runs is dropped with that code.
// CHECK-LABEL: func @never_read
// CHECK: np.check_index
// CHECK: np.gather
func.func @never_read(%a: !np.array<?xf64>, %p: !np.array<2xi64>, %out: !np.array<2xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = np.load %a : !np.array<?xf64> -> tensor<?xf64>
  %q = np.load %p : !np.array<2xi64> -> tensor<2xi64>
  %y = np.gather %x[%q] axes [0] : tensor<?xf64>, tensor<2xi64> -> tensor<2xf64>
  cf.br ^next(%c0 : index)
^next(%i: index):
  %more = arith.cmpi slt, %i, %c0 : index
  cf.cond_br %more, ^body, ^end
^body:
  np.store %y, %out : tensor<2xf64>, !np.array<2xf64>
  %j = arith.addi %i, %c1 : index
  cf.br ^next(%j : index)
^end:
  return
}

// Nor does an array that the function makes and nobody reads: the store goes, and the gather with it.
// CHECK-LABEL: func @stored_for_nobody
// CHECK: np.check_index
// CHECK: np.store
// CHECK-LABEL: func @stored_for_the_caller
// CHECK-NOT: np.check_index
// CHECK: return
func.func @stored_for_nobody(%a: !np.array<?xf64>, %p: !np.array<2xi64>) {
  %x = np.load %a : !np.array<?xf64> -> tensor<?xf64>
  %q = np.load %p : !np.array<2xi64> -> tensor<2xi64>
  %y = np.gather %x[%q] axes [0] : tensor<?xf64>, tensor<2xi64> -> tensor<2xf64>
  %new = np.empty() : !np.array<2xf64>
  np.store %y, %new : tensor<2xf64>, !np.array<2xf64>
  return
}
func.func @stored_for_the_caller(%a: !np.array<?xf64>, %p: !np.array<2xi64>) -> !np.array<2xf64> {
  %x = np.load %a : !np.array<?xf64> -> tensor<?xf64>
  %q = np.load %p : !np.array<2xi64> -> tensor<2xi64>
  %y = np.gather %x[%q] axes [0] : tensor<?xf64>, tensor<2xi64> -> tensor<2xf64>
  %new = np.empty() : !np.array<2xf64>
  np.store %y, %new : tensor<2xf64>, !np.array<2xf64>
  return %new : !np.array<2xf64>
}
