// RUN: npcc-opt %s --npcc-expand-products --npcc-batch-products --canonicalize --cse | FileCheck %s

// Points by a rotation: the call that the code is compiled for says how many terms there are, so that they are written out. Other calls ask the choice function.
// CHECK-LABEL: func.func @rotated
// CHECK-NOT:   np.matmul
// CHECK-NOT:   np.reduce
// CHECK-COUNT-2: np.ufunc "add"
// CHECK:       return
// CHECK-LABEL: func.func @rotated.choice
// CHECK:       arith.cmpi sle
// CHECK:       arith.cmpi eq
func.func @rotated(%p: !np.array<?x?xf64> {np.first = array<i64: 1000, 3, 0>}, %r: !np.array<?x?xf64> {np.first = array<i64: 3, 3, 0>}) -> tensor<?x?xf64> attributes {np.target = "cuda"} {
  %x = np.load %p : !np.array<?x?xf64> -> tensor<?x?xf64>
  %y = np.load %r : !np.array<?x?xf64> -> tensor<?x?xf64>
  %q = np.matmul %x, %y : tensor<?x?xf64>, tensor<?x?xf64> -> tensor<?x?xf64>
  return %q : tensor<?x?xf64>
}

// Many terms are a library's.
// CHECK-LABEL: func.func @large
// CHECK:       np.matmul
func.func @large(%p: !np.array<?x?xf64> {np.first = array<i64: 1000, 30, 0>}, %r: !np.array<?x?xf64> {np.first = array<i64: 30, 3, 0>}) -> tensor<?x?xf64> attributes {np.target = "cuda"} {
  %x = np.load %p : !np.array<?x?xf64> -> tensor<?x?xf64>
  %y = np.load %r : !np.array<?x?xf64> -> tensor<?x?xf64>
  %q = np.matmul %x, %y : tensor<?x?xf64>, tensor<?x?xf64> -> tensor<?x?xf64>
  return %q : tensor<?x?xf64>
}

// Nothing is known of the call.
// CHECK-LABEL: func.func @unknown
// CHECK:       np.matmul
func.func @unknown(%p: !np.array<?x?xf64>, %r: !np.array<?x?xf64>) -> tensor<?x?xf64> attributes {np.target = "cuda"} {
  %x = np.load %p : !np.array<?x?xf64> -> tensor<?x?xf64>
  %y = np.load %r : !np.array<?x?xf64> -> tensor<?x?xf64>
  %q = np.matmul %x, %y : tensor<?x?xf64>, tensor<?x?xf64> -> tensor<?x?xf64>
  return %q : tensor<?x?xf64>
}

// Few sums of many terms, as of x.T @ y for many points: threads share out the terms. Calls with more sums, or shorter ones, are other code's.
// CHECK-LABEL: func.func @long_sums
// CHECK-NOT:   np.matmul
// CHECK:       np.reduce "add"
// CHECK:       return
// CHECK-LABEL: func.func @long_sums.choice
// CHECK-DAG:   arith.constant 16384
// CHECK-DAG:   arith.cmpi sge
// CHECK-DAG:   arith.cmpi sle
func.func @long_sums(%p: !np.array<?x?xf64> {np.first = array<i64: 6, 100000, 0>}, %r: !np.array<?x?xf64> {np.first = array<i64: 100000, 10, 0>}) -> tensor<?x?xf64> attributes {np.target = "cuda"} {
  %x = np.load %p : !np.array<?x?xf64> -> tensor<?x?xf64>
  %y = np.load %r : !np.array<?x?xf64> -> tensor<?x?xf64>
  %q = np.matmul %x, %y : tensor<?x?xf64>, tensor<?x?xf64> -> tensor<?x?xf64>
  return %q : tensor<?x?xf64>
}

// CHECK-LABEL: func.func @many_sums
// CHECK:       np.matmul
func.func @many_sums(%p: !np.array<?x?xf64> {np.first = array<i64: 64, 100000, 0>}, %r: !np.array<?x?xf64> {np.first = array<i64: 100000, 64, 0>}) -> tensor<?x?xf64> attributes {np.target = "cuda"} {
  %x = np.load %p : !np.array<?x?xf64> -> tensor<?x?xf64>
  %y = np.load %r : !np.array<?x?xf64> -> tensor<?x?xf64>
  %q = np.matmul %x, %y : tensor<?x?xf64>, tensor<?x?xf64> -> tensor<?x?xf64>
  return %q : tensor<?x?xf64>
}
