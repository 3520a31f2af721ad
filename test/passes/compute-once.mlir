// Arrays that every iteration fills with the same elements are filled in the first one.
// RUN: npcc-opt %s --npcc-compute-once | FileCheck %s

// The positions are sorted once; the kernel that fills %sorted beside what changes is cut in two.
// CHECK-LABEL: func.func @order
// CHECK-SAME:    (%[[KEYS:.*]]: memref<?xi64>, %[[X:.*]]: memref<?xf64>
// CHECK:         %[[ORDER:.*]] = np.alloc(%[[N:.*]]) : memref<?xi64>
// CHECK:         %[[SORTED:.*]] = np.alloc(%[[N]]) : memref<?xi64>
// CHECK:         scf.for %[[K:.*]] = %[[FROM:.*]] to
// CHECK:           %[[FIRST:.*]] = arith.cmpi eq, %[[K]], %[[FROM]]
// CHECK:           scf.if %[[FIRST]] {
// CHECK-NEXT:        np.call_sort %[[KEYS]] into %[[ORDER]]
// CHECK-NEXT:        np.kernel
// CHECK-NEXT:          memref.load %[[ORDER]]
// CHECK-NEXT:          arith.index_cast
// CHECK-NEXT:          memref.load %[[KEYS]]
// CHECK-NEXT:          memref.store %{{.*}}, %[[SORTED]]
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK:           np.kernel
// CHECK:             memref.load %[[X]]
// CHECK-NOT:         memref.store %{{.*}}, %[[SORTED]]
// CHECK:           np.kernel
// CHECK:             memref.load %[[SORTED]]
// CHECK-NOT:       np.release %[[SORTED]]
// CHECK:         }
// CHECK-DAG:     np.release %[[ORDER]]
// CHECK-DAG:     np.release %[[SORTED]]
func.func @order(%keys: memref<?xi64>, %x: memref<?xf64>, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %keys, %c0 : memref<?xi64>
  scf.for %k = %c0 to %steps step %c1 {
    %order = np.alloc(%n) : memref<?xi64>
    %sorted = np.alloc(%n) : memref<?xi64>
    %value = np.alloc(%n) : memref<?xf64>
    np.call_sort %keys into %order positions true {is_unsigned = false} : memref<?xi64>, memref<?xi64>
    np.kernel (%i) = (%n) {
      %o = memref.load %order[%i] : memref<?xi64>
      %at = arith.index_cast %o : i64 to index
      %key = memref.load %keys[%at] : memref<?xi64>
      memref.store %key, %sorted[%i] : memref<?xi64>
      %v = memref.load %x[%at] : memref<?xf64>
      memref.store %v, %value[%i] : memref<?xf64>
    }
    np.kernel (%i) = (%n) {
      %s = memref.load %sorted[%i] : memref<?xi64>
      %at = arith.index_cast %s : i64 to index
      %v = memref.load %value[%i] : memref<?xf64>
      memref.store %v, %x[%at] : memref<?xf64>
    }
    np.release %order : memref<?xi64>
    np.release %sorted : memref<?xi64>
    np.release %value : memref<?xf64>
  }
  return
}

// A while loop hands on whether it is the first iteration.
// CHECK-LABEL: func.func @until
// CHECK:         %[[TRUE:.*]] = arith.constant true
// CHECK:         np.alloc
// CHECK:         scf.while (%{{.*}} = %{{.*}}, %[[FLAG:.*]] = %[[TRUE]])
// CHECK:           scf.condition(%{{.*}}) %{{.*}}, %[[FLAG]]
// CHECK:         ^bb0(%{{.*}}: index, %[[FIRST:.*]]: i1):
// CHECK:           scf.if %[[FIRST]] {
// CHECK-NEXT:        np.kernel
// CHECK:           %[[FALSE:.*]] = arith.constant false
// CHECK:           scf.yield %{{.*}}, %[[FALSE]]
func.func @until(%w: memref<?xf64>, %x: memref<?xf64>, %most: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %w, %c0 : memref<?xf64>
  %end = scf.while (%k = %c0) : (index) -> index {
    %more = arith.cmpi slt, %k, %most : index
    scf.condition(%more) %k : index
  } do {
  ^bb0(%k: index):
    %a = np.alloc(%n) : memref<?xf64>
    np.kernel (%i) = (%n) {
      %v = memref.load %w[%i] : memref<?xf64>
      %r = math.sqrt %v : f64
      memref.store %r, %a[%i] : memref<?xf64>
    }
    np.kernel (%i) = (%n) {
      %v = memref.load %a[%i] : memref<?xf64>
      %o = memref.load %x[%i] : memref<?xf64>
      %s = arith.addf %v, %o : f64
      memref.store %s, %x[%i] : memref<?xf64>
    }
    np.release %a : memref<?xf64>
    %next = arith.addi %k, %c1 : index
    scf.yield %next : index
  }
  return
}

