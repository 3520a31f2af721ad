// What one thread stores under one name of an array the others load under another one: they wait for it.
// RUN: npcc-opt %s --npcc-map-kernels | FileCheck %s

// CHECK-LABEL: func.func @views
// CHECK:       gpu.launch
// CHECK:         scf.if
// CHECK-NEXT:      llvm.store %c0_i64, {{.*}} : i64, !llvm.ptr<1>
// CHECK-NEXT:    }
// CHECK-NEXT:    gpu.barrier
// CHECK:         %[[PLACE:.*]] = llvm.load
// CHECK:         scf.for
func.func @views(%x: memref<?xi64>) attributes {np.target = "cuda"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %n = memref.dim %x, %c0 : memref<?xi64>
  %place = np.alloc() : memref<i64>
  %places = memref.reinterpret_cast %place to offset: [0], sizes: [1], strides: [1] : memref<i64> to memref<1xi64, strided<[1]>>
  np.kernel steps (%u) = (%c1) {
    scf.for %k = %c0 to %c1 step %c1 {
      memref.store %zero, %place[] : memref<i64>
      %p = memref.load %places[%c0] : memref<1xi64, strided<[1]>>
      scf.parallel (%i) = (%c0) to (%n) step (%c1) {
        memref.store %p, %x[%i] : memref<?xi64>
        scf.reduce
      }
    }
  }
  np.release %place : memref<i64>
  return
}
