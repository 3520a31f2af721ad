// RUN: npcc-opt %s --npcc-raise-products --canonicalize --cse | FileCheck %s

// Rows times a matrix: one product in blocks of rows, of which an iteration takes its own.
// CHECK-LABEL: func.func @rows
// CHECK:       scf.for %[[BEGIN:.*]] = %c0 to %arg3 step
// CHECK:         %[[ROWS:.*]] = np.view %arg0 offsets[%{{.*}}, %c0] axes [0, 1] extents[%{{.*}}, %{{.*}}] steps[%c1, %c1]
// CHECK:         %[[A:.*]] = np.load %[[ROWS]]
// CHECK:         %[[B:.*]] = np.load %{{.*}}
// CHECK:         %[[P:.*]] = np.matmul %[[A]], %[[B]]
// CHECK:         scf.for %[[I:.*]] = %[[BEGIN]] to
// CHECK:           np.check_index %[[I]]
// CHECK-NOT:       np.matmul
// CHECK:           %[[AT:.*]] = arith.subi %[[I]], %[[BEGIN]]
// CHECK:           np.view %[[P]] offsets[%[[AT]], %c0] axes [-1, 1]
func.func @rows(%a: !np.array<?x?xf64>, %b: !np.array<?x?xf64>, %out: !np.array<?x?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = np.dim %a, 0 : !np.array<?x?xf64>
  %k = np.dim %a, 1 : !np.array<?x?xf64>
  %m = np.dim %b, 1 : !np.array<?x?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %at = np.check_index %i of %rows axis 0
    %row = np.view %a offsets[%at, %c0] axes [-1, 1] extents[%c1, %k] steps[%c1, %c1] : !np.array<?x?xf64> -> !np.array<1x?xf64, strided>
    %x = np.load %row : !np.array<1x?xf64, strided> -> tensor<1x?xf64>
    %y = np.load %b : !np.array<?x?xf64> -> tensor<?x?xf64>
    %p = np.matmul %x, %y : tensor<1x?xf64>, tensor<?x?xf64> -> tensor<1x?xf64>
    %v = np.view %out offsets[%i, %c0] axes [-1, 1] extents[%c1, %m] steps[%c1, %c1] : !np.array<?x?xf64> -> !np.array<1x?xf64, strided>
    np.store %p, %v : tensor<1x?xf64>, !np.array<1x?xf64, strided>
  }
  return
}

// The columns from the iteration's own on: a block's product has those of its first one.
// CHECK-LABEL: func.func @triangle
// CHECK:       scf.for %[[BEGIN:.*]] = %c0 to %{{.*}} step
// CHECK:         np.view %arg0 offsets[%c0, %[[START:.*]]] axes [0, 1] extents[%{{.*}}, %[[WIDTH:.*]]] steps
// CHECK:         %[[P:.*]] = np.matmul
// CHECK:         scf.for %[[I:.*]] = %[[BEGIN]] to
// CHECK:           %[[ROW:.*]] = arith.subi %[[I]], %[[BEGIN]]
// CHECK:           %[[COLUMN:.*]] = arith.subi %[[I]], %[[START]]
// CHECK:           np.view %[[P]] offsets[%[[ROW]], %[[COLUMN]]] axes [-1, 1]
func.func @triangle(%a: !np.array<?x?xf64>, %out: !np.array<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = np.dim %a, 0 : !np.array<?x?xf64>
  %m = np.dim %a, 1 : !np.array<?x?xf64>
  scf.for %i = %c0 to %m step %c1 {
    %left = arith.subi %m, %i : index
    %column = np.view %a offsets[%c0, %i] axes [-1, 0] extents[%c1, %n] steps[%c1, %c1] : !np.array<?x?xf64> -> !np.array<1x?xf64, strided>
    %rest = np.view %a offsets[%c0, %i] axes [0, 1] extents[%n, %left] steps[%c1, %c1] : !np.array<?x?xf64> -> !np.array<?x?xf64, strided>
    %x = np.load %column : !np.array<1x?xf64, strided> -> tensor<1x?xf64>
    %y = np.load %rest : !np.array<?x?xf64, strided> -> tensor<?x?xf64>
    %p = np.matmul %x, %y : tensor<1x?xf64>, tensor<?x?xf64> -> tensor<1x?xf64>
    %v = np.view %out offsets[%i, %i] axes [-1, 1] extents[%c1, %left] steps[%c1, %c1] : !np.array<?x?xf64> -> !np.array<1x?xf64, strided>
    np.store %p, %v : tensor<1x?xf64>, !np.array<1x?xf64, strided>
  }
  return
}

