// Clamps of slices and checks of indices that the loop decides.
// RUN: npcc-opt %s --npcc-simplify-positions --canonicalize --cse | FileCheck %s

// The windows x[i : i + k] of all rows: their extent is k.
// CHECK-LABEL: func.func @windows
// CHECK:       %[[K:.*]] = np.dim %arg1, 0
// CHECK:       scf.for %[[I:.*]] = %c0
// CHECK-NOT:     arith.maxsi
// CHECK-NOT:     arith.minsi
// CHECK-NOT:     np.check_index
// CHECK:         np.view %arg0 offsets[%[[I]]] axes [0] extents[%[[K]]]
func.func @windows(%x: !np.array<?xf64>, %w: !np.array<?xf64>, %y: !np.array<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = np.dim %x, 0 : !np.array<?xf64>
  %k = np.dim %w, 0 : !np.array<?xf64>
  %d = arith.subi %h, %k : index
  %rows = arith.addi %d, %c1 : index
  scf.for %i = %c0 to %rows step %c1 {
    %negative = arith.cmpi slt, %i, %c0 : index
    %back = arith.addi %i, %h : index
    %from = arith.select %negative, %back, %i : index
    %low = arith.maxsi %from, %c0 : index
    %start = arith.minsi %low, %h : index
    %i64 = arith.index_cast %i : index to i64
    %k64 = arith.index_cast %k : index to i64
    %e64 = arith.addi %i64, %k64 : i64
    %e = arith.index_cast %e64 : i64 to index
    %e0 = arith.maxsi %e, %c0 : index
    %stop = arith.minsi %e0, %h : index
    %difference = arith.subi %stop, %start : index
    %extent = arith.maxsi %difference, %c0 : index
    %p = np.check_index %i of %rows axis 0
    %v = np.view %x offsets[%p] axes [0] extents[%extent] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64>
    %t = np.load %v : !np.array<?xf64> -> tensor<?xf64>
    np.store %t, %y : tensor<?xf64>, !np.array<?xf64>
  }
  return
}

// One step too far, a position that may be negative, a loop that counts in steps nobody knows: all stays.
// CHECK-LABEL: func.func @unknown
// CHECK:       arith.minsi
// CHECK:       np.check_index
// CHECK:       np.check_index
func.func @unknown(%x: !np.array<?xf64>, %first: index, %step: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = np.dim %x, 0 : !np.array<?xf64>
  %r = scf.for %i = %c0 to %h step %c1 iter_args(%s = %c0) -> (index) {
    %next = arith.addi %i, %c1 : index
    %inside = arith.addi %next, %c1 : index
    %stop = arith.minsi %inside, %h : index
    %p = np.check_index %next of %h axis 0
    %t = arith.addi %s, %stop : index
    %u = arith.addi %t, %p : index
    scf.yield %u : index
  }
  %q = scf.for %i = %first to %h step %step iter_args(%s = %r) -> (index) {
    %p = np.check_index %i of %h axis 0
    %t = arith.addi %s, %p : index
    scf.yield %t : index
  }
  return %q : index
}

// What Python's integers make of an extent: a number, and the extent less one.
// CHECK-LABEL: func.func @of_integers
// CHECK-SAME:    %[[X:.*]]: !np.array<?xf64>
// CHECK:         %[[N:.*]] = np.dim %[[X]], 0
// CHECK:         %[[LESS:.*]] = arith.addi %[[N]], %{{.*}} : index
// CHECK:         return %[[LESS]], %{{.*}} : index, i64
func.func @of_integers(%x: !np.array<?xf64>) -> (index, i64) {
  %less = arith.constant -1 : i64
  %n = np.dim %x, 0 : !np.array<?xf64>
  %size = arith.index_cast %n : index to i64
  %last = arith.addi %size, %less : i64
  %index = arith.index_cast %last : i64 to index
  %one = arith.subi %size, %last : i64
  return %index, %one : index, i64
}

// A sum of one value and a number is an addition, however it was written, and equal extents meet.
// CHECK-LABEL: func.func @sums
// CHECK-SAME:    %[[N:.*]]: index
// CHECK:         %[[LESS:.*]] = arith.addi %[[N]], %c-2
// CHECK-NOT:     np.broadcast_extent
// CHECK:         return %[[LESS]], %[[LESS]]
func.func @sums(%n: index) -> (index, index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = arith.subi %n, %c2 : index
  %b = arith.subi %n, %c1 : index
  %c = arith.subi %b, %c1 : index
  %e = np.broadcast_extent "ufunc" %a, %c shapes[%a, %c] lhs_rank 1
  return %e, %c : index, index
}

// The extent of x[i : i + n] is n, also where that is itself a sum of more than the pass goes into.
// CHECK-LABEL: func.func @slices
// CHECK:         %[[N:.*]] = arith.addi %{{.*}}, %c1_i64
// CHECK:         scf.for %[[I:.*]] = %c0
// CHECK:           %[[EXTENT:.*]] = arith.index_cast %[[N]] : i64 to index
// CHECK:           np.view %arg0 offsets[%[[I]]] axes [0] extents[%[[EXTENT]]]
func.func @slices(%x: !np.array<?xf64>, %w: !np.array<?xf64>, %y: !np.array<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %h = np.dim %x, 0 : !np.array<?xf64>
  %k = np.dim %w, 0 : !np.array<?xf64>
  %long = arith.index_cast %h : index to i64
  %short = arith.index_cast %k : index to i64
  %less = arith.subi %long, %short : i64
  %n = arith.addi %less, %one : i64
  scf.for %i = %c0 to %k step %c1 {
    %start = arith.index_cast %i : index to i64
    %end = arith.addi %start, %n : i64
    %stop = arith.index_cast %end : i64 to index
    %extent = arith.subi %stop, %i : index
    %part = np.view %x offsets[%i] axes [0] extents[%extent] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64>
    %v = np.load %part : !np.array<?xf64> -> tensor<?xf64>
    np.store %v, %y : tensor<?xf64>, !np.array<?xf64>
  }
  return
}

