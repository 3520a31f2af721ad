// Products of one matrix with several that the loop does not change are one product, where the target is a device.
// RUN: npcc-opt %s --npcc-join-products --canonicalize --cse | FileCheck %s

// Side by side: one more column for each column of the second.
// CHECK-LABEL: func.func @right
// CHECK:       %[[ALL:.*]] = np.empty(%{{.*}}, %[[END:.*]]) : !np.array<?x?xf64>
// CHECK:       %[[FIRST:.*]] = np.view %[[ALL]] offsets[%c0, %c0]
// CHECK:       np.store %{{.*}}, %[[FIRST]]
// CHECK:       %[[SECOND:.*]] = np.view %[[ALL]] offsets[%c0, %[[START:.*]]] axes
// CHECK:       np.store %{{.*}}, %[[SECOND]]
// CHECK:       scf.for
// CHECK:         %[[W:.*]] = np.load %[[ALL]]
// CHECK:         %[[P:.*]] = np.matmul %{{.*}}, %[[W]]
// CHECK-NOT:     np.matmul
// CHECK:         np.view %[[P]] offsets[%c0, %c0]
// CHECK:         np.view %[[P]] offsets[%c0, %[[START]]]
func.func @right(%h: !np.array<?x?xf64>, %u: !np.array<?x?xf64>, %v: !np.array<?x?xf64>, %n: index) -> !np.array<?x?xf64> attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %t = %c0 to %n step %c1 iter_args(%old = %h) -> (!np.array<?x?xf64>) {
    %x = np.load %old : !np.array<?x?xf64> -> tensor<?x?xf64>
    %a = np.load %u : !np.array<?x?xf64> -> tensor<?x?xf64>
    %b = np.load %v : !np.array<?x?xf64> -> tensor<?x?xf64>
    %p = np.matmul %x, %a : tensor<?x?xf64>, tensor<?x?xf64> -> tensor<?x?xf64>
    %q = np.matmul %x, %b : tensor<?x?xf64>, tensor<?x?xf64> -> tensor<?x?xf64>
    %s = np.ufunc "subtract"(%p, %q) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
    %new = np.new %s : tensor<?x?xf64> -> !np.array<?x?xf64>
    scf.yield %new : !np.array<?x?xf64>
  }
  return %r : !np.array<?x?xf64>
}

// Below one another.
// CHECK-LABEL: func.func @left
// CHECK:       %[[ALL:.*]] = np.empty
// CHECK:       %[[FIRST:.*]] = np.view %[[ALL]] offsets[%c0, %c0]
// CHECK:       %[[SECOND:.*]] = np.view %[[ALL]] offsets[%[[START:.*]], %c0] axes
// CHECK:       scf.for
// CHECK:         %[[W:.*]] = np.load %[[ALL]]
// CHECK:         %[[P:.*]] = np.matmul %[[W]], %{{.*}}
// CHECK-NOT:     np.matmul
// CHECK:         np.view %[[P]] offsets[%[[START]], %c0]
func.func @left(%h: !np.array<?x?xf64>, %u: !np.array<?x?xf64>, %v: !np.array<?x?xf64>, %n: index) -> !np.array<?x?xf64> attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %t = %c0 to %n step %c1 iter_args(%old = %h) -> (!np.array<?x?xf64>) {
    %x = np.load %old : !np.array<?x?xf64> -> tensor<?x?xf64>
    %a = np.load %u : !np.array<?x?xf64> -> tensor<?x?xf64>
    %b = np.load %v : !np.array<?x?xf64> -> tensor<?x?xf64>
    %p = np.matmul %a, %x : tensor<?x?xf64>, tensor<?x?xf64> -> tensor<?x?xf64>
    %q = np.matmul %b, %x : tensor<?x?xf64>, tensor<?x?xf64> -> tensor<?x?xf64>
    %s = np.ufunc "subtract"(%p, %q) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
    %new = np.new %s : tensor<?x?xf64> -> !np.array<?x?xf64>
    scf.yield %new : !np.array<?x?xf64>
  }
  return %r : !np.array<?x?xf64>
}

// One of two changes in the loop: there is nothing to join.
// CHECK-LABEL: func.func @changes
// CHECK-NOT:   np.empty
// CHECK-COUNT-2: np.matmul
func.func @changes(%h: !np.array<?x?xf64>, %u: !np.array<?x?xf64>, %v: !np.array<?x?xf64>, %n: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %t = %c0 to %n step %c1 {
    %x = np.load %h : !np.array<?x?xf64> -> tensor<?x?xf64>
    %a = np.load %u : !np.array<?x?xf64> -> tensor<?x?xf64>
    %b = np.load %v : !np.array<?x?xf64> -> tensor<?x?xf64>
    %p = np.matmul %x, %a : tensor<?x?xf64>, tensor<?x?xf64> -> tensor<?x?xf64>
    %q = np.matmul %x, %b : tensor<?x?xf64>, tensor<?x?xf64> -> tensor<?x?xf64>
    %s = np.ufunc "subtract"(%p, %q) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
    np.store %s, %v : tensor<?x?xf64>, !np.array<?x?xf64>
  }
  return
}

// The call that the code is compiled for has large matrices, which are worth a call each.
// CHECK-LABEL: func.func @large
// CHECK-NOT:   np.empty
// CHECK-COUNT-2: np.matmul
func.func @large(%h: !np.array<?x?xf64>, %u: !np.array<?x?xf64> {np.first = array<i64: 4096, 4096, 0>}, %v: !np.array<?x?xf64> {np.first = array<i64: 4096, 4096, 0>}, %n: index) -> !np.array<?x?xf64> attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %t = %c0 to %n step %c1 iter_args(%old = %h) -> (!np.array<?x?xf64>) {
    %x = np.load %old : !np.array<?x?xf64> -> tensor<?x?xf64>
    %a = np.load %u : !np.array<?x?xf64> -> tensor<?x?xf64>
    %b = np.load %v : !np.array<?x?xf64> -> tensor<?x?xf64>
    %p = np.matmul %x, %a : tensor<?x?xf64>, tensor<?x?xf64> -> tensor<?x?xf64>
    %q = np.matmul %x, %b : tensor<?x?xf64>, tensor<?x?xf64> -> tensor<?x?xf64>
    %s = np.ufunc "subtract"(%p, %q) : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
    %new = np.new %s : tensor<?x?xf64> -> !np.array<?x?xf64>
    scf.yield %new : !np.array<?x?xf64>
  }
  return %r : !np.array<?x?xf64>
}
