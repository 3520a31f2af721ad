// RUN: npcc-opt %s --npcc-batch-products --canonicalize --cse | FileCheck %s

// Stacks: a library where the matrices are large, otherwise the sum.
// CHECK-LABEL: func.func @stacks
// CHECK-DAG:   %[[A:.*]] = np.view %arg0 {{.*}} axes [0, 1, 2]
// CHECK-DAG:   %[[B:.*]] = np.view %arg1 {{.*}} axes [0, 1, 2]
// CHECK:       np.alternatives {{.*}}
// CHECK:         np.matmul %{{.*}}, %{{.*}} : tensor<?x?x?xf64>, tensor<?x?x?xf64> -> tensor<?x?x?xf64>
// CHECK:       } or {
// CHECK:         np.ufunc "multiply"
// CHECK:         np.reduce "add"
func.func @stacks(%a: !np.array<?x?x?xf64>, %b: !np.array<?x?x?xf64>) -> tensor<?x?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = np.load %a : !np.array<?x?x?xf64> -> tensor<?x?x?xf64>
  %y = np.load %b : !np.array<?x?x?xf64> -> tensor<?x?x?xf64>
  %s = np.dim %a, 0 : !np.array<?x?x?xf64>
  %m = np.dim %a, 1 : !np.array<?x?x?xf64>
  %k = np.dim %a, 2 : !np.array<?x?x?xf64>
  %n = np.dim %b, 2 : !np.array<?x?x?xf64>
  %l = np.view %x offsets [%c0, %c0, %c0] axes [0, 1, -1, 2] extents [%s, %m, %c1, %k] steps [%c1, %c1, %c1, %c1] : tensor<?x?x?xf64> -> tensor<?x?x1x?xf64>
  %r = np.view %y offsets [%c0, %c0, %c0] axes [0, -1, 2, 1] extents [%s, %c1, %n, %k] steps [%c1, %c1, %c1, %c1] : tensor<?x?x?xf64> -> tensor<?x1x?x?xf64>
  %lw = np.broadcast %l extents [%s, %m, %n, %k] : tensor<?x?x1x?xf64> -> tensor<?x?x?x?xf64>
  %rw = np.broadcast %r extents [%s, %m, %n, %k] : tensor<?x1x?x?xf64> -> tensor<?x?x?x?xf64>
  %p = np.ufunc "multiply"(%lw, %rw) : (tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>) -> tensor<?x?x?x?xf64>
  %t = np.reduce "add" %p axes [3] {product} : tensor<?x?x?x?xf64> -> tensor<?x?x?xf64>
  return %t : tensor<?x?x?xf64>
}

// What is only cast, and becomes an array, is cast and stored by each version.
// CHECK-LABEL: func.func @cast
// CHECK:       %[[R:.*]] = np.alternatives {{.*}} %{{.*}} -> (!np.array<?x?x?xbf16>) {
// CHECK:         %[[P:.*]] = np.matmul
// CHECK-NEXT:    %[[C:.*]] = np.cast %[[P]] : tensor<?x?x?xf32> -> tensor<?x?x?xbf16>
// CHECK-NEXT:    %[[N:.*]] = np.new %[[C]]
// CHECK-NEXT:    np.yield %[[N]]
// CHECK:         np.reduce "add"
// CHECK-NEXT:    np.cast
// CHECK-NEXT:    np.new
// CHECK:       return %[[R]]
func.func @cast(%a: !np.array<?x?x?xf32>, %b: !np.array<?x?x?xf32>) -> !np.array<?x?x?xbf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = np.load %a : !np.array<?x?x?xf32> -> tensor<?x?x?xf32>
  %y = np.load %b : !np.array<?x?x?xf32> -> tensor<?x?x?xf32>
  %s = np.dim %a, 0 : !np.array<?x?x?xf32>
  %m = np.dim %a, 1 : !np.array<?x?x?xf32>
  %k = np.dim %a, 2 : !np.array<?x?x?xf32>
  %n = np.dim %b, 2 : !np.array<?x?x?xf32>
  %l = np.view %x offsets [%c0, %c0, %c0] axes [0, 1, -1, 2] extents [%s, %m, %c1, %k] steps [%c1, %c1, %c1, %c1] : tensor<?x?x?xf32> -> tensor<?x?x1x?xf32>
  %r = np.view %y offsets [%c0, %c0, %c0] axes [0, -1, 2, 1] extents [%s, %c1, %n, %k] steps [%c1, %c1, %c1, %c1] : tensor<?x?x?xf32> -> tensor<?x1x?x?xf32>
  %lw = np.broadcast %l extents [%s, %m, %n, %k] : tensor<?x?x1x?xf32> -> tensor<?x?x?x?xf32>
  %rw = np.broadcast %r extents [%s, %m, %n, %k] : tensor<?x1x?x?xf32> -> tensor<?x?x?x?xf32>
  %p = np.ufunc "multiply"(%lw, %rw) : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  %t = np.reduce "add" %p axes [3] {product} : tensor<?x?x?x?xf32> -> tensor<?x?x?xf32>
  %narrow = np.cast %t : tensor<?x?x?xf32> -> tensor<?x?x?xbf16>
  %new = np.new %narrow : tensor<?x?x?xbf16> -> !np.array<?x?x?xbf16>
  return %new : !np.array<?x?x?xbf16>
}

// A sum that the program writes as one.
// CHECK-LABEL: func.func @sum
// CHECK-NOT:   np.matmul
// CHECK:       return
func.func @sum(%x: tensor<?x?x1x?xf64>, %y: tensor<?x1x?x?xf64>, %s: index, %m: index, %n: index, %k: index) -> tensor<?x?x?xf64> {
  %lw = np.broadcast %x extents [%s, %m, %n, %k] : tensor<?x?x1x?xf64> -> tensor<?x?x?x?xf64>
  %rw = np.broadcast %y extents [%s, %m, %n, %k] : tensor<?x1x?x?xf64> -> tensor<?x?x?x?xf64>
  %p = np.ufunc "multiply"(%lw, %rw) : (tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>) -> tensor<?x?x?x?xf64>
  %t = np.reduce "add" %p axes [3] : tensor<?x?x?x?xf64> -> tensor<?x?x?xf64>
  return %t : tensor<?x?x?xf64>
}
