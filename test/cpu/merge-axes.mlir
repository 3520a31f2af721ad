// RUN: npcc-opt %s --npcc-merge-axes --canonicalize --mlir-print-local-scope | FileCheck %s

// The extents are the array's own: known to be contiguous, one axis is left.
// CHECK-LABEL: func.func @whole
// CHECK: %[[N:.*]] = arith.muli
// CHECK: np.kernel (%[[J:.*]]) = (%[[N]])
// CHECK: memref.load %{{.*}}[%c0, %[[J]]]
func.func @whole(%a: memref<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x?xf64>
  %m = memref.dim %a, %c1 : memref<?x?xf64>
  np.kernel (%i, %j) = (%n, %m) {
    %x = memref.load %a[%i, %j] : memref<?x?xf64>
    %y = math.exp %x : f64
    memref.store %y, %a[%i, %j] : memref<?x?xf64>
  }
  return
}

// Of another array: asked at run time.
// CHECK-LABEL: func.func @asked
// CHECK-SAME: %[[A:.*]]: memref<?x?xf64>, %{{[a-z0-9]+}}: index, %[[M:[a-z0-9]+]]: index
// CHECK: %[[DIM:.*]] = memref.dim %[[A]], %c1
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[DIM]], %[[M]]
// CHECK: %[[COLUMNS:.*]] = arith.select %[[SAME]], %{{.*}}, %[[M]]
// CHECK: %[[ROWS:.*]] = arith.select %[[SAME]], %c1, %{{.*}}
// CHECK: np.kernel ({{.*}}) = (%[[ROWS]], %[[COLUMNS]])
func.func @asked(%a: memref<?x?xf64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  np.kernel (%i, %j) = (%n, %m) {
    memref.store %zero, %a[%i, %j] : memref<?x?xf64>
  }
  return
}

// A row that is broadcast, a position computed with, a strided array: not merged.
// CHECK-LABEL: func.func @kept
// CHECK-SAME: %[[N:[a-z0-9]+]]: index, %[[M:[a-z0-9]+]]: index
// CHECK-COUNT-3: np.kernel ({{.*}}) = (%[[N]], %[[M]])
func.func @kept(%a: memref<?x?xf64>, %row: memref<?xf64>, %s: memref<?x?xf64, strided<[?, 1]>>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  np.kernel (%i, %j) = (%n, %m) {
    %x = memref.load %row[%j] : memref<?xf64>
    memref.store %x, %a[%i, %j] : memref<?x?xf64>
  }
  np.kernel (%i, %j) = (%n, %m) {
    %k = arith.addi %j, %c1 : index
    memref.store %zero, %a[%i, %k] : memref<?x?xf64>
  }
  np.kernel (%i, %j) = (%n, %m) {
    memref.store %zero, %s[%i, %j] : memref<?x?xf64, strided<[?, 1]>>
  }
  return
}
