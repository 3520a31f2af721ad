// RUN: npcc-opt %s --npcc-expand-math | FileCheck %s

// CHECK-DAG: llvm.func @erf(f64) -> f64 attributes {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, no_unwind, will_return}

// CHECK-LABEL: func.func @special
// CHECK: llvm.call @erf(
// CHECK: llvm.call @log1pf(
// CHECK: math.exp
func.func @special(%x: f64, %y: f32) -> (f64, f32, f64) {
  %a = math.erf %x : f64
  %b = math.log1p %y : f32
  %c = math.exp %x : f64
  return %a, %b, %c : f64, f32, f64
}

// CHECK-LABEL: func.func @half
// CHECK: arith.extf %{{.*}} : f16 to f32
// CHECK: math.exp %{{.*}} : f32
// CHECK: arith.truncf %{{.*}} : f32 to f16
// CHECK: %[[CBRT:.*]] = llvm.call @cbrtf
// CHECK: arith.truncf %[[CBRT]]
func.func @half(%x: f16) -> (f16, f16) {
  %a = math.exp %x : f16
  %b = math.cbrt %x : f16
  return %a, %b : f16, f16
}

// CHECK-LABEL: func.func @complex
// CHECK: llvm.call @hypotf(
// CHECK: arith.extf
// CHECK: llvm.call @cexp(%{{.*}}, %{{.*}}) : (f64, f64) -> !llvm.struct<(f64, f64)>
// CHECK: arith.truncf
// CHECK: complex.create
// CHECK-NOT: complex.div
// CHECK: arith.select
func.func @complex(%z: complex<f32>) -> (f32, complex<f32>, complex<f32>) {
  %a = complex.abs %z : complex<f32>
  %b = complex.exp %z : complex<f32>
  %c = complex.div %z, %b : complex<f32>
  return %a, %b, %c : f32, complex<f32>, complex<f32>
}

// What a machine has no conversion for is rounded by integers, arithmetic is computed in f32.
// CHECK-LABEL: func.func @bfloat
// CHECK: %[[BITS:.*]] = arith.bitcast %arg0 : f32 to i32
// CHECK: arith.trunci %{{.*}} : i32 to i16
// CHECK: arith.bitcast %{{.*}} : i16 to bf16
// CHECK: arith.extf %{{.*}} : bf16 to f32
// CHECK: arith.addf %{{.*}} : f32
// CHECK-NOT: arith.truncf
// CHECK: return
func.func @bfloat(%x: f32, %y: bf16) -> bf16 {
  %a = arith.truncf %x : f32 to bf16
  %b = arith.addf %a, %y : bf16
  return %b : bf16
}
