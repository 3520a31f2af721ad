// RUN: npcc-opt %s --npcc-host-to-llvm | FileCheck %s

// Strides may be negative, so the address must not be said to grow.
// CHECK-LABEL: llvm.func @strided
// CHECK: llvm.getelementptr inbounds %{{.*}} : (!llvm.ptr, i64) -> !llvm.ptr, f64
// CHECK-NOT: nuw
func.func @strided(%a: memref<?xf64, strided<[?], offset: ?>>, %i: index) -> f64 {
  %x = memref.load %a[%i] : memref<?xf64, strided<[?], offset: ?>>
  return %x : f64
}

// Arrays of a CUDA function are in the device's memory, what is on the stack is not.
// CHECK-LABEL: llvm.func @device
// CHECK: llvm.call @npcc_rt_read
// CHECK: llvm.call @npcc_rt_write
// CHECK-NOT: llvm.call
// CHECK: llvm.return
func.func @device(%a: memref<?xf64>, %i: index) attributes {np.target = "cuda"} {
  %x = memref.load %a[%i] : memref<?xf64>
  memref.store %x, %a[%i] : memref<?xf64>
  %room = memref.alloca() : memref<4xf64>
  memref.store %x, %room[%i] : memref<4xf64>
  return
}
