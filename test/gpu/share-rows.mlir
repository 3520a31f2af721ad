// RUN: npcc-opt %s --npcc-enclose-steps | FileCheck %s

// Two long rows in a loop that one block runs: its threads take the reductions together, one row after the other. Which
// way it goes is asked before the block's code begins.
// CHECK-LABEL: func.func @two
// CHECK:       %[[FEW:.*]] = arith.cmpi sge, %{{.*}}, %c512
// CHECK:       np.kernel steps
// CHECK:         scf.for
// CHECK:           np.alternatives "few rows, one after the other" %[[FEW]] {
// CHECK-NEXT:        %{{.*}} = arith.constant
// CHECK-NEXT:        %{{.*}} = arith.constant
// CHECK-NEXT:        scf.for
// CHECK-NEXT:          scf.parallel
// CHECK:           } or {
// CHECK:             scf.parallel
// CHECK:               scf.parallel
func.func @two(%x: memref<?x?xf64>, %sums: memref<?xf64>, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %x, %c1 : memref<?x?xf64>
  scf.for %t = %c0 to %steps step %c1 {
    np.kernel rows (%i) = (%c2) {
      %s = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%zero) -> f64 {
        %v = memref.load %x[%i, %k] : memref<?x?xf64>
        scf.reduce(%v : f64) { ^bb0(%a: f64, %b: f64):
          %sum = arith.addf %a, %b : f64
          scf.reduce.return %sum : f64 }
      }
      memref.store %s, %sums[%i] : memref<?xf64>
    }
    np.kernel map (%i, %k) = (%c2, %n) {
      %m = memref.load %sums[%i] : memref<?xf64>
      %v = memref.load %x[%i, %k] : memref<?x?xf64>
      %d = arith.subf %v, %m : f64
      memref.store %d, %x[%i, %k] : memref<?x?xf64>
    }
  }
  return
}

// Many rows are the threads' own.
// CHECK-LABEL: func.func @many
// CHECK-NOT:   "few rows, one after the other"
// CHECK:       return
func.func @many(%x: memref<?x?xf64>, %sums: memref<?xf64>, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c200 = arith.constant 200 : index
  %c600 = arith.constant 600 : index
  %zero = arith.constant 0.0 : f64
  scf.for %t = %c0 to %steps step %c1 {
    np.kernel rows (%i) = (%c200) {
      %s = scf.parallel (%k) = (%c0) to (%c600) step (%c1) init (%zero) -> f64 {
        %v = memref.load %x[%i, %k] : memref<?x?xf64>
        scf.reduce(%v : f64) { ^bb0(%a: f64, %b: f64):
          %sum = arith.addf %a, %b : f64
          scf.reduce.return %sum : f64 }
      }
      memref.store %s, %sums[%i] : memref<?xf64>
    }
    np.kernel map (%k) = (%c600) {
      %m = memref.load %sums[%c0] : memref<?xf64>
      %v = memref.load %x[%c0, %k] : memref<?x?xf64>
      %d = arith.subf %v, %m : f64
      memref.store %d, %x[%c0, %k] : memref<?x?xf64>
    }
  }
  return
}
