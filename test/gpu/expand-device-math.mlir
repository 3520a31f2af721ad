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

  // Where all threads have one exponent, the usual ones are asked for: 2, 1, a half, 3, -1.
  // CHECK-LABEL: gpu.func @powers
  // CHECK:       %[[IS_SQUARE:.*]] = arith.cmpf oeq, %arg0, %cst
  // CHECK:       %[[POWER:.*]] = scf.if %[[IS_SQUARE]] -> (f64) {
  // CHECK-NEXT:    %[[SQUARE:.*]] = arith.mulf %[[X:.*]], %[[X]] : f64
  // CHECK-NEXT:    scf.yield %[[SQUARE]]
  // CHECK:         scf.yield %[[X]] : f64
  // CHECK:         llvm.call_intrinsic "llvm.nvvm.sqrt.rn.d"
  // CHECK:         arith.divf
  // CHECK:         math.powf %[[X]], %arg0
  // CHECK:       memref.store %[[POWER]]
  // CHECK-NOT:   scf.if
  // CHECK:       math.powf
  gpu.func @powers(%y: f64, %a: memref<?xf64>, %n: index) kernel {
    %t = gpu.thread_id x
    %x = memref.load %a[%t] : memref<?xf64>
    %p = math.powf %x, %y : f64
    memref.store %p, %a[%t] : memref<?xf64>
    %q = math.powf %y, %x : f64
    memref.store %q, %a[%t] : memref<?xf64>
    gpu.return
  }

  // Where the program lets functions be approximated, a power of float32 is two instructions; of float64 the rest keeps its flags.
  // CHECK-LABEL: gpu.func @approximate_powers
  // CHECK-NOT:   scf.if
  // CHECK:       math.powf %arg0, %arg1 fastmath<afn> : f32
  // CHECK:       scf.if
  // CHECK:       math.powf %arg2, %arg3 fastmath<afn> : f64
  gpu.func @approximate_powers(%x: f32, %y: f32, %u: f64, %v: f64, %out: memref<f32>, %wide: memref<f64>) kernel {
    %p = math.powf %x, %y fastmath<afn> : f32
    memref.store %p, %out[] : memref<f32>
    %q = math.powf %u, %v fastmath<afn> : f64
    memref.store %q, %wide[] : memref<f64>
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

  // The root's imaginary part has the sign of the number's; 0 times an infinity is a 0 with a sign.
  // CHECK-LABEL: gpu.func @signs
  // CHECK:       %[[Y:.*]] = complex.im %arg0
  // CHECK:       llvm.call @__nv_hypot
  // CHECK:       llvm.call_intrinsic "llvm.nvvm.sqrt.rn.d"
  // CHECK:       math.copysign %{{.*}}, %[[Y]] : f64
  // CHECK:       math.sinh
  // CHECK-COUNT-2: math.copysign
  // CHECK:       %[[SIGN:.*]] = arith.mulf
  // CHECK:       math.copysign %{{.*}}, %[[SIGN]] : f64
  gpu.func @signs(%z: complex<f64>, %out: memref<complex<f64>>) kernel {
    %r = complex.sqrt %z : complex<f64>
    %s = complex.sin %z : complex<f64>
    %sum = complex.add %r, %s : complex<f64>
    memref.store %sum, %out[] : memref<complex<f64>>
    gpu.return
  }
}
