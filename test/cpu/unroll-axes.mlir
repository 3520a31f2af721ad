// RUN: npcc-opt %s --npcc-unroll-axes --mlir-print-local-scope | FileCheck %s

// Three colours of each pixel, and a weight that they share: it is loaded once. How many colours there are becomes part
// of the arrays' types, and other calls are asked for it (the choice function).
// CHECK-LABEL: func.func @colours
// CHECK-DAG:   %[[X:.*]] = memref.cast %{{.*}} : memref<?x?xf32> to memref<?x3xf32>
// CHECK-DAG:   %[[Y:.*]] = memref.cast %{{.*}} : memref<?x?xf32> to memref<?x3xf32>
// CHECK:       np.kernel map (%[[I:.*]]) = (%{{.*}}) {
// CHECK-NEXT:    %[[W:.*]] = memref.load %{{.*}}[%[[I]]]
// CHECK-NEXT:    %[[ZERO:.*]] = arith.constant 0
// CHECK-NEXT:    %[[A:.*]] = memref.load %[[X]][%[[I]], %[[ZERO]]]
// CHECK-NEXT:    %[[AW:.*]] = arith.mulf %[[A]], %[[W]]
// CHECK-NEXT:    memref.store %[[AW]], %[[Y]][%[[I]], %[[ZERO]]]
// CHECK-NEXT:    %[[ONE:.*]] = arith.constant 1
// CHECK-NEXT:    memref.load %[[X]][%[[I]], %[[ONE]]]
// CHECK:         %[[TWO:.*]] = arith.constant 2
// CHECK-NEXT:    memref.load %[[X]][%[[I]], %[[TWO]]]
// CHECK-NOT:     memref.load
// CHECK:       @colours.choice
// CHECK:         arith.cmpi eq
func.func @colours(%x: memref<?x?xf32> {np.first = array<i64: 1000, 3, 0>}, %w: memref<?xf32> {np.first = array<i64: 1000, 0>}) -> memref<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  %y = np.alloc(%n, %m) : memref<?x?xf32>
  np.kernel map (%i, %k) = (%n, %m) {
    %a = memref.load %x[%i, %k] : memref<?x?xf32>
    %b = memref.load %w[%i] : memref<?xf32>
    %c = arith.mulf %a, %b : f32
    memref.store %c, %y[%i, %k] : memref<?x?xf32>
  }
  return %y : memref<?x?xf32>
}

// Of many elements, of few positions, along an axis that is not the array's last one, and without a first call.
// CHECK-LABEL: func.func @many
// CHECK: np.kernel map (%{{.*}}, %{{.*}}) =
func.func @many(%x: memref<?x?xf32> {np.first = array<i64: 1000, 5, 0>}, %w: memref<?xf32> {np.first = array<i64: 1000, 0>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  np.kernel map (%i, %k) = (%n, %m) {
    %b = memref.load %w[%i] : memref<?xf32>
    memref.store %b, %x[%i, %k] : memref<?x?xf32>
  }
  return
}
// CHECK-LABEL: func.func @short
// CHECK: np.kernel map (%{{.*}}, %{{.*}}) =
func.func @short(%x: memref<?x?xf32> {np.first = array<i64: 4, 3, 0>}, %w: memref<?xf32> {np.first = array<i64: 4, 0>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  np.kernel map (%i, %k) = (%n, %m) {
    %b = memref.load %w[%i] : memref<?xf32>
    memref.store %b, %x[%i, %k] : memref<?x?xf32>
  }
  return
}
// CHECK-LABEL: func.func @turned
// CHECK: np.kernel map (%{{.*}}, %{{.*}}) =
func.func @turned(%x: memref<?x?xf32> {np.first = array<i64: 3, 1000, 0>}, %w: memref<?xf32> {np.first = array<i64: 1000, 0>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  np.kernel map (%i, %k) = (%n, %m) {
    %b = memref.load %w[%i] : memref<?xf32>
    memref.store %b, %x[%k, %i] : memref<?x?xf32>
  }
  return
}
// CHECK-LABEL: func.func @general
// CHECK: np.kernel map (%{{.*}}, %{{.*}}) =
func.func @general(%x: memref<?x?xf32>, %w: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  np.kernel map (%i, %k) = (%n, %m) {
    %b = memref.load %w[%i] : memref<?xf32>
    memref.store %b, %x[%i, %k] : memref<?x?xf32>
  }
  return
}
