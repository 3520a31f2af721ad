// Iterations that launch the same kernels with the same parameters are sent as a graph, which the grid must be faster than.
// RUN: npcc-opt %s --npcc-enclose-steps | FileCheck %s

// Products of a matrix and a vector: a launch has the best code for rows.
// CHECK-LABEL: func.func @products
// CHECK:         np.alternatives "steps in one block"
// CHECK-NOT:     steps on the grid
// CHECK:         scf.for
// CHECK:           np.kernel rows
// CHECK:         return
func.func @products(%m: memref<?x?xf64>, %u: memref<?xf64>, %steps: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %m, %c1 : memref<?x?xf64>
  np.retain %u : memref<?xf64>
  %last = scf.for %k = %c0 to %steps step %c1 iter_args(%v = %u) -> memref<?xf64> {
    %w = np.alloc(%n) : memref<?xf64>
    np.kernel rows (%i) = (%n) {
      %s = scf.parallel (%j) = (%c0) to (%n) step (%c1) init (%zero) -> f64 {
        %a = memref.load %m[%i, %j] : memref<?x?xf64>
        %b = memref.load %v[%j] : memref<?xf64>
        %p = arith.mulf %a, %b : f64
        scf.reduce(%p : f64) {
        ^bb0(%l: f64, %r: f64):
          %t = arith.addf %l, %r : f64
          scf.reduce.return %t : f64
        }
      }
      memref.store %s, %w[%i] : memref<?xf64>
    }
    np.release %v : memref<?xf64>
    scf.yield %w : memref<?xf64>
  }
  return %last : memref<?xf64>
}

// The number of the iteration is a parameter: each launch is one of its own.
// CHECK-LABEL: func.func @numbered
// CHECK:         np.alternatives "steps on the grid"
func.func @numbered(%m: memref<?x?xf64>, %u: memref<?xf64>, %steps: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %m, %c1 : memref<?x?xf64>
  np.retain %u : memref<?xf64>
  %last = scf.for %k = %c0 to %steps step %c1 iter_args(%v = %u) -> memref<?xf64> {
    %w = np.alloc(%n) : memref<?xf64>
    %time = arith.index_cast %k : index to i64
    %t = arith.sitofp %time : i64 to f64
    np.kernel rows (%i) = (%n) {
      %s = scf.parallel (%j) = (%c0) to (%n) step (%c1) init (%zero) -> f64 {
        %a = memref.load %m[%i, %j] : memref<?x?xf64>
        %b = memref.load %v[%j] : memref<?xf64>
        %p = arith.mulf %a, %b : f64
        scf.reduce(%p : f64) {
        ^bb0(%l: f64, %r: f64):
          %q = arith.addf %l, %r : f64
          scf.reduce.return %q : f64
        }
      }
      %scaled = arith.mulf %s, %t : f64
      memref.store %scaled, %w[%i] : memref<?xf64>
    }
    np.release %v : memref<?xf64>
    scf.yield %w : memref<?xf64>
  }
  return %last : memref<?xf64>
}

// A map: the grid, for half as many elements as elsewhere.
// CHECK-LABEL: func.func @map
// CHECK:         arith.cmpi sle, %{{.*}}, %c4000000
// CHECK:         np.alternatives "steps on the grid"
func.func @map(%u: memref<?xf64>, %steps: index) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %u, %c0 : memref<?xf64>
  np.retain %u : memref<?xf64>
  %last = scf.for %k = %c0 to %steps step %c1 iter_args(%v = %u) -> memref<?xf64> {
    %w = np.alloc(%n) : memref<?xf64>
    np.kernel map (%i) = (%n) {
      %next = arith.addi %i, %c1 : index
      %isLast = arith.cmpi eq, %next, %n : index
      %at = arith.select %isLast, %c0, %next : index
      %a = memref.load %v[%at] : memref<?xf64>
      %s = math.sqrt %a : f64
      memref.store %s, %w[%i] : memref<?xf64>
    }
    np.release %v : memref<?xf64>
    scf.yield %w : memref<?xf64>
  }
  return %last : memref<?xf64>
}
