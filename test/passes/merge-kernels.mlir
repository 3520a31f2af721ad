// RUN: npcc-opt %s --npcc-merge-kernels | FileCheck %s

// The second one loads what the first has stored at its own position, and stores elsewhere. The array between moves to the front; the check stays, for
// nobody sees the new array when it fails.
// CHECK-LABEL: func.func @own
// CHECK:       %[[C:.*]] = np.alloc(%arg3)
// CHECK:       np.kernel (%[[I:.*]]) = (%arg2) {
// CHECK:         memref.store %{{.*}}, %arg0[%[[I]]]
// CHECK:         %[[X:.*]] = memref.load %arg0[%[[I]]]
// CHECK:         memref.store %[[X]], %[[C]][%{{.*}}]
// CHECK:       np.assert
// CHECK-NOT:   np.kernel
// CHECK:       return
func.func @own(%a: memref<?xf64>, %p: memref<?xindex>, %n: index, %m: index, %holds: i1) -> memref<?xf64> attributes {np.target = "cuda"} {
  np.kernel (%i) = (%n) {
    %x = memref.load %a[%i] : memref<?xf64>
    %y = arith.addf %x, %x : f64
    memref.store %y, %a[%i] : memref<?xf64>
  }
  np.assert %holds, "IndexError" "no"()
  %c = np.alloc(%m) : memref<?xf64>
  np.kernel (%i) = (%n) {
    %x = memref.load %a[%i] : memref<?xf64>
    %to = memref.load %p[%i] : memref<?xindex>
    memref.store %x, %c[%to] : memref<?xf64>
  }
  return %c : memref<?xf64>
}

// A column of a matrix: the row tells the position.
// CHECK-LABEL: func.func @column
// CHECK:       np.kernel
// CHECK-NOT:   np.kernel
// CHECK:       return
func.func @column(%a: memref<?x?xf64>, %b: memref<?xf64>, %n: index, %j: index) attributes {np.target = "cuda"} {
  %c1 = arith.constant 1 : index
  np.kernel (%i) = (%n) {
    %x = memref.load %b[%i] : memref<?xf64>
    %r = arith.addi %i, %c1 : index
    memref.store %x, %a[%r, %j] : memref<?x?xf64>
  }
  np.kernel (%i) = (%n) {
    %r = arith.addi %i, %c1 : index
    %x = memref.load %a[%r, %j] : memref<?x?xf64>
    memref.store %x, %b[%i] : memref<?xf64>
  }
  return
}

// A neighbour's element; one element of all positions; other extents; a loop that threads share; a check before what others see; what the host reads between.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-7: np.kernel
// CHECK:       return
func.func @others(%a: memref<?xf64>, %b: memref<?xf64>, %s: memref<f64>, %n: index, %m: index, %holds: i1) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  np.kernel (%i) = (%n) {
    %x = memref.load %b[%i] : memref<?xf64>
    memref.store %x, %a[%i] : memref<?xf64>
  }
  np.kernel (%i) = (%n) {
    %r = arith.addi %i, %c1 : index
    %x = memref.load %a[%r] : memref<?xf64>
    memref.store %x, %b[%i] : memref<?xf64>
  }
  np.kernel (%i) = (%n) {
    %x = memref.load %b[%c0] : memref<?xf64>
    memref.store %x, %b[%i] : memref<?xf64>
  }
  np.kernel (%i) = (%m) {
    %x = memref.load %b[%i] : memref<?xf64>
    memref.store %x, %b[%i] : memref<?xf64>
  }
  np.kernel (%i) = (%m) {
    scf.parallel (%k) = (%c0) to (%n) step (%c1) {
      %x = memref.load %a[%k] : memref<?xf64>
      memref.store %x, %b[%i] : memref<?xf64>
      scf.reduce
    }
  }
  np.kernel (%i) = (%m) {
    %x = memref.load %a[%i] : memref<?xf64>
    memref.store %x, %b[%i] : memref<?xf64>
  }
  np.assert %holds, "IndexError" "no"()
  np.kernel (%i) = (%m) {
    %x = memref.load %a[%i] : memref<?xf64>
    memref.store %x, %b[%i] : memref<?xf64>
  }
  return
}

// What the host reads the second one overwrites: both run behind the read. Where the host reads what the first one has
// stored, it stays before the read.
// CHECK-LABEL: func.func @read
// CHECK:       memref.load
// CHECK-NEXT:  np.kernel
// CHECK-NOT:   np.kernel
// CHECK:       return
func.func @read(%a: memref<?xf64>, %b: memref<?xf64>, %n: index) -> f64 attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  np.kernel (%i) = (%n) {
    %x = memref.load %a[%i] : memref<?xf64>
    memref.store %x, %b[%i] : memref<?xf64>
  }
  %y = memref.load %a[%c0] : memref<?xf64>
  np.kernel (%i) = (%n) {
    %x = memref.load %b[%i] : memref<?xf64>
    memref.store %x, %a[%i] : memref<?xf64>
  }
  return %y : f64
}

