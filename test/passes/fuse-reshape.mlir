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

// An image cut into blocks: rows and columns of the call that the code is compiled for are whole blocks, so that nobody divides. Other calls
// ask the choice function.
// CHECK-LABEL: func.func @blocks(
// CHECK-NOT:     arith.remui
// CHECK:         np.kernel
// CHECK-NOT:     arith.remui
// CHECK:         return
// CHECK-LABEL: func.func @blocks.choice(
// CHECK:         arith.cmpi eq
func.func @blocks(%x: !np.array<?x?xf64> {np.first = array<i64: 64, 32, 0>}, %n: index {np.first = array<i64: 8>}, %m: index {np.first = array<i64: 4>}) -> !np.array<?x?xf64> attributes {np.target = "cuda"} {
  %c8 = arith.constant 8 : index
  %v = np.load %x : !np.array<?x?xf64> -> tensor<?x?xf64>
  %w = np.ufunc "sqrt"(%v) : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %r = np.reshape %w extents[%n, %c8, %m, %c8] : tensor<?x?xf64> -> tensor<?x?x?x?xf64>
  %s = np.reduce "add" %r axes [1, 3] : tensor<?x?x?x?xf64> -> tensor<?x?xf64>
  %a = np.new %s : tensor<?x?xf64> -> !np.array<?x?xf64>
  return %a : !np.array<?x?xf64>
}