// What it is filled with changes.
// CHECK-LABEL: func.func @changing
// CHECK:         scf.for
// CHECK:           np.alloc
// CHECK-NOT:       scf.if
func.func @changing(%x: memref<?xf64>, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  scf.for %k = %c0 to %steps step %c1 {
    %a = np.alloc(%n) : memref<?xf64>
    np.kernel (%i) = (%n) {
      %v = memref.load %x[%i] : memref<?xf64>
      memref.store %v, %a[%i] : memref<?xf64>
    }
    np.kernel (%i) = (%n) {
      %v = memref.load %a[%i] : memref<?xf64>
      %s = arith.addf %v, %v : f64
      memref.store %s, %x[%i] : memref<?xf64>
    }
    np.release %a : memref<?xf64>
  }
  return
}

// A reader between two writers sees the first one's elements, in every iteration.
// CHECK-LABEL: func.func @between
// CHECK:         scf.for
// CHECK:           np.alloc
// CHECK-NOT:       scf.if
func.func @between(%w: memref<?xf64>, %x: memref<?xf64>, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  %zero = arith.constant 0.0 : f64
  scf.for %k = %c0 to %steps step %c1 {
    %a = np.alloc(%n) : memref<?xf64>
    np.kernel (%i) = (%n) {
      memref.store %zero, %a[%i] : memref<?xf64>
    }
    np.kernel (%i) = (%n) {
      %v = memref.load %a[%i] : memref<?xf64>
      memref.store %v, %x[%i] : memref<?xf64>
    }
    np.kernel (%i) = (%n) {
      %v = memref.load %w[%i] : memref<?xf64>
      memref.store %v, %a[%i] : memref<?xf64>
    }
    np.release %a : memref<?xf64>
  }
  return
}

// The array is there when the loop has ended; an extent may be a negative one, which a check finds.
// CHECK-LABEL: func.func @kept
// CHECK:         scf.for
// CHECK-NOT:       scf.if
// CHECK:         return
func.func @kept(%first: memref<?xf64>, %steps: index, %n: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %last = scf.for %k = %c0 to %steps step %c1 iter_args(%old = %first) -> memref<?xf64> {
    %less = arith.subi %n, %c1 : index
    %is_count = arith.cmpi sge, %less, %c0 : index
    np.assert %is_count, "ValueError" "negative dimensions are not allowed"()
    %b = np.alloc(%less) : memref<?xf64>
    np.kernel (%i) = (%less) {
      memref.store %zero, %b[%i] : memref<?xf64>
    }
    np.release %b : memref<?xf64>
    %a = np.alloc(%n) : memref<?xf64>
    np.kernel (%i) = (%n) {
      memref.store %zero, %a[%i] : memref<?xf64>
    }
    np.release %old : memref<?xf64>
    scf.yield %a : memref<?xf64>
  }
  return %last : memref<?xf64>
}

// A list keeps the array for longer than the iteration.
// CHECK-LABEL: func.func @listed
// CHECK:         scf.for
// CHECK-NOT:       scf.if
// CHECK:           np.keep
func.func @listed(%numbers: memref<?xi64>, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f64
  scf.for %k = %c0 to %steps step %c1 {
    %a = np.alloc(%c8) : memref<?xf64>
    np.kernel (%i) = (%c8) {
      memref.store %zero, %a[%i] : memref<?xf64>
    }
    %number = np.keep %a unsigned false : memref<?xf64>
    memref.store %number, %numbers[%k] : memref<?xi64>
    np.release %a : memref<?xf64>
  }
  return
}