// CHECK-LABEL: func.func @read_of_stored
// CHECK:       np.kernel
// CHECK:       memref.load
// CHECK:       np.kernel
func.func @read_of_stored(%a: memref<?xf64>, %b: memref<?xf64>, %n: index) -> f64 attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  np.kernel (%i) = (%n) {
    %x = memref.load %a[%i] : memref<?xf64>
    memref.store %x, %b[%i] : memref<?xf64>
  }
  %y = memref.load %b[%c0] : memref<?xf64>
  np.kernel (%i) = (%n) {
    %x = memref.load %a[%i] : memref<?xf64>
    memref.store %x, %b[%i] : memref<?xf64>
  }
  return %y : f64
}

// Launches of the host cost nothing.
// CHECK-LABEL: func.func @host
// CHECK-COUNT-2: np.kernel
func.func @host(%a: memref<?xf64>, %b: memref<?xf64>, %n: index) attributes {np.target = "cpu"} {
  np.kernel (%i) = (%n) {
    %x = memref.load %b[%i] : memref<?xf64>
    memref.store %x, %a[%i] : memref<?xf64>
  }
  np.kernel (%i) = (%n) {
    %x = memref.load %a[%i] : memref<?xf64>
    memref.store %x, %b[%i] : memref<?xf64>
  }
  return
}

// Short beside another kernel of the loop: each has its part of the longer one's positions. Where the second one needs
// what the first one stores, they stay two.
// CHECK-LABEL: func.func @parts
// CHECK:       scf.for
// CHECK:         %[[LONGER:.*]] = arith.maxsi %arg2, %arg3
// CHECK:         np.kernel (%[[I:.*]]) = (%[[LONGER]])
// CHECK:           %[[FIRST:.*]] = arith.cmpi ult, %[[I]], %arg2
// CHECK:           scf.if %[[FIRST]] {
// CHECK:             memref.load %arg0[%[[I]], %{{.*}}]
// CHECK:           %[[SECOND:.*]] = arith.cmpi ult, %[[I]], %arg3
// CHECK:           scf.if %[[SECOND]] {
// CHECK:             memref.load %arg0[%{{.*}}, %[[I]]]
// CHECK:         np.kernel map (%{{.*}}, %{{.*}}) =
// CHECK-NOT:     scf.if
// CHECK:       scf.for
// CHECK:         np.kernel map (%{{.*}}) = (%arg2)
// CHECK:         np.kernel map (%{{.*}}) = (%arg3)
func.func @parts(%a: memref<?x?xf64>, %b: memref<?xf64>, %n: index, %m: index, %c: memref<?xf64>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    np.kernel map (%i) = (%n) {
      %x = memref.load %a[%i, %k] : memref<?x?xf64>
      memref.store %x, %b[%i] : memref<?xf64>
    }
    np.kernel map (%i) = (%m) {
      %x = memref.load %a[%k, %i] : memref<?x?xf64>
      memref.store %x, %c[%i] : memref<?xf64>
    }
    np.kernel map (%i, %j) = (%n, %m) {
      %x = memref.load %b[%i] : memref<?xf64>
      memref.store %x, %a[%i, %j] : memref<?x?xf64>
    }
  }
  scf.for %k = %c0 to %n step %c1 {
    np.kernel map (%i) = (%n) {
      %x = memref.load %a[%i, %k] : memref<?x?xf64>
      memref.store %x, %b[%i] : memref<?xf64>
    }
    np.kernel map (%i) = (%m) {
      %x = memref.load %b[%i] : memref<?xf64>
      memref.store %x, %c[%i] : memref<?xf64>
    }
    np.kernel map (%i, %j) = (%n, %m) {
      %x = memref.load %b[%i] : memref<?xf64>
      memref.store %x, %a[%i, %j] : memref<?x?xf64>
    }
  }
  return
}

// Each position has a loop of its own, which begins with what another kernel made.
// CHECK-LABEL: func.func @loop_inside
// CHECK:       np.kernel
// CHECK:         memref.store
// CHECK:         scf.for
// CHECK-NOT:   np.kernel
// CHECK:       return
func.func @loop_inside(%a: memref<?xf64>, %n: index, %m: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  np.kernel (%i) = (%n) {
    memref.store %one, %a[%i] : memref<?xf64>
  }
  np.kernel (%i) = (%n) {
    scf.for %t = %c0 to %m step %c1 {
      %v = memref.load %a[%i] : memref<?xf64>
      %w = arith.addf %v, %v : f64
      memref.store %w, %a[%i] : memref<?xf64>
    }
  }
  return
}

