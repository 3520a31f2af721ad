// RUN: npcc-opt %s --npcc-lower-folds=keep-scans --npcc-map-kernels | FileCheck %s
// RUN: npcc-opt %s --npcc-lower-folds | FileCheck %s --check-prefix=ALONE

// Running totals in a loop that one block goes through: the block's threads make them together, by shuffles and, over
// its warps, in shared memory.
// CHECK-LABEL: func.func @totals
// CHECK:       gpu.launch
// CHECK-SAME:  workgroup(%{{.*}} : memref<32xf64, #gpu.address_space<workgroup>>)
// CHECK:         scf.for
// CHECK:           gpu.barrier
// CHECK:           scf.for
// CHECK:             gpu.shuffle up
// CHECK:             gpu.barrier
// CHECK:             gpu.shuffle idx
// CHECK:             gpu.barrier
// CHECK:             scf.if
// CHECK:               llvm.store
// CHECK:           gpu.barrier
// ALONE-LABEL: func.func @totals
// ALONE:       np.kernel steps
// ALONE:         scf.for
// ALONE:           scf.for %{{.*}} iter_args
// ALONE-NOT:   np.fold
func.func @totals(%x: memref<?xf64>, %n: index, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  np.kernel steps (%u) = (%c1) {
    scf.for %t = %c0 to %steps step %c1 {
      np.fold any neutral %n init(%zero) {
      ^bb0(%k: index):
        %v = memref.load %x[%k] : memref<?xf64>
        np.yield %v : f64
      } combine {
      ^bb0(%a: f64, %b: f64):
        %sum = arith.addf %a, %b : f64
        np.yield %sum : f64
      } each {
      ^bb0(%k: index, %total: f64):
        memref.store %total, %x[%k] : memref<?xf64>
        np.yield
      } : f64
    }
  }
  return
}

// CHECK-LABEL: func.func @of_lines
// CHECK:       gpu.launch
// CHECK-NOT:   gpu.shuffle
// CHECK:       scf.for %{{.*}} iter_args
func.func @of_lines(%x: memref<?x?xf64>, %n: index, %m: index, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  np.kernel steps (%u) = (%c1) {
    scf.for %t = %c0 to %steps step %c1 {
      scf.parallel (%i) = (%c0) to (%n) step (%c1) {
        np.fold any neutral %m init(%zero) {
        ^bb0(%k: index):
          %v = memref.load %x[%i, %k] : memref<?x?xf64>
          np.yield %v : f64
        } combine {
        ^bb0(%a: f64, %b: f64):
          %sum = arith.addf %a, %b : f64
          np.yield %sum : f64
        } each {
        ^bb0(%k: index, %total: f64):
          memref.store %total, %x[%i, %k] : memref<?x?xf64>
          np.yield
        } : f64
      }
    }
  }
  return
}
