// RUN: npcc-opt %s --canonicalize --npcc-np-to-loops | FileCheck %s
// What reads a contiguous array through a reshape (of a reshape) has the array's memory with the other extents: no division for an element.

// CHECK-LABEL: func @rows
// CHECK: %[[M:.*]] = memref.reinterpret_cast %arg0 to offset: [0], sizes: [%arg2, %arg3], strides: [%arg3, 1]
// CHECK: np.kernel map (%[[I:.*]], %[[J:.*]]) =
// CHECK-NOT: arith.div
// CHECK: memref.load %[[M]][%[[I]], %[[J]]]
func.func @rows(%a: !np.array<?xf64>, %out: !np.array<?x?xf64>, %n: index, %m: index) {
  %c1 = arith.constant 1 : index
  %x = np.load %a : !np.array<?xf64> -> tensor<?xf64>
  %y = np.reshape %x extents [%m, %c1, %n] : tensor<?xf64> -> tensor<?x?x?xf64>
  %z = np.reshape %y extents [%n, %m] : tensor<?x?x?xf64> -> tensor<?x?xf64>
  %s = np.ufunc "negative"(%z) : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %r = np.new %s : tensor<?x?xf64> -> !np.array<?x?xf64>
  %v = np.load %r : !np.array<?x?xf64> -> tensor<?x?xf64>
  np.store %v, %out : tensor<?x?xf64>, !np.array<?x?xf64>
  return
}
