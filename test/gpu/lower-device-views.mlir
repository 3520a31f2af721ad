// A thread's view of another dtype, and its parts of complex numbers, are descriptors.
// RUN: npcc-opt %s --npcc-lower-device-views | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @bytes
  // CHECK-NOT:     np.part
  // CHECK:         %[[BYTES:.*]] = llvm.mul %{{.*}}, %{{.*}} : i64
  // CHECK:         llvm.getelementptr %{{.*}}[%[[BYTES]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  // CHECK:         %[[VIEW:.*]] = builtin.unrealized_conversion_cast %{{.*}} to memref<?xi32, strided<[?], offset: ?>>
  // CHECK:         memref.load %[[VIEW]]
  gpu.func @bytes(%x: memref<?xi8, strided<[?], offset: ?>>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %view = np.part "view" %x extents[%n] : memref<?xi8, strided<[?], offset: ?>> -> memref<?xi32, strided<[?], offset: ?>>
    %v = memref.load %view[%c0] : memref<?xi32, strided<[?], offset: ?>>
    memref.store %v, %view[%c0] : memref<?xi32, strided<[?], offset: ?>>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @imaginary
  // CHECK-NOT:     np.part
  // CHECK:         llvm.add %{{.*}}, %{{.*}} : i64
  // CHECK:         memref.store
  gpu.func @imaginary(%x: memref<?xcomplex<f64>>, %n: index, %value: f64) kernel {
    %c0 = arith.constant 0 : index
    %part = np.part "imag" %x extents[%n] : memref<?xcomplex<f64>> -> memref<?xf64, strided<[?], offset: ?>>
    memref.store %value, %part[%c0] : memref<?xf64, strided<[?], offset: ?>>
    gpu.return
  }
}
