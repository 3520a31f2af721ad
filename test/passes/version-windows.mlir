// RUN: npcc-opt %s --npcc-version-windows --npcc-simplify-positions --canonicalize --cse | FileCheck %s

// x[i * h:i * h + n] is sorted: where the first and the last window lie inside, every window has n elements.
// CHECK-LABEL: func.func @windows
// CHECK:       %[[LENGTH:.*]] = np.dim %arg0, 0
// CHECK:       %[[LAST:.*]] = arith.addi %arg2, %c-1
// CHECK:       %[[AT:.*]] = arith.muli %[[LAST]], %arg3
// CHECK:       %[[MOST:.*]] = arith.maxsi %[[AT]], %c0
// CHECK:       %[[END:.*]] = arith.addi %[[MOST]], %{{.*}}
// CHECK:       arith.cmpi sle, %[[END]], %[[LENGTH]]
// CHECK:       np.alternatives "windows that end inside" {{.*}} {
// CHECK:         scf.for %[[I:.*]] =
// CHECK-NEXT:      %[[FROM:.*]] = arith.muli %[[I]], %arg3
// CHECK-NEXT:      np.view %arg0 offsets[%[[FROM]]] axes [0] extents[%[[N:.*]]]
// CHECK:           np.sort
// CHECK:       } or {
// CHECK:         scf.for
// CHECK-COUNT-2:   arith.minsi
// CHECK:           np.sort
func.func @windows(%x: !np.array<?xf64>, %out: !np.array<?x?xf64>, %count: index, %h: index, %w: !np.array<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %length = np.dim %x, 0 : !np.array<?xf64>
  %n = np.dim %w, 0 : !np.array<?xf64>
  scf.for %i = %c0 to %count step %c1 {
    %start = arith.muli %i, %h : index
    %stop = arith.addi %start, %n : index
    %isNegative = arith.cmpi slt, %start, %c0 : index
    %turned = arith.addi %start, %length : index
    %counted = arith.select %isNegative, %turned, %start : index
    %least = arith.maxsi %counted, %c0 : index
    %from = arith.minsi %least, %length : index
    %to = arith.minsi %stop, %length : index
    %distance = arith.subi %to, %from : index
    %extent = arith.maxsi %distance, %c0 : index
    %window = np.view %x offsets[%from] axes [0] extents[%extent] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64>
    %v = np.load %window : !np.array<?xf64> -> tensor<?xf64>
    %s = np.sort %v positions false : tensor<?xf64> -> tensor<?xf64>
    %row = np.view %out offsets[%i, %c0] axes [1] extents[%extent] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
    np.store %s, %row : tensor<?xf64>, !np.array<?xf64>
  }
  return
}

// A loop that calls nothing becomes a kernel as it is.
// CHECK-LABEL: func.func @copies
// CHECK-NOT:   np.choice
func.func @copies(%x: !np.array<?xf64>, %out: !np.array<?x?xf64>, %count: index, %h: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %length = np.dim %x, 0 : !np.array<?xf64>
  scf.for %i = %c0 to %count step %c1 {
    %start = arith.muli %i, %h : index
    %stop = arith.addi %start, %n : index
    %to = arith.minsi %stop, %length : index
    %extent = arith.subi %to, %start : index
    %window = np.view %x offsets[%start] axes [0] extents[%extent] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64>
    %v = np.load %window : !np.array<?xf64> -> tensor<?xf64>
    %row = np.view %out offsets[%i, %c0] axes [1] extents[%extent] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
    np.store %v, %row : tensor<?xf64>, !np.array<?xf64>
  }
  return
}

// How long a window is, an operation of the loop tells that may not stand before it.
// CHECK-LABEL: func.func @own_lengths
// CHECK-NOT:   np.choice
func.func @own_lengths(%x: !np.array<?xf64>, %out: !np.array<?x?xf64>, %count: index, %h: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %length = np.dim %x, 0 : !np.array<?xf64>
  scf.for %i = %c0 to %count step %c1 {
    %n = arith.divsi %length, %h : index
    %stop = arith.addi %i, %n : index
    %to = arith.minsi %stop, %length : index
    %extent = arith.subi %to, %i : index
    %window = np.view %x offsets[%i] axes [0] extents[%extent] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64>
    %v = np.load %window : !np.array<?xf64> -> tensor<?xf64>
    %s = np.sort %v positions false : tensor<?xf64> -> tensor<?xf64>
    %row = np.view %out offsets[%i, %c0] axes [1] extents[%extent] steps[%c1] : !np.array<?x?xf64> -> !np.array<?xf64>
    np.store %s, %row : tensor<?xf64>, !np.array<?xf64>
  }
  return
}
