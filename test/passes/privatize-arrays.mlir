// RUN: npcc-opt %s --npcc-privatize-arrays | FileCheck %s
// RUN: npcc-opt %s --npcc-privatize-arrays --npcc-parallelize-loops | FileCheck %s --check-prefix=KERNELS

// Each iteration stores all elements before it loads one: it has the array for itself, a place in an array of all.
// CHECK-LABEL: func @own
// CHECK-NOT:     np.alloc
// CHECK:         scf.for
// CHECK-NEXT:      np.alloc
// KERNELS-LABEL: func @own
// KERNELS:         np.alloc(%c4{{[_0-9]*}}, %{{.*}}) : memref<?x?xf64>
// KERNELS:         np.kernel (%[[I:.*]]) =
// KERNELS:           memref.store %{{.*}}, %{{.*}}[%{{.*}}, %[[I]]]
func.func @own(%a: memref<?x?xf64>, %y: memref<?xf64>, %n: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %w = np.alloc(%c4) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %u = %c0 to %c2 step %c1 {
      scf.for %v = %c0 to %c2 step %c1 {
        %d = arith.muli %u, %c2 : index
        %k = arith.addi %d, %v : index
        %x = memref.load %a[%i, %k] : memref<?x?xf64>
        memref.store %x, %w[%k] : memref<?xf64>
      }
    }
    %p = memref.load %w[%c0] : memref<?xf64>
    %q = memref.load %w[%c2] : memref<?xf64>
    %s = arith.addf %p, %q : f64
    memref.store %s, %y[%i] : memref<?xf64>
  }
  return
}

// One element comes from the iteration before, and one from before the loop.
// CHECK-LABEL: func @handed_on
// CHECK:         np.alloc
// CHECK:         scf.for
func.func @handed_on(%a: memref<?xf64>, %y: memref<?xf64>, %n: index) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %w = np.alloc(%c2) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf64>
    memref.store %x, %w[%c0] : memref<?xf64>
    %q = memref.load %w[%c1] : memref<?xf64>
    %s = arith.addf %x, %q : f64
    memref.store %s, %w[%c1] : memref<?xf64>
    memref.store %s, %y[%i] : memref<?xf64>
  }
  return
}

// Behind the loop somebody reads what the last iteration left.
// CHECK-LABEL: func @left
// CHECK:         np.alloc
// CHECK:         scf.for
func.func @left(%a: memref<?xf64>, %y: memref<?xf64>, %n: index) -> f64 attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %w = np.alloc(%c1) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf64>
    memref.store %x, %w[%c0] : memref<?xf64>
    %q = memref.load %w[%c0] : memref<?xf64>
    memref.store %q, %y[%i] : memref<?xf64>
  }
  %last = memref.load %w[%c0] : memref<?xf64>
  return %last : f64
}

// Of any extent: what is stored is a range that grows, from 0 to the end, and each load is within it.
// CHECK-LABEL: func @recurrence
// CHECK-NOT:     np.alloc
// CHECK:         scf.for
// CHECK-NEXT:      np.alloc(%{{.*}}) : memref<?xf64>
// KERNELS-LABEL: func @recurrence
// KERNELS:         np.alloc(%[[N:.*]], %[[SYSTEMS:.*]]) : memref<?x?xf64>
// KERNELS:         np.kernel (%[[S:.*]]) = (%[[SYSTEMS]])
// KERNELS:           scf.for
// KERNELS:             memref.load %{{.*}}[%{{.*}}, %[[S]]]
func.func @recurrence(%a: memref<?x?xf64>, %y: memref<?xf64>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %systems = memref.dim %a, %c0 : memref<?x?xf64>
  %n = memref.dim %a, %c1 : memref<?x?xf64>
  %last = arith.subi %n, %c1 : index
  %w = np.alloc(%n) : memref<?xf64>
  scf.for %s = %c0 to %systems step %c1 {
    %first = memref.load %a[%s, %c0] : memref<?x?xf64>
    memref.store %first, %w[%c0] : memref<?xf64>
    scf.for %i = %c1 to %n step %c1 {
      %before = arith.subi %i, %c1 : index
      %p = memref.load %w[%before] : memref<?xf64>
      %v = memref.load %a[%s, %i] : memref<?x?xf64>
      %q = arith.divf %v, %p : f64
      memref.store %q, %w[%i] : memref<?xf64>
    }
    %t = memref.load %w[%last] : memref<?xf64>
    memref.store %t, %y[%s] : memref<?xf64>
  }
  return
}

// Loops that can be axes are kernels of both: what an iteration keeps between them is a row.
// KERNELS-LABEL: func @rows
// KERNELS:         np.alloc(%[[SYSTEMS:.*]], %[[N:.*]]) : memref<?x?xf64>
// KERNELS:         np.kernel (%{{.*}}, %{{.*}}) = (%[[SYSTEMS]], %[[N]])
// KERNELS:         np.kernel (%{{.*}}, %{{.*}}) = (%[[SYSTEMS]], %[[N]])
func.func @rows(%a: memref<?x?xf64>, %y: memref<?x?xf64>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %systems = memref.dim %a, %c0 : memref<?x?xf64>
  %n = memref.dim %a, %c1 : memref<?x?xf64>
  %last = arith.subi %n, %c1 : index
  %w = np.alloc(%n) : memref<?xf64>
  scf.for %s = %c0 to %systems step %c1 {
    scf.for %i = %c0 to %n step %c1 {
      %v = memref.load %a[%s, %i] : memref<?x?xf64>
      memref.store %v, %w[%i] : memref<?xf64>
    }
    scf.for %i = %c0 to %n step %c1 {
      %back = arith.subi %last, %i : index
      %v = memref.load %w[%back] : memref<?xf64>
      memref.store %v, %y[%s, %i] : memref<?x?xf64>
    }
  }
  return
}

// The first element of an iteration is the one before's.
// CHECK-LABEL: func @not_filled
// CHECK:         np.alloc
// CHECK:         scf.for
// CHECK-NOT:       np.alloc
// CHECK:           return
func.func @not_filled(%a: memref<?x?xf64>, %y: memref<?xf64>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %systems = memref.dim %a, %c0 : memref<?x?xf64>
  %n = memref.dim %a, %c1 : memref<?x?xf64>
  %w = np.alloc(%n) : memref<?xf64>
  scf.for %s = %c0 to %systems step %c1 {
    scf.for %i = %c1 to %n step %c1 {
      %v = memref.load %a[%s, %i] : memref<?x?xf64>
      memref.store %v, %w[%i] : memref<?xf64>
    }
    %t = memref.load %w[%c0] : memref<?xf64>
    memref.store %t, %y[%s] : memref<?xf64>
  }
  return
}
