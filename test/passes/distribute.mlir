// RUN: npcc-opt %s --npcc-distribute --canonicalize --cse | FileCheck %s

// A reduction over the split axis: own rows, gathered, combined in rank order.
// CHECK-LABEL: func @sum
// CHECK: %[[RANK:.*]] = np.rank
// CHECK: %[[PART:.*]] = np.reduce "add"
// CHECK: %[[ALL:.*]] = np.empty(%{{.*}}) : !np.array<?xf64>
// CHECK: np.exchange_halo %[[ALL]] before %[[RANK]] after
// CHECK: np.load %[[ALL]]
// CHECK: np.reduce "add"
func.func @sum(%a: !np.array<?xf64>) -> tensor<f64> {
  %x = np.load %a : !np.array<?xf64> -> tensor<?xf64>
  %s = np.reduce "add" %x axes [0] : tensor<?xf64> -> tensor<f64>
  return %s : tensor<f64>
}

// A step of a stencil: one row of ghosts on either side, filled before the step reads them.
// CHECK-LABEL: func @stencil
// CHECK: scf.for {{.*}} iter_args(%[[U:.*]] = %{{.*}}, %[[V:.*]] = %
// CHECK: np.exchange_halo %[[U]] before %c1 after %c1
// CHECK: np.load
// CHECK: np.store
// CHECK: scf.yield %[[V]], %[[U]]
func.func @stencil(%u: !np.array<?xf64>, %steps: index) -> !np.array<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = np.dim %u, 0 : !np.array<?xf64>
  %m = arith.subi %n, %c2 : index
  %x = np.load %u : !np.array<?xf64> -> tensor<?xf64>
  %a = np.new %x : tensor<?xf64> -> !np.array<?xf64>
  %b = np.new %x : tensor<?xf64> -> !np.array<?xf64>
  %r:2 = scf.for %t = %c0 to %steps step %c1 iter_args(%p = %a, %q = %b) -> (!np.array<?xf64>, !np.array<?xf64>) {
    %lv = np.view %p offsets [%c0] axes [0] extents [%m] steps [%c1] : !np.array<?xf64> -> !np.array<?xf64, strided>
    %rv = np.view %p offsets [%c2] axes [0] extents [%m] steps [%c1] : !np.array<?xf64> -> !np.array<?xf64, strided>
    %l = np.load %lv : !np.array<?xf64, strided> -> tensor<?xf64>
    %h = np.load %rv : !np.array<?xf64, strided> -> tensor<?xf64>
    %s = np.ufunc "add"(%l, %h) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %t0 = np.view %q offsets [%c1] axes [0] extents [%m] steps [%c1] : !np.array<?xf64> -> !np.array<?xf64, strided>
    np.store %s, %t0 : tensor<?xf64>, !np.array<?xf64, strided>
    scf.yield %q, %p : !np.array<?xf64>, !np.array<?xf64>
  }
  return %r#0 : !np.array<?xf64>
}

// Positions of own rows in what every device has: each reads at its own, nothing is exchanged.
// CHECK-LABEL: func @lookup
// CHECK-NOT: np.exchange_halo
// CHECK: np.search
// CHECK: np.gather
// CHECK: np.view
// CHECK: np.store
func.func @lookup(%x: !np.array<?xf64>, %edges: !np.array<?xf64>, %table: !np.array<?xf64>, %out: !np.array<?xf64>) {
  %v = np.load %x : !np.array<?xf64> -> tensor<?xf64>
  %s = np.load %edges : !np.array<?xf64> -> tensor<?xf64>
  %t = np.load %table : !np.array<?xf64> -> tensor<?xf64>
  %i = np.search %v in %s right : tensor<?xf64>, tensor<?xf64> -> tensor<?xi64>
  %g = np.gather %t[%i] axes [0] : tensor<?xf64>, tensor<?xi64> -> tensor<?xf64>
  %r = np.ufunc "multiply"(%g, %v) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %a = np.new %r : tensor<?xf64> -> !np.array<?xf64>
  return
}

// What is given back is as strided as the function says, though the tiles are not.
// CHECK-LABEL: func @strided
// CHECK: %[[WHOLE:.*]] = np.empty
// CHECK: np.exchange_halo %{{.*}} before
// CHECK: %[[RESULT:.*]] = np.view %{{.*}} -> !np.array<?xf64, strided>
// CHECK: return %[[RESULT]] : !np.array<?xf64, strided>
func.func @strided(%a: !np.array<?xf64, strided>) -> !np.array<?xf64, strided> attributes {np.general} {
  %x = np.load %a : !np.array<?xf64, strided> -> tensor<?xf64>
  %y = np.ufunc "add"(%x, %x) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  np.store %y, %a : tensor<?xf64>, !np.array<?xf64, strided>
  return %a : !np.array<?xf64, strided>
}