// A sum for each pair of rows.
// CHECK-LABEL: func.func @pairs
// CHECK:       %[[P:.*]] = np.matmul %{{.*}} : tensor<?x?xf64>, tensor<?x?xf64> -> tensor<?x?xf64>
// CHECK:       scf.for %[[I:.*]] =
// CHECK:         scf.for %[[J:.*]] =
// CHECK-NOT:       np.reduce
// CHECK:           np.view %[[P]] offsets[%{{.*}}, %[[J]]] axes []
func.func @pairs(%a: !np.array<?x?xf64>, %b: !np.array<?x?xf64>, %out: !np.array<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = np.dim %a, 0 : !np.array<?x?xf64>
  %k = np.dim %a, 1 : !np.array<?x?xf64>
  %m = np.dim %b, 0 : !np.array<?x?xf64>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %left = np.view %a offsets[%i, %c0] axes [1] extents[%k] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
      %right = np.view %b offsets[%j, %c0] axes [1] extents[%k] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
      %x = np.load %left : !np.array<?xf64> -> tensor<?xf64>
      %y = np.load %right : !np.array<?xf64> -> tensor<?xf64>
      %xy = np.ufunc "multiply"(%x, %y) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
      %s = np.reduce "add" %xy axes [0] {product} : tensor<?xf64> -> tensor<f64>
      %v = np.view %out offsets[%i, %j] axes [] extents[] steps[] : !np.array<?x?xf64> -> !np.array<f64>
      np.store %s, %v : tensor<f64>, !np.array<f64>
    }
  }
  return
}

// What the loop changes, a sum that the program writes as one, and windows stay as they are.
// CHECK-LABEL: func.func @others
// CHECK-NOT:   np.matmul
// CHECK:       scf.for
// CHECK:       np.matmul
// CHECK-NOT:   np.matmul
// CHECK:       scf.for
// CHECK:       np.matmul
// CHECK-NOT:   np.matmul
func.func @others(%a: !np.array<?x?xf64>, %b: !np.array<?x?xf64>, %x: !np.array<?xf64>, %out: !np.array<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = np.dim %a, 0 : !np.array<?x?xf64>
  %k = np.dim %a, 1 : !np.array<?x?xf64>
  %m = np.dim %b, 1 : !np.array<?x?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %row = np.view %a offsets[%i, %c0] axes [-1, 1] extents[%c1, %k] steps[%c1, %c1] : !np.array<?x?xf64> -> !np.array<1x?xf64, strided>
    %v = np.load %row : !np.array<1x?xf64, strided> -> tensor<1x?xf64>
    %y = np.load %b : !np.array<?x?xf64> -> tensor<?x?xf64>
    %p = np.matmul %v, %y : tensor<1x?xf64>, tensor<?x?xf64> -> tensor<1x?xf64>
    %first = np.view %b offsets[%c0, %c0] axes [-1, 1] extents[%c1, %m] steps[%c1, %c1] : !np.array<?x?xf64> -> !np.array<1x?xf64, strided>
    np.store %p, %first : tensor<1x?xf64>, !np.array<1x?xf64, strided>
  }
  scf.for %i = %c0 to %n step %c1 {
    %window = np.view %x offsets[%i] axes [-1, 0] extents[%c1, %k] steps[%c1, %c1] : !np.array<?xf64> -> !np.array<1x?xf64, strided>
    %v = np.load %window : !np.array<1x?xf64, strided> -> tensor<1x?xf64>
    %y = np.load %a : !np.array<?x?xf64> -> tensor<?x?xf64>
    %p = np.matmul %v, %y : tensor<1x?xf64>, tensor<?x?xf64> -> tensor<1x?xf64>
    %o = np.view %out offsets[%i, %c0] axes [-1, 1] extents[%c1, %m] steps[%c1, %c1] : !np.array<?x?xf64> -> !np.array<1x?xf64, strided>
    np.store %p, %o : tensor<1x?xf64>, !np.array<1x?xf64, strided>
  }
  return
}