// What stands for an array on a path where there is none has no elements: arrays that may both be it share no memory.
// CHECK-LABEL: func.func @none
// CHECK:       scf.for
// CHECK:       np.kernel (%[[I:.*]]) =
// CHECK:       memref.store %{{.*}}, %[[A:.*]][%[[I]]]
// CHECK:       memref.load %[[A]][%[[I]]]
// CHECK:       memref.store
// CHECK-NOT:   np.kernel
// CHECK:       return
func.func @none(%n: index, %m: index, %isLeft: i1) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 2.0 : f64
  %none = np.alloc(%c0) : memref<?xf64>
  %p = np.alloc(%n) : memref<?xf64>
  %q = np.alloc(%n) : memref<?xf64>
  %r:2 = scf.for %k = %c0 to %m step %c1 iter_args(%a = %p, %b = %q) -> (memref<?xf64>, memref<?xf64>) {
    np.kernel (%i) = (%n) {
      memref.store %x, %a[%i] : memref<?xf64>
    }
    np.kernel (%i) = (%n) {
      %v = memref.load %a[%i] : memref<?xf64>
      %w = memref.load %b[%i] : memref<?xf64>
      %sum = arith.addf %v, %w : f64
      memref.store %sum, %a[%i] : memref<?xf64>
    }
    %next:2 = scf.if %isLeft -> (memref<?xf64>, memref<?xf64>) {
      %s = np.alloc(%n) : memref<?xf64>
      %t = np.alloc(%n) : memref<?xf64>
      scf.yield %s, %t : memref<?xf64>, memref<?xf64>
    } else {
      scf.yield %none, %none : memref<?xf64>, memref<?xf64>
    }
    scf.yield %next#0, %next#1 : memref<?xf64>, memref<?xf64>
  }
  return
}

// Elements of a position's own row, whichever they are; but rows of a view may meet.
// CHECK-LABEL: func.func @rows
// CHECK:       np.kernel
// CHECK-NOT:   np.kernel
// CHECK:       return
func.func @rows(%a: memref<?x?xf64>, %b: memref<?xf64>, %n: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  np.kernel (%i) = (%n) {
    %x = memref.load %b[%i] : memref<?xf64>
    memref.store %x, %a[%i, %c0] : memref<?x?xf64>
    memref.store %x, %a[%i, %c1] : memref<?x?xf64>
  }
  np.kernel (%i) = (%n) {
    %x = memref.load %a[%i, %c0] : memref<?x?xf64>
    memref.store %x, %a[%i, %c1] : memref<?x?xf64>
  }
  return
}
// CHECK-LABEL: func.func @rows_of_a_view
// CHECK-COUNT-2: np.kernel
// CHECK:       return
func.func @rows_of_a_view(%a: memref<?x?xf64, strided<[?, ?], offset: ?>>, %b: memref<?xf64>, %n: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  np.kernel (%i) = (%n) {
    %x = memref.load %b[%i] : memref<?xf64>
    memref.store %x, %a[%i, %c0] : memref<?x?xf64, strided<[?, ?], offset: ?>>
  }
  np.kernel (%i) = (%n) {
    %x = memref.load %a[%i, %c1] : memref<?x?xf64, strided<[?, ?], offset: ?>>
    memref.store %x, %b[%i] : memref<?xf64>
  }
  return
}

// The second one needs a product that stands between the two; the first one needs not be done before it.
// CHECK-LABEL: func.func @first_waits
// CHECK:       np.call_matmul
// CHECK-NEXT:  np.kernel
// CHECK:         math.sqrt
// CHECK:         arith.addf
// CHECK-NOT:   np.kernel
// CHECK:       return
func.func @first_waits(%x: memref<?x?xf64>, %p: memref<?x?xf64>, %q: memref<?x?xf64>, %n: index) -> memref<?x?xf64> attributes {np.target = "cuda"} {
  %y = np.alloc(%n, %n) : memref<?x?xf64>
  %product = np.alloc(%n, %n) : memref<?x?xf64>
  np.kernel (%i, %j) = (%n, %n) {
    %a = memref.load %x[%i, %j] : memref<?x?xf64>
    %b = math.sqrt %a : f64
    memref.store %b, %y[%i, %j] : memref<?x?xf64>
  }
  np.call_matmul %p, %q into %product {is_unsigned = false} : memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>
  np.kernel (%i, %j) = (%n, %n) {
    %a = memref.load %y[%i, %j] : memref<?x?xf64>
    %b = memref.load %product[%i, %j] : memref<?x?xf64>
    %c = arith.addf %a, %b : f64
    memref.store %c, %y[%i, %j] : memref<?x?xf64>
  }
  return %y : memref<?x?xf64>
}
