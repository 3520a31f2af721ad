// Each kind of kernel has an emitter, which makes a launch with code of its own before the kernel; the kernel is gone.
// RUN: npcc-opt %s --npcc-map-kernels --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @scale
// CHECK:       gpu.launch
// CHECK:       np.class = "map"
// CHECK-NOT:   np.kernel
func.func @scale(%x: memref<?xf64>, %n: index, %f: f64) {
  np.kernel map (%i) = (%n) {
    %u = memref.load %x[%i] : memref<?xf64>
    %v = arith.mulf %u, %f : f64
    memref.store %v, %x[%i] : memref<?xf64>
  }
  return
}

// CHECK-LABEL: func.func @sums
// CHECK:       gpu.launch
// CHECK:         gpu.shuffle
// CHECK:       np.class = "rows"
// CHECK-NOT:   np.kernel
func.func @sums(%x: memref<?x?xf64>, %y: memref<?xf64>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  np.kernel rows (%i) = (%n) {
    %s = scf.parallel (%k) = (%c0) to (%m) step (%c1) init (%z) -> f64 {
      %u = memref.load %x[%i, %k] : memref<?x?xf64>
      scf.reduce(%u : f64) { ^bb0(%a: f64, %b: f64):
        %t = arith.addf %a, %b : f64
        scf.reduce.return %t : f64 }
    }
    memref.store %s, %y[%i] : memref<?xf64>
  }
  return
}

// -----

// Another pass has to say of what kind a kernel is.
func.func @unknown(%x: memref<?xf64>, %n: index, %f: f64) {
  // expected-error@+1 {{internal: a kernel without a kind}}
  np.kernel (%i) = (%n) {
    memref.store %f, %x[%i] : memref<?xf64>
  }
  return
}
