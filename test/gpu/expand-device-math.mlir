// RUN: npcc-opt %s --pass-pipeline='builtin.module(gpu.module(npcc-expand-device-math))' | FileCheck %s

// Roots are the processor's, which are rounded correctly; half precision has none of libdevice's functions.
gpu.module @kernels {
  // CHECK-LABEL: gpu.func @roots
  // CHECK:       llvm.call_intrinsic "llvm.nvvm.sqrt.rn.f"(%arg0) : (f32) -> f32
  // CHECK:       llvm.call_intrinsic "llvm.nvvm.sqrt.rn.d"(%arg1) : (f64) -> f64
  // CHECK:       %[[W:.*]] = arith.extf %arg2 : f16 to f32
  // CHECK:       %[[E:.*]] = math.exp %[[W]] : f32
  // CHECK:       arith.truncf %[[E]] : f32 to f16
  gpu.func @roots(%x: f32, %y: f64, %h: f16, %out: memref<f32>, %other: memref<f64>, %half: memref<f16>) kernel {
    %a = math.sqrt %x : f32
    %b = math.sqrt %y : f64
    %c = math.exp %h : f16
    memref.store %a, %out[] : memref<f32>
    memref.store %b, %other[] : memref<f64>
    memref.store %c, %half[] : memref<f16>
    gpu.return
  }
}