// (k + 1) * b - k * b is b, and what is compared is less by it.
// CHECK-LABEL: func.func @products
// CHECK:         return %{{.*}}, %arg1
func.func @products(%k: index, %b: index) -> (index, index) {
  %c1 = arith.constant 1 : index
  %from = arith.muli %k, %b : index
  %next = arith.addi %k, %c1 : index
  %to = arith.muli %next, %b : index
  %extent = arith.subi %to, %from : index
  return %from, %extent : index, index
}

// The same product in two branches: neither stands for the other one's.
// CHECK-LABEL: func.func @branches
// CHECK:         scf.if
// CHECK:           %[[P:.*]] = arith.muli %arg0, %arg1
// CHECK:           %[[X:.*]] = arith.addi %[[P]], %c-1
// CHECK:           scf.yield %[[X]]
// CHECK:         } else {
// CHECK:           %[[Q:.*]] = arith.muli %arg0, %arg1
// CHECK:           %[[Y:.*]] = arith.addi %[[Q]], %c1
// CHECK:           scf.yield %[[Y]]
func.func @branches(%k: index, %b: index, %holds: i1) -> index {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %r = scf.if %holds -> (index) {
    %p = arith.muli %k, %b : index
    %q = arith.subi %p, %c3 : index
    %s = arith.addi %q, %c2 : index
    scf.yield %s : index
  } else {
    %p = arith.muli %k, %b : index
    %q = arith.subi %p, %c1 : index
    %s = arith.addi %q, %c2 : index
    scf.yield %s : index
  }
  return %r : index
}

// if y < 0 or y + b > h: continue. The slice from y on, of b elements, is inside as far as its ends are concerned; that
// b is not negative no branch says.
// CHECK-LABEL: func.func @guarded
// CHECK-SAME:    %[[X:.*]]: !np.array<?xf64>, %[[Y:.*]]: index, %[[B:.*]]: index)
// CHECK:         %[[E:.*]] = arith.addi %[[Y]], %[[B]]
// CHECK:         scf.yield %[[X]]
// CHECK:         else
// CHECK-NEXT:      %[[E0:.*]] = arith.maxsi %[[E]], %c0
// CHECK-NEXT:      arith.maxsi %[[B]], %[[E0]]
// CHECK-NOT:       arith.minsi
// CHECK-NOT:       arith.select
// CHECK:           np.view %[[X]] offsets[%[[Y]]]
func.func @guarded(%x: !np.array<?xf64>, %y: index, %b: index) -> !np.array<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %h = np.dim %x, 0 : !np.array<?xf64>
  %e = arith.addi %y, %b : index
  %less = arith.cmpi slt, %y, %c0 : index
  %outside = scf.if %less -> i1 {
    scf.yield %true : i1
  } else {
    %more = arith.cmpi sgt, %e, %h : index
    scf.yield %more : i1
  }
  %r = scf.if %outside -> !np.array<?xf64> {
    scf.yield %x : !np.array<?xf64>
  } else {
    %negative = arith.cmpi slt, %y, %c0 : index
    %back = arith.addi %y, %h : index
    %from = arith.select %negative, %back, %y : index
    %e0 = arith.maxsi %e, %c0 : index
    %stop = arith.minsi %e, %h : index
    %extent = arith.subi %stop, %from : index
    %length = arith.maxsi %extent, %e0 : index
    %v = np.view %x offsets[%from] axes [0] extents[%length] steps[%c1] : !np.array<?xf64> -> !np.array<?xf64>
    scf.yield %v : !np.array<?xf64>
  }
  return %r : !np.array<?xf64>
}

// Where both are true, in the branch that is taken; an element behind it is not known to be inside.
// CHECK-LABEL: func.func @both
// CHECK:         scf.if
// CHECK-NOT:       np.check_index %[[K:.*]] of
// CHECK:           np.view %arg0 offsets[%arg1]
// CHECK:           np.check_index
// CHECK:           np.view
func.func @both(%x: !np.array<?xf64>, %k: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = np.dim %x, 0 : !np.array<?xf64>
  %low = arith.cmpi sge, %k, %c0 : index
  %high = arith.cmpi slt, %k, %n : index
  %inside = arith.andi %low, %high : i1
  %r = scf.if %inside -> f64 {
    %at = np.check_index %k of %n axis 0
    %v = np.view %x offsets[%at] axes [] extents[] steps[] : !np.array<?xf64> -> !np.array<f64>
    %t = np.load %v : !np.array<f64> -> tensor<f64>
    %one = np.item %t : tensor<f64> -> f64
    %next = arith.addi %k, %c1 : index
    %behind = np.check_index %next of %n axis 0
    %w = np.view %x offsets[%behind] axes [] extents[] steps[] : !np.array<?xf64> -> !np.array<f64>
    %u = np.load %w : !np.array<f64> -> tensor<f64>
    %other = np.item %u : tensor<f64> -> f64
    %s = arith.addf %one, %other : f64
    scf.yield %s : f64
  } else {
    scf.yield %zero : f64
  }
  return %r : f64
}
