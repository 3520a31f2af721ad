// RUN: npcc-opt %s --npcc-inline-unit-kernels --mlir-print-local-scope | FileCheck %s

// CHECK-LABEL: func.func @total
// CHECK-NOT: np.kernel (%{{.*}}) = (%c1)
// CHECK: %[[S:.*]] = scf.parallel
// CHECK: math.sqrt %[[S]]
// CHECK: memref.store
func.func @total(%a: memref<?xf64>, %out: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %a, %c0 : memref<?xf64>
  np.kernel (%i) = (%c1) {
    %s = scf.parallel (%k) = (%c0) to (%n) step (%c1) init (%zero) -> f64 {
      %x = memref.load %a[%k] : memref<?xf64>
      scf.reduce(%x : f64) {
      ^bb0(%l: f64, %r: f64):
        %t = arith.addf %l, %r : f64
        scf.reduce.return %t : f64
      }
    }
    %r = math.sqrt %s : f64
    memref.store %r, %out[%i] : memref<1xf64>
  }
  return
}

// More than one iteration, as far as is known: stays.
// CHECK-LABEL: func.func @rows
// CHECK: np.kernel
func.func @rows(%a: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  np.kernel (%i) = (%n) {
    memref.store %zero, %a[%i] : memref<?xf64>
  }
  return
}
