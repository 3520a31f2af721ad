// Rows that several loops go over stay in registers: one load of each element, and no store of what is between.
// RUN: npcc-opt %s --npcc-classify-kernels --npcc-map-kernels --canonicalize --cse | FileCheck %s

// Rows of 44 are up to three vectors of two elements for each thread of a team of eight. Where the last one lies beyond
// the row, a thread loads the row's beginning instead, combines nothing and stores nothing.
// CHECK-LABEL: func.func @shares
// CHECK:       gpu.launch
// CHECK-NOT:     scf.for
// CHECK-COUNT-3: llvm.load {{.*}} -> vector<2xf64>
// CHECK-NOT:     llvm.load
// CHECK-COUNT-6: arith.select {{.*}} : f64
// CHECK:         scf.while
// CHECK:           gpu.shuffle xor
// CHECK-NOT:     llvm.load
// CHECK-NOT:     llvm.store
// CHECK:         math.exp
// CHECK:         scf.while
// CHECK:           gpu.shuffle xor
// CHECK-NOT:     gpu.barrier
// CHECK-COUNT-3: llvm.store {{.*}} : vector<2xf64>
// CHECK-NOT:     llvm.store
// CHECK:       np.class = "rows"
func.func @shares(%x: memref<?x?xf64> {np.first = array<i64: 1000, 44, 0>}, %y: memref<?x?xf64> {np.first = array<i64: 1000, 44, 0>})
    attributes {np.choice = "shares.choice.entry"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %rows = memref.dim %x, %c0 : memref<?x?xf64>
  %n = memref.dim %x, %c1 : memref<?x?xf64>
  %e = np.alloc(%rows, %n) : memref<?x?xf64>
  np.kernel (%i) = (%rows) {
    %s = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%zero) -> f64 {
      %u = memref.load %x[%i, %k] : memref<?x?xf64>
      scf.reduce(%u : f64) {
      ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64
      }
    }
    %p = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%zero) -> f64 {
      %u = memref.load %x[%i, %k] : memref<?x?xf64>
      %d = arith.subf %u, %s : f64
      %v = math.exp %d : f64
      memref.store %v, %e[%i, %k] : memref<?x?xf64>
      scf.reduce(%v : f64) {
      ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64
      }
    }
    scf.parallel (%k) = (%c0) to (%n) step (%c1) {
      %u = memref.load %e[%i, %k] : memref<?x?xf64>
      %v = arith.divf %u, %p : f64
      memref.store %v, %y[%i, %k] : memref<?x?xf64>
    }
  }
  np.release %e : memref<?x?xf64>
  return
}
