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

  // Sine and cosine of one number are one call; of two numbers, two.
  // CHECK-LABEL: gpu.func @pair
  // CHECK:       llvm.call @__nv_sincosf(%arg0, %[[SINE:.*]], %[[COSINE:.*]]) :
  // CHECK-NOT:   math.cos
  // CHECK:       %[[S:.*]] = llvm.load %[[SINE]]
  // CHECK:       %[[C:.*]] = llvm.load %[[COSINE]]
  // CHECK:       arith.addf %[[C]], %[[S]]
  gpu.func @pair(%x: f32, %out: memref<f32>) kernel {
    %c = math.cos %x : f32
    %s = math.sin %x : f32
    %r = arith.addf %c, %s : f32
    memref.store %r, %out[] : memref<f32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @apart
  // CHECK:       math.sin
  // CHECK:       math.cos
  gpu.func @apart(%x: f64, %y: f64, %out: memref<f64>) kernel {
    %s = math.sin %x : f64
    %c = math.cos %y : f64
    %r = arith.addf %s, %c : f64
    memref.store %r, %out[] : memref<f64>
    gpu.return
  }
}
